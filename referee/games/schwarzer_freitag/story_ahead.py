"""What is certain about a move whose outcome chance decides."""

from referee.game import Note

from .actions import act, do_extra
from .lookups import cases_of
from .scratch import Scratch
from .types import HAND, Deal, More, Move, Place, Sight


def ahead(terms: Deal, seen: Sight, move: Move) -> list[Note]:
    """The cards that a move uses before anything is drawn, and the price change that it sets off."""
    s = Scratch(terms, seen.public, cases_of(seen.hand(HAND)))
    if isinstance(move, Place):
        return []
    for extra in move.extras if isinstance(move, More) else move.before:
        if not s.full:
            do_extra(s, extra)
    if not isinstance(move, More) and not s.full:
        act(s, move)
        for extra in move.after:
            if not s.full:
                do_extra(s, extra)
    cards = [note for note in s.log if note.what == "card"]
    return [*cards, Note("change ahead")] if s.full else cards
