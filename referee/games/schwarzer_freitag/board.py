"""The position as terminal text: at 100 columns all of it beside one another, at 80 below one another."""

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from referee.game import Paint
from referee.picture import Line, fitted, heading, painted
from referee.picture import width as columns

from . import board_compact
from .board_compact import ASKED, LETTER, NAME, plural, stage_name
from .tables import colours_in, count, price, sale_left, shares_of, silver_price, stage, strip_full, total
from .types import BLACK, COLOURS, Cases, Deal, Player, Public, Sight

WIDE = 100
NARROW = 80
LISTED = {"prices": COLOURS}
"""What the entries of lists in a position stand for, where a page shows figures over time."""


def draw(terms: Deal, seen: Sight, names: Sequence[str], paint: Paint, width: int) -> str:
    """The whole position as this seat sees it."""
    short = [fitted(name, NAME) for name in names]
    if width < NARROW:
        return painted(board_compact.lines(terms, seen, short, width), paint, width)
    wide = width >= WIDE
    changes = seen.public.price_changes
    title = f"Schwarzer Freitag · {stage_name(seen.public)} · {changes} {plural('price change', changes)} so far"
    blocks = (
        [heading(title, width)],
        _prices(terms, seen, wide),
        [heading("Silver", width), *_silver_track(terms, seen.public, wide)],
        [heading("Strips", width), *_strips(terms, seen.public)],
        [heading("Players", width), *_players(terms, seen, short, wide)],
        [heading("You", width), *_yours(terms, seen, wide)]
        if seen.result is None
        else [heading("Result", width), *board_compact.result(seen, short)],
        _asked(seen, short),
    )
    return painted(chain.from_iterable(blocks), paint, width)


def _prices(terms: Deal, seen: Sight, wide: bool) -> Iterator[Line]:
    """The table, with what belongs to it beside it or below it."""
    table, colours = _price_table(terms, seen.public), list(_colours(terms, seen))
    card, bag = list(_stage(terms, seen.public)), list(_bag(seen.public))
    if wide:
        return _beside(table, [*colours, [], *card, [], *bag])
    return chain(table, [[]], _beside(colours, [*card, *bag]))


def _price_table(terms: Deal, public: Public) -> list[Line]:
    """Highest prices on top, each marker as its letter beside the price it stands on."""
    lines, digits = [], max(len(str(value)) for values in terms.edition.prices for value in values)
    for row in range(len(terms.edition.prices) - 1, -1, -1):
        line: Line = []
        for column, value in enumerate(terms.edition.prices[row]):
            here = [colour for colour, at in zip(COLOURS, public.prices, strict=True) if at == (row, column)]
            line += [(f"{value:>{digits}}", "bold" if here else "dim"), (" ", "")]
            line += [(LETTER[colour], colour) for colour in here]
            line.append((" " * (len(COLOURS) + 1 - len(here)), ""))
        lines.append(line)
    return lines


def _colours(terms: Deal, seen: Sight) -> Iterator[Line]:
    yield [("colour   price market  own", "dim")]
    shares = shares_of(seen)
    for colour in COLOURS:
        market, own = count(seen.public.market, colour), count(shares, colour)
        cost = (f"{price(terms, seen.public, colour):>6}", "bold")
        yield [(f"{LETTER[colour]} {colour:<6}", colour), cost, (f"{market:>7}{own:>5}", "")]


def _stage(terms: Deal, public: Public) -> Iterator[Line]:
    card = stage(terms, public)
    yield [(stage_name(public), "bold"), (f": trade up to {card.limit}", "")]
    yield [(f"subsidies up to {card.subsidies}", "")]
    yield [(f"a price change draws {card.draw}", "")]
    if public.stage + 1 < len(terms.edition.stages):
        yield [(f"next stage at price {terms.edition.stages[public.stage + 1].price}", "dim")]


def _bag(public: Public) -> Iterator[Line]:
    yield [(f"bag {public.bag}, of them black {public.bag_black}", "")]
    yield [(f"black: supply {public.supply_black}, stages {public.stage_black}", "")]


