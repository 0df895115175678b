"""The host's side of the window: an office for games by mail, and games over files."""

import os
from datetime import UTC, datetime

import msgspec

from referee.app import w
from referee.language import Message
from referee.library import offices
from referee.library.sitting import Load
from referee.mail import office, status
from referee.show.text import clean


class House(msgspec.Struct, frozen=True):
    """What a host looks after, and what was just done."""

    title: str
    lines: tuple[str, ...]
    done: tuple[str, ...] = ()


def is_office(folder: str) -> bool:
    """Whether a folder is an office for games by mail."""
    return os.path.isfile(os.path.join(folder, office.SETTINGS))


def office_now(root: str, load: Load) -> House:
    """Where every table of an office stands."""
    with offices.opened(root, load) as found:
        return _house(status.status_of(found, datetime.now(UTC)), root)


def _house(found: status.Row, root: str, done: tuple[str, ...] = ()) -> House:
    return House(clean(found["office"]), tuple(map(clean, status.status_lines(found, root))), done)


def run_office(root: str, load: Load) -> House:
    """Take mails in, judge them, answer, act on deadlines that are over, send; what was done, and what is left."""
    told: list[str] = []

    def tell(message: Message) -> None:
        told.append(clean(str(message)))

    taken = offices.receive(root, [], datetime.now(UTC), tell, dry=False)
    done = offices.run_office(
        root, load, lambda: datetime.now(UTC), tell, whole=taken.trouble is None, named=False, dry=False
    )
    told += [f"{name[:6]} {one.folder}: {clean(str(one.told))}" for name, one in done.judged]
    told += [clean(str(line)) for line in done.told]
    troubles = [one for one in (taken.trouble, done.sent.trouble, *done.troubles) if one is not None]
    told += [clean(str(one.message)) for one in troubles]
    told.append(w("{new} mails in, {judged} judged, {sent} sent, {waiting} in outbox/.", new=taken.new,
                  judged=len(done.judged), sent=done.sent.sent, waiting=done.outbox))  # fmt: skip
    return msgspec.structs.replace(office_now(root, load), done=tuple(told))
