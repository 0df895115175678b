"""The board as a part of an SVG: levels as bands, every field, chips and pieces. Other boards: the pieces by level."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import cos, pi, sin
from typing import NamedTuple

from referee.columns import columns
from referee.game import Seat
from referee.language import Wording
from referee.svg import COLOURS, FAINT, INK, LINE, PAPER, SEATS, WIDTH, box, disc, element, marked, number, on, words

from .board import spot
from .board_map import APART, BLUE, INWARDS, ROOM, map_places, needed, piece_name, row_of, standing
from .lookups import own_chip
from .types import LEVELS, Deal, Field, Heading, Sight
from .words import LETTERS

w = Wording("referee.games.weg_zum_erfolg")

Here = Sequence[tuple[Seat, int]]
"""Seats and numbers of the pieces on one field."""
ROWS = tuple(reversed(LEVELS))
"""From the top, as the picture has them."""
EM = 0.62
"""How wide a letter is, in its size."""
LEFT, STEP = 62, 16
"""Where the first field of the blue row is, and from one field to the next."""
ZIG, UP, WAY = 38, 22, 20
"""Lanes go up to junctions and down to decision fields, so that pieces on neighbouring fields have room. Then the
distance between fields above each other, and between those of the ways of S."""
ROW = ZIG + 3 * UP
HALF, R, LINES = 10.5, 9.5, 21
"""Half the width and the height of a piece, and from one line of pieces to the next."""
BAND = 36
"""How wide the letters of the levels are."""
TURNED: dict[Heading, tuple[int, int]] = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
STAR = [(r * sin(pi * at / 5), -r * cos(pi * at / 5)) for at in range(10) for r in [8 if at % 2 == 0 else 3.6]]


def wide(text: str, size: float) -> float:
    """How much room a text needs."""
    return columns(text) * EM * size


# --- pieces ----------------------------------------------------------------------------------------------------------


class Spot(NamedTuple):
    """Where a piece is drawn, and whether it has a heading. Without a seat, `which` is the number of further pieces."""

    x: float
    y: float
    seat: Seat | None
    which: int
    turned: bool = True
    field: str = ""


def mark(x: float, y: float, seat: Seat, seen: Sight, name: str = "") -> str:
    """A player or, with its name, a piece: round with the letter, square for the reader's own."""
    colour = SEATS[seat]
    shape = box(x - HALF, y - R, 2 * HALF, 2 * R, COLOURS[colour], INK, 1 if seat == seen.seat else R)
    return shape + words(x, y + 4.7, name or LETTERS[seat], 13, "middle", on(colour), True)


def pointer(x: float, y: float, way: Heading, far: float) -> str:
    """A triangle in this direction, `far` from the point."""
    dx, dy = TURNED[way]
    corners = ((far + 5, 0), (far - 1, 4.5), (far - 1, -4.5))
    return _polygon([(x + dx * a - dy * b, y + dy * a + dx * b) for a, b in corners], INK)


