"""Catching up: what should exist by now is compared with what does, and whatever is missing is made. The second time
there is nothing to do."""

from datetime import datetime, timedelta

from referee.engine.host import reveal
from referee.engine.rounds import asked
from referee.engine.seats import late_seats, rests
from referee.errors import RefereeError
from referee.io.desk import bank_of
from referee.io.times import read_time
from referee.language import Text, speaking
from referee.mail import letters, t, w
from referee.mail.absence import absences
from referee.mail.case import nobody
from referee.mail.deadlines import Times, spelled
from referee.mail.letters import Body, Reader
from referee.mail.lobby import start_game
from referee.mail.office import Office
from referee.mail.office_tables import Desk
from referee.mail.play import pass_over
from referee.mail.post import invitation_id, invited_names, invited_reader, post, post_seat, round_id, seat_reader
from referee.mail.sayings import leave
from referee.mail.waiting import awaited, note_handed, times_of, unsent


class TableTrouble(RefereeError):
    """What is wrong with one table."""

    def __init__(self, table: str, error: RefereeError) -> None:
        super().__init__(t("table {name}: {message}", name=table, message=error.message), error.next, code=error.code)
        self.table, self.exit = table, error.exit


def catch_up(office: Office, now: datetime, *, strict: bool = True) -> tuple[list[Text], list[TableTrouble]]:
    """Bring every table up to date; returns what the host is told, and what is wrong with tables that are damaged, or
    played by other rules. Nobody is timed out unless `strict`: without the newest mails it is not known who has
    answered."""
    told: list[Text] = []
    troubles: list[TableTrouble] = []
    for desk in list(office.desks.values()):
        try:
            if not desk.note.end and not desk.note.game:
                told += _lobby(desk, now)
            if desk.runs:
                told += _game(desk, now, strict)
        except RefereeError as error:
            troubles.append(TableTrouble(desk.name, error))
    return told, troubles


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
    """The invitation; and once more where there are deadlines and one has passed."""
    office = desk.office
    about, reader = invitation_id(desk, number), invited_reader(desk, number)
    first = f"{about}-invitation"
    name = first
    if first in office.written:
        deadline = desk.terms.deadline
        if not deadline or now < read_time(desk.note.made) + timedelta(minutes=deadline):
            return
        name = f"{about}-reminder-1"
    if name not in office.written:
        with speaking(_language(desk, number)):
            body = letters.invitation(desk.offer, reader, invited_names(desk), office.settings.name)
        post(office, name, desk.address(number), reader, body, now, thread=first)


def _tell_left_out(desk: Desk, now: datetime) -> None:
    """More were invited than there are seats."""
    for number, one in enumerate(desk.note.invitations, 1):
        if one.state == "open":
            desk.change_invitation(number, state="withdrawn")
            _tell_invited(desk, number, "full", t("All seats are taken by now: the game has begun."), now)


def _tell_invited(desk: Desk, number: int, what: str, line: Text, now: datetime) -> None:
    about, reader = invitation_id(desk, number), invited_reader(desk, number)
    if f"{about}-invitation" in desk.office.written:
        with speaking(_language(desk, number)):
            body = letters.told(reader, (line,), w("{table}: your invitation", table=desk.name))
        post(desk.office, f"{about}-{what}", desk.address(number), reader, body, now, thread=f"{about}-invitation")


def _language(desk: Desk, number: int) -> str:
    return desk.office.language(desk.note.invitations[number - 1].player)


# --- a game ----------------------------------------------------------------------------------------------------------


def _game(desk: Desk, now: datetime, strict: bool) -> list[Text]:
    told = []
    _tell_left_out(desk, now)
    for seat in desk.note.leaving:
        if seat in asked(desk.match.state) and seat not in desk.match.waiting:
            left = leave(nobody(desk.office, now), desk, seat)[0]
            told.append(t("{name}: {names} leaves: {left}", name=desk.name, names=desk.names[seat], left=left))
    note_handed(desk, now)
    if strict and desk.terms.deadline:
        told += _pass_over(desk, now)
    if desk.match.state.end or desk.match.revealed:
        return [*told, *_end(desk, now)]
    _ask(desk, now)
    return told


