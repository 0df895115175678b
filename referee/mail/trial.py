"""`mail test`: the settings tried step by step, and in words what is wrong and what to do about it."""

import os
from collections.abc import Iterator

import msgspec

from referee.errors import MailTrouble, RefereeError
from referee.io import files
from referee.mail import servers
from referee.mail.fetch import fetch
from referee.mail.passwords import password
from referee.mail.send import Sender
from referee.mail.settings import Fetch, Send, Server, Settings

MANY = 20
"""More unread mails than this are somebody's ordinary mail."""
PLACES = {"maildir": "the Maildir", "mbox": "the mbox file", "folder": "the folder"}


class Tried(msgspec.Struct, frozen=True):
    """One step: whether it went well, what was tried or went wrong, and what to do."""

    good: bool
    what: str
    next: str = ""


def trial(settings: Settings, *, send: bool = False) -> list[Tried]:
    """Fetching and sending, each up to the first step that fails. Nothing is fetched; `send` mails to the office."""
    found = [Tried(True, f"mail.toml is in order: {settings.name} <{settings.address}>")]
    for steps in (_fetching(settings), _sending(settings, send)):
        try:
            for good in steps:
                found.append(Tried(True, good))
        except RefereeError as error:
            found.append(Tried(False, error.message, error.next))
    return found


def _fetching(settings: Settings) -> Iterator[str]:
    source = settings.fetch
    if source.kind == "none":
        yield "no mails are fetched: hand them over with `referee mail in`"
    elif source.kind == "imap":
        yield from _imap(source)
    else:
        # Its first mail is read and not done with, so it stays new.
        notes: list[str] = []
        waiting = sum(1 for _ in fetch(settings, notes.append))
        yield from notes
        yield f"{PLACES[source.kind]} {files.printable(source.path)} can be read, {waiting} mails are in it"


def _secret(server: Server) -> Iterator[str]:
    """The words for a password that was found."""
    kind = server.password.partition(" ")[0]
    place = {"environment": "the environment", "file": "its file"}.get(kind, "the keyring")
    yield f"the password of {files.printable(server.user)} was found in {place}"


def _imap(source: Fetch) -> Iterator[str]:
    secret = password(source)
    yield from _secret(source)
    port = servers.imap_port(source)
    with servers.in_words(source, port):
        box = servers.imap_connect(source)
        try:
            yield _connected(source, port)
            servers.imap_login(box, source, secret)
            yield f"{source.server} let {files.printable(source.user)} in"
            servers.imap_folder(box, source)
            unread = box.folder.status(source.folder, ["UNSEEN"]).get("UNSEEN", 0)
            yield f"the folder {files.printable(source.folder)} is there, with {unread} unread mails"
            if unread > MANY and not source.move_to:
                yield "all of them will be taken and marked as read: unless all are about games, use another folder"
        finally:
            servers.leave(box)


def _connected(server: Server, port: int) -> str:
    how = "without TLS, within this machine" if server.security == "plain" else "with TLS"
    return f"{server.server}, port {port}, answers, {how}"


def _sending(settings: Settings, send: bool) -> Iterator[str]:
    way = settings.send
    if way.kind == "files":
        yield "mails stay in outbox/ for you to send"
        return
    if way.kind == "sendmail":
        if not os.access(way.program, os.X_OK):
            raise MailTrouble(
                f"{files.printable(way.program)} is no program that can be run",
                "install it, or name another: program = ...",
                code="not-sent",
            )
        yield f"{files.printable(way.program)} is there"
    else:
        yield from _smtp(way)
    if send:
        with Sender(settings) as sender:
            sender.send(_to_ourselves(settings), settings.address)
        yield f"a mail was sent to {settings.address}: see that it arrives, and not among the junk"


def _smtp(way: Send) -> Iterator[str]:
    secret = "" if way.password == "none" else password(way)
    if secret:
        yield from _secret(way)
    port = servers.smtp_port(way)
    client = servers.smtp_connect(way)
    try:
        yield _connected(way, port)
        if secret:
            with servers.in_words(way, port):
                servers.smtp_login(client, way, secret)
            yield f"{way.server} let {files.printable(way.user)} in"
    finally:
        client.close()


def _to_ourselves(settings: Settings) -> bytes:
    """A short mail that no office answers."""
    from email.message import EmailMessage
    from email.policy import SMTP

    from referee.mail.headers import OWN_HEADER

    mail = EmailMessage(policy=SMTP)
    mail["From"] = mail["To"] = settings.address
    mail["Subject"] = "your office can send mails"
    mail["Auto-Submitted"] = "auto-generated"
    mail[OWN_HEADER] = "test"
    mail.set_content("`referee mail test --send` sent this. There is nothing to do.\n")
    return bytes(mail)
