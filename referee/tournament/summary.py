"""All numbers of a tournament as one document: per game, and for all games together."""

import csv
import io
from collections.abc import Iterable, Sequence

import msgspec

from referee.tournament import sprt
from referee.tournament.counts import Counts, Lengths, Meeting, Seat, Seats, Status, balanced
from referee.tournament.outcome import Outcome, groups
from referee.tournament.rating import LEVEL, REPETITIONS, Ratings, Sample, rate


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of one game, or of all together. Entrants are indexes into the list of names."""

    games: int
    void: int
    groups: int
    ratings: Ratings
    meetings: tuple[Meeting, ...]
    """The crosstable: every pair that met, lower index first."""
    verdicts: tuple[sprt.Decision, ...]
    """The sequential tests of the same pairs, in the order of the schedule."""
    seated: tuple[tuple[int, ...], ...]
    """Per entrant: how often it sat at each seat."""
    balanced: bool
    """Every entrant sat at every seat equally often."""
    seats: tuple[Seat, ...]
    lengths: Lengths | None
    ends: dict[str, int]
    statuses: tuple[Status, ...]


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the arbiter decided about a game."""

    number: int
    ranks: tuple[int, ...]
    """A rank for every seat, which replaces that of the game; empty: those of the game stay."""
    verdict: str


class Results(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All numbers, and the parameters that they were computed with."""

    name: str
    entrants: tuple[str, ...]
    withdrawn: tuple[str, ...]
    """Their games are not counted."""
    rulings: tuple[Ruling, ...]
    unconfined: bool
    """Bots ran without the sandbox in some stage."""
    limits: tuple[str, ...]
    """What enforced the limits of bots in the sandbox: `group`, `watch`."""
    seed: int
    repetitions: int
    level: float
    bounds: sprt.Bounds
    total: Section
    games: dict[str, Section]


class Sums:
    """Collects the numbers of a section."""

    def __init__(self, bounds: sprt.Bounds) -> None:
        self.sample, self.counts, self.seats, self.tests = Sample(), Counts(), Seats(), sprt.Tests(bounds)

    def add(self, group: Sequence[Outcome]) -> None:
        """Add a group, the next in the schedule."""
        for outcome in group:
            self.counts.add(outcome)
        if decided := [outcome for outcome in group if outcome.ranks]:
            self.sample.add(decided)
            self.seats.add(decided)
            self.tests.add(decided)

    def section(self, entrants: int, seed: int, repetitions: int, level: float) -> Section:
        """The finished section."""
        counts = self.counts
        seated = counts.seatings(entrants)
        return Section(
            games=counts.games,
            void=counts.void,
            groups=self.sample.dealt,
            ratings=rate(self.sample, seed, repetitions, level),
            meetings=counts.meetings(),
            verdicts=tuple(sprt.verdict(*found) for found in sorted(self.tests.walks.items())),
            seated=seated,
            balanced=balanced(seated),
            seats=self.seats.all(),
            lengths=counts.lengths(),
            ends=dict(sorted(counts.ends.items())),
            statuses=counts.statuses(entrants),
        )


def summarise(
    outcomes: Iterable[Outcome],
    entrants: Sequence[str],
    *,
    name: str = "",
    withdrawn: Sequence[str] = (),
    rulings: Sequence[Ruling] = (),
    unconfined: bool = False,
    limits: Sequence[str] = (),
    bounds: sprt.Bounds = sprt.USUAL,
    seed: int = 0,
    repetitions: int = REPETITIONS,
    level: float = LEVEL,
) -> Results:
    """All numbers, in one pass over games in the order of the schedule. Memory does not grow with their number."""
    total, games = Sums(bounds), dict[str, Sums]()
    for group in groups(outcomes):
        total.add(group)
        games.setdefault(group[0].game, Sums(bounds)).add(group)
    many = len(entrants)
    sections = {key: games[key].section(many, seed, repetitions, level) for key in sorted(games)}
    # With only one kind of game, its section is that of all games.
    whole = next(iter(sections.values())) if len(sections) == 1 else total.section(many, seed, repetitions, level)
    return Results(
        name, tuple(entrants), tuple(withdrawn), tuple(rulings), unconfined, tuple(limits), seed, repetitions, level,
        bounds, whole, sections,
    )  # fmt: skip


def as_json(results: Results) -> bytes:
    """`results.json`"""
    return msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n"


def as_csv(results: Results) -> bytes:
    """`results.csv`: a row for each entrant, per game and for all games (`*`)."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["game", "place", "entrant", "games", "rating", "low", "high", "points", "of", "faults"])
    for game, section in (("*", results.total), *results.games.items()):
        points, of = taken(section, len(results.entrants))
        faults = {status.entrant: sum(status.faults.values()) for status in section.statuses}
        for place, row in enumerate(section.ratings.rows, 1):
            at = row.entrant
            said = [game, place, results.entrants[at], row.games, row.elo, row.low, row.high]
            rows.writerow([*said, points[at], of[at], faults[at]])
    return text.getvalue().encode()


def taken(section: Section, entrants: int) -> tuple[list[float], list[int]]:
    """Per entrant: its points against all others, and how many there were."""
    points, of = [0.0] * entrants, [0] * entrants
    for met in section.meetings:
        points[met.first] += met.points
        points[met.second] += met.of - met.points
        of[met.first] += met.of
        of[met.second] += met.of
    return points, of
