"""What is played when a deadline is missed, from public facts and the seed alone: SF-43 to SF-45."""

from itertools import combinations_with_replacement

from referee.game import Draws

from .lookups import (
    add,
    cases_of,
    colours_in,
    count,
    dearest,
    held,
    most,
    price,
    subsidies_needed,
    total,
    uncovered,
    unit_limit,
    within,
    worth,
)
from .scratch import Scratch
from .types import COLOURS, HAND, Cases, More, Move, Pass, Place, Sell


def missed(s: Scratch, what: str, draws: Draws) -> Move:
    """The move for the seat that did not answer; any hidden shares in it have been shown and count as known."""
    colour, me = most(s.public.market), s.me
    if what == "place":
        return Place(colour or COLOURS[0])
    if what == "finish":
        return More()
    subsidies = subsidies_needed(s.terms, s.public, s.seat)
    before = (subsidies,) if subsidies else ()
    need = uncovered(s.terms, s.public, s.seat)
    if need <= 0 or not held(me):
        return Pass(colour, before=before)
    sold, strip = _sale(s, need, draws), s.public.sale[s.public.strip]
    marks = [mark for mark in colours_in(sold) if count(strip, mark)]
    return Sell(sold, colours_in(sold)[0], marks[0] if marks else most(strip), before=before)


def _sale(s: Scratch, need: int, draws: Draws) -> Cases:
    """SF-44: the smallest sale of known shares that is enough; otherwise known ones first, then what the seed picks."""
    known, limit = s.me.known, unit_limit(s.terms, s.public, s.seat, "sell")
    prices = dearest(s.terms, s.public, known)
    enough = [number for number in range(1, limit + 1) if sum(prices[:number]) >= need]
    if enough:
        return _cheapest(s, enough[0], need)
    if not s.me.unknown:
        return _cheapest(s, 1, 0)
    by_price = sorted(COLOURS, key=lambda colour: -price(s.terms, s.public, colour))
    sold = cases_of([colour for colour in by_price for _ in range(count(known, colour))][:limit])
    while total(sold) < limit and s.me.unknown and worth(s.terms, s.public, sold) < need:
        shown = cases_of(draws.take(f"{HAND}/{s.seat}", 1))
        s.set_player(s.seat, known=add(s.me.known, shown), unknown=s.me.unknown - 1)
        sold = add(sold, shown)
    return sold


def _cheapest(s: Scratch, number: int, need: int) -> Cases:
    """The sale of this many known shares that brings in the least, but at least `need`; there is one."""
    sales = map(cases_of, combinations_with_replacement(colours_in(s.me.known), number))
    enough = (sale for sale in sales if within(sale, s.me.known) and worth(s.terms, s.public, sale) >= need)
    return min(enough, key=lambda sale: worth(s.terms, s.public, sale))
