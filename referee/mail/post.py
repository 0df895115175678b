"""Mails on their way into the outbox. The same mail has the same id, and with the same clock the same bytes."""

from datetime import datetime

from msgspec import structs

from referee.errors import RefereeError
from referee.io.files import slug
from referee.language import as_text, runs
from referee.mail import t
from referee.mail.compose import Head, compose
from referee.mail.headers import Envelope
from referee.mail.letters import Body, Problem, Reader
from referee.mail.office import Office
from referee.mail.office_tables import Desk
from referee.mail.parts import Held
from referee.mail.passes import INVITATION, make_pass

LOCAL_MOST = 64


def round_id(desk: Desk, seat: int, round: int) -> str:
    """How the ids of all mails to a seat in a round begin: `be4f2750-r012-bert`."""
    return f"{desk.name}-r{round:03}-{slug(seat, desk.names)}"


def invitation_id(desk: Desk, number: int) -> str:
    return f"{desk.name}-i{number}"


def last_asked(desk: Desk, seat: int) -> int:
    """The newest round of which this seat got a mail that asks it; 0 if there is none."""
    return desk.office.asked.get((desk.name, slug(seat, desk.names)), 0)


# --- whom a mail is for ----------------------------------------------------------------------------------------------


def invited_reader(desk: Desk, number: int) -> Reader:
    """Somebody who was invited, with the pass of the invitation."""
    office, player = desk.office, desk.note.invitations[number - 1].player
    code = str(make_pass(office.key, desk.offer_id, number, INVITATION))
    return _reader(office, player, "", "kept", code)


def invited_names(desk: Desk) -> list[str]:
    """Everybody who was invited, as far as their names are known."""
    return [invited_reader(desk, number).name for number in range(1, len(desk.note.invitations) + 1)]


def seat_reader(desk: Desk, seat: int, round: int = 0) -> Reader:
    """A player in a seat. Only a kept seat gets a pass: that of this round, or of the newest that asks it."""
    office, kept = desk.office, desk.kept(seat)
    code = str(make_pass(office.key, desk.offer_id, seat + 1, round or last_asked(desk, seat))) if kept else ""
    way = "kept" if kept else "own"
    reader = _reader(office, desk.player_id(seat), desk.names[seat], way, code)
    return structs.replace(reader, claims=len(desk.note.claims))


def plain_reader(office: Office, player: str) -> Reader:
    """Somebody in the address book, whatever the game is."""
    return _reader(office, player, "", "kept", "")


def _reader(office: Office, player: str, name: str, way: str, code: str) -> Reader:
    known, settings = office.players[player], office.settings
    name = name or known.name or known.address.partition("@")[0]
    host = f"{settings.name} ({settings.address})"
    held = Held(known.held_turn, known.held_other, known.held_since, host) if known.held_since else None
    to = reply_address(office, code)
    return Reader(name, known.zone, way, code, to, settings.pictures, settings.aids, player, held)


def reply_address(office: Office, code: str) -> str:
    """Where answers go: with `plus` the pass is a part of the address."""
    address = office.settings.address
    local, _, domain = address.rpartition("@")
    with_pass = f"{local}+{code}"
    return f"{with_pass}@{domain}" if code and office.settings.plus and len(with_pass) <= LOCAL_MOST else address


# --- into the outbox -------------------------------------------------------------------------------------------------


def message_id(office: Office, name: str) -> str:
    return f"<{name}@{office.settings.address.rpartition('@')[2]}>"


def post(
    office: Office, name: str, to: str, reader: Reader, body: Body, now: datetime, *,
    thread: str = "", answers: Envelope | None = None,
) -> bool:  # fmt: skip
    """Write a mail to an address, unless it was written before. `thread` is the id of the mail that began it."""
    if name in office.written:
        return False
    root = message_id(office, thread) if thread and thread != name else ""
    before = answers.message_id if answers else ""
    head = Head(
        id=name,
        message_id=message_id(office, name),
        sender=office.settings.address,
        sender_name=office.settings.name,
        to=to,
        to_name=reader.name,
        reply_to=reader.reply_to or office.settings.address,
        subject=f"Re: {body.subject}" if answers and not body.subject.startswith("Re: ") else body.subject,
        date=now,
        in_reply_to=before or root,
        references=tuple(dict.fromkeys(filter(None, (root, before)))),
    )
    office.add_mail(name, compose(head, body))
    if reader.held:  # the mail says so
        office.change_player(reader.player, held_turn=0, held_other=0, held_since="")
    return True


def post_seat(
    desk: Desk, seat: int, what: str, body: Body, now: datetime, *, round: int, answers: Envelope | None = None
) -> bool:
    """A mail to a seat, in the thread of its game; `round` is the one that it is about."""
    name = f"{round_id(desk, seat, round)}-{what}"
    thread = f"{invitation_id(desk, desk.joined[seat])}-invitation"
    reader = seat_reader(desk, seat, round if what == "turn" else 0)
    to = desk.address(desk.joined[seat])
    return post(desk.office, name, to, reader, body, now, thread=thread, answers=answers)


def problem_of(error: RefereeError, line: str = "") -> Problem:
    """What is wrong, for somebody who has a mail and no command line."""
    next = error.next
    if not next or any(runs(next)) or "--" in as_text(next).message:
        next = t("choose one of the answers that are listed")
    return Problem(line, error.message, next)
