"""The rules of M.A.R.K.: set-up, the course of a turn, and what a seat may answer.

The play runs on until somebody has a choice: dice are thrown as soon as nothing can be decided before them, and a roll
with which nothing can be done passes by itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.errors import IllegalMove
from referee.game import Ask, Draws, Step, ask_of, refuse

from .actions import act, actions, check_action, check_purchase, purchase, purchases
from .auction import bids, call, check_bid, check_offer, offers
from .scratch import Scratch
from .tables import face, is_double, rolled_kinds, storage_cost
from .types import (
    KINDS,
    Bid,
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
)


def validate(terms: Deal) -> None:
    """Refuse an edition that no game can be played with; the types bound every number already."""
    refuse(terms.edition.name, _faults(terms.edition))


def _faults(e: Edition) -> Iterator[str]:
    if any(len(row) > e.pieces for row in e.market):
        yield "no row of the market has more fields than there are pieces of a kind"


def bags(terms: Deal) -> Mapping[str, Sequence[str]]:
    """Nothing is hidden."""
    return {}


# --- the course of the game ------------------------------------------------------------------------------------------


def setup(terms: Deal, draws: Draws) -> Step:
    """MK-1 to MK-4."""
    e = terms.edition
    public = Public(
        market=(Row(),) * len(e.market),
        bank=(e.pieces,) * len(KINDS),
        players=(Player(e.money, (None,) * e.area, (None,) * e.area),) * terms.seats,
    )
    s = Scratch(terms, public, draws)
    s.tell("begins", money=e.money, pieces=e.pieces)
    return _run_on(s)


def apply(terms: Deal, public: Public, pending: tuple[Ask, ...], answers: Mapping[int, Any], draws: Draws) -> Step:
    """Judge the answers, play them, and run on to the next decision or the end."""
    answered = {ask.seat: answers[ask.seat] for ask in pending if answers[ask.seat] is not None}
    for seat, move in answered.items():
        judge(terms, public, ask_of(pending, seat), move)
    s = Scratch(terms, public, draws)
    what = pending[0].what
    if what == "offer":
        offers(s, answered)
    elif what == "bid":
        bids(s, [ask.seat for ask in pending], answered)
    else:
        _play(s, answered.get(s.seat, MISSED.get(what, Nothing())), first=what == "act")
    return _run_on(s)


def _play(s: Scratch, move: Move, *, first: bool) -> None:
    """What the player whose turn it is decided."""
    match move:
        case Roll():
            _roll(s)
        case Name(kind):
            s.tell("names", seat=s.seat, kind=kind)
            call(s, kind)
        case Buy() | Shift():
            purchase(s, move)
            _next_turn(s)
        case Take() | Process() | Sell():
            act(s, move)
            _after_action(s, again=first and is_double(s.public.dice))
        case _:
            s.tell("rests", seat=s.seat)
            _next_turn(s)


def _run_on(s: Scratch) -> Step:
    """Begin turns, or extra turns of the same player, until somebody must decide or the game is over."""
    while not s.pending and s.result is None:
        s.set(dice=())
        if any(purchases(s.terms, s.public)):
            s.ask([s.seat], "turn")
        else:
            _roll(s)
    return s.close()


def _roll(s: Scratch) -> None:
    """MK-6 to MK-8: a hammer brings an auction, anything else actions if there are any."""
    first = face(s.draws.die(len(KINDS) + 1), "hammer")
    second = face(s.draws.die(len(KINDS) + 1), "star")
    s.set(dice=(first, second))
    s.tell("rolls", seat=s.seat, first=first, second=second)
    if first != "hammer":
        _ask_action(s, "act")
    elif second == "star":
        s.ask([s.seat], "name")
    else:
        (kind,) = rolled_kinds((second,))
        call(s, kind)


def _ask_action(s: Scratch, what: str) -> None:
    """A roll with which nothing (more) can be done passes (MK-6)."""
    if any(actions(s.terms, s.public, rolled_kinds(s.public.dice))):
        s.ask([s.seat], what)
    else:
        s.tell("stuck again" if what == "again" else "stuck", seat=s.seat)
        _next_turn(s)


def _after_action(s: Scratch, *, again: bool) -> None:
    """MK-7: after the first action of a double comes the second, unless the game is over."""
    if s.result is not None:
        return
    if again:
        _ask_action(s, "again")
    else:
        _next_turn(s)


def _next_turn(s: Scratch) -> None:
    """MK-5, MK-11: the next player pays storage, unless nothing was sold for too long."""
    if s.public.idle >= s.terms.edition.idle_rounds * s.terms.seats:
        s.tell("idle", rounds=s.terms.edition.idle_rounds)
        s.finish()
        return
    s.set(turn=(s.seat + 1) % s.terms.seats, idle=s.public.idle + 1)
    cost = storage_cost(s.terms, s.me)
    if cost:
        s.earn(s.seat, -cost)
        s.tell("stores", seat=s.seat, price=cost)


# --- what a seat may answer ------------------------------------------------------------------------------------------

ANSWERS: dict[str, tuple[tuple[type, ...], str, str]] = {
    "turn": ((Roll, Buy, Shift), "MK-6", "roll, buy or move"),
    "act": ((Take, Process, Sell, Nothing), "MK-6", "take, process or sell a piece, or do nothing"),
    "again": ((Take, Process, Sell, Nothing), "MK-7", "take, process or sell another piece, or do nothing"),
    "name": ((Name,), "MK-8", "name the kind to be auctioned"),
    "offer": ((Offer,), "MK-14", "offer a piece, or none"),
    "bid": ((Bid,), "MK-10", "bid, or pass"),
}
"""What is asked -> the moves that answer it, the clause, and the same in words."""


MISSED: dict[str, Move] = {"turn": Roll(), "name": Name(KINDS[0])}
"""MK-18: what is played for a seat that missed its deadline; where nothing stands here it does nothing."""


def check(terms: Deal, seen: Sight, move: Move) -> None:
    """All is open, so every rule can be checked before the move is sent."""
    judge(terms, seen.public, ask_of(seen.pending, seen.seat), move)


def judge(terms: Deal, public: Public, ask: Ask | None, move: Move) -> None:
    """Raise `IllegalMove` unless this answers the question. Sealed fields at their defaults are an offer of none and a
    pass, which are always legal; they are judged when they are shown."""
    if ask is None:
        raise IllegalMove("MK-4", "you are not asked now", "wait until you are asked")
    moves, clause, words = ANSWERS[ask.what]
    if not isinstance(move, moves):
        raise IllegalMove(clause, "that is not what is asked now", words)
    if isinstance(move, Buy | Shift):
        check_purchase(terms, public, move)
    elif isinstance(move, Take | Process | Sell):
        check_action(terms, public, rolled_kinds(public.dice), move)
    elif isinstance(move, Offer):
        check_offer(public, ask.seat, move)
    elif isinstance(move, Bid):
        check_bid(terms, public, ask.seat, move)
