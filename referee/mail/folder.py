"""Which of our documents are in a folder of files and mails. Nothing is verified here."""

import os
import stat
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

import msgspec

from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope, body_of, ident
from referee.engine import records as r
from referee.engine.player import read_view
from referee.errors import FileTrouble, Malformed, RefereeError
from referee.evidence.identify import is_mail
from referee.io import files, kinds
from referee.language import Text
from referee.mail import saved, t

FILES_MOST = 50_000
SIGNS = (b"PBEM", b"pbem", b"Pbem", *(f"{kind}.json".encode() for kind in kinds.MAILED))
"""A mail of a referee, or one with a document, contains one of these; all others are skipped: a folder of mails has
thousands."""


class Source(msgspec.Struct, frozen=True):
    """Where a document was found: in a file, or in the mail with this number in it."""

    path: str
    number: int
    subject: str
    changed: float

    @property
    def place(self) -> str | Text:
        path = files.printable(self.path)
        return t("{path}, mail {number}", path=path, number=self.number) if self.number > 1 else path

    def is_alone(self) -> bool:
        """Whether the file contains no other mail, so that it can stand for the document."""
        if self.number < 1:
            return True
        with open(self.path, "rb") as file:
            return len(list(islice(saved.mails_in(file, self.path, lambda note: None), 2))) < 2


class Found(msgspec.Struct, frozen=True):
    """A document. A view has its player's key and the number of rounds, an offer its host's key."""

    kind: str
    source: Source
    offer: str
    game: str = ""
    key: str = ""
    rounds: int = 0


Notes = list[Text]
"""What was skipped, and why."""
Document = tuple[Source, str, bytes]


def look_through(folder: str, notes: Notes, *, deep: bool = True) -> list[Found]:
    """The views, offers, joins and transcripts under a folder, or in one file."""
    found: dict[Found, None] = {}
    for source, kind, data in documents(folder, notes, deep=deep):
        try:
            if one := _glance(kind, data, source):
                found.setdefault(one)
        except RefereeError as error:
            notes.append(t("skipped {place}: {message}", place=source.place, message=error.message))
    return list(found)


def read_again(one: Found) -> bytes:
    """Read a document again: all of them together do not fit into memory."""
    for source, kind, data in documents(one.source.path, []):
        if source == one.source and kind == one.kind and _glance(kind, data, source) == one:
            return data
    raise FileTrouble(t("{place} changed in the meantime", place=one.source.place), t("run it again"))


# --- files and mails -------------------------------------------------------------------------------------------------


def documents(folder: str, notes: Notes, *, deep: bool = True) -> Iterator[Document]:
    """All our documents under a folder or in one file, on their own and in mails; unless `deep`, none in the folders
    below it."""
    for path, changed in _files(folder, notes, deep=deep):
        try:
            with open(path, "rb") as file:
                start = file.read(8_000)
                file.seek(0)
                if is_mail(start):
                    yield from _mailed(file, path, changed, notes)
                elif start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
                    yield Source(path, 0, "", changed), *kinds.find(path)
        except (OSError, RefereeError) as error:
            why = error.message if isinstance(error, RefereeError) else files.reason(error)
            notes.append(t("skipped {path}: {why}", path=files.printable(path), why=why))


def _mailed(file: BinaryIO, path: str, changed: float, notes: Notes) -> Iterator[Document]:
    for number, raw in enumerate(saved.mails_in(file, path, notes.append), 1):
        if any(sign in raw for sign in SIGNS):
            mail = saved.read_mail(raw)
            source = Source(path, number, mail.headers.subject, changed)
            yield from ((source, one.kind, one.data) for one in saved.documents(mail))


def _files(folder: str, notes: Notes, *, deep: bool) -> Iterator[tuple[str, float]]:
    """Every regular file under a folder, and when it was changed. Links are not followed, and nothing blocks."""

    def unread(error: OSError) -> None:
        name, why = files.printable(str(error.filename)), files.reason(error)
        notes.append(t("skipped {filename}: {error}", filename=name, error=why))

    if not os.path.isdir(folder) and not os.path.isfile(folder):
        name = files.printable(folder)
        other, none = t("{name} is not a folder", name=name), t("{name} does not exist", name=name)
        why = other if os.path.lexists(folder) else none
        raise FileTrouble(why, t("give a folder with views or mails"), code="missing")
    walk = os.walk(folder, onerror=unread) if os.path.isdir(folder) else [("", [], [folder])]
    count = 0
    for where, inner, names in walk:
        inner[:] = sorted(inner) if deep else []
        for path in (_short(os.path.join(where, name)) for name in sorted(names)):
            try:
                about = os.lstat(path)
            except OSError:
                continue  # another program removed it
            count += 1
            if count > FILES_MOST:
                most = t("only the first {files_most} files are read: give a smaller folder", files_most=FILES_MOST)
                notes.append(most)
                return
            if stat.S_ISREG(about.st_mode):
                yield path, about.st_mtime


def _short(path: str) -> str:
    """Without `./`, unless what follows would look like an option."""
    short = path.removeprefix(f"{os.curdir}{os.sep}")
    return path if short.startswith("-") else short


def _glance(kind: str, data: bytes, source: Source) -> Found | None:
    """What a document is about, if it is of a kind that we look for."""
    match kind:
        case "offer":
            body = body_of(decode(data, Envelope, "offer"), "offer")
            return Found(kind, source, ident("offer", body), key=decode(body, r.Offer, "offer").key)
        case "join":
            join = decode(body_of(decode(data, Envelope, "join"), "join"), r.Join, "join")
            return Found(kind, source, join.offer, key=join.key)
        case "view" | "transcript":
            found = read_view(data) if kind == "view" else decode(data, r.Transcript, "transcript")
            body = body_of(found.genesis, "genesis")
            genesis = decode(body, r.Genesis, "genesis")
            offer, key = ident("offer", body_of(genesis.offer, "offer")), ""
            if isinstance(found, r.View) and found.seat is not None:
                if found.seat >= len(genesis.joins):
                    raise Malformed(t("this view is for a seat that does not exist"))
                key = decode(body_of(genesis.joins[found.seat], "join"), r.Join, "join").key
            return Found(kind, source, offer, ident("genesis", body), key, len(found.entries))
    return None
