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
_BOOT = "/proc/sys/kernel/random/boot_id"
_DATE = re.compile(r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? {1,2}\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}")


class Tick(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the clock said at the last run."""

    at: r.Due
    boot: str
    """Which start of the machine it was, if that is known."""
    running: int
    """For how many seconds it had been running, suspended or not; setting the clock does not change this."""
    jumped: r.Due = ""
    """When the clock was last found to have been set to another time, as it says since then."""


def tick(now: datetime) -> Tick:
    """What the clock says, and what it cannot have changed."""
    boot = ""
    if os.path.exists(_BOOT):
        with open(_BOOT, encoding="ascii") as file:
            boot = file.read().strip()
    steady = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return Tick(after(now, 0), boot, int(time.clock_gettime(steady)))


def compared(before: Tick | None, new: Tick) -> Tick:
    """The new tick, with whether the clock has been set since the one before. After a restart of the machine that only
    shows if the clock went back."""
    if before is None:
        return new
    passed = read_time(new.at) - read_time(before.at)
    ran = timedelta(seconds=new.running - before.running)
    same = before.boot == new.boot and ran >= timedelta()
    jumped = passed < -APART or (same and abs(passed - ran) > APART)
    return structs.replace(new, jumped=new.at if jumped else before.jumped)


def server_time(send: Send) -> datetime | None:
    """What the mail server says the time is, if it is reachable and says so: many greet with the time."""
    from email.utils import parsedate_to_datetime

    try:
        found = _DATE.search(greeting(send)) if send.kind == "smtp" else None
        return parsedate_to_datetime(found[0]) if found else None
    except (RefereeError, ValueError):
        return None
