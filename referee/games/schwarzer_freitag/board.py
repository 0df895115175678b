"""The position as terminal text."""

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from referee.game import Paint
from referee.picture import Line, fitted, heading, painted, width

from .story import CARDS
from .tables import colours_in, count, price, sale_left, shares_of, silver_price, stage, strip_full, total, worth
from .types import BLACK, COLOURS, Cases, Colour, Deal, Player, Public, Sight

NAME = 12
LETTER: dict[Colour, str] = {colour: colour[0].upper() for colour in COLOURS}
ASKED = {"place": "puts a case on the purchase strip", "turn": "is to move", "finish": "may still take extras"}


def draw(terms: Deal, seen: Sight, names: Sequence[str], paint: Paint, width: int = 100) -> str:
    """The whole position as this seat sees it."""
    public, short = seen.public, [fitted(name, NAME) for name in names]
    blocks = (
        [heading(f"Schwarzer Freitag · {_stage_name(public.stage)} · price changes so far: {public.price_changes}")],
        _beside(_price_table(terms, public), [*_colours(terms, seen), [], *_stage(terms, public), [], *_bag(public)]),
        [heading("Silver"), *_silver_track(terms, public)],
        [heading("Strips"), *_strips(terms, public)],
        [heading("Players"), *_players(terms, seen, short)],
        [heading("You"), *_yours(terms, seen)] if seen.result is None else [heading("Result"), *_result(seen, short)],
        _asked(seen, short),
    )
    return painted(chain.from_iterable(blocks), paint)


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
    yield [(_stage_name(public.stage), "bold"), (f": trade up to {card.limit}", "")]
    yield [(f"subsidies up to {card.subsidies}", "")]
    yield [(f"a price change draws {card.draw}", "")]
    if public.stage + 1 < len(terms.edition.stages):
        yield [(f"next stage at price {terms.edition.stages[public.stage + 1].price}", "dim")]


def _stage_name(number: int) -> str:
    return f"stage {number}" if number else "stage Start"


def _bag(public: Public) -> Iterator[Line]:
    yield [(f"bag {public.bag}, of them black {public.bag_black}", "")]
    yield [(f"black: supply {public.supply_black}, stages {public.stage_black}", "")]


def _silver_track(terms: Deal, public: Public) -> Iterator[Line]:
    line: Line = []
    for at, value in enumerate(terms.edition.silver_track):
        here = at == public.silver
        line.append((f"[{value}]" if here else f" {value}"[at == public.silver + 1 :], "bold" if here else "dim"))
    yield line
    steps = public.counter // terms.edition.silver_per_step
    yield [
        (f"a bar costs {silver_price(terms, public)}", "bold"),
        (f"; bars bought since the last price change: {public.counter}, ", ""),
        (f"good for {steps} {_plural('step', steps)} (one for every {terms.edition.silver_per_step})", ""),
    ]


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
            line.append((f"  {left} {_plural('sale', left)} more: price change", "bold" if left == 1 else "dim"))
        yield line


def _boxes(cases: Cases, size: int) -> Line:
    """Filled boxes first, then the free ones."""
    line: Line = [(f"[{LETTER[colour]}]", colour) for colour in colours_in(cases) for _ in range(count(cases, colour))]
    return [*line, ("[ ]" * (size - total(cases)), "dim")]


def _plural(word: str, number: int) -> str:
    return word if number == 1 else word + "s"


def _players(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    known = "known shares"
    yield [(f"  {'player':<{NAME}}  money  subs debt silver gold  {known:<19} hidden  cards", "dim")]
    for seat, player in enumerate(seen.public.players):
        moves = any(ask.seat == seat for ask in seen.pending)
        cards = " ".join("/".join(CARDS[use] for use in card) for card in player.cards)
        yield [
            ("► " if moves else "  ", "bold"),
            (names[seat], "bold" if seat == seen.seat else ""),
            (f"{player.money:>7}", ""),
            (f"{player.subsidies:>4}/{stage(terms, seen.public).subsidies}", ""),
            (f"{player.debt or '-':>5}", "red" if player.debt else "dim"),
            (f"{player.silver:>7}{player.gold:>5}  ", ""),
            *_known(player),
            (f"{player.unknown:>7}  {cards}", ""),
        ]


def _known(player: Player) -> Line:
    line: Line = []
    for colour in colours_in(player.known):
        line.append((f"{LETTER[colour]}{count(player.known, colour)} ", colour))
    return [*line, (" " * (19 - sum(len(words) for words, _ in line)), "")]


def _yours(terms: Deal, seen: Sight) -> Iterator[Line]:
    shares, money = shares_of(seen), seen.public.players[seen.seat].money
    line: Line = [("shares: ", "")]
    for colour in colours_in(shares):
        number, cost = count(shares, colour), price(terms, seen.public, colour)
        line += [(f"{number} {colour}", colour), (f" = {number * cost}   ", "")]
    yield line if total(shares) else [("shares: none", "")]
    value, cost = worth(terms, seen.public, shares), silver_price(terms, seen.public)
    bars = (value + money) // cost
    yield [
        ("worth ", ""),
        (f"{value}", "bold"),
        (f", with {money} money ", ""),
        (f"{value + money}", "bold"),
        (f": {bars} {_plural('bar', bars)} at {cost}", ""),
    ]


def _result(seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    if seen.result is None:
        return
    for rank, seat in sorted(zip(seen.result.ranks, range(len(names)), strict=True)):
        gold, silver, money = seen.result.scores[seat]
        yield [
            (f"{rank}. {names[seat]}", "bold" if rank == 1 else ""),
            (f"  gold {gold}  silver {silver}  money {money}", ""),
        ]


def _asked(seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    for ask in seen.pending:
        debt = f" and must settle a debt of {seen.public.players[ask.seat].debt} (SF-29)" if seen.public.in_debt else ""
        yield [(f"► {names[ask.seat].rstrip()} {ASKED[ask.what]}{debt}", "bold")]


def _beside(left: Sequence[Line], right: Sequence[Line]) -> Iterator[Line]:
    wide = max(width(line) for line in left) + 2
    nothing: Line = []
    for first, second in zip_longest(left, right, fillvalue=nothing):
        yield [*first, (" " * (wide - width(first)), ""), *second]
