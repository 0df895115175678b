"""More time for one seat in one round: what the host promises in writing, and what breaks it."""

from collections.abc import Iterable
from typing import Annotated

import msgspec

from referee.crypto.codec import Hex32
from referee.crypto.envelope import Envelope
from referee.engine.parts import Due, Record, Round, Seat
from referee.engine.records import Offer
from referee.engine.times import minutes

Until = Annotated[str, msgspec.Meta(min_length=1), Due.__metadata__[0]]


class Extension(Record, frozen=True):
    """The host promises that a seat is not timed out in this round before this time, with its grace."""

    game: Hex32
    round: Round
    seat: Seat
    until: Until


def extension_in(extension: Envelope) -> Extension:
    """What an extension of the host's own says."""
    return msgspec.json.decode(extension.body, type=Extension)


def latest(extensions: Iterable[Envelope], seat: int) -> str:
    """Until when the time of a seat was extended; empty if it was not. The latest counts."""
    return max((one.until for one in map(extension_in, extensions) if one.seat == seat), default="")


def breaks(offer: Offer, until: str, seat: int, due: str, timeouts: Iterable[int]) -> bool:
    """Whether an entry that states this `due` and times these seats out passes this seat over before its time, which
    was extended, is over. An entry that states no time, as the last of a game, cannot be judged."""
    if seat not in timeouts or not due:
        return False
    try:
        return minutes(due) < minutes(until) + offer.grace + offer.deadline
    except ValueError:
        return False
