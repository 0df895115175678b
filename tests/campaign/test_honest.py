"""A sample of the campaign; `tests/campaign/README.md` has the result of the large run."""

from collections import Counter

import pytest

from tests.campaign.chaos import run
from tests.campaign.framing import run_game, run_mutations
from tests.campaign.honest import GAMES, STORM, Habits, play


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_an_honest_host_is_never_accused(game):
    figures = play(game, "sample", Habits())
    assert figures["games"] == 1
    assert figures["views"] >= 2


@pytest.mark.thorough
def test_nor_where_everything_goes_wrong():
    for number in range(6):
        figures = play("auction", f"storm {number}", STORM)
        assert figures["late"] + figures["resigned"] > 0


@pytest.mark.thorough
def test_nor_whatever_the_rules_are():
    figures = Counter()
    for number in range(8):
        figures.update(run(f"sample {number}", STORM if number % 2 else None))
    assert figures["games"] == 8


@pytest.mark.thorough
def test_nobody_honest_is_framed():
    figures = Counter()
    for number in range(8):
        figures.update(run_game(number, "sample"))
    assert figures["files"] > 80
    figures = run_mutations(200, "sample", ("mark",)) + run_mutations(100, "sample", ("schwarzmarkt",))
    assert figures["altered"] > 130
    assert figures["proved"] > 0, "some changes of a true proof leave it one, against whoever cheated"
