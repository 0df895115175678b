"""A bot that tries everything: what it gets unconfined it does not get in the sandbox."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.bots import confine
from tests.bots.hostile import TRICKS
from tests.bots.siege import SHORT, besiege
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no bubblewrap elsewhere")
CLEARED = {"environment", "open_files_that_it_did_not_open"}
"""Taken from bots that are not confined, too: the test has them."""
PRIVILEGED = {
    "writing_to_the_system", "what_the_kernel_runs_after_a_crash", "mounting", "the_network_of_the_referee",
    "the_memory_of_its_rival",
}  # fmt: skip
"""What only root gets, or only where nobody forbade it for all."""
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def confined(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return found_by(tmp_path_factory.mktemp("confined"), confined=True)


@pytest.fixture(scope="module")
def unconfined(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return found_by(tmp_path_factory.mktemp("unconfined"), confined=False)


def found_by(folder: Path, *, confined: bool) -> dict[str, Any]:
    spent = besiege(folder, "tricks", confined=confined)
    assert spent.faults == {}, spent.first
    return dict(json.loads(spent.errors.splitlines()[0]))


def test_there_are_many_tricks() -> None:
    assert len(TRICKS) >= 45


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_that_works_unconfined_fails_in_the_sandbox(
    name: str, confined: dict[str, Any], unconfined: dict[str, Any]
) -> None:
    assert confined[name] is None
    if name not in CLEARED and (name not in PRIVILEGED or os.geteuid() == 0):
        assert unconfined[name] is not None, "the trick does not work: it shows nothing"


def test_an_open_file_would_be_found(confined: dict[str, Any]) -> None:
    assert len(confined["(one more open file)"]) == 1


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("fork_bomb", "it started more than 64 processes"),
        ("memory", "it used more than 314572800 bytes of memory"),
        ("small_files", "it made more than 10000 files"),
    ],
)
def test_a_bot_above_its_limits_is_ended(tmp_path: Path, how: str, why: str) -> None:
    roomy = 2**34 if how == "fork_bomb" else 300 * 2**20
    spent = besiege(tmp_path, how, msgspec.structs.replace(SHORT, memory=roomy))
    assert spent.faults == {"crash": 1}
    assert spent.first is not None
    assert str(spent.first.why) == why


def test_a_signal_to_all_processes_reaches_no_other(tmp_path: Path) -> None:
    spent = besiege(tmp_path, "everybody")
    assert spent.faults == {}
    assert spent.errors == "alone\n"


def test_a_bot_cannot_fill_the_disk(tmp_path: Path) -> None:
    spent = besiege(tmp_path, "disk")
    assert spent.faults == {}
    assert 0 < int(spent.errors) <= len(confine.SPACES) * SHORT.output


def test_the_end_of_endless_errors_is_kept(tmp_path: Path) -> None:
    spent = besiege(tmp_path, "errors")
    assert spent.faults == {}
    assert len(spent.errors) == SHORT.errors


def test_memory_counts_while_others_think(tmp_path: Path) -> None:
    """The limit of a process alone would let this by: all files and processes count together."""
    spent = besiege(tmp_path, "disk_for_long", msgspec.structs.replace(SHORT, memory=24 * 2**20))
    assert spent.faults == {"crash": 1}


def test_daemons_end_with_the_bot(tmp_path: Path) -> None:
    spent = besiege(tmp_path, "daemons")
    assert spent.faults == {}
    assert spent.processes == 3
    assert named(tmp_path) == []


# --- and when the referee ends ---------------------------------------------------------------------------------------

REFEREE = """
import json, sys
from pathlib import Path
from time import monotonic
from referee.bots.pipes import Pipes
from referee.bots.process import program_for
from tests.bots import siege
folder, confined = Path(sys.argv[1]), sys.argv[2] == "True"
with siege.surroundings(folder) as told:
    own = str(folder / "own/bot.py")
    program = program_for([sys.executable, own, "early", json.dumps(told)], [own], confined=confined)
    pipes = Pipes(program, siege.SHORT)
    pipes.send(b'{"type":"hello"}\\n')
    print(pipes.line(monotonic() + 60).decode(), flush=True)
    sys.stdin.read()
"""


def named(folder: Path) -> list[int]:
    """Processes that have the bot of this folder in their command."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            line = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if f"{folder}/own/bot.py".encode() in line:
            found.append(int(pid))
    return found


def quiet(folder: Path) -> list[int]:
    """Those of them that took another name, as daemons do some time after they were started."""
    found = []
    for pid in named(folder):
        with suppress(OSError):
            found += [pid] if Path(f"/proc/{pid}/comm").read_text() == "quiet\n" else []
    return found


def ended(handles: list[int]) -> None:
    """Wait until all these processes are gone."""
    poll = select.poll()
    for handle in handles:
        poll.register(handle, select.POLLIN)
    while handles:
        ready = [handle for handle, _ in poll.poll(60_000)]
        assert ready, "they go on"
        for handle in ready:
            poll.unregister(handle)
            handles.remove(handle)
            os.close(handle)


@pytest.mark.parametrize("confined", [True, False], ids=["confined", "unconfined"])
def test_all_processes_of_a_bot_end_with_a_referee_that_is_killed(tmp_path: Path, confined: bool) -> None:
    words = [sys.executable, "-c", REFEREE, str(tmp_path), str(confined)]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as referee:
        assert referee.stdout is not None
        assert b"ready" in referee.stdout.readline()
        daemons = until(lambda: three if len(three := quiet(tmp_path)) == 3 else [])
        started = named(tmp_path)
        handles = {pid: os.pidfd_open(pid) for pid in started}
        referee.kill()
    if confined:
        ended(list(handles.values()))
        assert named(tmp_path) == []
    else:
        ended([handle for pid, handle in handles.items() if pid not in daemons])
        assert sorted(named(tmp_path)) == sorted(daemons)
        for pid in daemons:
            os.kill(pid, signal.SIGKILL)
        ended([handles[pid] for pid in daemons])


# --- as a user without any rights ------------------------------------------------------------------------------------

NOBODY = 65534
PACKAGES = ("msgspec", "cryptography", "cffi", "platformdirs")
SYSTEM = f"/usr/bin/python3.{sys.version_info.minor}"


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that another user can read, with this program in it."""
    with tempfile.TemporaryDirectory(prefix="referee-test-") as name:
        folder = Path(name)
        shutil.copytree(ROOT / "referee", folder / "code/referee", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "tests/bots", folder / "code/tests/bots", ignore=shutil.ignore_patterns("__pycache__"))
        site = Path(msgspec.__file__).parents[1]
        for package in PACKAGES:
            shutil.copytree(site / package, folder / "code" / package)
        for file in site.glob("_cffi_backend*"):
            shutil.copy(file, folder / "code")
        (folder / "siege").mkdir()
        os.chown(folder / "siege", NOBODY, NOBODY)
        folder.chmod(0o755)
        yield folder


@pytest.mark.thorough
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run it as another user")
@pytest.mark.skipif(not os.path.exists(SYSTEM), reason="no other user can read this Python")
def test_an_unprivileged_user_has_the_same_sandbox(shared: Path) -> None:
    ran = subprocess.run(
        [SYSTEM, "-m", "tests.bots.siege", str(shared / "siege"), "tricks"],
        cwd=shared / "siege", user=NOBODY, group=NOBODY, extra_groups=[], capture_output=True, check=False,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(shared / "code"), "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr.decode()
    told = json.loads(ran.stdout)
    assert told["faults"] == {}, told
    found = json.loads(told["errors"].splitlines()[0])
    assert {name for name, got in found.items() if got is not None} == {"(one more open file)"}
