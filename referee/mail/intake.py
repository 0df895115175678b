"""Mails that come in: each is kept as it came, durably, before its source is told. It needs no more of an office than
its folders, so that a mail filter never waits for a long run."""

import contextlib
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from referee.errors import FileTrouble, MailTrouble
from referee.io import files
from referee.mail import t
from referee.mail.fetch import Fetched
from referee.mail.message import MESSAGE_MOST

CAME = ("in", "archive", "quarantine")
"""Where a mail that came can be: it goes from the first to one of the others."""
LOCKED = "players.json"
"""Beside it lies the lock of those who bring mails; runs have another."""

_RAW = re.compile(r"([0-9]{6,})-([0-9a-f]{32})\.eml")


class Intake:
    """The way into an office. Its lock is held."""

    def __init__(self, root: str) -> None:
        self.root = root
        # In this order: a run may be moving mails from the first folder to the others.
        came = [found for folder in CAME for found in map(_RAW.fullmatch, names(os.path.join(root, folder))) if found]
        self._known = {found[2] for found in came}
        self._last = max((int(found[1]) for found in came), default=0)

    def keep(self, raw: bytes, came: datetime) -> bool:
        """Keep a mail, durably, and when it arrived; False if it is here already."""
        digest = hashlib.sha256(raw).hexdigest()[:32]
        if digest in self._known:
            return False
        path = os.path.join(self.root, CAME[0], f"{self._last + 1:06}-{digest}.eml")
        files.write({path: raw}, secret=[path])
        os.utime(path, (came.timestamp(), came.timestamp()))
        self._known.add(digest)
        self._last += 1
        return True


@contextlib.contextmanager
def opened(root: str) -> Iterator[Intake]:
    """Hold the way in, and take away what a kill left of mails that were not all there yet."""
    folder = os.path.join(root, CAME[0])
    with files.locked(os.path.join(root, LOCKED)):
        try:
            for name in os.listdir(folder):
                if name.startswith(".") and name.endswith(".tmp"):
                    os.unlink(os.path.join(folder, name))
        except OSError as error:
            raise FileTrouble(
                t("{folder} cannot be used: {error}", folder=files.printable(folder), error=files.reason(error)),
                t("check the office's folder"),
            ) from None
        yield Intake(root)


def take_in(root: str, source: Iterable[Fetched], now: datetime) -> tuple[int, int, MailTrouble | None]:
    """Keep what comes; returns how many were new, how many were not, and what went wrong at the source. A mail arrived
    when its source says so, else `now`."""
    new = known = 0
    with opened(root) as intake:
        try:
            for mail in source:
                # What is larger is not read any further: kept is what can be judged.
                is_new = intake.keep(mail.raw[: MESSAGE_MOST + 1], min(mail.came or now, now))
                new, known = new + is_new, known + (not is_new)
                mail.done()
        except MailTrouble as trouble:
            return new, known, trouble
    return new, known, None


def arrival(path: str) -> datetime:
    """When a mail arrived, as far as its file tells."""
    return datetime.fromtimestamp(os.stat(path).st_mtime, UTC)


def names(folder: str) -> list[str]:
    """The mails in a folder, in order."""
    return sorted(name for name in os.listdir(folder) if name.endswith(".eml") and not name.startswith("."))


def digest_of(name: str) -> str:
    """The digest in the name of a mail that came."""
    found = _RAW.fullmatch(name)
    return found[2] if found else hashlib.sha256(name.encode()).hexdigest()[:32]
