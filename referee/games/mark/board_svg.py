"""The position as a picture for mails and web pages: what is asked, dice and auction, the market, everybody's plant.

A piece is a box in the colour of its kind with the first three letters of it, as in the terminal.
"""

from collections.abc import Iterator, Sequence
from math import cos, pi, sin

from referee.game import Ask, Seat
from referee.language import Wording, either
from referee.svg import (
    COLOURS,
    FAINT,
    GROUND,
    INK,
    LINE,
    PAPER,
    PLAIN,
    QUIET,
    Picture,
    cut,
    description,
    element,
    flowing,
    number,
    on,
    panels,
    sheet,
    wide,
    wrapped,
)

from .board import ASKED, NEAR, full_rows, idle_end, is_lot, short, turns_left
from .board_text import capital, lot_text, off, prices, said, sentences
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

STYLE: dict[Face, str] = {"glass": "white", "plastic": "red", "paper": "blue", "metal": "gold", "composite": "green"}
DIE, THROW = 48.0, 92.0
"""The width of a die, and the distance to the next: its name is below."""
PILL, VALUES = 86.0, 108.0
"""How wide the name of a kind is, and how far right the fields of a market row begin."""
BESIDE = 5
"""Market rows and plants with this many fields leave room for something to their right."""
GAP = 12.0


def picture(terms: Deal, seen: Sight, names: Sequence[str], width: int) -> str:
    """The whole position as this seat sees it."""
    p = Picture(width)
    p.words(p.left, 34, "M.A.R.K.", 22, bold=True)
    if without := off(terms):
        said = w("without {options}", options=", ".join(without))
        if p.narrow:
            p.top += 36
            p.flow(p.left, 18, said, 14, fill=QUIET)
            p.top -= 36
        else:
            p.words(p.right, 34, said, 14, "end", QUIET)
    p.top += 48
    _news(p, seen, names)
    if seen.pending and (seen.public.dice or seen.public.lot):
        _table(p, terms, seen, names)
    _market(p, terms, seen)
    _plants(p, terms, seen, names)
    return sheet(p.top + 6, p.parts, "M.A.R.K.", description(sentences(terms, seen, names)), width)


# --- what is asked ---------------------------------------------------------------------------------------------------


def _news(p: Picture, seen: Sight, names: Sequence[str]) -> None:
    """Who is asked for what, dark if it is your seat; or the ranks, of which there are none where a game ended
    because others left."""
    mine = any(ask.seat == seen.seat for ask in seen.pending)
    fill, ink = (INK, PAPER) if mine else (FAINT, INK)
    ranks = sorted(zip(seen.result.ranks, range(len(names)), strict=True)) if seen.result else []
    asked = [(seat, line) for ask in seen.pending for seat, line in _asked(p, ask, names[ask.seat])]
    tall = 14 + 24 * (len(asked) or 1 + len(ranks))
    with p.at("do:roll" if mine and any(ask.what == "turn" for ask in seen.pending) else ""):
        p.box(p.left, 0, p.right - p.left, tall, fill, fill, 6)
        for at, (seat, line) in enumerate(asked):
            y = 25 + 24 * at
            p.words(p.left + 36, y, line, 16, fill=ink, bold=True)
            if seat is not None:
                p.words(p.left + 12, y, "►", 16, fill=ink)
            if seat == seen.seat:
                p.words(p.right - 12, y, w("you"), 14, "end", ink)
    if not seen.pending:
        p.words(p.left + 12, 25, w("The game is over"), 17, bold=True)
    for at, (rank, seat) in enumerate(ranks):
        y, money = 49 + 24 * at, f"{seen.public.players[seat].money} M"
        p.words(p.left + 32, y, f"{rank}.", 16, "end", bold=rank == 1)
        p.words(p.left + 42, y, cut(names[seat], p.right - p.left - 66 - wide(money, 16), 16), 16, bold=rank == 1)
        p.words(p.right - 12, y, money, 16, "end", bold=rank == 1)
    p.top += tall + 14


def _asked(p: Picture, ask: Ask, name: str) -> Iterator[tuple[Seat | None, str]]:
    """Who decides what; on a narrow sheet on as many lines as that needs, the first of which has the seat."""
    room = p.right - p.left - 92
    if not p.narrow:
        yield ask.seat, w(ASKED[ask.what], name=cut(name, room - wide(w(ASKED[ask.what], name="").strip(), 16), 16))
        return
    for at, line in enumerate(flowing(w(ASKED[ask.what], name=cut(name, room, 16)), room, 16)):
        yield None if at else ask.seat, line


# --- dice and auction ------------------------------------------------------------------------------------------------


