"""Moves that a player is likely to want: the plans of the bots."""

from collections.abc import Sequence

from referee.game import ask_of

from .bots_sensible import ranked_turns
from .lookups import cases_of, colours_in, count
from .scratch import Scratch
from .types import HAND, Action, Deal, Move, Place, Sight
from .words_purse import own_shares


def likely(terms: Deal, seen: Sight) -> Sequence[Move]:
    """The best turn of each kind, then the others; the colours to place, those first of which the seat has most."""
    ask, s = ask_of(seen.pending, seen.seat), Scratch(terms, seen.public, cases_of(seen.hand(HAND)))
    match ask.what if ask else "":
        case "turn":
            plans = ranked_turns(s)
            kinds: dict[type, Action] = {}
            for plan in plans:
                kinds.setdefault(type(plan), plan)
            return [*kinds.values(), *plans]
        case "place":
            colours = sorted(colours_in(seen.public.market), key=lambda colour: -count(own_shares(s), colour))
            return [Place(colour) for colour in colours]
    return ()
