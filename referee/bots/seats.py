"""A bot at a seat: it knows what its seat knows, answers with a signed move, and says what costs it nothing."""

import hashlib
from collections.abc import Mapping

from referee.crypto.keys import Key
from referee.crypto.stream import Stream
from referee.engine.answers import seen
from referee.engine.player import Marks, Opened, sign_answer
from referee.engine.rounds import ACK, Moment, asked
from referee.engine.table import Table
from referee.game import LINK


def bot_answer(opened: Opened, key: Key, bot: str, seed: bytes, marks: Marks = ()) -> bytes:
    """The signed answer of a bot to its view; `seed` is its own chance."""
    return bot_signs(opened.table, opened.chain.moment, opened.seat, opened.owner.faces, key, bot, seed, marks)


def bot_signs(
    table: Table,
    moment: Moment,
    seat: int,
    faces: Mapping[str, str],
    key: Key,
    bot: str,
    seed: bytes,
    marks: Marks = (),
) -> bytes:
    """The same at a moment of a game, for whoever follows it in memory; `faces` must have those the seat was told."""
    ask, game = asked(moment.state).get(seat), table.game
    known = seen(game, moment.state, moment.public, seat, faces)
    move = None
    if ask is not None and ask.what not in (ACK, LINK):
        chance = Stream(hashlib.sha256(seed + moment.state.round.to_bytes(8, "big")).digest())
        move = game.bots[bot](table.terms, known, chance.below)
    words = game.standing.advise(table.terms, known) if game.standing else None
    return sign_answer(key, table, moment, seat, faces, move, standing=words, marks=marks)
