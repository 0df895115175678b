"""A view on the screen: every kind of situation, at every width; and the same for programs."""

import json

import msgspec
import pytest
from referee.games.auction import Bid, Words

from referee import games
from referee.show.terminal import as_data, render, standing_lines, wrapped
from tests.show.person import PLAIN
from tests.support.match import Sitting


@pytest.mark.parametrize("game_id", games.game_ids())
def test_every_kind_of_position_can_be_shown(game_id: str) -> None:
    """Before the deal, asked and not asked, after a missed deadline, with a seat out, when all have left."""
    sitting = Sitting(game_id, seed="moments")
    assert "Nothing is dealt until everybody agrees" in render(sitting.opened(0), PLAIN)
    sitting.step()
    late = sitting.asked[0]
    assert "To act: " in render(sitting.opened(late), PLAIN)
    sitting.step(late)
    other = (late + 1) % 3
    shown = render(sitting.opened(other), PLAIN)
    assert f"{sitting.table.names[late]} missed the deadline" in shown
    assert "Waiting for a confirmation" in shown
    sitting.step(late)
    assert f"No longer asked: {sitting.table.names[late]}." in render(sitting.opened(other), PLAIN)
    for _ in range(40):
        if sitting.over:
            break
        seat = next(seat for seat in sitting.asked)
        assert sitting.give(sitting.signed(seat, resign=True)).error is None
        if not sitting.over:
            for rest in [one for one in sitting.asked if one not in sitting.match.waiting]:
                assert sitting.give(sitting.signed(rest)).error is None
    assert sitting.state.end == "left"
    for seat in range(3):
        opened = sitting.opened(seat)
        shown = render(opened, PLAIN)
        assert "The game is over: the others have left." in shown
        assert as_data(opened)["end"] == "left"
        best = next(
            name for name, rank in zip(sitting.table.names, sitting.state.result.ranks, strict=True) if rank == 1
        )
        assert f"  1. {best}" in shown


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", games.game_ids())
def test_every_picture_keeps_to_the_width(game_id: str) -> None:
    """60 columns are always enough, and 80 or 100 are not exceeded, so nothing wraps."""
    sitting = Sitting(game_id, seed="widths", seats=4)
    for _ in range(5):
        for _ in range(5):
            if not sitting.over:
                sitting.step()
        opened = sitting.opened(sitting.round % 4)
        for width in (60, 80, 100):
            long = [line for line in render(opened, PLAIN, width).splitlines() if len(line) > width]
            assert long == [], f"round {sitting.round} at {width} columns"


def test_sentences_are_wrapped_between_words() -> None:
    assert (
        wrapped("the quick brown fox jumps over the dog", 20, 2) == "  the quick brown\n    fox jumps over\n    the dog"
    )
    assert wrapped("cups of well-kept goods", 20) == "cups of well-kept\n  goods"
    assert wrapped("cups of tea, well-kept", 20) == "cups of tea,\n  well-kept", "a word with a hyphen is one word"


def test_a_program_gets_seats_that_count_from_one() -> None:
    sitting = Sitting(seed="data")
    for seat in range(3):
        before = as_data(sitting.opened(seat))
        assert (before["you"], before["ask"].seat, before["ask"].what) == (seat + 1, seat + 1, "ack")
        assert [ask.seat for ask in before["waiting_for"]] == [1, 2, 3]
    sitting.until("raid")
    for seat in range(3):
        data = json.loads(msgspec.json.encode(as_data(sitting.opened(seat))))
        assert data["you"] == seat + 1
        assert [ask["seat"] for ask in data["waiting_for"]] == [sitting.asked[0] + 1]
        assert (data["ask"] is None) == (seat not in sitting.asked)


def test_standing_orders_of_all_players_are_shown() -> None:
    sitting = Sitting(seed="said")
    for seat in range(3):
        sitting.give(sitting.signed(seat, standing=Words(7) if seat else None))
    names = sitting.table.names
    assert standing_lines(sitting.opened(0), names) == ["Standing orders (Bert and Carla): bid 7 always"]
    assert "\nStanding orders (you and Bert): bid 7 always\n" in render(sitting.opened(2), PLAIN)
    assert as_data(sitting.opened(2))["said"] == [[], ["bid 7 always"], ["bid 7 always"]]
    sitting.give(sitting.signed(0, move=Bid(1), standing=Words(8)))
    others = "Standing orders (Bert and Carla): bid 7 always"
    assert standing_lines(sitting.opened(0), names) == ["Standing orders (you): bid 8 always", others]
    assert standing_lines(sitting.opened(1), names)[1] == "Standing orders (Anna): bid 8 always"
