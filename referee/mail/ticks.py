"""Whether the machine's clock can be trusted: it is compared with how long the machine has been running, and with what
the mail server says the time is. A wrong clock would time out people who still have days."""

import os
import re
import time
from datetime import datetime, timedelta

import msgspec
from msgspec import structs

from referee.engine import records as r
from referee.errors import RefereeError
from referee.io.times import after, read_time
from referee.mail.servers import greeting
from referee.mail.settings import Send

APART = timedelta(minutes=10)
"""Clocks that differ by less show the same time."""
FAR = timedelta(hours=1)
"""Our clock and that of the mail server may differ by this much."""
JUMPS_MOST = 50
_BOOT = "/proc/sys/kernel/random/boot_id"
_DATE = re.compile(r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? {1,2}\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}")


class Tick(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the clock said at the last run."""

    at: r.Due
    boot: str
    """Which start of the machine it was, if that is known."""
    running: int
    """For how many seconds it had been running, suspended or not; setting the clock does not change this."""
    jumps: tuple[r.Due, ...] = ()
    """When the clock was found to have been set to another time, as it says since then."""


def tick(now: datetime) -> Tick:
    """What the clock says, and what it cannot have changed."""
    boot = ""
    if os.path.exists(_BOOT):
        with open(_BOOT, encoding="ascii") as file:
            boot = file.read().strip()
    steady = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return Tick(after(now, 0), boot, int(time.clock_gettime(steady)))


def compared(before: Tick | None, new: Tick) -> Tick:
    """The new tick, with when the clock has been set. After a restart of the machine that only shows if the clock went
    back. A machine that was suspended by somebody else looks the same."""
    if before is None:
        return new
    passed = read_time(new.at) - read_time(before.at)
    ran = timedelta(seconds=new.running - before.running)
    same = before.boot == new.boot and ran >= timedelta()
    jumped = passed < -APART or (same and abs(passed - ran) > APART)
    known = tuple(one for one in before.jumps if one < new.at)
    return structs.replace(new, jumps=(*known, new.at)[-JUMPS_MOST:] if jumped else before.jumps)


def says_more(before: Tick, new: Tick) -> bool:
    """Whether a tick is worth keeping: it says that the clock was set or the machine started again, or the one before
    is old."""
    passed = read_time(new.at) - read_time(before.at)
    return (new.boot, new.jumps) != (before.boot, before.jumps) or passed >= FAR


def counted_from(moment: datetime, now: datetime, jumps: tuple[str, ...]) -> datetime:
    """From when the time of a seat counts whose mail was handed over at this moment: from when the clock was set, if it
    has been since. A clock that is set again and again, or a machine that is often suspended, changes nothing more: it
    must not keep a game waiting forever."""
    times = [read_time(one) for one in jumps]
    if moment > now:  # it was noted by a clock that was wrong
        return max(times, default=moment)
    return min((one for one in times if one >= moment), default=moment)


def server_time(send: Send) -> datetime | None:
    """What the mail server says the time is, if it is reachable and says so: many greet with the time."""
    from email.utils import parsedate_to_datetime

    try:
        found = _DATE.search(greeting(send)) if send.kind == "smtp" else None
        return parsedate_to_datetime(found[0]) if found else None
    except (RefereeError, ValueError):
        return None
