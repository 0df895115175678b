"""How one game of a tournament ended: standings, ratings and tests are computed from nothing else."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, groupby

import msgspec


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One finished game. Everything is listed per seat, in seat order; entrants count from 0."""

    number: int
    """Its place in the schedule. Statistics use this order, not the order in which games were played."""
    group: int
    """Its duplicate group: games with the same chance in which the entrants change seats. A single game is a group too,
    and games of different groups share no chance."""
    game: str
    """The id of the game, or a name that distinguishes its variants."""
    entrants: tuple[int, ...]
    """Which entrant sat at each seat."""
    ranks: tuple[int, ...]
    """1 is best, ties share a rank. Empty if the game was void: it is counted, but decides nothing."""
    scores: tuple[tuple[int, ...], ...] = ()
    rounds: int = 0
    end: str = "result"
    """`result`, `left` (all others left), `void`, or another word chosen by the organiser, such as `forfeit`."""
    out: tuple[int, ...] = ()
    """Seats that had been dropped for timeouts by the end; they keep the rank that their scores give them."""
    faults: tuple[str, ...] = ()
    """Per seat, the kind of its bot's first fault (`illegal`, `timeout`, `crash`, `nonsense`), or empty."""


def groups(outcomes: Iterable[Outcome]) -> Iterator[list[Outcome]]:
    """The duplicate groups of games that come in the order of the schedule."""
    return (list(group) for _, group in groupby(outcomes, key=lambda outcome: outcome.group))


def add_meetings(met: dict[tuple[int, int], tuple[float, int]], outcome: Outcome) -> None:
    """Add a game to the totals of every pair of entrants, lower number first: the points that the first one took, and
    how many points there were. A void game adds nothing."""
    sat = sorted(zip(outcome.entrants, outcome.ranks, strict=True)) if outcome.ranks else []
    for (one, mine), (two, theirs) in combinations(sat, 2):
        if one != two:
            had, of = met.get((one, two), (0.0, 0))
            met[one, two] = had + (1.0 if mine < theirs else 0.5 if mine == theirs else 0.0), of + 1


@lru_cache(maxsize=4096)
def points(ranks: tuple[int, ...]) -> tuple[Fraction, ...]:
    """The share of opponents beaten at each seat, a tie counting half: 1 for a sole winner, 0 for a sole last."""
    others = len(ranks) - 1
    return tuple(
        Fraction(sum((theirs > mine) + (theirs >= mine) for theirs in ranks) - 1, 2 * others) for mine in ranks
    )
