"""A sample of the campaigns; `tests/campaign/README.md` has the results of the large runs."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.campaign.chaos import run
from tests.campaign.framing import run_game, run_mutations
from tests.campaign.honest import GAMES, play
from tests.campaign.posting import STORM, Habits
from tests.campaign.running import gather

SHOWN = (
    "bank used",
    "came back",
    "claims",
    "end abandoned",
    "end result",
    "extended, then late",
    "extensions",
    "from a backup",
    "handed over",
    "late",
    "late and lost",
    "timed out in vain",
    "protests shown",
    "protests stated",
    "public views",
    "resigned",
    "said answered",
    "said damaged",
    "said revealed",
    "said stale",
    "taken over",
)
"""What has to happen in a sample, or it shows nothing."""


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_an_honest_host_is_never_accused(game):
    figures = play(game, "sample", Habits())
    assert figures["games"] == 1
    assert figures["views"] >= 2


@pytest.mark.thorough
def test_nor_where_everything_goes_wrong(capsys):
    habits = STORM, replace(STORM, abandon=0.1)
    tasks = [("auction", f"storm {number}", habits[number % 4 == 3]) for number in range(12)]
    figures = gather(play, tasks, jobs=1)
    assert [name for name in SHOWN if not figures[name]] == []
    assert capsys.readouterr().out.startswith("12 of 12, ")


@pytest.mark.thorough
def test_nor_whatever_the_rules_are():
    figures = Counter()
    for number in range(6):
        figures.update(run(f"sample {number}", STORM if number % 2 else None))
    assert figures["games"] == 6


@pytest.mark.thorough
def test_nobody_honest_is_framed():
    figures = Counter()
    for number in range(10):
        figures.update(run_game(number, "sample"))
    assert figures["files"] > 400
    assert [name for name in ("abandoned", "claims", "extensions", "protests shown") if not figures[name]] == []
    figures = run_mutations(300, "sample", ("auction", "mark"))
    assert figures["altered"] > 130
    assert figures["of an extension"] > 10
    assert figures["proved"] > 0, "some changes of a true proof leave it one, against whoever cheated"


def test_a_failure_is_reported_as_the_call_that_repeats_it(capsys):
    with pytest.raises(ZeroDivisionError):
        gather(lambda one, other: Counter(one // other), [(1, 0)], jobs=1)
    assert capsys.readouterr().out == "failed: <lambda>(1, 0)\n"
