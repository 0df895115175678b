"""The pipes of a bot by themselves: what they count, whatever the machine has to do meanwhile."""

import subprocess
from threading import Event

import pytest

from referee.bots import confine, pipes
from referee.bots.players import Limits
from referee.bots.visible import Program
from tests.support.waiting import LIMIT


class Counted:
    """A program that ends with its input, and had three more processes as long as it ran."""

    walls = ()

    def __init__(self, program: Program, limits: Limits) -> None:
        self.process = subprocess.Popen(
            program.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.gone = Event()

    def use(self) -> confine.Use:
        if self.process.poll() is None:
            return confine.Use(2**20, 3)
        self.gone.set()
        return confine.Use(2**10, 0)

    def crowd(self) -> int:
        return 0

    def end(self) -> None:
        self.process.wait()


def test_processes_are_counted_before_they_end_with_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another look may come when all are gone, on a machine that is busy."""
    monkeypatch.setattr(confine, "start", Counted)
    monkeypatch.setattr(pipes, "LOOK", 0.0)
    monkeypatch.setattr(pipes, "GLANCE", 0.001)
    monkeypatch.setattr(pipes, "GRACE", LIMIT)
    one = pipes.Pipes(Program(("cat",)), Limits())
    assert one.finish(b"") == ""
    assert one._bot.gone.wait(LIMIT)
    one.end()
    assert (one.others, one.memory) == (3, 2**20)
