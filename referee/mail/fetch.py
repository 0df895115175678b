"""Incoming mails, from any source: each is stored durably as it came, and only then marked as done at its source.
Storing them needs only the folders of an office, so a mail filter never waits for a long run."""

import contextlib
import errno
import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

import msgspec
from msgspec import structs

from referee.errors import FileTrouble, MailTrouble, RefereeError, Usage
from referee.io import files
from referee.language import Figures, Text, run
from referee.mail import t
from referee.mail.message import MESSAGE_MOST, mails_in_box
from referee.mail.servers import NoMailbox, explaining_errors, imap, printable_reply
from referee.mail.settings import Fetch, Settings

if TYPE_CHECKING:
    from imap_tools.mailbox import BaseMailBox

Note = Callable[[Text], None]
"""Called with what was skipped, and why."""
MBOX_MOST = 1_000_000_000
SIZES_AT_ONCE = 200
CAME = ("in", "archive", "quarantine")
"""Where an incoming mail can be: it moves from the first folder to one of the others."""
PLACE = "mailbox.json"
"""How far the IMAP folder has been read."""
TAKEN = "maildir.json"
"""The names of the mails in the Maildir that were taken in, without their flags."""
MADE = "host.key"
"""As old as the office."""
LOCKED = "players.json"
"""The lock of whoever brings mails is next to this file; runs have another one."""

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_RAW = re.compile(r"([0-9]{6,})-([0-9a-f]{32})\.eml")


class Fetched(msgspec.Struct, frozen=True):
    """A mail as it came. `done` marks it as done at its source: call it only after the mail is stored."""

    raw: bytes
    done: Callable[[], None] = lambda: None
    """The default is for sources that are never changed: the office knows which mails it has."""
    came: datetime | None = None
    """When it arrived, if the source knows."""


def fetch(settings: Settings, note: Note, root: str) -> Iterator[Fetched]:
    """All new mails at the source that the settings of the office `root` name. The source stays open until the last one
    is read."""
    source = settings.fetch
    if source.kind == "imap":
        yield from _imap(source, note, root)
    elif source.kind != "none":
        yield from _READ[source.kind](source.path, note, root)


def read_eml(paths: Iterable[str], note: Note) -> Iterator[Fetched]:
    """The mails in these files, mbox files, folders of .eml files and Maildirs. Only a Maildir is changed."""
    for path in paths:
        if os.path.isdir(path):
            inbox = os.path.isdir(os.path.join(path, "new")) and os.path.isdir(os.path.join(path, "cur"))
            yield from (_maildir if inbox else _folder)(path, note)
        elif os.path.isfile(path) and _is_box(path):
            yield from _mbox(path, note)
        else:
            yield Fetched(files.read(path, MESSAGE_MOST, "mail"))


def _is_box(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(5) == b"From "


# --- keeping ----------------------------------------------------------------------------------------------------------


def store_incoming(root: str, source: Iterable[Fetched], now: datetime) -> tuple[int, int, MailTrouble | None]:
    """Store incoming mails durably. Returns how many were new, how many were not, and what went wrong at the source. A
    mail arrived when its source says so, else `now`."""
    new = known = 0
    with files.locked(os.path.join(root, LOCKED)):
        _clear(os.path.join(root, CAME[0]))
        # In this order: a run may be moving mails from the first folder to the others.
        came = [found for folder in CAME for found in map(_RAW.fullmatch, names(os.path.join(root, folder))) if found]
        here, last = {found[2] for found in came}, max((int(found[1]) for found in came), default=0)
        try:
            for mail in source:
                # A larger mail is cut: only so much of it is ever read.
                raw = mail.raw[: MESSAGE_MOST + 1]
                digest = _digest(raw)
                if digest in here:
                    known += 1
                else:
                    new += 1
                    path = os.path.join(root, CAME[0], f"{last + new:06}-{digest}.eml")
                    arrived = min(mail.came or now, now).timestamp()
                    files.write({path: raw}, secret=[path])
                    os.utime(path, (arrived, arrived))
                    here.add(digest)
                mail.done()
        except MailTrouble as trouble:
            return new, known, trouble
    return new, known, None


def _clear(folder: str) -> None:
    """Remove what a kill left of incomplete mails."""
    try:
        for name in os.listdir(folder):
            if name.startswith(".") and name.endswith(".tmp"):
                os.unlink(os.path.join(folder, name))
    except OSError as error:
        why = t("{folder} cannot be used: {error}", folder=files.printable(folder), error=files.reason(error))
        raise FileTrouble(why, t("check the office's folder")) from None


def arrival(path: str) -> datetime:
    """When a mail arrived, according to its file."""
    return datetime.fromtimestamp(os.stat(path).st_mtime, UTC)


def names(folder: str) -> list[str]:
    """The mails in a folder, in order."""
    return sorted(name for name in os.listdir(folder) if name.endswith(".eml") and not name.startswith("."))


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:32]