def _silver_track(terms: Deal, public: Public, wide: bool) -> Iterator[Line]:
    line: Line = []
    for at, value in enumerate(terms.edition.silver_track):
        here = at == public.silver
        line.append((f"[{value}]" if here else f" {value}"[at == public.silver + 1 :], "bold" if here else "dim"))
    yield line
    steps = public.counter // terms.edition.silver_per_step
    cost: Line = [(f"a bar costs {silver_price(terms, public)}", "bold")]
    bought = f"bars bought since the last price change: {public.counter}"
    good = f"good for {steps} {plural('step', steps)} (one for every {terms.edition.silver_per_step})"
    if wide:
        yield [*cost, (f"; {bought}, {good}", "")]
    else:
        yield [*cost, (f"; {bought},", "")]
        yield [(f"  {good}", "")]


def _strips(terms: Deal, public: Public) -> Iterator[Line]:
    full = strip_full(terms)
    for name, cases in (("purchase", public.purchase), ("silver", public.silver_strip)):
        left = full - total(cases)
        yield [
            (f"  {name:<9}", ""),
            *_boxes(cases, full),
            (f"  {left} more: price change", "bold" if left == 1 else "dim"),
        ]
    for at, (cases, black) in enumerate(zip(public.sale, public.sale_black, strict=True)):
        current = at == public.strip
        line: Line = [(f"{'►' if current else ' '} sale {at + 1:<4}", "bold" if current else "")]
        line += [*_boxes(cases, terms.edition.sale_strip * len(COLOURS)), (" ", ""), ("[■]" * black, BLACK)]
        if current:
            left = max(total(cases) - sale_left(terms), 1)
            line.append((f"  {left} {plural('sale', left)} more: price change", "bold" if left == 1 else "dim"))
        yield line


def _boxes(cases: Cases, size: int) -> Line:
    """Filled boxes first, then the free ones."""
    line: Line = [(f"[{LETTER[colour]}]", colour) for colour in colours_in(cases) for _ in range(count(cases, colour))]
    return [*line, ("[ ]" * (size - total(cases)), "dim")]


def _players(terms: Deal, seen: Sight, names: Sequence[str], wide: bool) -> Iterator[Line]:
    known = "known shares"
    head = f"  {'player':<{NAME}}  money  subs debt silver gold  {known:<19} hidden"
    yield [(f"{head}  cards" if wide else head, "dim")]
    for seat, player in enumerate(seen.public.players):
        moves = any(ask.seat == seat for ask in seen.pending)
        yield [
            ("► " if moves else "  ", "bold"),
            (names[seat], "bold" if seat == seen.seat else ""),
            (f"{player.money:>7}", ""),
            (f"{player.subsidies:>4}/{stage(terms, seen.public).subsidies}", ""),
            (f"{player.debt or '-':>5}", "red" if player.debt else "dim"),
            (f"{player.silver:>7}{player.gold:>5}  ", ""),
            *_known(player),
            (f"{player.unknown:>7}  {board_compact.cards_text(player) if wide else ''}", ""),
        ]
    if not wide:
        yield from board_compact.cards(seen.public, names)


def _known(player: Player) -> Line:
    line = board_compact.counted(player.known)
    return [*line, (" " * (19 - columns(line)), "")]


def _yours(terms: Deal, seen: Sight, wide: bool) -> Iterator[Line]:
    shares, line = shares_of(seen), [("shares: ", "")]
    for colour in colours_in(shares):
        number, cost = count(shares, colour), price(terms, seen.public, colour)
        line += [(f"{number} {colour}", colour), (f" = {number * cost}   " if wide else "  ", "")]
    yield line if total(shares) else [("shares: none", "")]
    yield board_compact.value(terms, seen)


def _asked(seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    for ask in seen.pending:
        debt = f" and must settle a debt of {seen.public.players[ask.seat].debt} (SF-29)" if seen.public.in_debt else ""
        yield [(f"► {names[ask.seat].rstrip()} {ASKED[ask.what]}{debt}", "bold")]


def _beside(left: Sequence[Line], right: Sequence[Line]) -> Iterator[Line]:
    wide = max(columns(line) for line in left) + 2
    nothing: Line = []
    for first, second in zip_longest(left, right, fillvalue=nothing):
        yield [*first, (" " * (wide - columns(first)), ""), *second]