def _polygon(corners: Sequence[tuple[float, float]], fill: str) -> str:
    return element("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in corners), fill=fill, stroke=INK)


def _pieces(spots: Sequence[Spot], seen: Sight) -> Iterator[str]:
    """All pieces, last the one that moves, with a golden ring; above them the headings. A piece is part of its field:
    it may cover it."""
    public = seen.public
    moving = (public.turn, public.task.piece) if public.task is not None and seen.pending else None
    headings = []
    for x, y, seat, which, turned, field in sorted(spots, key=lambda spot: (spot.seat, spot.which) == moving):
        if seat is None:
            half = max(HALF, wide(f"+{which}", 13) / 2)
            more = box(x - half, y - R, 2 * half, 2 * R, PAPER, INK) + words(x, y + 4.7, f"+{which}", 13, "middle")
            yield marked(f"field:{field}", more)
            continue
        name, ring = piece_name(seat, which), ""
        if (seat, which) == moving:
            ring = box(x - HALF - 4, y - R - 4, 2 * HALF + 8, 2 * R + 8, COLOURS["gold"], INK, R + 4)
        yield marked(f"field:{field}", marked(f"piece:{name}", ring, mark(x, y, seat, seen, name)))
        if turned:
            way = public.players[seat].pieces[which].heading
            headings.append(pointer(x, y, way, R if way == "up" else HALF))
    yield from headings


class Group(NamedTuple):
    """How the pieces of one field are arranged: side by side on several lines, upwards (-1) or downwards."""

    across: int
    lines: int
    pitch: int
    down: int
    turned: bool = True

    def height(self, here: Here) -> int:
        return LINES * min(-(-len(here) // self.across), self.lines)

    def spots(self, x: float, y: float, here: Here, field: str) -> Iterator[Spot]:
        """All of them, or the first and how many more there are."""
        most = self.across * self.lines
        shown: list[tuple[Seat | None, int]] = [*here]
        if len(here) > most:
            shown[most - 1 :] = [(None, len(here) - most + 1)]
        for at, (seat, which) in enumerate(shown):
            row, column = divmod(at, self.across)
            beside = min(self.across, len(shown) - row * self.across)
            along = (column - (beside - 1) / 2) * self.pitch
            yield Spot(x + along, y + self.down * row * LINES, seat, which, self.turned, field)


HOME = Group(2, ROOM["goal"] // 2, 22, -1, turned=False)
DECISION, START = Group(2, ROOM["head"] // 2, 24, -1), Group(12, ROOM["start"] // 12, 24, 1)


# --- the printed board -----------------------------------------------------------------------------------------------


class MapLayout(NamedTuple):
    """Where every field is: lines and steps of the terminal's picture, and where the blue row is on the sheet."""

    places: Mapping[str, tuple[int, int]]
    top: float

    def at(self, name: str) -> tuple[float, float]:
        line, step = self.places[name]
        row = row_of(line)
        x, y, above = LEFT + STEP * step, self.top + row * ROW, 3 * row - (line - BLUE)
        if above < 0:
            return x, y + ZIG - above * WAY
        if above:
            return x, y - above * UP - (8 if above == 3 else 0) if not row else y - 1.5 * UP
        from_junction = (step - INWARDS * row) % APART
        return x, y + ZIG / 2 * min(from_junction, APART - from_junction)


def board(parts: list[str], terms: Deal, seen: Sight, y: float) -> float:
    """The whole board from here on; returns where it ends."""
    fields = terms.edition.fields
    places = map_places(fields)
    if not places:
        return _listed(parts, terms, seen, y)
    known, found = terms.edition.board, standing(seen.public)
    mapped = MapLayout(places, y + 3 * UP + 20 + max(HOME.height(found.get(goal, ())) for goal in known.goals))
    bottom = mapped.at(known.start)[1] + 20 + START.height(found.get(known.start, ()))
    edges = [mapped.top - 2.5 * UP, *(mapped.top + row * ROW - 0.7 * UP for row in range(1, len(ROWS))), bottom]
    for row, (high, low) in enumerate(pairwise(edges)):
        _band(parts, terms, row, high, low - high)
    parts.extend(_rails(terms, mapped))
    for field in fields:
        if field.kind != "goal":
            junction = bool(field.up and (field.left or field.right))
            sign = _sign(*mapped.at(field.id), "junction" if junction else field.kind, field.id[1:])
            parts.append(marked(f"field:{field.id}", sign))
    for at, goal in enumerate(known.goals):
        parts.append(marked(f"field:{goal}", _chip(*mapped.at(goal), seen, at)))
    parts.extend(_stems(terms, found, mapped))
    spots = [spot for name, here in found.items() for spot in _spots(known.fields[name], here, mapped)]
    parts.extend(_pieces(spots, seen))
    _legend(parts, terms, mapped.at(known.start)[1] - 4 * WAY, plays=seen.seat < terms.seats)
    return bottom


def _band(parts: list[str], terms: Deal, row: int, y: float, high: float) -> None:
    """A level: its letter, and what a "?" needs."""
    level = ROWS[row]
    colour, middle = COLOURS[level], y + min(high, ROW) / 2 - 2
    parts.append(element("rect", x=0, y=y, width=WIDTH, height=high, fill=colour, fill_opacity=0.16))
    parts.append(element("rect", x=0, y=y, width=BAND, height=high, fill=colour))
    parts.append(words(BAND / 2, middle, level[0].upper(), 20, "middle", on(level), True))
    parts.append(words(BAND / 2, middle + 18, f"?{needed(terms, level)}+", 13, "middle", on(level)))


def _rails(terms: Deal, mapped: MapLayout) -> Iterator[str]:
    """The ways between fields, those of one level in its colour; an arrow where one leads down only."""
    start = terms.edition.board.fields[terms.edition.board.start]
    down = [field for field in terms.edition.fields if field.down == start.id]
    for level in ROWS:
        lines = []
        for field in terms.edition.fields:
            if field.level == level and field != start:
                here = "M{} {}".format(*map(number, mapped.at(field.id)))
                ends = [mapped.at(to) for to in (field.right, field.up) if to]
                lines += [f"{here}L{number(x)} {number(y)}" for x, y in ends]
                lines += ["{0}V{2}H{1}".format(here, *map(number, mapped.at(start.id)))] if field in down else []
        yield element("path", d="".join(lines), fill="none", stroke=COLOURS[level], stroke_width=3)
    for field in down:
        if field.id not in (start.left, start.right):
            x, y = mapped.at(field.id)
            yield pointer(x, y + 9, "down", 0)


def _sign(x: float, y: float, kind: str, name: str = "") -> str:
    """A field, on the board and in the legend: decision fields have a number, round ones are heads."""
    match kind:
        case "question" | "head" | "start":
            label = {"question": "?", "head": "H", "start": "S?"}[kind] + name
            shape = box(x - 10.5, y - 9.5, 21, 19, PAPER, INK, 9.5 if kind == "head" else 1)
            return shape + words(x, y + 4.7, label, 13, "middle", bold=True)
        case "star":
            return _polygon([(x + a, y + b) for a, b in STAR], COLOURS["gold"])
        case "junction":
            return _polygon([(x - 6, y), (x, y - 6), (x + 6, y), (x, y + 6)], PAPER)
        case "chip":
            return disc(x, y, 6.5, PAPER, LINE) + disc(x, y, 3, FAINT, LINE)
    return disc(x, y, 4.5, PAPER, LINE)


def _chip(x: float, y: float, seen: Sight, at: int) -> str:
    """A goal with the value of its chip; face down: `?` and the letter of who laid it, `(7)` if it is the reader's."""
    sign = chip_sign(seen, at)
    half = max(15, wide(sign, 15) / 2 + 3)
    hidden = not sign.isdigit()
    return box(x - half, y - 12, 2 * half, 24, FAINT if hidden else PAPER, INK, 12 if not hidden else 3) + words(
        x, y + 5.5, sign, 15, "middle", bold=True
    )


def chip_sign(seen: Sight, at: int) -> str:
    chip = seen.public.chips[at]
    if chip is None:
        return "–"
    if chip.value is not None:
        return str(chip.value)
    if chip.by is None:
        return "?"
    return f"({own_chip(seen)})" if chip.by == seen.seat else f"?{LETTERS[chip.by]}"


def _stems(terms: Deal, found: Mapping[str, Here], mapped: MapLayout) -> Iterator[str]:
    """From a decision field to the pieces above it."""
    for name in found:
        if terms.edition.board.fields[name].kind in ("question", "head"):
            x, y = mapped.at(name)
            yield element("path", d=f"M{number(x)} {number(y - 10)}v-{ZIG + 1}", stroke=INK, stroke_width=2)


def _spots(field: Field, here: Here, mapped: MapLayout) -> Iterator[Spot]:
    """A piece on a small field covers it; on a decision field or a goal all stand above it, on S below it."""
    x, y = mapped.at(field.id)
    match field.kind:
        case "goal":
            return HOME.spots(x, y - 23, here, field.id)
        case "start":
            return START.spots(x, y + 24, here, field.id)
        case "question" | "head":
            return DECISION.spots(x, y - ZIG - 21, here, field.id)
    return iter([Spot(x, y, *here[0], field=field.id)])


def _legend(parts: list[str], terms: Deal, y: float, *, plays: bool) -> None:
    """What the signs mean, in the corners beside S."""
    x, far = BAND + 22.0, WIDTH - 150.0
    signs = {
        "question": w("two dice decide"),
        "head": w("cards decide"),
        "star": w("chance card"),
        "junction": w("junction"),
    }
    for at, (kind, meaning) in enumerate(signs.items()):
        parts.append(_sign(x, y + 20 * at, kind) + words(x + 18, y + 20 * at + 5, meaning, 13))
    parts.append(words(x - 10, y + 82, w("lane: j a R4 b"), 13) + words(x - 10, y + 98, w("up from j: u"), 13))
    parts.append(pointer(far - 3, y, "right", 0) + words(far + 14, y + 5, w("piece's heading"), 13))
    if plays:
        parts.append(box(far - 9, y + 13, 18, 18, PAPER, INK, 1) + words(far + 14, y + 27, w("your pieces"), 13))
    if terms.options.neue_ziele or terms.options.zufallsziele:
        parts.append(
            words(far, y + 49, "?", 13, "middle", bold=True) + words(far + 14, y + 49, w("chip face down"), 13)
        )
    if terms.options.neue_ziele:
        parts.append(words(far, y + 71, "?b", 13, "middle", bold=True) + words(far + 14, y + 71, w("laid by b"), 13))
        parts.append(words(far, y + 93, "(7)", 13, "middle", bold=True) + words(far + 14, y + 93, w("laid by you"), 13))


# --- any other board -------------------------------------------------------------------------------------------------


def _listed(parts: list[str], terms: Deal, seen: Sight, y: float) -> float:
    """The goals, and below them the pieces of each level with the names of their fields."""
    known, found = terms.edition.board, standing(seen.public)
    spots: list[Spot] = []
    y += 14 + max(HOME.height(found.get(goal, ())) for goal in known.goals)
    for at, goal in enumerate(known.goals):
        x = BAND + 34 + at * 62.0
        parts.append(marked(f"field:{goal}", _chip(x, y, seen, at)))
        spots.extend(HOME.spots(x, y - 23, found.get(goal, ()), goal))
    y += 20
    for row, level in enumerate(ROWS):
        fields = [name for name in found if name in known.in_play and known.fields[name].level == level]
        inside: list[str] = []
        high = _entries(inside, spots, terms, seen, [who for name in fields for who in found[name]], y)
        _band(parts, terms, row, y, high)
        parts.extend(inside)
        y += high
    parts.extend(_pieces(spots, seen))
    return y


def _entries(parts: list[str], spots: list[Spot], terms: Deal, seen: Sight, here: Here, y: float) -> float:
    """Pieces with their fields side by side, on as many lines as they need; returns how high that is."""
    x, top = BAND + 24.0, y
    for seat, which in here:
        piece = seen.public.players[seat].pieces[which]
        label = spot(terms.edition.board, piece)
        room = 36 + wide(label, 14)
        if x + room > WIDTH:
            x, y = BAND + 24.0, y + 30
        spots.append(Spot(x, y + 27, seat, which, field=piece.at))
        parts.append(words(x + 20, y + 32, label, 14))
        x += room + 10
    return max(y + 52 - top, 56)
