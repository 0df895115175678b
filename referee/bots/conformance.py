"""Does a bot conform to `schemas/BOTS.md`? Named steps; a step that fails shows the lines that led to it."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from referee.bots import t
from referee.bots.trial import Rules
from referee.bots.visible import Program
from referee.language import NOTHING, Text

STEPS = {
    "starts": t("the command starts, and does not end at once"),
    "waits": t("it writes nothing before the first line arrives"),
    "ready": t("it answers `hello` within the start limit"),
    "ready-json": t("that line is JSON in UTF-8"),
    "ready-form": t("it is a line `ready`, without extra members"),
    "ready-protocol": t("it names this version of the protocol"),
    "ready-words": t("its standing orders are valid in the game"),
    "ready-once": t("it then writes nothing until it is asked"),
    "input-closed": t("it ends within a second when its input is closed before any question"),
    "input-closed-status": t("it then ends with status 0"),
    "answers": t("it answers the first question in time"),
    "answer-json": t("that line is JSON in UTF-8"),
    "answer-form": t("it is a line `answer`, without extra members"),
    "answer-id": t("it repeats the `id` of the question"),
    "answer-move": t("its `move` is a move of the game"),
    "answer-legal": t("the rules allow that move"),
    "answer-once": t("it writes one line per question"),
    "pieces": t("it reads lines that arrive in pieces"),
    "long-lines": t("it reads a line of 300,000 bytes"),
    "more-members": t("it ignores unknown members"),
    "other-lines": t("it ignores lines of an unknown type"),
    "names": t("it accepts names with non-ASCII characters, quotes and backslashes"),
    "two-at-once": t("two instances of it can run at the same time"),
    "same-again": t("the same question with the same seed gets the same answer"),
    "stateless": t("if it is stateless, it answers a question from the middle of a game"),
    "given-up": t("it ends by itself when a game is abandoned in the middle"),
    "fewest-seats": t("it plays a whole game at the smallest table"),
    "most-seats": t("it plays a whole game at the largest table"),
    "every-seat": t("it plays from every seat of the smallest table"),
    "options": t("it plays with each yes/no option inverted"),
    "against-itself": t("it plays a whole game against copies of itself"),
    "others-miss": t("it continues when others miss their deadlines"),
    "others-leave": t("it ends by itself when all others have left the game"),
    "every-question": t("it answered every kind of question that was asked"),
    "sealed": t("it answered questions with sealed parts, if the game has any"),
    "after-over": t("it ended by itself within a second of `over`, with status 0"),
    "time": t("no answer needed the time bank"),
    "memory": t("it used at most half of its memory"),
    "processes": t("it left no processes behind"),
    "errors": t("it wrote less to standard error than is kept"),
}
"""Name -> what the step checks, in the order of the report."""
ADVICE = frozenset({"same-again", "time", "memory", "processes", "errors"})
"""Steps that are only noted when they fail: they lose no game."""
Status = Literal["passed", "failed", "noted", "skipped"]


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of one step."""

    name: str
    holds: Text
    status: Status
    why: Text = NOTHING
    lines: tuple[str, ...] = ()


class StepResults:
    """The results of the steps so far. A step that failed once stays failed."""

    def __init__(self) -> None:
        self._found: dict[str, Step] = {}

    def passed(self, name: str) -> None:
        self._found.setdefault(name, Step(name, STEPS[name], "passed"))

    def skipped(self, name: str, why: Text) -> None:
        self._found.setdefault(name, Step(name, STEPS[name], "skipped", why))

    def failed(self, name: str, why: Text, lines: Sequence[str] = ()) -> None:
        before = self._found.get(name)
        if before is None or before.status in ("passed", "skipped"):
            status: Status = "noted" if name in ADVICE else "failed"
            self._found[name] = Step(name, STEPS[name], status, why, tuple(lines))

    def good(self, *names: str) -> bool:
        """Whether these steps have passed."""
        return all(name in self._found and self._found[name].status == "passed" for name in names)

    def steps(self) -> list[Step]:
        """All steps, in order."""
        left = t("an earlier step failed")
        return [self._found.get(name, Step(name, holds, "skipped", left)) for name, holds in STEPS.items()]


def check(program: Program, rules: Rules) -> list[Step]:
    """Run all steps with this bot; the terms are those of the smallest table."""
    from referee.bots.conformance_games import check_games
    from referee.bots.conformance_lines import check_lines

    sheet = StepResults()
    check_lines(sheet, program, rules)
    if sheet.good("answer-legal"):
        check_games(sheet, program, rules)
    return sheet.steps()
