"""The position as terminal text."""

from collections.abc import Iterator, Sequence
from itertools import chain

from referee.columns import (
    Line,
    columns,
    fitted,
    in_columns,
    painted,
    ranking,
    sections,
    side_by_side,
    strong,
    styled,
    widths,
)
from referee.columns import width as columns_of
from referee.game import LINK, Paint, Seat
from referee.language import Wording, mark

from .lookups import (
    DELIVERY,
    PROCESSING,
    in_bank,
    is_full,
    liquidation_value,
    lowest_bid,
    next_value,
    pieces,
    row_of,
    storage_cost,
)
from .types import KINDS, Deal, Face, Field, Kind, Public, Sight

w = Wording("referee.games.mark")

LISTED = {"bank": KINDS}
"""What the entries of lists in a position stand for, where a page shows figures over time."""
SHORT_VALUES = 6
"""Values on a line of the short market."""
CELL = 5
"""Columns of a field: `[gla]`."""
NEAR = 5
"""The warning stands out from this many rounds before MK-11 ends an idle game."""
STYLE: dict[Face, str] = {"glass": "bold", "plastic": "red", "paper": "blue", "metal": "yellow", "composite": "green"}
STYLE |= {"hammer": "orange", "star": "orange"}
ASKED = {
    mark("turn", "asked"): mark("{name} is to move: roll, buy or move"),
    mark("act", "asked"): mark("{name} acts with the dice"),
    mark("again", "asked"): mark("{name} may act a second time"),
    mark("name", "asked"): mark("{name} names the kind to be auctioned"),
    mark("offer", "asked"): mark("{name} answers in secret: offer a piece?"),
    mark("bid", "asked"): mark("{name} bids in secret"),
    LINK: mark("{name} sends a confirmation before the next roll"),
}


def render(terms: Deal, seen: Sight, names: Sequence[str], paint: Paint, width: int) -> str:
    """The whole position as this seat sees it."""
    public = seen.public
    fields = (CELL + 1) * max(map(len, terms.edition.market))
    roomy = len(_heads()) + fields + 2 + columns(w("full")) <= width
    market = list((_market if roomy else _short_market)(terms, public))
    names = [fitted(name, min(40, width - 46)).rstrip() for name in names]
    blocks = {
        w("M.A.R.K. · market"): _beside(market, list(_kinds(terms, public)), width),
        w("Plants"): _plants(terms, seen, names, width),
        w("Table"): _table(terms, seen, names),
    }
    if seen.result:
        blocks[w("Result")] = ranking(seen.result, [fitted(name, 20) for name in names], score)
    asked: Iterator[Line] = ([(f"► {w(ASKED[ask.what], name=names[ask.seat])}", "bold")] for ask in seen.pending)
    return painted(chain(sections(blocks, width), asked), paint, width)


def score(money: int) -> str:
    """What a player has at the end."""
    return f"  {w('{money} Mark', money=f'{money:>4}')}"


def short(kind: Kind) -> str:
    """The first letters of a kind."""
    return w(kind)[:3]


def turns_left(terms: Deal, public: Public) -> int:
    """MK-11: turns without a sale after which the game ends, the running one included."""
    return terms.edition.idle_rounds * terms.seats - max(public.idle, 1) + 1


def _heads() -> str:
    """What stands above the number of a row, and above the kind that it is for."""
    return f"{w.sense('above numbers', 'row'):>3} {w('kind'):<{_kind_width()}}"


def _kind_width() -> int:
    """Columns for the name of any kind, and a blank."""
    return 1 + max(map(columns, map(w, ("kind", *KINDS))))


def _row(number: int, kind: Kind | None) -> Line:
    """How a row begins."""
    heads = _heads()
    first = heads.index(w("kind"))
    named = f"{w(kind) if kind else '-':<{len(heads) - first}}"
    return [(f"{number + 1:>{first - 1}} ", ""), (named, STYLE[kind] if kind else "dim")]


def _market(terms: Deal, public: Public) -> Iterator[Line]:
    """Every row with what is placed; the field that comes next stands out with its value."""
    yield [(f"{_heads()} {w('placed pieces, values of free fields')}", "dim")]
    for number, (row, values) in enumerate(zip(public.market, terms.edition.market, strict=True)):
        line = _row(number, row.kind)
        for at, value in enumerate(values):
            if at < row.pieces and row.kind:
                line.append((f" [{short(row.kind)}]", STYLE[row.kind]))
            else:
                line.append((f" {value:^{CELL}}", "bold" if at == row.pieces else "dim"))
        line.append((f"  {w('full')}", "bold") if is_full(terms, public, number) else ("", ""))
        yield line


def _short_market(terms: Deal, public: Public) -> Iterator[Line]:
    """Every row with how many pieces are placed, and what its free fields are worth, on as many lines as that takes."""
    rows = list(zip(public.market, terms.edition.market, strict=True))
    counts = [w("{pieces} of {fields}", pieces=row.pieces, fields=len(values)) for row, values in rows]
    wide = max(8, *(columns(word) + 1 for word in (w("placed"), *counts)))
    yield [(f"{_heads()}{w('placed'):<{wide}}{w('values of free fields')}", "dim")]
    for number, (row, values) in enumerate(rows):
        free = [str(value) for value in values[row.pieces :]] or [w("full")]
        line = [*_row(number, row.kind), (f"{counts[number]:<{wide}}", "")]
        indent = columns_of(line)
        line.append((free[0], "bold"))
        for first in range(1, max(len(free), 2), SHORT_VALUES):
            yield [*line, (" " + " ".join(free[first : first + SHORT_VALUES]), "dim")]
            line = [(" " * indent, "")]


