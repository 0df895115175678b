"""The position in sentences, for whoever cannot see its picture."""

from collections.abc import Sequence

from .board_compact import ASKED, cards_text, plural, stage_name
from .tables import (
    cases_of,
    colours_in,
    count,
    price,
    sale_left,
    shares_of,
    silver_price,
    stage,
    strip_full,
    total,
    worth,
)
from .types import COLOURS, HAND, Cases, Deal, Public, Sight


def told(terms: Deal, seen: Sight, names: Sequence[str]) -> list[str]:
    """The position in sentences, a line for each fact."""
    public, card, changes = seen.public, stage(terms, seen.public), seen.public.price_changes
    looks_on = seen.seat >= len(names)
    who = "" if looks_on else f" as {names[seen.seat]} sees it"
    opens = [f"The next stage opens at a price of {one.price}." for one in terms.edition.stages[public.stage + 1 :]]
    return [
        f"Schwarzer Freitag{who}, after {changes} {plural('price change', changes)}.",
        *(f"{line}." for line in news(seen, names)),
        f"In {stage_name(public)} an action trades up to {card.limit}, subsidies go up to {card.subsidies}, "
        f"and a price change draws {card.draw}.",
        *opens[:1],
        *_prices(terms, public),
        *_strips(terms, public),
        f"Cases in the bag: {public.bag}, of them black: {public.bag_black}.",
        f"Black cases in the supply: {public.supply_black}, on the stages: {public.stage_black}.",
        *(line for seat in range(len(names)) for line in _player(terms, seen, seat, names[seat])),
        *([] if looks_on else _own(terms, seen)),
    ]


def _prices(terms: Deal, public: Public) -> list[str]:
    prices, track = terms.edition.prices, terms.edition.silver_track
    return [
        f"The price table has {len(prices)} rows, counted from below, and {len(prices[0])} columns.",
        *(
            f"{colour.capitalize()} costs {price(terms, public, colour)} (row {row + 1}, column {column + 1}); "
            f"the market has {count(public.market, colour)}."
            for colour, (row, column) in zip(COLOURS, public.prices, strict=True)
        ),
        f"A silver bar costs {track[public.silver]}, field {public.silver + 1} of {len(track)}; "
        f"the game ends at {track[-1]}.",
        f"Bars bought since the last price change: {public.counter}.",
    ]


def _strips(terms: Deal, public: Public) -> list[str]:
    lines = [
        f"The {name} strip holds {_listed(cases)}; {_sets_off(strip_full(terms) - total(cases), 'case')}."
        for name, cases in (("purchase", public.purchase), ("silver", public.silver_strip))
    ]
    for at, (cases, black) in enumerate(zip(public.sale, public.sale_black, strict=True)):
        now = (
            f"; it is the current one, and {_sets_off(sales_left(terms, public), 'sale')}" if at == public.strip else ""
        )
        lines.append(f"Sale strip {at + 1} holds {_listed(cases)} and {black} black{now}.")
    return lines


def _sets_off(number: int, unit: str) -> str:
    return f"{number} more {plural(unit, number)} {'sets' if number == 1 else 'set'} off a price change"


def _listed(cases: Cases) -> str:
    return ", ".join(f"{count(cases, colour)} {colour}" for colour in colours_in(cases)) or "nothing"


def _player(terms: Deal, seen: Sight, seat: int, name: str) -> list[str]:
    player, most = seen.public.players[seat], stage(terms, seen.public).subsidies
    debt = f" and a debt of {player.debt}" if player.debt else ""
    cards = f" Special cards: {cards_text(player)}." if player.cards else ""
    place = f" Place {seen.result.ranks[seat]}." if seen.result else ""
    return [
        f"{name} has {player.gold} gold, {player.silver} silver, {player.money} money, "
        f"{player.subsidies} of {most} subsidies{debt}.{place}",
        f"Open shares of {name}: {_listed(player.known)}; hidden ones: {player.unknown}.{cards}",
    ]


def _own(terms: Deal, seen: Sight) -> list[str]:
    if seen.result is not None:
        return []
    shares, money, cost = wealth(terms, seen)
    bars = (shares + money) // cost
    return [
        f"Your hidden shares are {_listed(cases_of(seen.hand(HAND)))}.",
        f"All your shares are worth {shares}, with your money {shares + money}, "
        f"which buys {bars} silver {plural('bar', bars)}.",
    ]


def news(seen: Sight, names: Sequence[str]) -> list[str]:
    """Who is asked for what, or who has won."""
    if seen.result is not None:
        best = [name for name, rank in zip(names, seen.result.ranks, strict=True) if rank == 1]
        how = "wins" if len(best) == 1 else "shares the first place"
        return ["The game is over", *(f"{name} {how}" for name in best)]
    lines = [f"{names[ask.seat]} {ASKED[ask.what]}" for ask in seen.pending]
    if seen.public.in_debt:
        lines += [f"A debt of {seen.public.players[ask.seat].debt} must be settled (SF-29)" for ask in seen.pending]
    return lines or ["The game is over"]


def sales_left(terms: Deal, public: Public) -> int:
    """How many sales set off a price change."""
    return max(total(public.sale[public.strip]) - sale_left(terms), 1)


def wealth(terms: Deal, seen: Sight) -> tuple[int, int, int]:
    """What the own shares are worth now, the own money, and what a bar costs."""
    money = seen.public.players[seen.seat].money
    return worth(terms, seen.public, shares_of(seen)), money, silver_price(terms, seen.public)