def _pass_over(desk: Desk, now: datetime) -> list[Text]:
    """Who had the mail and let the deadline pass, with its grace. The first round waits for everybody."""
    match = desk.match
    if not match.state.round or (rests(match.state) and not match.waiting):
        return []
    late = [seat for seat in awaited(desk) if seat not in match.late and _is_over(desk, seat, now)]
    if late:
        pass_over(desk, late, now)
    return [t("{name}: {names} has missed the deadline", name=desk.name, names=desk.names[seat]) for seat in late]


def _is_over(desk: Desk, seat: int, now: datetime) -> bool:
    found = times_of(desk, seat, now)
    return found is not None and now >= found.over and not unsent(desk, seat)


def _ask(desk: Desk, now: datetime) -> None:
    """The turn mails of the open round, and reminders. With `tell = "all"` the others are told what happened."""
    waited = awaited(desk)
    for seat in range(desk.match.table.seats):
        with speaking(desk.language(seat)):
            (_ask_seat if seat in waited else _tell_news)(desk, seat, now)


def _tell_news(desk: Desk, seat: int, now: datetime) -> None:
    """How the game goes, for those who want to know; and once for whoever has just gone out, with how to come back."""
    office, state = desk.office, desk.match.state
    round = state.round + 1
    out = [one.round + 1 for one in state.vacant if one.seat == seat and seat in late_seats(state)]
    if out and f"{round_id(desk, seat, out[0])}-out" not in office.written:
        what, round = "out", out[0]
    elif office.settings.tell == "all" and not office.written.intersection(
        f"{round_id(desk, seat, round)}-{one}" for one in ("turn", "news", "out")
    ):
        what = "news"
    else:
        return
    body = letters.turn(desk.opened(seat), seat_reader(desk, seat), away=absences(desk, now))
    post_seat(desk, seat, what, body, now, round=round)


def _ask_seat(desk: Desk, seat: int, now: datetime) -> None:
    round, found = desk.match.state.round + 1, times_of(desk, seat, now)
    if f"{round_id(desk, seat, round)}-turn" not in desk.office.written:
        body = asking(desk, seat, seat_reader(desk, seat, round), now)
        post_seat(desk, seat, "turn", body, now, round=round)
    elif found:
        _remind(desk, seat, round, found, now)


def asking(desk: Desk, seat: int, reader: Reader, now: datetime) -> Body:
    """What asks a seat for its answer to the open round, with its deadline."""
    found = times_of(desk, seat, now)
    due, away = spelled(found.due) if found else "", absences(desk, now)
    times = (desk.terms.grace, bank_of(desk.match, seat))
    return letters.turn(desk.opened(seat), reader, due=due, times=times, away=away)


def _remind(desk: Desk, seat: int, round: int, found: Times, now: datetime) -> None:
    """Before the deadline, and once it has passed, if there is some time left."""
    late = now >= found.due
    if now < found.reminder or (late and found.over == found.due and round > 1):
        return
    what = "reminder-2" if late else "reminder-1"
    if f"{round_id(desk, seat, round)}-{what}" not in desk.office.written:
        due, last = spelled(found.due), spelled(found.over) if late and round > 1 and now < found.over else ""
        body = letters.reminder(desk.opened(seat), seat_reader(desk, seat), due=due, late=late, last=last)
        post_seat(desk, seat, what, body, now, round=round)


def _end(desk: Desk, now: datetime) -> list[Text]:
    """The transcript, and the last mails."""
    desk.transcript = reveal(desk.match)
    for seat in range(desk.match.table.seats):
        with speaking(desk.language(seat)):
            body = letters.over(desk.opened(seat), seat_reader(desk, seat), desk.transcript)
        post_seat(desk, seat, "over", body, now, round=desk.match.state.round)
    desk.change(end="over")
    return [t("{name}: the game is over", name=desk.name)]
