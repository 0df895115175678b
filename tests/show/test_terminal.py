"""What people type and read: players by name, everything from others made harmless."""

import pytest

from referee import games
from referee.engine.player import consult, open_view
from referee.engine.rounds import who_is_asked
from referee.errors import IllegalMove
from referee.games.schwarzmarkt.types import Raid
from referee.show.terminal import parse, with_names, without_names
from tests.support.match import Sitting


def test_names_stand_for_seats_in_typed_moves_and_in_the_log():
    names = ("Anna", "Anna Maria", "Bert")
    assert without_names("razzia anna maria sugar", names) == "razzia @1 sugar"
    assert without_names("razzia ANNA sugar, bertram", names) == "razzia @0 sugar, bertram"
    assert with_names("@0 raids @1 for sugar, @7 and @12 do not exist", names) == (
        "Anna raids Anna Maria for sugar, @7 and @12 do not exist"
    )
    assert with_names("@0", ("An\x1b[31mna\u202e",)) == r"An\x1b[31mna\u202e"


def test_a_move_can_name_a_player():
    table = Sitting("schwarzmarkt", seed="names")
    opened = open_view(table.play(1).view(0))
    name = opened.table.names[1]
    assert parse(opened, f"razzia {name.upper()} sugar") == Raid(1, "sugar")
    assert parse(opened, "razzia @1 sugar") == Raid(1, "sugar")
    with pytest.raises(IllegalMove):
        parse(opened, "razzia nobody sugar")


def test_a_name_that_is_a_word_of_the_game_changes_no_move():
    table = Sitting("schwarzmarkt", seed="names")
    opened = open_view(table.play(1).view(0))
    assert without_names("razzia @1 sugar", ("Sugar", "Bert", "Carla")) == "razzia @1 @0"
    assert parse(opened, "razzia @1 sugar").good == "sugar", "the text as it stands is tried first"


@pytest.mark.parametrize("game_id", games.game_ids())
def test_what_the_list_shows_means_what_it_says_whatever_the_players_are_called(game_id):
    table, read = Sitting(game_id, seed="list"), 0
    for _ in range(25):
        if table.play(1).match.state.end:
            break
        for seat in who_is_asked(table.match.state):
            opened = open_view(table.view(seat))
            opened.table.names = ("b", "piece", "Up")
            for choice in consult(opened, opened.table.game.legal):
                assert parse(opened, with_names(choice.text, opened.table.names)) == choice.move
                read += 1
    assert read > 10
