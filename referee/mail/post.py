"""Writing mails to the outbox, and how often mails are answered. The same mail always has the same id, and at the same
time the same bytes."""

from collections.abc import Callable
from datetime import datetime
from typing import Literal

import msgspec
from msgspec import structs

from referee.language import Text, speaking
from referee.mail import Saying, letters
from referee.mail.body import Body, HeldMails, Reader
from referee.mail.compose import Head, compose
from referee.mail.deadlines import to_minute
from referee.mail.delivery import message_id
from referee.mail.headers import Headers
from referee.mail.office import Office
from referee.mail.office_tables import Desk
from referee.mail.passes import INVITATION, make_pass

LOCAL_MOST = 64

Writing = Callable[[Reader], Body]
"""Makes a mail for a reader, in the current language."""


# --- readers ---------------------------------------------------------------------------------------------------------


def invited_reader(desk: Desk, number: int) -> Reader:
    """An invited player, with the pass of the invitation."""
    code = str(make_pass(desk.office.key, desk.offer_id, number, INVITATION))
    reader = plain_reader(desk.office, desk.note.invitations[number - 1].player, code)
    return structs.replace(reader, address=desk.address(number))


def seat_reader(desk: Desk, seat: int, round: int = 0) -> Reader:
    """A player in a seat. Only a kept seat gets a pass: that of this round, or of the newest round that asks it."""
    office, kept = desk.office, desk.kept(seat)
    code = str(make_pass(office.key, desk.offer_id, seat + 1, round or desk.last_asked(seat))) if kept else ""
    return structs.replace(
        plain_reader(office, desk.player_id(seat), code),
        name=desk.names[seat],
        way="kept" if kept else desk.note.invitations[desk.joined[seat] - 1].way or "own",
        address=desk.address(desk.joined[seat]),
        claims=len(desk.note.claims),
    )


def plain_reader(office: Office, player: str, pass_: str = "") -> Reader:
    """A player in the address book, whatever the game. With `plus` the pass is part of the address for answers."""
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
        page=settings.player_page,
        player=player,
        address=known.address,
        held=HeldMails(known.held_turn, known.held_other, known.held_since, host) if known.held_since else None,
    )


# --- into the outbox -------------------------------------------------------------------------------------------------


def post(
    office: Office, name: str, reader: Reader, write: Writing, now: datetime, *,
    thread: str = "", answers: Headers | None = None, again: bool = False,
) -> bool:  # fmt: skip
    """Write a mail, unless it was written before and is not wanted `again`. `thread` is the id of the mail that began
    the thread."""
    if name in office.written and not again:
        return False
    with speaking(office.language(reader.player)):
        body = write(reader)
    settings = office.settings
    root = message_id(office, thread) if thread and thread != name else ""
    before = answers.message_id if answers else ""
    head = Head(
        id=name,
        message_id=message_id(office, name),
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
    if reader.held:  # the mail tells the reader
        office.change_player(reader.player, held_turn=0, held_other=0, held_since="")
    return True


def post_seat(
    desk: Desk, seat: int, what: str, write: Writing, now: datetime, *,
    round: int, answers: Headers | None = None, again: bool = False,
) -> bool:  # fmt: skip
    """Write a mail to a seat, in the thread of its game; `round` is the one it is about."""
    reader = seat_reader(desk, seat, round if what == "turn" else 0)
    name, thread = f"{desk.round_id(seat, round)}-{what}", f"{desk.invitation_id(desk.joined[seat])}-invitation"
    return post(desk.office, name, reader, write, now, thread=thread, answers=answers, again=again)


def post_invited(
    desk: Desk, number: int, what: str, write: Writing, now: datetime, *, answers: Headers | None = None
) -> bool:
    """Write a mail to an invited player."""
    name, thread = (f"{desk.invitation_id(number)}-{one}" for one in (what, "invitation"))
    return post(desk.office, name, invited_reader(desk, number), write, now, thread=thread, answers=answers)


def short(about: str, what: Text, lines: Saying) -> Writing:
    """A short mail; its subject is the table or office, and `what` it is about."""
    return lambda reader: letters.notice(reader, lines, f"{about}: {what}")


def inviting(desk: Desk) -> Writing:
    """An invitation to a table. It names everybody who is invited, as far as names are known."""
    names = [plain_reader(desk.office, one.player).name for one in desk.note.invitations]
    return lambda reader: letters.invitation(desk.offer, reader, names, desk.office.settings.name)


# --- how often mails are answered ------------------------------------------------------------------------------------
#
# Anybody can send a mail that we answer, and every answer goes to the player. So the number of answers a day depends on
# what in the mail speaks for the player. Nobody can use up the answers to the pass of the newest turn without having
# that pass; and a move that is taken is always answered, because each question takes only one.

Kind = Literal["taken", "turn", "signed", "old", "copy", "sender", "moved"]
"""`taken`: a move that counts from now on. `turn`: the pass of the newest turn or of an open invitation. `signed`: what
a player signed for the open round. `old`: any other pass. `copy`: what anybody can copy from a view. `sender`: the
player's address, and nothing else. `moved`: a notice to the old address after a change of address."""
OLD_EACH, OLD_MOST = 3, 12
"""Answers a day to one old pass, and to all old passes of a player."""
SIGNED_EACH = 3
"""Answers a day to one signed document: from the second time on it may come from others."""
ANYBODY_MOST = 2
"""Answers a day to each kind of mail that needs no secret at all."""
MOVED_MOST = 3
"""How often a day an address at a table can be changed: each time the old one, which may be anybody's, gets a mail."""
TURNS_MOST = 5
"""All newest passes of a player together get this many times the answers of one pass."""


class Ground(msgspec.Struct, frozen=True):
    """What in a mail speaks for a player: its kind, and which pass (without its code) or document it is."""

    kind: Kind
    what: str = ""


def may_answer(office: Office, player: str, ground: Ground, now: datetime) -> bool:
    """Whether to answer one more mail of this player today. The mail is counted as answered or as held back."""
    if ground.kind == "taken":
        return True
    known, day, name = office.players[player], now.strftime("%Y-%m-%d"), f"{ground.kind} {ground.what}"
    answered = known.answered if known.day == day else {}
    usual = office.settings.answers_per_day
    each, most = {
        "turn": (usual, TURNS_MOST * usual),
        "signed": (SIGNED_EACH, usual),
        "old": (OLD_EACH, OLD_MOST),
        "moved": (MOVED_MOST, TURNS_MOST * MOVED_MOST),
    }.get(ground.kind, (ANYBODY_MOST, ANYBODY_MOST))
    together = sum(count for one, count in answered.items() if one.startswith(f"{ground.kind} "))
    if answered.get(name, 0) >= each or together >= most:
        if ground.kind == "moved":  # the mail that asks for it is answered on a ground of its own
            return False
        held = "held_turn" if ground.kind == "turn" else "held_other"
        since = known.held_since or to_minute(now)
        office.change_player(player, held_since=since, **{held: getattr(known, held) + 1})
        return False
    office.change_player(player, day=day, answered={**answered, name: answered.get(name, 0) + 1})
    return True
