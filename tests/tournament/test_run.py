"""Running: any number of workers, killed, resumed, added to, withdrawn from: the same bytes, and all of it checks."""

import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from referee.crypto.codec import encode
from referee.errors import RefereeError, Usage, WrongTurn
from referee.tournament import documents as d
from referee.tournament import store
from referee.tournament.run import play_stage
from referee.tournament.spec import GameLine, count_games, read_spec
from referee.tournament.stage import load
from referee.tournament.work import Processes, WorkerLost, Workers, each
from tests.cli.world import environment
from tests.io.test_crash import Saboteur
from tests.tournament import world

REFEREE = str(Path(sys.executable).with_name("referee"))
TWO = (GameLine("auction", 3), GameLine("auction", 2, name="small"))


@pytest.fixture(scope="module")
def two_processes() -> Iterator[Processes]:
    """They cost more to start than a small tournament costs to play."""
    workers = Processes(2)
    yield workers
    workers.close()


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["round-robin", "gauntlet", "swiss", "knockout"])
def test_every_kind_is_the_same_with_two_processes(tmp_path: Path, two_processes: Processes, kind: str) -> None:
    schedule = d.Schedule(kind, games=8, rounds=2, champion="first")
    world.make(tmp_path / "one", TWO, schedule)
    desk = world.make(tmp_path / "two", TWO, schedule, workers=two_processes)
    assert world.tree(tmp_path / "one") == world.tree(tmp_path / "two")
    assert world.codes(tmp_path / "one") == []
    part = desk.part
    assert part.ending is not None
    seats = [one.seats for one in part.stage.games]
    assert part.ending.games == count_games(schedule, seats, [one.name for _, one in part.players])


@pytest.mark.thorough
def test_whatever_a_crash_leaves_behind_is_cut_off(tmp_path: Path) -> None:
    """Every kind of tail: bytes of a document, of a line, of a transcript; each file shorter than the others say."""
    world.make(tmp_path / "whole", (GameLine("auction", 2),), d.Schedule("round-robin", games=6))
    whole = world.tree(tmp_path / "whole")
    chance = random.Random(1)
    ledger = whole["ledger.jsonl"].splitlines(keepends=True)
    lines = [encode(one) + b"\n" for one in world.games_of(tmp_path / "whole")]
    for turn in range(8):
        folder = Path(shutil.copytree(tmp_path / "whole", tmp_path / f"cut{turn}"))
        # The pack is complete before its line is written, and the spool is removed after that.
        kept = len(ledger) - 1 - turn % 2
        half = ledger[kept][: chance.randrange(len(ledger[kept]))]
        (folder / "ledger.jsonl").write_bytes(b"".join(ledger[:kept]) + half)
        if kept == len(ledger) - 2:
            spool = b"".join(lines)
            (folder / "games/000000.open.jsonl").write_bytes(spool[: chance.randrange(len(spool) + 1)])
            if turn % 4 == 1:
                (folder / "games/000000.jsonl.gz").unlink()
        elif turn % 4 == 0:
            (folder / "games/000000.open.jsonl").write_bytes(b"".join(lines))
        world.finish(world.desk_in(folder))
        assert world.tree(folder) == whole, turn


