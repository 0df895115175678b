"""What became of every mail of ours. Where a mail lies says whether it has left; a record says since when, how often it
was tried in vain, and whether it came back."""

import hmac
import os
import re
from base64 import b32encode
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import structs

from referee.crypto.codec import derive
from referee.engine import records as r
from referee.engine.rounds import asked
from referee.io import files
from referee.io.times import after, read_time
from referee.mail.compose import readdressed

if TYPE_CHECKING:
    from referee.mail.office import Office
    from referee.mail.office_tables import Desk

OUT = ("outbox", os.path.join("outbox", "failed"), "sent")
"""The folders in which a mail of ours can be."""
State = Literal["queued", "handed", "unknown", "refused", "bounced", "answered"]
"""`queued`: no server has taken it yet. `handed`: one has. `unknown`: one got all of it and never said whether it took
it. `refused`: no server will take it. `bounced`: it came back. `answered`: its player has answered."""
Failure = Literal["refused", "later", "account", "dropped", "unknown"]
"""Why a mail was not taken: for good; for now; because nobody lets this account send; because the connection broke
before the whole mail was sent, or after it."""
FIRST_WAIT, LAST_WAIT = timedelta(minutes=10), timedelta(hours=4)
"""How long a mail waits after it was tried in vain: each time twice as long as before."""
GIVE_UP, TRIES_LEAST = timedelta(days=5), 10
"""After how long, and after how many tries, a mail that no server takes counts as refused."""
COPIES_MOST = 4
"""How often a mail is sent to a server that never says whether it took it: each may have arrived."""


