"""Refusals: data in the rules, sentences in `story_refusals`."""

from pathlib import Path

from tests.games.refusals import check


def test_refusals(tmp_path: Path) -> None:
    check("schwarzmarkt", tmp_path)
