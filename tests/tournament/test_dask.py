"""A real dask cluster of two workers, one of them killed in the middle: the same bytes. And one without a scheduler."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.errors import Usage
from referee.tournament import work
from referee.tournament.work import Cluster, WorkerLost, each
from tests.cli.terminal import Terminal
from tests.cli.world import environment
from tests.support import waiting
from tests.support.ports import own_port
from tests.tournament import world

BIN = Path(sys.executable).parent
SPEC = """
name = "Spread"
[[games]]
game = "schwarzer-freitag"
seats = 2
[[bots]]
name = "sensible"
[[bots]]
name = "sensible-too"
run = "sensible"
[schedule]
games = 12
"""


def start(folder: Path, *words: str) -> "subprocess.Popen[bytes]":
    with (folder / f"{len(os.listdir(folder))}.log").open("wb") as log:
        return subprocess.Popen(
            [BIN / words[0], *words[1:]], cwd=folder, env=environment(folder / "home"), stdout=log, stderr=log
        )


@pytest.fixture
def cluster(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[str, list["subprocess.Popen[bytes]"]]]:
    pytest.importorskip("distributed")
    address = f"tcp://127.0.0.1:{own_port()}"
    quiet = ("--no-dashboard", "--host", "127.0.0.1")
    processes = [start(tmp_path, "dask", "scheduler", *quiet, "--port", address.rpartition(":")[2])]
    for _ in range(request.param):
        one = ("--no-nanny", "--nthreads", "1", "--memory-limit", "0", "--death-timeout", str(waiting.LIMIT))
        processes.append(start(tmp_path, "dask", "worker", address, *quiet, *one))
    try:
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def wait_for(address: str, workers: int) -> None:
    from distributed import Client

    with Client(address, timeout=waiting.LIMIT, set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=waiting.LIMIT)


@pytest.mark.thorough
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("cluster", [2], indirect=True)
def test_a_cluster_that_loses_a_worker_ends_with_the_same_bytes(
    cluster: tuple[str, list["subprocess.Popen[bytes]"]], tmp_path: Path
) -> None:
    address, processes = cluster
    (tmp_path / "cup.toml").write_text(SPEC)
    command = ("referee", "tournament", "run", "cup.toml", "--seed", "x", "-o")
    assert waiting.ended(start(tmp_path, *command, "alone")) == 0
    wait_for(address, 2)
    run = start(tmp_path, *command, "spread", "--dask", address)
    waiting.until(lambda: run.poll() is not None or world.games_there(tmp_path / "spread") >= 3)
    processes[1].kill()
    assert waiting.ended(run) == 0
    assert len(world.games_of(tmp_path / "alone")) == 12
    assert world.tree(tmp_path / "spread") == world.tree(tmp_path / "alone")
    words = ("tournament", "check", "spread", "--again", "2")
    assert waiting.ended(start(tmp_path, "referee", *words, "--dask", address)) == 0


def begin_and_wait(shared: bytes, batch: list[int]) -> list[int]:
    """Signals that it has started, and never finishes: whoever started the worker ends it."""
    os.close(os.open(shared, os.O_WRONLY))
    signal.pause()
    return batch


@pytest.mark.thorough
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("cluster", [1], indirect=True)
def test_a_lost_scheduler_is_reported(cluster: tuple[str, list["subprocess.Popen[bytes]"]], tmp_path: Path) -> None:
    """Before work is handed over, while it is done, and afterwards."""
    address, (scheduler, *_) = cluster
    wait_for(address, 1)
    early, busy, done = (Cluster(address) for _ in range(3))
    assert list(each(done, sum_up, b"", range(1))) == [[(0, 0)]]
    os.mkfifo(tmp_path / "begun")
    job = busy.submit(begin_and_wait, os.fsencode(tmp_path / "begun"), [1])
    os.close(os.open(tmp_path / "begun", os.O_RDONLY))  # waits for the worker that opens the other end
    scheduler.kill()
    scheduler.wait()
    with pytest.raises(WorkerLost, match="scheduler is gone") as lost:
        job()
    assert "again" in str(lost.value.next)
    with pytest.raises(WorkerLost, match="scheduler is gone"):
        list(each(early, sum_up, b"", range(9)))
    for one in (early, busy, done):
        one.close()
        with pytest.raises(WorkerLost, match="scheduler is gone"):
            one.submit(sum_up, b"", [1])


def sum_up(shared: bytes, batch: list[int]) -> list[int]:
    return [sum(batch)]


@pytest.mark.thorough
@pytest.mark.parametrize("cluster", [1], indirect=True)
def test_a_run_that_loses_its_scheduler_says_so_and_keeps_finished_games(
    cluster: tuple[str, list["subprocess.Popen[bytes]"]], tmp_path: Path
) -> None:
    address, (scheduler, *_) = cluster
    (tmp_path / "cup.toml").write_text(SPEC.replace("games = 12", "games = 500"))
    wait_for(address, 1)
    command = ["tournament", "run", "cup.toml", "-o", "cup", "--dask", address]
    person = Terminal(command, cwd=tmp_path, home=tmp_path / "home")
    person.wait_for("/500 games")
    scheduler.kill()
    status, text = person.end()
    assert status == 1, text
    assert "referee: the dask scheduler is gone" in text
    assert "Next: start it, and run the same command again" in text
    for noise in ("Traceback", "internal error", "distributed"):
        assert noise not in text
    assert world.games_there(tmp_path / "cup") > 0
    assert world.codes(tmp_path / "cup") == []


@pytest.mark.filterwarnings("default")
def test_no_scheduler_at_that_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long somebody would wait for one."""
    pytest.importorskip("distributed")
    monkeypatch.setattr(work, "PATIENCE", 1)
    for address in ("tcp://127.0.0.1:1", "nonsense"):
        with pytest.raises(Usage, match="no dask scheduler"):
            Cluster(address)
