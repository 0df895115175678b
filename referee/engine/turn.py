"""The host's turn: open the game file, judge a move, close the round when it is complete, sign the file again."""

from typing import Any

import msgspec

from referee.crypto.codec import H, decode, encode
from referee.crypto.envelope import Envelope, check, expect, ident, open_signed, seal
from referee.crypto.keys import Key
from referee.engine.lobby import host_marks, host_secret
from referee.engine.records import (
    GAME,
    Answer,
    Entry,
    GameFile,
    Head,
    Move,
    MoveFile,
    Receipt,
    Sealed,
    Secret,
    State,
    content,
)
from referee.engine.rounds import close_round, decode_move, first_state, split_move, who_is_asked
from referee.engine.table import Table
from referee.errors import BadSignature, Malformed, RefereeError, WrongTurn
from referee.game import Ask, seen

KEEP_SECRET = "host only: this file knows every hidden card; send players their view files instead"


_UNSIGNED = Envelope(msgspec.Raw(b"{}"), "", "")


class Match:
    """A running game in the host's memory. Its functions change it only when they succeed."""

    __slots__ = ("entries", "key", "late", "marks", "sealed", "secret", "state", "table", "waiting")

    def __init__(self, table: Table, key: Key, state: State[Any], marks: list[bytes]) -> None:
        self.table = table
        self.key = key
        self.secret = host_secret(key, bytes.fromhex(table.offer.nonce))
        self.state = state
        self.marks = marks
        self.entries: list[msgspec.Raw] = []
        self.waiting: dict[int, MoveFile] = {}
        self.late: set[int] = set()
        self.sealed: list[msgspec.Raw] = []


class Judged(msgspec.Struct, frozen=True):
    """What became of one move: `taken`, `repeated` (the one that counts already), or an error's code."""

    code: str
    seat: int | None = None
    receipt: Envelope | None = None
    error: RefereeError | None = None


def new_match(key: Key, table: Table) -> Match:
    """The game right after genesis: round 1 is open, everybody is asked for the ack."""
    secret = host_secret(key, bytes.fromhex(table.offer.nonce))
    marks = host_marks(key.public, bytes.fromhex(table.offer.nonce), secret)
    return Match(table, key, first_state(table, secret), marks)


def open_match(data: bytes, key: Key) -> Match:
    """Read a game file: the signed head vouches for it, so the history need not be checked again."""
    file = decode(data, GameFile, "game file")
    if file.format != GAME:
        raise Malformed("this is not a game file", "give the host's game file here")
    table = Table(file.genesis, verify=False)
    if key.public != table.host:
        raise BadSignature(
            "this game belongs to another host's key", "use the key that made the offer (--key)", code="other-key"
        )
    head = open_signed(file.head, "head", table.host, Head)
    state = decode(bytes(file.state), table.state_type, "game file")
    if head != _head(table, state, file):
        raise BadSignature(
            "this game file was altered after it was signed", "restore it from a backup", code="altered-file"
        )
    match = Match(table, key, state, [bytes.fromhex(mark) for mark in file.marks])
    match.entries = list(file.entries)
    match.waiting = {decode(bytes(one.body), Move, "move").seat: one for one in file.waiting}
    match.late = set(file.late)
    match.sealed = list(file.sealed)
    return match


def dump_match(match: Match) -> bytes:
    """The game file, signed anew."""
    waiting = tuple(match.waiting[seat] for seat in sorted(match.waiting))
    late = tuple(sorted(match.late))
    file = GameFile(
        format=GAME,
        keep_secret=KEEP_SECRET,
        genesis=match.table.envelope,
        entries=tuple(match.entries),
        state=msgspec.Raw(encode(match.state)),
        head=_UNSIGNED,
        marks=tuple(mark.hex() for mark in match.marks),
        waiting=waiting,
        late=late,
        sealed=tuple(match.sealed),
    )
    head = seal(match.key, "head", _head(match.table, match.state, file))
    return encode(msgspec.structs.replace(file, head=head))


def _head(table: Table, state: State[Any], file: GameFile) -> Head:
    """What the host vouches for: the whole file but the head itself."""
    data = encode(msgspec.structs.replace(file, head=_UNSIGNED))
    return Head(game=table.id, round=state.round, entry=state.entry, file=H("file", data).hex())


# --- moves -----------------------------------------------------------------------------------------------------------


def take_move(match: Match, data: bytes) -> Judged:
    """Judge one move file; a good one waits for its round, and closes it if it was the last."""
    try:
        file = decode(data, MoveFile, "move")
        move = authenticate(match.table, file)
    except RefereeError as error:
        return Judged(error.code, error=error)
    name = ident("move", bytes(file.body))
    try:
        fresh = _judge(match, file, move, name)
    except RefereeError as error:
        return Judged(error.code, move.seat, _receipt(match, move, name, error.code), error)
    receipt = _receipt(match, move, name, "taken")
    if not fresh:
        return Judged("repeated", move.seat, receipt)
    match.waiting[move.seat] = file
    match.late.discard(move.seat)
    _close_if_complete(match)
    return Judged("taken", move.seat, receipt)


