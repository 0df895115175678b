"""What people type and read: players by name, everything from others made harmless."""

import copy

import pytest
from referee.games.auction import Raid

from referee import games
from referee.engine.player import Opened, consult
from referee.errors import IllegalMove
from referee.games.schwarzmarkt.types import Raid as Razzia
from referee.show.terminal import Painter, as_data, parse, render, with_names, without_names
from tests.support.match import Sitting

PLAIN = Painter(colour=False)


def called(opened: Opened, *names: str) -> Opened:
    """The same view of players with other names."""
    opened.chain.table.names = names
    return opened


# --- names ------------------------------------------------------------------------------------------------------------


def test_names_stand_for_seats_in_typed_moves_and_in_the_log() -> None:
    names = ("Anna", "Anna Maria", "Bert", "O'Neil", "Jörg")
    assert without_names("razzia anna maria sugar", names) == "razzia @1 sugar"
    assert without_names("razzia ANNA sugar, bertram", names) == "razzia @0 sugar, bertram"
    assert without_names("raid o'neil 09, JÖRG 10", names) == "raid @3 09, @4 10"
    assert without_names("annabert Maria", names) == "annabert Maria", "a name is a word, not a part of one"
    assert without_names("@0 bert", ("Bert", "@0")) == "@1 @0", "in one pass: what a name became is not a name again"
    assert with_names("@0 raids @1 for sugar, @7 and @12 do not exist", names) == (
        "Anna raids Anna Maria for sugar, @7 and @12 do not exist"
    )
    assert with_names("@0 and @1", ("@1", "Bert")) == "@1 and Bert"
    assert with_names("@0", ("An\x1b[31mna\u202e",)) == r"An\x1b[31mna\u202e"


def test_a_move_can_name_a_player() -> None:
    sitting = Sitting("schwarzmarkt", seed="names").until(1)
    view = sitting.opened(sitting.asked[0])
    others = [seat for seat in range(3) if seat != view.seat]
    name = view.table.names[others[0]]
    assert parse(view, f"razzia {name.upper()} sugar") == Razzia(others[0], "sugar")
    assert parse(view, f"razzia @{others[0]} sugar") == Razzia(others[0], "sugar")
    with pytest.raises(IllegalMove):
        parse(view, "razzia nobody sugar")


@pytest.mark.parametrize(
    "names",
    [("raid", "2", "09"), ("Sugar", "razzia", "@1"), ("Anna", "Anna 09", "09"), ("1", "2", "3"), ("a", "b", "c")],
)
def test_no_name_redirects_a_move(names: tuple[str, ...]) -> None:
    """A name that is a word or a number of the game, or part of another: the list still means what it says, and so does
    what is typed in the game's own words."""
    sitting = Sitting(seed="words").until("raid")
    opened = sitting.opened(sitting.asked[0])
    texts = {choice.text: choice.move for choice in consult(opened, opened.table.game.legal)}
    called(opened, *names)
    for text, move in texts.items():
        assert parse(opened, text) == move
        assert parse(opened, with_names(text, names).upper().lower()) == move
    assert {type(move) for move in texts.values()} == {Raid}


@pytest.mark.parametrize("game_id", games.game_ids())
def test_what_the_list_shows_means_what_it_says_whatever_the_players_are_called(game_id: str) -> None:
    sitting, read = Sitting(game_id, seed="list"), 0
    for _ in range(8):
        sitting.step()
        if sitting.over:
            break
        for seat in sitting.asked:
            opened = called(copy.copy(sitting.opened(seat)), "b", "piece", "Up")
            if not opened.decides:
                continue
            listed = list(consult(opened, opened.table.game.legal))
            shown = [with_names(choice.text, opened.table.names).casefold() for choice in listed]
            for choice, text in zip(listed, shown, strict=True):
                if shown.count(text) == 1:
                    assert parse(opened, text) == choice.move
                    read += 1
    assert read > 10


# --- pictures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", games.game_ids())
def test_every_kind_of_moment_can_be_shown(game_id: str) -> None:
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
    assert "To send a bare link" in shown
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
        assert all(len(line) <= 110 for line in shown.splitlines())
        assert as_data(opened)["end"] == "left"
        best = next(
            name for name, rank in zip(sitting.table.names, sitting.state.result.ranks, strict=True) if rank == 1
        )
        assert f"  1. {best}" in shown
