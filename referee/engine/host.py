"""The host's side: open the game file, judge a move, close the round when it is complete, sign the file again."""

from collections.abc import Mapping
from functools import partial
from typing import TypeVar

import msgspec

from referee.crypto.codec import check_plain, decode, encode
from referee.crypto.envelope import Envelope, body_of, check, ident, sign
from referee.crypto.keys import Key
from referee.crypto.slots import seal_all
from referee.engine import records as r
from referee.engine.book import Fault
from referee.engine.dealer import Dealer, SealedAnswers
from referee.engine.judging import AGAIN, check_answer, judge, read_sealed
from referee.engine.lobby import box_secret, host_marks, host_secret
from referee.engine.reader import Reader
from referee.engine.rounds import Came, Closed, Moment, asked, check_due, close, first_moment, rests
from referee.engine.table import Table, refuse_other_code
from referee.errors import BadSignature, Malformed, RefereeError, RulesFailed, RulesFault, WrongTurn
from referee.game import Note

Said = TypeVar("Said", r.Move, r.Word)


class Match:
    """A running game in the host's memory. Its functions change it only when they succeed."""

    def __init__(
        self, table: Table, key: Key, moment: Moment, faces: Mapping[str, str], marks: list[bytes], chance: bytes
    ) -> None:
        self.table, self.key = table, key
        self.secret = host_secret(key, bytes.fromhex(table.offer.nonce))
        self.box = box_secret(key, bytes.fromhex(table.offer.nonce))
        self.chance = chance
        """The secret of common chance, if the game has that."""
        self.moment = moment
        self.log: tuple[Note, ...] = ()
        """The story of the round that was closed last; it is not kept in any file."""
        self.faces = faces
        self.marks = marks
        self.entries: list[Envelope] = []
        self.privates: list[list[Envelope]] = [[] for _ in range(table.seats)]
        self._encoded: tuple[int, Envelope | None, bytes] = 0, None, b"[]"
        self.waiting: dict[int, r.MoveFile] = {}
        self.played: dict[int, tuple[r.MoveFile, ...]] = {}
        """Round -> the moves that it was closed with, since this match is in memory."""
        self.late: set[int] = set()
        self.sealed: SealedAnswers = {}
        """Round and seat -> what is sealed in an answer, also in those that wait."""
        self.revealed = False
        """M is out: nothing may be played on."""
        self.due = ""
        """The deadline that the next entry states, if the offer has deadlines and the game goes on."""

    @property
    def state(self) -> r.State:
        return self.moment.state

    @property
    def chain(self) -> msgspec.Raw:
        """All entries as JSON. Files and views are made of them again and again; only new ones are encoded."""
        count, last, data = self._encoded
        if self.entries[count - 1 : count] != [last][:count]:
            count = 0
        if count < len(self.entries):
            new = encode(self.entries[count:])
            data = b"".join((memoryview(data)[:-1], b",", memoryview(new)[1:])) if count else new
            self._encoded = len(self.entries), self.entries[-1], data
        return msgspec.Raw(data)


class Judged(msgspec.Struct, frozen=True):
    """What became of one move: `taken`, `repeated` (the one that counts already), or an error's code."""

    code: str
    seat: int | None = None
    receipt: Envelope | None = None
    error: RefereeError | None = None


def new_match(key: Key, table: Table, chance: bytes = b"") -> Match:
    """The game right after genesis: round 1 is open, everybody is asked for the ack."""
    nonce = bytes.fromhex(table.offer.nonce)
    secret = host_secret(key, nonce)
    faces, _ = seal_all(secret, table.seating, table.bags, chance)
    return Match(table, key, first_moment(table), faces, host_marks(key.public, nonce, secret), chance)


# --- what is sent -------------------------------------------------------------------------------------------------


def position(match: Match) -> r.Json:
    """The position as files have it."""
    return msgspec.Raw(encode(match.moment.public)) if match.moment.public is not None else r.NOTHING


def make_view(match: Match, seat: int) -> bytes:
    """One player's view. Made again, it is the same to the byte."""
    privates = tuple(match.privates[seat])
    return encode(r.View(r.VIEW_FILE, seat, match.table.envelope, match.chain, privates, position(match)))  # type: ignore[arg-type]