def digest_of(name: str) -> str:
    """The digest in the name of an incoming mail."""
    found = _RAW.fullmatch(name)
    return found[2] if found else hashlib.sha256(name.encode()).hexdigest()[:32]


# --- files ------------------------------------------------------------------------------------------------------------


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError as error:
        why = t("{folder} cannot be read: {error}", folder=files.printable(folder), error=files.reason(error))
        raise NoMailbox(why, t("check `path` in mail.toml and its permissions")) from None


def _content(path: str, note: Note) -> bytes:
    """The bytes of a mail; empty if it is not a regular file or is too large. Links are not followed."""
    try:
        about = os.lstat(path)
        if not stat.S_ISREG(about.st_mode):
            why = t("not a regular file")
        elif about.st_size > MESSAGE_MOST:
            why = t("too large")
        else:
            return files.read(path, MESSAGE_MOST, "mail")
    except FileNotFoundError:
        return b""  # another program took it
    except OSError as error:
        why = files.reason(error)
    except RefereeError:
        why = t("empty or unreadable")
    note(t("skipped {path}: {why}", path=files.printable(path), why=why))
    return b""


def _folder(folder: str, note: Note, root: str = "") -> Iterator[Fetched]:
    for name in _names(folder):
        if name.lower().endswith(".eml") and (raw := _content(os.path.join(folder, name), note)):
            yield Fetched(raw)


def _maildir(folder: str, note: Note, root: str = "") -> Iterator[Fetched]:
    """New mails, oldest first: names begin with the time. The office `root` knows which it has; flags decide nothing,
    because whoever looks at a mail sets them."""
    found = [(name, where) for where in ("cur", "new") for name in _names(os.path.join(folder, where))]
    before = _taken(root)
    taken = before & {name.partition(":2,")[0] for name, _ in found}
    try:
        for name, where in sorted(found):
            base, _, flags = name.partition(":2,")
            path = os.path.join(folder, where, name)
            if name.startswith(".") or base in taken or ("S" in flags and _is_older(path, root)):
                continue
            seen = os.path.join(folder, "cur", f"{base}:2,{''.join(sorted({*flags, 'S'}))}")
            if raw := _content(path, note):
                came = arrival(path) if os.path.exists(path) else None
                yield Fetched(raw, partial(_mark_seen, path, seen, taken), came)
    finally:
        if root and taken != before:
            path = os.path.join(root, TAKEN)
            files.write({path: msgspec.json.encode(sorted(taken))}, secret=[path])


def _taken(root: str) -> set[str]:
    """The mails in the Maildir that this office has; if that is not known, it finds out by their content."""
    with contextlib.suppress(FileTrouble, msgspec.MsgspecError):
        path = os.path.join(root, TAKEN)
        return msgspec.json.decode(files.read(path, files.LARGE, "list of mails"), type=set[str]) if root else set()
    return set()


def _is_older(path: str, root: str) -> bool:
    """Whether a mail came before there was this office: whoever read it then read it for themselves."""
    try:
        return bool(root) and arrival(path) < arrival(os.path.join(root, MADE)) - timedelta(days=1)
    except OSError:
        return False


