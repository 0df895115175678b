"""What a player's program remembers: it notices a host who signs two histories, and mail that arrives late."""

import os

import pytest

from referee.engine import host, lobby
from referee.engine.player import open_view
from referee.errors import CheckFailed, WrongTurn
from referee.io import tickets
from tests.support.match import Sitting


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("REFEREE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def see(sitting: Sitting, seat: int = 0) -> str:
    """A seat's program looks at the current view."""
    opened = open_view(sitting.view(seat))
    ticket = tickets.find(opened.view)
    age = tickets.age(ticket, opened)
    if age == "new":
        tickets.remember(ticket, opened.view)
    return age


def complaint(sitting: Sitting) -> tuple[str, int]:
    with pytest.raises(CheckFailed) as error:
        see(sitting)
    return error.value.code, error.value.step


def evidence(home) -> list[str]:
    return sorted(name.split(".", 1)[1] for name in os.listdir(home / "tickets") if "evidence" in name)


def test_a_ticket_tells_new_same_and_old_views_apart(home):
    sitting = Sitting("auction", 3, "tickets").until("play")
    old = sitting.fork()
    assert [see(sitting), see(sitting)] == ["new", "same"]
    sitting.step()
    assert [see(sitting), see(old), see(sitting)] == ["new", "old", "same"]
    opened = open_view(old.view(0))
    with pytest.raises(WrongTurn) as error:
        tickets.refuse_old(tickets.find(opened.view), opened)
    assert error.value.code == "old-view"


def test_a_ticket_notices_a_fork(home):
    sitting = Sitting("auction", 3, "tickets").until("play")
    other = sitting.fork()
    sitting.step()
    other.step(1)
    number = sitting.round
    assert see(sitting) == "new"
    assert complaint(other) == ("two-entries", number)
    assert evidence(home) == ["evidence-1.view.json", "evidence-2.view.json"]
    other.step()
    assert complaint(other) == ("two-entries", number)
    assert see(sitting) == "same", "the ticket itself is not touched"


def test_a_ticket_notices_a_second_game_from_one_offer(home):
    sitting = Sitting("auction", 3, "tickets")
    assert see(sitting) == "new"
    swapped = (sitting.joins[0], sitting.joins[2], sitting.joins[1])
    sitting.match = host.new_match(sitting.host, lobby.make_genesis(sitting.host, sitting.offer, swapped))
    assert complaint(sitting) == ("two-geneses", 0)
