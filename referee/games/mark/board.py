"""The position as terminal text."""

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from referee.game import LINK, Paint
from referee.picture import Line, fitted, heading, painted
from referee.picture import width as columns_of

from .tables import (
    DELIVERY,
    PROCESSING,
    in_bank,
    is_full,
    liquidation_value,
    lowest_bid,
    next_value,
    piece_at,
    pieces,
    row_of,
    storage_cost,
)
from .types import KINDS, Deal, Face, Field, Kind, Player, Public, Sight

LISTED = {"bank": KINDS}
"""What the entries of lists in a position stand for, where a page shows figures over time."""
SHORT_VALUES = 6
"""Values on a line of the short market."""
CELL = 5
"""Columns of a field: `[gla]`."""
NEAR = 5
"""So many rounds before MK-11 ends an idle game, the warning stands out."""
STYLE: dict[Face, str] = {"glass": "bold", "plastic": "red", "paper": "blue", "metal": "yellow", "composite": "green"}
STYLE |= {"hammer": "orange", "star": "orange"}
SHORT: dict[Kind, str] = {kind: kind[:3] for kind in KINDS}
ASKED = {
    "turn": "is to move: roll, buy or move",
    "act": "acts with the dice",
    "again": "may act a second time",
    "name": "names the kind to be auctioned",
    "offer": "answers in secret: offer a piece?",
    "bid": "bids in secret",
    LINK: "sends a link for the next throw",
}


def draw(terms: Deal, seen: Sight, names: Sequence[str], paint: Paint, width: int) -> str:
    """The whole position as this seat sees it."""
    public = seen.public
    roomy = 20 + (CELL + 1) * max(map(len, terms.edition.market)) <= width
    market = list((_market if roomy else _short_market)(terms, public))
    names = [fitted(name, min(40, width - 46)).rstrip() for name in names]
    blocks = (
        [heading("M.A.R.K. · market", width)],
        _beside(market, list(_kinds(terms, public)), width),
        [heading("Plants", width)],
        _plants(terms, seen, names, width),
        [heading("Table", width)],
        _table(terms, seen, names),
        [heading("Result", width), *_result(seen, names)] if seen.result else _asked(seen, names),
    )
    return painted(chain.from_iterable(blocks), paint, width)


def _market(terms: Deal, public: Public) -> Iterator[Line]:
    """Every row with what is placed; the field that comes next stands out with its value."""
    yield [("row kind       placed pieces, values of free fields", "dim")]
    for number, (row, values) in enumerate(zip(public.market, terms.edition.market, strict=True)):
        line: Line = [(f"{number + 1:>3} ", ""), (f"{row.kind or '-':<10}", STYLE[row.kind] if row.kind else "dim")]
        for at, value in enumerate(values):
            if at < row.pieces and row.kind:
                line.append((f" [{SHORT[row.kind]}]", STYLE[row.kind]))
            else:
                line.append((f" {value:^{CELL}}", "bold" if at == row.pieces else "dim"))
        line.append(("  full", "bold") if is_full(terms, public, number) else ("", ""))
        yield line


def _short_market(terms: Deal, public: Public) -> Iterator[Line]:
    """Every row with how many pieces are placed, and what its free fields are worth, on as many lines as that takes."""
    yield [("row kind      placed  values of free fields", "dim")]
    for number, (row, values) in enumerate(zip(public.market, terms.edition.market, strict=True)):
        placed = f"{row.pieces} of {len(values)}"
        free = [str(value) for value in values[row.pieces :]] or ["full"]
        line: Line = [(f"{number + 1:>3} ", ""), (f"{row.kind or '-':<10}", STYLE[row.kind] if row.kind else "dim")]
        line += [(f"{placed:<8}", ""), (free[0], "bold")]
        for first in range(1, max(len(free), 2), SHORT_VALUES):
            yield [*line, (" " + " ".join(free[first : first + SHORT_VALUES]), "dim")]
            line = [(" " * 22, "")]


