"""What a player to move can count on: money with subsidies, shares, the best sale."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import astuple

from .actions import is_free, least_sale, spendable, take_subsidies
from .lookups import NO_CASES, add, count, price, room, total
from .scratch import Scratch
from .types import COLOURS, Cases


class Purse(NamedTuple):
    """After so many subsidies: what can be spent, whether every action is open, and what a sale must bring (SF-29)."""

    number: int
    money: int
    free: bool
    least: int


def purses(s: Scratch) -> list[Purse]:
    """What each number of subsidies would give; the working copy stays as it is."""
    left, pays, money = room(s.terms, s.public, s.seat), s.terms.edition.subsidy_pays, s.me.money
    if not s.me.debt:
        return [Purse(number, money + number * pays, True, 0) for number in range(left + 1)]
    trial, shares, found = Scratch(s.terms, s.public), own_shares(s), []
    for number in range(left + 1):
        if number:
            take_subsidies(trial, 1)
        found.append(Purse(number, spendable(trial), is_free(trial), least_sale(trial, shares)))
    return found


def own_shares(s: Scratch) -> Cases:
    """All that the player to move holds, as far as the working copy knows."""
    return add(s.me.known, s.hand or NO_CASES)


def best_sale(s: Scratch, units: int) -> Cases:
    """The most expensive shares that one sale of this many can take."""
    shares, sold = own_shares(s), NO_CASES
    for colour in sorted(COLOURS, key=lambda colour: -price(s.terms, s.public, colour)):
        number = min(units - total(sold), count(shares, colour))
        sold = add(sold, Cases(**{colour: number}))
    return sold


def baskets(s: Scratch, have: Cases, units: int, money: int | None = None) -> Iterator[tuple[Cases, int]]:
    """Every choice of 1 to `units` cases out of `have` that costs at most `money`, and what it costs."""
    partial: list[tuple[tuple[int, ...], int, int]] = [((), 0, 0)]
    for most, (row, column) in zip(astuple(have), s.public.prices, strict=True):
        cost = s.terms.edition.prices[row][column]
        partial = [
            ((*numbers, number), taken + number, spent + number * cost)
            for numbers, taken, spent in partial
            for number in range(min(most, units - taken) + 1)
            if money is None or spent + number * cost <= money
        ]
    return ((Cases(*numbers), spent) for numbers, taken, spent in partial if taken)
