"""Mails on their way into the outbox. The same mail has the same id, and with the same clock the same bytes."""

from collections.abc import Callable
from datetime import datetime

from msgspec import structs

from referee.language import speaking
from referee.mail import letters
from referee.mail.body import Body, Held, Reader
from referee.mail.compose import Head, compose
from referee.mail.headers import Headers
from referee.mail.office import Office
from referee.mail.office_tables import Desk
from referee.mail.passes import INVITATION, make_pass

LOCAL_MOST = 64

Writing = Callable[[Reader], Body]
"""Says something to a reader, in the reader's language."""


# --- whom a mail is for ----------------------------------------------------------------------------------------------


def invited_reader(desk: Desk, number: int) -> Reader:
    """Somebody who was invited, with the pass of the invitation."""
    code = str(make_pass(desk.office.key, desk.offer_id, number, INVITATION))
    reader = plain_reader(desk.office, desk.note.invitations[number - 1].player, code)
    return structs.replace(reader, address=desk.address(number))


def seat_reader(desk: Desk, seat: int, round: int = 0) -> Reader:
    """A player in a seat. Only a kept seat gets a pass: that of this round, or of the newest that asks it."""
    office, kept = desk.office, desk.kept(seat)
    code = str(make_pass(office.key, desk.offer_id, seat + 1, round or desk.last_asked(seat))) if kept else ""
    return structs.replace(
        plain_reader(office, desk.player_id(seat), code),
        name=desk.names[seat],
        way="kept" if kept else "own",
        address=desk.address(desk.joined[seat]),
        claims=len(desk.note.claims),
    )


def plain_reader(office: Office, player: str, pass_: str = "") -> Reader:
    """Somebody in the address book, whatever the game is. With `plus` the pass is a part of the address for answers."""
    known, settings = office.players[player], office.settings
    local, _, domain = settings.address.rpartition("@")
    plus = pass_ and settings.plus and len(f"{local}+{pass_}") <= LOCAL_MOST
    host = f"{settings.name} ({settings.address})"
    return Reader(
        known.name or known.address.partition("@")[0],
        known.zone,
        way="kept",
        pass_=pass_,
        reply_to=f"{local}+{pass_}@{domain}" if plus else settings.address,
        pictures=settings.pictures,
        aids=settings.aids,
        player=player,
        address=known.address,
        held=Held(known.held_turn, known.held_other, known.held_since, host) if known.held_since else None,
    )


# --- into the outbox -------------------------------------------------------------------------------------------------


def post(
    office: Office, name: str, reader: Reader, write: Writing, now: datetime, *,
    thread: str = "", answers: Headers | None = None,
) -> bool:  # fmt: skip
    """Write a mail, unless it was written before. `thread` is the id of the mail that began it."""
    if name in office.written:
        return False
    with speaking(office.language(reader.player)):
        body = write(reader)
    settings = office.settings
    domain = settings.address.rpartition("@")[2]
    root = f"<{thread}@{domain}>" if thread and thread != name else ""
    before = answers.message_id if answers else ""
    head = Head(
        id=name,
        message_id=f"<{name}@{domain}>",
        sender=settings.address,
        sender_name=settings.name,
        to=reader.address,
        to_name=reader.name,
        reply_to=reader.reply_to,
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
    desk: Desk, seat: int, what: str, write: Writing, now: datetime, *, round: int, answers: Headers | None = None
) -> bool:
    """A mail to a seat, in the thread of its game; `round` is the one that it is about."""
    reader = seat_reader(desk, seat, round if what == "turn" else 0)
    thread = f"{desk.invitation_id(desk.joined[seat])}-invitation"
    return post(desk.office, f"{desk.round_id(seat, round)}-{what}", reader, write, now, thread=thread, answers=answers)


def post_invited(
    desk: Desk, number: int, what: str, write: Writing, now: datetime, *, answers: Headers | None = None
) -> bool:
    """A mail to somebody who was invited."""
    name, thread = (f"{desk.invitation_id(number)}-{one}" for one in (what, "invitation"))
    return post(desk.office, name, invited_reader(desk, number), write, now, thread=thread, answers=answers)


def inviting(desk: Desk) -> Writing:
    """What invites somebody to a table. It names everybody who is invited, as far as names are known."""
    names = [plain_reader(desk.office, one.player).name for one in desk.note.invitations]
    return lambda reader: letters.invitation(desk.offer, reader, names, desk.office.settings.name)
