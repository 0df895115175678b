"""`mail status --test`: the settings tried step by step, and in words what is wrong and what to do about it."""

import os
from functools import partial

import msgspec

from referee.errors import MailTrouble, RefereeError
from referee.io import files
from referee.language import NOTHING, Text, Told, run
from referee.mail import servers, t, w
from referee.mail.fetch import fetch
from referee.mail.headers import OWN_HEADER
from referee.mail.send import Sender
from referee.mail.settings import Settings

MANY = 20
"""More unread mails than this are somebody's ordinary mail."""


class Tried(msgspec.Struct, frozen=True):
    """One step: whether it went well, what was tried or went wrong, and what to do."""

    good: bool
    what: Told
    next: Told = NOTHING


def trial(settings: Settings, *, send: bool = False) -> list[Tried]:
    """Fetching and sending, each up to the first step that fails. Nothing is fetched; `send` mails to the office."""
    found: list[Tried] = []

    def step(good: Text) -> None:
        found.append(Tried(True, good))

    step(t("mail.toml is in order: {name} ({address})", name=settings.name, address=settings.address))
    for attempt in (partial(_fetching, settings, step), partial(_sending, settings, step, send)):
        try:
            attempt()
        except RefereeError as error:
            found.append(Tried(False, error.message, error.next))
    return found


def _fetching(settings: Settings, step: servers.Step) -> None:
    source = settings.fetch
    if source.kind == "none":
        step(t("no mails are fetched: hand them over with {run}", run=run("mail", "run", "--only", "in")))
    elif source.kind == "imap":
        with servers.imap(source, step) as box:
            unread = box.folder.status(source.folder, ["UNSEEN"]).get("UNSEEN", 0)
            folder = files.printable(source.folder)
            step(t("the folder {folder} is there, with {unread} unread mails", folder=folder, unread=unread))
            if unread > MANY and not source.move_to:
                step(t("all of them will be taken and marked as read: unless all are about games, use another folder"))
    else:
        # They are read and not done with, so they stay new.
        notes: list[Text] = []
        path, waiting = files.printable(source.path), sum(1 for _ in fetch(settings, notes.append))
        for note in notes:
            step(note)
        if source.kind == "maildir":
            step(t("the Maildir {path} can be read, {waiting} mails are in it", path=path, waiting=waiting))
        elif source.kind == "mbox":
            step(t("the mbox file {path} can be read, {waiting} mails are in it", path=path, waiting=waiting))
        else:
            step(t("the folder {path} can be read, {waiting} mails are in it", path=path, waiting=waiting))


def _sending(settings: Settings, step: servers.Step, send: bool) -> None:
    way = settings.send
    if way.kind == "files":
        step(t("mails stay in outbox/ for you to send"))
        return
    program = files.printable(way.program)
    if way.kind == "smtp":
        servers.smtp(way, step).close()
    elif os.access(way.program, os.X_OK):
        step(t("{program} is there", program=program))
    else:
        why = t("{program} is no program that can be run", program=program)
        raise MailTrouble(why, t("install it, or name another: program = ..."), code="not-sent")
    if send:
        with Sender(settings) as sender:
            sender.send(_to_ourselves(settings), settings.address)
        step(t("a mail was sent to {address}: see that it arrives, and not among the junk", address=settings.address))


def _to_ourselves(settings: Settings) -> bytes:
    """A short mail that no office answers."""
    from email.message import EmailMessage
    from email.policy import SMTP

    mail = EmailMessage(policy=SMTP)
    mail["From"] = mail["To"] = settings.address
    mail["Subject"] = w("your office can send mails")
    mail["Auto-Submitted"] = "auto-generated"
    mail[OWN_HEADER] = "test"
    mail.set_content(w("`referee mail status --test --send` sent this. There is nothing to do.") + "\n")
    return bytes(mail)
