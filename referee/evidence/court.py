"""Judging a proof file on its own: offline, while the game still runs, without M. Only what is signed, or fits a signed
hash, counts."""

from collections.abc import Callable, Collection
from typing import Any

from referee.crypto.box import box_hash
from referee.crypto.codec import H, check_plain, decode, encode
from referee.crypto.document import check_body, read_file
from referee.crypto.envelope import Envelope, body_of, ident
from referee.engine import records as r
from referee.engine.book import fits_leaf
from referee.engine.chain import (
    Followed,
    check_moves,
    check_sealed,
    is_canonical,
    open_table,
    read_part,
    read_private,
    signed_body,
    signed_table,
    two_entries,
    two_geneses,
    undecided,
)
from referee.engine.draws import commitments
from referee.engine.judging import check_answer, judge
from referee.engine.promises import extension_violation, is_time, read_extension
from referee.engine.rounds import Checkpoint, asked, first_checkpoint
from referee.engine.sealing import encrypted
from referee.engine.table import Table, same_code
from referee.errors import Altered, BadSignature, CheckFailed, Malformed, RefereeError
from referee.evidence import proofs as p
from referee.evidence.replay import player_in, replay
from referee.evidence.witness import Knowledge, play
from referee.language import Text, run, t

NO_PROOF = ("early", "revealed")
"""Refusals that prove nothing: from a host who went back to an older game file (and does the same again), or after the
secrets are out."""
NOT_OF_THE_MOVE = ("taken", "stale", "answered", *NO_PROOF)
"""Receipts that do not say that a move is invalid."""
_UNDECIDED = ("undecided", "unknown-game", "other-rules", "bad-edition", "broken-game", "usage")
ANEW = t("ask for the proof again, as it was written")


def judge_proof(proof: p.AnyProof) -> p.Verdict:
    """What a proof shows, with nothing else beside it."""
    table: Table | None = None
    try:
        if proof.format != p.PROOF_FILE:
            raise Malformed(t("this is not a proof"), ANEW, code="wrong-kind")
        table = signed_table(proof.genesis)
        _COURTS[type(proof)](proof, table)
        raise Altered("no-offence", t("the parts of this proof are consistent: they show no offence"))
    except RefereeError as error:
        return verdict(error, table)
    except Exception as error:
        # A made-up state that no game leads to: its author wanted this program to fail.
        return verdict(_inconsistent(t("they cannot be played ({name})", name=type(error).__name__)), table)


def verdict(error: RefereeError, table: Table | None) -> p.Verdict:
    """A finding in the words of a verdict."""
    step, game = getattr(error, "step", 0), table.id if table is not None else ""
    if isinstance(error, CheckFailed) and table is not None and table.offer.stage:
        why = t("{message}; but everybody has the keys of a tournament's games when it is over: this blames nobody",
                message=error.message)  # fmt: skip
        advice = t("compare the game with the ledger of its tournament, which binds it: {run}",
                   run=run("tournament", "extract", "DIR", "N", "--proof"))  # fmt: skip
        return p.Verdict(p.UNDECIDED, code="public-keys", message=why, next=advice, game=game, round=step)
    if isinstance(error, CheckFailed) and table is not None:
        return p.Verdict(p.PROVED, error.code, error.message, error.next, game, table.offer.key, step)
    word = p.UNDECIDED if error.code in _UNDECIDED else p.ALTERED
    return p.Verdict(word, error.code, error.message, error.next, game, "", step)


def read_proof(data: bytes) -> p.AnyProof:
    """A proof file; only its form is checked."""
    proof: p.AnyProof = read_file(data, p.AnyProof, "proof")  # type: ignore[arg-type]
    for name in ("state", "public"):
        if value := r.content(getattr(proof, name, r.NOTHING)):
            check_plain(value, "proof")
    check_sealed(getattr(proof, "sealed", ()))
    for name in ("other", "move", "receipt", "extension"):
        if part := getattr(proof, name, None):
            check_body(part, "proof")
    for part in getattr(proof, "receipts", ()):
        check_body(part, "proof", 3)
    return proof


# --- before the first round, and two stories -------------------------------------------------------------------------


def _two_geneses(proof: p.TwoGeneses, table: Table) -> None:
    other = signed_table(proof.other)
    if other.offer_id != table.offer_id:
        raise _inconsistent(t("the two geneses do not come from the same offer"))
    if other.id != table.id:
        raise two_geneses()


def _two_entries(proof: p.TwoEntries, table: Table) -> None:
    (one, name), (other, another) = (read_entry(table, envelope) for envelope in proof.entries)
    if one.round != other.round:
        raise _inconsistent(t("the two entries are not for the same round"), one.round)
    if name != another:
        raise two_entries(one.round)