def _mark_seen(path: str, seen: str, taken: set[str]) -> None:
    try:
        os.rename(path, seen)
        taken.add(os.path.basename(seen).partition(":2,")[0])
    except FileNotFoundError:
        return  # another program moved it
    except OSError as error:
        why = t("{path} cannot be marked as seen: {error}", path=files.printable(path), error=files.reason(error))
        raise NoMailbox(why, t("check the permissions of this Maildir")) from None


def _mbox(path: str, note: Note, root: str = "") -> Iterator[Fetched]:
    """Read one mail at a time. A mail that is being delivered would be cut, so the file is locked against
    deliveries."""
    try:
        about = os.stat(path)
        if not stat.S_ISREG(about.st_mode):
            raise NoMailbox(t("{path} is not a regular file", path=files.printable(path)), t("check `path`"))
        if about.st_size > MBOX_MOST:
            why = t("{path} is too large", path=files.printable(path))
            raise NoMailbox(why, t("move old mails into another file"))
        with open(path, "rb") as file:
            _share(file, path)
            for raw in mails_in_box(file, path, note):
                yield Fetched(raw)
    except OSError as error:
        why = t("{path} cannot be read: {error}", path=files.printable(path), error=files.reason(error))
        raise NoMailbox(why, t("check `path`")) from None


def _share(file: BinaryIO, path: str) -> None:
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN):
            why = t("another program is writing to {path}", path=files.printable(path))
            raise NoMailbox(why, t("run it again")) from None


# --- IMAP -------------------------------------------------------------------------------------------------------------


