"""The example bots: short, better than random play, and what BOTS.md asks for."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from referee import games
from referee.bots import conformance
from referee.bots.process import ProcessPlayer, program_for
from referee.bots.trial import trial
from referee.bots.visible import Program
from tests.bots.examples import BOTS, FOLDER, rules_of, strength

pytestmark = pytest.mark.skipif(os.name != "posix", reason="bots in other processes need Linux or macOS")


def runs(name: str) -> None:
    """Skip where the language is missing; where the tests must be complete they fail instead."""
    if name.endswith(".js") and shutil.which("node") is None and not os.environ.get("REFEREE_TEST_NODE"):
        pytest.skip("node is missing: the JavaScript bot is not tested")


JAVA = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"]


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A bot in Java, compiled."""
    if shutil.which("javac") is None:
        pytest.skip("javac is missing: the bot in Java is not tested")
    folder = tmp_path_factory.mktemp("java")
    subprocess.run(["javac", "-d", folder, Path(__file__).with_name("Bot.java")], check=True)
    return program_for([*JAVA, str(folder), "Bot"], [str(folder)])


@pytest.mark.thorough
def test_two_bots_in_java_play_each_other(java: Program) -> None:
    """Each machine has its own /tmp: there they keep files by the number of their process."""
    rules = rules_of("mark", "java", 2)
    spent = trial(rules, [lambda: ProcessPlayer(java), lambda: ProcessPlayer(java)]).spent
    assert [one.faults for one in spent] == [{}, {}]
    assert [one.errors for one in spent] == ["", ""]
    assert all(one.questions > 10 for one in spent)


@pytest.mark.thorough
def test_a_bot_in_java_keeps_to_the_protocol(java: Program) -> None:
    keeps(java, "mark")


def test_all_examples_are_known_and_short() -> None:
    assert {path.name for path in FOLDER.iterdir() if path.suffix in (".py", ".js", ".sh")} == set(BOTS)
    for name in BOTS:
        assert len((FOLDER / name).read_text("utf-8").splitlines()) < 60


@pytest.mark.thorough
@pytest.mark.parametrize("name", BOTS)
def test_better_than_random(name: str) -> None:
    """Three fixed games; the campaign has figures that mean more."""
    runs(name)
    found, faults = strength(name, 3)
    assert faults == 0
    assert found > 0.6


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["freitag.js", "mark.py"])
def test_keeps_to_the_protocol(name: str) -> None:
    """The one in shell starts a dozen processes for each question: its check is part of the campaign."""
    runs(name)
    game, run = BOTS[name]
    keeps(program_for(run, run[1:]), game)


def keeps(program: Program, game: str) -> None:
    steps = conformance.check(program, rules_of(game, "check", games.load(game).seats[0]))
    assert len(steps) == len(conformance.STEPS) > 30
    assert [(step.name, str(step.why)) for step in steps if step.status in ("failed", "noted")] == []
    skipped = {step.name for step in steps if step.status == "skipped"}
    assert skipped <= {"stateless", "sealed"}
