"""`mail status --test` and `host`: the settings tested step by step, with what is wrong and what to do about it."""

import os
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from referee.errors import MailTrouble, RefereeError
from referee.io import files
from referee.language import NOTHING, Message, Text, quoted, run
from referee.mail import servers, t, w
from referee.mail.fetch import fetch
from referee.mail.headers import OWN_HEADER
from referee.mail.passwords import Step
from referee.mail.send import Sender, SendTrouble
from referee.mail.settings import Fetch, Settings

if TYPE_CHECKING:
    from imap_tools.mailbox import BaseMailBox

MANY = 20
"""More unread mails than this are probably somebody's ordinary mail."""


COMES_BACK, LOOK_AGAIN = 300.0, 1.0
"""Seconds to wait for a test mail, and between two looks."""
_OWN_MAILBOX = re.compile(r"\b[45]\.2\.2\b|mailbox (?:is )?full|over ?quota|quota exceeded", re.IGNORECASE)
_WRONG_SENDER = re.compile(r"sender|send ?as|\bfrom\b|not owned|5\.7\.60", re.IGNORECASE)


class Tried(msgspec.Struct, frozen=True):
    """One step: whether it succeeded, what was tried or went wrong, and what to do."""

    good: bool
    what: Message
    next: Message = NOTHING


def trial(settings: Settings, *, send: bool = False) -> list[Tried]:
    """Test fetching and sending, each up to the first step that fails. With `send` a mail is sent to the office itself,
    and looked for where mails are fetched from; otherwise nothing is sent or fetched."""
    return list(steps(settings, send=send))


def steps(settings: Settings, *, send: bool = False) -> Iterator[Tried]:
    """The same, each step as soon as it was tried."""
    yield Tried(True, t("mail.toml is valid: {name} ({address})", name=settings.name, address=settings.address))
    id = f"test.{os.urandom(10).hex()}"
    good = True
    for attempt in (partial(_fetching, settings), partial(_sending, settings, id if send else "")):
        found = list(_tried(attempt))
        yield from found
        good = good and found[-1].good
    if good and send and settings.fetch.kind == "imap" and settings.send.kind != "files":
        try:
            yield from _coming_back(settings, id)
        except RefereeError as error:
            yield Tried(False, error.message, error.next)


def _tried(attempt: Callable[[Step], None]) -> Iterator[Tried]:
    found: list[Tried] = []
    try:
        attempt(lambda good: found.append(Tried(True, good)))
    except RefereeError as error:
        found.append(Tried(False, error.message, error.next))
    yield from found


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


def _sending(settings: Settings, id: str, step: Step) -> None:
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
    if id:
        _send_to_ourselves(settings, id)
        comes = settings.fetch.kind == "imap"
        there = t("sent a test mail to {address}", address=settings.address)
        look = t(
            "sent a mail to {address}: check that it arrives, and not in the spam folder", address=settings.address
        )
        step(there if comes else look)


def _send_to_ourselves(settings: Settings, id: str) -> None:
    try:
        with Sender(settings) as sender:
            sender.send(_to_ourselves(settings, id), settings.address)
    except SendTrouble as trouble:
        said = trouble.reply
        if _OWN_MAILBOX.search(said):
            trouble.next = t("the mailbox of {address} is full: delete mails there", address=settings.address)
        elif _WRONG_SENDER.search(said):
            trouble.next = t("`address` in mail.toml must belong to this account")
        elif trouble.failure in ("refused", "account"):
            trouble.next = t("find out from your provider why it does not let you send, or use another account")
        else:
            trouble.next = t("run it again later")
        raise


def _to_ourselves(settings: Settings, id: str) -> bytes:
    """A short test mail that no office answers."""
    from email.message import EmailMessage
    from email.policy import SMTP

    mail = EmailMessage(policy=SMTP)
    mail["From"] = mail["To"] = settings.address
    mail["Subject"] = w("your office can send mails")
    mail["Message-ID"] = f"<{id}@{settings.address.rpartition('@')[2]}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail[OWN_HEADER] = "test"
    mail.set_content(w("`referee` sent this to test your settings. There is nothing to do.") + "\n")
    return bytes(mail)


def _coming_back(settings: Settings, id: str) -> Iterator[Tried]:
    """Wait until the test mail can be fetched. Whoever does not want to wait any longer interrupts it."""
    source, end = settings.fetch, time.monotonic() + COMES_BACK
    with servers.imap(source) as box:
        yield Tried(True, t("waiting for the test mail (Ctrl-C: stop waiting)"))
        try:
            while not (found := _find(box, id)) and time.monotonic() < end:
                time.sleep(LOOK_AGAIN)
                box.client.noop()
        except KeyboardInterrupt:
            found = b""
        if found:
            yield Tried(True, t("fetched it again: mails come in and go out"))
            return
        elsewhere = _elsewhere(box, source, id)
    if elsewhere:
        folder, here = files.printable(elsewhere), files.printable(source.folder)
        why = t("the test mail is in the folder {folder}, not in {here}", folder=quoted(folder), here=quoted(here))
        advice = t("make a rule that such mails are not spam, or name that folder: folder = ...")
        raise MailTrouble(why, advice, code="lost")
    why = t("the test mail does not come back")
    how = t(
        "look in the mailbox of {address}: mails may take some minutes, or go to another account or folder; then test "
        "again",
        address=settings.address,
    )
    raise MailTrouble(why, how, code="lost")


def _find(box: "BaseMailBox", id: str) -> bytes:
    """The head of the test mail, if it is in the folder that is open."""
    _, found = box.client.uid("SEARCH", "HEADER", "Message-ID", f'"{id}"')
    for uid in b" ".join(part for part in found if isinstance(part, bytes)).split():
        _, parts = box.client.uid("FETCH", uid.decode(), "(BODY.PEEK[HEADER])")
        for part in parts:
            if isinstance(part, tuple) and id.encode() in part[1]:
                return bytes(part[1])
    return b""


def _elsewhere(box: "BaseMailBox", source: Fetch, id: str) -> str:
    """Another folder of the account that has the test mail; empty if there is none."""
    from imap_tools.errors import ImapToolsError

    for folder in box.folder.list():
        if folder.name == source.folder:
            continue
        try:
            box.folder.set(folder.name, readonly=True)
        except ImapToolsError:
            continue  # a folder of folders
        if _find(box, id):
            return str(folder.name)
    return ""
