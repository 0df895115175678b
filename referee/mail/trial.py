"""`mail test`: the settings tried step by step, and in words what is wrong and what to do about it."""

import os
from collections.abc import Iterator

import msgspec

from referee.errors import MailTrouble, RefereeError
from referee.io import files
from referee.language import mark
from referee.mail import servers, t
from referee.mail.fetch import fetch
from referee.mail.passwords import password
from referee.mail.send import Sender
from referee.mail.settings import Fetch, Send, Server, Settings

MANY = 20
"""More unread mails than this are somebody's ordinary mail."""


class Tried(msgspec.Struct, frozen=True):
    """One step: whether it went well, what was tried or went wrong, and what to do."""

    good: bool
    what: str
    next: str = ""


def trial(settings: Settings, *, send: bool = False) -> list[Tried]:
    """Fetching and sending, each up to the first step that fails. Nothing is fetched; `send` mails to the office."""
    found = [Tried(True, mark(f"mail.toml is in order: {settings.name} ({settings.address})"))]
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
        yield mark("no mails are fetched: hand them over with `referee mail in`")
    elif source.kind == "imap":
        yield from _imap(source)
    else:
        # Its first mail is read and not done with, so it stays new.
        notes: list[str] = []
        waiting = sum(1 for _ in fetch(settings, notes.append))
        yield from notes
        path = files.printable(source.path)
        if source.kind == "maildir":
            yield mark(f"the Maildir {path} can be read, {waiting} mails are in it")
        elif source.kind == "mbox":
            yield mark(f"the mbox file {path} can be read, {waiting} mails are in it")
        else:
            yield mark(f"the folder {path} can be read, {waiting} mails are in it")


def _secret(server: Server) -> Iterator[str]:
    """The words for a password that was found."""
    kind, user = server.password.partition(" ")[0], files.printable(server.user)
    if kind == "environment":
        yield mark(f"the password of {user} was found in the environment")
    elif kind == "file":
        yield mark(f"the password of {user} was found in its file")
    else:
        yield mark(f"the password of {user} was found in the keyring")


def _imap(source: Fetch) -> Iterator[str]:
    secret = password(source)
    yield from _secret(source)
    port = servers.imap_port(source)
    with servers.in_words(source, port):
        box = servers.imap_connect(source)
        try:
            yield _connected(source, port)
            servers.imap_login(box, source, secret)
            yield mark(f"{source.server} let {files.printable(source.user)} in")
            servers.imap_folder(box, source)
            unread = box.folder.status(source.folder, ["UNSEEN"]).get("UNSEEN", 0)
            yield mark(f"the folder {files.printable(source.folder)} is there, with {unread} unread mails")
            if unread > MANY and not source.move_to:
                yield mark(
                    "all of them will be taken and marked as read: unless all are about games, use another folder"
                )
        finally:
            servers.leave(box)


def _connected(server: Server, port: int) -> str:
    if server.security == "plain":
        return mark(f"{server.server}, port {port}, answers, without TLS, within this machine")
    return mark(f"{server.server}, port {port}, answers, with TLS")


def _sending(settings: Settings, send: bool) -> Iterator[str]:
    way = settings.send
    if way.kind == "files":
        yield mark("mails stay in outbox/ for you to send")
        return
    if way.kind == "sendmail":
        if not os.access(way.program, os.X_OK):
            raise MailTrouble(
                f"{files.printable(way.program)} is no program that can be run",
                "install it, or name another: program = ...",
                code="not-sent",
            )
        yield mark(f"{files.printable(way.program)} is there")
    else:
        yield from _smtp(way)
    if send:
        with Sender(settings) as sender:
            sender.send(_to_ourselves(settings), settings.address)
        yield mark(f"a mail was sent to {settings.address}: see that it arrives, and not among the junk")


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
            yield mark(f"{way.server} let {files.printable(way.user)} in")
    finally:
        client.close()


def _to_ourselves(settings: Settings) -> bytes:
    """A short mail that no office answers."""
    from email.message import EmailMessage
    from email.policy import SMTP

    from referee.mail.headers import OWN_HEADER

    mail = EmailMessage(policy=SMTP)
    mail["From"] = mail["To"] = settings.address
    mail["Subject"] = t("your office can send mails")
    mail["Auto-Submitted"] = "auto-generated"
    mail[OWN_HEADER] = "test"
    mail.set_content(t("`referee mail test --send` sent this. There is nothing to do.") + "\n")
    return bytes(mail)
