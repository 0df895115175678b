"""A point in time as people read it, in UTC and in the reader's zone."""

from zoneinfo import ZoneInfo

from referee.io.times import read_time


def moment(text: str, zone: str) -> str:
    """`Mon 23 Nov 2026, 23:30 UTC (Tue 00:30 in Berlin)`; without a zone that is known, UTC alone."""
    there = read_time(text)
    said = f"{there:%a} {there.day} {there:%b %Y, %H:%M} UTC"
    try:
        here = there.astimezone(ZoneInfo(zone))
    except (ValueError, KeyError, OSError, OverflowError):
        return said
    if here.utcoffset() == there.utcoffset():
        return said
    day = "" if here.date() == there.date() else f"{here:%a} "
    return f"{said} ({day}{here:%H:%M} in {zone.rpartition('/')[2].replace('_', ' ')})"