def read_entry(table: Table, envelope: Envelope) -> tuple[r.Entry, str]:
    """An entry of this game that its host signed, and its id."""
    entry, name = read_part(envelope, "entry", table, r.Entry, 0)
    if not is_canonical(entry, name):
        raise CheckFailed("bad-entry", t("the entry is not in canonical form"), entry.round)
    if entry.game != table.id or not entry.round:
        raise _inconsistent(t("an entry belongs to another game"), entry.round)
    return entry, name


def _inconsistent(message: Text, step: int = 0) -> Altered:
    return Altered("mixed-proof", t("the parts of this proof do not belong together: {message}", message=message), step)


# --- rounds ----------------------------------------------------------------------------------------------------------


def _bad_round(proof: p.BadRound, table: Table) -> None:
    entry, name = read_entry(table, proof.entry)
    privates = dict(_private_part(table, envelope, entry, name) for envelope in proof.privates)
    before, head = _before(proof, table, entry.round)
    if (before is not None or entry.round == 1) and entry.prev != head:
        message = t("the host signed an entry that follows a different one")
        raise CheckFailed("broken-chain", message, entry.round)
    if not table.offer.takeovers or entry.round == 1:
        check_moves(table, entry)
    checked, checkpoint = _checkpoint_before(proof, table, before, entry.round, head)
    check_moves(checked, entry)
    chain = Followed(checked)
    chain.go_to(checkpoint)
    play(chain, entry, name, _revealed_tokens(proof, table, checkpoint), privates)


def _private_part(table: Table, envelope: Envelope, entry: r.Entry, name: str) -> tuple[int, r.Private]:
    """What the host told a seat in the round of this entry."""
    part = read_private(envelope, table, entry.round)
    if part.game != table.id or part.round != entry.round or part.seat >= table.seats:
        raise _inconsistent(t("a private part belongs to another round or game"), part.round)
    if part.entry != name:
        raise CheckFailed("false-private", t("the host told a player something about a different entry"), part.round)
    return part.seat, part


def _before(proof: p.BadRound | p.Refusal, table: Table, number: int) -> tuple[r.Entry | None, str]:
    """The entry before this round, if the proof has it, and its id; before round 1 the game's id."""
    if proof.before is None:
        return None, table.id if number == 1 else ""
    before, name = read_entry(table, proof.before)
    if before.round != number - 1:
        raise _inconsistent(t("the entries do not follow each other"), number)
    return before, name


def _checkpoint_before(
    proof: p.BadRound | p.Refusal, table: Table, before: r.Entry | None, number: int, head: str
) -> tuple[Table, Checkpoint]:
    """The table, with everything in its genesis checked, and the checkpoint before a round, by the entry before it."""
    state, public = r.content(proof.state), r.content(proof.public)
    if number == 1:
        if state or public:
            raise _inconsistent(t("nothing comes before the first round"), 1)
        checked = open_table(proof.genesis)
        return checked, first_checkpoint(checked)
    if before is None or not state or not public:
        raise missing(t("the entry of round {number} with its state and position", number=number - 1), number)
    if H("state", bytes.fromhex(table.id), state).hex() != before.state:
        raise _inconsistent(t("the state does not match its hash in the entry"), number)
    if table.public_hash(before.round, public) != before.public:
        raise _inconsistent(t("the position does not match its hash in the entry"), number)
    checked = open_table(proof.genesis)
    checkpoint = _opened(checked, state, public, head)
    if not _can_be(checkpoint.state, table, before.round):
        raise _inconsistent(t("no game leads to this state"), number)
    return checked.seated(checkpoint.state.holders), checkpoint


def _can_be(state: r.State, table: Table, number: int) -> bool:
    """Whether a state is one of this table after this many rounds, as far as its form tells."""
    seats = table.seats
    named = {one.seat for one in state.pending} | {one.seat for one in state.held} | {seat for seat, _ in state.left}
    named |= {one.seat for one in state.holders} | {one.seat for one in state.vacant}
    rows = {len(state.links), len(state.missed)} == {seats} and len(state.bank) == seats * bool(table.offer.bank)
    timed = all(is_time(due) for due in (state.due, *(one.due for one in state.vacant)) if due)
    return rows and timed and state.round == number and all(seat < seats for seat in named)


def _opened(table: Table, state: bytes, public: bytes, head: str) -> Checkpoint:
    """A checkpoint from the bytes that an entry has the hashes of. If it cannot be read, the round before is false."""
    try:
        check_plain(public, "the position")
        return Checkpoint(decode(state, r.State, "the state"), decode(public, table.game.public, "the position"), head)
    except Malformed as error:
        if not same_code(table.offer):
            raise undecided(table.offer, error.message, 0) from None
        raise missing(t("the proof of the round before: what was signed there cannot be read"), 0) from None


