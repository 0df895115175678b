"""`referee bot --check` and `referee bot` as people run them: what is wrong is found at the step that says so."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.cli.world import run, run_here

NAUGHTY = str(Path(__file__).with_name("naughty.py"))
EXAMPLES = Path(__file__).resolve().parents[2] / "examples/bots"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="bots in other processes need Linux or macOS")


def check(folder: Path, how: str, *options: str, game: str = "schwarzmarkt") -> dict[str, dict[str, object]]:
    """Name -> step, of a bot that misbehaves so; the exit status is the documented one."""
    words = ["bot", "--check", game, "--json", "--bank", "0", "--time", "300", *options]
    ran = run_here(*words, "--", sys.executable, NAUGHTY, how, "x", cwd=folder)
    told = json.loads(ran.out)
    steps = {step["name"]: step for step in told["steps"]}
    failed = any(step["status"] == "failed" for step in steps.values())
    assert (ran.exit, told["code"]) == ((6, "bot-failed") if failed else (0, "ok"))
    return steps


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("how", "step", "why"),
    [
        ("talks", "waits", "it wrote something before the first line arrived"),
        ("sleeps", "ready", "no answer came in time (does it flush its output after every line?)"),
        ("version", "ready-protocol", "it names version 2, but this is 1"),
        ("crash", "answers", "it ended with signal 9"),
        ("closes", "answers", "it closed its standard output"),
        ("long", "answers", "it wrote a line of more than 1048576 bytes"),
        ("utf8", "answer-json", "this is not JSON in UTF-8"),
        ("illegal", "answer-move", "this is not a move of the game"),
    ],
)
def test_each_failure_is_found_at_its_step(tmp_path: Path, how: str, step: str, why: str) -> None:
    found = check(tmp_path, how, "--start", "2" if how == "sleeps" else "300")
    names = list(found)
    if how == "talks" and found["waits"]["status"] == "passed":  # it was slow to start: its line came after `hello`
        step, why = "ready-json", "this is not JSON in UTF-8"
    assert found[step]["status"] == "failed"
    assert str(found[step]["why"]).startswith(why)
    assert how in ("sleeps", "talks") or '< {"edition":' in str(found[step]["lines"])
    assert {found[name]["status"] for name in names[: names.index(step)]} == {"passed"}


@pytest.mark.thorough
def test_failures_that_only_games_show(tmp_path: Path) -> None:
    """Answers to the wrong question are good lines: the games find them. Processes are noted, and fail nothing."""
    wrong = check(tmp_path, "wrong", game="auction")
    assert wrong["answer-legal"]["status"] == "passed"
    assert wrong["fewest-seats"]["status"] == "failed"
    assert "answered a different question" in str(wrong["fewest-seats"]["why"])
    messy = check(tmp_path, "child", game="auction")
    assert messy["processes"]["status"] == "noted"
    assert {step["status"] for name, step in messy.items() if name != "processes"} <= {"passed", "skipped"}


@pytest.mark.thorough
def test_a_report_for_people(tmp_path: Path) -> None:
    ran = run("bot", "--check", "mark", "--", sys.executable, NAUGHTY, "version", "x", cwd=tmp_path)
    text = ran.out.decode()
    assert ran.exit == 6
    assert "FAILED  ready-protocol       it names this version of the protocol" in text
    assert '> {"type": "ready", "protocol": 2}' in text
    assert b"referee: the bot failed at ready-protocol" in ran.err


@pytest.mark.thorough
def test_a_game_is_played_and_verifies(tmp_path: Path) -> None:
    words = ["bot", "mark", "--seats", "3", "--seat", "2", "--against", "random", "--seed", "one", "--json"]
    bot = [sys.executable, str(EXAMPLES / "mark.py")]
    ran = run_here(*words, "--time", "300", "-o", "game.json", "--", *bot, cwd=tmp_path)
    assert ran.exit == 0, ran.err
    told = json.loads(ran.out)
    assert (told["code"], told["seat"], told["faults"], told["notes"]) == ("ok", 2, [], [])
    assert sorted(told["ranks"])[0] == 1
    assert told["spent"]["questions"] > 10
    verified = json.loads(run_here("verify", "game.json", "--json", cwd=tmp_path).out.splitlines()[0])
    assert verified["code"] == "ok"
    again = run_here(*words, "--time", "300", "-o", "again.json", "--", *bot, cwd=tmp_path)
    assert again.exit == 0
    assert (tmp_path / "game.json").read_bytes() == (tmp_path / "again.json").read_bytes()


def test_faults_are_reported(tmp_path: Path) -> None:
    ran = run_here("bot", "schwarzmarkt", "--", sys.executable, NAUGHTY, "crash", "x", cwd=tmp_path)
    text = ran.out.decode()
    assert ran.exit == 6
    assert "crash: it ended with signal 9" in text
    assert "    ! I cannot go on" in text
    assert b"the bot made a mistake in" in ran.err


def test_a_function_and_a_bot_of_the_game_can_be_tried(tmp_path: Path) -> None:
    path = f"{EXAMPLES / 'schwarzmarkt.py'}:decide"
    assert run_here("bot", "schwarzmarkt", "--", path, cwd=tmp_path).exit == 0
    assert run_here("bot", "schwarzmarkt", "--", "random", cwd=tmp_path).exit == 0


@pytest.mark.parametrize(
    "words",
    [
        ["--check", "mark", "--", "no-such-program"],
        ["--check", "mark"],
        ["--check", "no-game", "--", "true"],
        ["mark", "--", "nobody.py:decide"],
        ["mark", "--seat", "9", "--", "random"],
        ["mark", "--seats", "9", "--", "random"],
        ["mark", "--against", "nobody", "--", "random"],
        ["mark", "--option", "nothing=1", "--", "random"],
    ],
    ids=" ".join,
)
def test_a_bot_that_cannot_run_is_refused(tmp_path: Path, words: list[str]) -> None:
    ran = run_here("bot", *words, cwd=tmp_path)
    assert ran.exit == 2
    assert ran.out == b""
    assert ran.err.count(b"\n") == 2