def _table(p: Picture, terms: Deal, seen: Sight, names: Sequence[str]) -> None:
    """The dice, and beside them what is auctioned or what they allow."""
    public = seen.public
    for at, face in enumerate(public.dice):
        _die(p, p.left + THROW * at, face)
    x = p.left + (THROW * len(public.dice) + (GAP if public.dice else 0)) * (not p.narrow)
    lines = [_allowed(seen)]
    if public.lot is not None:
        lines = [*lot_text(terms, seen, [cut(name, p.right - x - 120, 15) for name in names])]
    if p.narrow:
        lines = [part for line in lines for part in flowing(line, p.right - x, 15)]
        p.top += 70 if public.dice else 0
    begin = p.top
    if public.lot is not None:
        p.words(x, 17, w("Auction: {kind}", kind=w(public.lot.kind)), 17, bold=True)
    p.top += 18 if public.lot is not None else 8 if not p.narrow else 0
    p.lines(x, 22, lines, 15)
    p.top = p.top + 20 if p.narrow else begin + 80


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


def _die(p: Picture, x: float, face: Face) -> None:
    """A face with its name below it."""
    left, middle = x + (THROW - 8 - DIE) / 2, x + (THROW - 8) / 2
    colour = STYLE.get(face)
    p.box(left, 0, DIE, DIE, COLOURS[colour] if colour else PAPER, INK, 8)
    if face == "hammer":
        p.box(left + 10, 9, 28, 13, INK, INK, 2)
        p.box(left + 21, 22, 6, 18, INK, INK, 2)
    elif face == "star":
        p.parts.append(_star(middle, p.top + DIE / 2 + 1, 19))
    else:
        p.words(middle, DIE / 2 + 6, short(face), 16, "middle", on(STYLE[face]), True)
    p.words(middle, DIE + 17, _brief(face), 13, "middle", bold=True)


def _brief(face: Face) -> str:
    """A face by its name, where there is little room."""
    return w.sense("where there is little room", "composite") if face == "composite" else w(face)


def _star(x: float, y: float, size: float) -> str:
    """Five rays, one straight up."""
    rays = ((pi * at / 5, size * (0.42 if at % 2 else 1)) for at in range(10))
    points = (f"{number(x + far * sin(turn))},{number(y - far * cos(turn))}" for turn, far in rays)
    return element("polygon", points=" ".join(points), fill=INK)


# --- the market ------------------------------------------------------------------------------------------------------


def _market(p: Picture, terms: Deal, seen: Sight) -> None:
    """The rows, and the facts about every kind: beside them, or below if rows are long or values high."""
    public, rows = seen.public, terms.edition.market
    _heading(p, w("Market"), full_rows(terms, public))
    low, begin = max(map(max, rows)) < 1000, p.top
    if low and max(map(len, rows)) <= BESIDE and not p.narrow:
        p.top += 24
        _rows(p, terms, public, 38)
        bottom, p.top = p.top, begin
        _kinds(p, terms, public, 332, 1)
        p.top = bottom
    else:
        p.top += 6
        _rows(p, terms, public, 38 if low else 62)
        p.top += 4
        _kinds(p, terms, public, p.left + 16, 1.4 if p.narrow else 1.6)
    if seen.pending:
        left = turns_left(terms, public)
        near = left <= NEAR * terms.seats
        for line in flowing(capital(idle_end(left)), p.right - p.left, 14) if p.narrow else (capital(idle_end(left)),):
            p.words(p.left, 18, line, 14, fill=INK if near else QUIET, bold=near)
            p.top += 20
        p.top += 6
    p.top += 10


def _heading(p: Picture, title: str, aside: str, *, below: bool = False) -> None:
    p.words(p.left, 17, title, 17, bold=True)
    if below:
        p.top += 17
        p.flow(p.left, 20, aside, 14)
        p.top -= 17
    else:
        p.words(p.right, 17, aside, 14, "end")
    p.box(p.left, 24, p.right - p.left, 0.5, LINE, LINE, 0)
    p.top += 32


