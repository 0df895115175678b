"""Built-in bots play the same game in any process: nothing depends on the order of a set."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
from referee.tournament.entrants import make_bot
from referee.tournament.playing import play_game
from referee.tournament.schedule import Plan
from referee.tournament.spec import GameLine, played
from tests.tournament.world import setting_for

GAMES = (("weg-zum-erfolg", 2), ("schwarzer-freitag", 2), ("mark", 2), ("schwarzmarkt", 3))
words = {"a": "sensible", "b": "random", "c": "tests.campaign.bots:careful"}
made = {name: make_bot([bot], program=False) for name, bot in words.items()}
games = tuple(played(GameLine(*line)) for line in GAMES)
seed = bytes.fromhex("71b337fae685c0b0f79604937d3d8b5781f24adcea291bd44d454db8da1c71a3")
setting = setting_for(games, made, seed)
for plan in (Plan(91, 40, 0, (1, 2)), Plan(1, 1, 1, (0, 2)), Plan(2, 2, 2, (0, 2)), Plan(3, 3, 3, (0, 1, 2))):
    print(play_game(setting, plan))
"""


@pytest.mark.thorough
def test_the_same_games_whatever_the_order_of_sets() -> None:
    """The first is one in which `sensible` once said other standing orders in another process."""
    found = []
    for order in ("0", "1"):
        env = os.environ | {"PYTHONHASHSEED": order, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", SCRIPT]
        found.append(subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout)
    assert len(found[0].splitlines()) == 4
    assert found[0] == found[1]
