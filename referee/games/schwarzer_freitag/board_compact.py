"""The position in 60 columns: prices and strips in one table. And the parts that every picture shares."""

from collections.abc import Iterator, Sequence

from referee.columns import Line, columns, heading, strong, styled
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
from .types import COLOURS, Cases, Colour, Deal, Player, Public, Sight

w = Wording("referee.games.schwarzer_freitag")

NAME = 12
_ASKED = {
    mark("place", "asked"): mark("{name} puts a case on the purchase strip"),
    mark("turn", "asked"): mark("{name} is to move"),
    mark("finish", "asked"): mark("{name} may still take extras"),
}


def letter(colour: Colour) -> str:
    """The letter that stands for a colour, which can be typed, too."""
    match colour:
        case "yellow":
            return w.sense("the letter of yellow", "Y")
        case "blue":
            return w.sense("the letter of blue", "B")
        case "red":
            return w.sense("the letter of red", "R")
        case "green":
            return w.sense("the letter of green", "G")
        case "orange":
            return w.sense("the letter of orange", "O")


def labels() -> dict[Colour, str]:
    """Each colour with its letter, all equally wide."""
    found: dict[Colour, str] = {colour: f"{letter(colour)} {called(colour)}" for colour in COLOURS}
    wide = max(len(label) for label in found.values())
    return {colour: label.ljust(wide) for colour, label in found.items()}


def widths(heads: Sequence[str], least: Sequence[int]) -> list[int]:
    """How wide columns of numbers are under these heads, with a blank before each."""
    return [max(few, columns(head) + 1) for head, few in zip(heads, least, strict=True)]


def in_columns(cells: Sequence[object], wide: Sequence[int]) -> str:
    """Cells that end where their columns do."""
    return "".join(f"{cell:>{most}}" for cell, most in zip(cells, wide, strict=True))


def lines(terms: Deal, seen: Sight, names: Sequence[str], wide: int) -> Iterator[Line]:
    """The whole position."""
    public = seen.public
    yield heading(f"Schwarzer Freitag · {stage_name(public)} · {changes(public)}", wide)
    yield from _colours(terms, seen)
    yield heading(w("Silver, stage, bag"), wide)
    yield from _numbers(terms, public)
    yield heading(w("Players"), wide)
    yield from _players(terms, seen, names)
    yield from cards(public, names)
    if seen.result is not None:
        yield heading(w("Result"), wide)
        yield from result(seen, names)
    elif not looks_on(seen):
        shares = counted(shares_of(seen))
        yield heading(w("You"), wide)
        yield [(f"{w('shares:')} ", ""), *shares] if shares else [(w("shares: none"), "")]
        yield value(terms, seen)
    yield from _asked(seen, names)


def looks_on(seen: Sight) -> bool:
    """Whether it is shown to somebody who has no seat."""
    return seen.seat >= len(seen.public.players)


def own(seen: Sight, colour: Colour) -> int | str:
    """How many shares of a colour this seat has."""
    return "-" if looks_on(seen) else count(shares_of(seen), colour)


def _colours(terms: Deal, seen: Sight) -> Iterator[Line]:
    """A line for each colour: what it costs, what it would cost one field right and up, and where its cases lie."""
    public, label = seen.public, labels()
    strips = public.purchase, public.silver_strip, public.sale[public.strip]
    heads = [w("price"), w("right"), w("up"), w("market"), w("own")]
    strip_heads = [w.sense("a strip", "purch"), w.sense("a strip", "silver"), w.sense("a strip", "sale")]
    first, *wide = widths(heads, (5, 5, 5, 5, 5))
    places = widths(strip_heads, (6, 6, 6))
    left = len(label["red"]) + first - 1
    head = f"{w('colour'):<{left - len(heads[0])}}{heads[0]}{in_columns(heads[1:], wide)}"
    yield [(f"{head} |{in_columns(strip_heads, places)}", "dim")]
    for colour in COLOURS:
        right, up = (_beside(terms, public, colour, steps) for steps in ((0, 1), (1, 0)))
        numbers = in_columns((right, up, count(public.market, colour), own(seen, colour)), wide)
        yield [
            (label[colour], colour),
            (f"{price(terms, public, colour):>{first - 1}}", "bold"),
            (f"{numbers} |{in_columns([count(cases, colour) or '-' for cases in strips], places)}", ""),
        ]
    left += sum(wide) + 2
    yield [(f"{w('on the strip'):>{left}}{in_columns([total(cases) for cases in strips], places)}", "")]
    full = strip_full(terms), strip_full(terms), sale_left(terms)
    yield [(f"{w('price change at'):>{left}}{in_columns(full, places)}", "dim")]


def _beside(terms: Deal, public: Public, colour: Colour, steps: tuple[int, int]) -> int:
    row, column = moved(terms.edition, public.prices[AT[colour]], *steps)
    return terms.edition.prices[row][column]


