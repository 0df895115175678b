"""When an answer is due, who is away, when to remind, whom a game waits for; and what closes a round, because each new
entry states the next deadline. The time comes from the command line."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import TypeVar
from zoneinfo import ZoneInfo

import msgspec
from msgspec import structs

from referee.engine.host import Judged, Match, take_move, time_out
from referee.engine.player import Draft, Opened, answer
from referee.engine.rounds import asked
from referee.errors import WrongTurn
from referee.io.desk import bank_of, due_at, protected_until
from referee.io.gamefile import dump_match, open_match
from referee.io.times import LAST, after, read_time
from referee.language import Time, run
from referee.mail import t
from referee.mail.delivery import NOTHING, asking_mail, folder_of, state_of
from referee.mail.office_tables import Desk
from referee.mail.ticks import counted_from

T = TypeVar("T")
Late = Callable[[int], int]
"""Seat -> by how many minutes its answer is late."""
Spans = tuple[tuple[str, str], ...]
"""First and last days of absences."""


class Times(msgspec.Struct, frozen=True):
    """When a seat is reminded, when its answer is due, and when the game goes on without it."""

    reminder: datetime
    due: datetime
    over: datetime


def to_minute(moment: datetime) -> str:
    """A time as entries have it, rounded up to the minute: `2026-11-20T08:00Z`."""
    return after(moment, 0)


def today(now: datetime, zone: str) -> date:
    """Today's date in this time zone."""
    return now.astimezone(ZoneInfo(zone)).date()


def plus(moment: datetime, minutes: int) -> datetime:
    """A time this many minutes later, or the last possible one."""
    try:
        return moment + timedelta(minutes=minutes)
    except OverflowError:
        return read_time(LAST)


# --- absence ---------------------------------------------------------------------------------------------------------


def away_until(away: Spans, zone: str, at: datetime) -> datetime | None:
    """When the absence that covers this moment ends, if there is one."""
    for first, last in away:
        days = date.fromisoformat(first), date.fromisoformat(last) + timedelta(days=1)
        begin, end = (datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC) for day in days)
        if begin <= at < end:
            return end
    return None


def days_away(away: Spans, first: date, last: date) -> int:
    """How many days of this period were days of absence."""
    days: set[int] = set()
    for begin, end in away:
        low, high = max(first, date.fromisoformat(begin)), min(last, date.fromisoformat(end))
        days.update(range(low.toordinal(), high.toordinal() + 1))
    return len(days)


def absence(desk: Desk, player: str, now: datetime) -> tuple[int, str]:
    """How many days a player has been away from this table, and when the current absence ends."""
    known = desk.office.players[player]
    first, last = today(read_time(desk.note.made), known.zone), today(now, known.zone)
    until = [end for begin, end in known.away if begin <= last.isoformat() <= end]
    return days_away(known.away, first, last), until[-1] if until else ""


# --- deadlines -------------------------------------------------------------------------------------------------------


def new_due(now: datetime, deadline: int, absences: Iterable[tuple[Spans, str]]) -> str:
    """The deadline of a round that opens now; it starts to run when everybody who is asked is back. `absences`: spans
    and zone of each seat that is asked."""
    starts = [away_until(away, zone, now) or now for away, zone in absences]
    return after(max((now, *starts)), deadline)


def times(due: datetime, deadline: int, grace: int, away: Spans, zone: str) -> Times:
    """The times of one seat; `grace` includes what is left in its bank. A player who is away when the answer is due
    gets the whole time again afterwards."""
    end = away_until(away, zone, due)
    own = plus(end, deadline) if end else due
    before = min(timedelta(days=1), timedelta(minutes=deadline) / 3)
    return Times(own - before, own, plus(own, grace))


def times_of(desk: Desk, seat: int, now: datetime) -> Times | None:
    """When this seat is reminded and timed out; None without deadlines. Everybody has at least the whole time after the
    mail was handed over for delivery (or from `now` on, if it has not been); an extension may give more, and the clock
    stops for one deadline if the mail came back. Before the first entry no deadline is signed."""
    known = desk.office.deliveries.get(asking_mail(desk, seat), NOTHING)
    if is_unsent(desk, seat):
        handed = now
    elif known.handed:
        handed = read_time(known.handed)
    else:  # nobody knows whether it arrived
        handed = plus(read_time(known.unknown), desk.terms.deadline) if known.unknown else now
    first = read_time(known.before) if known.before else handed
    if tick := desk.office.tick:
        first, handed = (counted_from(one, now, tick.jumps) for one in (first, handed))
    return _times_from(desk, seat, first, handed, stops=known.stopped or bool(known.bounced))