def _rows(p: Picture, terms: Deal, public: Public, cell: float) -> None:
    """Every row: placed pieces, then the values of free fields, of which the next stands out."""
    begin = p.left + VALUES
    across, span = int((p.right - begin) // cell), cell - 3
    for at, (row, values) in enumerate(zip(public.market, terms.edition.market, strict=True)):
        with p.at(f"row:{at + 1}"):
            p.words(p.left + 10, 19, str(at + 1), 15, "end", bold=True)
            if row.kind:
                _named(p, p.left + 16, 0, PILL, row.kind, _brief(row.kind), 13)
            else:
                p.words(p.left + 16 + PILL / 2, 18, w("free"), 14, "middle", QUIET)
            for place, value in enumerate(values):
                x, y, comes = begin + cell * (place % across), 30 * (place // across), place == row.pieces
                if place < row.pieces and row.kind:
                    _named(p, x, y, span, row.kind, short(row.kind), 3)
                else:
                    p.frame(x, y, span, 26, PAPER if comes else GROUND, 2 if comes else 0, 4)
                    p.words(x + span / 2, y + 19, str(value), 15, "middle", INK if comes else QUIET, comes)
        lines = -(-len(values) // across)
        p.top += 30 * lines + 6 * (lines > 1)


def _named(p: Picture, x: float, y: float, span: float, kind: Kind, name: str, corner: float) -> None:
    """A kind, or a piece of it, by its name on its colour."""
    p.box(x, y, span, 26, COLOURS[STYLE[kind]], INK, corner)
    p.words(x + span / 2, y + 18, name, 13, "middle", on(STYLE[kind]), True)


def _kinds(p: Picture, terms: Deal, public: Public, x: float, stretch: float) -> None:
    """Kind by kind: what the bank has, what the next piece brings, and where bids begin."""
    ends = [x + PILL + stretch * far for far in (38, 90, 166)]
    for head, end in zip((w("bank"), w("next"), w("bid from")), ends, strict=True):
        p.words(end, 14, head, 13, "end", QUIET)
    p.top += 24
    for kind in KINDS:
        row = row_of(public, kind)
        full = row is not None and is_full(terms, public, row)
        brings = w("row?") if row is None else w("full") if full else str(next_value(terms, public, row))
        facts = (str(in_bank(public, kind)), brings, str(lowest_bid(terms, public, kind)))
        with p.at(f"kind:{kind}"):
            _named(p, x, 0, PILL, kind, _brief(kind), 13)
            for fact, end in zip(facts, ends, strict=True):
                p.words(end, 19, fact, 15, "end", bold=end == ends[1] and fact.isdigit())
        p.top += 30


# --- plants ----------------------------------------------------------------------------------------------------------


def _plants(p: Picture, terms: Deal, seen: Sight, names: Sequence[str]) -> None:
    """Two side by side, as tall as the taller one; plants with many fields one below the other."""
    _heading(p, w("Plants"), " · ".join(prices(terms)), below=p.narrow)
    across = 2 if terms.edition.area <= BESIDE and not p.narrow else 1
    span = (p.right - p.left - GAP * (across - 1)) / across
    lefts = [p.left + (span + GAP) * at for at in range(across)]
    turn = {seen.public.turn} if seen.pending else set()
    panels(
        p, terms.seats, lefts, span, 10, turn, lambda q, seat, x: _plant(q, terms, seen, names[seat], seat, x, span), 4
    )


def _plant(p: Picture, terms: Deal, seen: Sight, name: str, seat: Seat, x: float, span: float) -> None:
    """Name and money, both areas, what storage costs, standing orders."""
    player, mine = seen.public.players[seat], seat == seen.seat
    money = f"{player.money} M"
    size = 18 if len(money) < 9 else 15
    turn = seat == seen.public.turn and bool(seen.pending)
    room = span - wide(money, size) - 42 - 18 * turn - 46 * mine
    p.words(x + span - 12, 25, money, size, "end", bold=True)
    begins = x + (30 if turn else 12)
    p.seat(begins + 6, 19, seat)
    p.words(begins + 18, 25, cut(name, room, 16), 16, bold=mine)
    if turn:
        p.words(x + 10, 25, "►", 16)
    if mine:
        you = x + span - 56 - wide(money, size)
        p.box(you, 10, 38, 20, INK, INK, 10)
        p.words(you + 19, 25, w("you"), 13, "middle", PAPER, True)
    labels = {PROCESSING: w("processing"), DELIVERY: w("delivery")}
    begin = max(92, *(10 + PLAIN * 13 * len(label) for label in labels.values()))
    step = min((span - 8 - begin) / terms.edition.area, 52)
    for area, label in labels.items():
        p.words(x + 12, 60, label, 13, fill=QUIET)
        for at, (field, kind) in enumerate(pieces(player, area)):
            with p.at(f"field:{field}" if mine else ""):
                _field(p, x + begin + step * at, step - 3, field, kind, is_lot(seen.public, seat, field))
        p.top += 44
    p.top += 38
    cost = storage_cost(terms, player) if seen.pending else 0
    remarks = [*([w("storage {cost} a turn", cost=cost)] if cost else []), *said(seen.public.standing[seat])]
    for line in wrapped(remarks, " · ", lambda line: wide(line, 14) <= span - 24):
        p.words(x + 12, 14, line, 14)
        p.top += 20
    p.top += 4


def _field(p: Picture, x: float, span: float, field: Field, kind: Kind | None, lot: bool) -> None:
    """A field with its name, and what lies on it; the piece under the hammer has a strong edge and a mark."""
    if kind is None:
        p.frame(x, 36, span, 40, GROUND, 0, 4)
        p.words(x + span / 2, 61, field, 13, "middle", QUIET)
        return
    ink = on(STYLE[kind])
    p.frame(x, 36, span, 40, COLOURS[STYLE[kind]], 3.5 if lot else 1, 4)
    p.words(x + span / 2, 52, f"!{field}!" if lot else field, 13, "middle", ink, lot)
    p.words(x + span / 2, 70, short(kind), 15 if span > 39 else 13, "middle", ink, True)
