"""The open round, and the one function that closes it: for the host, for every auditor, for the verifier."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

import msgspec

from referee.crypto.codec import BIGGEST, H, encode
from referee.crypto.envelope import ident
from referee.crypto.links import LENGTH
from referee.engine import records as r
from referee.engine.answers import decode_open, read_words
from referee.engine.book import Book, Fault, first_book
from referee.engine.draws import Calls, MakeDraws, Source
from referee.engine.promises import minutes
from referee.engine.seats import check_arrivals, out_seats, rests, settle
from referee.engine.table import Table
from referee.errors import IllegalMove, RulesFault
from referee.game import LINK, AnyTerms, Ask, Game, Note, Result, ranked
from referee.language import t

ACK = "ack"
RESIGN = "resign"
LARGEST = 200_000
"""Most bytes of a position."""
MOST_STEPS = 10_000
"""Most steps that one entry plays for seats that are out."""


class Checkpoint(msgspec.Struct, frozen=True, gc=False):
    """A point of the game between two rounds: the state, the position it hashes, the id of the newest entry."""

    state: r.State
    public: Any
    head: str


class Closed(msgspec.Struct, frozen=True, gc=False):
    """A closed round: its entry, the checkpoint after it, the story, and the draws that were made."""

    entry: r.Entry
    checkpoint: Checkpoint
    log: tuple[Note, ...]
    calls: Calls | None


def first_checkpoint(table: Table) -> Checkpoint:
    """Before round 1: bags are sealed, nothing is dealt, everybody is asked for the ack."""
    book = first_book(table.genesis.leaves, table.bags, table.genesis.hands)
    state = r.State(
        round=0,
        acc=H("acc0", bytes.fromhex(table.id)).hex(),
        book=book,
        links=tuple((0, join.tip) for join in table.joins),
        host_link=(0, table.offer.tip),
        missed=(0,) * table.seats,
        bank=(table.offer.bank,) * table.seats if table.offer.bank else (),
    )
    return Checkpoint(state, None, table.id)


# --- who is asked ----------------------------------------------------------------------------------------------------


def asked(state: r.State) -> dict[int, Ask]:
    """Seat -> what it is asked now; `ack` and `link` ask for a confirmation."""
    if state.end:
        return {}
    if state.round == 0:
        return {seat: Ask(seat, ACK) for seat in range(len(state.missed))}
    out = out_seats(state)
    if len(out) == len(state.missed):
        out = {seat for seat, _ in state.left}
    pending = {ask.seat: ask for ask in state.pending if ask.seat not in out}
    if pending and not state.holding and not state.linking:
        return pending
    questions = {seat: Ask(seat, LINK) for seat in range(len(state.missed)) if seat not in out}
    answered = {held.seat for held in state.held}
    return questions | {seat: ask for seat, ask in pending.items() if seat not in answered}


def may_protest(table: Table, state: r.State, seat: int) -> bool:
    """Whether the last thing that this seat was asked ended in a timeout, and it signs for itself."""
    return state.missed[seat] > 0 and seat not in table.kept


def check_form(table: Table, state: r.State, ask: Ask, answer: "r.Answer | r.Move") -> None:
    """The answer has the form of the question: a bare link, a decision with exactly the sealed fields sealed, or
    (not in round 1) leaving the game. A late seat may also send the bare link, and protest. An encrypted part is named
    if and only if something is sealed. Any answer but the first can hand the seat over, if the offer allows
    takeovers."""
    decides = r.content(answer.answer) != b""
    bare = ask.what in (ACK, LINK)
    if answer.resign:
        fits = state.round > 0 and not decides and not answer.commit and answer.standing is r.NOTHING
    elif decides:
        fits = not bare and sorted(answer.commit) == sorted(ask.sealed)
    else:
        fits = (bare or state.holding) and not answer.commit
    protests = answer.protest and not may_protest(table, state, answer.seat)
    hands = answer.handover and not (table.offer.takeovers and state.round)
    if not fits or protests or hands or bool(answer.box) != bool(answer.commit):
        raise Fault("bad-round", t("the answer of seat {seat} does not fit the question", seat=answer.seat + 1))


def check_due(offer: r.Offer, before: r.State, entry: r.Entry) -> None:
    """The entry states a deadline exactly where there must be one. If it times somebody out, the deadline is late
    enough for the missed one, with its grace, to be over: a host who times out early has to sign a future time.
    Only seats that answered late use time from their banks, and no more than is left."""
    if bool(entry.due) != bool(offer.deadline and not entry.end):
        stray = t("the entry states a deadline where there is none")
        raise Fault("bad-due", stray if entry.due else t("the entry states no deadline"))
    try:
        stated = minutes(entry.due) if entry.due else 0
    except ValueError:
        raise Fault("bad-due", t("the deadline that the entry states is not a valid time")) from None
    if stated and entry.timeouts and before.due:
        bank = max((before.bank[seat] for seat in entry.timeouts if seat < len(before.bank)), default=0)
        if stated < minutes(before.due) + bank + offer.grace + offer.deadline:
            raise Fault("bad-due", t("somebody was timed out before the deadline, with its grace, was over"))
    left = dict(enumerate(before.bank)) if before.round else {}
    answered = {answer.seat for answer in entry.answers}
    seats = [seat for seat, _ in entry.used]
    if seats != sorted(set(seats)) or not answered >= {*seats}:
        raise Fault("bad-due", t("time was used from the bank of a seat that did not answer, or twice"))
    if not all(1 <= spent <= left.get(seat, 0) for seat, spent in entry.used):
        raise Fault("bad-due", t("more time was used from a bank than was left in it"))


# --- closing ---------------------------------------------------------------------------------------------------------


def close(table: Table, checkpoint: Checkpoint, inputs: r.Entry, draws: MakeDraws) -> Closed:
    """Close the open round with what came in: its entry, or the host's draft without a state. Raises `Fault`."""
    state, number = checkpoint.state, checkpoint.state.round + 1
    new = check_round(table, checkpoint, inputs)
    decided = [r.Held(a.seat, number, a.answer, a.commit) for a in inputs.answers if r.content(a.answer)]
    links, used = {answer.seat: answer.link for answer in inputs.answers}, dict(inputs.used)
    parts = (bytes.fromhex(links.get(seat, "")) for seat in range(table.seats))
    acc = H("acc", bytes.fromhex(table.id), number, bytes.fromhex(state.acc), bytes.fromhex(inputs.link), *parts)
    after = msgspec.structs.replace(
        state,
        round=number,
        acc=acc.hex(),
        links=tuple((number, links[seat]) if seat in links else old for seat, old in enumerate(state.links)),
        host_link=(number, inputs.link),
        missed=tuple(0 if seat in links else n + (seat in inputs.timeouts) for seat, n in enumerate(state.missed)),
        left=state.left + tuple((answer.seat, number) for answer in inputs.answers if answer.resign),
        held=tuple(sorted((*state.held, *decided), key=attrgetter("seat"))),
        holding=bool(inputs.timeouts),
        # What was used is gone; a seat that is timed out loses all of it.
        bank=tuple(0 if seat in inputs.timeouts else left - used.get(seat, 0) for seat, left in enumerate(state.bank)),
    )
    play = _Signed(table, _with_standing_orders(table, checkpoint.public, inputs.answers), after)
    if after.left and len(after.left) >= table.seats - 1:
        play.end_left()
    elif not inputs.timeouts:
        play.play(draws, H("seed", bytes.fromhex(table.id), number, acc))
    return play.closed(checkpoint, inputs, new)


