"""Times in words: points in time (in UTC and in the reader's zone), deadlines, absences."""

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from referee.engine.player import Opened, may_return
from referee.evidence.lateness import lateness
from referee.io.times import read_time
from referee.language import Time, Value
from referee.mail import t, w
from referee.show.findings import claims_in_words, late_in_words
from referee.show.text import span

_WEEKDAYS = (
    t.sense("weekday", "Mon"), t.sense("weekday", "Tue"), t.sense("weekday", "Wed"), t.sense("weekday", "Thu"),
    t.sense("weekday", "Fri"), t.sense("weekday", "Sat"), t.sense("weekday", "Sun"),
)  # fmt: skip
_MONTHS = (
    t.sense("month", "Jan"), t.sense("month", "Feb"), t.sense("month", "Mar"), t.sense("month", "Apr"),
    t.sense("month", "May"), t.sense("month", "Jun"), t.sense("month", "Jul"), t.sense("month", "Aug"),
    t.sense("month", "Sep"), t.sense("month", "Oct"), t.sense("month", "Nov"), t.sense("month", "Dec"),
)  # fmt: skip
_CITIES = {
    "Berlin": t.sense("city", "Berlin"), "Brussels": t.sense("city", "Brussels"),
    "Copenhagen": t.sense("city", "Copenhagen"), "London": t.sense("city", "London"),
    "Luxembourg": t.sense("city", "Luxembourg"), "Paris": t.sense("city", "Paris"),
    "Prague": t.sense("city", "Prague"), "Rome": t.sense("city", "Rome"), "Vienna": t.sense("city", "Vienna"),
    "Warsaw": t.sense("city", "Warsaw"), "Zurich": t.sense("city", "Zurich"),
}  # fmt: skip
"""Cities after which time zones are named, where many of our readers call them differently."""


def moment(text: str, zone: str) -> str:
    """`Mon 23 Nov 2026, 23:30 UTC (Tue 00:30 in Berlin)`; UTC alone if the zone is unknown."""
    there = read_time(text)
    said = w(
        "{weekday} {day} {month} {year}, {hour:02}:{minute:02} UTC",
        weekday=_WEEKDAYS[there.weekday()], day=there.day, month=_MONTHS[there.month - 1], year=there.year,
        hour=there.hour, minute=there.minute,
    )  # fmt: skip
    try:
        here = there.astimezone(ZoneInfo(zone))
    except (ValueError, KeyError, OSError, OverflowError):
        return said
    if here.utcoffset() == there.utcoffset():
        return said
    city = zone.rpartition("/")[2].replace("_", " ")
    values: dict[str, Value] = {
        "time": said,
        "hour": here.hour,
        "minute": here.minute,
        "place": _CITIES.get(city, city),
    }
    if here.date() == there.date():
        return w("{time} ({hour:02}:{minute:02} in {place})", **values)
    return w("{time} ({weekday} {hour:02}:{minute:02} in {place})", weekday=_WEEKDAYS[here.weekday()], **values)


# --- deadlines and absences ------------------------------------------------------------------------------------------


def deadline_in_words(due: str, zone: str, grace: int, bank: int) -> Iterator[str]:
    """When the answer is due; empty if there is no deadline."""
    if not due:
        return
    when = moment(due, zone)
    if grace:
        yield w("Please answer by {when}, with {span} of grace.", when=when, span=span(grace))
    else:
        yield w("Please answer by {when}.", when=when)
    if bank:
        yield w("Your time bank has {span} left for late answers.", span=span(bank))


def late_so_far(opened: Opened, claims: int) -> list[str]:
    """How many rounds were late, who protested, and how many claims came in, for everybody to see; empty if there were
    none."""
    lines = (*late_in_words(lateness(opened.chain)), *claims_in_words(claims))
    return [f"{line[:1].upper()}{line[1:]}." for line in lines]


def way_back(opened: Opened, way: str) -> Iterator[str]:
    """For a player who missed too many deadlines: the game goes on, and this is how to come back."""
    if not may_return(opened):
        return
    yield w("You missed two deadlines in a row, so the game goes on without you.")
    if way == "kept":
        yield w("To come back, reply to this mail and write `back`.")
    else:
        yield w(
            "To come back, save this mail and run `referee play --return` on it; then send the reply that it writes."
        )


def absence_in_words(name: str, days: int, until: str) -> str:
    """`Bert was away for 3 days, now until 2027-01-05`; empty for a player who was always there."""
    if until:
        return w.plural(
            "{name} was away for {n} day, now until {until}",
            "{name} was away for {n} days, now until {until}",
            days, name=name, until=Time(until),
        )  # fmt: skip
    return w.plural("{name} was away for {n} day", "{name} was away for {n} days", days, name=name) if days else ""
