"""Whom a game waits for, how long, and whether the mail that asks was handed over to be delivered at all."""

import os
from collections.abc import Callable
from datetime import datetime

from referee.engine.rounds import asked
from referee.io.desk import bank_of, due_at
from referee.io.times import read_time
from referee.mail.deadlines import Times, plus, spelled, times
from referee.mail.office_tables import Desk
from referee.mail.post import round_id


def awaited(desk: Desk) -> list[int]:
    """The seats whose answers the game waits for."""
    match = desk.match
    return [seat for seat in asked(match.state) if seat not in match.waiting]


def times_of(desk: Desk, seat: int, now: datetime) -> Times | None:
    """When this seat is reminded and timed out; None without deadlines. Nobody has less than the whole time after the
    mail was handed over to be delivered, or from `now` on if it still is not; an extension may give more. Before the
    first entry nothing is signed."""
    deadline, match = desk.terms.deadline, desk.match
    if not deadline:
        return None
    signed = due_at(match, seat)
    handed = dict(desk.note.handed).get(seat)
    from_then = plus(read_time(handed) if handed else now, deadline)
    due = max(read_time(signed) if signed else plus(read_time(desk.note.since), deadline), from_then)
    player = desk.player(seat)
    return times(due, deadline, bank_of(match, seat) + desk.terms.grace, player.away, player.zone)


def late_by(desk: Desk, now: datetime, came: datetime) -> Callable[[int], int]:
    """By how many whole minutes the answer of a seat is late that came at this time, as the office reckons."""

    def late(seat: int) -> int:
        found = times_of(desk, seat, now)
        return max(0, int((came - found.due).total_seconds() // 60)) if found else 0

    return late


def unsent(desk: Desk, seat: int) -> bool:
    """Whether the mail that asks this seat was not handed over yet: then nobody can have missed anything."""
    return _lies_in(desk, seat, "outbox") or not (seat in dict(desk.note.handed) or _lies_in(desk, seat, "sent"))


def _lies_in(desk: Desk, seat: int, folder: str) -> bool:
    name = f"{round_id(desk, seat, desk.match.state.round + 1)}-turn"
    return os.path.exists(desk.office.path(folder, f"{name}.eml"))


def note_handed(desk: Desk, now: datetime) -> None:
    """Mails that the host sent by hand, or that a run was killed with: they count from when they are found in sent/."""
    new = [seat for seat in awaited(desk) if seat not in dict(desk.note.handed) and _lies_in(desk, seat, "sent")]
    if new:
        desk.change(handed=(*desk.note.handed, *((seat, spelled(now)) for seat in new)))
