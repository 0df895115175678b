"""The position as terminal text: at 100 columns all of it beside one another, at 80 below one another."""

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from referee.columns import Line, fitted, heading, painted, strong, styled
from referee.columns import columns as of_text
from referee.columns import width as columns
from referee.game import Paint
from referee.language import Wording

from . import board_compact
from .board_compact import NAME, asked, bar_costs, in_columns, labels, letter, next_stage, stage_name, widths
from .lookups import colours_in, count, price, sale_left, shares_of, silver_price, stage, strip_full, total
from .story import called
from .types import BLACK, COLOURS, Cases, Deal, Player, Public, Sight

w = Wording("referee.games.schwarzer_freitag")

WIDE = 100
NARROW = 80
KNOWN = 19
"""Columns of the shares that everybody knows."""
LISTED = {"prices": COLOURS}
"""What the entries of lists in a position stand for, where a page shows figures over time."""


def render(terms: Deal, seen: Sight, names: Sequence[str], paint: Paint, width: int) -> str:
    """The whole position as this seat sees it."""
    return painted(lines(terms, seen, [fitted(name, NAME) for name in names], width), paint, width)


def lines(terms: Deal, seen: Sight, names: Sequence[str], width: int) -> Iterator[Line]:
    """The whole position in so many columns; all names are equally wide."""
    if width < NARROW:
        return board_compact.lines(terms, seen, names, width)
    wide = width >= WIDE
    title = w.plural(
        "Schwarzer Freitag · {stage} · {n} price change so far",
        "Schwarzer Freitag · {stage} · {n} price changes so far",
        seen.public.price_changes,
        stage=stage_name(seen.public),
    )
    blocks = (
        [heading(title, width)],
        _prices(terms, seen, wide),
        [heading(w("Silver"), width), *_silver_track(terms, seen.public, wide)],
        [heading(w("Strips"), width), *_strips(terms, seen.public)],
        [heading(w("Players"), width), *_players(terms, seen, names, wide)],
        [heading(w("Result"), width), *board_compact.result(seen, names)]
        if seen.result is not None
        else []
        if board_compact.looks_on(seen)
        else [heading(w("You"), width), *_yours(terms, seen, wide)],
        _asked(seen, names),
    )
    return chain.from_iterable(blocks)


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
            line += [(letter(colour), colour) for colour in here]
            line.append((" " * (len(COLOURS) + 1 - len(here)), ""))
        lines.append(line)
    return lines


def _colours(terms: Deal, seen: Sight) -> Iterator[Line]:
    label, heads = labels(), [w("price"), w("market"), w("own")]
    wide = widths(heads, (5, 5, 5))
    yield [(f"{w('colour'):<{len(label['red'])}}{in_columns(heads, wide)}", "dim")]
    for colour in COLOURS:
        cost = (in_columns((price(terms, seen.public, colour),), wide[:1]), "bold")
        numbers = in_columns((count(seen.public.market, colour), board_compact.own(seen, colour)), wide[1:])
        yield [(label[colour], colour), cost, (numbers, "")]


def _stage(terms: Deal, public: Public) -> Iterator[Line]:
    card = stage(terms, public)
    yield styled(w("{stage}: trade up to {limit}", stage=strong(stage_name(public)), limit=card.limit))
    yield [(w("subsidies up to {number}", number=card.subsidies), "")]
    yield [(w("a price change draws {number}", number=card.draw), "")]
    yield from next_stage(terms, public)


def _bag(public: Public) -> Iterator[Line]:
    yield [(w("bag {bag}, of them black {black}", bag=public.bag, black=public.bag_black), "")]
    yield [(w("black: supply {supply}, stages {stages}", supply=public.supply_black, stages=public.stage_black), "")]


def _silver_track(terms: Deal, public: Public, wide: bool) -> Iterator[Line]:
    line: Line = []
    for at, value in enumerate(terms.edition.silver_track):
        here = at == public.silver
        line.append((f"[{value}]" if here else f" {value}"[at == public.silver + 1 :], "bold" if here else "dim"))
    yield line
    each = terms.edition.silver_per_step
    steps, cost = public.counter // each, strong(bar_costs(silver_price(terms, public)))
    bought = w("{cost}; bars bought since the last price change: {bars}", cost=cost, bars=public.counter)
    good = w.plural(
        "good for {n} step (one for every {each})", "good for {n} steps (one for every {each})", steps, each=each
    )
    whole = styled(f"{bought}, {good}")
    yield from (whole,) if wide and columns(whole) <= WIDE else (styled(f"{bought},"), styled(f"  {good}"))


