"""A real dask cluster of two workers, one of them killed in the middle: the same bytes."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.errors import Usage
from referee.tournament import store
from referee.tournament.work import Cluster
from tests.cli.world import environment
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


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def start(folder: Path, *words: str) -> "subprocess.Popen[bytes]":
    with (folder / f"{words[0]}-{time.monotonic_ns()}.log").open("wb") as log:
        return subprocess.Popen(
            [BIN / words[0], *words[1:]], cwd=folder, env=environment(folder / "home"), stdout=log, stderr=log
        )


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list["subprocess.Popen[bytes]"]]]:
    pytest.importorskip("distributed")
    address = f"tcp://127.0.0.1:{free_port()}"
    quiet = ("--no-dashboard", "--host", "127.0.0.1")
    processes = [start(tmp_path, "dask", "scheduler", *quiet, "--port", address.rpartition(":")[2])]
    for _ in range(2):
        one = ("--no-nanny", "--nthreads", "1", "--memory-limit", "0", "--death-timeout", "60")
        processes.append(start(tmp_path, "dask", "worker", address, *quiet, *one))
    try:
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def wait_for(address: str, workers: int) -> None:
    from distributed import Client

    with Client(address, timeout=60, set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=60)


@pytest.mark.thorough
@pytest.mark.filterwarnings("default")
def test_a_cluster_that_loses_a_worker_ends_with_the_same_bytes(
    cluster: tuple[str, list["subprocess.Popen[bytes]"]], tmp_path: Path
) -> None:
    address, processes = cluster
    (tmp_path / "cup.toml").write_text(SPEC)
    command = ("referee", "tournament", "run", "cup.toml", "--seed", "x", "-o")
    assert start(tmp_path, *command, "alone").wait(timeout=300) == 0
    wait_for(address, 2)
    run = start(tmp_path, *command, "spread", "--dask", address)
    while len(list(store.lines(str(tmp_path / "spread")))) < 3:
        assert run.poll() is None
        time.sleep(0.05)
    processes[1].kill()
    assert run.wait(timeout=300) == 0
    assert len(list(store.lines(str(tmp_path / "alone")))) == 12
    assert world.tree(tmp_path / "spread") == world.tree(tmp_path / "alone")
    for words in (("tournament", "check", "spread", "--again", "2"), ("verify", "spread")):
        assert start(tmp_path, "referee", *words, "--dask", address).wait(timeout=300) == 0


@pytest.mark.filterwarnings("default")
def test_no_scheduler_there() -> None:
    pytest.importorskip("distributed")
    for address in ("tcp://127.0.0.1:1", "nonsense"):
        with pytest.raises(Usage, match="no dask scheduler"):
            Cluster(address)
