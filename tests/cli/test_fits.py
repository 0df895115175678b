"""On a terminal of 24 lines and 80 columns, what is shown before a question fits above it: what changed, the reader's
own hand, the moves. `show` and `more` show the rest."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.engine.player import open_view
from referee.library import rehearsing
from referee.show import typed
from tests.cli.terminal import Desk, Terminal
from tests.support.match import Sitting

pytestmark = pytest.mark.thorough
GAMES = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")
LINES, COLUMNS = 24, 80
YES = {"en": "You will sign", "de": "Du unterschreibst", "nl": "Je ondertekent"}


def lines_of(screen: str) -> int:
    """How many lines a terminal needs for this, the question included."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", screen)
    return sum(max(1, -(-len(line) // COLUMNS)) for line in plain.strip("\n").split("\n"))


def fits(screen: str) -> None:
    assert lines_of(screen) < LINES, f"{lines_of(screen)} lines:\n{screen}"


def turns(game: str, rounds: int = 40, every: int = 6) -> Iterator[Sitting]:
    """The game at several turns, one of each kind of decision among them."""
    sitting, met = Sitting(game, seed="fits"), set[str]()
    yield sitting
    for number in range(rounds):
        if sitting.over:
            return
        sitting.step()
        if sitting.asked and (sitting.what not in met or number % every == 0):
            met.add(sitting.what)
            yield sitting


@pytest.mark.parametrize("language", ["en", "de", "nl"])
@pytest.mark.parametrize("game", GAMES)
def test_a_turn_fits(game: str, language: str, tmp_path: Path) -> None:
    seen = 0
    for number, sitting in enumerate(turns(game)):
        desk = Desk(tmp_path / str(number), sitting)
        seat = min(sitting.asked)
        if number and not desk.opened(seat).decides:
            continue
        for other in range(len(sitting.players)):
            if other != seat:
                (desk.root / desk.view(other)).unlink()
        name = sitting.players[seat].name
        terminal = Terminal(["play"], desk.root, desk.home(name), {"REFEREE_LANGUAGE": language}, columns=COLUMNS)
        screen = terminal.question()
        fits(screen)
        assert desk.view(seat) in screen
        if number:
            seen += 1
            assert "#1 " in screen
            if lines_of(terminal.says("show")) > LINES:
                assert "(`" in screen
        terminal.leave("\x03")
    assert seen > 2


@pytest.mark.parametrize("language", ["en", "de", "nl"])
@pytest.mark.parametrize("game", GAMES)
def test_practice_fits(game: str, language: str, tmp_path: Path) -> None:
    """From the first explained move on; nothing on the way is longer than the screen, as long as nobody asks for the
    board."""
    terminal = Terminal(["practice", game], tmp_path, tmp_path, {"REFEREE_LANGUAGE": language}, columns=COLUMNS)
    fits(terminal.question())
    opening = rehearsing.guide_of(game)
    assert opening
    kept = rehearsing.explained_game(game, opening)
    table = rehearsing.resume(kept)
    fits(terminal.says(""))
    for _ in range(12):
        move = table.hint().text
        fits(terminal.says(move))
        table.play(move)
    assert lines_of(terminal.says({"en": "show", "de": "zeige", "nl": "toon"}[language])) > 10
    terminal.leave("\x03")


def test_what_is_left_out_is_a_word_away(tmp_path: Path) -> None:
    """A long list ends where the screen does; `more` goes on with the number that comes next, and any number can be
    typed."""
    sitting = Sitting("schwarzer-freitag", seed="fits").until(lambda one: one.what == "turn" and one.round > 8)
    desk, seat = Desk(tmp_path / "desk", sitting), min(sitting.asked)
    found = typed.choices(open_view(sitting.view(seat)))
    name = sitting.players[seat].name
    terminal = Terminal(["play", desk.view(seat)], desk.root, desk.home(name), {"LINES": "12"}, columns=COLUMNS)
    first = [int(number) for number in re.findall(r"^ *#(\d+)  ", terminal.question(), re.MULTILINE)]
    rest = [int(number) for number in re.findall(r"^ *#(\d+)  ", terminal.says("more"), re.MULTILINE)]
    assert first
    assert rest
    assert first + rest == list(range(1, len(found) + 1))
    terminal.leave("\x03")