def check_round(table: Table, checkpoint: Checkpoint, inputs: r.Entry) -> tuple[r.Succession, ...]:
    """Check that exactly the seats that were asked have answered, each with its next link, and that the entry states
    the right deadline; returns who takes over a seat after the round."""
    state = checkpoint.state
    number, questions = state.round + 1, asked(state)
    given, late = [answer.seat for answer in inputs.answers], list(inputs.timeouts)
    if state.end:
        raise Fault("after-end", t("the game goes on after its end"))
    if given != sorted(set(given)) or late != sorted(set(late)) or sorted(given + late) != sorted(questions):
        raise Fault("bad-round", t("the answers are not those of the seats that were asked"))
    if late and (number == 1 or not table.offer.deadline or (rests(state) and not given)):
        raise Fault(
            "bad-round", t("nobody can be timed out in the first round, while a game rests, or without deadlines")
        )
    for answer in inputs.answers:
        check_form(table, state, questions[answer.seat], answer)
    if inputs.state:  # else it is a draft, and states no deadline yet
        check_due(table.offer, state, inputs)
    for answer in inputs.answers:
        since, last = state.links[answer.seat]
        if table.chains[answer.seat].back(number, bytes.fromhex(answer.link), since).hex() != last:
            raise Fault("bad-link", t("the link of seat {seat} is not the next one of its chain", seat=answer.seat + 1))
    since, last = state.host_link
    if table.host_chain.back(number, bytes.fromhex(inputs.link), since).hex() != last:
        raise Fault("bad-host-link", t("the host's link is not the next one of its chain"))
    if inputs.end:
        _refuse_arrivals(inputs)
    return check_arrivals(table, state, checkpoint.head, inputs.successions, inputs.returns, inputs.due)


