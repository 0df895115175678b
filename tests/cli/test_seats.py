"""Handing a seat over on the command line."""

import json
from pathlib import Path

import pytest

from tests.cli.world import Ran, run_here


class People:
    """Folders of people who run commands."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, who: str, *words: str, exit: int = 0) -> Ran:
        folder = self.root / who
        folder.mkdir(exist_ok=True)
        ran = run_here(*words, cwd=folder)
        assert ran.exit == exit, ran.said
        return ran

    def newest(self, who: str, pattern: str) -> str:
        return str(max((self.root / who).glob(pattern)))

    def first_move(self, who: str, view: str, *more: str) -> str:
        move = json.loads(self.run(who, "moves", view, "--json").out)["choices"][0]["move"]
        self.run(who, "play", view, "--move-json", json.dumps(move), "--yes", *more)
        return self.newest(who, "*.move.json")


@pytest.fixture
def people(tmp_path: Path) -> People:
    """Anna and Bert have agreed to a game; it is Anna's turn."""
    made = People(tmp_path)
    for name in ("Hanna", "Anna", "Bert", "Emil"):
        made.run(name.lower(), "key", "new", "--name", name)
    made.run("hanna", "offer", "schwarzer-freitag", "--seats", "2", "--takeovers", "1")
    offer = made.newest("hanna", "*.offer.json")
    for name in ("anna", "bert"):
        made.run(name, "join", offer)
    joins = [made.newest(name, "*.join.json") for name in ("anna", "bert")]
    made.run("hanna", "start", offer, *joins)
    for name in ("anna", "bert"):
        made.run(name, "play", made.newest("hanna", f"*-{name}.view.json"))
        made.run("hanna", "apply", "game.json", made.newest(name, "*.move.json"))
    return made


def test_a_player_hands_its_seat_to_somebody(people: People):
    emil = people.run("emil", "key", "show").out.decode().strip()
    move = people.first_move("anna", people.newest("hanna", "*-anna.view.json"), "--handover", emil)
    people.run("hanna", "apply", "game.json", move)
    told = json.loads(people.run("hanna", "status", "game.json", "--json").out)
    assert (told["vacant"], told["out"]) == (["Anna"], [])
    people.run("emil", "succeed", people.newest("hanna", "*-bert.view.json"))
    stranger = people.run("anna", "succeed", people.newest("hanna", "*-bert.view.json"), "--name", "Zoe", exit=5)
    assert "its holder named somebody else" in stranger.said
    people.run("hanna", "apply", "game.json", people.newest("emil", "*.succession.json"))
    move = people.first_move("bert", people.newest("hanna", "*-bert.view.json"))
    people.run("hanna", "apply", "game.json", move)
    told = json.loads(people.run("hanna", "status", "game.json", "--json").out)
    assert (told["players"], told["vacant"]) == (["Emil", "Bert"], [])
    people.run("emil", "audit", people.newest("hanna", "*-emil.view.json"))
    move = people.first_move("emil", people.newest("hanna", "*-emil.view.json"))
    assert "Emil's move is taken" in people.run("hanna", "apply", "game.json", move).said
    shown = people.run("emil", "show", move).out.decode()
    assert "Emil" in shown


def test_whom_a_seat_is_handed_to_is_named_by_a_key(people: People):
    view = people.newest("hanna", "*-anna.view.json")
    assert "referee key show" in people.run("anna", "play", view, "--handover", "zz", "--resign", exit=2).said
