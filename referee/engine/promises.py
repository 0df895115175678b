"""Times in documents, and extensions: more time for one seat in one round, which the host promises in writing."""

from collections.abc import Collection, Iterable
from typing import Annotated

import msgspec

from referee.crypto.codec import Hex32
from referee.crypto.envelope import Envelope, read_signed
from referee.engine.parts import Due, Record, Round, Seat
from referee.engine.records import Offer
from referee.errors import CheckFailed, Malformed
from referee.language import Time, t

Until = Annotated[str, msgspec.Meta(min_length=1), Due.__metadata__[0]]


def minutes(due: str) -> int:
    """A deadline in minutes, for arithmetic; `ValueError` if it is not a valid time."""
    from datetime import date

    return date.fromisoformat(due[:10]).toordinal() * 1440 + int(due[11:13]) * 60 + int(due[14:16])


def is_time(text: str) -> bool:
    """Whether there is such a day and minute."""
    try:
        return minutes(text) > 0
    except ValueError:
        return False


class Extension(Record, frozen=True):
    """The host promises that a seat is not timed out in this round before this time, with its grace."""

    game: Hex32
    round: Round
    seat: Seat
    until: Until


def extension_in(extension: Envelope) -> Extension:
    """The content of an extension that the host itself made."""
    return msgspec.json.decode(extension.body, type=Extension)


def read_extension(host: bytes, envelope: Envelope) -> Extension:
    """An extension that this host signed; raises `BadSignature` or `Malformed`."""
    found = read_signed(envelope, "extension", host, Extension)
    if not is_time(found.until):
        raise Malformed(t("the time in this extension is not a valid time"), t("ask the host for another one"))
    return found


def latest(extensions: Iterable[Envelope], seat: int) -> str:
    """Until when the time of a seat was extended; empty if it was not. The latest counts."""
    return max((one.until for one in map(extension_in, extensions) if one.seat == seat), default="")


def breaks_extension(offer: Offer, until: str, seat: int, due: str, timeouts: Collection[int]) -> bool:
    """Whether an entry that states this `due` and times these seats out times this seat out before its extension is
    over. An entry without a time, such as the last of a game, cannot be judged."""
    if seat not in timeouts or not due:
        return False
    try:
        return minutes(due) < minutes(until) + offer.grace + offer.deadline
    except ValueError:
        return False


def extension_violation(offer: Offer, extension: Extension, due: str, timeouts: Collection[int]) -> CheckFailed | None:
    """What an extension shows beside the entry of its round, which states when the next answer is due and who was
    late."""
    seat, until = extension.seat, extension.until
    if not breaks_extension(offer, until, seat, due, timeouts):
        return None
    message = t("the host gave seat {seat} time until {until} and timed it out before then", seat=seat + 1,
                until=Time(until))  # fmt: skip
    return CheckFailed("extended-and-timed-out", message, extension.round)
