"""The story in words."""

from typing import Any

import pytest

from referee.game import note
from referee.games.weg_zum_erfolg.story import LINES, tell

from .build import deal

TOLD: dict[str, tuple[dict[str, Any], str]] = {
    "start": ({"throws": [(0, 10), (2, 7)]}, "to decide who starts, @0 throws 10, @2 throws 7"),
    "starts": ({}, "@1 starts"),
    "misses": ({}, "@1 misses a turn"),
    "throws for a 6": ({"dice": [1, 2, 6]}, "@1 throws 1, 2, 6 for a 6"),
    "throws": ({"number": 3}, "@1 throws 3"),
    "throws in vain": ({"number": 3}, "@1 throws 3, which no piece can use"),
    "enters": ({"at": "S", "number": 4}, "@1 sets a piece on S and throws 4 for it"),
    "waits": ({}, "@1 brings in no piece"),
    "moves": ({"start": "O1", "end": "G2"}, "@1 moves from O1 to G2"),
    "stays": ({"way": "right", "at": "B8"}, "@1 cannot go right so far and stays on B8"),
    "beats": ({"whose": 2, "at": "G2u"}, "@1 beats a piece of @2 on G2u"),
    "turns back": ({"at": "O2", "way": "left"}, "@1 turns back on O2 and goes left"),
    "has no card": ({"at": "O2"}, "@1 has no card left for O2"),
    "leaves it": ({"at": "O2"}, "@1 does not try for success on O2"),
    "question": ({"dice": (2, 5), "at": "S", "needed": 9}, "@1 throws 2 + 5 = 7 on S and needs 9"),
    "ties": ({"other": 2, "number": 3}, "@1 and @2 both throw 3 and throw again"),
    "contests": ({"at": "O3", "other": 2, "mine": 5, "theirs": 1}, "@1 contests O3 with @2: 5 to 1"),
    "head": ({"dice": (4, 4), "at": "O2"}, "@1 throws 4 + 4 = 8 on O2, to be made of cards"),
    "intervenes": ({"card": 9}, "@1 intervenes with 9"),
    "cannot": ({"target": 8}, "@1 has no cards that make 8"),
    "gives up": ({}, "@1 plays no card"),
    "solves": ({"cards": (2, 10), "target": 8}, "@1 plays 2, 10 and makes 8"),
    "succeeds": ({"way": "right"}, "@1 succeeds and goes right"),
    "fails": ({"way": "down"}, "@1 fails and goes down"),
    "chance": ({"card": "miss"}, "@1 draws: A cure at the seaside: miss a turn."),
    "goes": ({"at": "G2v"}, "@1 goes to G2v"),
    "finds nobody": ({}, "@1 finds nobody to swap places with"),
    "swaps": ({"other": 2, "mine": "G2u", "theirs": "R7a"}, "@1 swaps places with @2: G2u for R7a"),
    "loses": ({"card": 7}, "@1 loses a 7"),
    "loses nothing": ({}, "@1 has no card to lose"),
    "success": ({"card": "stay"}, "@1 draws: Nobody objects. You have arrived."),
    "home": ({"at": "Z8", "points": 8}, "@1 is home on Z8 and scores 8"),
    "out": ({"at": "Y2"}, "a piece of @1 leaves the game from Y2"),
    "lays": ({"at": "Z4"}, "@1 lays a chip face down below Z4"),
    "swaps chips": ({"one": "Z2", "other": "Z9"}, "@1 swaps the chips of Z2 and Z9"),
    "end": ({"winners": [0, 2], "points": 7}, "the game is over; the most points: @0 and @2 with 7 points"),
}


def test_every_line_of_the_story_has_its_sentence() -> None:
    assert {*TOLD} == {*LINES}
    for what, (values, sentence) in TOLD.items():
        assert tell(deal(), note(what, **({"seat": 1} | values))) == sentence
    assert tell(deal(), note("beats", seat=1, whose=1, at="O1b")) == "@1 beats a piece of their own on O1b"
    assert tell(deal(), note("end", winners=[1], points=1)) == "the game is over; the most points: @1 with 1 point"


def test_what_is_not_a_line_of_the_story_has_no_sentence() -> None:
    with pytest.raises(KeyError):
        tell(deal(), note("invented", seat=1))
