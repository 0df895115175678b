"""The host's side: open the game file, judge a move, close the round when it is complete, sign the file again."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

import msgspec

from referee.crypto.codec import check_plain, decode, encode
from referee.crypto.envelope import Envelope, body_of, check, ident, sign
from referee.crypto.keys import Key
from referee.crypto.slots import seal_all
from referee.engine import records as r
from referee.engine.book import Fault
from referee.engine.dealer import Dealer, SealedAnswers, dealt, private_parts
from referee.engine.judging import AGAIN, check_answer, judge
from referee.engine.lobby import box_secret, host_marks, host_secret
from referee.engine.promises import Extension, breaks_extension, extension_in, latest
from referee.engine.reader import Reader
from referee.engine.rounds import Checkpoint, Closed, asked, close, first_checkpoint
from referee.engine.sealing import read_sealed, refuse_damaged
from referee.engine.seats import admitted, arrival, arrival_fault, precedence, rests
from referee.engine.table import Table, refuse_other_code
from referee.errors import BadSignature, Malformed, RefereeError, RulesFailed, RulesFault, WrongTurn
from referee.game import Note
from referee.language import Time, run, t

Form = TypeVar("Form", r.Move, r.Word, r.Return)
OUT = t("the secrets of this game are out: it has ended"), t("make a new offer")
NOT_ASKED = t("this seat is not asked for an answer"), t("see {run} for who must act", run=run("show"))
NO_DEADLINE = t("wait, or end the game with {run}; a new offer can have a deadline", run=run("reveal", "--abandon"))


class Match:
    """A running game in the host's memory. Its functions change it only when they succeed."""

    def __init__(
        self, table: Table, key: Key, start: Checkpoint, faces: Mapping[str, str], marks: list[bytes], chance: bytes
    ) -> None:
        self.table, self.key = table, key
        self.secret = host_secret(key, bytes.fromhex(table.offer.nonce))
        self.box = box_secret(key, bytes.fromhex(table.offer.nonce))
        self.chance = chance
        """The secret of common chance, if the game has that."""
        self.checkpoint = start
        self.log: tuple[Note, ...] = ()
        """The story of the round that was closed last; it is not kept in any file."""
        self.faces = faces
        self.marks = marks
        self.entries: list[Envelope] = []
        self.privates: list[list[Envelope]] = [[] for _ in range(table.seats)]
        self._encoded: tuple[int, Envelope | None, bytes] = 0, None, b"[]"
        self.waiting: dict[int, r.MoveFile] = {}
        self.played: dict[int, tuple[r.MoveFile, ...]] = {}
        """Round -> the moves that closed it, since this match was loaded."""
        self.late: set[int] = set()
        self.arrivals: dict[int, Envelope] = {}
        """Seat -> who takes it over or comes back, as soon as that is possible."""
        self.sealed: SealedAnswers = {}
        """Round and seat -> what is sealed in an answer, also in those that wait."""
        self.revealed = False
        """M is out: the game must not continue."""
        self.due = ""
        """The deadline that the next entry states, if the offer has deadlines and the game goes on."""
        self.used: dict[int, int] = {}
        """Seat -> the minutes that the bank of a seat which has answered pays in the open round."""
        self.extensions: tuple[Envelope, ...] = ()
        """What was promised in the open round: `Extension`."""

    @property
    def state(self) -> r.State:
        return self.checkpoint.state

    @property
    def chain(self) -> msgspec.Raw:
        """All entries as JSON. Files and views need them again and again; only new ones are encoded."""
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
    """The game right after genesis: round 1 is open, and everybody is asked for the ack."""
    nonce = bytes.fromhex(table.offer.nonce)
    secret = host_secret(key, nonce)
    faces, _ = seal_all(secret, table.seating, table.bags, chance)
    return Match(table, key, first_checkpoint(table), faces, host_marks(key.public, nonce, secret), chance)


# --- what is sent -------------------------------------------------------------------------------------------------


def position(match: Match) -> r.Json:
    """The position, as it is written in files."""
    return msgspec.Raw(encode(match.checkpoint.public)) if match.checkpoint.public is not None else r.NOTHING


def make_view(match: Match, seat: int | None) -> bytes:
    """One player's view; without a seat, the public one. It is identical to the byte each time."""
    privates = () if seat is None else tuple(match.privates[seat])
    return encode(r.View(r.VIEW_FILE, match.table.envelope, match.chain, privates, position(match), seat))  # type: ignore[arg-type]


