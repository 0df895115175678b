"""A bot at a seat: it knows what its seat knows, answers with a signed move, and says what costs it nothing."""

import hashlib

from referee.crypto.keys import Key
from referee.crypto.stream import Stream
from referee.engine.answers import seen
from referee.engine.player import Draft, Marks, Opened, Place, sign_answer
from referee.engine.rounds import ACK, asked
from referee.game import LINK


def bot_answer(opened: Opened, key: Key, bot: str, seed: bytes, marks: Marks = ()) -> bytes:
    """The signed answer of a bot to its view; `seed` is its own chance."""
    return bot_signs(opened.place, key, bot, seed, marks)


def bot_signs(place: Place, key: Key, bot: str, seed: bytes, marks: Marks = ()) -> bytes:
    """The same at a checkpoint of a game, for whoever follows it in memory."""
    table, checkpoint, seat, faces = place
    ask, game = asked(checkpoint.state).get(seat), table.game
    known = seen(game, checkpoint.state, checkpoint.public, seat, faces)
    move = None
    if ask is not None and ask.what not in (ACK, LINK):
        chance = Stream(hashlib.sha256(seed + checkpoint.state.round.to_bytes(8, "big")).digest())
        move = game.bots[bot](table.terms, known, chance.below)
    words = game.standing.advise(table.terms, known, bot) if game.standing else None
    return sign_answer(key, place, Draft(move, words), marks)