class Place(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How far an IMAP folder has been read. UIDs only grow while the folder has the same UIDVALIDITY."""

    folder: str
    validity: int
    last: int = 0
    """The UID of the last mail that was taken."""
    waiting: dict[int, str] = {}
    """UIDs and digests of the mails that are moved to another folder if they turn out to be about games."""


def _imap(source: Fetch, note: Note, root: str) -> Iterator[Fetched]:
    """The mails that came since the last time, whether they were read or not. The library's own `fetch` parses mails,
    which hostile mails can exploit, and its `flag` deletes mails that others marked."""
    with imap(source) as box:
        place = _place(box, source, root)
        try:
            place = structs.replace(place, waiting=_move_judged(box, source, root, place.waiting))
            uids = _new_uids(box, place, root)
            for start in range(0, len(uids), SIZES_AT_ONCE):
                for uid, size in _sizes(box, uids[start : start + SIZES_AT_ONCE]).items():
                    waiting = place.waiting
                    if size > MESSAGE_MOST:
                        number, folder = Figures(f"{size:,}"), files.printable(source.folder)
                        note(t("skipped a mail of {size} bytes in {folder}: too large", size=number, folder=folder))
                        _done(box, source, uid, r"(\Seen \Flagged)")
                    elif (found := _raw(box, uid)) and found[0]:
                        yield Fetched(found[0], partial(_done, box, source, uid), found[1])
                        # Here it is stored.
                        if source.move_to:
                            waiting = {**waiting, int(uid): _digest(found[0])}
                    place = structs.replace(place, last=int(uid), waiting=waiting)
        finally:
            path = os.path.join(root, PLACE)
            files.write({path: msgspec.json.encode(place)}, secret=[path])


def await_mail(settings: Settings, root: str, seconds: float) -> None:
    """Wait until there is a new mail in the IMAP folder, at most for so long."""
    from imap_tools.errors import ImapToolsError

    source = settings.fetch
    with imap(source) as box:
        if b"IDLE" not in b" ".join(box.client.capability()[1]).split():
            why = t("{server} does not say when a mail arrives", server=source.server)
            raise Usage(why, t("run it without --stay, by cron"))
        # A mail that came since the last run is not reported any more.
        if not _new_uids(box, _place(box, source, root), root):
            with contextlib.suppress(ImapToolsError):
                box.idle.wait(timeout=seconds)


def _place(box: "BaseMailBox", source: Fetch, root: str) -> Place:
    """How far this folder has been read; nothing of it if the server has started to count again."""
    folder, path = f"{source.user} {source.server} {source.folder}", os.path.join(root, PLACE)
    validity = int(box.folder.status(source.folder, ["UIDVALIDITY"]).get("UIDVALIDITY", 0))
    with contextlib.suppress(FileTrouble, msgspec.MsgspecError):
        known = msgspec.json.decode(files.read(path, files.LARGE, "place"), type=Place)
        if (known.folder, known.validity) == (folder, validity):
            return known
    return Place(folder, validity)


def _new_uids(box: "BaseMailBox", place: Place, root: str) -> list[str]:
    """The UIDs after the last one. At first these are all unread mails, and all since the office was made."""
    if place.last:
        wanted = ["UID", f"{place.last + 1}:*"]
    else:
        made = arrival(os.path.join(root, MADE)) - timedelta(days=1)  # the server's day may be another
        wanted = ["OR", "UNSEEN", "SINCE", f"{made.day}-{_MONTHS[made.month - 1]}-{made.year}"]
    found = b" ".join(part for part in _answer(box, "SEARCH", *wanted) if isinstance(part, bytes))
    # `*` is the last mail, even where it is not a new one.
    return [str(uid) for uid in sorted(map(int, found.split())) if uid > place.last]


def _move_judged(box: "BaseMailBox", source: Fetch, root: str, waiting: dict[int, str]) -> dict[int, str]:
    """Move the mails that turned out to be about games, and leave those where they are that did not. Returns which are
    not judged yet."""
    judged, unknown = (
        {found[2] for found in map(_RAW.fullmatch, names(os.path.join(root, folder))) if found}
        for folder in (CAME[1], CAME[0])
    )
    for uid, digest in waiting.items():
        if source.move_to and digest in judged:
            _move(box, source, str(uid))
    return {uid: digest for uid, digest in waiting.items() if digest in unknown}


def _answer(box: "BaseMailBox", *command: str) -> list[object]:
    typ, data = box.client.uid(*command)
    if typ != "OK":
        why = t("the server refused {command}: {data}", command=command[0], data=printable_reply(data))
        raise NoMailbox(why, t("run {run}", run=run("mail", "status", "--test")))
    return list(data)


def _sizes(box: "BaseMailBox", uids: list[str]) -> dict[str, int]:
    """The size of each mail, before any is fetched."""
    found: dict[str, int] = {}
    for line in _answer(box, "FETCH", ",".join(uids), "(UID RFC822.SIZE)"):
        text = line if isinstance(line, bytes) else b""
        uid, size = re.search(rb"\bUID (\d+)", text), re.search(rb"\bRFC822\.SIZE (\d+)", text)
        if uid and size:
            found[uid[1].decode()] = int(size[1])
    return {uid: found[uid] for uid in uids if uid in found}


def _raw(box: "BaseMailBox", uid: str) -> tuple[bytes, datetime | None]:
    """The bytes of a mail (empty if it is gone), and when the server received it, if it says so."""
    for part in _answer(box, "FETCH", uid, "(UID INTERNALDATE BODY.PEEK[])"):
        if isinstance(part, tuple) and b"BODY[]" in part[0]:
            came = re.search(rb'INTERNALDATE "([^"]{20,30})"', part[0])
            with contextlib.suppress(ValueError):
                if came:
                    return bytes(part[1]), datetime.strptime(came[1].decode().strip(), "%d-%b-%Y %H:%M:%S %z")
            return bytes(part[1]), None
    return b"", None


def _done(box: "BaseMailBox", source: Fetch, uid: str, flags: str = r"(\Seen)") -> None:
    """Mark a mail as read. Called from outside, so it handles a broken connection itself."""
    with explaining_errors(source):
        _answer(box, "STORE", uid, "+FLAGS.SILENT", flags)


def _move(box: "BaseMailBox", source: Fetch, uid: str) -> None:
    from imap_tools.utils import encode_folder

    _answer(box, "MOVE", uid, encode_folder(source.move_to).decode("ascii"))


_READ = {"maildir": _maildir, "mbox": _mbox, "folder": _folder}
