"""`mail status --test`: the settings tested step by step, with what is wrong and what to do about it."""

import os
from functools import partial

import msgspec

from referee.errors import MailTrouble, RefereeError
from referee.io import files
from referee.language import NOTHING, Message, Text, run
from referee.mail import servers, t, w
from referee.mail.fetch import fetch
from referee.mail.headers import OWN_HEADER
from referee.mail.passwords import Step
from referee.mail.send import Sender
from referee.mail.settings import Settings

MANY = 20
"""More unread mails than this are probably somebody's ordinary mail."""


class Tried(msgspec.Struct, frozen=True):
    """One step: whether it succeeded, what was tried or went wrong, and what to do."""

    good: bool
    what: Message
    next: Message = NOTHING


def trial(settings: Settings, *, send: bool = False) -> list[Tried]:
    """Test fetching and sending, each up to the first step that fails. Nothing is fetched; `send` sends a mail to the
    office itself."""
    found: list[Tried] = []

    def step(good: Text) -> None:
        found.append(Tried(True, good))

    step(t("mail.toml is valid: {name} ({address})", name=settings.name, address=settings.address))
    for attempt in (partial(_fetching, settings, step), partial(_sending, settings, step, send)):
        try:
            attempt()
        except RefereeError as error:
            found.append(Tried(False, error.message, error.next))
    return found


def _fetching(settings: Settings, step: Step) -> None:
    source = settings.fetch
    if source.kind == "none":
        step(t("no mails are fetched: hand them over with {run}", run=run("mail", "run", "--only", "in")))
    elif source.kind == "imap":
        with servers.imap(source, step) as box:
            unread = box.folder.status(source.folder, ["UNSEEN"]).get("UNSEEN", 0)
            folder = files.printable(source.folder)
            step(t("found the folder {folder}, with {unread} unread mails", folder=folder, unread=unread))
            if unread > MANY:
                step(
                    t("all of them will be fetched and marked as read; if some are not about games, use another folder")
                )
    else:
        # They are read but not marked as done, so they stay new.
        notes: list[Text] = []
        path, waiting = files.printable(source.path), sum(1 for _ in fetch(settings, notes.append, ""))
        for note in notes:
            step(note)
        step(t.plural("{path} has {n} new mail", "{path} has {n} new mails", waiting, path=path))


def _sending(settings: Settings, step: Step, send: bool) -> None:
    way = settings.send
    if way.kind == "files":
        step(t("mails stay in outbox/ for you to send"))
        return
    program = files.printable(way.program)
    if way.kind == "smtp":
        servers.smtp(way, step).close()
    elif os.access(way.program, os.X_OK):
        step(t("found {program}", program=program))
    else:
        why = t("{program} is not an executable program", program=program)
        raise MailTrouble(why, t("install it, or name another: program = ..."), code="not-sent")
    if send:
        with Sender(settings) as sender:
            sender.send(_to_ourselves(settings), settings.address)
        step(t("sent a mail to {address}: check that it arrives, and not in the spam folder", address=settings.address))


def _to_ourselves(settings: Settings) -> bytes:
    """A short test mail that no office answers."""
    from email.message import EmailMessage
    from email.policy import SMTP

    mail = EmailMessage(policy=SMTP)
    mail["From"] = mail["To"] = settings.address
    mail["Subject"] = w("your office can send mails")
    mail["Auto-Submitted"] = "auto-generated"
    mail[OWN_HEADER] = "test"
    mail.set_content(w("`referee mail status --test --send` sent this. There is nothing to do.") + "\n")
    return bytes(mail)
