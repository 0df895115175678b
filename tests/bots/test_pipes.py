"""The pipes of a bot alone: what they count, however busy the machine is."""

import subprocess
from math import inf
from threading import Event
from typing import Any

import pytest

from referee.bots import confine, pipes
from referee.bots.players import Limits
from referee.bots.visible import Program
from tests.support import waiting
from tests.support.waiting import LIMIT


class Counted:
    """A program that ends with its input, and had three more processes as long as it ran."""

    walls = ()
    running = confine.Resources(2**20, 3)
    many = 0

    def __init__(self, program: Program, limits: Limits) -> None:
        self.process = subprocess.Popen(
            program.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.gone = Event()

    def use(self) -> confine.Resources:
        if self.process.poll() is None:
            return self.running
        self.gone.set()
        return confine.Resources(2**10, 0)

    def crowd(self) -> int:
        return self.many

    def over(self) -> str:
        return None

    def kill(self) -> None:
        self.process.kill()

    def end(self) -> None:
        self.process.wait()


def test_processes_are_counted_before_they_end_with_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, another check may come when all are gone."""
    monkeypatch.setattr(confine, "start", Counted)
    monkeypatch.setattr(pipes, "LOOK", 0.0)
    monkeypatch.setattr(pipes, "GLANCE", 0.001)
    monkeypatch.setattr(pipes, "GRACE", LIMIT)
    one = pipes.Pipes(Program(("cat",)), Limits())
    assert one.finish(b"") is None
    assert one._bot.gone.wait(LIMIT)
    one.end()
    assert (one.others, one.memory) == (3, 2**20)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"running": confine.Resources(2**20 + 1)}, "it used more than 1048576 bytes of memory"),
        (
            {"running": confine.Resources(2**20, 0, confine.MOST_FILES + 1)},
            f"it made more than {confine.MOST_FILES} files",
        ),
        ({"many": confine.MOST_PROCESSES + 1}, f"it started more than {confine.MOST_PROCESSES} processes"),
    ],
)
def test_a_bot_that_exceeds_a_limit_is_ended(
    monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], why: str
) -> None:
    monkeypatch.setattr(confine, "start", type("Greedy", (Counted,), changes))
    monkeypatch.setattr(pipes, "GLANCE", 0.001)
    one = pipes.Pipes(Program(("cat",)), Limits(memory=2**20))
    try:
        with pytest.raises(pipes.PipeError) as caught:
            one.line(waiting.limit())
    finally:
        one._bot.process.kill()
        one.end()
    assert (caught.value.kind, str(caught.value.why), caught.value.fatal) == ("crash", why, True)


def test_a_bot_at_its_limit_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    full = {"running": confine.Resources(2**20, 3, confine.MOST_FILES), "many": confine.MOST_PROCESSES}
    monkeypatch.setattr(confine, "start", type("Full", (Counted,), full))
    one = pipes.Pipes(Program(("cat",)), Limits(memory=2**20))
    one.send(b"{}\n")
    assert one.line(inf) == b"{}"
    assert (one._look(), one._glance()) == (None, None)
    assert one.last_lines() == ["< {}", "> {}"]
    one._bot.process.kill()
    one.end()


def test_a_line_in_pieces_arrives_whole() -> None:
    """Only what was sent comes back, and all of it."""
    one = pipes.Pipes(Program(("cat",), confined=False), Limits(start=LIMIT, answer=LIMIT))
    for line in (b"short\n", b"a line of some length, in five pieces\n", b"\n"):
        one.drip(line)
        assert one.line(inf) == line.rstrip(b"\n")
    one.finish(b"")
    one.end()
