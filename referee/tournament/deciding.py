"""Playing until it is decided: which games of a stage still have two of whom nobody knows who is stronger."""

from collections.abc import Callable, Sequence

import msgspec

from referee.tournament import sprt
from referee.tournament.documents import Schedule
from referee.tournament.outcome import Outcome


def bounds_of(schedule: Schedule) -> sprt.Bounds:
    """The bounds that a schedule states, or the usual ones."""
    return sprt.Bounds(schedule.decide, schedule.alpha / 1000, schedule.beta / 1000) if schedule.decide else sprt.USUAL


class Deciding:
    """The test of every two players in every game, group by group in the order of the schedule."""

    def __init__(self, bounds: sprt.Bounds) -> None:
        self.bounds = bounds
        self.walks: dict[tuple[int, int, int], sprt.Walk] = {}
        """Game and two players -> their test."""
        self.game, self.group = 0, list[Outcome]()
        """The last group so far."""

    def add(self, game: int, players: tuple[int, ...], outcome: Outcome) -> None:
        """One game more."""
        if self.group and self.group[0].group != outcome.group:
            self._close()
        self.game = game
        self.group.append(msgspec.structs.replace(outcome, entrants=players))

    def _close(self) -> None:
        for (one, two), share in sprt.shares(outcome for outcome in self.group if outcome.ranks).items():
            pair = self.game, one, two
            self.walks[pair] = sprt.step(self.walks.get(pair, sprt.Walk()), share, self.bounds)
        self.group = []

    def done(self, game: int, plays: Callable[[Sequence[int]], bool]) -> bool:
        """After whole groups: whether all is decided between those who can still meet in this game."""
        self._close()
        return all(walk.stronger for (at, *pair), walk in self.walks.items() if at == game and plays(pair))