def reveal(match: Match, *, abandon: bool = False) -> bytes:
    """The transcript of a game that is over (or rests, or that its host abandons here), with all its secrets."""
    ended = match.state.end or rests(match.state)
    abandon = abandon or (match.revealed and not ended)
    if abandon and match.state.end:
        why = t("the game is over: there is nothing to abandon")
        raise WrongTurn(why, t("reveal it without --abandon"), code="over")
    if not abandon and not ended:
        why = t("the game is not over: its secrets stay closed")
        advice = t("continue playing, see {run}; a game that cannot continue ends with --abandon, without a result",
                   run=run("show"))  # fmt: skip
        raise WrongTurn(why, advice, code="not-over")
    match.revealed = True
    secrets = match.secret.hex(), sealed_answers(match, match.state.round), match.chance.hex()
    given_up = r.Abandonment(match.table.id, match.state.round, match.checkpoint.head)
    word = sign(match.key, "abandonment", given_up) if abandon else None
    return encode(r.Transcript(r.TRANSCRIPT_FILE, match.table.envelope, tuple(match.entries), *secrets, word))


def sealed_answers(match: Match, last: int) -> tuple[r.SealedAnswer, ...]:
    """What was sealed, up to this round."""
    found = sorted(match.sealed.items())
    return tuple(r.SealedAnswer(number, seat, fields) for (number, seat), fields in found if number <= last)


# --- moves -----------------------------------------------------------------------------------------------------------


def take_move(match: Match, data: bytes, late: Callable[[int], int] = lambda seat: 0) -> Judged:
    """Judge one move file; a valid one waits for its round, and closes it if it was the last. `late` tells how many
    minutes late the answer of a seat is, for its time bank."""
    try:
        file, move, name = read_move(match, data)
    except RefereeError as error:
        # No receipt for what may have been changed in transit.
        return Judged(error.code, error=error)
    try:
        sealed = judge_move(match, file, move, name)
    except RefereeError as error:
        # Nothing is judged by rules that are not the game's, so nothing is signed either.
        receipt = None if error.code == "other-rules" else _receipt(match, move, name, error.code)
        return Judged(error.code, move.seat, receipt, error)
    receipt = _receipt(match, move, name, "taken")
    if sealed is None:
        return Judged("repeated", move.seat, receipt)
    kept = {**match.sealed, (move.round, move.seat): sealed} if sealed else match.sealed
    left = match.state.bank[move.seat] if match.state.bank and match.state.round else 0
    # A bank pays for a late answer, but no more than is left.
    before, spent = match.used, min(left, late(move.seat)) if left else 0
    match.used = {**before, move.seat: spent} if spent > 0 else before
    try:
        _close_if_complete(match, {**match.waiting, move.seat: file}, match.late - {move.seat}, kept)
    except RefereeError as error:
        match.used = before
        return Judged(error.code, move.seat, error=error)
    return Judged("taken", move.seat, receipt)


def read_move(match: Match, data: bytes) -> tuple[r.MoveFile, r.Move, str]:
    """A move file, the move that a player of this game signed in it, and the name of that move."""
    file = decode(data, r.MoveFile, "move")
    move = authenticate(match.table, file, "move", r.Move)
    refuse_damaged(move, file.sealed)
    return file, move, ident("move", bytes(file.body))


def authenticate(table: Table, file: r.MoveFile | Envelope, kind: str, form: type[Form]) -> Form:
    """A move or word that was signed for this game by the key the game lists for its seat."""
    body = body_of(Envelope(file.body, file.sig, file.type), kind)
    word = decode(body, form, kind)
    if word.game != table.id:
        why = t("this {kind} is for another game", kind=t(kind))
        raise WrongTurn(why, t("send it to the host of that game"), code="other-game")
    if word.seat >= table.seats:
        advice = t("ask the player to sign the {kind} again", kind=t(kind))
        raise BadSignature(t("there is no such seat in this game"), advice)
    check(table.keys[word.seat], file.sig, kind, body)
    return word


def open_word(table: Table, data: bytes) -> r.Word:
    """A statement to the host, signed by the player of that seat."""
    return authenticate(table, decode(data, Envelope, "word"), "word", r.Word)


