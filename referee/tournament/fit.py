"""Strengths from ranks: the Plackett-Luce model, fitted to all games at once.

A game chooses its first among all seats, its second among the others, and so on; each time a seat is chosen with a
chance that is proportional to exp(strength) of who sits there. Three things are decided here, and stated:

* **A tie counts as every order of the tied, in equal parts** (of the log-likelihood). For two players that is half a
  win each.
* **The prior is a drawn game of everybody against an average player** (strength 0), or more than one where the caller
  says so. It is weak, and it keeps every strength finite: of who won everything, and of who never met the others.
* Somebody who sits at several seats of one table has one strength there, and is not compared with itself.

The fit is Newton's method on a strictly concave function: one maximum, the same from every start.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, exp, log

import msgspec

from referee.tournament.outcome import Outcome

ELO = 400 / log(10)
"""Rating points in one unit of strength: 400 points are odds of 10 to 1."""
_ENOUGH = 1e-9
_LONGEST = 4.0
_STEPS = 200


class Tally(msgspec.Struct, frozen=True):
    """All that the fit needs to know of some games."""

    chosen: dict[int, float]
    """Entrant -> how often it was chosen from a set in which there was somebody else."""
    sets: dict[tuple[int, ...], float]
    """Those who could be chosen, sorted, one for each seat -> how often."""


@lru_cache(maxsize=4096)
def _stages(ranks: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], float], ...]:
    """The sets of seats from which somebody is chosen, each with its weight."""
    found: dict[tuple[int, ...], float] = {}
    for rank in sorted(set(ranks)):
        tied = [seat for seat, its in enumerate(ranks) if its == rank]
        left = [seat for seat, its in enumerate(ranks) if its >= rank]
        for gone in range(len(tied)):
            for away in combinations(tied, gone):
                seats = tuple(seat for seat in left if seat not in away)
                found[seats] = found.get(seats, 0.0) + 1 / comb(len(tied), gone)
    return tuple(found.items())


def tally(outcomes: Iterable[Outcome]) -> Tally:
    """Games as what was chosen from what."""
    chosen: dict[int, float] = {}
    sets: dict[tuple[int, ...], float] = {}
    for outcome in outcomes:
        for entrant in outcome.entrants if outcome.ranks else ():
            chosen[entrant] = chosen.get(entrant, 0.0) + 1
        for seats, weight in _stages(outcome.ranks):
            among = tuple(sorted(outcome.entrants[seat] for seat in seats))
            if among[0] == among[-1]:
                chosen[among[0]] -= weight
            else:
                sets[among] = sets.get(among, 0.0) + weight
    return Tally(chosen, sets)


def merged(tallies: Sequence[Tally], weights: Sequence[float]) -> Tally:
    """Several tallies as one, each with a weight."""
    chosen: dict[int, float] = {}
    sets: dict[tuple[int, ...], float] = {}
    for each, weight in zip(tallies, weights, strict=True):
        for entrant, count in each.chosen.items():
            chosen[entrant] = chosen.get(entrant, 0.0) + weight * count
        for among, count in each.sets.items():
            sets[among] = sets.get(among, 0.0) + weight * count
    return Tally(chosen, sets)


Prior = Sequence[tuple[float, float]]
"""For each entrant, sorted: how much of a win, and of a loss, against an average player."""


def strengths(found: Tally, prior: float | Prior = 0.5, start: Sequence[float] | None = None) -> dict[int, float]:
    """The strength of every entrant that a tally names; a prior that is a number is the same for all, won and lost."""
    who = sorted(found.chosen)
    at = {entrant: place for place, entrant in enumerate(who)}
    sets = [(tuple(at[entrant] for entrant in among), weight) for among, weight in found.sets.items()]
    drawn = [(prior, prior)] * len(who) if isinstance(prior, float) else prior
    wins = [found.chosen[entrant] + won for entrant, (won, _) in zip(who, drawn, strict=True)]
    games = [won + lost for won, lost in drawn]
    now = list(start or [0.0] * len(who))
    value = _value(now, wins, games, sets)
    for _ in range(_STEPS):
        slope, bend = _derivatives(now, wins, games, sets)
        step = _solve(bend, slope)
        if sum(map(float.__mul__, step, slope)) < _ENOUGH:
            break
        size = min(1.0, _LONGEST / max(map(abs, step)))
        while True:
            tried = [old + size * by for old, by in zip(now, step, strict=True)]
            better = _value(tried, wins, games, sets)
            if better >= value or size < _ENOUGH:
                break
            size /= 2
        now, value = tried, better
    return dict(zip(who, now, strict=True))


Sets = Sequence[tuple[tuple[int, ...], float]]


def _value(now: Sequence[float], wins: Sequence[float], games: Sequence[float], sets: Sets) -> float:
    """The log-likelihood with its prior."""
    odds = [exp(strength) for strength in now]
    total = sum(won * its for won, its in zip(wins, now, strict=True))
    total -= sum(count * log(1 + its) for count, its in zip(games, odds, strict=True))
    return total - sum(weight * log(sum(odds[place] for place in among)) for among, weight in sets)


def _derivatives(
    now: Sequence[float], wins: Sequence[float], games: Sequence[float], sets: Sets
) -> tuple[list[float], list[list[float]]]:
    """The gradient, and minus the matrix of second derivatives (its lower half)."""
    odds = [exp(strength) for strength in now]
    slope, bend = list(wins), [[0.0] * len(now) for _ in now]
    for place, (count, its) in enumerate(zip(games, odds, strict=True)):
        share = its / (1 + its)
        slope[place] -= count * share
        bend[place][place] += count * share * (1 - share)
    for among, weight in sets:
        scale = 1 / sum(odds[place] for place in among)
        shares = [(place, odds[place] * scale) for place in among]
        for place, share in shares:
            part, row = weight * share, bend[place]
            slope[place] -= part
            row[place] += part
            for other, theirs in shares:
                if other <= place:
                    row[other] -= part * theirs
    return slope, bend


def _solve(matrix: Sequence[list[float]], right: Sequence[float]) -> list[float]:
    """Cholesky: the matrix is symmetric and positive definite, because of the prior."""
    size, low = len(right), [row[:] for row in matrix]
    found = list(right)
    for i in range(size):
        row = low[i]
        for j in range(i):
            other = low[j]
            row[j] = (row[j] - sum(row[k] * other[k] for k in range(j))) / other[j]
            found[i] -= row[j] * found[j]
        row[i] = (row[i] - sum(row[k] ** 2 for k in range(i))) ** 0.5
        found[i] /= row[i]
    for i in reversed(range(size)):
        found[i] = (found[i] - sum(low[k][i] * found[k] for k in range(i + 1, size))) / low[i][i]
    return found
