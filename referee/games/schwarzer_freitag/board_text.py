"""The position in sentences, for readers who cannot see its picture."""

from collections.abc import Iterator, Sequence

from referee.language import Wording

from .board import asked, cards_text, sales_left, stage_name, wealth
from .lookups import (
    cases_of,
    colours_in,
    count,
    price,
    stage,
    strip_full,
    total,
)
from .story import called
from .types import COLOURS, HAND, Cases, Deal, Public, Sight

w = Wording("referee.games.schwarzer_freitag")


def sentences(terms: Deal, seen: Sight, names: Sequence[str]) -> Iterator[str]:
    """The position in sentences, a line for each fact."""
    public = seen.public
    if seen.seat < len(names):
        yield w.plural(
            "Schwarzer Freitag as {name} sees it, after {n} price change.",
            "Schwarzer Freitag as {name} sees it, after {n} price changes.",
            public.price_changes,
            name=names[seen.seat],
        )
    else:
        yield w.plural(
            "Schwarzer Freitag, after {n} price change.",
            "Schwarzer Freitag, after {n} price changes.",
            public.price_changes,
        )
    yield from (f"{line}." for line in news(seen, names))
    yield from _prices(terms, public)
    yield from _strips(terms, public)
    yield w("Cases in the bag: {bag}, {black} of them black.", bag=public.bag, black=public.bag_black)
    black = {"supply": public.supply_black, "stages": public.stage_black}
    yield w("Black cases in the supply: {supply}, on the stages: {stages}.", **black)
    for seat, name in enumerate(names):
        yield from _player(terms, seen, seat, name)
    if seen.seat < len(names) and seen.result is None:
        shares, money, cost = wealth(terms, seen)
        yield w("Your hidden shares are {shares}.", shares=_listed(cases_of(seen.hand(HAND))))
        yield w.plural(
            "All your shares are worth {shares}, with your money {all}, which buys {n} silver bar.",
            "All your shares are worth {shares}, with your money {all}, which buys {n} silver bars.",
            (shares + money) // cost,
            shares=shares,
            all=shares + money,
        )


def _prices(terms: Deal, public: Public) -> Iterator[str]:
    """The stage, the prices, and what silver costs."""
    prices, track, card = terms.edition.prices, terms.edition.silver_track, stage(terms, public)
    yield w(
        "In {stage} an action trades up to {limit}, subsidies go up to {subsidies}, and a price change draws {draw}.",
        stage=stage_name(public),
        limit=card.limit,
        subsidies=card.subsidies,
        draw=card.draw,
    )
    for opens in terms.edition.stages[public.stage + 1 :][:1]:
        yield w("The next stage opens at a price of {price}.", price=opens.price)
    size = {"rows": len(prices), "columns": len(prices[0])}
    yield w("The price table has {rows} rows, counted from below, and {columns} columns.", **size)
    for colour, (row, column) in zip(COLOURS, public.prices, strict=True):
        yield w(
            "{colour} costs {price} (row {row}, column {column}); the market has {market}.",
            colour=called(colour).capitalize(),
            price=price(terms, public, colour),
            row=row + 1,
            column=column + 1,
            market=count(public.market, colour),
        )
    silver = {"price": track[public.silver], "field": public.silver + 1, "fields": len(track), "end": track[-1]}
    yield w("A silver bar costs {price}, field {field} of {fields}; the game ends at {end}.", **silver)
    yield w("Bars bought since the last price change: {bars}.", bars=public.counter)


def _strips(terms: Deal, public: Public) -> Iterator[str]:
    yield w.plural(
        "The purchase strip holds {cases}; {n} more case triggers a price change.",
        "The purchase strip holds {cases}; {n} more cases trigger a price change.",
        strip_full(terms) - total(public.purchase),
        cases=_listed(public.purchase),
    )
    yield w.plural(
        "The silver strip holds {cases}; {n} more case triggers a price change.",
        "The silver strip holds {cases}; {n} more cases trigger a price change.",
        strip_full(terms) - total(public.silver_strip),
        cases=_listed(public.silver_strip),
    )
    for at, (cases, black) in enumerate(zip(public.sale, public.sale_black, strict=True)):
        strip = {"number": at + 1, "cases": _listed(cases), "black": black}
        holds = w("Sale strip {number} holds {cases} and {black} black", **strip)
        if at == public.strip:
            holds = w.plural(
                "{holds}; it is the current one, and {n} more sale triggers a price change",
                "{holds}; it is the current one, and {n} more sales trigger a price change",
                sales_left(terms, public),
                holds=holds,
            )
        yield f"{holds}."


def _listed(cases: Cases) -> str:
    return ", ".join(f"{count(cases, colour)} {called(colour)}" for colour in colours_in(cases)) or w("nothing")


def _player(terms: Deal, seen: Sight, seat: int, name: str) -> Iterator[str]:
    player = seen.public.players[seat]
    has = w(
        "{name} has {gold} gold, {silver} silver, {money} money, {subsidies} of {most} subsidies",
        name=name,
        gold=player.gold,
        silver=player.silver,
        money=player.money,
        subsidies=player.subsidies,
        most=stage(terms, seen.public).subsidies,
    )
    if player.debt:
        has = w("{has} and a debt of {debt}", has=has, debt=player.debt)
    place = [w("Place {rank}.", rank=seen.result.ranks[seat])] if seen.result else []
    yield " ".join((f"{has}.", *place))
    held = {"name": name, "shares": _listed(player.known), "hidden": player.unknown}
    shares = w("Open shares of {name}: {shares}; hidden ones: {hidden}.", **held)
    cards = [w("Special cards: {cards}.", cards=cards_text(player))] if player.cards else []
    yield " ".join((shares, *cards))


def news(seen: Sight, names: Sequence[str]) -> list[str]:
    """Who is asked for what, or who has won."""
    if seen.result is not None:
        best = [name for name, rank in zip(names, seen.result.ranks, strict=True) if rank == 1]
        alone = len(best) == 1
        won = [w("{name} wins", name=name) if alone else w("{name} shares the first place", name=name) for name in best]
        return [w("The game is over"), *won]
    lines = [asked(ask.what, names[ask.seat]) for ask in seen.pending]
    if seen.public.due:
        debts = [seen.public.players[ask.seat].debt for ask in seen.pending]
        lines += [w("A debt of {debt} must be settled (SF-29)", debt=debt) for debt in debts]
    return lines or [w("The game is over")]