def _times_from(desk: Desk, seat: int, first: datetime, handed: datetime, *, stops: bool) -> Times | None:
    """The times of a seat whose mail was handed over at `first`, and perhaps once more."""
    deadline, match = desk.terms.deadline, desk.match
    if not deadline:
        return None
    signed = due_at(match, seat)
    due = max(read_time(signed) if signed else plus(read_time(desk.note.since), deadline), plus(first, deadline))
    due = max(plus(due, deadline * stops), plus(handed, deadline))
    player = desk.player(seat)
    return times(due, deadline, bank_of(match, seat) + desk.terms.grace, player.away, player.zone)


def late_by(desk: Desk, now: datetime, came: datetime) -> Late:
    """By how many whole minutes an answer that came at this time is late."""

    def late(seat: int) -> int:
        found = times_of(desk, seat, now)
        return max(0, int((came - found.due).total_seconds() // 60)) if found else 0

    return late


# --- whom a game waits for -------------------------------------------------------------------------------------------


def awaited_seats(desk: Desk) -> list[int]:
    """The seats whose answers the game waits for."""
    match = desk.match
    return [seat for seat in asked(match.state) if seat not in match.waiting]


def is_unsent(desk: Desk, seat: int) -> bool:
    """Whether no server has taken the mail that asks this seat: then the seat cannot have missed anything."""
    return state_of(desk.office, asking_mail(desk, seat)) in ("queued", "refused")


def note_sent(desk: Desk, now: datetime) -> None:
    """Note mails that the host sent by hand: their time counts from when they are found in sent/."""
    office = desk.office
    for seat in awaited_seats(desk):
        name = asking_mail(desk, seat)
        known = office.deliveries.get(name, NOTHING)
        if folder_of(office, name) == "sent" and not known.handed:
            office.note_delivery(name, structs.replace(known, handed=to_minute(now)))


def is_unreached(desk: Desk, seat: int) -> bool:
    """Whether the mail that asks this seat was tried in vain, and its answer is awaited."""
    known = desk.office.deliveries.get(asking_mail(desk, seat), NOTHING)
    return seat in awaited_seats(desk) and seat not in desk.match.late and is_unsent(desk, seat) and bool(known.first)


def pass_over(desk: Desk, seat: int, now: datetime) -> None:
    """Let the game go on without a seat that no mail reaches, as its host wants. By itself the office never does that;
    its host may once the clock would have stopped for a whole deadline."""
    known = desk.office.deliveries[asking_mail(desk, seat)]
    first = read_time(known.first)
    found = _times_from(desk, seat, first, first, stops=True)
    if found is None or now < found.over:
        over = Time(to_minute(found.over)) if found else t("never, because this game has no deadline")
        raise WrongTurn(
            t("no mail reached {name} yet: it is too early to go on without an answer", name=desk.names[seat]),
            t("possible from: {over}; or correct the address and run {run}", over=over,
              run=run("mail", "run", desk.office.root, "--retry")),
            code="no-timeout",
        )  # fmt: skip
    time_out_seats(desk, [seat], now)


# --- what closes a round ---------------------------------------------------------------------------------------------


def accept_move(desk: Desk, move: bytes, now: datetime, late: Late) -> Judged:
    """Judge a signed move; a good one counts."""
    return _closing(desk, now, lambda match: take_move(match, move, late))


def answer_kept(desk: Desk, opened: Opened, draft: Draft, now: datetime, late: Late) -> Judged:
    """Sign what the player of a kept seat said, and judge it."""
    return accept_move(desk, answer(desk.kept_key(opened.seat), opened, draft), now, late)


def time_out_seats(desk: Desk, seats: Sequence[int], now: datetime) -> None:
    """Time out these seats: the round closes without them once it waits for nobody else."""

    def work(match: Match) -> None:
        for seat in seats:
            time_out(match, seat)

    _closing(desk, now, work)


def _closing(desk: Desk, now: datetime, work: Callable[[Match], T]) -> T:
    """Do something that may close the round. The new entry states the next deadline, which can depend on who is asked:
    if it turns out different, the round is closed again with the right one."""
    match, deadline = desk.match, desk.terms.deadline
    round = match.state.round
    players = [desk.player(seat) for seat in range(len(desk.joined))]
    away = bool(deadline) and any(away_until(player.away, player.zone, now) for player in players)
    before = dump_match(match) if away else b""
    if match.late and match.state.due:
        # Somebody was timed out: if the clock has been set back since, the entry must not say that it was too early.
        now = max(now, *(read_time(protected_until(match, seat)) for seat in match.late))
    match.due = new_due(now, deadline, ()) if deadline else ""
    result = work(match)
    if match.state.round == round:
        return result
    waited = [(players[seat].away, players[seat].zone) for seat in asked(match.state)]
    if away and (due := new_due(now, deadline, waited)) != match.due:
        played = match.played
        desk.match = match = open_match(before, desk.office.key)
        match.due, match.played = due, played
        result = work(match)
    # Not earlier: how late an answer is depends on when its question was handed over.
    desk.change(since=to_minute(now))
    return result
