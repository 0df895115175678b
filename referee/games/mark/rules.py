"""The rules of M.A.R.K.: set-up, the course of a turn, and what a seat may answer.

Play goes on until somebody has a choice: the dice are thrown as soon as there is nothing to decide first, and a roll
with which nothing can be done is passed automatically. But between two throws there is always somebody's answer.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from referee.game import LINK, Ask, Draws, Step, ask_of, refuse
from referee.language import Reason

from .actions import (
    act,
    actions,
    after,
    check_action,
    check_first,
    check_purchase,
    check_second,
    purchase,
    purchases,
)
from .auction import bids, call, check_bid, check_offer, offers
from .lookups import face, is_double, rolled_kinds, storage_cost
from .scratch import Scratch
from .types import (
    KINDS,
    Bid,
    Both,
    Buy,
    Deal,
    Edition,
    Move,
    Name,
    Nothing,
    Offer,
    Player,
    Process,
    Public,
    Roll,
    Row,
    Sell,
    Shift,
    Sight,
    Take,
    Words,
    illegal,
)


def validate(terms: Deal) -> None:
    """Refuse an edition with which no game can be played; the types already limit every number."""
    refuse(terms.edition.name, _faults(terms.edition))


def _faults(e: Edition) -> Iterator[Reason]:
    if any(len(row) > e.pieces for row in e.market):
        yield illegal.fault("row-too-long")


def bags(terms: Deal) -> Mapping[str, Sequence[str]]:
    """Nothing is hidden."""
    return {}


# --- the course of the game ------------------------------------------------------------------------------------------


def setup(terms: Deal, draws: Draws, words: tuple[Words, ...]) -> Step:
    """MK-1 to MK-4: all pieces are in the bank, and the start player is drawn."""
    e = terms.edition
    public = Public(
        market=(Row(),) * len(e.market),
        bank=(e.pieces,) * len(KINDS),
        players=(Player(e.money, (None,) * e.area, (None,) * e.area),) * terms.seats,
        standing=words,
        turn=draws.die(terms.seats) - 1,
    )
    s = Scratch(terms, public, draws)
    s.tell("begins", money=e.money, pieces=e.pieces)
    s.tell("starts", seat=s.turn)
    return _run_on(s)


def apply(terms: Deal, public: Public, pending: tuple[Ask, ...], answers: Mapping[int, Any], draws: Draws) -> Step:
    """Judge the answers, play them, and continue to the next decision or the end."""
    what = pending[0].what
    answered = {ask.seat: answers[ask.seat] for ask in pending if answers[ask.seat] is not None}
    for seat, move in answered.items():
        _judge(terms, public, what, seat, move)
    s = Scratch(terms, public, draws)
    if what == "offer":
        offers(s, answered)
    elif what == "bid":
        bids(s, [ask.seat for ask in pending], answered)
    else:
        _play(s, answered.get(s.turn, MISSED.get(what, Nothing())), first=what == "act")
    return _run_on(s)


def _play(s: Scratch, move: Move, *, first: bool) -> None:
    """Play what the player whose turn it is decided."""
    match move:
        case Roll():
            _roll(s)
        case Name(kind):
            s.tell("names", seat=s.turn, kind=kind)
            call(s, kind)
        case Buy() | Shift():
            purchase(s, move)
            _next_turn(s)
        case Take() | Process() | Sell():
            act(s, move)
            _after_action(s, again=first and is_double(s.dice))
        case Both(one, other):
            act(s, one)
            check_second(s, other)
            if s.result is None:
                _play(s, other, first=False)
        case _:
            s.tell("rests", seat=s.turn)
            _next_turn(s)


def _run_on(s: Scratch) -> Step:
    """Begin turns, or extra turns of the same player, until somebody must decide or the game is over."""
    while not s.pending and s.result is None:
        s.dice = ()
        choice = next(purchases(s.terms, s), None) is not None
        if choice and (s.thrown or s.standing[s.turn].roll == "ask"):
            s.ask([s.turn], "turn")
        elif s.thrown:
            # MK-23: nobody may foresee a chain of throws, so the next one waits for a fresh link.
            s.ask([s.turn], LINK)
        else:
            _roll(s)
    return s.close()


def _roll(s: Scratch) -> None:
    """MK-6 to MK-8: a hammer brings an auction, anything else actions, if any are possible."""
    first = face(s.draws.die(len(KINDS) + 1), "hammer")
    second = face(s.draws.die(len(KINDS) + 1), "star")
    s.dice, s.thrown = (first, second), True
    s.tell("rolls", seat=s.turn, first=first, second=second)
    if first != "hammer":
        _ask_action(s, "act")
    elif second == "star":
        s.ask([s.turn], "name")
    else:
        (kind,) = rolled_kinds((second,))
        call(s, kind)


def _ask_action(s: Scratch, what: str) -> None:
    """A roll with which nothing (more) can be done counts as a pass (MK-6)."""
    if next(actions(s, rolled_kinds(s.dice)), None):
        s.ask([s.turn], what)
    else:
        s.tell("stuck again" if what == "again" else "stuck", seat=s.turn)
        _next_turn(s)


def _after_action(s: Scratch, *, again: bool) -> None:
    """MK-7: the first action of a double is followed by the second, unless the game is over."""
    if s.result is not None:
        return
    if again:
        _ask_action(s, "again")
    else:
        _next_turn(s)


def _next_turn(s: Scratch) -> None:
    """MK-5, MK-11: the next player pays storage, unless nothing has been sold for too long."""
    if s.idle >= s.terms.edition.idle_rounds * s.terms.seats:
        s.tell("idle", rounds=s.terms.edition.idle_rounds)
        s.finish()
        return
    s.turn, s.idle = (s.turn + 1) % s.terms.seats, s.idle + 1
    cost = storage_cost(s.terms, s.me)
    if cost:
        s.earn(s.turn, -cost)
        s.tell("stores", seat=s.turn, price=cost)


# --- what a seat may answer ------------------------------------------------------------------------------------------

ANSWERS: dict[str, tuple[tuple[type, ...], str]] = {
    "turn": ((Roll, Buy, Shift), "MK-6"),
    "act": ((Take, Process, Sell, Nothing, Both), "MK-6"),
    "again": ((Take, Process, Sell, Nothing), "MK-7"),
    "name": ((Name,), "MK-8"),
    "offer": ((Offer,), "MK-14"),
    "bid": ((Bid,), "MK-10"),
    LINK: ((), "MK-23"),
}
"""What is asked -> the moves that answer it, and the clause."""


MISSED: dict[str, Move] = {"turn": Roll(), LINK: Roll(), "name": Name(KINDS[0])}
"""MK-18: what is played for a seat that missed its deadline; asked for anything else, it does nothing. An answer that
is only a link has no move either, and its sender was going to roll."""


def check(terms: Deal, seen: Sight, move: Move) -> None:
    """Everything is open, so every rule can be checked before the move is sent."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is None:
        raise illegal("MK-4", "not-asked")
    _judge(terms, seen.public, ask.what, seen.seat, move)
    if isinstance(move, Both):
        check_second(after(terms, seen.public, move.first), move.second)


def _judge(terms: Deal, public: Public, what: str, seat: int, move: Move) -> None:
    """Raise `IllegalMove` unless this answers the question. Sealed fields are judged when they are
    shown; until then they have their defaults, no offer and a pass, which are always legal. The second action of a
    double is judged when it is carried out."""
    moves, clause = ANSWERS[what]
    if type(move) not in moves:
        raise illegal(clause, "no-answer", asked=what)
    judge = JUDGES.get(type(move))
    if judge:
        judge(terms, public, seat, move)


JUDGES: dict[type, Callable[[Deal, Public, int, Any], None]] = {
    **dict.fromkeys((Buy, Shift), lambda t, p, seat, move: check_purchase(t, p, move)),
    **dict.fromkeys((Take, Process, Sell), lambda t, p, seat, move: check_action(p, move)),
    Both: lambda t, p, seat, move: check_first(p, move),
    Offer: lambda t, p, seat, move: check_offer(p, seat, move),
    Bid: check_bid,
}
"""How the moves are judged that are not always legal when they are asked for."""
