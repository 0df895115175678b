"""Playing until it is decided: the end follows from the games in the order of the schedule, and from nothing else."""

from pathlib import Path
from random import Random

import pytest

from referee.errors import Usage
from referee.tournament.documents import Schedule
from referee.tournament.schedule import Plan, Tally, plans
from referee.tournament.spec import GameLine, Spec, all_played
from referee.tournament.sprt import Deciding, bounds_of
from referee.tournament.stage import load
from referee.tournament.work import make_workers
from tests.tournament import world
from tests.tournament.games import table

SCHEDULE = Schedule("round-robin", games=400, decide=200)


def played(strengths: list[list[float]], struck: dict[int, int] | None = None) -> tuple[list[Plan], Deciding]:
    """All games of a schedule with a game for each list of strengths, at tables of three."""
    deciding, chance = Deciding(bounds_of(SCHEDULE), len(strengths)), Random(1)
    names = [f"p{at}" for at in range(len(strengths[0]))]
    tally, found = Tally(len(names), deciding, struck=struck), []
    for wave in plans(SCHEDULE, [3] * len(strengths), names, bytes(32), tally):
        for plan in list(wave):  # a wave can be planned as a whole before its first game is over
            tally.add(plan, table(plan.number, plan.group, strengths[plan.game], plan.seats, chance))
            found.append(plan)
    return found, deciding


def test_each_game_ends_when_all_its_pairs_are_decided() -> None:
    """The strengths of the first game are far apart, those of the second are not."""
    found, deciding = played([[8.0, 4.0, 0.0, -4.0], [0.5, 0.2, 0.0, -0.1]])
    games = [sum(plan.game == game for plan in found) for game in (0, 1)]
    assert games[0] < games[1] <= 200 + 12
    assert games[0] % 12 == 0  # passes of four tables in three rotations
    ends = deciding.tests[0].walks
    assert {pair: walk.stronger for pair, walk in ends.items()} == {
        (one, two): "first" for one in range(4) for two in range(one + 1, 4)
    }
    # Two meet in two of the four tables of a pass: the last pass was needed.
    assert max(walk.groups for walk in ends.values()) > (games[0] // 12 - 1) * 2


def test_withdrawn_bots_are_not_waited_for() -> None:
    equal = [[6.0, 0.0, 0.0, -6.0]]
    everybody = len(played(equal)[0])
    without = played(equal, {1: 0})[0]
    assert without
    assert all(1 not in plan.seats for plan in without)
    assert len(without) < everybody


def test_a_schedule_without_an_end_is_refused() -> None:
    for schedule in (Schedule("round-robin", decide=100), Schedule("swiss", games=10, decide=100)):
        with pytest.raises(Usage, match="a maximum number of games"):
            all_played(Spec("Cup", [GameLine("auction", 2)], schedule=schedule, limits=world.USUAL_LIMITS))


@pytest.mark.thorough
def test_the_number_of_workers_changes_nothing(tmp_path: Path) -> None:
    """Real games: fewer than the most, the same bytes from one process and from two, and a check finds no fault."""
    schedule = Schedule("round-robin", games=120, decide=600)
    trees = []
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        workers = make_workers(jobs, None)
        try:
            world.make(folder, schedule=schedule, workers=workers)
        finally:
            workers.close()
        trees.append(world.tree(folder))
    assert trees[0] == trees[1]
    assert world.codes(tmp_path / "1") == []
    ending = load(str(tmp_path / "1")).last.ending
    assert ending is not None
    assert 0 < ending.games < 120
    assert len(world.games_of(tmp_path / "1")) == ending.games