class Delivery(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is known about the delivery of a mail."""

    tries: int = 0
    """How often it was tried in vain."""
    first: r.Due = ""
    """When that happened first."""
    again: r.Due = ""
    """It is not tried again before then."""
    why: str = ""
    """What a server said last."""
    copies: int = 0
    """How often a server got all of it without saying that it took it."""
    unknown: r.Due = ""
    """When that happened first."""
    handed: r.Due = ""
    """When a server took it."""
    before: r.Due = ""
    """When a server took it first, if the host has it sent once more."""
    bounced: r.Due = ""
    """When it came back."""
    stopped: bool = False
    """Whether it has come back before: that stops the clock once."""


NOTHING = Delivery()


def message_id(office: "Office", name: str) -> str:
    """The Message-ID of a mail of ours. Only whoever has the mail knows it, because it has a secret part: a report that
    the mail could not be delivered is believed if it names this id."""
    return f"<{name}.{_secret(office, name)}@{office.settings.address.rpartition('@')[2]}>"


def mail_of(office: "Office", message_id: str) -> str:
    """Which mail of ours has this Message-ID (without its domain); empty if none has."""
    name, _, secret = message_id.rpartition(".")
    known = name in office.written and hmac.compare_digest(secret.encode(), _secret(office, name).encode())
    return name if known else ""


def _secret(office: "Office", name: str) -> str:
    return b32encode(derive(office.key.seed, "message-id", name)[:10]).decode().lower()


# --- the state of a mail ---------------------------------------------------------------------------------------------


def folder_of(office: "Office", name: str) -> str:
    """Where a mail lies; empty if it is nowhere."""
    if name in office.mails:
        return OUT[0]
    return next((folder for folder in OUT if os.path.exists(office.path(folder, f"{name}.eml"))), "")


def state_of(office: "Office", name: str) -> State:
    """What became of a mail."""
    record, folder = office.deliveries.get(name, NOTHING), folder_of(office, name)
    if folder == "sent":
        return "bounced" if record.bounced else "handed"
    if record.unknown:
        return "unknown"
    return "refused" if folder == OUT[1] else "queued"


def asking_mail(desk: "Desk", seat: int) -> str:
    """The id of the mail that asks a seat in the open round."""
    return f"{desk.round_id(seat, desk.match.state.round + 1)}-turn"


def asked_by(office: "Office", name: str) -> "tuple[Desk, int] | None":
    """The seat that is asked in the open round by this mail."""
    desk = office.desks.get(name[:8])
    if desk is None or not desk.runs or not name.endswith("-turn"):
        return None
    return next(((desk, seat) for seat in asked(desk.match.state) if asking_mail(desk, seat) == name), None)


def invites(office: "Office", name: str) -> int:
    """The number of the invitation that this mail brings, if it still waits for its answer; else 0."""
    desk = office.desks.get(name[:8])
    if desk is None or desk.note.game or desk.note.end:
        return 0
    numbers = [number for number, one in enumerate(desk.note.invitations, 1) if one.state == "open"]
    return next((number for number in numbers if name == f"{desk.invitation_id(number)}-invitation"), 0)


def forget_old(office: "Office") -> None:
    """Forget what is known about mails that have left and whose answer nobody waits for any more."""
    kept = {
        name: one
        for name, one in office.deliveries.items()
        if folder_of(office, name) in OUT[:2] or asked_by(office, name) or invites(office, name)
    }
    if kept != office.deliveries:
        office.deliveries = kept


# --- what happens to it ----------------------------------------------------------------------------------------------


def is_due(record: Delivery, now: datetime) -> bool:
    """Whether to try a mail now. A wait that no rule gives comes from a clock that was wrong."""
    return not record.again or not now < read_time(record.again) <= now + LAST_WAIT + timedelta(minutes=1)


def tried_in_vain(record: Delivery, failure: Failure, why: str, now: datetime) -> Delivery:
    """What is known after a server did not take a mail."""
    tries, unknown = record.tries + 1, failure == "unknown"
    wait = min(LAST_WAIT, FIRST_WAIT * 2 ** min(tries - 1, 10))
    return structs.replace(
        record,
        tries=tries,
        first=record.first or after(now, 0),
        again=after(now + wait, 0),
        why=why,
        copies=record.copies + unknown,
        unknown=record.unknown or (after(now, 0) if unknown else ""),
    )


def is_given_up(record: Delivery, failure: Failure, now: datetime) -> bool:
    """Whether a mail is not tried again by itself."""
    long = record.tries >= TRIES_LEAST and now >= read_time(record.first) + GIVE_UP
    return failure == "refused" or record.copies >= COPIES_MOST or long


def taken(record: Delivery, now: datetime) -> Delivery:
    """What is known after a server took a mail."""
    return Delivery(handed=after(now, 0), before=record.before, stopped=record.stopped)


def came_back(office: "Office", name: str, why: str, now: datetime) -> None:
    """Note that a mail came back. Its recipient can write such a report too, so it stops the clock once a round."""
    known, folder = office.deliveries.get(name, NOTHING), folder_of(office, name)
    if known.bounced or folder == OUT[1] or not (known.unknown or folder == OUT[2]):
        return
    if folder == OUT[0]:  # nobody knew whether a server took it: one did
        office.moves.append((os.path.join(folder, f"{name}.eml"), os.path.join(OUT[2], f"{name}.eml")))
    handed = known.handed or known.unknown
    office.note_delivery(name, structs.replace(known, handed=handed, bounced=after(now, 0), why=why))


def send_again(office: "Office") -> int:
    """Let every mail be tried at once that was set aside, was refused, or came back, and send it to the address that
    its player has now. Returns how many there are."""
    known = office.deliveries
    names = [
        *(name for name in _names(office, OUT[0]) if known.get(name, NOTHING).again),
        *_names(office, OUT[1]),
        *(name for name, one in known.items() if one.bounced and folder_of(office, name) == OUT[2]),
    ]
    for name in names:
        one, folder, file = known.get(name, NOTHING), folder_of(office, name), f"{name}.eml"
        if to := _address(office, name):
            office.extra[os.path.join(folder, file)] = readdressed(office.find_mail(name), to)
        if folder != OUT[0]:
            office.moves.append((os.path.join(folder, file), os.path.join(OUT[0], file)))
        stopped = one.stopped or bool(one.bounced)
        office.note_delivery(name, Delivery(before=one.before or one.handed, unknown=one.unknown, stopped=stopped))
    return len(names)


def _names(office: "Office", folder: str) -> list[str]:
    return [name.removesuffix(".eml") for name in office.names(folder)]


def _address(office: "Office", name: str) -> str:
    """Where a mail about a table goes now; empty if that cannot be told from its id."""
    desk = office.desks.get(name[:8])
    if desk is None:
        return ""
    for number in range(1, len(desk.note.invitations) + 1):
        if name.startswith(f"{desk.invitation_id(number)}-"):
            return desk.address(number)
    for seat, number in enumerate(desk.joined if desk.note.game else ()):
        if re.match(rf"{name[:8]}-r[0-9]+-{re.escape(files.slug(seat, desk.names))}-", name):
            return desk.address(number)
    return ""
