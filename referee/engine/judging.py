"""Whether an answer is valid: for the host who gets it, for everybody after the end, for a player who was refused."""

from collections.abc import Mapping

from referee.engine import records as r
from referee.engine.answers import decode_whole, read_words, seen
from referee.engine.book import Fault
from referee.engine.draws import commitments
from referee.engine.rounds import Checkpoint, check_form
from referee.engine.table import Table
from referee.errors import BadSignature, IllegalMove, Malformed, RefereeError
from referee.game import Ask
from referee.language import run, t

AGAIN = t("use the newest view and sign again")
NOT_ORDERS = (
    t("these are not standing orders of this game"), t("see {run} for what you can say", run=run("show", "--moves"))
)  # fmt: skip


def check_answer(table: Table, checkpoint: Checkpoint, ask: Ask, move: r.Move) -> None:
    """The answer fits the question, its standing orders are valid, and it has the next link of its chain."""
    state = checkpoint.state
    try:
        check_form(table, state, ask, move)
    except Fault:
        raise Malformed(t("this answer does not fit the question"), AGAIN, code="wrong-answer") from None
    try:
        if words := r.content(move.standing):
            read_words(table.game, words)
    except Fault:
        raise Malformed(*NOT_ORDERS, code="bad-words") from None
    since, last = state.links[move.seat]
    if table.chains[move.seat].back(move.round, bytes.fromhex(move.link), since).hex() != last:
        why = t("the link in this move is not the next one of its chain")
        raise BadSignature(why, t("sign the move again with the key and join of this game"), code="bad-link")


def judge(table: Table, checkpoint: Checkpoint, move: r.Move, sealed: r.Secrets, faces: Mapping[str, str]) -> None:
    """The sealed fields are those committed to, and the move is legal for a player who knows these faces."""
    if commitments(move.game, move.round, move.seat, sealed) != move.commit:
        why = t("the sealed part of this move is not the one that was signed")
        raise BadSignature(why, t("sign the move again"), code="bad-commitment")
    fields = r.content(move.answer)
    if fields:
        decoded = decode_whole(table.game, fields, sealed)
        known = seen(table.game, checkpoint.state, checkpoint.public, move.seat, faces)
        try:
            table.game.check(table.terms, known, decoded)
        except (RefereeError, MemoryError):
            raise
        except Exception as error:
            why = t("the rules cannot judge this move ({name})", name=type(error).__name__)
            raise IllegalMove("rules", why) from error
