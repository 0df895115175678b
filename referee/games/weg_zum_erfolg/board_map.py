"""The board of our edition as a picture: 100 columns wide with three for each step, 80 with two."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from referee.columns import Line
from referee.game import Seat
from referee.language import Catalogue, Text, Wording

from .lookups import own_chip
from .types import LEVELS, OUT, RESERVE, Deal, Field, Level, Public, Sight
from .words import LETTERS

t, w = Catalogue("referee.games.weg_zum_erfolg"), Wording("referee.games.weg_zum_erfolg")

STYLE = "bold"
"""Of all pieces: the colours are those of the levels."""
SIGNS = {"start": "S", "small": "·", "star": "*", "question": "?", "head": "H", "chip": "o"}
ROWS = {letter: row for row, letter in enumerate("BRGOY")}
"""From the top."""
WITHIN = {"j": 0, "u": 0, "a": 1, "": 2, "b": 3}
APART, INWARDS = 4, 2
"""Steps from one decision field of a row to the next, and how much farther right the next row down begins."""
GOALS, CHIPS, BLUE, BOTTOM = 2, 3, 5, 22
"""Lines of the picture; the rows are three apart, and above the goals are two lines for the pieces that are home."""
FACE_DOWN = t("[?] face down, (7) your own")
HEADINGS = t(
    "R4: the 4th ? or H in red,\nR4j: the junction before it\n↑ ← → below: where a piece\ngoes "
    "next; on S, ? and H\nhow it came there"
)


class Style(NamedTuple):
    """How large the picture is drawn."""

    width: int
    left: int
    """Columns left of the first field."""
    step: int
    """Columns for every field."""
    name: int
    """Letters of a piece's name: `b2`, or only `b` with the rest in the table below."""
    here: int
    """How many pieces fit on one line above a decision field or a goal; there are two such lines."""
    legend: tuple[Text, ...]

    def column(self, step: int) -> int:
        return self.left + self.step * step


WIDE = Style(
    100, 1, 3, 2, 4,
    (
        t("+ a junction, · a field"),
        t("? dice decide"),
        t("H a head: cards and arithmetic"),
        t("* a chance card"),
        t("o a chip field, [5] its goal"),
    ),
)  # fmt: skip
NARROW = Style(
    80, 14, 2, 1, 7,
    (
        t("+ junction, · field"),
        t("? dice decide"),
        t("H cards and arithmetic"),
        t("* chance card"),
        t("o chip field, [5] goal"),
    ),
)  # fmt: skip


# --- where the fields are --------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def layout(fields: tuple[Field, ...]) -> dict[str, tuple[int, int]]:
    """Line and step of every field, if the board is the one that this picture is made for; otherwise nothing."""
    places = {field.id: place for field in fields if (place := _place(field.id))}
    if len(places) != len(fields) or len(set(places.values())) != len(fields):
        return {}
    return places if all(_fits(field, places) for field in fields) else {}


def _place(name: str) -> tuple[int, int] | None:
    if name == "S":
        return BOTTOM, 16
    if found := re.fullmatch(r"S([A-D])([1-4])", name):
        return BOTTOM - int(found[2]), 10 + APART * "ABCD".index(found[1])
    if found := re.fullmatch(r"([CZ])([1-9])", name):
        return GOALS if found[1] == "Z" else CHIPS, APART * (int(found[2]) - 1)
    if found := re.fullmatch(r"([BRGOY])([1-9])([jabu]?)", name):
        row, step = ROWS[found[1]], APART * (int(found[2]) - 1) + WITHIN[found[3]]
        return BLUE + 3 * row - (found[3] == "u"), INWARDS * row + step
    return None


def _fits(field: Field, places: dict[str, tuple[int, int]]) -> bool:
    """Do the ways out of a field lead where the picture has them?"""
    line, step = places[field.id]
    if field.id == "S":
        return (field.left, field.right, field.up, field.down) == ("SB1", "SC1", "", "")
    for to, sideways, upwards in ((field.left, -1, 0), (field.right, 1, 0), (field.up, 0, 1), (field.down, 0, -1)):
        if to and to not in places:
            return False
        if to and to != "S":
            line_to, step_to = places[to]
            if step_to != step + sideways or not (
                line_to == line if not upwards else 0 < (line - line_to) * upwards < 3
            ):
                return False
    return True


