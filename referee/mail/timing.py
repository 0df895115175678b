"""Times in the words of our mails: points in time, in UTC and in the reader's zone, deadlines, absences."""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from referee.engine.player import Opened, may_return
from referee.evidence.lateness import lateness
from referee.io.times import read_time
from referee.language import Time, Value
from referee.mail import w
from referee.show.findings import claims_in_words, late_in_words
from referee.show.text import span


def moment(text: str, zone: str) -> str:
    """`Mon 23 Nov 2026, 23:30 UTC (Tue 00:30 in Berlin)`; without a zone that is known, UTC alone."""
    there = read_time(text)
    said = w(
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
    values: dict[str, Value] = {"time": said, "hour": here.hour, "minute": here.minute, "place": _place(zone)}
    if here.date() == there.date():
        return w("{time} ({hour:02}:{minute:02} in {place})", **values)
    return w("{time} ({weekday} {hour:02}:{minute:02} in {place})", weekday=_weekday(here), **values)


def point(text: str) -> str:
    """A time as entries have it, `2026-11-20T08:00Z`."""
    time = read_time(text)
    return w("{day}T{hour:02}:{minute:02}Z", day=Time(text[:10]), hour=time.hour, minute=time.minute)


def _weekday(time: datetime) -> str:
    names = (
        w.sense("weekday", "Mon"), w.sense("weekday", "Tue"), w.sense("weekday", "Wed"), w.sense("weekday", "Thu"),
        w.sense("weekday", "Fri"), w.sense("weekday", "Sat"), w.sense("weekday", "Sun"),
    )  # fmt: skip
    return names[time.weekday()]


def _month(time: datetime) -> str:
    names = (
        w.sense("month", "Jan"), w.sense("month", "Feb"), w.sense("month", "Mar"), w.sense("month", "Apr"),
        w.sense("month", "May"), w.sense("month", "Jun"), w.sense("month", "Jul"), w.sense("month", "Aug"),
        w.sense("month", "Sep"), w.sense("month", "Oct"), w.sense("month", "Nov"), w.sense("month", "Dec"),
    )  # fmt: skip
    return names[time.month - 1]


def _place(zone: str) -> str:
    """The city that a zone is named after, where many of our readers are in their own language."""
    city = zone.rpartition("/")[2].replace("_", " ")
    names = {
        "Berlin": w.sense("city", "Berlin"), "Brussels": w.sense("city", "Brussels"),
        "Copenhagen": w.sense("city", "Copenhagen"), "London": w.sense("city", "London"),
        "Luxembourg": w.sense("city", "Luxembourg"), "Paris": w.sense("city", "Paris"),
        "Prague": w.sense("city", "Prague"), "Rome": w.sense("city", "Rome"), "Vienna": w.sense("city", "Vienna"),
        "Warsaw": w.sense("city", "Warsaw"), "Zurich": w.sense("city", "Zurich"),
    }  # fmt: skip
    return names.get(city, city)


# --- deadlines and absences ------------------------------------------------------------------------------------------


def deadline_in_words(due: str, zone: str, grace: int, bank: int) -> Iterator[str]:
    """Until when to answer; nothing where there is no deadline."""
    if not due:
        return
    when = moment(due, zone)
    if grace:
        yield w("Please answer by {when}, with {span} of grace.", when=when, span=span(grace))
    else:
        yield w("Please answer by {when}.", when=when)
    if bank:
        yield w("Your time bank has {span} left for an answer that comes later.", span=span(bank))


def late_so_far(opened: Opened, claims: int) -> list[str]:
    """How many rounds were late, who protested, and how many claims came in, for everybody to see; nothing where there
    is nothing of it."""
    told = (*late_in_words(lateness(opened.chain)), *claims_in_words(claims))
    return [f"{line[:1].upper()}{line[1:]}." for line in told]


def way_back(opened: Opened, way: str) -> Iterator[str]:
    """For somebody who missed too many deadlines: that the game goes on, and how to come back."""
    if not may_return(opened):
        return
    yield w("You missed two deadlines running: the game goes on without you.")
    if way == "kept":
        yield w("To come back, reply to this mail and write `back`.")
    else:
        yield w(
            "To come back, save this mail and run `referee play --return` on it; then send the reply that it writes."
        )


def absence_in_words(name: str, days: int, until: str) -> str:
    """`Bert was away for 3 days, now until 2027-01-05`; empty for who was always there."""
    if until:
        return w.plural(
            "{name} was away for {n} day, now until {until}",
            "{name} was away for {n} days, now until {until}",
            days, name=name, until=Time(until),
        )  # fmt: skip
    return w.plural("{name} was away for {n} day", "{name} was away for {n} days", days, name=name) if days else ""
