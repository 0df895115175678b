"""The position as terminal text: side by side at 100 columns, one below the other at 80, and with
prices and strips in one table in fewer."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from referee.columns import (
    Line,
    fitted,
    in_columns,
    painted,
    ranking,
    seat_name,
    sections,
    side_by_side,
    strong,
    styled,
    widths,
)
from referee.columns import columns as of_text
from referee.columns import width as columns
from referee.game import Paint
from referee.language import Wording, mark

from .lookups import (
    AT,
    colours_in,
    count,
    moved,
    price,
    sale_left,
    shares_of,
    silver_price,
    stage,
    strip_full,
    total,
    worth,
)
from .story import called, card_name
from .types import BLACK, COLOURS, Cases, Colour, Deal, Player, Public, Sight

w = Wording("referee.games.schwarzer_freitag")

WIDE = 100
NARROW = 80
NAME = 12
KNOWN = 19
"""Columns of the shares that everybody knows."""
LISTED = {"prices": COLOURS}
"""What the entries of lists in a position stand for, where a page shows figures over time."""
LETTERS: dict[Colour, str] = {
    "yellow": mark("Y", "the letter of yellow"),
    "blue": mark("B", "the letter of blue"),
    "red": mark("R", "the letter of red"),
    "green": mark("G", "the letter of green"),
    "orange": mark("O", "the letter of orange"),
}
_ASKED = {
    mark("place", "asked"): mark("{name} puts a case on the purchase strip"),
    mark("turn", "asked"): mark("{name} is to move"),
    mark("finish", "asked"): mark("{name} may still take extras"),
}


def render(terms: Deal, seen: Sight, names: Sequence[str], paint: Paint, width: int) -> str:
    """The whole position as this seat sees it."""
    return painted(lines(terms, seen, [fitted(name, NAME) for name in names], width), paint, width)


def lines(terms: Deal, seen: Sight, names: Sequence[str], width: int) -> Iterator[Line]:
    """The whole position in this width; all names are equally wide."""
    public, wide = seen.public, width >= WIDE
    blocks: dict[str, Iterable[Line]]
    if width < NARROW:
        blocks = {
            f"Schwarzer Freitag · {stage_name(public)} · {changes(public)}": _short_colours(terms, seen),
            w("Silver, stage, bag"): _short_numbers(terms, public),
            w("Players"): chain(_short_players(terms, seen, names), _cards(public, names)),
        }
    else:
        title = w.plural(
            "Schwarzer Freitag · {stage} · {n} price change so far",
            "Schwarzer Freitag · {stage} · {n} price changes so far",
            public.price_changes,
            stage=stage_name(public),
        )
        blocks = {
            title: _prices(terms, seen, wide),
            w("Silver"): _silver_track(terms, public, wide),
            w("Strips"): _strips(terms, public),
            w("Players"): _players(terms, seen, names, wide),
        }
    if seen.result is not None:
        blocks[w("Result")] = ranking(seen.result, names, score)
    elif seen.seat < len(names):
        blocks[w("You")] = _yours(terms, seen, width)
    return chain(sections(blocks, width), _asked(seen, names, width))


# --- words that every picture has ------------------------------------------------------------------------------------


def letter(colour: Colour) -> str:
    """The letter that stands for a colour, which can be typed, too."""
    sense = f"the letter of {colour}"
    return w.sense(sense, LETTERS[colour])


def stage_name(public: Public) -> str:
    return w("stage {number}", number=public.stage) if public.stage else w("stage Start")


def changes(public: Public) -> str:
    return w.plural("{n} price change", "{n} price changes", public.price_changes)


def cards_text(player: Player) -> str:
    """The special cards that a player still has."""
    return " ".join("/".join(map(card_name, card)) for card in player.cards)


def asked(what: str, name: str) -> str:
    """Who is asked for what."""
    return w(_ASKED[what], name=name)


def sales_left(terms: Deal, public: Public) -> int:
    """How many sales set off a price change."""
    return max(total(public.sale[public.strip]) - sale_left(terms), 1)


def wealth(terms: Deal, seen: Sight) -> tuple[int, int, int]:
    """What your shares are worth now, your money, and what a bar costs."""
    money = seen.public.players[seen.seat].money
    return worth(terms, seen.public, shares_of(seen)), money, silver_price(terms, seen.public)


# --- prices, stage, bag ----------------------------------------------------------------------------------------------


def _prices(terms: Deal, seen: Sight, wide: bool) -> Iterator[Line]:
    """The table, with what belongs to it beside it or below it."""
    public, card = seen.public, stage(terms, seen.public)
    table, colours = _price_table(terms, public), list(_colours(terms, seen))
    limits: list[Line] = [
        styled(w("{stage}: trade up to {limit}", stage=strong(stage_name(public)), limit=card.limit)),
        [(w("subsidies up to {number}", number=card.subsidies), "")],
        [(w("a price change draws {number}", number=card.draw), "")],
        *_next_stage(terms, public),
    ]
    bag: list[Line] = [
        [(w("bag {bag}, {black} of them black", bag=public.bag, black=public.bag_black), "")],
        [(w("black: supply {supply}, stages {stages}", supply=public.supply_black, stages=public.stage_black), "")],
    ]
    if wide:
        return _beside(table, [*colours, [], *limits, [], *bag])
    return chain(table, [[]], _beside(colours, [*limits, *bag]))


def _beside(left: Sequence[Line], right: Sequence[Line]) -> Iterator[Line]:
    return side_by_side((left, right), max(map(columns, left)) + 2)


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


def _labels() -> dict[Colour, str]:
    """Each colour with its letter, all equally wide."""
    found: dict[Colour, str] = {colour: f"{letter(colour)} {called(colour)}" for colour in COLOURS}
    wide = max(map(len, found.values()))
    return {colour: label.ljust(wide) for colour, label in found.items()}


def _own(seen: Sight, colour: Colour) -> int | str:
    """How many shares of a colour this seat has; a spectator has none."""
    return "-" if seen.seat >= len(seen.public.players) else count(shares_of(seen), colour)


def _colours(terms: Deal, seen: Sight) -> Iterator[Line]:
    label, heads = _labels(), [w("price"), w("market"), w("own")]
    wide = widths(heads, (5, 5, 5))
    yield [(f"{w('colour'):<{len(label['red'])}}{in_columns(heads, wide)}", "dim")]
    for colour in COLOURS:
        cost = (in_columns((price(terms, seen.public, colour),), wide[:1]), "bold")
        numbers = in_columns((count(seen.public.market, colour), _own(seen, colour)), wide[1:])
        yield [(label[colour], colour), cost, (numbers, "")]


def _short_colours(terms: Deal, seen: Sight) -> Iterator[Line]:
    """A line for each colour: what it costs, what it would cost one field right and up, and where its cases lie."""
    public, label, prices = seen.public, _labels(), terms.edition.prices
    strips = public.purchase, public.silver_strip, public.sale[public.strip]
    heads = [w("price"), w("right"), w("up"), w("market"), w("own")]
    strip_heads = [w.sense("a strip", "purch"), w.sense("a strip", "silver"), w.sense("a strip", "sale")]
    first, *wide = widths(heads, (5, 5, 5, 5, 5))
    places = widths(strip_heads, (6, 6, 6))
    left = len(label["red"]) + first - 1
    head = f"{w('colour'):<{left - len(heads[0])}}{heads[0]}{in_columns(heads[1:], wide)}"
    yield [(f"{head} |{in_columns(strip_heads, places)}", "dim")]
    for colour in COLOURS:
        beside = (moved(terms.edition, public.prices[AT[colour]], *steps) for steps in ((0, 1), (1, 0)))
        right, up = (prices[row][column] for row, column in beside)
        numbers = in_columns((right, up, count(public.market, colour), _own(seen, colour)), wide)
        yield [
            (label[colour], colour),
            (f"{price(terms, public, colour):>{first - 1}}", "bold"),
            (f"{numbers} |{in_columns([count(cases, colour) or '-' for cases in strips], places)}", ""),
        ]
    left += sum(wide) + 2
    yield [(f"{w('on the strip'):>{left}}{in_columns(map(total, strips), places)}", "")]
    full = strip_full(terms), strip_full(terms), sale_left(terms)
    yield [(f"{w('price change at'):>{left}}{in_columns(full, places)}", "dim")]


def _short_numbers(terms: Deal, public: Public) -> Iterator[Line]:
    track, card = terms.edition.silver_track, stage(terms, public)
    cost, left = strong(_bar_costs(track[public.silver])), len(track) - 1 - public.silver
    ends = w("{cost}; 0 steps to the end", cost=cost)
    if left:
        ends = w.plural(
            "{cost}, then {following}; {n} step to the end",
            "{cost}, then {following}; {n} steps to the end",
            left,
            cost=cost,
            following=track[public.silver + 1],
        )
    yield styled(ends)
    bought = w.plural(
        "bought since the last change: {bought}, good for {n} step",
        "bought since the last change: {bought}, good for {n} steps",
        public.counter // terms.edition.silver_per_step,
        bought=public.counter,
    )
    yield [(bought, "")]
    limits = {"limit": card.limit, "subsidies": card.subsidies, "draw": card.draw, "stage": stage_name(public)}
    yield [(w("{stage}: trade up to {limit}, subsidies {subsidies}, draw {draw}", **limits), "")]
    yield from _next_stage(terms, public)
    bag = {"bag": public.bag, "black": public.bag_black, "strip": public.strip + 1}
    yield [(w("bag {bag}, {black} of them black; sale strip {strip} of 3", **bag), "")]
    strips = " ".join(map(str, public.sale_black))
    black = {"supply": public.supply_black, "stages": public.stage_black, "strips": strips}
    yield [(w("black: supply {supply}, stages {stages}, sale strips {strips}", **black), "")]


def _next_stage(terms: Deal, public: Public) -> Iterator[Line]:
    """Which price opens the next stage, if there is one."""
    if public.stage + 1 < len(terms.edition.stages):
        yield [(w("next stage at price {price}", price=terms.edition.stages[public.stage + 1].price), "dim")]


def _bar_costs(price: int) -> str:
    return w("a bar costs {price}", price=price)


def _silver_track(terms: Deal, public: Public, wide: bool) -> Iterator[Line]:
    line: Line = []
    for at, value in enumerate(terms.edition.silver_track):
        here = at == public.silver
        line.append((f"[{value}]" if here else f" {value}"[at == public.silver + 1 :], "bold" if here else "dim"))
    yield line
    each = terms.edition.silver_per_step
    steps, cost = public.counter // each, strong(_bar_costs(silver_price(terms, public)))
    bought = w("{cost}; bars bought since the last price change: {bars}", cost=cost, bars=public.counter)
    good = w.plural(
        "good for {n} step (one for every {each})", "good for {n} steps (one for every {each})", steps, each=each
    )
    whole = styled(f"{bought}, {good}")
    yield from (whole,) if wide and columns(whole) <= WIDE else (styled(f"{bought},"), styled(f"  {good}"))


# --- strips ----------------------------------------------------------------------------------------------------------


def _strips(terms: Deal, public: Public) -> Iterator[Line]:
    full = strip_full(terms)
    names = {w("purchase"): public.purchase, w("silver"): public.silver_strip}
    sales = [w("sale {number}", number=at + 1) for at in range(len(public.sale))]
    wide = max(8, *map(of_text, (*names, *sales))) + 1
    for name, cases in names.items():
        left = full - total(cases)
        more = w("{number} more: price change", number=left)
        yield [(f"  {name:<{wide}}", ""), *_boxes(cases, full), (f"  {more}", "bold" if left == 1 else "dim")]
    for at, (cases, black) in enumerate(zip(public.sale, public.sale_black, strict=True)):
        current = at == public.strip
        line: Line = [(f"{'►' if current else ' '} {sales[at]:<{wide}}", "bold" if current else "")]
        line += [*_boxes(cases, terms.edition.sale_strip * len(COLOURS)), (" ", ""), ("[■]" * black, BLACK)]
        if current:
            left = sales_left(terms, public)
            more = w.plural("{n} more sale: price change", "{n} more sales: price change", left)
            line.append((f"  {more}", "bold" if left == 1 else "dim"))
        yield line


def _boxes(cases: Cases, size: int) -> Line:
    """Filled boxes first, then the free ones."""
    line: Line = [(f"[{letter(colour)}]", colour) for colour in colours_in(cases) for _ in range(count(cases, colour))]
    return [*line, ("[ ]" * (size - total(cases)), "dim")]


# --- players ---------------------------------------------------------------------------------------------------------


def _players(terms: Deal, seen: Sight, names: Sequence[str], wide: bool) -> Iterator[Line]:
    heads, hidden = [w("money"), w("subs"), w("debt"), w("silver"), w("gold")], w("hidden")
    places = widths(heads, (7, 6, 5, 5, 5))
    head = f"  {w('player'):<{NAME}}{in_columns(heads, places)}  {w('known shares'):<{KNOWN}} {hidden}  "
    longest = max(len(cards_text(player)) for player in seen.public.players)
    beside = wide and of_text(head) + longest <= WIDE
    yield [(f"{head}{w('cards')}" if beside else head, "dim")]
    for seat, player in enumerate(seen.public.players):
        known, cards = _counted(player.known), f"  {cards_text(player)}" if beside else ""
        yield [
            *_money(terms, seen, names, seat, places),
            (f"{in_columns((player.silver, player.gold), places[3:])}  ", ""),
            *known,
            (" " * (KNOWN - columns(known)), ""),
            (f"{player.unknown:>{of_text(hidden) + 1}}{cards}", ""),
        ]
    if not beside:
        yield from _cards(seen.public, names)


def _short_players(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    heads = [w("money"), w("subs"), w("debt"), w("gold"), w("silv"), w("hid")]
    places = widths(heads, (6, 5, 5, 5, 5, 4))
    yield [(f"  {w('player'):<{NAME}}{in_columns(heads, places)}  {w('known')}", "dim")]
    for seat, player in enumerate(seen.public.players):
        numbers = in_columns((player.gold, player.silver, player.unknown), places[3:])
        yield [*_money(terms, seen, names, seat, places), (f"{numbers}  ", ""), *_counted(player.known, "")]


def _money(terms: Deal, seen: Sight, names: Sequence[str], seat: int, places: Sequence[int]) -> Line:
    """A player's name, money, subsidies and debt."""
    player = seen.public.players[seat]
    subsidies = f"{player.subsidies}/{stage(terms, seen.public).subsidies}"
    return [
        *seat_name(seen, seat, names[seat]),
        (in_columns((player.money, subsidies), places[:2]), ""),
        (in_columns((player.debt or "-",), places[2:3]), "red" if player.debt else "dim"),
    ]


