"""How one game of a tournament ended: all that standings, ratings and tests are computed from."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, groupby

import msgspec


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One finished game. Everything is per seat, in the order of the seats; entrants count from 0."""

    number: int
    """Its place in the schedule: statistics go by it, whenever the game was really played."""
    group: int
    """Its duplicate group: games with the same chance in which the entrants change seats. A game alone is one too, and
    games of different groups share no chance."""
    game: str
    """The id of the game, or a name that tells its variants apart."""
    entrants: tuple[int, ...]
    """Which entrant sat at each seat."""
    ranks: tuple[int, ...]
    """1 is best, ties share; empty if the game was void: it is counted, but decides nothing."""
    scores: tuple[tuple[int, ...], ...] = ()
    rounds: int = 0
    end: str = "result"
    """`result`, `left` (all others left), `void`, or another word of the runner's, as `forfeit`."""
    out: tuple[int, ...] = ()
    """Seats that were out by timeouts at the end; they keep the place that their scores give."""
    faults: tuple[str, ...] = ()
    """Per seat the word for what its bot did wrong first (`illegal`, `timeout`, `crash`, `nonsense`), or empty."""
    seconds: float | None = None
    """How long it took: shown, and part of no other number."""


def groups(outcomes: Iterable[Outcome]) -> Iterator[list[Outcome]]:
    """The duplicate groups of games that come in the order of the schedule."""
    return (list(group) for _, group in groupby(outcomes, key=lambda outcome: outcome.group))


def add_meetings(met: dict[tuple[int, int], tuple[float, int]], outcome: Outcome) -> None:
    """Add a game to what was counted for every two entrants, the lower first: what it took of the points between them,
    and how many these were. A void game has none."""
    sat = sorted(zip(outcome.entrants, outcome.ranks, strict=True)) if outcome.ranks else []
    for (one, mine), (two, theirs) in combinations(sat, 2):
        if one != two:
            had, of = met.get((one, two), (0.0, 0))
            met[one, two] = had + (1.0 if mine < theirs else 0.5 if mine == theirs else 0.0), of + 1


def points(ranks: Sequence[int]) -> tuple[float, ...]:
    """The share of opponents beaten at each seat, a tie counting half: 1 for the only winner, 0 for the only last."""
    others = len(ranks) - 1
    return tuple(
        sum(1.0 if theirs > mine else 0.5 for at, theirs in enumerate(ranks) if at != seat and theirs >= mine) / others
        for seat, mine in enumerate(ranks)
    )
