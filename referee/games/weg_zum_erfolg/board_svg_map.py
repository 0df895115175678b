"""The board as a part of an SVG: levels as bands, every field, chips and pieces. Other boards: the pieces by level."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import cos, pi, sin

from referee.game import Seat
from referee.language import Wording
from referee.svg import (
    COLOURS,
    FAINT,
    INK,
    LINE,
    NARROW,
    PAPER,
    SEATS,
    WIDTH,
    box,
    disc,
    element,
    marked,
    number,
    on,
    words,
)

from .board import spot
from .board_map import map_places, needed, piece_name, standing
from .board_svg_plan import HALF, SLIM, START, UP, WAY, WIDE, ZIG, Here, MapLayout, Plan, R, Spot, wide
from .lookups import own_chip
from .types import LEVELS, Deal, Field, Heading, Sight
from .words import LETTERS

w = Wording("referee.games.weg_zum_erfolg")

ROWS = tuple(reversed(LEVELS))
"""From the top, as the picture has them."""
TURNED: dict[Heading, tuple[int, int]] = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
STAR = [(r * sin(pi * at / 5), -r * cos(pi * at / 5)) for at in range(10) for r in [8 if at % 2 == 0 else 3.6]]


# --- pieces ----------------------------------------------------------------------------------------------------------


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


# --- the printed board -----------------------------------------------------------------------------------------------


def board(parts: list[str], terms: Deal, seen: Sight, y: float, width: int) -> float:
    """The whole board from here on; returns where it ends."""
    fields, plan = terms.edition.fields, WIDE if width == WIDTH else SLIM
    places = map_places(fields)
    if not places:
        return _listed(parts, terms, seen, y, plan)
    known, found = terms.edition.board, standing(seen.public)
    homes = max(plan.home.height(found.get(goal, ())) for goal in known.goals)
    mapped = MapLayout(places, y + 3 * UP + 12 + plan.goals + homes, plan)
    bottom = mapped.at(known.start)[1] + 20 + START.height(found.get(known.start, ()))
    first = mapped.top - 2.5 * UP - plan.goals + WIDE.goals
    edges = [first, *(mapped.top + row * plan.row - 0.7 * UP for row in range(1, len(ROWS))), bottom]
    for row, (high, low) in enumerate(pairwise(edges)):
        beside = high if plan is WIDE else mapped.top + row * plan.row - 0.7 * UP  # not beside the ways to the goals
        _band(parts, terms, row, high, low - high, beside, plan)
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
    if plan is SLIM:
        return _below(parts, terms, bottom + 18, seen.seat < terms.seats)
    _corners(parts, terms, mapped.at(known.start)[1] - 4 * WAY, seen.seat < terms.seats)
    return bottom


def _band(parts: list[str], terms: Deal, row: int, y: float, high: float, top: float, plan: Plan) -> None:
    """A level: its letter, and what a "?" needs, in the middle of its first row, which begins at `top`."""
    level = ROWS[row]
    colour, middle = COLOURS[level], top + min(y + high - top, plan.row) / 2 - 2
    parts.append(element("rect", x=0, y=y, width=plan.width, height=high, fill=colour, fill_opacity=0.16))
    parts.append(element("rect", x=0, y=y, width=plan.band, height=high, fill=colour))
    parts.append(words(plan.band / 2, middle, level[0].upper(), 20, "middle", on(level), True))
    parts.append(words(plan.band / 2, middle + 18, f"?{needed(terms, level)}+", 13, "middle", on(level)))


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
            return mapped.plan.home.spots(x, y - 23, here, field.id)
        case "start":
            return START.spots(x, y + 24, here, field.id)
        case "question" | "head":
            return mapped.plan.decision.spots(x, y - ZIG - 21, here, field.id)
    return iter([Spot(x, y, *here[0], field=field.id)])


Sign = Callable[[float, float], str]
"""Draws a sign around a point."""


def _corners(parts: list[str], terms: Deal, y: float, plays: bool) -> None:
    """What the signs mean, in the corners beside S."""
    x, far = WIDE.band + 22.0, WIDTH - 150.0
    for at, (sign, meaning) in enumerate(_fields()):
        parts.append(sign(x, y + 20 * at) + words(x + 18, y + 20 * at + 5, meaning, 13))
    for at, line in enumerate(_names()):
        parts.append(words(x - 10, y + 82 + 16 * at, line, 13))
    for at, (sign, meaning) in _others(terms, plays):
        parts.append(sign(far, y + 22 * at) + words(far + 14, y + 22 * at + 5, meaning, 13))


def _below(parts: list[str], terms: Deal, y: float, plays: bool) -> float:
    """The same in two columns below a narrow board; returns where it ends."""
    left, right = [*_fields()], [one for _, one in _others(terms, plays)]
    for x, column in ((20.0, left), (NARROW / 2 + 20, right)):
        for at, (sign, meaning) in enumerate(column):
            parts.append(sign(x, y + 22 * at) + words(x + 16, y + 22 * at + 5, meaning, 13))
    y += 22 * max(len(left), len(right))
    parts.append(words(8, y + 5, " · ".join(_names()), 13))
    return y + 12


def _fields() -> Iterator[tuple[Sign, str]]:
    yield partial(_sign, kind="question"), w("two dice decide")
    yield partial(_sign, kind="head"), w("cards decide")
    yield partial(_sign, kind="star"), w("chance card")
    yield partial(_sign, kind="junction"), w("junction")


def _names() -> tuple[str, str]:
    """What fields are called."""
    return w("lane: j a R4 b"), w("up from j: u")


def _others(terms: Deal, plays: bool) -> Iterator[tuple[int, tuple[Sign, str]]]:
    """Signs of pieces and chips, each with its line."""
    yield 0, (lambda x, y: pointer(x - 3, y, "right", 0), w("piece's heading"))
    if plays:
        yield 1, (lambda x, y: box(x - 9, y - 9, 18, 18, PAPER, INK, 1), w("your pieces"))
    if terms.options.neue_ziele or terms.options.zufallsziele:
        yield 2, (partial(_letters, said="?"), w("chip face down"))
    if terms.options.neue_ziele:
        yield 3, (partial(_letters, said="?b"), w("laid by b"))
        yield 4, (partial(_letters, said="(7)"), w("laid by you"))


def _letters(x: float, y: float, said: str) -> str:
    return words(x, y + 5, said, 13, "middle", bold=True)


# --- any other board -------------------------------------------------------------------------------------------------


def _listed(parts: list[str], terms: Deal, seen: Sight, y: float, plan: Plan) -> float:
    """The goals, and below them the pieces of each level with the names of their fields."""
    known, found = terms.edition.board, standing(seen.public)
    spots: list[Spot] = []
    y += 14 + max(plan.listed.height(found.get(goal, ())) for goal in known.goals)
    for at, goal in enumerate(known.goals):
        x = plan.band + (34 if plan is WIDE else 20) + at * float(plan.apart)
        parts.append(marked(f"field:{goal}", _chip(x, y, seen, at)))
        spots.extend(plan.listed.spots(x, y - 23, found.get(goal, ()), goal))
    y += 20
    for row, level in enumerate(ROWS):
        fields = [name for name in found if name in known.in_play and known.fields[name].level == level]
        inside: list[str] = []
        high = _entries(inside, spots, terms, seen, [who for name in fields for who in found[name]], y, plan)
        _band(parts, terms, row, y, high, y, plan)
        parts.extend(inside)
        y += high
    parts.extend(_pieces(spots, seen))
    return y


def _entries(parts: list[str], spots: list[Spot], terms: Deal, seen: Sight, here: Here, y: float, plan: Plan) -> float:
    """Pieces with their fields side by side, on as many lines as they need; returns how high that is."""
    x, top = plan.band + 24.0, y
    for seat, which in here:
        piece = seen.public.players[seat].pieces[which]
        label = spot(terms.edition.board, piece)
        room = 36 + wide(label, 14)
        if x + room > plan.width:
            x, y = plan.band + 24.0, y + 30
        spots.append(Spot(x, y + 27, seat, which, field=piece.at))
        parts.append(words(x + 20, y + 32, label, 14))
        x += room + 10
    return max(y + 52 - top, 56)