def _numbers(terms: Deal, public: Public) -> Iterator[Line]:
    track, card = terms.edition.silver_track, stage(terms, public)
    cost, left = strong(bar_costs(track[public.silver])), len(track) - 1 - public.silver
    if left:
        following = track[public.silver + 1]
        yield styled(
            w.plural(
                "{cost}, then {following}; {n} step to the end",
                "{cost}, then {following}; {n} steps to the end",
                left,
                cost=cost,
                following=following,
            )
        )
    else:
        yield styled(w("{cost}; 0 steps to the end", cost=cost))
    steps = public.counter // terms.edition.silver_per_step
    yield [
        (
            w.plural(
                "bought since the last change: {bought}, good for {n} step",
                "bought since the last change: {bought}, good for {n} steps",
                steps,
                bought=public.counter,
            ),
            "",
        )
    ]
    limits = {"limit": card.limit, "subsidies": card.subsidies, "draw": card.draw}
    yield [
        (w("{stage}: trade up to {limit}, subsidies {subsidies}, draw {draw}", stage=stage_name(public), **limits), "")
    ]
    yield from next_stage(terms, public)
    bag = {"bag": public.bag, "black": public.bag_black, "strip": public.strip + 1}
    yield [(w("bag {bag}, of them black {black}; sale strip {strip} of 3", **bag), "")]
    black = {
        "supply": public.supply_black,
        "stages": public.stage_black,
        "strips": " ".join(map(str, public.sale_black)),
    }
    yield [(w("black: supply {supply}, stages {stages}, sale strips {strips}", **black), "")]


def next_stage(terms: Deal, public: Public) -> Iterator[Line]:
    """Which price opens the next stage, if there is one."""
    if public.stage + 1 < len(terms.edition.stages):
        yield [(w("next stage at price {price}", price=terms.edition.stages[public.stage + 1].price), "dim")]


def bar_costs(price: int) -> str:
    return w("a bar costs {price}", price=price)


def _players(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    heads = [w("money"), w("subs"), w("debt"), w("gold"), w("silv"), w("hid")]
    wide = widths(heads, (6, 5, 5, 5, 5, 4))
    yield [(f"  {w('player'):<{NAME}}{in_columns(heads, wide)}  {w('known')}", "dim")]
    for seat, player in enumerate(seen.public.players):
        moves = any(ask.seat == seat for ask in seen.pending)
        subsidies = f"{player.subsidies}/{stage(terms, seen.public).subsidies}"
        yield [
            ("► " if moves else "  ", "bold"),
            (names[seat], "bold" if seat == seen.seat else ""),
            (in_columns((player.money, subsidies), wide[:2]), ""),
            (in_columns((player.debt or "-",), wide[2:3]), "red" if player.debt else "dim"),
            (f"{in_columns((player.gold, player.silver, player.unknown), wide[3:])}  ", ""),
            *counted(player.known, ""),
        ]


def cards(public: Public, names: Sequence[str]) -> Iterator[Line]:
    """Who still has which special cards."""
    for name, player in zip(names, public.players, strict=True):
        if player.cards:
            said = {"name": name, "cards": cards_text(player)}
            yield [(w.plural("  {name} card {cards}", "  {name} cards {cards}", len(player.cards), **said), "")]


def cards_text(player: Player) -> str:
    return " ".join("/".join(map(card_name, card)) for card in player.cards)


def counted(cases: Cases, between: str = " ") -> Line:
    """`R2 B1`, in colour."""
    return [(f"{letter(colour)}{count(cases, colour)}{between}", colour) for colour in colours_in(cases)]


def value(terms: Deal, seen: Sight) -> Line:
    """What the own shares and money are worth now, in bars."""
    money, cost = seen.public.players[seen.seat].money, silver_price(terms, seen.public)
    shares = worth(terms, seen.public, shares_of(seen))
    numbers = {"shares": strong(shares), "money": money, "all": strong(shares + money), "cost": cost}
    return styled(
        w.plural(
            "worth {shares}, with {money} money {all}: {n} bar at {cost}",
            "worth {shares}, with {money} money {all}: {n} bars at {cost}",
            (shares + money) // cost,
            **numbers,
        )
    )


def result(seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    """Ranks in order."""
    if seen.result is None:
        return
    for rank, seat in sorted(zip(seen.result.ranks, range(len(names)), strict=True)):
        gold, silver, money = seen.result.scores[seat]
        yield [
            (f"{rank}. {names[seat]}", "bold" if rank == 1 else ""),
            (w("  gold {gold}  silver {silver}  money {money}", gold=gold, silver=silver, money=money), ""),
        ]


def asked(what: str, name: str) -> str:
    """Who is asked for what."""
    return w(_ASKED[what], name=name)


def _asked(seen: Sight, names: Sequence[str]) -> Iterator[Line]:
    for ask in seen.pending:
        yield [(f"► {asked(ask.what, names[ask.seat].rstrip())}", "bold")]
        if seen.public.in_debt:
            debt = seen.public.players[ask.seat].debt
            yield [(w("  and must settle a debt of {debt} (SF-29)", debt=debt), "bold")]


def stage_name(public: Public) -> str:
    return w("stage {number}", number=public.stage) if public.stage else w("stage Start")


def changes(public: Public) -> str:
    return w.plural("{n} price change", "{n} price changes", public.price_changes)