def _refuse_arrivals(inputs: r.Entry) -> None:
    """Nobody can take over a seat in a game that ends."""
    if inputs.successions or inputs.returns:
        raise Fault("bad-succession", t("nobody can take over a seat or come back when a game ends"))


def _with_standing_orders(table: Table, public: Any, answers: Sequence[r.Answer]) -> Any:
    """The position with the standing orders of these answers; before the first position, only those orders, by seat."""
    new = {a.seat: read_words(table.game, data) for a in answers if (data := r.content(a.standing))}
    if public is None:
        nothing = table.game.standing.words() if table.game.standing else None
        return tuple(new.get(seat, nothing) for seat in range(table.seats))
    if not new:
        return public
    return msgspec.structs.replace(
        public, standing=tuple(new.get(seat, old) for seat, old in enumerate(public.standing))
    )


class Play:
    """The part of a round that runs the rules: the answers, then whatever only seats that are out would decide. Its
    draws are `Draws` with what this loop needs of `Calls`: `played`, `sealed`, `mixed` and `finish`."""

    def __init__(self, game: Game, terms: AnyTerms, public: Any, state: r.State) -> None:
        self.game, self.terms, self.public, self.state = game, terms, public, state
        self.pending, self.result, self.end, self.log = state.pending, state.result, "", list[Note]()

    def actor(self) -> str:
        """Whose draws these are in a game of common chance: a seat, or the table."""
        return str(self.pending[0].seat) if len(self.pending) == 1 else "table"

    def run(self, draws: Any, moves: Mapping[int, msgspec.Struct]) -> None:
        """Play all that is there to be played."""
        try:
            self._step(draws, moves)
            self._go_on(draws)
            draws.finish()
            self._check_step()
        except (Fault, RulesFault, MemoryError, RecursionError):
            raise
        except IllegalMove as error:
            why = t("an answer that the rules forbid was accepted: {message}", message=error.message)
            raise Fault("rule-broken", why) from None
        except Exception as error:
            raise Fault("rule-broken", t("the rules cannot be applied ({name})", name=type(error).__name__)) from error
        if self.result is not None:
            self.end, self.result = "result", completed(self.result.scores, self.state)

    def _step(self, draws: Any, moves: Mapping[int, msgspec.Struct]) -> None:
        game, first = self.game, self.state.round == 1
        orders = () if game.standing is None else self.public if first else self.public.standing
        if first:
            step = game.start(self.terms, draws, orders)
        else:
            answers = {ask.seat: moves.get(ask.seat) for ask in self.pending}
            step = game.apply(self.terms, self.public, self.pending, answers, draws)
        if game.standing and step.public.standing != orders:
            raise RulesFault(t("the rules changed the players' standing orders"))
        self.public, self.pending, self.result = step.public, step.pending, step.result
        self.log += step.log

    def _go_on(self, draws: Any) -> None:
        """While only seats that are out would be asked, the game goes on without them, until something is sealed: the
        host already knows the seed, so everybody else is asked for a link first."""
        out = out_seats(self.state)
        for _ in range(MOST_STEPS):
            here = {ask.seat for ask in self.pending} - out
            if here or not self.pending or len(out) == self.terms.seats or draws.sealed or draws.mixed:
                return
            draws.played = {}
            self._step(draws, {})
        raise RulesFault(t("the rules go on forever without a player"))

    def _check_step(self) -> None:
        """Check that the rules returned what the contract allows."""
        seats, many = [ask.seat for ask in self.pending], self.terms.seats
        if bool(self.pending) == (self.result is not None):
            raise RulesFault(t("somebody must be asked if, and only if, there is no result"))
        if len(set(seats)) != len(seats) or not set(seats) <= set(range(many)):
            raise RulesFault(t("a seat is asked twice, or does not exist at this table"))
        if any(ask.what in (ACK, RESIGN) for ask in self.pending):
            raise RulesFault(t("`ack` and `resign` are the engine's own words"))
        if self.result is not None:
            _check_result(self.result, many)

    def end_left(self) -> None:
        """One seat is left, or none: it is first, the others follow in the reverse order of leaving."""
        gone = dict(self.state.left)
        scores = tuple((gone.get(seat, self.state.round + 1),) for seat in range(self.terms.seats))
        self.pending, self.result, self.end = (), completed(scores, self.state), "left"


