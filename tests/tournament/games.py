"""Made-up games for tests of the numbers: from strengths that are known, with luck of a known kind."""

from collections.abc import Sequence
from math import exp, log
from random import Random

from referee.tournament.outcome import Outcome


def share(elo: float) -> float:
    """How often the player who is stronger by this many points wins, of two."""
    return 1 / (1 + 10 ** (-elo / 400))


def table(number: int, group: int, strengths: Sequence[float], entrants: Sequence[int], chance: Random) -> Outcome:
    """A game that Plackett-Luce plays: each place goes to one of those who are left."""
    left, ranks = list(range(len(entrants))), [0] * len(entrants)
    for rank in range(1, len(entrants) + 1):
        seat = chance.choices(left, [exp(strengths[entrants[seat]]) for seat in left])[0]
        left.remove(seat)
        ranks[seat] = rank
    return Outcome(number, group, "toy", tuple(entrants), tuple(ranks), rounds=number % 7)


def duel(number: int, wins: Sequence[bool]) -> list[Outcome]:
    """A group of games of two in which the seats change; `wins`: whether entrant 0 wins each."""
    found = []
    for at, won in enumerate(wins):
        swapped = at % 2 == 1
        ranks = (1, 2) if won != swapped else (2, 1)
        found.append(Outcome(number * len(wins) + at, number, "toy", (1, 0) if swapped else (0, 1), ranks))
    return found


def luck(kind: str, wins: float, chance: Random) -> list[bool]:
    """Who wins two games of the same deal, each with this probability. `own`: each has its own luck; `sweep`: the first
    decides both; `even`: half of the deals decide, one game for either."""
    if kind == "own":
        return [chance.random() < wins, chance.random() < wins]
    if kind == "even" and chance.random() < 0.5:
        return [True, False]
    won = chance.random() < (wins if kind == "sweep" else 2 * wins - 0.5)
    return [won, won]


def elo(wins: float) -> float:
    """The difference in points that gives this share of wins."""
    return 400 * log(wins / (1 - wins)) / log(10)
