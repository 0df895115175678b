"""A bot at a seat: it gets a view, as any player does, and answers with a signed move."""

import hashlib

from referee.crypto.draws import Stream
from referee.crypto.keys import Key
from referee.engine.player import answer, open_view, seen_in


def bot_answer(view: bytes, key: Key, bot: str, seed: bytes) -> bytes:
    """The signed answer of a bot that knows this view and nothing else; `seed` is its own chance."""
    opened = open_view(view)
    ask = opened.private.ask
    if ask is None or ask.what in ("ack", "witness"):
        return answer(key, opened)
    game = opened.table.game
    chance = Stream(hashlib.sha256(seed + opened.private.round.to_bytes(8, "big")).digest())
    return answer(key, opened, game.bots[bot](opened.table.terms, seen_in(opened), chance.below))
