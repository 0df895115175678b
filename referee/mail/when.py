"""A point in time as people read it, in UTC and in the reader's zone."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from referee.io.times import read_time
from referee.language import as_day
from referee.mail import t


def moment(text: str, zone: str) -> str:
    """`Mon 23 Nov 2026, 23:30 UTC (Tue 00:30 in Berlin)`; without a zone that is known, UTC alone."""
    there = read_time(text)
    said = t(
        "{weekday} {day} {month} {year}, {hour:02}:{minute:02} UTC",
        weekday=_weekday(there), day=there.day, month=_month(there), year=there.year, hour=there.hour,
        minute=there.minute,
    )  # fmt: skip
    try:
        here = there.astimezone(ZoneInfo(zone))
    except (ValueError, KeyError, OSError, OverflowError):
        return said
    if here.utcoffset() == there.utcoffset():
        return said
    values = {"time": said, "hour": here.hour, "minute": here.minute, "place": _place(zone)}
    if here.date() == there.date():
        return t("{time} ({hour:02}:{minute:02} in {place})", **values)
    return t("{time} ({weekday} {hour:02}:{minute:02} in {place})", weekday=_weekday(here), **values)


def day(text: str) -> str:
    """A day, `2027-01-05`."""
    return as_day(date.fromisoformat(text))


def point(text: str) -> str:
    """A time as entries have it, `2026-11-20T08:00Z`."""
    time = read_time(text)
    return t("{day}T{hour:02}:{minute:02}Z", day=as_day(time), hour=time.hour, minute=time.minute)


def _weekday(time: datetime) -> str:
    names = (
        t.sense("weekday", "Mon"), t.sense("weekday", "Tue"), t.sense("weekday", "Wed"), t.sense("weekday", "Thu"),
        t.sense("weekday", "Fri"), t.sense("weekday", "Sat"), t.sense("weekday", "Sun"),
    )  # fmt: skip
    return names[time.weekday()]


def _month(time: datetime) -> str:
    names = (
        t.sense("month", "Jan"), t.sense("month", "Feb"), t.sense("month", "Mar"), t.sense("month", "Apr"),
        t.sense("month", "May"), t.sense("month", "Jun"), t.sense("month", "Jul"), t.sense("month", "Aug"),
        t.sense("month", "Sep"), t.sense("month", "Oct"), t.sense("month", "Nov"), t.sense("month", "Dec"),
    )  # fmt: skip
    return names[time.month - 1]


def _place(zone: str) -> str:
    """The city that a zone is named after, where many of our readers are in their own language."""
    city = zone.rpartition("/")[2].replace("_", " ")
    names = {
        "Berlin": t.sense("city", "Berlin"), "Brussels": t.sense("city", "Brussels"),
        "Copenhagen": t.sense("city", "Copenhagen"), "London": t.sense("city", "London"),
        "Luxembourg": t.sense("city", "Luxembourg"), "Paris": t.sense("city", "Paris"),
        "Prague": t.sense("city", "Prague"), "Rome": t.sense("city", "Rome"), "Vienna": t.sense("city", "Vienna"),
        "Warsaw": t.sense("city", "Warsaw"), "Zurich": t.sense("city", "Zurich"),
    }  # fmt: skip
    return names.get(city, city)
