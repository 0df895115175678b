"""The rules of M.A.R.K.: set-up, the course of a turn, and what a missed deadline plays.

The play runs on until somebody has a choice: dice are thrown as soon as nothing can be decided before them, and a roll
with which nothing can be done passes by itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.errors import IllegalMove, Usage
from referee.game import Draws, Step, ask_of

from .actions import act, actions, check_action, check_purchase, purchase, purchases
from .auction import bids, call, check_bid, check_offer, offers
from .scratch import Scratch
from .tables import face, is_double, rolled_kinds, storage_cost
from .types import (
    KINDS,
    Action,
    Bid,
    Buy,
    Deal,
    Move,
    Name,
    Nothing,
    Offer,
    Player,
    Pos,
    Process,
    Public,
    Roll,
    Row,
    Sell,
    Shift,
    Take,
    View,
)


def validate(terms: Deal) -> None:
    """Refuse an edition that no game can be played with."""
    for fault in _faults(terms):
        raise Usage(f"edition {terms.edition.name[:40]!a}: {fault}", "correct the edition file, or leave it out")


def _faults(terms: Deal) -> Iterator[str]:
    e = terms.edition
    if not 2 <= terms.seats <= 4:
        yield f"{terms.seats} players cannot play, 2 to 4 can"
    if len(e.market) != len(KINDS):
        yield f"the market needs {len(KINDS)} rows"
    if not all(1 <= len(row) <= e.pieces for row in e.market):
        yield "each row of the market needs a field, and not more than there are pieces of a kind"
    if not 1 <= e.full_rows <= len(KINDS):
        yield f"full_rows is from 1 to {len(KINDS)}"
    if not 1 <= e.area <= 9:
        yield "an area has from 1 to 9 fields"
    if not (e.idle_rounds and e.storage_from and e.lowest_bid):
        yield "idle_rounds, storage_from and lowest_bid are 1 or more"
    if max((e.money, *(value for row in e.market for value in row))) > 10**6:
        yield "money and market values are at most a million"


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
    s.log.append(f"everybody has {e.money} Mark, the bank {e.pieces} pieces of each kind")
    return _run_on(s)


def apply(terms: Deal, position: Pos, answers: Mapping[int, Any], draws: Draws) -> Step:
    """Play the answers and run on to the next decision or the end."""
    s = Scratch(terms, position.public, draws)
    what, answer = position.pending[0].what, answers[position.pending[0].seat]
    if what == "offer":
        offers(s, answers)
    elif what == "bid":
        bids(s, answers)
    elif what == "name":
        s.log.append(f"@{s.seat} names {answer.kind}")
        call(s, answer.kind)
    elif what == "turn":
        _take_turn(s, answer)
    else:
        _use_dice(s, answer, again=what == "act" and is_double(s.public.dice))
    return _run_on(s)


def _run_on(s: Scratch) -> Step:
    """Begin turns, or extra turns of the same player, until somebody must decide or the game is over."""
    while not s.pending and s.result is None:
        s.set(dice=())
        if purchases(s.terms, s.public):
            s.ask([s.seat], "turn")
        else:
            _roll(s)
    return s.close()


def _take_turn(s: Scratch, move: Roll | Buy | Shift) -> None:
    if isinstance(move, Roll):
        _roll(s)
    else:
        purchase(s, move)
        _next_turn(s)


def _roll(s: Scratch) -> None:
    """MK-6 to MK-8: a hammer brings an auction, anything else actions if there are any."""
    first = face(s.draws.die(len(KINDS) + 1, "hammer die"), "hammer")
    second = face(s.draws.die(len(KINDS) + 1, "star die"), "star")
    s.set(dice=(first, second))
    s.log.append(f"@{s.seat} rolls {first} and {second}")
    if first != "hammer":
        _ask_action(s, "act")
    elif second == "star":
        s.ask([s.seat], "name")
    else:
        (kind,) = rolled_kinds((second,))
        call(s, kind)


def _ask_action(s: Scratch, what: str) -> None:
    """A roll with which nothing (more) can be done passes (MK-6)."""
    if actions(s.terms, s.public, rolled_kinds(s.public.dice)):
        s.ask([s.seat], what)
    else:
        s.log.append(f"@{s.seat} can do nothing {'more ' if what == 'again' else ''}with it")
        _next_turn(s)


def _use_dice(s: Scratch, move: Action | Nothing, *, again: bool) -> None:
    """MK-6, MK-7: one action; after the first of a double comes the second, unless the game is over."""
    if isinstance(move, Nothing):
        s.log.append(f"@{s.seat} does nothing")
        _next_turn(s)
        return
    act(s, move)
    if s.result is not None:
        return
    if again:
        _ask_action(s, "again")
    else:
        _next_turn(s)


def _next_turn(s: Scratch) -> None:
    """MK-5, MK-11: the next player pays storage, unless nothing was sold for too long."""
    if s.public.idle >= s.terms.edition.idle_rounds * s.terms.seats:
        s.finish(f"nothing was sold in {s.terms.edition.idle_rounds} rounds, the game is over")
        return
    s.set(turn=(s.seat + 1) % s.terms.seats, idle=s.public.idle + 1)
    cost = storage_cost(s.terms, s.me)
    if cost:
        s.earn(s.seat, -cost)
        s.log.append(f"@{s.seat} pays {cost} for storage")


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


def check(terms: Deal, seen: View, move: Move) -> None:
    """All is open, so every rule can be checked before the move is sent."""
    ask, public = ask_of(seen.pending, seen.seat), seen.public
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
        check_offer(public, seen.seat, move)
    elif isinstance(move, Bid):
        check_bid(terms, public, seen.seat, move)


FALLBACKS: dict[str, Move] = {
    "turn": Roll(),
    "act": Nothing(),
    "again": Nothing(),
    "name": Name(KINDS[0]),
    "offer": Offer(None),
    "bid": Bid(0, None),
}


def fallback(terms: Deal, seen: View) -> Move:
    """Roll, and then whatever changes least."""
    ask = ask_of(seen.pending, seen.seat)
    assert ask is not None, "only who is asked can miss a deadline"
    return FALLBACKS[ask.what]
