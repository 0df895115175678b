"""What a tournament's games say besides ratings: counted, not estimated."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt

import msgspec

from referee.tournament.outcome import Outcome, groups, points
from referee.tournament.rating import quantile

BARS = 12
"""At most so many bars in a histogram."""


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entrant against another: the points it took, a tie being half, and how many there were."""

    points: float
    of: int


class SeatShare(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How good a seat is, whoever sits there."""

    wins: float
    """Shared between those who tie for it."""
    share: float
    """The mean share of opponents beaten; 1/2 is fair."""
    low: float
    high: float
    """Its 95% interval, with the spread of groups."""


class Lengths(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many rounds games took."""

    fewest: int
    lower: float
    """A quarter of the games is shorter."""
    median: float
    upper: float
    most: int
    start: int
    """Where the first bar begins."""
    step: int
    """How many rounds a bar is wide."""
    bars: tuple[int, ...]


class Faults(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an entrant's bot did wrong: the word -> in how many games it was the first."""

    entrant: int
    seats: int
    """Seats it had, of all games."""
    counts: dict[str, int]


def crosstable(outcomes: Iterable[Outcome], entrants: int) -> tuple[tuple[Cell, ...], ...]:
    """Entrant against entrant; nobody plays against itself."""
    taken = [[0.0] * entrants for _ in range(entrants)]
    there = [[0] * entrants for _ in range(entrants)]
    for outcome in outcomes:
        sat = list(zip(outcome.entrants, outcome.ranks, strict=False))
        for one, mine in sat:
            for two, theirs in sat:
                if one != two:
                    taken[one][two] += 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0
                    there[one][two] += 1
    return tuple(
        tuple(Cell(got, of) for got, of in zip(row, counts, strict=True))
        for row, counts in zip(taken, there, strict=True)
    )


def seatings(outcomes: Iterable[Outcome], entrants: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """How often each entrant sat at each seat."""
    found = [[0] * seats for _ in range(entrants)]
    for outcome in outcomes:
        for seat, entrant in enumerate(outcome.entrants):
            found[entrant][seat] += 1
    return tuple(map(tuple, found))


def balanced(seated: Iterable[Sequence[int]]) -> bool:
    """Every entrant that played sat at every seat equally often."""
    return all(min(row) == max(row) for row in seated)


def seat_shares(outcomes: Sequence[Outcome], seats: int) -> tuple[SeatShare, ...]:
    """How good each seat was, in the games that have it."""
    found = [[outcome for outcome in group if outcome.ranks] for group in groups(outcomes)]
    return tuple(_seat_share([group for group in found if group], seat) for seat in range(seats))


def _seat_share(found: Sequence[Sequence[Outcome]], seat: int) -> SeatShare:
    wins, sums, counts = 0.0, [], []
    for group in found:
        games = [outcome for outcome in group if seat < len(outcome.ranks)]
        wins += sum(1 / outcome.ranks.count(1) for outcome in games if outcome.ranks[seat] == 1)
        sums.append(sum(points(outcome.ranks)[seat] for outcome in games))
        counts.append(len(games))
    total = sum(counts)
    if not total:
        return SeatShare(0.0, 0.5, 0.0, 1.0)
    share = sum(sums) / total
    # The error of a ratio of sums over groups; one group alone tells nothing of its spread.
    spread = sum((got - share * of) ** 2 for got, of in zip(sums, counts, strict=True))
    many = len(found)
    error = 1.96 * sqrt(spread * many / (many - 1)) / total if many > 1 else 1.0
    return SeatShare(
        round(wins, 3), round(share, 4), round(max(0.0, share - error), 4), round(min(1.0, share + error), 4)
    )


def lengths(outcomes: Iterable[Outcome]) -> Lengths | None:
    """How long games took; None without games."""
    rounds = sorted(outcome.rounds for outcome in outcomes)
    if not rounds:
        return None
    low, high = rounds[0], rounds[-1]
    step = -(-(high - low + 1) // BARS)
    bars = Counter((value - low) // step for value in rounds)
    lower, median, upper = (quantile(rounds, share) for share in (0.25, 0.5, 0.75))
    counted = tuple(bars[bar] for bar in range((high - low) // step + 1))
    return Lengths(low, lower, median, upper, high, low, step, counted)


def ends(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """How games ended: the word -> how many, sorted."""
    return dict(sorted(Counter(outcome.end for outcome in outcomes).items()))


def faults(outcomes: Iterable[Outcome], entrants: int) -> tuple[Faults, ...]:
    """What went wrong with each entrant."""
    seats: Counter[int] = Counter()
    counts: list[Counter[str]] = [Counter() for _ in range(entrants)]
    for outcome in outcomes:
        seats.update(outcome.entrants)
        for entrant, word in zip(outcome.entrants, outcome.faults, strict=False):
            if word:
                counts[entrant][word] += 1
    return tuple(Faults(each, seats[each], dict(sorted(counts[each].items()))) for each in range(entrants))
