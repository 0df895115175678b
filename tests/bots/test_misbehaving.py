"""Bots that misbehave, in real processes: the game goes on, their faults are named, nothing is left running."""

import json
import os
import resource
import socket
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from unittest import mock

import msgspec
import pytest

from referee.bots import pipes
from referee.bots.causes import cause
from referee.bots.players import BotPlayer, Limits, LocalPlayer, Question, Reply, Spent
from referee.bots.playing import Fallback, SeatedPlayer
from referee.bots.process import ProcessPlayer, program_for
from referee.bots.trial import trial
from referee.bots.visible import Program
from referee.evidence.replay import open_transcript
from tests.bots.examples import rules_of
from tests.support.waiting import LIMIT

NAUGHTY = str(Path(__file__).with_name("naughty.py"))
SHORT = Limits(start=LIMIT, answer=LIMIT, bank=0, memory=256 * 2**20, faults=2)
EARLY = ("it wrote a line before it was asked", "it answered a different question")
"""Which of the two it is depends on when its line comes."""
FULL = ("it ended with status 1", "it used more than 268435456 bytes of memory")
"""Which of the two it is depends on what notices first, the system or the watcher."""
FREE = "process groups, /proc and namespaces are not what they are here"
NUMBERS = count()
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason=FREE)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that ends by itself may take its time for it, unless a test says otherwise."""
    monkeypatch.setattr(pipes, "GRACE", LIMIT)


class Hurried(ProcessPlayer):
    """A bot that must be quick with its second answer, and may take its time for all others."""

    hurry = 0.0
    """Seconds for the second answer, before the bank is used."""
    took: Sequence[float] = ()
    """Seconds for each answer."""

    def answer(self, question: Question) -> Reply:
        before = self._seconds
        self._limits = msgspec.structs.replace(self._limits, answer=self.hurry if self._questions == 1 else LIMIT)
        reply = super().answer(question)
        self.took = *self.took, self._seconds - before
        return reply


@pytest.fixture(params=[True, False], ids=["confined", "unconfined"])
def confined(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def left_over(tag: str) -> list[str]:
    """Command lines of processes that carry this tag."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            line = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if tag.encode() in line and int(pid) != os.getpid():
            found.append(line.decode())
    return found


def meets(
    how: str,
    limits: Limits = SHORT,
    fallback: Fallback = "random",
    *,
    confined: bool = True,
    tag: str | None = None,
    made: Callable[[Program], BotPlayer] = ProcessPlayer,
) -> tuple[Spent, SeatedPlayer]:
    """A whole game of such a bot against `sensible`, and what it used."""
    tag = tag or f"tag-{how}-{os.getpid()}-{next(NUMBERS)}"
    program = program_for([sys.executable, NAUGHTY, how, tag], [NAUGHTY], confined=confined)
    rules = msgspec.structs.replace(rules_of("schwarzmarkt", "naughty"), limits=limits, fallback=fallback)
    sensible = partial(LocalPlayer, "sensible")
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(tempfile, "tempdir", folder):
        done = trial(rules, [partial(made, program), sensible, sensible])
        assert os.listdir(folder) == []
    assert done.game.state.end
    assert len(open_transcript(done.transcript()).rounds) == done.game.state.round
    assert left_over(tag) == []
    return done.spent[0], done.chairs[0]


def test_one_that_behaves(confined: bool) -> None:
    spent, chair = meets("well", Limits(start=LIMIT, answer=LIMIT), confined=confined)
    assert (spent.faults, spent.first, spent.notes(), chair.faults) == ({}, None, [], [])
    assert spent.questions > 10
    assert 0 < spent.slowest <= spent.seconds
    assert 2**20 < spent.memory < 2**28
    assert any("limited by" in str(note) for note in spent.walls) == confined
    assert any("without a sandbox" in str(note) for note in spent.walls) != confined


