"""The position as a picture for mails and web pages: what is asked, dice and auction, the market, everybody's plant.

A piece is a box in the colour of its kind with the first three letters of it, as in the terminal.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import cos, pi, sin

from referee.game import Seat
from referee.language import Wording, either
from referee.svg import (
    COLOURS,
    FAINT,
    GROUND,
    INK,
    LINE,
    PAPER,
    WIDTH,
    box,
    cut,
    element,
    number,
    on,
    sheet,
    wide,
    words,
)

from .board import ASKED, NEAR, idle_end, short, turns_left
from .board_told import capital, lot_told, off, prices, said, told
from .lookups import (
    DELIVERY,
    PROCESSING,
    in_bank,
    is_double,
    is_full,
    lowest_bid,
    next_value,
    pieces,
    rolled_kinds,
    row_of,
    storage_cost,
)
from .types import KINDS, Deal, Face, Field, Kind, Public, Sight

w = Wording("referee.games.mark")

LEFT, RIGHT = 16.0, WIDTH - 16.0
QUIET = "#666666"
STYLE: dict[Kind, str] = {"glass": "white", "plastic": "red", "paper": "blue", "metal": "gold", "composite": "green"}
DIE, THROW = 48.0, 92.0
"""How wide a die is, and how far it is to the next: its name stands below."""
PILL, VALUES = 86.0, 124.0
"""How wide the name of a kind is, and where the fields of a market row begin."""
BESIDE = 5
"""Market rows of so many fields, and plants of so many, leave room for something at their right."""
GAP = 12.0
PLAIN = 0.62
"""How wide a plain letter is on average, in parts of its size."""

Drawn = tuple[list[str], float]
"""Shapes, and where the next ones can begin."""
Section = Callable[[Deal, Sight, Sequence[str], float], Drawn]


def picture(terms: Deal, seen: Sight, names: Sequence[str]) -> str:
    """The whole position as this seat sees it."""
    sections: tuple[Section, ...] = (_head, _news, _table, _market, _plants)
    parts: list[str] = []
    top = 0.0
    for section in sections:
        drawn, top = section(terms, seen, names, top)
        parts += drawn
    return sheet(top + 6, parts, "M.A.R.K.", told(terms, seen, names))


# --- what is asked ---------------------------------------------------------------------------------------------------


def _head(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    parts = [words(LEFT, top + 34, "M.A.R.K.", 22, bold=True)]
    if without := off(terms):
        parts.append(words(RIGHT, top + 34, w("without {options}", options=", ".join(without)), 14, "end", QUIET))
    return parts, top + 48


def _news(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    """Who is asked for what, dark where it is the own seat; or who has won."""
    mine = any(ask.seat == seen.seat for ask in seen.pending)
    fill, ink = (INK, PAPER) if mine else (FAINT, INK)
    lines = [*(_asked(seen, names, top, ink) if seen.pending else _over(seen, names, top))]
    tall = 14 + 24 * len(lines)
    frame = box(LEFT, top, RIGHT - LEFT, tall, fill, fill, 6)
    return [frame, *(part for line in lines for part in line)], top + tall + 14


def _asked(seen: Sight, names: Sequence[str], top: float, ink: str) -> Iterator[list[str]]:
    for at, ask in enumerate(seen.pending):
        y = top + 24 + 24 * at
        room = RIGHT - LEFT - 92 - wide(w(ASKED[ask.what], name="").strip(), 16)
        told = w(ASKED[ask.what], name=cut(names[ask.seat], room, 16))
        you = [words(RIGHT - 12, y, w("you"), 14, "end", ink)] if ask.seat == seen.seat else []
        yield [words(LEFT + 12, y, "►", 16, fill=ink), words(LEFT + 36, y, told, 16, fill=ink, bold=True), *you]


def _over(seen: Sight, names: Sequence[str], top: float) -> Iterator[list[str]]:
    """The ranks; there are none where a game ended because others left."""
    yield [words(LEFT + 12, top + 24, w("The game is over"), 17, bold=True)]
    if seen.result is None:
        return
    for at, (rank, seat) in enumerate(sorted(zip(seen.result.ranks, range(len(names)), strict=True))):
        y, money = top + 48 + 24 * at, f"{seen.result.scores[seat][0]} M"
        room = RIGHT - LEFT - 66 - wide(money, 16)
        yield [
            words(LEFT + 32, y, f"{rank}.", 16, "end", bold=rank == 1),
            words(LEFT + 42, y, cut(names[seat], room, 16), 16, bold=rank == 1),
            words(RIGHT - 12, y, money, 16, "end", bold=rank == 1),
        ]


# --- dice and auction ------------------------------------------------------------------------------------------------


def _table(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    """The dice, and beside them what is auctioned or what they allow; nothing where there is neither."""
    public = seen.public
    if not seen.pending or (not public.dice and public.lot is None):
        return [], top
    parts: list[str] = []
    for at, face in enumerate(public.dice):
        parts += _die(LEFT + THROW * at, top, face)
    x = LEFT + THROW * len(public.dice) + (GAP if public.dice else 0)
    if public.lot is None:
        parts.append(words(x, top + 30, _allowed(seen), 15))
    else:
        parts.append(words(x, top + 17, w("Auction: {kind}", kind=w(public.lot.kind)), 17, bold=True))
        lines = lot_told(terms, seen, [cut(name, RIGHT - x - 120, 15) for name in names])
        parts += [words(x, top + 40 + 22 * at, line, 15) for at, line in enumerate(lines)]
    return parts, top + 80


def _allowed(seen: Sight) -> str:
    """What the dice allow."""
    dice = seen.public.dice
    if "hammer" in dice:
        return w("a piece of any kind can be auctioned")
    kinds = rolled_kinds(dice)
    with_them = w("any kind") if len(kinds) == len(KINDS) else either(map(_brief, kinds))
    if any(ask.what == "again" for ask in seen.pending):
        return w("a second action with {kinds}", kinds=with_them)
    if is_double(dice):
        return w("up to two actions with {kinds}", kinds=with_them)
    return w("one action with {kinds}", kinds=with_them)


def _die(x: float, y: float, face: Face) -> list[str]:
    """A face with its name below it."""
    left, middle = x + (THROW - 8 - DIE) / 2, x + (THROW - 8) / 2
    label = words(middle, y + DIE + 17, _brief(face), 13, "middle", bold=True)
    if face == "hammer":
        head, handle = box(left + 10, y + 9, 28, 13, INK, INK, 2), box(left + 21, y + 20, 6, 20, INK, INK, 2)
        return [box(left, y, DIE, DIE, PAPER, INK, 8), head, handle, label]
    if face == "star":
        return [box(left, y, DIE, DIE, PAPER, INK, 8), _star(middle, y + DIE / 2 + 1, 19), label]
    name = STYLE[face]
    inside = words(middle, y + DIE / 2 + 6, short(face), 16, "middle", on(name), True)
    return [box(left, y, DIE, DIE, COLOURS[name], INK, 8), inside, label]


def _brief(face: Face) -> str:
    """A face by its name, where there is little room."""
    return w.sense("where there is little room", "composite") if face == "composite" else w(face)


def _star(x: float, y: float, size: float) -> str:
    """Five rays, one straight up."""
    rays = ((pi * at / 5, size * (0.42 if at % 2 else 1)) for at in range(10))
    points = (f"{number(x + far * sin(turn))},{number(y - far * cos(turn))}" for turn, far in rays)
    return element("polygon", points=" ".join(points), fill=INK)


# --- the market ------------------------------------------------------------------------------------------------------


def _market(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    """The rows, and what there is to know of every kind: beside them, or below where rows are long or values high."""
    public, rows = seen.public, terms.edition.market
    full = sum(is_full(terms, public, at) for at in range(len(rows)))
    parts, top = _heading(w("Market"), w("full rows: {full} of {most}", full=full, most=terms.edition.full_rows), top)
    low = max(map(max, rows)) < 1000
    if low and max(map(len, rows)) <= BESIDE:
        drawn, bottom = _rows(terms, public, 38, top + 24)
        kinds, _ = _kinds(terms, public, 332, 1, top)
    else:
        drawn, end = _rows(terms, public, 38 if low else 62, top + 6)
        kinds, bottom = _kinds(terms, public, LEFT + 16, 1.6, end + 4)
    parts += drawn + kinds
    if seen.pending:
        left = turns_left(terms, public)
        warning = capital(idle_end(left))
        near = left <= NEAR * terms.seats
        parts.append(words(LEFT, bottom + 18, warning, 14, fill=INK if near else QUIET, bold=near))
        bottom += 26
    return parts, bottom + 10


def _heading(title: str, aside: str, top: float) -> Drawn:
    rule = box(LEFT, top + 24, RIGHT - LEFT, 0.5, LINE, LINE, 0)
    return [words(LEFT, top + 17, title, 17, bold=True), words(RIGHT, top + 17, aside, 14, "end"), rule], top + 32


def _rows(terms: Deal, public: Public, cell: float, top: float) -> Drawn:
    """Every row: placed pieces, then the values of free fields, of which the next stands out."""
    parts: list[str] = []
    across = int((RIGHT - VALUES) // cell)
    for at, (row, values) in enumerate(zip(public.market, terms.edition.market, strict=True)):
        parts.append(words(LEFT + 10, top + 19, str(at + 1), 15, "end", bold=True))
        parts += _pill(LEFT + 16, top, row.kind)
        for place, value in enumerate(values):
            x, y = VALUES + cell * (place % across), top + 30 * (place // across)
            if place < row.pieces and row.kind:
                parts += _chip(x, y, cell - 3, row.kind)
            else:
                parts += _value(x, y, cell - 3, value, place == row.pieces)
        lines = -(-len(values) // across)
        top += 30 * lines + 6 * (lines > 1)
    return parts, top


def _pill(x: float, y: float, kind: Kind | None) -> list[str]:
    """The name of a kind on its colour."""
    if kind is None:
        return [words(x + PILL / 2, y + 18, w("free"), 14, "middle", QUIET)]
    name = STYLE[kind]
    inside = words(x + PILL / 2, y + 18, _brief(kind), 13, "middle", on(name), True)
    return [box(x, y, PILL, 26, COLOURS[name], INK, 13), inside]


def _chip(x: float, y: float, span: float, kind: Kind) -> list[str]:
    """A piece in the market."""
    name = STYLE[kind]
    return [
        box(x, y, span, 26, COLOURS[name], INK),
        words(x + span / 2, y + 18, short(kind), 13, "middle", on(name), True),
    ]


def _value(x: float, y: float, span: float, value: int, comes: bool) -> list[str]:
    """A free field."""
    frame = _frame(x, y, span, 26, PAPER if comes else GROUND, 2 if comes else 0)
    return [frame, words(x + span / 2, y + 19, str(value), 15, "middle", INK if comes else QUIET, comes)]


def _frame(x: float, y: float, span: float, h: float, fill: str, strong: float) -> str:
    """A box, with a strong edge of this width where something stands out (0: a plain one)."""
    edge = INK if strong else LINE
    return element("rect", x=x, y=y, width=span, height=h, rx=4, fill=fill, stroke=edge, stroke_width=strong or 1)


def _kinds(terms: Deal, public: Public, x: float, stretch: float, top: float) -> Drawn:
    """Kind by kind: what the bank has, what the next piece brings, and where bids begin."""
    ends = [x + PILL + stretch * far for far in (38, 90, 166)]
    heads = zip((w("bank"), w("next"), w("bid from")), ends, strict=True)
    parts = [words(end, top + 14, head, 13, "end", QUIET) for head, end in heads]
    for at, kind in enumerate(KINDS):
        y, row = top + 24 + 30 * at, row_of(public, kind)
        facts = (str(in_bank(public, kind)), _brings(terms, public, row), str(lowest_bid(terms, public, kind)))
        parts += _pill(x, y, kind)
        parts += [
            words(end, y + 19, fact, 15, "end", bold=end == ends[1] and fact.isdigit())
            for fact, end in zip(facts, ends, strict=True)
        ]
    return parts, top + 24 + 30 * len(KINDS)


def _brings(terms: Deal, public: Public, row: int | None) -> str:
    if row is None:
        return w("row?")
    return w("full") if is_full(terms, public, row) else str(next_value(terms, public, row))


# --- plants ----------------------------------------------------------------------------------------------------------


def _plants(terms: Deal, seen: Sight, names: Sequence[str], top: float) -> Drawn:
    """Two side by side, as tall as the taller one; plants with many fields one below the other."""
    parts, top = _heading(w("Plants"), " · ".join(prices(terms)), top)
    across = 2 if terms.edition.area <= BESIDE else 1
    span = (RIGHT - LEFT - GAP * (across - 1)) / across
    for first in range(0, terms.seats, across):
        seats = range(first, min(first + across, terms.seats))
        plants = [
            _plant(terms, seen, names[seat], seat, LEFT + (span + GAP) * (seat - first), top, span) for seat in seats
        ]
        bottom = max(end for _, end in plants)
        for seat, (drawn, _) in zip(seats, plants, strict=True):
            turn = seat == seen.public.turn and bool(seen.pending)
            parts.append(
                _frame(LEFT + (span + GAP) * (seat - first), top, span, bottom - top, PAPER, 2.5 if turn else 0)
            )
            parts += drawn
        top = bottom + 10
    return parts, top


def _plant(terms: Deal, seen: Sight, name: str, seat: Seat, x: float, y: float, span: float) -> Drawn:
    """Name and money, both areas, what storage costs, what was said for good."""
    player, mine = seen.public.players[seat], seat == seen.seat
    money = f"{player.money} M"
    size = 18 if len(money) < 9 else 15
    turn = seat == seen.public.turn and bool(seen.pending)
    begin, room = x + (30 if turn else 12), span - wide(money, size) - 24 - 18 * turn - 46 * mine
    shown = cut(name, room, 16)
    parts = [words(x + span - 12, y + 25, money, size, "end", bold=True), words(begin, y + 25, shown, 16, bold=mine)]
    if turn:
        parts.append(words(x + 10, y + 25, "►", 16))
    if mine:
        parts += _you(x + span - 12 - wide(money, size) - 44, y + 10)
    labels = {PROCESSING: w("processing"), DELIVERY: w("delivery")}
    begin = max(92, *(10 + PLAIN * 13 * len(label) for label in labels.values()))
    for area, label in labels.items():
        parts.append(words(x + 12, y + 60, label, 13, fill=QUIET))
        parts += _area(seen, seat, area, x + begin, y + 36, (span - 8 - begin) / terms.edition.area)
        y += 44
    y += 38
    for line in _wrapped(_remarks(terms, seen, seat), 14, span - 24):
        parts.append(words(x + 12, y + 14, line, 14))
        y += 20
    return parts, y + 4


def _you(x: float, y: float) -> list[str]:
    return [box(x, y, 38, 20, INK, INK, 10), words(x + 19, y + 15, w("you"), 13, "middle", PAPER, True)]


def _area(seen: Sight, seat: Seat, area: str, x: float, y: float, room: float) -> list[str]:
    """Every field with its name, and what lies on it; the piece under the hammer has a strong edge and a mark."""
    step = min(room, 52)
    parts: list[str] = []
    for at, (field, kind) in enumerate(pieces(seen.public.players[seat], area)):
        parts += _field(x + step * at, y, step - 3, field, kind, _is_lot(seen.public, seat, field))
    return parts


def _is_lot(public: Public, seat: Seat, field: Field) -> bool:
    return public.lot is not None and (public.lot.owner, public.lot.field) == (seat, field)


def _field(x: float, y: float, span: float, field: Field, kind: Kind | None, lot: bool) -> list[str]:
    if kind is None:
        return [_frame(x, y, span, 40, GROUND, 0), words(x + span / 2, y + 25, field, 13, "middle", QUIET)]
    name, size = STYLE[kind], 15 if span > 39 else 13
    return [
        _frame(x, y, span, 40, COLOURS[name], 3.5 if lot else 1),
        words(x + span / 2, y + 15, f"!{field}!" if lot else field, 13, "middle", on(name), lot),
        words(x + span / 2, y + 33, short(kind), size, "middle", on(name), True),
    ]


def _remarks(terms: Deal, seen: Sight, seat: Seat) -> Iterator[str]:
    cost = storage_cost(terms, seen.public.players[seat])
    if cost and seen.pending:
        yield w("storage {cost} a turn", cost=cost)
    yield from said(seen.public.standing[seat])


def _wrapped(parts: Iterable[str], size: float, room: float) -> Iterator[str]:
    """Side by side, on as many lines as they need."""
    line = ""
    for part in parts:
        longer = f"{line} · {part}" if line else part
        if line and wide(longer, size) > room:
            yield line
            longer = part
        line = longer
    if line:
        yield line