def reveal(match: Match) -> bytes:
    """The transcript of a game that is over (or rests), with all its secrets."""
    if not match.state.end and not rests(match.state):
        why = "the game is not over: its secrets stay closed"
        raise WrongTurn(why, "play on; see `referee status`", code="not-over")
    match.revealed = True
    entries, sealed = tuple(match.entries), sealed_answers(match, match.state.round)
    secrets = match.secret.hex(), sealed, match.chance.hex()
    return encode(r.Transcript(r.TRANSCRIPT_FILE, match.table.envelope, entries, *secrets))


def sealed_answers(match: Match, last: int) -> tuple[r.SealedAnswer, ...]:
    """What was sealed, up to this round."""
    found = sorted(match.sealed.items())
    return tuple(r.SealedAnswer(number, seat, fields) for (number, seat), fields in found if number <= last)


# --- moves -----------------------------------------------------------------------------------------------------------


def take_move(match: Match, data: bytes) -> Judged:
    """Judge one move file; a good one waits for its round, and closes it if it was the last."""
    try:
        file = decode(data, r.MoveFile, "move")
        move = authenticate(match.table, file, "move", r.Move)
    except RefereeError as error:
        return Judged(error.code, error=error)
    name = ident("move", bytes(file.body))
    try:
        sealed = _judge(match, file, move, name)
    except RefereeError as error:
        # By other rules than the game's nothing is judged, so nothing is signed either.
        receipt = None if error.code == "other-rules" else _receipt(match, move, name, error.code)
        return Judged(error.code, move.seat, receipt, error)
    receipt = _receipt(match, move, name, "taken")
    if sealed is None:
        return Judged("repeated", move.seat, receipt)
    kept = {**match.sealed, (move.round, move.seat): sealed} if sealed else match.sealed
    try:
        _go_on(match, {**match.waiting, move.seat: file}, match.late - {move.seat}, kept)
    except RefereeError as error:
        return Judged(error.code, move.seat, error=error)
    return Judged("taken", move.seat, receipt)


def authenticate(table: Table, file: r.MoveFile | Envelope, kind: str, form: type[Said]) -> Said:
    """A move or word that was signed for this game by the key the game lists for its seat."""
    body = body_of(Envelope(file.body, file.sig, file.type), kind)
    said = decode(body, form, kind)
    if said.game != table.id:
        raise WrongTurn(f"this {kind} is for another game", "send it to the host of that game", code="other-game")
    if said.seat >= table.seats:
        raise BadSignature("there is no such seat in this game", f"ask the player to sign the {kind} again")
    check(table.keys[said.seat], file.sig, kind, body)
    return said


def open_word(table: Table, data: bytes) -> r.Word:
    """What a player says to the host, from the player of that seat and nobody else."""
    return authenticate(table, decode(data, Envelope, "word"), "word", r.Word)


def _judge(match: Match, file: r.MoveFile, move: r.Move, name: str) -> r.Secrets | None:
    """What is sealed in a new good answer; None for one that counts already; raises for all others."""
    state = match.state
    if move.round <= state.round:
        _refuse_past(match, move)
        return None
    if move.round > state.round + 1:
        why = f"this move is for round {move.round}, and round {state.round + 1} is open here"
        raise WrongTurn(why, "if this is an older game file, apply the moves since then first", code="early")
    ask = asked(state).get(move.seat)
    if move.asked != match.moment.head or ask is None:
        raise WrongTurn("this move answers a question that was not asked", AGAIN, code="not-asked")
    if move.seat in match.waiting:
        if ident("move", bytes(match.waiting[move.seat].body)) == name:
            return None
        why = "this seat has answered already; the first answer counts"
        raise WrongTurn(why, "wait for the next view", code="answered")
    if match.revealed:
        raise WrongTurn("the secrets of this game are out: it has ended", "make a new offer", code="revealed")
    refuse_other_code(match.table.offer)
    check_answer(match.table, match.moment, ask, move)
    sealed = open_sealed(match, file)
    judge(match.table, match.moment, move, sealed, match.faces)
    return sealed


def open_sealed(match: Match, file: r.MoveFile) -> r.Secrets:
    """The sealed fields that came with a move."""
    return read_sealed(match.box, ident("move", bytes(file.body)), file.sealed) if file.sealed else {}