def _cards(public: Public, names: Sequence[str]) -> Iterator[Line]:
    """Who still has which special cards."""
    for name, player in zip(names, public.players, strict=True):
        if player.cards:
            said = {"name": name, "cards": cards_text(player)}
            yield [(w.plural("  {name} card {cards}", "  {name} cards {cards}", len(player.cards), **said), "")]


def _counted(cases: Cases, between: str = " ") -> Line:
    """`R2 B1`, in colour."""
    return [(f"{letter(colour)}{count(cases, colour)}{between}", colour) for colour in colours_in(cases)]


def _yours(terms: Deal, seen: Sight, width: int) -> Iterator[Line]:
    """The reader's shares, and what they and the money are worth now, in bars."""
    held, line = shares_of(seen), [(f"{w('shares:')} ", "")]
    if width < NARROW:
        line += _counted(held)
    for colour in colours_in(held) if width >= NARROW else ():
        number, each = count(held, colour), price(terms, seen.public, colour)
        line += [(f"{number} {called(colour)}", colour), (f" = {number * each}   " if width >= WIDE else "  ", "")]
    yield line if total(held) else [(w("shares: none"), "")]
    shares, money, cost = wealth(terms, seen)
    text = w.plural(
        "worth {shares}, with {money} money {all}: {n} bar at {cost}",
        "worth {shares}, with {money} money {all}: {n} bars at {cost}",
        (shares + money) // cost,
        shares=strong(shares),
        money=money,
        all=strong(shares + money),
        cost=cost,
    )
    yield styled(text)


def score(gold: int, silver: int, money: int) -> str:
    return w("  gold {gold}  silver {silver}  money {money}", gold=gold, silver=silver, money=money)


def _asked(seen: Sight, names: Sequence[str], width: int) -> Iterator[Line]:
    for ask in seen.pending:
        does, debt = asked(ask.what, names[ask.seat].rstrip()), seen.public.players[ask.seat].debt
        if (beside := width >= NARROW) and seen.public.due:
            does = w("{does} and must settle a debt of {debt} (SF-29)", does=does, debt=debt)
        yield [(f"► {does}", "bold")]
        if seen.public.due and not beside:
            yield [(w("  and must settle a debt of {debt} (SF-29)", debt=debt), "bold")]
