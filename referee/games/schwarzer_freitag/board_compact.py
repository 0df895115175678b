"""The position in 60 columns: prices and strips in one table. And the parts that every picture shares."""

from collections.abc import Iterator, Sequence

from referee.picture import Line, heading

from .story import CARDS
from .tables import (
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
from .types import COLOURS, Cases, Colour, Deal, Player, Public, Sight

NAME = 12
LETTER: dict[Colour, str] = {colour: colour[0].upper() for colour in COLOURS}
ASKED = {"place": "puts a case on the purchase strip", "turn": "is to move", "finish": "may still take extras"}


def lines(terms: Deal, seen: Sight, names: Sequence[str], wide: int) -> Iterator[Line]:
    """The whole position."""
    public, changes = seen.public, seen.public.price_changes
    title = f"Schwarzer Freitag · {stage_name(public)} · {changes} {plural('price change', changes)}"
    yield heading(title, wide)
    yield from _colours(terms, seen)
    yield heading("Silver, stage, bag", wide)
    yield from _numbers(terms, public)
    yield heading("Players", wide)
    yield from _players(terms, seen, names)
    yield from cards(public, names)
    if seen.result is None:
        yield heading("You", wide)
        yield [("shares: ", ""), *(counted(shares_of(seen)) or [("none", "")])]
        yield value(terms, seen)
    else:
        yield heading("Result", wide)
        yield from result(seen, names)
    yield from _asked(seen, names)


def _colours(terms: Deal, seen: Sight) -> Iterator[Line]:
    """A line for each colour: what it costs, what it would cost one field right and up, and where its cases lie."""
    public, shares = seen.public, shares_of(seen)
    sale = public.sale[public.strip]
    yield [("colour  price right   up market  own | purch silver  sale", "dim")]
    for colour in COLOURS:
        right, up = (_beside(terms, public, colour, steps) for steps in ((0, 1), (1, 0)))
        places = [count(cases, colour) for cases in (public.purchase, public.silver_strip, sale)]
        numbers = f"{right:>6}{up:>5}{count(public.market, colour):>7}{count(shares, colour):>5} |"
        yield [
            (f"{LETTER[colour]} {colour:<6}", colour),
            (f"{price(terms, public, colour):>5}", "bold"),
            (numbers + "".join(f"{number or '-':>6}" for number in places), ""),
        ]
    yield [(f"{'on the strip':>37}{total(public.purchase):>6}{total(public.silver_strip):>6}{total(sale):>6}", "")]
    yield [(f"{'price change at':>37}{strip_full(terms):>6}{strip_full(terms):>6}{sale_left(terms):>6}", "dim")]


def _beside(terms: Deal, public: Public, colour: Colour, steps: tuple[int, int]) -> int:
    row, column = moved(terms.edition, public.prices[AT[colour]], *steps)
    return terms.edition.prices[row][column]


def _numbers(terms: Deal, public: Public) -> Iterator[Line]:
    track, card = terms.edition.silver_track, stage(terms, public)
    following = f", then {track[public.silver + 1]}" if public.silver + 1 < len(track) else ""
    left = len(track) - 1 - public.silver
    yield [
        (f"a bar costs {track[public.silver]}", "bold"),
        (f"{following}; {left} {plural('step', left)} to the end", ""),
    ]
    steps = public.counter // terms.edition.silver_per_step
    yield [(f"bought since the last change: {public.counter}, good for {steps} {plural('step', steps)}", "")]
    yield [(f"{stage_name(public)}: trade up to {card.limit}, subsidies {card.subsidies}, draw {card.draw}", "")]
    if public.stage + 1 < len(terms.edition.stages):
        yield [(f"next stage at price {terms.edition.stages[public.stage + 1].price}", "dim")]
    yield [(f"bag {public.bag}, of them black {public.bag_black}; sale strip {public.strip + 1} of 3", "")]
    black = " ".join(map(str, public.sale_black))
    yield [(f"black: supply {public.supply_black}, stages {public.stage_black}, sale strips {black}", "")]


def _players(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    yield [(f"  {'player':<{NAME}} money subs debt gold silv hid  known", "dim")]
    for seat, player in enumerate(seen.public.players):
        moves = any(ask.seat == seat for ask in seen.pending)
        yield [
            ("► " if moves else "  ", "bold"),
            (names[seat], "bold" if seat == seen.seat else ""),
            (f"{player.money:>6}{player.subsidies:>3}/{stage(terms, seen.public).subsidies}", ""),
            (f"{player.debt or '-':>5}", "red" if player.debt else "dim"),
            (f"{player.gold:>5}{player.silver:>5}{player.unknown:>4}  ", ""),
            *counted(player.known, ""),
        ]


def cards(public: Public, names: Sequence[str]) -> Iterator[Line]:
    """Who still has which special cards."""
    for name, player in zip(names, public.players, strict=True):
        if player.cards:
            yield [(f"  {name} {plural('card', len(player.cards))} {cards_text(player)}", "")]


def cards_text(player: Player) -> str:
    return " ".join("/".join(CARDS[use] for use in card) for card in player.cards)


def counted(cases: Cases, between: str = " ") -> Line:
    """`R2 B1`, in colour."""
    return [(f"{LETTER[colour]}{count(cases, colour)}{between}", colour) for colour in colours_in(cases)]


def value(terms: Deal, seen: Sight) -> Line:
    """What the own shares and money are worth now, in bars."""
    money, cost = seen.public.players[seen.seat].money, silver_price(terms, seen.public)
    shares = worth(terms, seen.public, shares_of(seen))
    bars = (shares + money) // cost
    return [
        ("worth ", ""),
        (f"{shares}", "bold"),
        (f", with {money} money ", ""),
        (f"{shares + money}", "bold"),
        (f": {bars} {plural('bar', bars)} at {cost}", ""),
    ]


def result(seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    """Ranks in order."""
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
        yield [(f"► {names[ask.seat].rstrip()} {ASKED[ask.what]}", "bold")]
        if seen.public.in_debt:
            yield [(f"  and must settle a debt of {seen.public.players[ask.seat].debt} (SF-29)", "bold")]


def stage_name(public: Public) -> str:
    return f"stage {public.stage or 'Start'}"


def plural(word: str, number: int) -> str:
    return word if number == 1 else f"{word}s"