def test_packs_have_whole_groups_and_any_run_cuts_them_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records hold what was sealed, so half a group would show hands that are still to be played."""
    monkeypatch.setattr(store, "PER_PACK", 7)
    desk = world.make(tmp_path / "cup", TWO, d.Schedule("round-robin", games=24))
    groups, whole = [one.outcome.group for one in world.games_of(tmp_path / "cup")], world.tree(tmp_path / "cup")
    at, sizes = 0, [pack.count for pack in desk.part.packs]
    for size in sizes[:-1]:
        at += size
        assert groups[at - 1] != groups[at]
        following = sum(group == groups[at] for group in groups)
        assert size <= 7 < size + following
    assert (sum(sizes), max(sizes) <= 7) == (len(groups), True)
    assert world.codes(tmp_path / "cup", world.line(tmp_path / "cup")) == []

    class Stopped(Exception):
        pass

    for stop in range(1, len(groups), 4):
        folder = tmp_path / f"stopped {stop}"
        shutil.copytree(tmp_path / "cup", folder)
        shutil.rmtree(folder / "games")
        lines = (folder / "ledger.jsonl").read_bytes().splitlines(keepends=True)
        started = next(number for number, line in enumerate(lines) if b'/start"' in line[-40:])
        (folder / "ledger.jsonl").write_bytes(b"".join(lines[: started + 1]))

        def tell(done: int, tally: object, stop: int = stop) -> None:
            if done >= stop:
                raise Stopped

        with pytest.raises(Stopped):
            play_stage(world.desk_in(folder), Workers(), tell, unconfined=True)
        world.finish(world.desk_in(folder))
        assert world.tree(folder) == whole


@pytest.mark.thorough
def test_a_second_stage_and_a_withdrawal(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    desk = world.make(folder)
    before = world.tree(folder)
    with pytest.raises(RefereeError, match="games that were already played"):
        desk.withdraw("first", 0, "")
    world.make(folder, (GameLine("auction", 2, name="more"),), d.Schedule("swiss", rounds=2))
    after = world.tree(folder)
    for name in ("ledger.jsonl", "games/000000.jsonl.gz"):
        assert after[name].startswith(before[name]), name
    assert len(after["ledger.jsonl"]) > len(before["ledger.jsonl"])
    assert "games/000001.jsonl.gz" in after
    assert world.codes(folder, again=3) == []
    desk = world.desk_in(folder)
    desk.withdraw("last", desk.part.ending.numbers, "it talked to others")
    world.write_results(str(folder), desk.ledger)
    assert world.codes(folder) == []
    found = load(str(folder))
    gone = found.names.index("last")
    assert any(gone in line.outcome.entrants for line in world.games_of(folder)), "its games stay"
    with pytest.raises(WrongTurn, match="already"):
        desk.withdraw("last", 100, "")
    with pytest.raises(Usage, match="no bot"):
        desk.withdraw("nobody", 100, "")
    with pytest.raises(RefereeError, match="was withdrawn"):
        world.make(folder, (GameLine("auction", 2, name="again"),))


def test_a_withdrawal_in_the_middle_skips_games_not_played_yet(tmp_path: Path) -> None:
    whole = world.make(tmp_path / "whole")
    folder = tmp_path / "cup"
    desk = world.desk_in(folder)
    stage = whole.part.stage
    desk.commit(stage.name, stage.games, stage.schedule, stage.limits, bytes.fromhex(stage.nonce))
    world.enter(desk)
    desk.close()
    desk.start(unconfined=True)
    desk.withdraw("first", 5, "")
    world.finish(desk)
    assert world.codes(folder, again=2) == []
    out = desk.ledger.names.index("first")
    every = world.games_of(tmp_path / "whole")
    kept = world.games_of(folder)
    wanted = [one.answers for one in every if one.outcome.number < 5 or out not in one.outcome.entrants]
    assert [one.answers for one in kept] == wanted
    assert len(wanted) < len(every)


@pytest.mark.parametrize("fallback", ["random", "miss", "resign"])
def test_a_failing_bot_is_reported_and_the_game_goes_on(tmp_path: Path, fallback: str) -> None:
    desk = world.desk_in(tmp_path)
    game = world.played(GameLine("auction", 2))
    limits = msgspec.structs.replace(world.USUAL_LIMITS, fallback=fallback)
    desk.commit("Trial", (game,), d.Schedule("round-robin"), limits, bytes(32))
    world.enter(desk, ("sensible", "tests.tournament.bots:wrong"))
    desk.close()
    desk.start(unconfined=True)
    world.finish(desk)
    assert world.codes(tmp_path, again=2) == []
    lines = world.games_of(tmp_path)
    assert len(lines) == 2
    for one in lines:
        bad = one.outcome.entrants.index(1)
        assert one.outcome.faults[bad] == "crash"
        assert one.outcome.faults[1 - bad] == ""
        (lapse,) = one.lapses
        assert (lapse.seat, lapse.kind) == (bad, "crash")
        assert "ValueError: no idea" in lapse.lines[-1]
        assert one.outcome.end == ("left" if fallback == "resign" else "result")


# --- workers ----------------------------------------------------------------------------------------------------------


def double(shared: bytes, batch: list[int]) -> list[int]:
    return [2 * number + len(shared) for number in batch]


def once_deadly(shared: bytes, batch: list[int]) -> list[int]:
    """The first worker to reach the middle dies."""
    mark = Path(shared.decode())
    if 20 in batch and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return [number * number for number in batch]


def always_deadly(shared: bytes, batch: list[int]) -> list[int]:
    os.kill(os.getpid(), signal.SIGKILL)
    return batch


@pytest.mark.parametrize("count", [0, 1, 7, 300])
def test_results_come_in_the_order_of_the_work(two_processes: Processes, count: int) -> None:
    for one in (Workers(), two_processes):
        found = [number for batch in each(one, double, b"xy", range(count)) for _, number in batch]
        assert found == [2 * number + 2 for number in range(count)]


def test_a_worker_that_dies_loses_nothing(tmp_path: Path) -> None:
    workers = Processes(2)
    mark = str(tmp_path / "mark").encode()
    found = [number for batch in each(workers, once_deadly, mark, range(50)) for _, number in batch]
    workers.close()
    assert found == [number * number for number in range(50)]
    assert (tmp_path / "mark").exists()


def test_a_batch_that_kills_its_workers_stops_the_run() -> None:
    workers = Processes(2)
    with pytest.raises(WorkerLost):
        list(each(workers, always_deadly, b"", range(3)))
    workers.close()


def test_work_is_taken_only_as_it_is_done() -> None:
    """Memory does not grow with the work: only a few batches are ahead."""
    taken, done, ahead = 0, 0, []

    def source():
        nonlocal taken
        for number in range(5000):
            taken += 1
            yield number

    for batch in each(Workers(), double, b"", source()):
        done += len(batch)
        ahead.append(taken - done)
    assert done == 5000
    assert max(ahead) <= 500 * 3


# --- the command ------------------------------------------------------------------------------------------------------

SPEC = """
name = "Killed"
[[games]]
game = "schwarzer-freitag"
seats = 2
[[bots]]
name = "sensible"
[[bots]]
name = "sensible-too"
run = "sensible"
[[bots]]
name = "mine"
run = "mybot:decide"
[schedule]
games = 14
"""
MINE = """
def decide(terms, seen, below):
    from referee.games.schwarzer_freitag import GAME
    return GAME.bots["sensible"](terms, seen, below)
