"""A day as somebody types it, in any language: `2027-01-05`, `5.1.2027`, `5-1-2027`, `5. Januar`, `January 5, 2027`."""

import re
from datetime import date
from unicodedata import normalize

from referee.lexicon import spellings

_NAMES = (
    "january januar jänner januari jan", "february februar februari feb febr", "march märz maart mar mär mrt",
    "april apr", "may mai mei", "june juni jun", "july juli jul", "august augustus aug",
    "september sep sept", "october oktober oct okt", "november nov", "december dezember dec dez",
)  # fmt: skip
_MONTHS = {
    spelling: number for number, names in enumerate(_NAMES, 1) for name in names.split() for spelling in spellings(name)
}
"""Every spelling of a month's name, in every language -> its number."""
_PLAIN = re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})", re.ASCII)
_DOTS = re.compile(r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})(?:\.\s?(?P<year>\d{4}|\d{2})?)?", re.ASCII)
_SIGNS = re.compile(r"(?P<day>\d{1,2})(?P<sign>[-/])(?P<month>\d{1,2})(?P=sign)(?P<year>\d{4})", re.ASCII)
_WORDS = re.compile(r"(?P<day>\d{1,2})\.?\s?(?P<name>[^\W\d_]+)\.?,?(?:\s(?P<year>\d{4}))?")
_MONTH_FIRST = re.compile(r"(?P<name>[^\W\d_]+)\.?\s(?P<day>\d{1,2})(?:,?\s(?P<year>\d{4}))?")


def read_day(text: str, today: date, *, either: bool = False) -> list[date]:
    """The days that this can mean, one at most. In numbers the day comes before the month; with `either` a writer may
    mean it the other way round as well, so that there can be two. Without a year it is the next such day."""
    text = " ".join(normalize("NFC", text).casefold().split())
    if found := _PLAIN.fullmatch(text) or _DOTS.fullmatch(text):
        return _days(found["year"], int(found["month"]), found["day"], today)
    if found := _SIGNS.fullmatch(text):
        orders = [(found["month"], found["day"]), (found["day"], found["month"])]
        days = [_days(found["year"], int(month), day, today) for month, day in orders[: 1 + either]]
        return sorted({day for one in days for day in one})
    if found := _WORDS.fullmatch(text) or _MONTH_FIRST.fullmatch(text):
        return _days(found["year"], _MONTHS.get(found["name"], 0), found["day"], today)
    return []


def _days(year: str | None, month: int, day: str, today: date) -> list[date]:
    """This day, if there is one; `27` is the year 2027."""
    years = (int(year) + 2000 * (len(year) == 2),) if year else (today.year, today.year + 1)
    found = (_day(one, month, int(day)) for one in years)
    return [one for one in found if one is not None and (year or one >= today)][:1]


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
