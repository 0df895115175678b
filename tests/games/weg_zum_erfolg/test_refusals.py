"""Refusals: data in the rules, sentences in `story_refusals`."""

from pathlib import Path

from referee.games.weg_zum_erfolg.rules import ANSWERS
from referee.games.weg_zum_erfolg.story_refusals import WANTED
from tests.games.refusals import check


def test_refusals(tmp_path: Path) -> None:
    check("weg-zum-erfolg", tmp_path)


def test_what_is_asked_for() -> None:
    assert WANTED.keys() == ANSWERS.keys()
