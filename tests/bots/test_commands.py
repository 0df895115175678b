"""What `bot --check` and `bot` say, to people and to programs, and what reaches the bot: all in memory."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.bots import confine, conformance_lines, process
from referee.bots.conformance import STEPS
from referee.bots.players import Limits
from referee.bots.visible import Program
from referee.evidence.replay import open_transcript
from referee.library.checking import ended
from tests.bots.test_conformance import Bot, Line, Spoken
from tests.cli.world import Ran, run_here

BOT = "bot.py"


class Stage:
    """Where bots in memory play what the commands start."""

    def __init__(self) -> None:
        self.bot: type[Bot] = Bot
        self.programs: list[Program] = []
        self.hellos: list[Line] = []


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Stage:
    (tmp_path / BOT).write_text("")
    (tmp_path / "data").write_text("")
    made = Stage()

    class Started(Spoken):
        def __init__(self, program: Program, limits: Limits) -> None:
            made.programs.append(program)
            super().__init__(made.bot, limits)

        def send(self, line: bytes) -> None:
            made.hellos += [json.loads(line)] if json.loads(line)["type"] == "hello" else []
            super().send(line)

    monkeypatch.setattr(conformance_lines, "Pipes", Started)
    monkeypatch.setattr(process, "Pipes", Started)
    return made


def bot(folder: Path, *words: str, by: tuple[str, ...] = (sys.executable, BOT)) -> Ran:
    return run_here("bot", *words, "--", *by, cwd=folder)


class Silent(Bot):
    """Answers all questions of a game but the first."""

    def answer(self, asked: Line) -> Any:
        if asked["id"].startswith("1-"):
            return b"crash" if self.hello["seat"] else b"nonsense"
        return super().answer(asked)


class Messy(Bot):
    """Fails nothing, and leaves processes behind."""

    others = 2


# --- check ------------------------------------------------------------------------------------------------------------


def test_a_passed_check_lists_every_step(stage: Stage, tmp_path: Path) -> None:
    stage.bot = Messy
    ran = bot(tmp_path, "--check", "auction")
    assert ran.exit == 0
    lines = ran.out.decode().splitlines()
    steps = [line for line in lines if line[8:28].strip() in STEPS]
    assert [line[8:28].strip() for line in steps] == list(STEPS)
    marks = {"options": "     -", "stateless": "     -", "processes": "  note"}
    assert steps == [f"{marks.get(name, '    ok')}  {name:20} {holds}" for name, holds in STEPS.items()]
    under = {name: lines[lines.index(line) + 1] for name, line in zip(STEPS, steps, strict=True)}
    assert under["stateless"] == " " * 29 + "it does not declare that it is stateless"
    assert under["options"] == " " * 29 + "this game has no yes/no option"
    assert under["processes"] == " " * 29 + "it still had 2 other processes when a game was over"
    assert lines[-1] == f"{len(STEPS) - 3} of {len(STEPS)} steps passed, 0 failed"
    assert len(lines) == len(STEPS) + 3 + 1
    *walls, after = ran.said.splitlines()
    assert [wall.rstrip(".").lower() for wall in walls] == [
        str(note).lower() for note in confine.confinement_notes(True)
    ]
    assert after == f"Next: let it play with `referee bot auction -- {sys.executable} {BOT}`."


def test_a_failed_check_shows_the_lines_and_the_first_step(stage: Stage, tmp_path: Path) -> None:
    stage.bot = Silent
    ran = bot(tmp_path, "--check", "auction", "--unconfined")
    lines = ran.out.decode().splitlines()
    assert ran.exit == 6
    at = lines.index(f"FAILED  {'answer-json':20} {STEPS['answer-json']}")
    assert lines[at + 1] == " " * 29 + "this is not JSON in UTF-8"
    assert [line[:13] for line in lines[at + 2 : at + 5]] == [" " * 10 + begin for begin in ("> {", "< {", "> n")]
    failed = sum(line.startswith("FAILED") for line in lines)
    passed = sum(line.startswith("    ok") for line in lines)
    assert lines[-1] == f"{passed} of {len(STEPS)} steps passed, {failed} failed"
    assert "the bot failed at answer-json" in ran.said
    assert all(str(note)[1:] in ran.said for note in confine.confinement_notes(False))
    told = json.loads(bot(tmp_path, "--check", "auction", "--unconfined", "--json").out)
    assert (told["code"], told["game"], told["walls"]) == (
        "bot-failed",
        "auction",
        [*map(str, confine.confinement_notes(False))],
    )
    assert [step["name"] for step in told["steps"]] == list(STEPS)


@pytest.mark.parametrize("command", [["--check"], []], ids=["check", "try"])
def test_options_of_the_command_reach_the_bot(stage: Stage, tmp_path: Path, command: list[str]) -> None:
    limits = ("--start", "3", "--time", "4", "--bank", "5", "--memory", "64", "--option", "rounds=1")
    ran = bot(tmp_path, *command, "auction", *limits, "--file", "data", "--json")
    assert ran.exit == 0
    told = json.loads(ran.out)
    assert (told["code"], told["game"]) == ("ok", "auction")
    for hello in stage.hellos:
        found = hello["limits"]
        assert (found["start"], found["answer"], found["bank"], found["memory"]) == (3, 4, 5, 64 << 20)
        assert hello["options"]["rounds"] == 1
    for program in stage.programs:
        assert program.confined
        assert program.words == (sys.executable, str(tmp_path / BOT))
        assert program.shown[-2:] == (str(tmp_path / BOT), str(tmp_path / "data"))
    stage.programs.clear()
    stage.hellos.clear()
    assert bot(tmp_path, *command, "auction", "--unconfined", "--json", "--option", "rounds=1").exit == 0
    assert not any(program.confined or str(tmp_path / "data") in program.shown for program in stage.programs)
    found = stage.hellos[0]["limits"]
    assert (found["start"], found["answer"], found["bank"], found["memory"]) == (10, 2, 30, 1024 << 20)


# --- try --------------------------------------------------------------------------------------------------------------


def test_a_trial_reports_how_the_game_ended(stage: Stage, tmp_path: Path) -> None:
    stage.bot = type("Large", (Messy,), {"memory": 5 << 20})
    words = ("auction", "--seats", "3", "--seat", "2", "--against", "random", "--seed", "one")
    ran = bot(tmp_path, *words, "-o", "game.json")
    assert ran.exit == 0
    assert {(hello["seats"], hello["seat"]) for hello in stage.hellos} == {(3, 1)}
    opened = open_transcript((tmp_path / "game.json").read_bytes())
    table, state = opened.table, opened.checkpoint.state
    assert state.result is not None
    head, *rows, used, note = ran.out.decode().splitlines()
    told = f"{table.game.title}, 3 players: over after {state.round} rounds ({ended(state.end)})"
    assert head == told
    order = sorted(range(3), key=lambda seat: (state.result.ranks[seat], seat))
    assert rows == [
        f"  {state.result.ranks[seat]}. {table.names[seat]}, {'the bot' if seat == 1 else 'random'} "
        f"(score {', '.join(map(str, state.result.scores[seat]))})"
        for seat in order
    ]
    asked = json.loads(bot(tmp_path, *words, "--json").out)
    many, number = asked["spent"]["questions"], r"\d+\.\d\d"
    times = rf"ready after {number} s, {many} questions, {number} s, the slowest \d+ ms"
    assert re.fullmatch(f"The bot at seat 2: {times}, 5 MiB", used)
    assert note == "  it still had 2 other processes at the end; they were killed"
    assert ran.said.splitlines()[-1] == "Next: play more games; check this one with `referee verify game.json`."
    assert (asked["seat"], asked["against"], asked["rounds"], asked["end"]) == (2, "random", state.round, state.end)
    assert (asked["ranks"], asked["scores"]) == (list(state.result.ranks), [list(one) for one in state.result.scores])
    assert (asked["faults"], asked["notes"]) == ([], [note.strip()])
    bot(tmp_path, *words[:-1], "two", "-o", "two.json")
    assert (tmp_path / "two.json").read_bytes() != (tmp_path / "game.json").read_bytes()
    bare = bot(tmp_path, *words).said
    assert bare.endswith("Next: play more games; check this one with -o FILE and `referee verify FILE`.\n")


def test_faults_in_a_trial_are_counted(stage: Stage, tmp_path: Path) -> None:
    stage.bot = Silent
    ran = bot(tmp_path, "auction", "--seed", "one")
    assert ran.exit == 6
    lines = ran.out.decode().splitlines()
    at = lines.index("  faults: 1 nonsense; the first:")
    assert lines[at + 1].startswith("  nonsense: this is not the expected kind of line: ")
    assert lines[-1] == "    > nonsense"
    told = json.loads(bot(tmp_path, "auction", "--seed", "one", "--json").out)
    assert told["code"] == "bot-failed"
    assert [(one["round"], one["fault"]["kind"]) for one in told["faults"]] == [(2, "nonsense")]
    assert f"the bot made a mistake in 1 of {told['spent']['questions']} answers" in ran.said
    assert f"check it with `referee bot auction --check -- {sys.executable} {BOT}`" in ran.said
    gone = json.loads(bot(tmp_path, "auction", "--seat", "2", "--seed", "one", "--json").out)
    assert {one["fault"]["kind"] for one in gone["faults"]} == {"crash"}
    assert len(gone["faults"]) == gone["spent"]["questions"]
    for fallback, ends in (("miss", ""), ("resign", "left")):
        ran = bot(tmp_path, "auction", "--seed", "one", "--on-fault", fallback, "--json")
        assert ran.exit == 6
        assert not ends or json.loads(ran.out)["end"] == ends