@lru_cache(maxsize=4)
def map_places(fields: tuple[Field, ...]) -> dict[str, tuple[int, int]]:
    """The same for the picture for pages, which paints each row in the colour of a level: its fields must have it."""
    places = layout(fields)
    return places if places and all(_has_level(field, places[field.id][0]) for field in fields) else {}


def row_of(line: int) -> int:
    """The row, from the top, above or on which a line of the picture stands."""
    return min(max(0, (line - BLUE + 2) // 3), len(LEVELS) - 1)


def _has_level(field: Field, line: int) -> bool:
    """Does a field have the level of its row? The connector below a row belongs to it."""
    row = row_of(line)
    return field.level == LEVELS[-1 - (row - 1 if row and line == BLUE + 3 * row - 1 else row)]


# --- the picture -----------------------------------------------------------------------------------------------------


class Canvas:
    """Signs at lines and columns, each with a style."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.signs: dict[tuple[int, int], tuple[str, str]] = {}

    def put(self, line: int, column: int, words: str, style: str) -> None:
        for at, sign in enumerate(words):
            self.signs[line, column + at] = sign, style

    def lines(self) -> Iterator[Line]:
        for line in range(max(line for line, _ in self.signs) + 1):
            row = [self.signs.get((line, column), (" ", "")) for column in range(self.width)]
            found: Line = []
            for sign, style in row:
                if found and found[-1][1] == style:
                    found[-1] = found[-1][0] + sign, style
                else:
                    found.append((sign, style))
            if any(words.strip() for words, _ in found):
                yield found


def map_lines(terms: Deal, seen: Sight, places: dict[str, tuple[int, int]], style: Style) -> Iterator[Line]:
    """The board with all pieces on it."""
    canvas = Canvas(style.width)
    _rails(canvas, style)
    _labels(canvas, terms, style)
    for field in terms.edition.fields:
        line, step = places[field.id]
        if field.kind != "goal":
            strong = field.kind in ("question", "head", "start", "star")
            sign = "+" if field.up and (field.left or field.right) else SIGNS[field.kind]
            canvas.put(line, style.column(step), sign, field.level if strong else "dim")
    for at, goal in enumerate(terms.edition.board.goals):
        words, how = chip_sign(seen, at)
        canvas.put(places[goal][0], style.column(places[goal][1]) - 1, words, how)
    found, goals = standing(seen.public), terms.edition.board.goals
    beside = {goals[0]: goals[1], goals[-1]: goals[-2]}
    for where, here in found.items():
        line, step = places[where]
        most = style.here
        if where in beside and style is WIDE:  # moved inwards from the edge, they leave room for those of the next goal
            most -= min(len(found.get(beside[where], ())), most) // 2
        _pieces(canvas, style, line, style.column(step), terms.edition.board.fields[where].kind, here, most)
    return canvas.lines()


def _rails(canvas: Canvas, style: Style) -> None:
    """Lanes, connectors with a missing field, and the ways of S."""
    for row, level in enumerate(reversed(LEVELS)):
        first, steps = INWARDS * row, APART * (8 - row)
        canvas.put(BLUE + 3 * row, style.column(first), "─" * (style.step * steps + 1), level)
        for at in range(9 - row) if row else ():
            canvas.put(BLUE + 3 * row - 2, style.column(first + APART * at), "│", "dim")
    left, right = style.column(10), style.column(22)
    canvas.put(BOTTOM, left, "└" + "─" * (right - left - 1) + "┘", "yellow")
    for at in (14, 18):
        canvas.put(BOTTOM, style.column(at), "┴", "yellow")


def _labels(canvas: Canvas, terms: Deal, style: Style) -> None:
    """The levels with what a "?" needs, left of their rows, and what the signs mean."""
    for row, level in enumerate(reversed(LEVELS)):
        label = f"{w(level)} {needed(terms, level)}+"
        column, below = style.column(INWARDS * row) - 2 - len(label), 0
        if column < 0:  # no room left of the row: blue below its right end, red above its left one
            column, below = (0, 0) if row else (style.width - len(label), 1)
        canvas.put(BLUE + 3 * row + below, column, label, level)
    for at, words in enumerate(style.legend):
        canvas.put(BOTTOM + 1 - len(style.legend) + at, 0, str(words), "dim")
    if terms.options.neue_ziele or terms.options.zufallsziele:
        canvas.put(BOTTOM - len(style.legend), 0, str(FACE_DOWN), "dim")
    headings = str(HEADINGS).split("\n")
    column = style.width - max(map(len, headings))
    first = BOTTOM + 1 - len(headings) if column > style.column(22) + 1 else BOTTOM + 2  # below it, without room beside
    for at, line in enumerate(headings):
        canvas.put(first + at, column, line, "dim")


def needed(terms: Deal, level: Level) -> int:
    """What success takes on a "?" of this level."""
    found: int = getattr(terms.edition.thresholds, level)
    return found


def chip_sign(seen: Sight, at: int) -> tuple[str, str]:
    """`[5]`, `[?]` face down, `(5)` face down but known to this player, `[ ]` not laid yet; and how it is painted."""
    chip = seen.public.chips[at]
    if chip is None:
        return "[ ]", "dim"
    if chip.value is not None:
        return f"[{chip.value}]", "bold"
    return (f"({own_chip(seen)})" if chip.by == seen.seat else "[?]"), "bold"


def standing(public: Public) -> dict[str, list[tuple[Seat, int]]]:
    """Field -> seats and numbers of the pieces there."""
    found: dict[str, list[tuple[Seat, int]]] = {}
    for seat, player in enumerate(public.players):
        for number, piece in enumerate(player.pieces):
            if piece.at not in (RESERVE, OUT):
                found.setdefault(piece.at, []).append((seat, number))
    return found


ROOM = {"question": 4, "head": 4, "start": 24, "goal": 8}
"""At most this many pieces on a field are drawn one by one in the picture for pages; any others are only counted."""


def drawn(terms: Deal, public: Public) -> Iterator[str]:
    """The names of the pieces that are drawn one by one there."""
    known, every = terms.edition.board, not map_places(terms.edition.fields)
    for name, here in standing(public).items():
        kind = known.fields[name].kind
        room = len(here) if every and kind != "goal" else ROOM.get(kind, 1)
        yield from (piece_name(*one) for one in (here if len(here) <= room else here[: room - 1]))


def piece_name(seat: Seat, piece: int) -> str:
    """`b2`: the second piece of the second player."""
    return f"{LETTERS[seat]}{piece + 1}"


def _pieces(
    canvas: Canvas, style: Style, line: int, column: int, kind: str, here: list[tuple[Seat, int]], most: int
) -> None:
    """A piece on a small field covers it; on a decision field or a goal all stand above it, on S below it."""
    if kind in ("small", "star", "chip"):
        seat, number = here[0]
        canvas.put(line, column, piece_name(seat, number)[: style.name], STYLE)
        return
    if kind == "start":
        _group(canvas, style, line + 1, column, here, 9)
    else:
        _group(canvas, style, line - 1, column, here[:most], most)
        _group(canvas, style, line - 2, column, here[most:], most)


def _group(canvas: Canvas, style: Style, line: int, column: int, here: list[tuple[Seat, int]], most: int) -> None:
    """Pieces side by side, centred; `+2`, or only `+`, if there are more."""
    more = len(here) > most
    shown = here[: most - 1] if more else here
    tokens = [piece_name(seat, number)[: style.name] for seat, number in shown]
    tokens += [f"+{len(here) - most + 1}"[: style.name]] if more else []
    each = style.name + (style.name > 1)
    at = column - (each * len(tokens) - (each > 1)) // 2 + (each > 1 and len(tokens) == 1)
    at = min(max(at, 0), style.width - each * len(tokens))
    for words in tokens:
        canvas.put(line, at, words, STYLE)
        at += each
