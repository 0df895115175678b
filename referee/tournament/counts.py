"""What is counted in a tournament's games, not estimated."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt

import msgspec

from referee.tournament.outcome import Outcome, add_meetings, points
from referee.tournament.rating import quantile

BARS = 12
"""Most bars in a histogram."""


class Meeting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entrant against another: the points of the first, with half for a tie, and how many there were."""

    first: int
    second: int
    points: float
    of: int


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How good a seat is, whoever sits there."""

    wins: float
    """A tied win is shared."""
    share: float
    """The mean share of opponents beaten; 1/2 is fair."""
    low: float
    high: float
    """Its 95% interval, from the spread of groups."""


class Lengths(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many rounds games took."""

    fewest: int
    lower: float
    """A quarter of the games are shorter."""
    median: float
    upper: float
    most: int
    step: int
    """How many rounds a bar covers; the first begins at the fewest."""
    bars: tuple[int, ...]


class Status(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an entrant's bot behaved."""

    entrant: int
    seats: int
    """How many seats it had in all games."""
    faults: dict[str, int]
    """Kind of its first fault in a game -> at how many of these seats."""


class Counts:
    """Everything that is counted, game by game. Its size does not depend on how many there are."""

    def __init__(self) -> None:
        self.games = self.void = 0
        self.met: dict[tuple[int, int], tuple[float, int]] = {}
        self.seated: Counter[tuple[int, int]] = Counter()
        self.rounds: Counter[int] = Counter()
        self.ends: Counter[str] = Counter()
        self.faults: Counter[tuple[int, str]] = Counter()

    def add(self, outcome: Outcome) -> None:
        """Add a game."""
        self.games += 1
        self.void += not outcome.ranks
        add_meetings(self.met, outcome)
        self.seated.update((entrant, seat) for seat, entrant in enumerate(outcome.entrants))
        self.rounds[outcome.rounds] += 1
        self.ends[outcome.end] += 1
        self.faults.update((one, word) for one, word in zip(outcome.entrants, outcome.faults, strict=False) if word)

    def meetings(self) -> tuple[Meeting, ...]:
        """One half of the crosstable."""
        return tuple(Meeting(*pair, *self.met[pair]) for pair in sorted(self.met))

    def seatings(self, entrants: int) -> tuple[tuple[int, ...], ...]:
        """How often each entrant sat at each seat."""
        seats = range(1 + max((seat for _, seat in self.seated), default=-1))
        return tuple(tuple(self.seated[entrant, seat] for seat in seats) for entrant in range(entrants))

    def statuses(self, entrants: int) -> tuple[Status, ...]:
        """How each bot with a seat behaved."""
        faults: list[dict[str, int]] = [{} for _ in range(entrants)]
        for (entrant, word), often in sorted(self.faults.items()):
            faults[entrant][word] = often
        seats = map(sum, self.seatings(entrants))
        return tuple(Status(at, often, faults[at]) for at, often in enumerate(seats) if often)

    def lengths(self) -> Lengths | None:
        """How many rounds games took; None without games."""
        if not self.rounds:
            return None
        low, high = min(self.rounds), max(self.rounds)
        step = -(-(high - low + 1) // BARS)
        bars = [0] * ((high - low) // step + 1)
        for rounds, often in self.rounds.items():
            bars[(rounds - low) // step] += often
        ordered = sorted(self.rounds.elements())
        lower, median, upper = (quantile(ordered, share) for share in (0.25, 0.5, 0.75))
        return Lengths(low, lower, median, upper, high, step, tuple(bars))


def balanced(seated: Iterable[Sequence[int]]) -> bool:
    """Every entrant sat at every seat equally often."""
    return all(min(row) == max(row) for row in seated if row)


class Seats:
    """How good each seat is, group by group."""

    def __init__(self) -> None:
        self.groups = 0
        self.sums: list[list[float]] = []
        """Per seat: wins, points, games; and sums over groups of points squared, points times games, games squared."""

    def add(self, group: Sequence[Outcome]) -> None:
        """Add a group. A game with fewer seats than others does not count for the missing ones."""
        self.groups += 1
        shares = [points(outcome.ranks) for outcome in group]
        for seat in range(max(map(len, shares))):
            taken = [float(share[seat]) for share in shares if seat < len(share)]
            wins = sum(1 / outcome.ranks.count(1) for outcome in group if outcome.ranks[seat : seat + 1] == (1,))
            got, of = sum(taken), len(taken)
            if seat == len(self.sums):
                self.sums.append([0.0] * 6)
            for at, more in enumerate((wins, got, of, got * got, got * of, of * of)):
                self.sums[seat][at] += more

    def all(self) -> tuple[Seat, ...]:
        """Every seat."""
        return tuple(self._seat(*sums) for sums in self.sums)

    def _seat(self, won: float, had: float, games: float, squares: float, products: float, others: float) -> Seat:
        share = had / games
        # The error of a ratio of sums over groups; a single group says nothing about the spread.
        spread = max(0.0, squares - 2 * share * products + share * share * others)
        error = 1.96 * sqrt(spread * self.groups / (self.groups - 1)) / games if self.groups > 1 else 1.0
        low, high = max(0.0, share - error), min(1.0, share + error)
        return Seat(round(won, 3), round(share, 4), round(low, 4), round(high, 4))
