"""Catching up: compare what should exist by now with what does, and make whatever is missing. A second run has nothing
to do."""

import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from referee.engine.host import reveal
from referee.engine.seats import late_seats, rests
from referee.errors import MailTrouble, RefereeError
from referee.io.desk import bank_of
from referee.io.times import read_time
from referee.language import Text, Time, run
from referee.mail import letters, t
from referee.mail.body import Body, Reader
from referee.mail.compose import written_at
from referee.mail.deadlines import absence, awaited_seats, is_unsent, note_sent, time_out_seats, times_of, to_minute
from referee.mail.delivery import asked_by, asking_mail, forget_old, invites, state_of
from referee.mail.lobby import start_game
from referee.mail.office import Office
from referee.mail.office_tables import Desk
from referee.mail.post import inviting, post_invited, post_seat, short
from referee.mail.statements import leave
from referee.mail.timing import absence_in_words

OLD = timedelta(hours=1)
"""A mail that asks and has waited for longer than this states a new deadline."""
SLOW = timedelta(days=1)
"""A mail that no server has taken for longer than this is reported."""


class TableTrouble(RefereeError):
    """An error that concerns one table."""

    def __init__(self, table: str, error: RefereeError) -> None:
        super().__init__(t("table {name}: {message}", name=table, message=error.message), error.next, code=error.code)
        self.table, self.exit = table, error.exit


def catch_up(
    office: Office, now: datetime, *, strict: bool = True, clock_is_right: Callable[[], bool] = lambda: True
) -> tuple[list[Text], list[TableTrouble]]:
    """Bring every table up to date. Returns what to tell the host, and the errors of tables that are damaged or played
    by other rules. Nobody is timed out unless `strict`, because without the newest mails we do not know who has
    answered, nor unless `clock_is_right`, which is asked only when it matters."""
    report: list[Text] = []
    troubles: list[TableTrouble] = []
    for desk in list(office.desks.values()):
        try:
            if not desk.note.end and not desk.note.game:
                report += _lobby(desk, now)
            if desk.runs:
                report += _game(desk, now, strict, clock_is_right)
        except RefereeError as error:
            troubles.append(TableTrouble(desk.name, error))
    if not troubles:  # a table that cannot be read may be waiting for any of them
        forget_old(office)
    return report, troubles


def undelivered(office: Office, now: datetime) -> list[TableTrouble]:
    """Who was not reached by the mail that asks or invites them: the host has to do something about it."""
    found = []
    for name in office.deliveries:
        with contextlib.suppress(RefereeError):  # a table that cannot be read is reported elsewhere
            if (who := _waited_for(office, name)) and (why := _not_reached(office, name, who, now)):
                again = run("mail", "run", office.root, "--retry")
                advice = t("correct the address in players.json if it is wrong, then run {run}", run=again)
                found.append(TableTrouble(name[:8], MailTrouble(why, advice, code="not-sent")))
    return found


def _waited_for(office: Office, name: str) -> str:
    """Whose answer to this mail is awaited; empty if nobody's is."""
    if found := asked_by(office, name):
        desk, seat = found
        return desk.names[seat] if seat in awaited_seats(desk) else ""
    number = invites(office, name)
    return office.desks[name[:8]].note.invitations[number - 1].player if number else ""


def _not_reached(office: Office, name: str, who: str, now: datetime) -> Text | None:
    known, state = office.deliveries[name], state_of(office, name)
    if state == "bounced":
        return t("the mail to {name} came back: {why}", name=who, why=known.why)
    if state == "refused":
        return t("the mail to {name} was refused: {why}", name=who, why=known.why)
    if state == "unknown":
        return t("nobody knows whether the mail to {name} arrived", name=who)
    if state == "queued" and known.first and now - read_time(known.first) > SLOW:
        return t(
            "no server has taken the mail to {name} since {time}: {why}",
            name=who,
            time=Time(known.first),
            why=known.why,
        )
    return None


# --- before the game -------------------------------------------------------------------------------------------------


def _lobby(desk: Desk, now: datetime) -> list[Text]:
    if len(desk.joined) == desk.terms.seats and desk.note.start == "when-full":
        start_game(desk, now)
        return [t("{name}: the game has started", name=desk.name)]
    for number, one in enumerate(desk.note.invitations, 1):
        if one.state == "open":
            _invite(desk, number, now)
        elif one.state == "withdrawn":
            _tell_invited(desk, number, "withdrawn", t("The host has invited somebody else in your place."), now)
    return []


def _invite(desk: Desk, number: int, now: datetime) -> None:
    """Send the invitation, and once more if there are deadlines and the first has passed."""
    what, deadline = "invitation", desk.terms.deadline
    if _was_invited(desk, number):
        if not deadline or now < read_time(desk.note.made) + timedelta(minutes=deadline):
            return
        what = "reminder-1"
    post_invited(desk, number, what, inviting(desk), now)


def _was_invited(desk: Desk, number: int) -> bool:
    return f"{desk.invitation_id(number)}-invitation" in desk.office.written


def _tell_invited(desk: Desk, number: int, what: str, line: Text, now: datetime) -> None:
    if _was_invited(desk, number):
        post_invited(desk, number, what, short(desk.name, t("your invitation"), (line,)), now)


