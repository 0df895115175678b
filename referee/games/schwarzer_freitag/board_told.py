"""The position in sentences, for whoever cannot see its picture."""

from collections.abc import Sequence

from referee.language import Wording

from .board_compact import asked, cards_text, stage_name
from .lookups import (
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
from .story import called
from .types import COLOURS, HAND, Cases, Deal, Public, Sight

w = Wording("referee.games.schwarzer_freitag")


def told(terms: Deal, seen: Sight, names: Sequence[str]) -> list[str]:
    """The position in sentences, a line for each fact."""
    public, looks_on = seen.public, seen.seat >= len(names)
    return [
        _title(public, "" if looks_on else names[seen.seat]),
        *(f"{line}." for line in news(seen, names)),
        *_stage(terms, public),
        *_prices(terms, public),
        *_strips(terms, public),
        w("Cases in the bag: {bag}, of them black: {black}.", bag=public.bag, black=public.bag_black),
        w(
            "Black cases in the supply: {supply}, on the stages: {stages}.",
            supply=public.supply_black,
            stages=public.stage_black,
        ),
        *(line for seat in range(len(names)) for line in _player(terms, seen, seat, names[seat])),
        *([] if looks_on else _own(terms, seen)),
    ]


def _title(public: Public, name: str) -> str:
    """Whose picture it is, if it is anybody's, and how far the game is."""
    if not name:
        return w.plural(
            "Schwarzer Freitag, after {n} price change.",
            "Schwarzer Freitag, after {n} price changes.",
            public.price_changes,
        )
    return w.plural(
        "Schwarzer Freitag as {name} sees it, after {n} price change.",
        "Schwarzer Freitag as {name} sees it, after {n} price changes.",
        public.price_changes,
        name=name,
    )


def _stage(terms: Deal, public: Public) -> list[str]:
    card, opens = stage(terms, public), terms.edition.stages[public.stage + 1 :]
    return [
        w(
            "In {stage} an action trades up to {limit}, subsidies go up to {subsidies}, "
            "and a price change draws {draw}.",
            stage=stage_name(public),
            limit=card.limit,
            subsidies=card.subsidies,
            draw=card.draw,
        ),
        *(w("The next stage opens at a price of {price}.", price=one.price) for one in opens[:1]),
    ]


def _prices(terms: Deal, public: Public) -> list[str]:
    prices, track = terms.edition.prices, terms.edition.silver_track
    return [
        w(
            "The price table has {rows} rows, counted from below, and {columns} columns.",
            rows=len(prices),
            columns=len(prices[0]),
        ),
        *(
            w(
                "{colour} costs {price} (row {row}, column {column}); the market has {market}.",
                colour=called(colour).capitalize(),
                price=price(terms, public, colour),
                row=row + 1,
                column=column + 1,
                market=count(public.market, colour),
            )
            for colour, (row, column) in zip(COLOURS, public.prices, strict=True)
        ),
        w(
            "A silver bar costs {price}, field {field} of {fields}; the game ends at {end}.",
            price=track[public.silver],
            field=public.silver + 1,
            fields=len(track),
            end=track[-1],
        ),
        w("Bars bought since the last price change: {bars}.", bars=public.counter),
    ]


def _strips(terms: Deal, public: Public) -> list[str]:
    left = [strip_full(terms) - total(cases) for cases in (public.purchase, public.silver_strip)]
    lines = [
        w.plural(
            "The purchase strip holds {cases}; {n} more case sets off a price change.",
            "The purchase strip holds {cases}; {n} more cases set off a price change.",
            left[0],
            cases=_listed(public.purchase),
        ),
        w.plural(
            "The silver strip holds {cases}; {n} more case sets off a price change.",
            "The silver strip holds {cases}; {n} more cases set off a price change.",
            left[1],
            cases=_listed(public.silver_strip),
        ),
    ]
    for at, (cases, black) in enumerate(zip(public.sale, public.sale_black, strict=True)):
        holds = w(
            "Sale strip {number} holds {cases} and {black} black", number=at + 1, cases=_listed(cases), black=black
        )
        if at == public.strip:
            holds = w.plural(
                "{holds}; it is the current one, and {n} more sale sets off a price change",
                "{holds}; it is the current one, and {n} more sales set off a price change",
                sales_left(terms, public),
                holds=holds,
            )
        lines.append(f"{holds}.")
    return lines


def _listed(cases: Cases) -> str:
    return ", ".join(f"{count(cases, colour)} {called(colour)}" for colour in colours_in(cases)) or w("nothing")


def _player(terms: Deal, seen: Sight, seat: int, name: str) -> list[str]:
    player, most = seen.public.players[seat], stage(terms, seen.public).subsidies
    has = w(
        "{name} has {gold} gold, {silver} silver, {money} money, {subsidies} of {most} subsidies",
        name=name,
        gold=player.gold,
        silver=player.silver,
        money=player.money,
        subsidies=player.subsidies,
        most=most,
    )
    if player.debt:
        has = w("{has} and a debt of {debt}", has=has, debt=player.debt)
    place = [w("Place {rank}.", rank=seen.result.ranks[seat])] if seen.result else []
    shares = w(
        "Open shares of {name}: {shares}; hidden ones: {hidden}.",
        name=name,
        shares=_listed(player.known),
        hidden=player.unknown,
    )
    cards = [w("Special cards: {cards}.", cards=cards_text(player))] if player.cards else []
    return [" ".join((f"{has}.", *place)), " ".join((shares, *cards))]


def _own(terms: Deal, seen: Sight) -> list[str]:
    if seen.result is not None:
        return []
    shares, money, cost = wealth(terms, seen)
    return [
        w("Your hidden shares are {shares}.", shares=_listed(cases_of(seen.hand(HAND)))),
        w.plural(
            "All your shares are worth {shares}, with your money {all}, which buys {n} silver bar.",
            "All your shares are worth {shares}, with your money {all}, which buys {n} silver bars.",
            (shares + money) // cost,
            shares=shares,
            all=shares + money,
        ),
    ]


def news(seen: Sight, names: Sequence[str]) -> list[str]:
    """Who is asked for what, or who has won."""
    if seen.result is not None:
        best = [name for name, rank in zip(names, seen.result.ranks, strict=True) if rank == 1]
        alone = len(best) == 1
        won = [w("{name} wins", name=name) if alone else w("{name} shares the first place", name=name) for name in best]
        return [w("The game is over"), *won]
    lines = [asked(ask.what, names[ask.seat]) for ask in seen.pending]
    if seen.public.in_debt:
        debts = [seen.public.players[ask.seat].debt for ask in seen.pending]
        lines += [w("A debt of {debt} must be settled (SF-29)", debt=debt) for debt in debts]
    return lines or [w("The game is over")]


def sales_left(terms: Deal, public: Public) -> int:
    """How many sales set off a price change."""
    return max(total(public.sale[public.strip]) - sale_left(terms), 1)


def wealth(terms: Deal, seen: Sight) -> tuple[int, int, int]:
    """What the own shares are worth now, the own money, and what a bar costs."""
    money = seen.public.players[seen.seat].money
    return worth(terms, seen.public, shares_of(seen)), money, silver_price(terms, seen.public)
