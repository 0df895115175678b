"""`play --resign`: a player leaves for good, and only that is signed."""

import json
from pathlib import Path

import pytest

from referee.crypto.codec import decode
from referee.engine import records as r
from tests.cli.terminal import Desk
from tests.cli.world import Ran, check_refusal, run_here
from tests.support.match import Sitting


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """It is the turn of the first of two players."""
    return Desk(tmp_path / "desk", Sitting("schwarzer-freitag", 2, "leaving").until(lambda one: one.asked == [0]))


def leave(desk: Desk, *more: str) -> Ran:
    home = desk.home(desk.sitting.players[0].name)
    return run_here("play", desk.view(0), "--resign", *more, cwd=desk.root, home=home)


def test_leaving_is_signed_and_ends_the_game(desk: Desk) -> None:
    ran = leave(desk, "--json")
    assert ran.exit == 0, ran.said
    assert "Your answer: you leave the game for good" in ran.said
    told = json.loads(ran.out)
    assert (told["text"], told["move"], told["standing"], told["written"]) == ("resign", None, None, desk.move(0).name)
    data = desk.move(0).read_bytes()
    body = decode(bytes(decode(data, r.MoveFile, "move").body), r.Move, "move")
    assert (body.resign, r.content(body.answer), r.content(body.standing)) == (True, b"", b"")
    assert desk.sitting.give(data).code == "taken"
    assert desk.sitting.state.end == "left"


@pytest.mark.parametrize(
    "more", [("--move", "#1"), ("--move-json", "{}"), ("--say", "x"), ("--say-json", "{}")], ids=lambda more: more[0]
)
def test_whoever_leaves_says_nothing_else(desk: Desk, more: tuple[str, str]) -> None:
    check_refusal(leave(desk, *more), (2,))
    assert not desk.move(0).exists()


def test_leaving_can_be_tried(desk: Desk) -> None:
    ran = leave(desk, "--dry-run")
    assert (ran.exit, "you leave the game for good" in ran.said) == (0, True)
    assert not desk.move(0).exists()
