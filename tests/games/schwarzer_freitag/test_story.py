"""The story: every kind of line as a sentence, and as data that survives being written down."""

import msgspec
import pytest

from referee.game import Note, note
from referee.games.schwarzer_freitag.story import tell
from referee.games.schwarzer_freitag.types import Buy

from .build import Desk, cases, deal
from .ledger import play_random

SENTENCES = {
    "@2 is the start player": note("starts", seat=2),
    "every player secretly draws 5 cases; drawn for the market: 2 red, 1 blue": note(
        "set-up", hand=5, drawn=["red", "red", "blue"]
    ),
    "@1 places red on the purchase strip": note("places", seat=1, mark="red"),
    "@0 buys red, red for 14, marks red": note("buys", seat=0, shares=["red", "red"], amount=14, mark="red"),
    "@0 buys red for 7": note("buys", seat=0, shares=["red"], amount=7, mark=""),
    "@4 sells blue, red for 19, marks blue": note("sells", seat=4, shares=["blue", "red"], amount=19, mark="blue"),
    "@2 buys 2 silver for 40, marks green": note("bars", seat=2, bars=2, amount=40, mark="green"),
    "@3 passes, marks orange": note("passes", seat=3, mark="orange"),
    "@3 passes": note("passes", seat=3, mark=""),
    "@1 marks red": note("marks", seat=1, mark="red"),
    "@1 plays the PASS card": note("card", seat=1, use="pass"),
    "@1 plays the SILVER+1 card": note("card", seat=1, use="silver"),
    "@1 keeps the PASS card: no red is left in the market": note("card kept", seat=1, colour="red"),
    "@0 takes 1 subsidy for 20": note("subsidies", seat=0, number=1, amount=20),
    "@0 takes 2 subsidies for 40": note("subsidies", seat=0, number=2, amount=40),
    "@0 pays the debt of 3": note("debt paid", seat=0, amount=3),
    "@0 pays 2 interest": note("interest paid", seat=0, amount=2),
    "@0 owes 2 interest": note("interest owed", seat=0, amount=2),
    "price change: drawn 3 red, 1 blue, 1 black": note("price change", drawn=["red", "red", "red", "blue", "black"]),
    "price change: drawn nothing": note("price change", drawn=[]),
    "red 7 -> 12, blue 7 -> 6": note("prices", why="drawn", moves=[("red", 7, 12), ("blue", 7, 6)]),
    "red 7 -> 6": note("prices", why="sold", moves=[("red", 7, 6)]),
    "red 7 -> 8: the last one has left the market": note("prices", why="last", moves=[("red", 7, 8)]),
    "red 7 -> 8: 3 on the strip": note("prices", why="three", moves=[("red", 7, 8)]),
    "red 7 -> 12: none in the market": note("prices", why="missing", moves=[("red", 7, 12)]),
    "silver 20 -> 23": note("silver", before=20, after=23),
    "stage 3": note("stage", number=3),
    "sale strip 3 is next": note("next strip", number=3),
    "sale strip 2 is refilled with red, red, black": note("refill", cases=["red", "red", "black"]),
    "all players have passed": note("all passed"),
    "the silver price has reached the end of its track: the game is over": note("end"),
    "@2 sells nothing, takes subsidies: 3, buys silver: 1, has gold: 2": note(
        "cash up", seat=2, shares=[], subsidies=3, bars=1, gold=2
    ),
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_sentences(sentence: str) -> None:
    assert tell(deal(), SENTENCES[sentence]) == sentence


def test_an_unknown_line_is_an_error() -> None:
    for unknown in (note("rumour"), note("rumour", seat=1), note("card", seat=1, use="rumour")):
        with pytest.raises(KeyError):
            tell(deal(), unknown)


def test_every_line_of_a_game_is_data_and_can_be_told() -> None:
    found = set()
    for seats in (2, 5):
        box = play_random(f"story {seats}", deal(seats), 0.1)
        for line in box.log:
            again = msgspec.json.decode(msgspec.json.encode(line), type=Note)
            assert tell(box.terms, again) == tell(box.terms, line)
            found.add(line.what)
    assert found <= {line.what for line in SENTENCES.values()}
    assert len(found) >= 15


def test_SF_17_the_lines_of_a_turn_come_in_order() -> None:
    desk = Desk().public(market=cases("red", "blue", "blue")).player(0, money=7)
    desk.do(Buy(cases("red"), "blue"))
    assert desk.told() == ["@0 buys red for 7, marks blue", "red 7 -> 8: the last one has left the market"]