def _revealed_tokens(proof: p.BadRound | p.Refusal, table: Table, checkpoint: Checkpoint) -> Knowledge:
    """What the proof reveals of hidden tokens, each checked by its leaf; sealed fields are checked where used."""
    tokens = {token.slot: token for token in proof.tokens}
    fits = all(fits_leaf(table.seating, checkpoint.state.book.leaves, one) for one in proof.tokens)
    if len(tokens) != len(proof.tokens) or not fits:
        raise _inconsistent(t("a token does not fit what was committed to"), checkpoint.state.round + 1)
    return Knowledge(tokens, {(one.round, one.seat): one.fields for one in proof.sealed})


def missing(what: Text, number: int) -> Malformed:
    """Something more is needed to decide."""
    message = t("round {number}: undecided: more is needed to judge this round", number=number)
    return Malformed(message if number else t("undecided"), t("needed: {what}", what=what), code="undecided")


# --- receipts --------------------------------------------------------------------------------------------------------


def read_receipt(table: Table, envelope: Envelope) -> r.Receipt:
    """A receipt of this game that its host signed."""
    receipt = decode(signed_body(table.host, envelope, "receipt"), r.Receipt, "receipt")
    if receipt.game != table.id:
        raise _inconsistent(t("a receipt belongs to another game"), receipt.round)
    return receipt


def _receipts(proof: p.Receipts, table: Table) -> None:
    found = [read_receipt(table, envelope) for envelope in proof.receipts]
    one, other = found[0], found[-1]
    if (one.round, one.seat) != (other.round, other.seat):
        raise _inconsistent(t("the receipts are not for the same round and seat"), one.round)
    error = against_each_other(one, other)
    if error is None and proof.entry is not None:
        entry = read_entry(table, proof.entry)[0]
        if entry.round != one.round:
            raise _inconsistent(t("the entry is not for the round of the receipt"), one.round)
        statements = entry.timeouts, moves_of(entry)
        error = next(filter(None, (against_entry(receipt, *statements) for receipt in found)), None)
    if error is not None:
        raise error


def against_each_other(one: r.Receipt, other: r.Receipt) -> CheckFailed | None:
    """What two receipts for one round and seat show."""
    codes, name = {one.code, other.code}, t("seat {n}", n=one.seat + 1)
    if codes == {"taken"} and one.move != other.move:
        return CheckFailed("two-taken", t("the host accepted two different moves of {name}", name=name), one.round)
    if len(codes) == 2 and "taken" in codes and one.move == other.move and not codes & {*NO_PROOF}:
        message = t("the host accepted a move of {name} and also refused it", name=name)
        return CheckFailed("taken-and-refused", message, one.round)
    return None


def against_entry(receipt: r.Receipt, timeouts: Collection[int], moves: Collection[str]) -> CheckFailed | None:
    """What a receipt shows beside the entry of its round: who was late there, and the ids of the moves it has."""
    name, number = t("seat {n}", n=receipt.seat + 1), receipt.round
    if receipt.code == "taken" and receipt.seat in timeouts:
        message = t("the host accepted the answer of {name} and then said that it never came", name=name)
        return CheckFailed("taken-and-timed-out", message, number)
    if receipt.code == "taken" and receipt.move not in moves:
        message = t("the host accepted an answer of {name} that is not in the entry", name=name)
        return CheckFailed("taken-and-dropped", message, number)
    if receipt.code == "answered" and receipt.seat in timeouts:
        message = t("the host told {name} that it had already answered, and then that it never did", name=name)
        return CheckFailed("answered-and-timed-out", message, number)
    return None


def moves_of(entry: r.Entry) -> tuple[str, ...]:
    """The ids of the moves that an entry has."""
    moves = (r.move_of(entry.game, entry.round, entry.prev, answer) for answer in entry.answers)
    return tuple(ident("move", encode(move)) for move in moves)


def _extended(proof: p.Extended, table: Table) -> None:
    try:
        found = read_extension(table.host, proof.extension)
    except BadSignature as error:
        raise Altered(error.code, error.message) from None
    if found.game != table.id or found.seat >= table.seats:
        raise _inconsistent(t("an extension belongs to another game"), found.round)
    entry = read_entry(table, proof.entry)[0]
    if entry.round != found.round:
        raise _inconsistent(t("the entry is not for the round of the extension"), found.round)
    if offence := extension_violation(table.offer, found, entry.due, entry.timeouts):
        raise offence


# --- refusals --------------------------------------------------------------------------------------------------------