def _kinds(terms: Deal, public: Public) -> Iterator[Line]:
    """Kind by kind: what the bank has, what the next piece brings, and the lowest bid for one."""
    heads = (w("bank"), w("next"), w("liquid"), w("bid from"))
    first, wide = _kind_width(), widths(heads, (5, max(6, columns(w("row?")) + 1), 8, 10))
    yield [(f"{w('kind'):<{first}}{in_columns(heads, wide)}", "dim")]
    for kind in KINDS:
        number = row_of(public, kind)
        brings = w("row?") if number is None else str(next_value(terms, public, number))
        liquid = str(liquidation_value(terms, public, kind)) if terms.options.liquidation else "-"
        yield [
            (f"{w(kind):<{first}}", STYLE[kind]),
            (f"{in_bank(public, kind):>{wide[0]}}", ""),
            (f"{brings:>{wide[1]}}", "bold"),
            (in_columns((liquid, lowest_bid(terms, public, kind)), wide[2:]), ""),
        ]


# --- plants ----------------------------------------------------------------------------------------------------------


def _plants(terms: Deal, seen: Sight, names: Sequence[str], width: int) -> Iterator[Line]:
    """As many plants side by side as fit."""
    plants = [list(_plant(terms, seen, names, seat)) for seat in range(len(names))]
    wide = max(columns_of(line) for lines in plants for line in lines) + 2
    fit = max(1, (width + 2) // wide)
    for first in range(0, len(plants), fit):
        yield from side_by_side(plants[first : first + fit], wide)


def _plant(terms: Deal, seen: Sight, names: Sequence[str], seat: Seat) -> Iterator[Line]:
    public = seen.public
    player = public.players[seat]
    size = terms.edition.area * CELL + 3
    mark = "►" if seat == public.turn and seen.result is None else " "
    money = f" {player.money} M"
    yield [
        (f"{mark} ", "bold"),
        (fitted(names[seat], max(size - 2 - len(money), 0)), "bold" if seat == seen.seat else ""),
        (money, "bold"),
    ]
    for area in (PROCESSING, DELIVERY):
        yield [(f"{area}  ", "dim"), *(_cell(public, seat, field, kind) for field, kind in pieces(player, area))]
    cost = storage_cost(terms, player)
    yield [(f"   {w('storage {cost} a turn', cost=cost)}", "red")] if cost else []


def _cell(public: Public, seat: Seat, field: Field, kind: Kind | None) -> tuple[str, str]:
    """One field; the piece under the hammer stands between exclamation marks."""
    if kind is None:
        return f"[{field:^3}]", "dim"
    return f"!{short(kind)}!" if is_lot(public, seat, field) else f"[{short(kind)}]", STYLE[kind]


def is_lot(public: Public, seat: Seat, field: Field) -> bool:
    """Is the piece on this field under the hammer?"""
    return public.lot is not None and (public.lot.owner, public.lot.field) == (seat, field)


# --- what goes on ----------------------------------------------------------------------------------------------------


def _table(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    public = seen.public
    dice: Line = [(f"{w('dice:')} ", "")]
    for face in public.dice:
        dice += [(f"<{w(face)}>", STYLE[face]), (" ", "")]
    yield dice if public.dice else [*dice, (w("none on the table"), "dim")]
    yield from _auction(terms, seen, names)
    yield [(full_rows(terms, public), "")]
    if seen.result is None:
        left = turns_left(terms, public)
        yield [(idle_end(left), "bold" if left <= NEAR * terms.seats else "dim")]


def full_rows(terms: Deal, public: Public) -> str:
    """How near the market is to ending the game."""
    full = sum(is_full(terms, public, number) for number in range(len(public.market)))
    return w("full rows: {full} of {most}", full=full, most=terms.edition.full_rows)


def idle_end(left: int) -> str:
    """What MK-11 warns of."""
    return w.plural(
        "the game also ends after {n} more turn without a sale",
        "the game also ends after {n} more turns without a sale",
        left,
    )


def _auction(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    lot = seen.public.lot
    if lot is None:
        yield [(f"{w('auction:')} ", ""), (w.sense("no auction", "none"), "dim")]
        return
    values = {"kind": strong(w(lot.kind), STYLE[lot.kind]), "lowest": lowest_bid(terms, seen.public, lot.kind)}
    if "offer" in {ask.what for ask in seen.pending}:
        text = w("auction: {kind} from whoever offers it, bids from {lowest}", **values)
    elif lot.owner is None:
        text = w("auction: {kind} from the bank, bids from {lowest}", **values)
    else:
        values |= {"name": names[lot.owner], "field": lot.field}
        text = w("auction: {kind} from {name}, {field}, bids from {lowest}", **values)
    yield styled(text)


def _beside(left: Sequence[Line], right: Sequence[Line], width: int) -> Iterator[Line]:
    """Side by side where both fit, else one below the other."""
    wide = max(map(columns_of, left)) + 4
    if wide + max(map(columns_of, right)) <= width:
        return side_by_side((left, right), wide)
    return iter((*left, [], *right))
