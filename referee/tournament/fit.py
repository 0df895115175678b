"""Strengths from ranks: the Plackett-Luce model, fitted to all games at once.

A game chooses its first among all seats, its second among the others, and so on; each time a seat is chosen with a
probability proportional to exp(strength) of its player. Three decisions:

* **A tie counts as every order of the tied players, in equal parts** (of the log-likelihood). For two players that is
  half a win each.
* **The prior is a drawn game of each player against an average one** (strength 0), or several if the caller says so. It
  is weak, and keeps every strength finite, even of players who won everything or never met the others.
* A player with several seats at one table has one strength there, and is not compared with itself.

The fit is Newton's method on a strictly concave function: one maximum, the same from any start.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, exp, log
from operator import add, itemgetter, mul, truediv

from referee.tournament.outcome import Outcome

ELO = 400 / log(10)
"""Rating points in one unit of strength: 400 points are odds of 10 to 1."""
_ENOUGH = 1e-9
_NEAR = 1e-5
"""One step from here is precise enough: each step squares the remaining error."""
_LONGEST = 4.0
_STEPS = 200


class Tally:
    """Everything that the fit needs to know about some games."""

    def __init__(self) -> None:
        self.chosen: dict[int, float] = defaultdict(float)
        """Entrant -> how often it was chosen from a set that contained somebody else."""
        self.sets: dict[tuple[int, ...], float] = defaultdict(float)
        """The candidates, sorted, one for each seat -> how often."""

    def add(self, outcome: Outcome) -> None:
        """Add a game."""
        for entrant in outcome.entrants if outcome.ranks else ():
            self.chosen[entrant] += 1
        for seats, weight in _stages(outcome.ranks):
            among = tuple(sorted(outcome.entrants[seat] for seat in seats))
            if among[0] == among[-1]:
                self.chosen[among[0]] -= weight
            else:
                self.sets[among] += weight

    def __iadd__(self, other: "Tally") -> "Tally":
        for entrant, count in other.chosen.items():
            self.chosen[entrant] += count
        for among, count in other.sets.items():
            self.sets[among] += count
        return self


@lru_cache(maxsize=4096)
def _stages(ranks: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], float], ...]:
    """The sets of seats from which one is chosen, each with its weight."""
    found: dict[tuple[int, ...], float] = defaultdict(float)
    for rank in sorted(set(ranks)):
        tied = [seat for seat, its in enumerate(ranks) if its == rank]
        left = [seat for seat, its in enumerate(ranks) if its >= rank]
        for gone in range(len(tied)):
            for away in combinations(tied, gone):
                seats = tuple(seat for seat in left if seat not in away)
                found[seats] += 1 / comb(len(tied), gone)
    return tuple(found.items())


Prior = Sequence[tuple[float, float]]
"""For each entrant, sorted: the weight of a win, and of a loss, against an average player."""


class Fit:
    """Tallies that can be fitted repeatedly with different weights: the structure of the sums is computed once."""

    def __init__(self, tallies: Sequence[Tally]) -> None:
        self.who = sorted({entrant for each in tallies for entrant in each.chosen})
        """The entrants, in the order of the strengths."""
        at = {entrant: place for place, entrant in enumerate(self.who)}
        chosen: list[_Parts] = [([], []) for _ in self.who]
        sets: dict[tuple[int, ...], _Parts] = {}
        for number, each in enumerate(tallies):
            for entrant, count in each.chosen.items():
                _add(chosen[at[entrant]], number, count)
            for among, count in each.sets.items():
                _add(sets.setdefault(tuple(at[entrant] for entrant in among), ([], [])), number, count)
        self._chosen, self._counts = chosen, list(sets.values())
        self._sets = [itemgetter(*among) for among in sets]
        # The sets in which a place, or two of them, occur: the number of the set, once per occurrence.
        self._of: list[list[int]] = [[] for _ in self.who]
        self._both: list[list[list[int]]] = [[[] for _ in range(place + 1)] for place in range(len(self.who))]
        for number, among in enumerate(sets):
            for place in among:
                self._of[place].append(number)
                for other in among:
                    if other <= place:
                        self._both[place][other].append(number)

    def strengths(self, weights: Sequence[float], prior: Prior, start: Sequence[float]) -> list[float]:
        """The strengths of `who`. The start only affects how long it takes."""
        wins = [_total(parts, weights) + won for parts, (won, _) in zip(self._chosen, prior, strict=True)]
        often = [_total(parts, weights) for parts in self._counts]
        games = [won + lost for won, lost in prior]
        now, (value, odds, sums) = list(start), self._value(start, wins, games, often)
        for _ in range(_STEPS):
            slope, bend = self._derivatives(odds, sums, wins, games, often)
            step = _solve(bend, slope)
            if (left := sum(map(mul, step, slope))) < _NEAR:
                return list(map(add, now, step)) if left >= _ENOUGH else now
            size = min(1.0, _LONGEST / max(map(abs, step)))
            while True:
                tried = [old + size * by for old, by in zip(now, step, strict=True)]
                better, odds, sums = self._value(tried, wins, games, often)
                if better >= value or size < _ENOUGH:
                    break
                size /= 2
            now, value = tried, better
        return now

    def _value(
        self, now: Sequence[float], wins: Sequence[float], games: Sequence[float], often: Sequence[float]
    ) -> tuple[float, list[float], list[float]]:
        """The log-likelihood with its prior, exp of every strength, and the sum of these over each set."""
        odds = list(map(exp, now))
        sums = [sum(among(odds)) for among in self._sets]
        total = sum(map(mul, wins, now)) - sum(count * log(1 + its) for count, its in zip(games, odds, strict=True))
        return total - sum(map(mul, often, map(log, sums))), odds, sums

    def _derivatives(
        self,
        odds: Sequence[float],
        sums: Sequence[float],
        wins: Sequence[float],
        games: Sequence[float],
        often: Sequence[float],
    ) -> tuple[list[float], list[list[float]]]:
        """The gradient, and minus the matrix of second derivatives (its lower half)."""
        once = list(map(truediv, often, sums))
        twice = list(map(truediv, once, sums))
        slope, bend = [], []
        for place, its in enumerate(odds):
            share, won = its / (1 + its), its * sum(map(once.__getitem__, self._of[place]))
            slope.append(wins[place] - games[place] * share - won)
            row = [-its * odds[other] * sum(map(twice.__getitem__, both))
                   for other, both in enumerate(self._both[place])]  # fmt: skip
            row[place] += games[place] * share * (1 - share) + won
            bend.append(row)
        return slope, bend


_Parts = tuple[list[int], list[float]]
"""Numbers of tallies, and how often something occurs in each."""


def _add(parts: _Parts, number: int, count: float) -> None:
    parts[0].append(number)
    parts[1].append(count)


def _total(parts: _Parts, weights: Sequence[float]) -> float:
    return sum(map(mul, map(weights.__getitem__, parts[0]), parts[1]), 0.0)


def _solve(matrix: Sequence[list[float]], right: Sequence[float]) -> list[float]:
    """Cholesky: the matrix is symmetric and positive definite, because of the prior."""
    size, low = len(right), [row[:] for row in matrix]
    found = list(right)
    for i in range(size):
        row = low[i]
        for j in range(i):
            other = low[j]
            row[j] = (row[j] - sum(map(mul, row[:j], other))) / other[j]
            found[i] -= row[j] * found[j]
        row[i] = (row[i] - sum(map(mul, row[:i], row))) ** 0.5
        found[i] /= row[i]
    for i in reversed(range(size)):
        found[i] = (found[i] - sum(low[k][i] * found[k] for k in range(i + 1, size))) / low[i][i]
    return found