def _strips(terms: Deal, public: Public) -> Iterator[Line]:
    full = strip_full(terms)
    names = {"purchase": w("purchase"), "silver": w("silver")}
    sales = [w("sale {number}", number=at + 1) for at in range(len(public.sale))]
    wide = max(8, *map(of_text, (*names.values(), *sales))) + 1
    for name, cases in ((names["purchase"], public.purchase), (names["silver"], public.silver_strip)):
        left = full - total(cases)
        more = w("{number} more: price change", number=left)
        yield [(f"  {name:<{wide}}", ""), *_boxes(cases, full), (f"  {more}", "bold" if left == 1 else "dim")]
    for at, (cases, black) in enumerate(zip(public.sale, public.sale_black, strict=True)):
        current = at == public.strip
        line: Line = [(f"{'►' if current else ' '} {sales[at]:<{wide}}", "bold" if current else "")]
        line += [*_boxes(cases, terms.edition.sale_strip * len(COLOURS)), (" ", ""), ("[■]" * black, BLACK)]
        if current:
            left = max(total(cases) - sale_left(terms), 1)
            more = w.plural("{n} sale more: price change", "{n} sales more: price change", left)
            line.append((f"  {more}", "bold" if left == 1 else "dim"))
        yield line


def _boxes(cases: Cases, size: int) -> Line:
    """Filled boxes first, then the free ones."""
    line: Line = [(f"[{letter(colour)}]", colour) for colour in colours_in(cases) for _ in range(count(cases, colour))]
    return [*line, ("[ ]" * (size - total(cases)), "dim")]


def _players(terms: Deal, seen: Sight, names: Sequence[str], wide: bool) -> Iterator[Line]:
    heads = [w("money"), w("subs"), w("debt"), w("silver"), w("gold")]
    columns, hidden = widths(heads, (7, 6, 5, 5, 5)), w("hidden")
    head = f"  {w('player'):<{NAME}}{in_columns(heads, columns)}  {w('known shares'):<{KNOWN}} {hidden}  "
    longest = max(len(board_compact.cards_text(player)) for player in seen.public.players)
    beside = wide and of_text(head) + longest <= WIDE
    yield [(f"{head}{w('cards')}" if beside else head, "dim")]
    for seat, player in enumerate(seen.public.players):
        moves = any(ask.seat == seat for ask in seen.pending)
        subsidies = f"{player.subsidies}/{stage(terms, seen.public).subsidies}"
        cards = f"  {board_compact.cards_text(player)}" if beside else ""
        yield [
            ("► " if moves else "  ", "bold"),
            (names[seat], "bold" if seat == seen.seat else ""),
            (in_columns((player.money, subsidies), columns[:2]), ""),
            (in_columns((player.debt or "-",), columns[2:3]), "red" if player.debt else "dim"),
            (f"{in_columns((player.silver, player.gold), columns[3:])}  ", ""),
            *_known(player),
            (f"{player.unknown:>{of_text(hidden) + 1}}{cards}", ""),
        ]
    if not beside:
        yield from board_compact.cards(seen.public, names)


def _known(player: Player) -> Line:
    line = board_compact.counted(player.known)
    return [*line, (" " * (KNOWN - columns(line)), "")]


def _yours(terms: Deal, seen: Sight, wide: bool) -> Iterator[Line]:
    shares, line = shares_of(seen), [(f"{w('shares:')} ", "")]
    for colour in colours_in(shares):
        number, cost = count(shares, colour), price(terms, seen.public, colour)
        line += [(f"{number} {called(colour)}", colour), (f" = {number * cost}   " if wide else "  ", "")]
    yield line if total(shares) else [(w("shares: none"), "")]
    yield board_compact.value(terms, seen)


def _asked(seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    for ask in seen.pending:
        does = asked(ask.what, names[ask.seat].rstrip())
        if seen.public.in_debt:
            debt = seen.public.players[ask.seat].debt
            does = w("{does} and must settle a debt of {debt} (SF-29)", does=does, debt=debt)
        yield [(f"► {does}", "bold")]


def _beside(left: Sequence[Line], right: Sequence[Line]) -> Iterator[Line]:
    wide = max(columns(line) for line in left) + 2
    nothing: Line = []
    for first, second in zip_longest(left, right, fillvalue=nothing):
        yield [*first, (" " * (wide - columns(first)), ""), *second]
