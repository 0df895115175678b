"""Times: when an answer is due, who is away until when, and when to remind. The clock itself is the command line's."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import msgspec

from referee.io.times import LAST, after, read_time

Spans = tuple[tuple[str, str], ...]
"""First and last days of absence."""


class Times(msgspec.Struct, frozen=True):
    """When a seat is reminded, when its answer is due, and when the game goes on without it."""

    reminder: datetime
    due: datetime
    over: datetime


def spelled(moment: datetime) -> str:
    """As entries have it, rounded up to a minute: 2026-11-20T08:00Z."""
    return after(moment, 0)


def today(now: datetime, zone: str) -> date:
    """The day it is for somebody in this zone."""
    return now.astimezone(ZoneInfo(zone)).date()


def away_until(away: Spans, zone: str, at: datetime) -> datetime | None:
    """The end of the absence that covers this moment, if one does."""
    for first, last in away:
        begin, end = _midnight(date.fromisoformat(first), zone), _midnight(_next(date.fromisoformat(last)), zone)
        if begin <= at < end:
            return end
    return None


def days_away(away: Spans, first: date, last: date) -> int:
    """How many days of these were days of absence."""
    days: set[int] = set()
    for begin, end in away:
        low, high = max(first, date.fromisoformat(begin)), min(last, date.fromisoformat(end))
        days.update(range(low.toordinal(), high.toordinal() + 1))
    return len(days)


def new_due(now: datetime, deadline: int, absences: Iterable[tuple[Spans, str]]) -> str:
    """The deadline of a round that opens now; it begins to run when whoever is asked is back. `absences`: for each seat
    asked its spans and zone."""
    starts = [away_until(away, zone, now) or now for away, zone in absences]
    return after(max((now, *starts)), deadline)


def times(due: datetime, deadline: int, grace: int, away: Spans, zone: str) -> Times:
    """For one seat; `grace` with what is left in its bank. Who is away when the answer is due has the whole time again
    after that."""
    end = away_until(away, zone, due)
    own = plus(end, deadline) if end else due
    before = min(timedelta(days=1), timedelta(minutes=deadline) / 3)
    return Times(own - before, own, plus(own, grace))


def plus(moment: datetime, minutes: int) -> datetime:
    """So much later; the last of all times if there is none so late."""
    try:
        return moment + timedelta(minutes=minutes)
    except OverflowError:
        return read_time(LAST)


def _midnight(day: date, zone: str) -> datetime:
    return datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)


def _next(day: date) -> date:
    return day + timedelta(days=1)
