"""Moves that a player is likely to want: what the bots look at."""

from collections.abc import Iterator

from .bots_strong import candidates
from .types import Deal, Move, Play, Sight


def likely(terms: Deal, seen: Sight) -> Iterator[Move]:
    """The most promising first. A card is shown alone: what follows from it can be decided when it is asked."""
    found = list(candidates(terms, seen))
    yield from (Play(move.card) if isinstance(move, Play) else move for move in found)
    yield from found
