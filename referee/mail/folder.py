"""A folder of views and mails at a glance: which documents of ours lie there. Nothing of them is checked here."""

import os
import stat
from collections.abc import Iterator
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
"""Mails of a referee, and those that bring a document, name one of these somewhere; all others are skipped: a
folder of mails has thousands."""


class Source(msgspec.Struct, frozen=True):
    """Where a document was found: in a file, or in its mail of this number."""

    path: str
    number: int
    subject: str
    changed: float

    @property
    def place(self) -> str | Text:
        path = files.printable(self.path)
        return t("{path}, mail {number}", path=path, number=self.number) if self.number > 1 else path

    def is_alone(self) -> bool:
        """Whether the file stands for the document: no other mail is in it."""
        if self.number < 1:
            return True
        with open(self.path, "rb") as file:
            return sum(1 for _, _ in zip(range(2), saved.mails_in(file, self.path, _nothing), strict=False)) < 2


class Found(msgspec.Struct, frozen=True):
    """A document: a view has the key of its player and its rounds, an offer that of its host."""

    kind: str
    source: Source
    offer: str
    game: str = ""
    key: str = ""
    rounds: int = 0


Notes = list[Text]
"""What was left aside, and why."""
Document = tuple[Source, str, bytes]


def _nothing(note: Text) -> None:
    pass


def look_through(folder: str, notes: Notes) -> list[Found]:
    """The views, offers, joins and transcripts under a folder, or in one file."""
    found: dict[Found, None] = {}
    for source, kind, data in documents(folder, notes):
        try:
            if kind in _GLANCES:
                found.setdefault(_GLANCES[kind](data, source))
        except RefereeError as error:
            notes.append(t("{place} is left aside: {message}", place=source.place, message=error.message))
    return list(found)


def read_again(one: Found) -> bytes:
    """A document that was found. It is read again because all of them together are more than fits."""
    for source, kind, data in documents(one.source.path, []):
        if source == one.source and kind == one.kind and _GLANCES[kind](data, source) == one:
            return data
    raise FileTrouble(t("{place} changed meanwhile", place=one.source.place), t("run it again"))


# --- files and mails -------------------------------------------------------------------------------------------------


def documents(folder: str, notes: Notes) -> Iterator[Document]:
    """Everything of ours under a folder, or in one file: documents by themselves, and those in mails."""
    for path, changed in _files(folder, notes):
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
            notes.append(t("{path} is left aside: {why}", path=files.printable(path), why=why))


def _mailed(file: BinaryIO, path: str, changed: float, notes: Notes) -> Iterator[Document]:
    for number, raw in enumerate(saved.mails_in(file, path, notes.append), 1):
        if any(sign in raw for sign in SIGNS):
            mail = saved.read_mail(raw)
            source = Source(path, number, mail.headers.subject, changed)
            yield from ((source, one.kind, one.data) for one in saved.documents(mail))


def _files(folder: str, notes: Notes) -> Iterator[tuple[str, float]]:
    """Every ordinary file under a folder, and when it was changed. Links are not followed; nothing is waited for."""

    def unread(error: OSError) -> None:
        notes.append(
            t(
                "{filename} is left aside: {error}",
                filename=files.printable(str(error.filename)),
                error=files.reason(error),
            )
        )

    if not os.path.isdir(folder) and not os.path.isfile(folder):
        name = files.printable(folder)
        why = t("{name} is no folder", name=name)
        if not os.path.lexists(folder):
            why = t("{name} does not exist", name=name)
        raise FileTrouble(why, t("give a folder with views or mails"), code="missing")
    count = 0
    for where, inner, names in os.walk(folder, onerror=unread) if os.path.isdir(folder) else [("", [], [folder])]:
        inner.sort()
        for name in sorted(names):
            path = os.path.join(where, name)
            try:
                about = os.lstat(path)
            except OSError:
                continue  # another program was quicker
            count += 1
            if count > FILES_MOST:
                notes.append(
                    t("only the first {files_most} files are read: give a smaller folder", files_most=FILES_MOST)
                )
                return
            if stat.S_ISREG(about.st_mode):
                yield path, about.st_mtime


# --- at a glance -----------------------------------------------------------------------------------------------------


def _view(data: bytes, source: Source) -> Found:
    view = read_view(data)
    offer, game, joins = _genesis(view.genesis)
    if view.seat is None:
        return Found("view", source, offer, game, rounds=len(view.entries))
    if view.seat >= len(joins):
        raise Malformed(t("this view is for a seat that does not exist"))
    key = decode(body_of(joins[view.seat], "join"), r.Join, "join").key
    return Found("view", source, offer, game, key, len(view.entries))


def _transcript(data: bytes, source: Source) -> Found:
    transcript = decode(data, r.Transcript, "transcript")
    offer, game, _ = _genesis(transcript.genesis)
    return Found("transcript", source, offer, game, rounds=len(transcript.entries))


def _genesis(envelope: Envelope) -> tuple[str, str, tuple[Envelope, ...]]:
    """The ids of offer and game, and the joins."""
    body = body_of(envelope, "genesis")
    genesis = decode(body, r.Genesis, "genesis")
    return ident("offer", body_of(genesis.offer, "offer")), ident("genesis", body), genesis.joins


def _offer(data: bytes, source: Source) -> Found:
    body = body_of(decode(data, Envelope, "offer"), "offer")
    return Found("offer", source, ident("offer", body), key=decode(body, r.Offer, "offer").key)


def _join(data: bytes, source: Source) -> Found:
    join = decode(body_of(decode(data, Envelope, "join"), "join"), r.Join, "join")
    return Found("join", source, join.offer, key=join.key)


_GLANCES = {"view": _view, "transcript": _transcript, "offer": _offer, "join": _join}
