"""What somebody sees of any round of a file, and its picture in pixels."""

import re
import struct
from functools import cache
from html import unescape

import pytest

from referee import svg
from referee.engine.chain import Followed
from referee.engine.player import open_view
from referee.evidence.replay import open_transcript
from referee.games import game_ids, load
from referee.show import pictures
from tests.support.match import Sitting

GAMES = [name for name in game_ids() if load(name).picture is not None]
NOWHERE = "\u0378"
"""A noncharacter, which every font shows as missing."""


@cache
def followed(game_id: str) -> Followed:
    """A finished game, from its transcript."""
    return open_transcript(Sitting(game_id, seed="drawing").to_end().transcript())


def moments(chain: Followed) -> tuple[int, int, int]:
    """The first round, one in the middle, the last."""
    return 1, len(chain.rounds) // 2, len(chain.rounds)


def on_sheet(*texts: str, bold: bool = False) -> str:
    """A picture with only these lines."""
    lines = (svg.words(20, 30 + 30 * at, text, 20, bold=bold) for at, text in enumerate(texts))
    return svg.sheet(60, lines, "letters", "letters")


# --- what is seen ----------------------------------------------------------------------------------------------------


def test_an_earlier_round_is_what_the_view_of_that_round_showed() -> None:
    """Hands and piles change hidden in Schwarzmarkt: what is known of them is that round's, not today's."""
    sitting = Sitting("schwarzmarkt", seed="drawing")
    then = {}
    for number in (1, 4, 9):
        sitting.until(number)
        then[number] = [sitting.opened(seat).seen for seat in range(3)]
    assert then[1][0].tokens != then[9][0].tokens
    sitting.to_end()
    chain = open_transcript(sitting.transcript())
    for seat in range(3):
        opened = open_view(sitting.view(seat))
        assert pictures.seen_in_view(opened) == opened.seen
        for number, seen in then.items():
            assert pictures.seen_in_view(opened, number) == seen[seat]
            assert pictures.seen_in_transcript(chain, number, seat) == seen[seat]


def test_an_onlooker_sees_what_is_public() -> None:
    chain = followed("schwarzmarkt")
    for number in moments(chain):
        seats = [pictures.seen_in_transcript(chain, number, seat) for seat in range(3)]
        nobody = pictures.seen_in_transcript(chain, number)
        assert nobody.seat not in range(3)
        assert (nobody.public, nobody.pending) == (seats[0].public, seats[0].pending)
        assert nobody.hand("cards") == ()
        for name, faces in nobody.tokens.items():
            if faces:
                assert all(set(faces) <= set(seat.tokens[name]) for seat in seats)
    assert all(pictures.seen_in_transcript(chain, 1, seat).hand("cards") for seat in range(3))


def test_winning_because_the_others_left_shows_no_game_result() -> None:
    sitting = Sitting("schwarzer-freitag", 2, seed="left").until(1)
    if sitting.asked == [1]:
        sitting.step()
    sitting.give(sitting.signed(sitting.asked[0], resign=True))
    opened = sitting.opened(0)
    assert opened.chain.checkpoint.state.end == "left"
    assert opened.chain.checkpoint.state.result is not None
    assert pictures.seen_in_view(opened).result is None


@pytest.mark.parametrize("game_id", GAMES)
def test_a_picture_for_nobody_speaks_to_nobody(game_id: str) -> None:
    chain = followed(game_id)
    for number in moments(chain):
        told = pictures.svg(chain, pictures.seen_in_transcript(chain, number))
        # What a card of Schwarzmarkt lets anybody do is put as "the card you wish".
        assert re.findall(r"\byou\b(?! wish)|\byour", told, re.IGNORECASE) == []
        assert all(name in told for name in chain.table.names)


# --- pixels ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_the_font_has_every_letter_of_a_picture(game_id: str) -> None:
    """Each character that a game writes is in the bundled font."""
    chain = followed(game_id)
    signs: set[str] = set()
    for number in moments(chain):
        for seat in range(chain.table.seats):
            drawn = pictures.svg(chain, pictures.seen_in_transcript(chain, number, seat))
            signs |= set("".join(unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", drawn)))
    missing, blank = pictures.png(on_sheet(NOWHERE), 100), pictures.png(on_sheet(" "), 100)
    assert len(signs) > 20
    assert [one for one in sorted(signs - {" "}) if pictures.png(on_sheet(one), 100) in (missing, blank)] == []


def test_only_the_font_that_comes_along_is_used() -> None:
    """A letter that it lacks but that system fonts commonly have (Georgian) is a box everywhere."""
    assert pictures.png(on_sheet("ა")) == pictures.png(on_sheet(NOWHERE))
    assert pictures.png(on_sheet("ж")) != pictures.png(on_sheet(NOWHERE))


def test_bold_letters_are_bold() -> None:
    assert pictures.png(on_sheet("Anna", bold=True)) != pictures.png(on_sheet("Anna"))


@pytest.mark.parametrize("width", [100, 360, 2000])
def test_a_png_is_as_wide_as_wanted_and_always_the_same(width: int) -> None:
    drawn = on_sheet("Anna", "Bert")
    made = pictures.png(drawn, width)
    assert made.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", made[16:24]) == (width, width // 10)
    assert pictures.png(drawn, width) == made
