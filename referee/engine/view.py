"""What a player gets: the public entries and one private part, built from what that seat may see and nothing else."""

from typing import Any

import msgspec

from referee.crypto.codec import encode, raw
from referee.crypto.envelope import Envelope, seal
from referee.crypto.keys import Key
from referee.engine.records import NOTHING, VIEW, Json, Private, State, View
from referee.engine.rounds import who_is_asked
from referee.engine.table import Table
from referee.engine.turn import Match
from referee.game import seen


def private_part(table: Table, state: State[Any], seat: int) -> Private:
    """The private part of one seat for the round just closed. Asked for a decision, it lists the legal moves."""
    position = state.position
    ask = who_is_asked(state).get(seat)
    legal: Json = NOTHING
    if position is not None and ask is not None and not state.witness:
        legal = raw(table.game.legal(table.terms, seen(position, seat)))
    return Private(
        game=table.id,
        round=state.round,
        entry=state.entry,
        seat=seat,
        own=raw(position.own[seat]) if position is not None else NOTHING,
        openings=state.openings[seat],
        ask=ask,
        legal=legal,
    )


def make_view(match: Match, seat: int) -> bytes:
    """One player's view. Made again, it is the same to the byte."""
    return _pack(match.table, match.key, match.state, match.entries, seat)


def _pack(table: Table, key: Key, state: State[Any], entries: list[msgspec.Raw], seat: int) -> bytes:
    private: Envelope = seal(key, "private", private_part(table, state, seat))
    public = raw(state.position.public) if state.position is not None else NOTHING
    return encode(View(VIEW, table.envelope, tuple(entries), private, public))