def judge_move(match: Match, file: r.MoveFile, move: r.Move, name: str) -> r.Secrets | None:
    """What is sealed in a new valid answer; None for one that already counts; raises for all others."""
    state = match.state
    if move.round <= state.round:
        _refuse_past(match, move)
        return None
    if move.round > state.round + 1:
        why = t("this move is for round {round}, but round {round2} is open here",
                round=move.round, round2=state.round + 1)  # fmt: skip
        raise WrongTurn(why, t("if this is an older game file, apply the moves since then first"), code="early")
    ask = asked(state).get(move.seat)
    if move.asked != match.checkpoint.head or ask is None:
        raise WrongTurn(t("this move answers a question that was not asked"), AGAIN, code="not-asked")
    if move.seat in match.waiting:
        if ident("move", bytes(match.waiting[move.seat].body)) == name:
            return None
        why = t("this seat has already answered; the first answer counts")
        raise WrongTurn(why, t("wait for the next view"), code="answered")
    if match.revealed:
        raise WrongTurn(*OUT, code="revealed")
    refuse_other_code(match.table.offer)
    check_answer(match.table, match.checkpoint, ask, move)
    sealed = read_sealed(match.box, move, file.sealed)
    judge(match.table, match.checkpoint, move, sealed, match.faces)
    return sealed


def open_sealed(match: Match, file: r.MoveFile) -> r.Secrets:
    """The sealed fields that came with a move."""
    return read_sealed(match.box, msgspec.json.decode(file.body, type=r.Move), file.sealed)


def _refuse_past(match: Match, move: r.Move) -> None:
    """A closed round accepts only answers that it already contains."""
    if move.round:
        entry = msgspec.json.decode(match.entries[move.round - 1].body, type=r.Entry)
        if any(r.move_of(entry.game, entry.round, entry.prev, answer) == move for answer in entry.answers):
            return
    raise WrongTurn(t("round {round} is over", round=move.round), AGAIN, code="stale")


def _receipt(match: Match, move: r.Move, name: str, code: str) -> Envelope:
    return sign(match.key, "receipt", r.Receipt(match.table.id, move.round, move.seat, name, code))


# --- closing ---------------------------------------------------------------------------------------------------------


def time_out(match: Match, seat: int) -> bool:
    """Record that a seat missed its deadline. True if that closed the round."""
    if match.state.round == 0:
        why = t("the first round has no timeout: everybody must agree to the game")
        raise WrongTurn(why, t("wait until everybody has agreed, or make a new offer"), code="no-timeout")
    if match.revealed:
        raise WrongTurn(*OUT, code="revealed")
    if not match.table.offer.deadline:
        why = t("this game has no deadlines: nobody can be timed out in it")
        raise WrongTurn(why, NO_DEADLINE, code="no-timeout")
    if seat not in asked(match.state) or seat in match.waiting:
        raise WrongTurn(*NOT_ASKED, code="not-asked")
    return _close_if_complete(match, match.waiting, match.late | {seat}, match.sealed)


def extend(match: Match, seat: int, until: str) -> Envelope:
    """Promise a seat that it is not timed out in the open round before this time, with its grace."""
    if match.revealed:
        raise WrongTurn(*OUT, code="revealed")
    if not match.table.offer.deadline or not match.state.due:
        first = not match.state.round
        why = t("the first round has no timeout") if first else t("there is no deadline to extend")
        raise WrongTurn(why, t("wait for the answer: nobody needs to be timed out"), code="no-deadline")
    if seat not in asked(match.state) or seat in match.waiting:
        raise WrongTurn(*NOT_ASKED, code="not-asked")
    made = sign(match.key, "extension", Extension(match.table.id, match.state.round + 1, seat, until))
    promise(match, made)
    return made


def promise(match: Match, extension: Envelope) -> None:
    """Keep an extension of the open round; a seat noted as late is waited for again."""
    terms = extension_in(extension)
    if terms.round == match.state.round + 1 and extension not in match.extensions:
        match.extensions = (*match.extensions, extension)
        match.late = match.late - {terms.seat}


