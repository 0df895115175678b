"""Who is away from a table, for how long, in words: everybody at it is told, and the host."""

from datetime import datetime

from referee.io.times import read_time
from referee.language import Time
from referee.mail import w
from referee.mail.deadlines import days_away, today
from referee.mail.office_tables import Desk


def absences(desk: Desk, now: datetime) -> list[str]:
    """A line for each player who is or was away while this table is there."""
    rows = [(name, *absence(desk, desk.player_id(seat), now)) for seat, name in enumerate(desk.names)]
    return [f"{told}." for row in rows if (told := absence_in_words(*row))]


def absence(desk: Desk, player: str, now: datetime) -> tuple[int, str]:
    """How many days a player was away from this table so far, and until when the absence lasts that goes on."""
    known = desk.office.players[player]
    first, last = today(read_time(desk.note.made), known.zone), today(now, known.zone)
    until = [end for begin, end in known.away if begin <= last.isoformat() <= end]
    return days_away(known.away, first, last), until[-1] if until else ""


def absence_in_words(name: str, days: int, until: str) -> str:
    """`Bert was away for 3 days, now until 2027-01-05`; empty for who was always there."""
    if until:
        return w.plural(
            "{name} was away for {n} day, now until {until}",
            "{name} was away for {n} days, now until {until}",
            days, name=name, until=Time(until),
        )  # fmt: skip
    return w.plural("{name} was away for {n} day", "{name} was away for {n} days", days, name=name) if days else ""