# --- a game ----------------------------------------------------------------------------------------------------------


def _game(desk: Desk, now: datetime, strict: bool, clock_is_right: Callable[[], bool]) -> list[Text]:
    report = []
    for number, one in enumerate(desk.note.invitations, 1):
        if one.state == "open":  # more players were invited than there are seats
            desk.change_invitation(number, state="withdrawn")
            _tell_invited(desk, number, "full", t("All seats are taken, and the game has begun."), now)
    for seat in desk.note.leaving:
        if seat in awaited_seats(desk):
            left = leave(desk, seat, now)[0]
            report.append(t("{name}: {names} leaves: {left}", name=desk.name, names=desk.names[seat], left=left))
    note_sent(desk, now)
    if strict and desk.terms.deadline:
        report += _time_out(desk, now, clock_is_right)
    if desk.match.state.end or desk.match.revealed:
        return [*report, *_end(desk, now)]
    waited = awaited_seats(desk)
    for seat in range(desk.match.table.seats):
        (_ask if seat in waited else _tell_news)(desk, seat, now)
    return report


def _time_out(desk: Desk, now: datetime, clock_is_right: Callable[[], bool]) -> list[Text]:
    """Time out the seats that got their mail and missed the deadline and its grace. The first round waits for
    everybody."""
    match = desk.match
    if not match.state.round or (rests(match.state) and not match.waiting):
        return []
    late = []
    for seat in awaited_seats(desk):
        found = times_of(desk, seat, now)
        if seat not in match.late and found and now >= found.over and not is_unsent(desk, seat):
            late.append(seat)
    if late:
        if not clock_is_right():
            return []
        time_out_seats(desk, late, now)
    return [t("{name}: {names} missed the deadline", name=desk.name, names=desk.names[seat]) for seat in late]


def _tell_news(desk: Desk, seat: int, now: datetime) -> None:
    """Tell a seat that is not asked how the game goes, if the host wants that (`tell = "all"`); and tell a seat that
    was just dropped, once, how to come back."""
    office, state = desk.office, desk.match.state
    round = state.round + 1
    out = [one.round + 1 for one in state.vacant if one.seat == seat and seat in late_seats(state)]
    if out and f"{desk.round_id(seat, out[0])}-out" not in office.written:
        what, round = "out", out[0]
    elif office.settings.tell == "all" and not office.written.intersection(
        f"{desk.round_id(seat, round)}-{one}" for one in ("turn", "news", "out")
    ):
        what = "news"
    else:
        return

    def write(reader: Reader) -> Body:
        return letters.turn(desk.opened(seat), reader, away=_absences(desk, now))

    post_seat(desk, seat, what, write, now, round=round)


def _ask(desk: Desk, seat: int, now: datetime) -> None:
    """Send the mail that asks a seat in the open round; then reminders before the deadline, and after it while an
    answer still counts."""
    round, found = desk.match.state.round + 1, times_of(desk, seat, now)
    name, again = asking_mail(desk, seat), False
    if name not in desk.office.written or (again := _is_outdated(desk, name, now)):
        write = partial(asking, desk, seat, now=now)
        post_seat(desk, seat, "turn", write, now, round=round, again=again)
        return
    late = found is not None and now >= found.due
    if found is None or now < found.reminder or (late and found.over == found.due and round > 1):
        return
    due, last = to_minute(found.due), to_minute(found.over) if late and round > 1 and now < found.over else ""

    def remind(reader: Reader) -> Body:
        return letters.reminder(desk.opened(seat), reader, due=due, late=late, last=last)

    post_seat(desk, seat, "reminder-2" if late else "reminder-1", remind, now, round=round)


def _is_outdated(desk: Desk, name: str, now: datetime) -> bool:
    """Whether a mail that still waits for a server states a deadline that no longer holds: it is later now. Where the
    host sends by hand nothing is changed, because the mail may be on its way."""
    office = desk.office
    waits = office.settings.send.kind != "files" and state_of(office, name) == "queued"
    return waits and bool(desk.terms.deadline) and now - written_at(office.find_mail(name), now) > OLD


def asking(desk: Desk, seat: int, reader: Reader, now: datetime) -> Body:
    """The mail that asks a seat for its answer to the open round, with its deadline."""
    found = times_of(desk, seat, now)
    due, times = to_minute(found.due) if found else "", (desk.terms.grace, bank_of(desk.match, seat))
    return letters.turn(desk.opened(seat), reader, due=due, times=times, away=_absences(desk, now))


def _absences(desk: Desk, now: datetime) -> list[str]:
    """A line for each player who is or was away since this table was opened."""
    rows = [(name, *absence(desk, desk.player_id(seat), now)) for seat, name in enumerate(desk.names)]
    return [f"{line}." for row in rows if (line := absence_in_words(*row))]


def _end(desk: Desk, now: datetime) -> list[Text]:
    """Write the transcript and the last mails."""
    desk.transcript = reveal(desk.match)
    for seat in range(desk.match.table.seats):
        write = partial(letters.game_over, desk.opened(seat), transcript=desk.transcript)
        post_seat(desk, seat, "over", write, now, round=desk.match.state.round)
    desk.change(end="over")
    return [t("{name}: the game is over", name=desk.name)]
