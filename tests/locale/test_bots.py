"""What people read about bots in German and Dutch: checks, trials, the demo. What bots read stays English."""

import re
import sys
from pathlib import Path

import pytest

from referee.bots.conformance import STEPS
from referee.bots.demo import run
from referee.bots.players import Hello, LocalPlayer, Question, Reply, moves
from referee.bots.trial import Rules, trial
from referee.crypto.codec import encode
from referee.engine.table import make_terms
from referee.language import speaking
from referee.testing.subject import Subject
from tests.cli.world import run_here

from .left_over import english_in
from .make import ROOT, TARGETS

NAUGHTY = str(ROOT / "tests" / "bots" / "naughty.py")
WAYS = ("talks", "version", "crash")
"""How the bots under check misbehave."""


@pytest.mark.parametrize("language", TARGETS)
def test_steps_are_told_in_the_readers_language(language: str) -> None:
    with speaking(language):
        told = {name: str(step) for name, step in STEPS.items()}
    assert {name: text for name, text in told.items() if english_in(text, language)} == {}
    assert all(text != str(STEPS[name]) for name, text in told.items())


@pytest.mark.thorough
@pytest.mark.parametrize("language", TARGETS)
@pytest.mark.parametrize("how", WAYS)
def test_a_check_has_no_english_in_it(tmp_path: Path, how: str, language: str) -> None:
    words = ("bot", "--check", "mark", "--", sys.executable, NAUGHTY, how, "x")
    ran = run_here(*words, cwd=tmp_path, env={"REFEREE_LANGUAGE": language})
    assert ran.exit == 6
    lines = [
        line for line in (ran.out.decode() + ran.said).splitlines() if not re.match(r" {10}\S", line)
    ]  # but for what bots wrote
    told = [re.sub(r"^ *\S+  [a-z-]+ +", "", line) for line in lines]  # but for the names of steps
    assert len(told) > len(STEPS)
    assert {line for line in told if english_in(line, language)} == set()


@pytest.mark.thorough
@pytest.mark.parametrize("language", TARGETS)
def test_a_demo_has_no_english_in_it(tmp_path: Path, language: str) -> None:
    said: list[str] = []
    with speaking(language):
        said += run("mark", 2, str(tmp_path / "demo"), "x", said.append).lines("mark")
    assert len(said) > 4
    assert english_in("\n".join(line for line in said if str(tmp_path) not in line), language) == []


def test_bots_are_spoken_to_in_english() -> None:
    """Whoever starts them."""
    subject = Subject("weg-zum-erfolg")
    terms = make_terms(subject.game, 2, subject.game.options(), subject.edition)
    rules = Rules("weg-zum-erfolg", subject.game, terms, seed="bots")
    heard: list[bytes] = []

    class Listener(LocalPlayer):
        def begin(self, hello: Hello) -> Reply:
            self.hello = hello
            return super().begin(hello)

        def answer(self, question: Question) -> Reply:
            plain = encode(moves(self.hello, question))
            with speaking("de"):
                heard.append(encode(moves(self.hello, question)))
            assert heard[-1] == plain
            return super().answer(question)

    trial(rules, [lambda: Listener("random"), lambda: LocalPlayer("random")], rounds=12)
    assert len(heard) > 2
