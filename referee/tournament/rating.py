"""Ratings with intervals: the fit, and its uncertainty.

The uncertainty comes from a Bayesian bootstrap over duplicate groups: in every repetition each group has its own random
weight, Exp(1), and all games are fitted again. Games of one group share their luck, so they share their weight: luck
that cancels within groups makes intervals narrow, and the number of games alone does not.

Two things keep intervals honest when there are few groups. The prior is one drawn *group* of each player against an
average one, and its halves have random weights too, Gamma(1/2), so that even a player who won everything has an
interval. And deviations of the repetitions are stretched by 1 + 3 / (groups that the entrant played in), since few
groups show too little of their spread. `tests/tournament/test_rating.py` measures that the intervals have their stated
coverage.

With more than twice `UNITS` groups, neighbours in the schedule share a weight: equally good, and faster.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import cos, log, pi
from random import Random

import msgspec

from referee.tournament.fit import ELO, Fit, Tally
from referee.tournament.outcome import Outcome

UNITS = 200
REPETITIONS = 1000
LEVEL = 0.95


class Rating(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entrant, in rating points: 0 is the mean of all entrants, 400 points are odds of 10 to 1."""

    entrant: int
    games: int
    elo: float
    low: float
    high: float
    """The interval, at the level that the results state."""


class Ratings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All entrants of some games, best first, and how likely each is stronger than each other."""

    rows: tuple[Rating, ...]
    superiority: tuple[tuple[float, ...], ...]
    """In the order of `rows`: the probability that the entrant of the row is stronger than that of the column."""


class Sample:
    """The games so far, group by group. Its size does not depend on how many there are."""

    def __init__(self) -> None:
        self.units: list[Tally] = []
        """Groups that share a weight; the last unit may be smaller."""
        self.width = 1
        """How many groups a unit has."""
        self.games: Counter[int] = Counter()
        self.groups: Counter[int] = Counter()
        self.played = self.dealt = 0

    def add(self, group: Sequence[Outcome]) -> None:
        """Add a group, the next in the schedule."""
        if self.dealt % self.width == 0:
            self.units.append(Tally())
        self.played += len(group)
        self.dealt += 1
        self.groups.update({entrant for outcome in group for entrant in outcome.entrants})
        for outcome in group:
            self.games.update(set(outcome.entrants))
            self.units[-1].add(outcome)
        if self.dealt == 2 * UNITS * self.width:
            for unit, following in zip(self.units[::2], self.units[1::2], strict=True):
                unit += following
            self.units = self.units[::2]
            self.width *= 2


def rate(sample: Sample, seed: int = 0, repetitions: int = REPETITIONS, level: float = LEVEL) -> Ratings:
    """Ratings from all games of a sample."""
    units = sample.units
    if not units:
        return Ratings((), ())
    half = sample.played / sample.dealt / 2
    fit = Fit(units)
    who = fit.who
    start = fit.strengths([1.0] * len(units), [(half, half)] * len(who), [0.0] * len(who))
    middle = _centred(start)
    drawn = [_centred(each) for each in _repeated(fit, len(units), start, half, seed, repetitions)]
    stretch = [1 + 3 / sample.groups[entrant] for entrant in who]
    order = sorted(range(len(who)), key=lambda place: (-middle[place], place))
    tail = (1 - level) / 2
    rows = tuple(
        Rating(who[at], sample.games[who[at]], *_interval(middle[at], [each[at] for each in drawn], stretch[at], tail))
        for at in order
    )
    better = tuple(tuple(_better(middle, drawn, stretch, one, two) for two in order) for one in order)
    return Ratings(rows, better)


def _repeated(
    fit: Fit, units: int, start: Sequence[float], half: float, seed: int, repetitions: int
) -> Iterator[list[float]]:
    """The strengths with random weights, for every repetition."""
    chance = Random(seed).random  # the one method whose sequence Python guarantees across versions
    for _ in range(repetitions):
        weights = [-log(1 - chance()) for _ in range(units)]
        prior = [(half * 2 * _gamma(chance), half * 2 * _gamma(chance)) for _ in start]
        yield fit.strengths(weights, prior, start)


def _gamma(chance: Callable[[], float]) -> float:
    """A Gamma(1/2) value, half the square of a normal one; never quite 0."""
    return max(1e-6, -log(1 - chance()) * cos(2 * pi * chance()) ** 2)


def _centred(values: Sequence[float]) -> list[float]:
    mean = sum(values) / len(values)
    return [value - mean for value in values]


def _interval(middle: float, drawn: list[float], stretch: float, tail: float) -> tuple[float, float, float]:
    """Middle, low and high, in rating points."""
    drawn.sort()
    low, high = (middle + stretch * (quantile(drawn, share) - middle) for share in (tail, 1 - tail))
    return round(ELO * middle, 1), round(ELO * min(middle, low), 1), round(ELO * max(middle, high), 1)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The quantile of sorted values, interpolated between the two nearest."""
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def _better(
    middle: Sequence[float], drawn: Sequence[Sequence[float]], stretch: Sequence[float], one: int, two: int
) -> float:
    """The share of repetitions in which one is stronger than two; never quite 0 or 1, as their number is finite."""
    if one == two:
        return 0.5
    ahead, wider = middle[one] - middle[two], max(stretch[one], stretch[two])
    above = sum(ahead + wider * (each[one] - each[two] - ahead) > 0 for each in drawn)
    return round((above + 0.5) / (len(drawn) + 1), 4)