class _Signed(Play):
    """The same in a game that is signed: with the draws of an entry, and everything that the next round needs."""

    calls: Calls | None = None

    def __init__(self, table: Table, public: Any, state: r.State) -> None:
        super().__init__(table.game, table.terms, public, state)
        self.table = table

    def play(self, draws: MakeDraws, seed: bytes) -> None:
        """Play the answers that the state holds."""
        table, state = self.table, self.state
        sealed = {ask.seat: ask.sealed for ask in self.pending}
        held = {one.seat: one for one in state.held}
        book = Book(state.book, table.genesis.hands, table.seats)
        actor = self.actor() if table.offer.chance else ""
        calls = draws(Source(table.game, table.id, table.seating, book, seed, held, actor, state.drawn))
        moves = {seat: decode_open(table.game, r.content(one.answer), sealed[seat]) for seat, one in held.items()}
        self.run(calls, moves)
        made = book.record() if calls.ops else state.book
        self.state, self.calls = msgspec.structs.replace(state, held=(), book=made, drawn=calls.drawn), calls

    def _make_room(self, seats: Sequence[int]) -> None:
        """A player who takes over a seat starts without standing orders."""
        rule = self.table.game.standing
        if rule is not None:
            orders = [rule.words() if seat in seats else old for seat, old in enumerate(self.public.standing)]
            self.public = msgspec.structs.replace(self.public, standing=tuple(orders))

    def closed(self, before: Checkpoint, inputs: r.Entry, new: Sequence[r.Succession]) -> Closed:
        """The entry, and the checkpoint after it."""
        table, number = self.table, self.state.round
        if not self.end and number == LENGTH:
            self.end = "void"
        if self.end:
            _refuse_arrivals(inputs)
        if new:
            self._make_room([one.seat for one in new])
        data = encode(self.public) if self.public is not None else b""
        if len(data) > LARGEST:
            raise RulesFault(
                t("the position has {data} bytes; at most {largest} are allowed", data=len(data), largest=LARGEST)
            )
        held = () if self.end else self.state.held
        due = inputs.due if table.offer.deadline and not self.end else ""
        state = msgspec.structs.replace(
            self.state,
            public=table.public_hash(number, data),
            pending=self.pending,
            result=self.result,
            held=held,
            holding=self.state.holding and not self.end,
            end=self.end,
            due=due,
            vacant=(),
            linking=False,
        )
        if not self.end:
            back = [one.seat for one in inputs.returns]
            state = settle(before.state, state, before.head, inputs.answers, inputs.timeouts, new, back, table.keys)
        entry = msgspec.structs.replace(
            inputs,
            game=table.id,
            round=number,
            prev=before.head,
            public=state.public,
            state=H("state", bytes.fromhex(table.id), encode(state)).hex(),
            ops=tuple(self.calls.ops) if self.calls is not None else (),
            ask=self.pending,
            result=self.result,
            end=self.end,
            due=due,
        )
        checkpoint = Checkpoint(state, self.public, ident("entry", encode(entry)))
        return Closed(entry, checkpoint, tuple(self.log), self.calls)


def completed(scores: tuple[tuple[int, ...], ...], state: r.State) -> Result:
    """The result that these scores give: seats that resigned come after all that stayed, the later the better. Seats
    that only missed deadlines keep their place and are named: two false timeouts must not make a leader the last."""
    gone = dict(state.left)
    ranks = ranked([(gone.get(seat, LENGTH + 1), *score) for seat, score in enumerate(scores)]).ranks
    return Result(ranks, scores, tuple(sorted(out_seats(state) - gone.keys())))


def _check_result(result: Result, seats: int) -> None:
    """One score per seat, all of one length, and the ranks that they give."""
    if (
        len(result.scores) != seats
        or len({len(score) for score in result.scores}) != 1
        or result != ranked(result.scores)
    ):
        raise RulesFault(t("a result must have one score per seat, and the ranks that follow from the scores"))
    if any(abs(value) > BIGGEST for score in result.scores for value in score):
        raise RulesFault(t("a score is out of bounds"))
