"""Moves that a player is likely to want: what the bots look at."""

from collections.abc import Iterator
from math import inf

from referee.game import ask_of

from .bots import candidates, carried_out, interest, sensible_move, tempting
from .lookups import lowest_bid, rolled_kinds
from .types import KINDS, Bid, Deal, Move, Name, Nothing, Roll, Sight


def likely(terms: Deal, seen: Sight) -> Iterator[Move]:
    """Actions by what they gain; what can be bought instead of rolling; no bid, a low one, or one that is a little
    higher or lower than that of the bot; the kinds by how much the seat wants one."""
    public = seen.public
    ask = ask_of(seen.pending, seen.seat)
    match ask.what if ask else "":
        case "turn":
            yield Roll()
            yield from tempting(terms, public, inf)
        case "act" | "again":
            found = sorted(candidates(terms, public, rolled_kinds(public.dice)), key=lambda one: -one.gain)
            yield from (carried_out(public, one) for one in found)
            yield Nothing()
        case "bid":
            yield from _bids(terms, seen)
        case "name":
            yield from map(Name, sorted(KINDS, key=lambda kind: -interest(terms, public, seen.seat, kind)))


def _bids(terms: Deal, seen: Sight) -> Iterator[Bid]:
    bid = sensible_move(terms, seen, lambda sides: 0)
    yield Bid(0, None)
    if isinstance(bid, Bid) and bid.amount and seen.public.lot is not None:
        lowest = lowest_bid(terms, seen.public, seen.public.lot.kind)
        for amount in (lowest, bid.amount + 1, bid.amount - 1, bid.amount + 2, bid.amount + 3):
            yield Bid(amount, bid.field)