def _kinds(terms: Deal, public: Public) -> Iterator[Line]:
    """Kind by kind: what the bank has, what the next piece brings, and the lowest bid for one."""
    yield [(f"{'kind':<10}{'bank':>5}{'next':>6}{'liquid':>8}{'bid from':>10}", "dim")]
    for kind in KINDS:
        number = row_of(public, kind)
        brings = "row?" if number is None else str(next_value(terms, public, number))
        liquid = str(liquidation_value(terms, public, kind)) if terms.options.liquidation else "-"
        yield [
            (f"{kind:<10}", STYLE[kind]),
            (f"{in_bank(public, kind):>5}", ""),
            (f"{brings:>6}", "bold"),
            (f"{liquid:>8}{lowest_bid(terms, public, kind):>10}", ""),
        ]


# --- plants ----------------------------------------------------------------------------------------------------------


def _plants(terms: Deal, seen: Sight, names: Sequence[str], width: int) -> Iterator[Line]:
    """As many plants side by side as fit."""
    plants = [list(_plant(terms, seen, names, seat)) for seat in range(len(names))]
    wide = max(columns_of(line) for lines in plants for line in lines) + 2
    fit = max(1, (width + 2) // wide)
    for first in range(0, len(plants), fit):
        yield from _side_by_side(plants[first : first + fit], wide)


def _plant(terms: Deal, seen: Sight, names: Sequence[str], seat: int) -> Iterator[Line]:
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
        cells: Line = [(f"{area}  ", "dim")]
        cells += [_cell(public, seat, player, field) for field, _ in pieces(player, area)]
        yield cells
    cost = storage_cost(terms, player)
    yield [(f"   storage {cost} a turn", "red")] if cost else []


def _cell(public: Public, seat: int, player: Player, field: Field) -> tuple[str, str]:
    """One field; the piece under the hammer stands between exclamation marks."""
    kind = piece_at(player, field)
    if kind is None:
        return f"[{field:^3}]", "dim"
    lot = public.lot
    if lot is not None and (lot.owner, lot.field) == (seat, field):
        return f"!{SHORT[kind]}!", STYLE[kind]
    return f"[{SHORT[kind]}]", STYLE[kind]


# --- what goes on ----------------------------------------------------------------------------------------------------


def _table(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    public = seen.public
    dice: Line = [("dice: ", "")]
    for face in public.dice:
        dice += [(f"<{face}>", STYLE[face]), (" ", "")]
    yield dice if public.dice else [("dice: ", ""), ("none on the table", "dim")]
    lot = public.lot
    if lot is None:
        yield [("auction: ", ""), ("none", "dim")]
    else:
        whose = "from the bank" if lot.owner is None else f"from {names[lot.owner]}, {lot.field}"
        if any(ask.what == "offer" for ask in seen.pending):
            whose = "from whoever offers it"
        lowest = f", bids from {lowest_bid(terms, public, lot.kind)}"
        yield [("auction: ", ""), (lot.kind, STYLE[lot.kind]), (f" {whose}{lowest}", "")]
    full = sum(is_full(terms, public, number) for number in range(len(public.market)))
    yield [(f"full rows: {full} of {terms.edition.full_rows}", "")]
    if seen.result is None:
        left = terms.edition.idle_rounds * terms.seats - max(public.idle, 1) + 1
        told = f"the game also ends after {left} more {'turn' if left == 1 else 'turns'} without a sale"
        yield [(told, "bold" if left <= NEAR * terms.seats else "dim")]


def _result(seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    if seen.result is None:
        return
    for rank, seat in sorted(zip(seen.result.ranks, range(len(names)), strict=True)):
        (money,) = seen.result.scores[seat]
        yield [(f"{rank}. {fitted(names[seat], 20)}", "bold" if rank == 1 else ""), (f"  {money:>4} Mark", "")]


def _asked(seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    for ask in seen.pending:
        yield [(f"► {names[ask.seat]} {ASKED[ask.what]}", "bold")]


# --- lines -----------------------------------------------------------------------------------------------------------


def _beside(left: Sequence[Line], right: Sequence[Line], width: int) -> Iterator[Line]:
    """Side by side where both fit, else one below the other."""
    wide = max(map(columns_of, left)) + 4
    if wide + max(map(columns_of, right)) <= width:
        return _side_by_side((left, right), wide)
    return iter((*left, [], *right))


def _side_by_side(blocks: Sequence[Sequence[Line]], wide: int) -> Iterator[Line]:
    """Blocks of lines side by side, each this wide."""
    nothing: Line = []
    for lines in zip_longest(*blocks, fillvalue=nothing):
        together: Line = []
        for line in lines:
            together += [*line, (" " * (wide - columns_of(line)), "")]
        yield together
