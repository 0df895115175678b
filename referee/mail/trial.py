"""`mail test`: the settings tried step by step, and in words what is wrong and what to do about it."""

import os
from collections.abc import Iterator

import msgspec

from referee.errors import MailTrouble, RefereeError
from referee.io import files
from referee.language import NOTHING, Text, Told, run
from referee.mail import servers, t, w
from referee.mail.fetch import fetch
from referee.mail.passwords import password
from referee.mail.send import Sender
from referee.mail.settings import Fetch, Send, Server, Settings

MANY = 20
"""More unread mails than this are somebody's ordinary mail."""


class Tried(msgspec.Struct, frozen=True):
    """One step: whether it went well, what was tried or went wrong, and what to do."""

    good: bool
    what: Told
    next: Told = NOTHING


def trial(settings: Settings, *, send: bool = False) -> list[Tried]:
    """Fetching and sending, each up to the first step that fails. Nothing is fetched; `send` mails to the office."""
    found = [Tried(True, t("mail.toml is in order: {name} ({address})", name=settings.name, address=settings.address))]
    for steps in (_fetching(settings), _sending(settings, send)):
        try:
            for good in steps:
                found.append(Tried(True, good))
        except RefereeError as error:
            found.append(Tried(False, error.message, error.next))
    return found


def _fetching(settings: Settings) -> Iterator[Text]:
    source = settings.fetch
    if source.kind == "none":
        yield t("no mails are fetched: hand them over with {run}", run=run("mail", "in"))
    elif source.kind == "imap":
        yield from _imap(source)
    else:
        # Its first mail is read and not done with, so it stays new.
        notes: list[Text] = []
        waiting = sum(1 for _ in fetch(settings, notes.append))
        yield from notes
        path = files.printable(source.path)
        if source.kind == "maildir":
            yield t("the Maildir {path} can be read, {waiting} mails are in it", path=path, waiting=waiting)
        elif source.kind == "mbox":
            yield t("the mbox file {path} can be read, {waiting} mails are in it", path=path, waiting=waiting)
        else:
            yield t("the folder {path} can be read, {waiting} mails are in it", path=path, waiting=waiting)


def _secret(server: Server) -> Iterator[Text]:
    """The words for a password that was found."""
    kind, user = server.password.partition(" ")[0], files.printable(server.user)
    if kind == "environment":
        yield t("the password of {user} was found in the environment", user=user)
    elif kind == "file":
        yield t("the password of {user} was found in its file", user=user)
    else:
        yield t("the password of {user} was found in the keyring", user=user)


def _imap(source: Fetch) -> Iterator[Text]:
    secret = password(source)
    yield from _secret(source)
    port = servers.imap_port(source)
    with servers.in_words(source, port):
        box = servers.imap_connect(source)
        try:
            yield _connected(source, port)
            servers.imap_login(box, source, secret)
            yield t("{server} let {user} in", server=source.server, user=files.printable(source.user))
            servers.imap_folder(box, source)
            unread = box.folder.status(source.folder, ["UNSEEN"]).get("UNSEEN", 0)
            yield t(
                "the folder {folder} is there, with {unread} unread mails",
                folder=files.printable(source.folder),
                unread=unread,
            )
            if unread > MANY and not source.move_to:
                yield t("all of them will be taken and marked as read: unless all are about games, use another folder")
        finally:
            servers.leave(box)


def _connected(server: Server, port: int) -> Text:
    if server.security == "plain":
        return t("{server}, port {port}, answers, without TLS, within this machine", server=server.server, port=port)
    return t("{server}, port {port}, answers, with TLS", server=server.server, port=port)


def _sending(settings: Settings, send: bool) -> Iterator[Text]:
    way = settings.send
    if way.kind == "files":
        yield t("mails stay in outbox/ for you to send")
        return
    if way.kind == "sendmail":
        if not os.access(way.program, os.X_OK):
            raise MailTrouble(
                t("{program} is no program that can be run", program=files.printable(way.program)),
                t("install it, or name another: program = ..."),
                code="not-sent",
            )
        yield t("{program} is there", program=files.printable(way.program))
    else:
        yield from _smtp(way)
    if send:
        with Sender(settings) as sender:
            sender.send(_to_ourselves(settings), settings.address)
        yield t("a mail was sent to {address}: see that it arrives, and not among the junk", address=settings.address)


def _smtp(way: Send) -> Iterator[Text]:
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
            yield t("{server} let {user} in", server=way.server, user=files.printable(way.user))
    finally:
        client.close()


def _to_ourselves(settings: Settings) -> bytes:
    """A short mail that no office answers."""
    from email.message import EmailMessage
    from email.policy import SMTP

    from referee.mail.headers import OWN_HEADER

    mail = EmailMessage(policy=SMTP)
    mail["From"] = mail["To"] = settings.address
    mail["Subject"] = w("your office can send mails")
    mail["Auto-Submitted"] = "auto-generated"
    mail[OWN_HEADER] = "test"
    mail.set_content(w("`referee mail test --send` sent this. There is nothing to do.") + "\n")
    return bytes(mail)