def _refusal(proof: p.Refusal, table: Table) -> None:
    receipt, move = read_receipt(table, proof.receipt), read_move(table, proof.move)
    if not table.offer.takeovers:
        signed_move(table, proof.move, move)
    name = ident("move", bytes(proof.move.body))
    if (receipt.move, receipt.round, receipt.seat) != (name, move.round, move.seat) or not move.round:
        raise _inconsistent(t("the receipt is not for this move"), receipt.round)
    if receipt.code in NOT_OF_THE_MOVE:
        message = t("a receipt `{code}` does not say that a move is illegal", code=receipt.code)
        raise Altered("no-offence", message, receipt.round)
    before, head = _before(proof, table, move.round)
    checked, checkpoint = _checkpoint_before(proof, table, before, move.round, head)
    signed_move(checked, proof.move, move)
    if move.asked != head:
        raise _inconsistent(t("the move answers another entry"), move.round)
    known = _revealed_tokens(proof, table, checkpoint)
    known.ephemerals[move.round, move.seat] = proof.ephemeral
    refused_legal(checked, checkpoint, move, receipt, known)


def read_move(table: Table, envelope: Envelope) -> r.Move:
    """A move of this game; nobody's signature is looked at."""
    move = decode_move(body_of(envelope, "move"))
    if move.game != table.id or move.seat >= table.seats:
        raise _inconsistent(t("a move belongs to another game"), move.round)
    return move


def signed_move(table: Table, envelope: Envelope, move: r.Move) -> None:
    """The player who holds its seat at this table signed a move."""
    signed_body(table.keys[move.seat], envelope, "move")


def decode_move(body: bytes) -> r.Move:
    """A move, with values of the game's own in canonical form."""
    move = decode(body, r.Move, "move")
    decided, said = r.content(move.answer), r.content(move.standing)
    for value in filter(None, (decided, said)):
        check_plain(value, "move")
    if decided and not decided.startswith(b"{"):
        raise Malformed(t("a move has an answer that is not an object"), ANEW)
    return move


def refused_legal(table: Table, checkpoint: Checkpoint, move: r.Move, receipt: r.Receipt, known: Knowledge) -> None:
    """Raises the host's offence if a refused move was legal by what its player saw; otherwise why that is not shown."""
    number, ask = move.round, asked(checkpoint.state).get(move.seat)
    if any(move.seat in seats and slot not in known.tokens for slot, seats in checkpoint.state.book.told.items()):
        raise missing(t("what {who} was told of hidden tokens", who=player_in(table, move.seat)), number)
    sealed = known.sealed.get((number, move.seat), {}) if move.commit else {}
    if commitments(table.id, number, move.seat, sealed) != move.commit:
        raise missing(
            t("what {who} sealed in this move, as that player's program kept it", who=player_in(table, move.seat)),
            number,
        )
    if receipt.code == "bad-commitment" and sealed:
        _check_encrypted(table, move, sealed, known.ephemerals.get((number, move.seat), ""))
    if not same_code(table.offer):
        raise undecided(table.offer, t("a refused move may be legal"), number)
    if ask is None:
        raise Altered("no-offence", t("the seat was not asked for anything in this round"), number)
    try:
        check_answer(table, checkpoint, ask, move)
        judge(table, checkpoint, move, sealed, {slot: token.face for slot, token in known.tokens.items()})
    except RefereeError as error:
        raise Altered("no-offence", t("the refusal was right: {message}", message=error.message), number) from None
    raise CheckFailed("refused-though-legal", t("the host refused a legal move ({code})", code=receipt.code), number)


def _check_encrypted(table: Table, move: r.Move, sealed: r.Secrets, ephemeral: str) -> None:
    """The encrypted part that the player signed is made of these sealed fields. The host had that one when it said that
    they do not fit: of any other it says nothing."""
    if not ephemeral:
        what = t(
            "the key with which {who} encrypted this move, as that player's program kept it",
            who=player_in(table, move.seat),
        )
        raise missing(what, move.round)
    if box_hash(encrypted(table.offer, bytes.fromhex(ephemeral), move, sealed)) != move.box:
        what = t("what {who} really encrypted: this key and these fields give a different encrypted part",
                 who=player_in(table, move.seat))  # fmt: skip
        raise missing(what, move.round)


_COURTS: dict[type, Callable[[Any, Table], object]] = {
    p.BadGenesis: lambda proof, _: open_table(proof.genesis),
    p.TwoGeneses: _two_geneses,
    p.TwoEntries: _two_entries,
    p.BadRound: _bad_round,
    p.Refusal: _refusal,
    p.Receipts: _receipts,
    p.Extended: _extended,
    p.Revealed: lambda proof, _: replay(proof.genesis, proof.entries, proof.secret, proof.sealed, proof.chance),
}
