"""What `play --move` says at a terminal before anything is signed: whether the turn stays open."""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from referee.engine.player import Draft
from referee.engine.rounds import asked
from referee.game import LINK
from referee.language import LANGUAGES, speaking
from referee.show.preview import preview_lines
from referee.show.typed import choices
from referee.show.wording import move_text
from referee.testing.spoken import moves_of
from tests.cli.terminal import Desk
from tests.support.match import Sitting

GAMES = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")
OPEN = {
    "en": "your turn stays open: you will be asked again",
    "de": "dein Zug bleibt offen: du wirst noch einmal gefragt",
    "nl": "je beurt blijft open: je wordt nog eens gevraagd",
}
SIGN = {"en": "Sign this? [Y/n]", "de": "Das unterschreiben? [J/n]", "nl": "Dit ondertekenen? [J/n]"}


def moves(game_id: str) -> Iterator[tuple[Sitting, int, object]]:
    """Moves of seats that are asked alone, in games of bots."""
    rng = random.Random(game_id)
    for number in range(20):
        sitting = Sitting(game_id, seed=f"half-turns {number}")
        while not sitting.over and sitting.round < 60:
            if len(sitting.asked) == 1 and (opened := sitting.opened(sitting.asked[0])).decides:
                for move in moves_of(choices(opened), opened.table.game.move, rng):
                    yield sitting.fork(), opened.seat, move
            sitting.step()


def stays_open(sitting: Sitting, seat: int, move: object) -> bool:
    """Whether this seat decides once more after this move: the host says so, who plays it."""
    after = sitting.fork()
    assert after.give(after.signed(seat, move=move)).error is None
    ask = asked(after.state).get(seat)
    return not after.over and ask is not None and ask.what != LINK


@cache
def half_turn(game_id: str, open_: bool) -> tuple[Sitting, int, object]:
    """The first move that leaves its turn open and whose outcome nobody else and no chance decides; or that ends it."""
    for sitting, seat, move in moves(game_id):
        if stays_open(sitting, seat, move) is open_ and (
            preview_lines(sitting.opened(seat), Draft(move, None)) or not open_
        ):
            return sitting, seat, move
    raise AssertionError(f"no half-turn of {game_id} is announced")


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("open_", [True, False])
@pytest.mark.parametrize("game_id", GAMES)
def test_a_half_turn_is_announced_before_it_is_signed(tmp_path: Path, game_id: str, open_: bool, language: str) -> None:
    sitting, seat, move = half_turn(game_id, open_)
    desk = Desk(tmp_path, sitting)
    with speaking(language):
        typed = move_text(sitting.table, move)
    person = desk.play(seat, "--move", typed, "-o", "signed.json", env={"REFEREE_LANGUAGE": language})
    shown = person.wait_for(SIGN[language])
    assert (OPEN[language] in " ".join(shown.split())) is open_, shown
    person.type("n\n")
    status, _ = person.end()
    assert status == 130
    assert not (tmp_path / "signed.json").exists()
    again = desk.play(seat, "--move", typed, "-o", "signed.json", "--yes", env={"REFEREE_LANGUAGE": language})
    status, screen = again.end()
    assert (status, SIGN[language] in screen) == (0, False), screen
    assert (tmp_path / "signed.json").exists()


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", GAMES)
def test_no_turn_is_announced_as_open_that_ends(game_id: str) -> None:
    said = 0
    for tried, (sitting, seat, move) in enumerate(moves(game_id)):
        lines = preview_lines(sitting.opened(seat), Draft(move, None))
        if OPEN["en"] in lines:
            assert stays_open(sitting, seat, move), move_text(sitting.table, move)
            said += 1
        if tried == 150:
            break
    assert said