def _close_if_complete(match: Match, waiting: dict[int, r.MoveFile], late: set[int], sealed: SealedAnswers) -> bool:
    """Close the round if it is complete with these answers and timeouts. If the rules fail, nothing is changed."""
    if not set(asked(match.state)) <= {*waiting, *late} or (rests(match.state) and not waiting):
        match.waiting, match.late, match.sealed = waiting, late, sealed
        return False
    refuse_other_code(match.table.offer)
    number = match.state.round + 1
    inputs = _draft(match, waiting, late)
    try:
        draws = partial(Dealer, secret=match.secret, faces=match.faces, secrets=sealed, chance=match.chance)
        try:
            closed = close(match.table, match.checkpoint, inputs, draws)
        except Fault as fault:
            if fault.code != "bad-succession":
                raise
            # The game ends with this round: nobody can take a seat any more.
            inputs = msgspec.structs.replace(inputs, successions=(), returns=())
            closed = close(match.table, match.checkpoint, inputs, draws)
        _keep_promises(match, closed.entry)
        _check_readable(match, closed)
        entry = sign(match.key, "entry", closed.entry)
        faces, openings = dealt(closed.calls, match.faces)
        parts = {seat: sign(match.key, "private", part) for seat, part in private_parts(closed, openings, sealed)}
    except (Fault, RulesFault, Malformed) as fault:
        if getattr(fault, "code", "") == "bad-due":  # the host's own program signs no deadline that is an offence
            why = t("round {number} cannot be closed yet: {fault}", number=number, fault=fault.args[0])
            raise WrongTurn(why, t("wait"), code="not-due") from None
        why = t("round {number}: the rules of this game failed: {fault}", number=number, fault=fault.args[0])
        raise RulesFailed(why) from fault
    match.entries.append(entry)
    for seat, part in parts.items():
        match.privates[seat].append(part)
    match.faces, match.checkpoint, match.log = faces, closed.checkpoint, closed.log
    match.played[number] = tuple(waiting.values())
    match.waiting, match.late, match.sealed, match.used, match.extensions = {}, set(), sealed, {}, ()
    match.table = match.table.seated(match.state.holders)
    match.arrivals = {
        seat: one
        for seat, one in match.arrivals.items()
        if arrival_fault(match.table, match.state, match.checkpoint.head, one) is None
    }
    return True


def _draft(match: Match, waiting: dict[int, r.MoveFile], late: set[int]) -> r.Entry:
    """The next entry as far as it is known before the round is played."""
    table, number, files = match.table, match.state.round + 1, [file for _, file in sorted(waiting.items())]
    new, back = admitted(table, match.state, match.checkpoint.head, match.arrivals, match.due)
    return r.Entry(
        game=table.id,
        round=number,
        prev=match.checkpoint.head,
        answers=tuple(r.answer_of(decode(bytes(file.body), r.Move, "move"), file.sig) for file in files),
        link=table.host_chain.link(match.marks, number).hex(),
        public="",
        state="",
        timeouts=tuple(sorted(late)),
        due=match.due,
        successions=tuple(new),
        returns=tuple(back),
        used=tuple((seat, spent) for seat, spent in sorted(match.used.items()) if seat in waiting),
    )


# --- who takes a seat -------------------------------------------------------------------------------------------------


def take_arrival(match: Match, envelope: Envelope) -> int:
    """Keep a succession or a return for the next entry that can contain it; returns the seat."""
    fault = arrival_fault(match.table, match.state, match.checkpoint.head, envelope)
    if fault is not None:
        raise WrongTurn(fault.message, t("sign it again from the newest view"), code="bad-succession")
    if match.revealed:
        raise WrongTurn(*OUT, code="revealed")
    seat, known = arrival(envelope)[0], match.arrivals.get(arrival(envelope)[0])
    if known is None or precedence(match.state, envelope) > precedence(match.state, known):
        match.arrivals = match.arrivals | {seat: envelope}
    elif known != envelope:
        raise WrongTurn(
            t("another file for this seat arrived first"), t("wait for the next view"), code="bad-succession"
        )
    return seat


def _keep_promises(match: Match, entry: r.Entry) -> None:
    """Nobody is timed out before an extension is over. An entry that ends the game states no time, so nobody could
    prove a breach there; the host's own program keeps the promise all the same."""
    for seat in entry.timeouts:
        until = latest(match.extensions, seat)
        if until and breaks_extension(match.table.offer, until, seat, match.due, entry.timeouts):
            raise Fault("bad-due", t("seat {seat} was given time until {until}", seat=seat + 1, until=Time(until)))


def _check_readable(match: Match, closed: Closed) -> None:
    """Before anything is committed: the entry reads back as everybody will read it, and the file can be opened again.
    Rules that are not deterministic, or a bug of ours, stop here and make nobody look like a cheat."""
    table, entry = match.table, closed.entry
    try:
        entry = decode(encode(entry), r.Entry, "entry")
        data = encode(closed.checkpoint.public)
        check_plain(data, "position")
        public = decode(data, table.game.public, "position")
    except Malformed as error:
        raise RulesFault(t("they produce something out of bounds: {message}", message=error.message)) from None
    again = close(table, match.checkpoint, entry, partial(Reader, given=entry.ops))
    if again.entry != entry or again.checkpoint.head != closed.checkpoint.head or public != closed.checkpoint.public:
        raise RulesFault(t("they produce something else when they are run again"))
