"""Times and spans as they are typed and signed: UTC, to the minute. The current time is always a parameter."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from referee.errors import Usage
from referee.language import t

if TYPE_CHECKING:
    from referee.engine import records as r
    from referee.engine.chain import Followed

_UNITS = {"m": 1, "h": 60, "d": 1440}
LONGEST = 365 * 1440
"""Minutes of the longest span."""
LAST = "9999-12-31T23:59Z"


def read_time(text: str) -> datetime:
    """`2026-12-24T18:00Z`."""
    try:
        if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]Z", text):
            raise ValueError
        return datetime.fromisoformat(text)
    except ValueError:
        raise Usage(t("this is not a valid time"), t("write it in UTC, for example 2026-12-24T18:00Z")) from None


def read_span(text: str) -> int:
    """Minutes: `90m`, `12h`, `3d`."""
    found = re.fullmatch(r"([0-9]{1,6})([mhd])", text.strip())
    minutes = int(found[1]) * _UNITS[found[2]] if found else 0
    if not 0 < minutes <= LONGEST:
        why = t("this is not a valid span of time")
        raise Usage(why, t("write minutes, hours or days, for example 90m, 12h or 3d; at most 365d"))
    return minutes


USUAL = 30 * 1440
"""Default minutes for each answer."""
DAY = 1440
"""Minutes: the deadline of games that are played without a clock."""


def undated_deadline(round: int) -> str:
    """The deadline that such a game states for the round after this one: a day later each round, so that a deadline is
    over as soon as somebody misses it."""
    return after(datetime(2000, 1, 1, tzinfo=UTC), DAY * (round + 1))


def later(time: str, minutes: int) -> str:
    """A time in an entry plus these minutes; at most the last possible time."""
    try:
        return after(read_time(time), minutes)
    except Usage:
        return LAST


def after(time: datetime, minutes: int, *, up: bool = True) -> str:
    """A time plus these minutes, rounded up or down to a minute, as an entry states it."""
    try:
        later = time + timedelta(minutes=minutes)
        if up and (later.second or later.microsecond):
            later += timedelta(minutes=1)
    except OverflowError:
        raise Usage(t("there is no such time"), t("give an earlier one")) from None
    return later.astimezone(UTC).isoformat()[:16] + "Z"


# --- times that a host signs as over before they have come -----------------------------------------------------------

TOLERANCE = 10
"""Minutes by which the clocks of a host and a player may differ."""


class Ahead(msgspec.Struct, frozen=True):
    """Somebody was timed out in this round before that was allowed, at this time."""

    round: int
    time: str


def ahead(chain: "Followed", now: datetime) -> Ahead | None:
    """The latest time that the host of a checked chain signed as over, if by the reader's clock it is still to come. No
    verifier has a clock, so only a reader at the time can see this. Earlier entries count too: the newest can state a
    normal time again. It is not a verdict: a clock can be wrong."""
    rows = ((before.checkpoint.state, one.entry) for before, one in pairwise(chain.rounds) if one.entry.timeouts)
    found = [Ahead(entry.round, _earliest_timeout(chain.table.offer, before, entry)) for before, entry in rows]
    latest = max(found, key=lambda one: one.time, default=None)
    return latest if latest and latest.time > after(now, TOLERANCE) else None


def _earliest_timeout(offer: "r.Offer", before: "r.State", entry: "r.Entry") -> str:
    """What must be over before these seats are timed out: their deadline, with the banks and the grace. `bad-due` is
    based on it, also in the last round, whose entry states no time."""
    bank = max(before.bank[seat] for seat in entry.timeouts) if before.bank else 0
    return later(before.due, bank + offer.grace)