def _refuse_past(match: Match, move: r.Move) -> None:
    """A round that is over takes nothing but what it has."""
    if move.round:
        entry = msgspec.json.decode(match.entries[move.round - 1].body, type=r.Entry)
        if any(r.rebuilt(entry.game, entry.round, entry.prev, answer) == move for answer in entry.answers):
            return
    raise WrongTurn(f"round {move.round} is over", AGAIN, code="stale")


def _receipt(match: Match, move: r.Move, name: str, code: str) -> Envelope:
    return sign(match.key, "receipt", r.Receipt(match.table.id, move.round, move.seat, name, code))


# --- closing ---------------------------------------------------------------------------------------------------------


def time_out(match: Match, seat: int) -> bool:
    """Note that a seat missed its deadline. True if the round closed."""
    if match.state.round == 0:
        why = "the first round has no timeout: everybody must agree to the game"
        raise WrongTurn(why, "wait for the ack, or make a new offer", code="no-timeout")
    if seat not in asked(match.state) or seat in match.waiting:
        raise WrongTurn("this seat owes no answer", "see `referee status` for who must act", code="not-asked")
    return _go_on(match, match.waiting, match.late | {seat}, match.sealed)


def _go_on(match: Match, waiting: dict[int, r.MoveFile], late: set[int], sealed: SealedAnswers) -> bool:
    """With these answers and timeouts, close the round if it is complete. Where the rules fail, nothing is changed."""
    if not set(asked(match.state)) <= {*waiting, *late} or (rests(match.state) and not waiting):
        match.waiting, match.late, match.sealed = waiting, late, sealed
        return False
    refuse_other_code(match.table.offer)
    number = match.state.round + 1
    answers = []
    for seat, file in sorted(waiting.items()):
        move = decode(bytes(file.body), r.Move, "move")
        answers.append(r.Answer(seat, move.link, file.sig, move.answer, move.commit, move.standing, move.resign))
    link = match.table.host_chain.link(match.marks, number).hex()
    try:
        draws = partial(Dealer, secret=match.secret, faces=match.faces, secrets=sealed, chance=match.chance)
        closed = close(match.table, match.moment, Came(answers, sorted(late), link, match.due), draws)
        check_due(match.table.offer, match.state, closed.entry)
        _read_back(match, closed)
        entry, dealer = sign(match.key, "entry", closed.entry), closed.calls
        told = dealer.openings if isinstance(dealer, Dealer) else {}
        parts = {
            seat: sign(match.key, "private", r.Private(match.table.id, number, closed.moment.head, seat, tuple(tokens)))
            for seat, tokens in told.items()
        }
    except (Fault, RulesFault, Malformed) as fault:
        if getattr(fault, "code", "") == "bad-due":  # the host's own program signs no deadline that is an offence
            raise WrongTurn(f"round {number} cannot be closed yet: {fault}", "wait", code="not-due") from None
        raise RulesFailed(f"round {number}: the rules of this game failed: {fault}") from fault
    match.entries.append(entry)
    for seat, part in parts.items():
        match.privates[seat].append(part)
    match.faces = dealer.faces if isinstance(dealer, Dealer) else match.faces
    match.moment, match.log, match.played[number] = closed.moment, closed.log, tuple(waiting.values())
    match.waiting, match.late, match.sealed = {}, set(), sealed
    return True


def _read_back(match: Match, closed: Closed) -> None:
    """Before anything is committed: the entry reads back as everybody will read it, and the file can be opened again.
    Rules that are not deterministic, or an error of ours, stop here and frame nobody."""
    table, entry = match.table, closed.entry
    try:
        entry = decode(encode(entry), r.Entry, "entry")
        data = encode(closed.moment.public)
        check_plain(data, "position")
        public = decode(data, table.game.public, "position")
    except Malformed as error:
        raise RulesFault(f"they lead out of bounds: {error.message}") from None
    again = close(table, match.moment, entry, partial(Reader, given=entry.ops))
    if again.entry != entry or again.moment.head != closed.moment.head or public != closed.moment.public:
        raise RulesFault("they lead somewhere else when they are run again")
