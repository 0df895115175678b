"""Answers that come too late: each is ignored once, whenever it comes."""

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from referee.bots import wire
from referee.bots.causes import cause
from referee.bots.pipes import PipeError
from referee.bots.process import ProcessPlayer


class Lines:
    """Pipes from which these lines come; the first `early` of them before anything was asked."""

    def __init__(self, *lines: bytes, early: int = 0) -> None:
        self.lines, self.early, self.sent = [*lines], early, list[bytes]()

    def pending(self) -> bool:
        self.early -= 1
        return self.early >= 0

    def line(self, until: float) -> bytes:
        if not self.lines:
            raise PipeError("timeout", cause("not-ready", start="1"))
        return self.lines.pop(0)

    def send(self, line: bytes) -> None:
        self.sent.append(line)


def answer(id: str) -> wire.AnswerLine:
    return wire.AnswerLine(id, msgspec.Raw(b'{"do":"bid","amount":1}'))


def line(id: str) -> bytes:
    return wire.line_of(answer(id))


def player(*late: str) -> ProcessPlayer:
    made = ProcessPlayer(None)  # type: ignore[arg-type]
    made._late = set(late)
    return made


@pytest.mark.parametrize(
    ("late", "lines", "spoke", "left"),
    [
        ((), (), False, set()),
        (("1",), (line("1"),), False, set()),
        (("1", "2"), (line("2"), line("1")), False, set()),
        (("1", "2"), (line("2"),), False, {"1"}),
        (("1",), (line("1"), line("1")), True, set()),
        (("1",), (line("3"),), True, {"1"}),
        (("1",), (b"hello\n",), True, {"1"}),
    ],
)
def test_what_comes_before_a_question(late: Any, lines: Any, spoke: bool, left: set[str]) -> None:
    one = player(*late)
    assert one._spoke(Lines(*lines, early=len(lines))) is spoke  # type: ignore[arg-type]
    assert one._late == left


def asked(one: ProcessPlayer, *lines: bytes, early: int = 0) -> str:
    """Why the answer to question 9 is no good; empty if it is."""
    pipes: Any = Lines(*lines, early=early)
    question: Any = SimpleNamespace(number=9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wire, "reply", lambda hello, question, answer: (answer, None))
        one._hello = None  # type: ignore[assignment]
        try:
            found, _ = one._exchange(pipes, question, answer("9"), 0.0)  # type: ignore[arg-type]
        except wire.Unreadable as error:
            return error.why.reason
        finally:
            assert pipes.sent == [line("9")]
    assert found == answer("9")
    return ""


def test_late_answers_on_the_way_to_an_answer() -> None:
    assert asked(player(), line("9")) == ""
    assert asked(player("1"), line("1"), line("9")) == ""
    assert asked(player("1", "2"), line("2"), line("1"), line("9")) == ""
    for one, lines in ((player(), (line("8"),)), (player("1"), (line("1"), line("1"), line("9")))):
        assert asked(one, *lines) == "answers-another"
    assert asked(player(), line("8"), line("9"), early=1) == "unasked"
    assert asked(player("8"), line("8"), line("9"), early=1) == ""


def test_a_question_without_an_answer_may_be_answered_later() -> None:
    one = player("1")
    with pytest.raises(PipeError):
        asked(one, line("1"))
    assert one._late == {"9"}
    assert asked(one, line("9")) == ""
