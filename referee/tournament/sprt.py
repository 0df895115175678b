"""Which of two entrants is stronger, in as few games as possible: a sequential probability ratio test (SPRT).

The test advances after every duplicate group in the order of the schedule, so nothing depends on which game finished
first. The observation of a group is one number: the share of points that one entrant takes from the other in all its
games (ties half). Its distribution is left open, as in the pentanomial tests of chess engines, so the variance is that
of groups: luck that cancels within a group leads to an earlier decision.

The hypotheses are mean shares, stated as rating points: 0 against `elo`. The log-likelihood ratio is that of the
likeliest distributions with these two means on the observed values (Van den Bergh's generalised SPRT), with a tenth of
an observation added at 0, 1/2 and 1, so that such distributions exist from the start. Wald's bounds are log(beta / (1 -
alpha)) and log((1 - beta) / alpha).

Two tests run at once, one for each entrant being stronger, with half of alpha each (Sobel and Wald). So one of two
equal entrants is called stronger with probability at most alpha, and a difference of `elo` is missed with probability
at most beta: `tests/tournament/test_sprt.py` measures both.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log, log1p
from typing import Annotated

import msgspec

from referee.tournament.documents import Schedule
from referee.tournament.outcome import Outcome, add_meetings

_START = {0.0: 0.1, 0.5: 0.1, 1.0: 0.1}
_CLOSE = 1e-12


class Bounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The difference to test for, and the allowed error rates."""

    elo: Annotated[float, msgspec.Meta(ge=1, le=1000)] = 100.0
    """A difference that must be found; a smaller one may be missed."""
    alpha: Annotated[float, msgspec.Meta(ge=1e-6, le=0.5)] = 0.05
    """How often, at most, one of two equal entrants is called stronger."""
    beta: Annotated[float, msgspec.Meta(ge=1e-6, le=0.5)] = 0.05
    """How often, at most, a difference of `elo` is missed."""


USUAL = Bounds()


def bounds_of(schedule: Schedule) -> Bounds:
    """The bounds that a schedule states, or the defaults."""
    return Bounds(schedule.decide, schedule.alpha / 1000, schedule.beta / 1000) if schedule.decide else USUAL


class Walk(msgspec.Struct, frozen=True):
    """A test after some groups."""

    counts: Mapping[float, float] = msgspec.field(default_factory=lambda: _START)
    """How often each share was observed."""
    groups: int = 0
    total: float = 0.0
    ratios: tuple[float, float] = (0.0, 0.0)
    """The log-likelihood ratio for the first, and for the second, being stronger; final once below its lower bound."""
    stronger: str = ""
    """`first`, `second`, `neither` (by as much as the bounds say), or empty: not decided yet."""


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a test of two entrants."""

    first: int
    second: int
    stronger: str
    """`first`, `second`, `neither` or empty, as above."""
    groups: int
    """How many of the groups in which they met it took."""
    share: float
    """The first's share of the points between the two, in these groups."""
    ratios: tuple[float, float]


def step(walk: Walk, share: float, bounds: Bounds) -> Walk:
    """Add a group; nothing changes after the decision."""
    if walk.stronger:
        return walk
    counts = {**walk.counts, share: walk.counts.get(share, 0.0) + 1}
    goal = 1 / (1 + 10 ** (-bounds.elo / 400))
    low, high = log(bounds.beta / (1 - bounds.alpha / 2)), log((1 - bounds.beta) / (bounds.alpha / 2))
    level = likelihood(counts, 0.5)
    ratios = tuple(
        was if was <= low else likelihood(counts, mean) - level
        for was, mean in zip(walk.ratios, (goal, 1 - goal), strict=True)
    )
    first, second = ratios
    stronger = "first" if first >= high else "second" if second >= high else ""
    if first <= low and second <= low:
        stronger = "neither"
    return Walk(counts, walk.groups + 1, walk.total + share, (first, second), stronger)


def likelihood(counts: Mapping[float, float], mean: float) -> float:
    """The greatest log-likelihood of these counts under any distribution on their values with this mean, less that of
    the counts' own distribution.

    It gives the value x the probability count(x) / total / (1 + bend * (x - mean)), with the one `bend` that makes this
    a distribution with that mean.
    """
    seen = [(value - mean, count) for value, count in counts.items()]
    ends = -1 / max(away for away, _ in seen), -1 / min(away for away, _ in seen)
    bend, (low, high) = 0.0, ends
    for _ in range(200):
        parts = [(away / (1 + bend * away), count) for away, count in seen]
        slope = sum(count * part for part, count in parts)
        low, high = (bend, high) if slope > 0 else (low, bend)
        # Newton's step, but never nearly as far as where a probability has no bound.
        least, most = (bend + 0.9 * (end - bend) for end in ends)
        tried = min(max(bend + slope / sum(count * part * part for part, count in parts), least), most)
        if not low < tried < high:
            tried = (low + high) / 2
        if abs(tried - bend) < _CLOSE:
            break
        bend = tried
    return -sum(count * log1p(bend * away) for away, count in seen)


def shares(group: Iterable[Outcome]) -> dict[tuple[int, int], float]:
    """For every pair of entrants that met in a group, lower first: the share of points that the first took."""
    met: dict[tuple[int, int], tuple[float, int]] = {}
    for outcome in group:
        add_meetings(met, outcome)
    return {pair: taken / of for pair, (taken, of) in met.items()}


def verdict(pair: tuple[int, int], walk: Walk) -> Decision:
    """The current result of a test."""
    share = round(walk.total / walk.groups, 4) if walk.groups else 0.5
    one, two = walk.ratios
    return Decision(*pair, walk.stronger, walk.groups, share, (round(one, 3), round(two, 3)))


class Tests:
    """The tests of all pairs of entrants, group by group in the order of the schedule."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.walks: dict[tuple[int, int], Walk] = {}

    def add(self, group: Iterable[Outcome]) -> None:
        """Add a group."""
        for pair, share in shares(group).items():
            self.walks[pair] = step(self.walks.get(pair, Walk()), share, self.bounds)


class Deciding:
    """The tests of a stage that is played until it is decided, for each of its games."""

    def __init__(self, bounds: Bounds, games: int) -> None:
        self.tests = [Tests(bounds) for _ in range(games)]
        self.game, self.group = 0, list[Outcome]()
        """The group that is being collected."""

    def add(self, game: int, players: tuple[int, ...], outcome: Outcome) -> None:
        """Add a game."""
        if self.group and self.group[0].group != outcome.group:
            self._close()
        self.game = game
        self.group.append(msgspec.structs.replace(outcome, entrants=players))

    def _close(self) -> None:
        self.tests[self.game].add(self.group)
        self.group = []

    def done(self, game: int, plays: Callable[[Sequence[int]], bool]) -> bool:
        """After a whole group: whether everything is decided between players who can still meet in this game."""
        self._close()
        return all(walk.stronger for pair, walk in self.tests[game].walks.items() if plays(pair))
