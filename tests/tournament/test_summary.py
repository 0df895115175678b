"""Tables by hand, and the documents made of them."""

import csv
import json
from random import Random

import jsonschema
import msgspec
import pytest

from referee.library.schemas import all_schemas
from referee.tournament.outcome import Outcome, points
from referee.tournament.sprt import Bounds
from referee.tournament.summary import Results, as_csv, as_json, summarise
from tests.tournament.games import table

NAMES = ("Anna", "Bert", "Carla")
GAMES = [
    Outcome(0, 0, "toy", (0, 1, 2), (1, 2, 3), rounds=10),
    Outcome(1, 0, "toy", (1, 2, 0), (1, 1, 3), rounds=12, faults=("", "", "crash")),
    Outcome(2, 0, "toy", (2, 0, 1), (2, 1, 3), rounds=50, end="forfeit", faults=("", "", "timeout")),
    Outcome(3, 1, "duel", (0, 1), (2, 1), rounds=4, faults=("crash", "")),
    Outcome(4, 1, "duel", (1, 0), (), rounds=5, end="void", faults=("", "")),
]


@pytest.fixture(scope="module")
def found() -> Results:
    return summarise(GAMES, NAMES, name="Test", repetitions=50)


def test_points_are_the_share_of_opponents_beaten() -> None:
    assert points((1, 2, 3)) == (1, 0.5, 0)
    assert points((1, 1, 3)) == (0.75, 0.75, 0)
    assert points((2, 1)) == (0, 1)
    assert points((1, 1, 1, 1)) == (0.5,) * 4


def test_crosstable(found: Results) -> None:
    """Anna and Bert: won, lost, won in the toy, lost in the duel; the void game says nothing."""
    toy = {(met.first, met.second): (met.points, met.of) for met in found.games["toy"].meetings}
    assert toy == {(0, 1): (2, 3), (0, 2): (2, 3), (1, 2): (1.5, 3)}
    total = {(met.first, met.second): (met.points, met.of) for met in found.total.meetings}
    assert total[0, 1] == (2, 4)
    assert total[1, 2] == toy[1, 2]


def test_seats(found: Results) -> None:
    """A rotation is balanced; each seat won once, but for the one that was shared."""
    toy = found.games["toy"]
    assert toy.seated == ((1, 1, 1), (1, 1, 1), (1, 1, 1))
    assert toy.balanced
    assert [seat.wins for seat in toy.seats] == [1.5, 1.5, 0]
    assert [seat.share for seat in toy.seats] == pytest.approx(
        [(1 + 0.75 + 0.5) / 3, (0.5 + 0.75 + 1) / 3, 0], abs=1e-4
    )
    duel = found.games["duel"]
    assert duel.seated == ((1, 1), (1, 1), (0, 0))
    assert [seat.share for seat in duel.seats] == [0, 1]
    assert not summarise(GAMES[:2], NAMES, repetitions=2).games["toy"].balanced


def test_the_interval_of_a_seat_is_that_of_groups() -> None:
    """The first seat wins both games of three groups in four, and none of the fourth."""
    games = [Outcome(at, at // 2, "toy", (0, 1), (1, 2) if at // 2 % 4 else (2, 1)) for at in range(160)]
    seat = summarise(games, NAMES, repetitions=2).games["toy"].seats[0]
    error = 1.96 * (0.75 * 0.25 / (80 - 1)) ** 0.5
    assert (seat.share, seat.low, seat.high) == pytest.approx((0.75, 0.75 - error, 0.75 + error), abs=1e-4)


def test_lengths_ends_and_statuses(found: Results) -> None:
    toy = found.games["toy"]
    assert toy.lengths is not None
    assert (toy.lengths.fewest, toy.lengths.median, toy.lengths.most) == (10, 12, 50)
    assert (toy.lengths.lower, toy.lengths.upper) == (11, 31)
    assert toy.lengths.step == 4  # 41 lengths in at most 12 bars
    assert toy.lengths.bars == (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
    assert toy.ends == {"forfeit": 1, "result": 2}
    assert (found.total.games, found.total.void, found.total.groups) == (5, 1, 2)
    assert found.total.ends == {"forfeit": 1, "result": 3, "void": 1}
    statuses = {status.entrant: (status.seats, status.faults) for status in found.total.statuses}
    assert statuses == {0: (5, {"crash": 2}), 1: (5, {"timeout": 1}), 2: (3, {})}


def test_results_fit_their_schema_and_come_back(found: Results) -> None:
    data = as_json(found)
    jsonschema.validate(json.loads(data), json.loads(all_schemas()["tournament.results.schema.json"]))
    assert msgspec.json.decode(data, type=Results) == found
    assert as_json(summarise(iter(GAMES), NAMES, name="Test", repetitions=50)) == data


def test_csv_has_a_row_for_every_entrant_of_every_game(found: Results) -> None:
    rows = list(csv.DictReader(as_csv(found).decode().splitlines()))
    assert sorted((row["game"], row["entrant"]) for row in rows) == sorted(
        [(game, name) for game in ("*", "toy") for name in NAMES] + [("duel", "Anna"), ("duel", "Bert")]
    )
    anna = next(row for row in rows if (row["game"], row["entrant"]) == ("*", "Anna"))
    assert (anna["points"], anna["of"], anna["games"], anna["faults"]) == ("4.0", "7", "4", "2")


def test_no_games_at_all() -> None:
    empty = summarise([], NAMES)
    assert empty.games == {}
    assert empty.total.games == 0
    assert msgspec.json.decode(as_json(empty), type=Results) == empty


def test_verdicts_are_those_of_the_schedule() -> None:
    """The test of a pair ends at its group, whatever is played after it."""
    chance = Random(1)
    games = [table(at, at // 2, [2.0, 0.0], [0, 1] if at % 2 else [1, 0], chance) for at in range(120)]
    bounds = Bounds(elo=200)
    whole = summarise(games, NAMES, bounds=bounds, repetitions=2).total.verdicts[0]
    assert whole.stronger == "first"
    assert whole.groups < 60
    assert summarise(games[: 2 * whole.groups], NAMES, bounds=bounds, repetitions=2).total.verdicts[0] == whole
    before = summarise(games[: 2 * whole.groups - 2], NAMES, bounds=bounds, repetitions=2).total.verdicts[0]
    assert before.stronger == ""
