"""Times and spans as they are typed and signed: UTC, to the minute. Whoever has a clock hands in what it says."""

import re
from datetime import UTC, datetime, timedelta

from referee.errors import Usage
from referee.language import t

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
        raise Usage(t("this is no time"), t("write it in UTC, for example 2026-12-24T18:00Z")) from None


def read_span(text: str) -> int:
    """Minutes: `90m`, `12h`, `3d`."""
    found = re.fullmatch(r"([0-9]{1,6})([mhd])", text.strip())
    minutes = int(found[1]) * _UNITS[found[2]] if found else 0
    if not 0 < minutes <= LONGEST:
        raise Usage(
            t("this is no span of time"), t("write minutes, hours or days, for example 90m, 12h or 3d; at most 365d")
        )
    return minutes


USUAL = 30 * 1440
"""Minutes for each answer, unless the host says otherwise."""
DAY = 1440
"""Minutes: the deadline of games that are played without a clock."""


def counted(round: int) -> str:
    """What such a game states as the deadline of the round after this one: a day more for each round, so that a
    deadline is over as soon as somebody misses it."""
    return after(datetime(2000, 1, 1, tzinfo=UTC), DAY * (round + 1))


def later(time: str, minutes: int) -> str:
    """So much later than a time that an entry states; the last of all times if there is none so late."""
    try:
        return after(read_time(time), minutes)
    except Usage:
        return LAST


def after(time: datetime, minutes: int, *, up: bool = True) -> str:
    """So much later, rounded up to a minute, or down, as an entry states it."""
    try:
        later = time + timedelta(minutes=minutes)
        if up and (later.second or later.microsecond):
            later += timedelta(minutes=1)
    except OverflowError:
        raise Usage(t("there is no such time"), t("give an earlier one")) from None
    return later.astimezone(UTC).isoformat()[:16] + "Z"
