"""The example bots: short, better than random play, and what BOTS.md asks for."""

import os
import shutil

import pytest

from referee.bots import conformance
from referee.bots.process import prepared
from tests.bots.examples import BOTS, FOLDER, rules_of, strength

pytestmark = pytest.mark.skipif(os.name != "posix", reason="bots in other processes need Linux or macOS")


def runs(name: str) -> None:
    """Skip where the language is missing; where the tests must be complete they fail instead."""
    if name.endswith(".js") and shutil.which("node") is None and not os.environ.get("REFEREE_TEST_NODE"):
        pytest.skip("node is missing: the JavaScript bot is not tested")


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
    assert isinstance(run, list)
    rules = rules_of(game, "check")
    steps = conformance.check(prepared(run, run[1:]), rules_of(game, "check", rules.game.seats[0]))
    assert len(steps) == len(conformance.STEPS) > 30
    assert [(step.name, step.why) for step in steps if step.status in ("failed", "noted")] == []
    skipped = {step.name for step in steps if step.status == "skipped"}
    assert skipped <= {"stateless", "sealed"}
