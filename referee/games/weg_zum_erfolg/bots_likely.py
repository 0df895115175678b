"""Moves that a player is likely to want: what the bots look at."""

from collections.abc import Sequence

from referee.game import ask_of

from .bots import Mind
from .types import Deal, Move, Sight


def likely(terms: Deal, seen: Sight) -> Sequence[Move]:
    """Where a piece can go, and whom it can change places with, the best first."""
    ask = ask_of(seen.pending, seen.seat)
    match ask.what if ask else "":
        case "piece":
            return Mind(terms, seen).ranked_uses()
        case "target":
            return Mind(terms, seen).ranked_targets()
    return ()
