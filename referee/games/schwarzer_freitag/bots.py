"""A scripted player: `random` tries everything that the rules allow."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from referee.game import Below, ask_of

from .actions import act, do_extra
from .lookups import (
    card_for,
    cases_of,
    colours_in,
    room,
    silver_price,
    sub,
    unit_limit,
)
from .scratch import Scratch
from .types import (
    HAND,
    Action,
    Buy,
    Cases,
    Colour,
    Deal,
    Extra,
    Extras,
    More,
    Move,
    Pass,
    Place,
    Sell,
    Sight,
    Silver,
)
from .words import markable
from .words_purse import baskets, own_shares, purses


def random_move(terms: Deal, seen: Sight, below: Below) -> Move:
    """An action drawn with equal chance from all legal ones, now and then with extras around it."""
    ask = ask_of(seen.pending, seen.seat)
    if ask is not None and ask.what == "place":
        return Place(_one_of(colours_in(seen.public.market), below))
    s = Scratch(terms, seen.public, cases_of(seen.hand(HAND)))
    before = _random_extras(s, below)
    for extra in before:
        do_extra(s, extra)
    if ask is not None and ask.what == "finish":
        return More(before, hold=bool(before) and not below(2))
    if s.full or (before and not below(4)):
        return More(before)
    action = random_action(s, below)
    after: Extras = ()
    if not below(4):
        act(s, action)
        after = _random_extras(s, below)
    return replace(action, before=before, after=after, hold=not below(8))


def _one_of(colours: Sequence[Colour], below: Below) -> Colour:
    return colours[below(len(colours))]


def _random_extras(s: Scratch, below: Below) -> Extras:
    """Often nothing; else subsidies, the PASS card, or both in some order."""
    left, colours = room(s.terms, s.public, s.seat), colours_in(s.public.market)
    extras: list[Extra] = [1 + below(left)] if left > 0 and not below(4) else []
    if colours and card_for(s.me, "pass") and not below(8):
        extras.insert(below(len(extras) + 1), _one_of(colours, below))
    return tuple(extras)


def random_action(s: Scratch, below: Below) -> Action:
    """Every legal action, with all its quantities and choices, is equally likely."""
    market, strip = s.public.market, s.public.sale[s.public.strip]
    _, money, free, least = purses(s)[0]
    marks: Sequence[Colour | None] = colours_in(market) or (None,)
    buys = list(_buys(s, money)) if free else []
    sells = list(_sells(s, least))
    bars = min(unit_limit(s.terms, s.public, s.seat, "silver"), money // silver_price(s.terms, s.public)) * free
    at = below(sum(ways for _, ways in buys) + sum(ways for _, ways in sells) + (bars + free) * len(marks))
    for basket, ways in buys:
        if at < ways:
            return Buy(basket, (markable(sub(market, basket), basket) or (None,))[at])
        at -= ways
    for basket, ways in sells:
        if at < ways:
            drops = colours_in(basket)
            taken = markable(strip, basket) or (None,)
            return Sell(basket, drops[at % len(drops)], taken[at // len(drops)])
        at -= ways
    number, mark = divmod(at, len(marks))
    return Silver(number, marks[mark]) if number else Pass(marks[mark])


def _buys(s: Scratch, money: int) -> Iterator[tuple[Cases, int]]:
    """All that can be bought, and in how many ways a case can then be marked."""
    market, units = s.public.market, unit_limit(s.terms, s.public, s.seat, "buy")
    for basket, _ in baskets(s, market, units, money):
        yield basket, len(markable(sub(market, basket), basket)) or 1


def _sells(s: Scratch, least: int) -> Iterator[tuple[Cases, int]]:
    """All that can be sold, and in how many ways a colour drops and a case is taken."""
    shares, units = own_shares(s), unit_limit(s.terms, s.public, s.seat, "sell")
    strip = s.public.sale[s.public.strip]
    for basket, brings in baskets(s, shares, units):
        if brings >= least:
            yield basket, (len(markable(strip, basket)) or 1) * len(colours_in(basket))
