"""Every step of `referee bot --check`, with bots in memory: each does one thing wrong, and that step says so."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from referee.bots import conformance_lines, process, t
from referee.bots.causes import Cause, cause
from referee.bots.conformance import ADVICE, STEPS, Step, StepResults, check
from referee.bots.conformance_games import SOME, _Games
from referee.bots.conformance_lines import NAMES, check_lines
from referee.bots.pipes import PipeError
from referee.bots.players import Fault, Limits, Spent
from referee.bots.trial import Rules
from referee.bots.visible import Program
from referee.engine.table import make_terms
from referee.errors import Usage
from tests.bots.examples import rules_of

Line = dict[str, Any]


class Bot:
    """Plays the first move that is offered, and keeps to the protocol."""

    early: tuple[bytes, ...] = ()
    ended = False
    ending: Cause | None = None
    closing: Cause | None = None
    memory = others = 0
    errors = ""
    stateless = dripped = False

    def ready(self, hello: Line) -> Any:
        self.hello = hello
        return {"type": "ready", "protocol": 1, **({"stateless": True} if self.stateless else {})}

    def answer(self, asked: Line) -> Any:
        return {"type": "answer", "id": asked["id"], "move": asked["moves"]["choices"][0]["move"]}

    def hear(self, line: bytes) -> list[Any]:
        said = json.loads(line)
        assert (said["type"] == "hello") != hasattr(self, "hello"), "one greeting, and before all else"
        kinds: dict[str, Callable[[Line], Any]] = {"hello": self.ready, "question": self.answer}
        return [kinds[said["type"]](said)] if said["type"] in kinds else []


class Spoken:
    """What `pipes.Pipes` is to its users, around a bot in this process. Nothing here takes time."""

    walls = (t("in memory"),)

    def __init__(self, program: Any, limits: Limits) -> None:
        self.bot: Bot = program()
        self.came, self.said = list(self.bot.early), list[str]()
        self.memory, self.others = self.bot.memory, self.bot.others

    def send(self, line: bytes) -> None:
        assert line.endswith(b"\n")
        self.said.append(f"< {line[:40].decode()}")
        for told in self.bot.hear(line):
            self.came.append(told if isinstance(told, bytes) else json.dumps(told).encode())

    def drip(self, line: bytes) -> None:
        self.bot.dripped = True
        self.send(line)

    def pending(self, seconds: float = 0) -> bool:
        return bool(self.came)

    def ended(self) -> bool:
        return self.bot.ended

    def line(self, until: float) -> bytes:
        if not self.came:
            raise PipeError("timeout", cause("no-answer"), fatal=False)
        line = self.came.pop(0)
        if line == b"crash":
            raise PipeError("crash", cause("signal", signal=9))
        self.said.append(f"> {line[:40].decode(errors='replace')}")
        return line

    def finish(self, line: bytes) -> Cause | None:
        return self.bot.ending if line else self.bot.closing

    def end(self) -> None:
        self.bot.ended = True

    def last_lines(self) -> list[str]:
        return self.said[-3:]

    def errors_text(self) -> str:
        return self.bot.errors


@pytest.fixture(autouse=True)
def in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance_lines, "Pipes", Spoken)
    monkeypatch.setattr(process, "Pipes", Spoken)


@pytest.fixture(scope="module")
def rules() -> Rules:
    return rules_of("auction", "conformance", 2)


def lines_of(bot: type[Bot], rules: Rules) -> dict[str, Step]:
    """What the steps about single lines find."""
    sheet = StepResults()
    check_lines(sheet, bot, rules)
    return {step.name: step for step in sheet.steps()}


def wrong(**changes: Any) -> type[Bot]:
    return type("Wrong", (Bot,), changes)


def heard(change: Callable[[Bot, Line, Line], Any], kind: str = "answer") -> type[Bot]:
    """A bot whose line of this kind is another one: made from what it was told, and what it would say."""

    def say(self: Bot, told: Line) -> Any:
        return change(self, told, getattr(Bot, kind)(self, told))

    return wrong(**{kind: say})


def twice(kind: str) -> type[Bot]:
    """A bot that says everything of this kind twice."""

    def hear(self: Bot, line: bytes) -> list[Any]:
        said = Bot.hear(self, line)
        return said * 2 if json.loads(line)["type"] == kind else said

    return wrong(hear=hear)


def deaf(odd: Callable[[Bot, Line], bool]) -> type[Bot]:
    """A bot that says nothing to some lines."""

    def hear(self: Bot, line: bytes) -> list[Any]:
        return [] if odd(self, json.loads(line)) else Bot.hear(self, line)

    return wrong(hear=hear)


LATE = "no answer came in time (does it flush its output after every line?)"
KIND = "this is not the expected kind of line: "
MORE = "it wrote more than was asked for"
BREAKS: dict[str, tuple[type[Bot], str]] = {
    "starts": (wrong(ended=True), "it ended at once"),
    "waits": (wrong(early=(b"hello",)), "it wrote something before the first line arrived"),
    "ready": (heard(lambda bot, told, said: b"crash", "ready"), "it ended with signal 9"),
    "ready-json": (heard(lambda bot, told, said: b"\xff", "ready"), "this is not JSON in UTF-8"),
    "ready-form": (heard(lambda bot, told, said: said | {"more": 1}, "ready"), KIND),
    "ready-protocol": (heard(lambda bot, told, said: said | {"protocol": 2}, "ready"), "it names version 2, but this"),
    "ready-words": (heard(lambda bot, told, said: said | {"standing": 7}, "ready"), "these are not standing orders of"),
    "ready-once": (twice("hello"), MORE),
    "input-closed": (wrong(closing=cause("killed", grace="1")), "it did not end by itself within 1 s"),
    "input-closed-status": (wrong(closing=cause("status", status=3)), "it ended with status 3"),
    "answers": (deaf(lambda bot, line: line["type"] == "question"), LATE),
    "answer-json": (heard(lambda bot, told, said: b"{"), "this is not JSON in UTF-8"),
    "answer-form": (heard(lambda bot, told, said: said | {"type": "ready"}), KIND),
    "answer-id": (heard(lambda bot, told, said: said | {"id": "1"}), "its `id` is not that of the question"),
    "answer-move": (heard(lambda bot, told, said: said | {"move": {"do": "fly"}}), "this is not a move of the game: "),
    "answer-legal": (heard(lambda bot, told, said: said | {"move": {"do": "bid", "amount": 999}}), ""),
    "answer-once": (twice("question"), MORE),
    "pieces": (deaf(lambda bot, line: bot.dripped), LATE),
    "long-lines": (deaf(lambda bot, line: line.get("later") == "x" * 300_000), LATE),
    "more-members": (deaf(lambda bot, line: isinstance(line.get("later"), dict)), LATE),
    "other-lines": (wrong(hear=lambda bot, line: Bot.hear(bot, line) or [b"what?"]), MORE),
    "names": (deaf(lambda bot, line: line.get("names") == list(NAMES[:2])), LATE),
}  # fmt: skip


@pytest.mark.parametrize("step", BREAKS)
def test_a_violation_fails_its_step(rules: Rules, step: str) -> None:
    bot, why = BREAKS[step]
    found = lines_of(bot, rules)
    assert found[step].status == "failed"
    assert str(found[step].why).startswith(why)
    assert found[step].why
    assert step == "starts" or found[step].lines
    for name in list(found)[: list(found).index(step)]:
        assert found[name].status == "passed", name
    later = "answer-once" if step != "answer-once" and found["answer-legal"].status == "passed" else "stateless"
    assert found[later].status == ("passed" if later == "answer-once" else "skipped")


def test_a_bot_that_cannot_be_started_fails_at_the_first_step(rules: Rules) -> None:
    def absent() -> Bot:
        raise FileNotFoundError

    steps = check(absent, rules)
    assert (steps[0].name, steps[0].status, str(steps[0].why)) == ("starts", "failed", "the command cannot be started")
    assert {(step.status, str(step.why)) for step in steps[1:]} == {("skipped", "an earlier step failed")}
    assert [step.name for step in steps] == list(STEPS)


def test_two_at_once_are_two_and_the_same_question_gets_the_same_answer(rules: Rules) -> None:
    asked: list[Bot] = []

    def change(bot: Bot, told: Line, said: Line) -> Line:
        asked.append(bot)
        return said | {"move": {"do": "bid", "amount": 1}} if len(asked) > 6 else said

    found = lines_of(heard(change), rules)
    assert found["two-at-once"].status == "passed"
    assert asked[-1] is not asked[-2]
    assert found["same-again"].status == "noted"
    assert "its answers differ (" in str(found["same-again"].why)
    assert lines_of(Bot, rules)["same-again"].status == "passed"
    busy = heard(lambda bot, told, said: b"crash" if (asked.append(bot) or len(asked)) > 6 else said)
    asked.clear()
    assert lines_of(busy, rules)["two-at-once"].status == "failed"


def test_a_stateless_bot_is_asked_from_the_middle_with_all_that_was_before(rules: Rules) -> None:
    told: list[Line] = []
    found = lines_of(heard(lambda bot, asked, said: (told.append(asked), said)[1]), rules)
    assert (found["stateless"].status, str(found["stateless"].why)) == (
        "skipped",
        "it does not declare that it is stateless",
    )
    assert all("hello" not in asked and asked["id"] == told[0]["id"] for asked in told)
    told.clear()
    states = type("States", (heard(lambda bot, asked, said: (told.append(asked), said)[1]),), {"stateless": True})
    assert lines_of(states, rules)["stateless"].status == "passed"
    *_, before, last = told
    assert before["hello"]["type"] == last["hello"]["type"] == "hello"
    assert int(last["id"].partition("-")[0]) > 1
    assert {news["round"] for news in last["news"]} == set(range(1, last["round"]))
    forgets = deaf(lambda bot, line: line["type"] == "question" and not line["id"].startswith("1-"))
    assert lines_of(type("Forgets", (forgets,), {"stateless": True}), rules)["stateless"].status == "failed"


# --- whole games ------------------------------------------------------------------------------------------------------


def played(bot: type[Bot], rules: Rules) -> dict[str, Step]:
    return {step.name: step for step in check(bot, rules)}


def bad(found: dict[str, Step]) -> dict[str, str]:
    return {name: step.status for name, step in found.items() if step.status not in ("passed", "skipped")}


def test_a_conforming_bot_passes(rules: Rules) -> None:
    hellos: list[Line] = []
    found = played(heard(lambda bot, told, said: (hellos.append(told), said)[1], "ready"), rules)
    assert bad(found) == {}
    skipped = {name: str(step.why) for name, step in found.items() if step.status == "skipped"}
    assert skipped == {
        "stateless": "it does not declare that it is stateless", "options": "this game has no yes/no option",
    }  # fmt: skip
    assert {name: step.holds for name, step in found.items()} == STEPS
    low, high = rules.game.seats
    sat = [(hello["seats"], hello["seat"]) for hello in hellos]
    assert {(low, seat) for seat in range(low)} | {(high, high - 1)} == set(sat)
    assert sat.count((high, high - 1)) == 1


def test_what_it_leaves_behind_is_reported(rules: Rules) -> None:
    messy = wrong(ending=cause("status", status=3), others=2, memory=2**40, errors="x" * 2**16)
    noted = dict.fromkeys(("memory", "processes", "errors"), "noted")
    assert bad(played(messy, rules)) == {"after-over": "failed", **noted}


def test_a_fault_fails_the_step_of_its_game(rules: Rules) -> None:
    low, high = rules.game.seats

    def mute(seats: int, seat: int) -> type[Bot]:
        return deaf(lambda bot, line: "id" in line and (bot.hello["seats"], bot.hello["seat"]) == (seats, seat))

    found = played(mute(high, high - 1), rules)
    assert bad(found) == {"most-seats": "failed"}
    assert str(found["most-seats"].why) == "timeout: no answer came in time"
    assert found["most-seats"].lines
    assert bad(played(mute(low, 1), rules)) == {"every-seat": "failed", "against-itself": "failed"}


SPENT = Spent(9, 1.0)
TIGHT = Limits(answer=2.0, memory=100 << 20, errors=8)


@pytest.mark.parametrize(
    ("changes", "over", "expected"),
    [
        ({}, True, {}),
        ({"slowest": 2.0, "memory": 50 << 20, "errors": "\u00e4\u00e4\u00e4x"}, True, {}),
        ({"slowest": 2.0016}, True, {"time": "an answer took 2002 ms; only 2000 ms do not use the time bank"}),
        ({"memory": (50 << 20) + 1}, True, {"memory": "it used 50 of 100 MiB"}),
        ({"processes": 1}, True, {"processes": "it still had 1 other processes when a game was over"}),
        ({"errors": "a\nb\n\u00e4c\nd"}, True, {"errors": "it wrote 8 bytes or more"}),
        ({"ending": cause("status", status=3)}, True, {"after-over": "it ended with status 3"}),
        ({"ending": cause("status", status=3)}, False, {"given-up": "it ended with status 3"}),
        (
            {"first": Fault("crash", cause("output-closed"), ("last",))},
            True,
            {"given-up": "crash: it closed its standard output"},
        ),
    ],
)
def test_limits_are_judged_exactly(rules: Rules, changes: dict[str, Any], over: bool, expected: dict[str, str]) -> None:
    sheet = StepResults()
    strict = msgspec.structs.replace(rules, limits=TIGHT)
    _Games(sheet, Program(()), strict).judge("given-up", msgspec.structs.replace(SPENT, **changes), strict, over=over)
    steps = {step.name: step for step in sheet.steps() if step.status != "skipped"}
    assert {name: str(step.why) for name, step in steps.items()} == expected
    assert all(step.status == ("noted" if name in ADVICE else "failed") for name, step in steps.items())
    lines: Sequence[str] = [line for step in steps.values() for line in step.lines]
    assert list(lines) == (["last"] if "first" in changes else ["b", "\u00e4c", "d"] if "errors" in expected else [])


@pytest.mark.parametrize(
    ("kinds", "sealed", "expected"),
    [
        ({}, [], {}),
        ({"bid": [False, True]}, [False, True], {}),
        ({"bid": [False], "raid": [True], "pay": [False, False]}, [True],
         {"every-question": "it gave no good answer to: bid, pay"}),
        ({"bid": [True]}, [False, False], {"sealed": "it gave no good answer to a question with sealed parts"}),
    ],
)  # fmt: skip
def test_totals_of_all_games(
    rules: Rules, kinds: dict[str, list[bool]], sealed: list[bool], expected: dict[str, str]
) -> None:
    sheet = StepResults()
    games = _Games(sheet, Program(()), rules)
    games.kinds, games.sealed = kinds, sealed
    games.totals()
    steps = {step.name: step for step in sheet.steps()}
    assert {name: str(step.why) for name, step in steps.items() if step.status == "failed"} == expected
    assert steps["sealed"].status == ("skipped" if not sealed else "failed" if "sealed" in expected else "passed")
    for name in ("after-over", "time", "memory", "processes", "errors"):
        assert steps[name].status == "passed"


@pytest.mark.parametrize("game", ["schwarzer-freitag", "mark", "schwarzmarkt", "weg-zum-erfolg", "auction"])
def test_every_option_that_can_be_inverted_is_tried(game: str) -> None:
    found, tried = rules_of(game, "options", 3), list[Any]()

    class Tried(_Games):
        def play(self, name: str, players: list[Any], rounds: int | None = None, **changes: Any) -> None:
            assert (name, rounds, players.index(self.bot), len(players)) == ("options", SOME, 2, 3)
            tried.append(changes["terms"].options)

    sheet = StepResults()
    Tried(sheet, Program(()), found).options(3)
    options, expected = found.terms.options, []
    for name, value in msgspec.structs.asdict(options).items():
        if isinstance(value, bool):
            with suppress(Usage):
                other = msgspec.structs.replace(options, **{name: not value})
                expected.append(make_terms(found.game, 3, other, found.terms.edition).options)
    assert tried == expected
    assert not sheet.good("options"), "only a game that was played passes"


def test_steps_are_good_if_each_of_them_has_passed() -> None:
    sheet = StepResults()
    sheet.passed("starts")
    sheet.passed("waits")
    sheet.failed("ready", t("give a name"))
    assert sheet.good("starts", "waits")
    for wrong in ("ready", "answers"):
        assert not sheet.good("starts", wrong)
        assert not sheet.good(wrong, "starts")