def authenticate(table: Table, file: MoveFile) -> Move:
    """A move that was signed for this game by the key the game lists for its seat."""
    body = expect(Envelope(file.body, file.sig, file.type), "move")
    move = decode(body, Move, "move")
    if move.game != table.id:
        raise WrongTurn("this move is for another game", "send it to the host of that game", code="other-game")
    if move.seat >= table.seats:
        raise BadSignature("there is no such seat in this game", "ask the player to sign the move again")
    check(table.keys[move.seat], file.sig, "move", body)
    return move


def _judge(match: Match, file: MoveFile, move: Move, name: str) -> bool:
    """True for a new good answer, False for one that counts already; raises for all others."""
    state, table = match.state, match.table
    if move.round <= state.round:
        return _judge_past(match, file, move)
    if move.round != state.round + 1 or move.asked != state.entry:
        raise WrongTurn(
            "this move answers a question that was not asked", "use the newest view and sign again", code="not-asked"
        )
    ask = who_is_asked(state).get(move.seat)
    if ask is None:
        raise WrongTurn("this seat is not asked now", "wait for a view that asks", code="not-asked")
    if move.seat in match.waiting:
        if ident("move", bytes(match.waiting[move.seat].body)) == name:
            return False
        raise WrongTurn(
            "this seat has answered already; the first answer counts", "wait for the next view", code="answered"
        )
    check_link(table, state, move)
    check_answer(table, state, ask, move, file.secret)
    return True


def _judge_past(match: Match, file: MoveFile, move: Move) -> bool:
    envelope = msgspec.json.decode(match.entries[move.round - 1], type=Envelope) if move.round else None
    if envelope is not None:
        entry = msgspec.json.decode(envelope.body, type=Entry)
        if (
            entry.prev == move.asked
            and Answer(move.seat, move.link, file.sig, move.answer, move.commit) in entry.answers
        ):
            return False
    raise WrongTurn(f"round {move.round} is over", "use the newest view and sign again", code="stale")


def check_link(table: Table, state: State[Any], move: Move) -> None:
    """The link is the next one of the chain this seat put on the table."""
    since, last = state.links[move.seat]
    if table.chains[move.seat].back(move.round, bytes.fromhex(move.link), since).hex() != last:
        raise BadSignature(
            "the link in this move is not the next one of its chain",
            "sign the move again with the key and join of this game",
            code="bad-link",
        )


def check_answer(table: Table, state: State[Any], ask: Ask, move: Move, secret: Secret | None) -> None:
    """The answer fits the question: a bare link, or a legal move with exactly the sealed fields sealed."""
    fields = content(move.answer)
    bare = bool(state.witness)
    sealed = bool(ask.sealed) and not bare
    if bool(fields) == bare or bool(move.commit) != sealed or (secret is not None) != sealed:
        raise Malformed(
            "this answer does not fit the question", "use the newest view and sign again", code="wrong-answer"
        )
    if bare:
        return
    if secret is not None and commitment(move.game, move.round, move.seat, secret) != move.commit:
        raise BadSignature(
            "the sealed part of this move is not the one that was signed", "sign the move again", code="bad-commitment"
        )
    decoded = decode_move(table, fields, secret)
    if split_move(decoded, ask.sealed) != (fields, bytes(secret.fields) if secret else b"{}"):
        raise Malformed("the move is not in canonical form", "sign it again with `referee play`")
    assert state.position is not None
    table.game.check(table.terms, seen(state.position, move.seat), decoded)


def commitment(game: str, number: int, seat: int, secret: Secret) -> str:
    """What a player signs instead of sealed fields."""
    return H("sealed", bytes.fromhex(game), number, seat, bytes.fromhex(secret.salt), bytes(secret.fields)).hex()


def _receipt(match: Match, move: Move, name: str, code: str) -> Envelope:
    return seal(match.key, "receipt", Receipt(match.table.id, move.round, move.seat, name, code))


# --- closing ---------------------------------------------------------------------------------------------------------


def time_out(match: Match, seat: int) -> bool:
    """Note that a seat missed its deadline. True if the round closed."""
    if match.state.round == 0:
        raise WrongTurn(
            "the first round has no timeout: everybody must agree to the game",
            "wait for the ack, or make a new offer",
            code="no-timeout",
        )
    if seat not in who_is_asked(match.state) or seat in match.waiting:
        raise WrongTurn("this seat owes no answer", "see `referee status` for who must act", code="not-asked")
    match.late.add(seat)
    return _close_if_complete(match)


def _close_if_complete(match: Match) -> bool:
    awaited = set(who_is_asked(match.state))
    if not awaited <= {*match.waiting, *match.late}:
        return False
    answers, secrets = [], {}
    for seat in sorted(match.waiting):
        file = match.waiting[seat]
        move = decode(bytes(file.body), Move, "move")
        answers.append(Answer(seat, move.link, file.sig, move.answer, move.commit))
        if file.secret is not None:
            secrets[seat] = file.secret
            match.sealed.append(msgspec.Raw(encode(Sealed(move.round, seat, file.secret))))
    link = match.table.host_chain.link(match.marks, match.state.round + 1).hex()
    timeouts = tuple(sorted(match.late))
    entry, state = close_round(match.table, match.secret, match.state, answers, secrets, timeouts, link)
    match.entries.append(msgspec.Raw(encode(seal(match.key, "entry", entry))))
    match.state = state
    match.waiting, match.late = {}, set()
    return True
