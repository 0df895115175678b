"""Times that a host signs as over before they have come. No verifier has a clock: only who reads them in time sees."""

from datetime import datetime
from itertools import pairwise

import msgspec

from referee.engine import records as r
from referee.engine.chain import Followed
from referee.io.times import after, later

TOLERANCE = 10
"""Minutes by which the clocks of a host and a player may differ."""


class Ahead(msgspec.Struct, frozen=True):
    """Somebody was timed out in this round, before the time at which that was allowed."""

    round: int
    time: str


def ahead(chain: Followed, now: datetime) -> Ahead | None:
    """The latest time that the host of a checked chain signed as over, if by the reader's clock it is still to come.
    Earlier entries count too: the newest can state a usual time again. It is no verdict: a clock can be wrong."""
    rows = ((before.checkpoint.state, one.entry) for before, one in pairwise(chain.rounds) if one.entry.timeouts)
    found = [Ahead(entry.round, _over(chain.table.offer, before, entry)) for before, entry in rows]
    latest = max(found, key=lambda one: one.time, default=None)
    return latest if latest and latest.time > after(now, TOLERANCE) else None


def _over(offer: r.Offer, before: r.State, entry: r.Entry) -> str:
    """What must be over before these seats are timed out: their deadline, with the banks and the grace. It is what
    `bad-due` reckons from, also in the last round, whose entry states no time."""
    bank = max(before.bank[seat] for seat in entry.timeouts) if before.bank else 0
    return later(before.due, bank + offer.grace)