"""


def prepare(folder: Path) -> Path:
    folder.mkdir()
    (folder / "cup.toml").write_text(SPEC)
    (folder / "mybot.py").write_text(MINE)
    return folder


@pytest.mark.thorough
def test_killed_at_any_call_and_started_again_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    whole, torn = prepare(tmp_path / "whole"), prepare(tmp_path / "torn")
    saboteur, words = Saboteur(), ["tournament", "run", "cup.toml", "-o", "cup", "--seed", "x", "--unconfined"]
    status, out, err, _ = saboteur.run(whole, words)
    assert (status, "sensible" in out) == (0, True), err
    # Later and later, until it comes to its end; each time it goes on with what is there.
    kept = Counter[int]()
    for at in itertools.count(1):
        status, out, err, _ = saboteur.run(torn, [*words, "--jobs", "2" if at % 5 == 0 else "1"], at=at)
        if status == 0:
            break
        assert status == -signal.SIGKILL, err
        kept[world.games_there(torn / "cup")] += 1
    assert "sensible" in out, err
    assert {0, 14} < set(kept)
    saboteur.close()
    found = {name: data for name, data in world.tree(torn / "cup").items() if not name.endswith(".tmp")}
    assert found == world.tree(whole / "cup")
    line = subprocess.run(
        [REFEREE, "tournament", "check", "cup", "--line"], cwd=whole, capture_output=True, check=True
    ).stdout
    command = [REFEREE, "tournament", "check", "cup", "--commit", line.decode()]
    command += ["--again", "3", "--yes", "--jobs", "2", "--json"]
    done = subprocess.run(command, cwd=torn, env=environment(torn / "hanna-home"), capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert b'"again":3' in done.stdout
    assert b'"games":14' in done.stdout


BAD = [
    "",
    "name = 1",
    "name = 'x'",
    "nonsense",
    SPEC + "more = 1",
    SPEC.replace("seats = 2", "seats = 9"),
    SPEC.replace("sensible-too", "SENSIBLE"),
    SPEC.replace("schwarzer-freitag", "chess"),
    SPEC.replace('name = "mine"', 'name = "a b"'),
    SPEC.replace("mybot", "no_such_bot"),
    SPEC.replace('run = "sensible"', 'run = "clever"'),
    SPEC + "[limits]\nanswer = -1",
    SPEC + "[limits]\nanswer = 'long'",
]


@pytest.mark.parametrize("bad", BAD)
def test_an_impossible_spec_is_refused_before_anything_is_written(tmp_path: Path, bad: str) -> None:
    from referee.library.tournaments import open_stage

    (tmp_path / "cup.toml").write_text(bad)
    desk = world.desk_in(tmp_path / "cup")
    with pytest.raises(RefereeError):
        open_stage(desk, str(tmp_path / "cup.toml"), "x")
    assert world.tree(tmp_path / "cup") == {}


def test_limits_and_schedule_are_read(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(SPEC + "[limits]\nanswer = 5\nfallback = 'resign'\n")
    spec = read_spec(str(tmp_path / "cup.toml"))
    assert (spec.limits.answer, spec.limits.fallback, spec.limits.bank) == (5, "resign", 30_000)
    assert spec.schedule == d.Schedule("round-robin", games=14)


@pytest.mark.thorough
def test_a_stage_that_is_added_twice_is_added_once(tmp_path: Path) -> None:
    """A run killed after the last game, before the report, is continued with the same command."""
    folder = prepare(tmp_path / "cups")
    spec = folder / "cup.toml"
    env = environment(folder / "home")

    def run(*words: str) -> subprocess.CompletedProcess[bytes]:
        command = [REFEREE, "tournament", *words, "cup.toml", "-o", "cup", "--seed", "x"]
        return subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False)

    spec.write_text(SPEC.replace("games = 14", "games = 2"))
    assert run("run").returncode == 0
    before = world.tree(folder / "cup")
    (folder / "cup/report.html").unlink()
    assert run("run", "--add").returncode == 0
    assert world.tree(folder / "cup") == before
    spec.write_text(spec.read_text().replace('"Killed"', '"Once more"'))
    assert b"other-spec" not in run("run", "--add").stdout
    assert len(load(str(folder / "cup")).parts) == 2
    spec.write_text(spec.read_text().replace("games = 2", "games = 4"))
    assert run("run").returncode == 2
