"""Practice at the terminal: a game against bots from the first move to the last, left and continued."""

import json
import re
from pathlib import Path

import pytest

import referee
from referee.library import rehearsing
from tests.cli.terminal import Terminal
from tests.cli.world import run_here
from tests.support.short import short_json


def begin(folder: Path, *args: str, **how: str) -> Terminal:
    return Terminal(["practice", *args], folder, folder, env=how)


def moves_of(screen: str) -> list[str]:
    return re.findall(r"^ *#\d+  (.*)$", screen, re.MULTILINE)


@pytest.mark.thorough
def lost_with_every_hint(edition: bytes) -> str:
    """A seed with which somebody loses who takes every hint: the order of the ranks is not that of the seats."""
    for seed in map(str, range(100)):
        game = referee.practice("mark", seats=2, seed=seed, edition=edition)
        while game.asked:
            game.play(game.hint())
        if game.result is not None and game.result.ranks == (2, 1):
            return seed
    raise AssertionError("hints always win")


def test_a_game_is_played_to_its_end_left_and_continued(tmp_path: Path) -> None:
    """The same seed gives the game that a program plays; nothing stays behind when it is over."""
    edition = tmp_path / "short.json"
    edition.write_text(short_json("mark"))
    seed = lost_with_every_hint(edition.read_bytes())
    game = referee.practice("mark", seats=2, seed=seed, edition=edition.read_bytes())
    terminal = begin(tmp_path, "mark", "--seats", "2", "--seed", seed, "--edition", "short.json")
    terminal.question()
    while game.asked:
        hinted = re.search(r"The bot would play: (.*)", terminal.says("hint"))
        assert hinted
        assert hinted[1] == game.hint().text
        game.play(hinted[1])
        terminal.answer(hinted[1])
        if len(game.answers) == 3:
            terminal.question()
            assert terminal.leave("quit\n")[0] == 0
            terminal = begin(tmp_path, "mark")
            assert "You continue the game that you left" in terminal.question()
        elif game.asked:
            terminal.question()
    status, screen = terminal.end()
    assert status == 0
    assert game.result is not None
    ranked = re.findall(r"^ *(\d)\. (\w+)$", screen, re.MULTILINE)
    assert ranked == sorted((str(rank), name) for rank, name in zip(game.result.ranks, game.names, strict=True))
    assert not Path(rehearsing.path_of("mark")).exists()


def test_a_move_is_taken_back(tmp_path: Path) -> None:
    terminal = begin(tmp_path, "schwarzer-freitag", "--seed", "back")
    first = moves_of(terminal.question())
    assert "There is no move to take back." in terminal.says("undo")
    hinted = re.search(r"The bot would play: (.*)", terminal.says("hint"))
    assert hinted
    assert moves_of(terminal.says(hinted[1])) != first
    family = next(number for number, text in enumerate(first, 1) if "," in text)
    terminal.says(f"#{family}")
    again = terminal.says("rückgängig")
    assert "Your last move is taken back." in again
    assert moves_of(again) == first
    assert "leave; the game is kept for you" in terminal.says("?")
    status, screen = terminal.leave("quit\n")
    assert (status, "Next: `referee practice schwarzer-freitag` continues" in " ".join(screen.split())) == (0, True)


def test_a_game_is_chosen_from_the_list(tmp_path: Path) -> None:
    terminal = begin(tmp_path)
    assert re.search(r"^ *1  M\.A\.R\.K\.$", terminal.question(), re.MULTILINE)
    assert "Type a number from 1 to 4." in terminal.says("5")
    assert terminal.says("mark").endswith("Do you want your first moves explained? [Y/n] ")
    screen = terminal.says("")
    assert "You run a recycling plant." in screen
    assert "Type this, or any other move: roll" in screen
    assert "A double: two actions with plastic." in terminal.says("roll")
    assert terminal.leave("quit\n")[0] == 0


def test_a_script_is_sent_to_the_library(tmp_path: Path) -> None:
    ran = run_here("practice", "mark", cwd=tmp_path)
    assert ran.exit == 2
    assert "practice needs a terminal" in ran.said
    assert "see `referee manual library`" in ran.said


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["chess"], "there is no game"),
        (["mark", "--seats", "5"], "M.A.R.K. is for 2 to 4 players"),
        (["mark", "--seat", "4"], "there is no seat"),
        (["mark", "--seat", "0"], "there is no seat"),
        (["mark", "--level", "perfect"], "has no bot"),
        (["mark", "--option", "buy=perhaps"], "cannot be"),
        (["mark", "--seed", "1", "--guide"], "the guided opening is a game of its own"),
    ],
)
def test_what_cannot_be_played_is_refused(args: list[str], said: str, tmp_path: Path) -> None:
    status, screen = begin(tmp_path, *args).end()
    assert status == 2
    assert said in " ".join(screen.split())
    assert not (tmp_path / "practice").exists()


def test_a_game_that_cannot_be_continued_says_so(tmp_path: Path) -> None:
    """Rules that have changed, an invalid answer, a damaged file: another game can begin."""
    terminal = begin(tmp_path, "mark", "--seed", "1")
    terminal.question()
    terminal.says("roll")
    terminal.leave("quit\n")
    (path,) = tmp_path.rglob("mark.json")
    kept = json.loads(path.read_text())
    for changed in ({"rules": "0"}, {"answers": [{"move": {"type": "fly"}}]}, {"seats": 9}):
        path.write_text(json.dumps(kept | changed))
        status, screen = begin(tmp_path, "mark").end()
        assert status == 2
        assert "cannot be continued" in screen or "2 to 4 players" in screen
        assert "`referee practice mark --new`" in " ".join(screen.split())
    path.write_text("{")
    status, screen = begin(tmp_path, "mark").end()
    assert "is not a practice game" in " ".join(screen.split())
    terminal = begin(tmp_path, "mark", "--new", "--no-guide")
    terminal.question()
    assert terminal.leave("quit\n")[0] == 0
    assert json.loads(path.read_text())["answers"] == []
