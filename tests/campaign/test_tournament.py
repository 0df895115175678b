"""A sample of the campaign: all four games, bots in three languages, one kill."""

import shutil
from pathlib import Path

import pytest

from tests.campaign.tournament import run


@pytest.mark.thorough
def test_all_games_with_bots_in_three_languages_checked_and_killed(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("no node")
    found = run(tmp_path, games=8, kills=1, jobs=1, seed=1, ours={"sensible": ""}, checks=1, again=1)
    assert found["games"] == 2 + 2 + 3 + 2
    assert found["played again"] == 4
    assert found["faults"] == 0
