"""The strong player: it plays every candidate on, with the same dice for all, and takes the one that turns out best."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from referee.forms import drawn
from referee.game import LINK, Ask, Below, Step
from referee.playout import Chance, PlainDraws, add_up, lead

from .bots import TEMPTED, VICTORY, acting, candidates, carried_out, outlook, sensible_move, tempting, worth
from .lookups import rolled_kinds
from .rules import apply
from .types import Bid, Buy, Deal, Move, Nothing, Offer, Public, Roll, Shift, Sight, Words
from .words_list import legal

WORLDS = 8
"""Every candidate is played on in this many worlds; then the better half in as many more, until one is left."""
MOST = 6
"""The most candidates."""
HORIZON = 20
"""The steps, about as many turns, for which every candidate is played on."""
DOUBT = 1.0
"""How many standard errors a candidate must be ahead of what `sensible` would do."""
QUIET = Words("always", "nothing", "nothing")
"""In playouts nobody takes part in auctions: that hardly changes who is ahead, and would cost much time."""
BARE: dict[str, Move] = {"offer": Offer(), "bid": Bid()}
"""What the rules get of sealed answers."""


def strong_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """The candidate that is best on average, by the seat's worth against that of the best rival."""
    first = sensible_move(terms, seen, below)
    _, *left = list(dict.fromkeys((first, *_candidates(terms, seen, below))))[:MOST]
    outcomes: dict[Move, list[float]] = {move: [] for move in (first, *left)}
    while left:
        for _ in range(WORLDS):
            seed = below(2**32)
            for move in (first, *left):
                outcomes[move].append(_outcome(terms, seen, move, _Dice(seed, terms.seats)))
        left = sorted(left, key=lambda move: -add_up(outcomes[move]))
        if len(left) == 1:
            return left[0] if lead(outcomes[left[0]], outcomes[first], DOUBT) > 0 else first
        left = left[: (len(left) + 1) // 2]
    return first


def _candidates(terms: Deal, seen: Sight, below: Below) -> Iterator[Move]:
    """The actions that promise most, and doing nothing; rolling, and what could be bought instead; in auctions an
    example of every line."""
    public = seen.public
    if not public.dice:
        yield Roll()
        yield from tempting(terms, public, TEMPTED)
        return
    if public.dice[:1] != ("hammer",):
        found = sorted(candidates(terms, public, rolled_kinds(public.dice)), key=lambda candidate: -candidate.gain)
        yield from (carried_out(public, candidate) for candidate in found[: MOST - 2])
        yield Nothing()
        return
    yield from filter(None, (drawn(choice, Move, below) for choice in legal(terms, seen)))


class _Dice:
    """Every seat's own dice, which fall alike for all candidates."""

    def __init__(self, seed: int, seats: int) -> None:
        self.of_seats = [Chance(seed * seats + seat) for seat in range(seats)]
        self.thrower = 0

    def below(self, sides: int) -> int:
        return self.of_seats[self.thrower](sides)


def _outcome(terms: Deal, seen: Sight, move: Move, dice: _Dice) -> float:
    """How far ahead the seat is after some rounds."""
    draws, step = PlainDraws({}, dice.below), Step(seen.public, seen.pending)
    answers = {ask.seat: move if ask.seat == seen.seat else _answer(terms, step, ask) for ask in step.pending}
    bought = isinstance(move, Buy | Shift)
    for _ in range(HORIZON):
        # After an action or a purchase the next seat throws, after anything else the same one.
        acted, bought = bought or step.pending[0].what in ("act", "again"), False
        dice.thrower = (step.public.turn + acted) % terms.seats
        step = _next(terms, step, answers, draws)
        if step.result:
            break
        answers = {ask.seat: _answer(terms, step, ask) for ask in step.pending}
    return _lead(terms, step, seen.seat)


def _answer(terms: Deal, step: Step, ask: Ask) -> Any:
    """What every seat does in playouts."""
    if ask.what in ("act", "again"):
        return acting(terms, step.public, first=ask.what == "act")
    if ask.what == "turn":
        return Roll()
    if ask.what == LINK:
        return None
    return sensible_move(terms, Sight(ask.seat, step.public, step.pending, {}), lambda _: 0)


def _next(terms: Deal, step: Step, answers: dict[int, Any], draws: PlainDraws) -> Step:
    """One step; an auction that goes on is played to its end, none begins."""
    what, public = step.pending[0].what, step.public
    draws.next_step(answers)
    if what in BARE:
        answers = dict.fromkeys(answers, BARE[what])
    elif what != "name":
        public = replace(public, standing=(QUIET,) * terms.seats)
    return apply(terms, public, step.pending, answers, draws)


def _lead(terms: Deal, step: Step, seat: int) -> float:
    """The seat's worth, less that of the best rival."""
    public: Public = step.public
    if step.result:
        values = [float(player.money) for player in public.players]
    else:
        look = outlook(terms, public)
        values = [worth(terms, look, player) for player in public.players]
    mine = values.pop(seat)
    ahead = mine - max(values)
    return ahead + (VICTORY if ahead >= 0 else -VICTORY) * bool(step.result)
