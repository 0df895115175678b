"""A seat has one colour, in every picture and chart of every game, and no lane or good has it."""

import re
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from referee.games import game_ids, load
from referee.games.mark import board_svg as mark
from referee.games.schwarzer_freitag import types as freitag
from referee.games.schwarzmarkt import board as schwarzmarkt
from referee.games.weg_zum_erfolg import types as weg
from referee.page import assemble
from referee.show import pictures
from referee.svg import COLOURS, INK, SEATS
from tests.support.match import Sitting

LANES = {
    "mark": {*mark.STYLE.values()},
    "schwarzer-freitag": {*freitag.COLOURS, freitag.BLACK},
    "schwarzmarkt": {*schwarzmarkt.COLOUR.values()},
    "weg-zum-erfolg": {*weg.LEVELS, "gold"},
}
"""The colours of lanes and goods, of cases and star fields."""
SHAPES = ("circle", "rect", "ellipse", "path", "polygon")


def spots(drawn: str, seats: int) -> list[tuple[int, str]]:
    """The shapes in the colour of a seat, each with the next text in the picture. Black is left out, as ink."""
    of_seat = {COLOURS[name]: seat for seat, name in enumerate(SEATS[:seats])}
    found, waiting = [], []
    for part in ET.fromstring(drawn).iter():
        kind, fill = part.tag.rpartition("}")[2], part.get("fill", "")
        if kind in SHAPES and fill != INK and fill in of_seat:
            waiting.append(of_seat[fill])
        elif kind == "text":
            found += [(seat, part.text or "") for seat in waiting]
            waiting = []
    return found


@pytest.mark.parametrize("game_id", [name for name in game_ids() if name in LANES])
def test_a_seat_has_the_same_colour_in_every_picture(game_id: str) -> None:
    """Whatever has the colour of a seat stands before the name of who sits there, or has the letter of that seat."""
    seats = load(game_id).seats[1]
    sitting, seen = Sitting(game_id, seats, seed="colours"), Counter[int]()
    for number in (1, 15, 30):
        opened = [sitting.until(number).opened(seat) for seat in (0, seats - 1)]
        names = opened[0].chain.table.names
        for one in opened:
            for seat, text in spots(pictures.svg(one.chain, one.seen), seats):
                assert text == names[seat] or re.fullmatch(f"{'abcdefgh'[seat]}[1-4]?", text), (seat, text)
                seen[seat] += 1
    assert {*seen} == {seat for seat in range(seats) if COLOURS[SEATS[seat]] != INK}


@pytest.mark.parametrize("game_id", LANES)
def test_no_lane_or_good_has_the_colour_of_a_seat(game_id: str) -> None:
    assert LANES[game_id] <= {*COLOURS}
    assert LANES[game_id] & {*SEATS[: load(game_id).seats[1]]} == set()
    assert len({COLOURS[name] for name in SEATS}) == len(SEATS) == 8


def test_charts_draw_seats_in_their_colours() -> None:
    """`tests/page` shows that each player's line is that of the seat. Other lines have the colours of lanes."""
    for page in (assemble.player_page(), assemble.reading_page(b"{}"), assemble.table_page()):
        (style,) = re.findall(r"<style>(.*?)</style>", page.decode(), re.DOTALL)
        own = {int(seat): colour for seat, colour in re.findall(r"\.seat(\d)\{--own:(#\w{6});\}", style)}
        assert own == {seat: COLOURS[name] for seat, name in enumerate(SEATS)}
        lines = [re.findall(rf"\.(line|key){at}\{{(?:stroke|border-color):var\(--(\w+)\)", style) for at in range(8)]
        assert {colour for line in lines for _, colour in line} == {*freitag.COLOURS}
        assert [len(line) for line in lines] == [2] * 8
        shades = dict(re.findall(rf"--({'|'.join(freitag.COLOURS)}):(#\w{{6}})", style))
        assert {*shades} == {*freitag.COLOURS}
        assert {*shades.values()} & {*own.values()} == set()