def test_sees_only_its_own_files_and_environment(confined: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET", "of the referee's")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        spent, _ = meets("curious", confined=confined, tag=port)
    environment, folder, files, network = json.loads(spent.errors.splitlines()[0])
    assert set(environment) <= {"PATH", "LANG", "LC_ALL", "HOME", "TMPDIR", "PWD", "OLDPWD", "LC_CTYPE"}
    assert files == []
    assert not os.path.exists(folder)
    assert network == ("no network" if confined else "network")


def test_leaves_twenty_children_behind() -> None:
    spent, _ = meets("children")
    assert spent.faults == {}
    assert 20 <= spent.processes <= 40  # each is a shell and, once that got to it, what it runs
    assert [*map(str, spent.notes())] == [
        f"it still had {spent.processes} other processes at the end; they were killed"
    ]


@pytest.mark.parametrize(
    ("how", "kind", "why", "count"),
    [
        ("endless", "nonsense", "not the expected kind of line", 2),
        ("closes", "crash", "it closed its standard output", 1),
        ("early", "nonsense", EARLY, 2),
        ("long", "nonsense", "it wrote a line of more than 1048576 bytes", 1),
        ("sleeps", "timeout", "it was not ready within 1 s", 1),
        ("utf8", "nonsense", "not the expected kind of line", 2),
        ("wrong", "nonsense", "it answered a different question", 2),
        ("illegal", "illegal", "this is not a move of the game", 2),
        ("version", "nonsense", "it uses protocol version 2, but this is 1", 1),
        ("talks", "nonsense", "not the expected kind of line", 1),
        ("memory", "crash", FULL, 1),
    ],
)
def test_a_fault_is_named_and_counted(how: str, kind: str, why: str | tuple[str, ...], count: int) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    limits = SHORT if how != "sleeps" else Limits(start=1)
    spent, chair = meets(how, limits)
    assert spent.faults == {kind: count}
    assert spent.first is not None
    assert any(one in str(spent.first.why) for one in ((why,) if isinstance(why, str) else why))
    assert spent.first.lines[0].startswith('< {"edition":') or how == "talks"
    # every question after its end finds it gone
    assert len(chair.faults) == spent.questions + (how in ("sleeps", "version", "talks")) - (how in ("early", "wrong"))
    assert chair.faults[-1][1].gone
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


def test_crashes(confined: bool) -> None:
    spent, _ = meets("crash", confined=confined)
    assert spent.faults == {"crash": 1}
    assert spent.first is not None
    assert spent.first.why == cause("signal", signal=9)
    assert spent.first.lines[-1] == "! I cannot go on"
    assert spent.errors == "I cannot go on\n"


def test_ignores_the_end_and_every_signal(confined: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipes, "GRACE", 1)
    spent, _ = meets("stubborn", confined=confined)
    assert spent.faults == {}
    assert [*map(str, spent.notes())] == ["it did not end by itself within 1 s of the last line: it was killed"]


@pytest.mark.thorough
def test_a_late_answer_is_ignored() -> None:
    """The second answer comes after the third question, and a moment is allowed for it."""
    spent, chair = meets("late", SHORT, made=type("Hurried", (Hurried,), {"hurry": 0.1}))
    assert spent.faults == {"timeout": 1}
    assert [fault.why for _, fault in chair.faults] == [cause("no-answer")]


@pytest.mark.thorough
def test_time_beyond_the_limit_is_taken_from_the_bank() -> None:
    """No time is allowed for the second answer, so all the time that it takes comes from the bank."""
    spent, chair = meets("slow", Limits(start=LIMIT, answer=LIMIT, bank=LIMIT), made=Hurried)
    assert (spent.faults, chair.faults) == ({}, [])
    took = chair.player.took  # type: ignore[attr-defined]
    banks = [float(line) for line in spent.errors.splitlines()]
    assert len(banks) == len(took) > 3
    assert banks[:2] == [LIMIT, LIMIT]
    assert set(banks[2:]) == {round(LIMIT - took[1], 3)}
    assert took[1] > 0


@pytest.mark.parametrize("fallback", ["miss", "resign"])
def test_the_caller_decides_what_happens_to_the_seat(fallback: Fallback) -> None:
    spent, chair = meets("crash", fallback=fallback)
    assert spent.faults == {"crash": 1}
    assert len(chair.faults) == (1 if fallback == "resign" else spent.questions)
