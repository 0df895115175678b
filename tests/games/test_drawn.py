"""What all pictures have in common, measured in the finished sheets: words and signs stand in the middle of their
boxes, words begin and end at even distances from the edges of their frames, boxes lie inside each other or apart."""

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from referee.games.mark.board_svg import DIE
from referee.svg import WIDTHS
from tests.games.selfplay import load, terms_of
from tests.support.plain import play_out

NAMES = ["Anna", "Bert", "Carla", "Dörte", "Eva", "Franz", "Greta", "Hugo"]
NS = "{http://www.w3.org/2000/svg}"
CAPITAL = 0.72
"""How tall a capital or a digit is, in its size: DejaVu Sans and Verdana are alike."""
NEAR = 0.65
"""How far the middle of words may be from that of their box: places are whole numbers, so half a unit is needed."""
CARD = re.compile(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z")
TALL = 120
"""Taller frames hold several things, one below the other."""


THIN = 0.02
"""Numbers have two decimals."""


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: "Box") -> bool:
        across = self.left <= other.left and other.right <= self.right
        return across and self.top <= other.top and other.bottom <= self.bottom

    def meets(self, other: "Box") -> bool:
        across = self.left < other.right - THIN and other.left < self.right - THIN
        return across and self.top < other.bottom - THIN and other.top < self.bottom - THIN

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.bottom - self.top)


class Words(NamedTuple):
    text: str
    at: str
    x: float
    top: float
    bottom: float

    @property
    def point(self) -> Box:
        return Box(self.x, self.top, self.x, self.bottom)


class Sheet(NamedTuple):
    boxes: list[Box]
    words: list[Words]

    def around(self, words: Words) -> Box | None:
        """The smallest box that words stand in."""
        return min((box for box in self.boxes if box.holds(words.point)), key=lambda box: box.area, default=None)


def taken_apart(svg: str) -> Sheet:
    boxes, words = [], []
    for part in ET.fromstring(svg).iter():
        at = {name: float(part.get(name) or 0) for name in ("x", "y", "width", "height", "cx", "cy", "r", "font-size")}
        if part.tag == f"{NS}rect":
            boxes.append(Box(at["x"], at["y"], at["x"] + at["width"], at["y"] + at["height"]))
        elif part.tag == f"{NS}path":  # cards are drawn in one stroke
            cards = [[*map(float, found)] for found in CARD.findall(part.get("d") or "")]
            boxes += [Box(x, y, x + across, y + down) for x, y, across, down in cards]
        elif part.tag == f"{NS}circle":
            boxes.append(Box(at["cx"] - at["r"], at["cy"] - at["r"], at["cx"] + at["r"], at["cy"] + at["r"]))
        elif part.tag == f"{NS}text":
            top = at["y"] - CAPITAL * at["font-size"]
            words.append(Words(part.text or "", part.get("text-anchor") or "", at["x"], top, at["y"]))
    return Sheet(boxes, words)


@cache
def sheets(game_id: str, seats: int, width: int) -> list[Sheet]:
    """Pictures from a whole game, as each seat in turn and somebody who watches see it."""
    game, terms = load(game_id), terms_of(game_id, seats)
    choose = lambda terms, view, rng: game.bots["random"](terms, view, rng.randrange)  # noqa: E731
    found = []
    for at, moment in enumerate(play_out(game, terms, choose, random.Random(f"drawn {seats}"))):
        if at % 12 == 1 or not moment.step.pending:
            found.append(taken_apart(game.picture(terms, moment.seen(at % (seats + 1)), NAMES[:seats], width)))
    return found


TABLES = [("mark", 2), ("mark", 4), ("schwarzer-freitag", 2), ("schwarzer-freitag", 5), ("schwarzmarkt", 3),
          ("schwarzmarkt", 5), ("weg-zum-erfolg", 2), ("weg-zum-erfolg", 6)]  # fmt: skip


def rows(sheet: Sheet, width: int) -> Iterator[tuple[Box, list[Words]]]:
    """Boxes that hold words and nothing else with words, with those of all boxes beside them that are as tall: of
    panels side by side only the fullest is full."""
    holders = {box for words in sheet.words if (box := sheet.around(words)) is not None}
    beside = dict[tuple[float, float], list[Words]]()
    mixed = {(box.top, box.bottom) for box in holders for other in holders if box != other and box.holds(other)}
    for words in sheet.words:
        if (box := sheet.around(words)) is not None and box.bottom - box.top <= TALL:
            beside.setdefault((box.top, box.bottom), []).append(words)
    for (top, bottom), found in beside.items():
        if (top, bottom) not in mixed:
            yield Box(0, top, width, bottom), found


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_words_stand_in_the_middle_of_their_box(game_id: str, seats: int, width: int) -> None:
    seen = set()
    for sheet in sheets(game_id, seats, width):
        for words in sheet.words:
            box = sheet.around(words)
            if words.at == "middle" and box is not None and box.right - box.left < width:
                assert abs(words.x - (box.left + box.right) / 2) < 0.02, (words, box)
        for box, found in rows(sheet, width):
            middle = (min(one.top for one in found) + max(one.bottom for one in found)) / 2
            seen.add(box.bottom - box.top)
            assert abs(middle - (box.top + box.bottom) / 2) <= NEAR, (box, found)
    assert len(seen) > 3


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("seats", [2, 4])
def test_signs_without_words_stand_in_the_middle_too(seats: int, width: int) -> None:
    """The hammer on a die of M.A.R.K."""
    signs = 0
    for sheet in sheets("mark", seats, width):
        for die in (box for box in sheet.boxes if box.right - box.left == box.bottom - box.top == DIE):
            inside = [box for box in sheet.boxes if box != die and die.holds(box)]
            signs += bool(inside)
            assert all(box.left - die.left == die.right - box.right for box in inside)
            if inside:
                ends = min(box.top for box in inside) - die.top, die.bottom - max(box.bottom for box in inside)
                assert abs(ends[0] - ends[1]) <= 1
    assert signs > 2


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_words_begin_and_end_at_even_places(game_id: str, seats: int, width: int) -> None:
    for sheet in sheets(game_id, seats, width):
        found = [words for words in sheet.words if words.at != "middle" and words.x == int(words.x)]
        assert len(found) > 12
        assert [words for words in found if words.x % 2] == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("game_id", "seats"), [one for one in TABLES if one[0] != "weg-zum-erfolg"])
def test_boxes_lie_inside_each_other_or_apart(game_id: str, seats: int, width: int) -> None:
    """On the map of Der Weg zum Erfolg pieces and signs cover the edges of what they stand on."""
    for sheet in sheets(game_id, seats, width):
        for one, other in combinations(sheet.boxes, 2):
            assert one.holds(other) or other.holds(one) or not one.meets(other), (one, other)


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_a_phone_shows_the_same_words(game_id: str, seats: int) -> None:
    """In other places and on more lines; where a wide picture only says that there is more, it may say what."""
    compared = 0
    for wide, narrow in zip(sheets(game_id, seats, 600), sheets(game_id, seats, 360), strict=True):
        one, other = (
            {part.strip(",;·") for words in sheet.words for part in words.text.split()} for sheet in (wide, narrow)
        )
        compared += len(one)
        assert one - {"", "and", "more"} <= other
    assert compared > 200
