"""What the headers of a mail say: who, to whom, in answer to what, and whether it may be answered at all.

None of it decides about a move: a sender is whatever somebody wrote there.
"""

import re
from email.message import Message

import msgspec

from referee.language import NOTHING, Text
from referee.mail import t
from referee.mail.decode import HEADER_MOST, clean, decoded_header

OWN_HEADER = "X-PBEM-Referee"
"""Every mail of ours has it, so that two offices never talk to each other."""
OURS = t("it is a mail of a referee")
REFERENCES_MOST = 50
RECIPIENTS_MOST = 100

_ID = re.compile(r"<[^<>\s]{1,250}>")
_ADDRESS = re.compile(r"[^\s<>,;:\"()\[\]@]{1,100}@[^\s<>,;:\"()\[\]@]{1,200}")
_RECIPIENTS = ("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To", "Resent-To")
_ROBOT = re.compile(r"(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)\b", re.IGNORECASE)
_SAYS_SO = (
    "X-Autoreply",
    "X-Autorespond",
    "X-Autoresponder",
    "X-Auto-Reply-From",
    "X-Mail-Autoreply",
    "X-Failed-Recipients",
)
_SUBJECT = re.compile(
    r"(?:auto(?:matic)?[- ]?(?:reply|response)|out of (?:the )?office|automatische antwort|abwesenheits\w*"
    r"|automatisch antwoord|afwezig\w*|undelivered mail|undeliverable|mail delivery (?:failed|system)"
    r"|delivery status notification|unzustellbar)\b",
    re.IGNORECASE,
)  # fmt: skip


class Envelope(msgspec.Struct, frozen=True):
    """The headers. `auto` says why the mail must never be answered; it is empty for a person's."""

    sender: str = ""
    reply_to: str = ""
    subject: str = ""
    message_id: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    date: str = ""
    recipients: tuple[str, ...] = ()
    auto: Text = NOTHING


def read_envelope(head: Message) -> Envelope:
    """What the headers say, all of it bounded."""
    subject = decoded_header(raw_header(head, "Subject"))
    sender = _sender(raw_header(head, "From"))
    return Envelope(
        sender=sender,
        reply_to=_sender(raw_header(head, "Reply-To")),
        subject=subject,
        message_id=_first_id(raw_header(head, "Message-ID")),
        in_reply_to=_first_id(raw_header(head, "In-Reply-To")),
        references=tuple(_ID.findall(raw_header(head, "References"))[-REFERENCES_MOST:]),
        date=clean(raw_header(head, "Date")[:HEADER_MOST], 60),
        recipients=_recipients(head),
        auto=_auto(head, sender, subject),
    )


def raw_header(head: Message, name: str) -> str:
    """A header as it stands there; empty if there is none."""
    return str(head.get(name, ""))


def _sender(value: str) -> str:
    """The address in a From. It stands at the end, behind a name of any length, or alone."""
    found = _ADDRESS.findall(value[-HEADER_MOST:])
    return clean(found[-1]) if found else ""


def _first_id(value: str) -> str:
    found = _ID.search(value)
    return found[0] if found else ""


def _recipients(head: Message) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for name in _RECIPIENTS:
        for value in head.get_all(name, [])[:RECIPIENTS_MOST]:
            for address in _ADDRESS.finditer(str(value)[:20_000]):
                found.setdefault(address[0])
                if len(found) == RECIPIENTS_MOST:
                    return tuple(found)
    return tuple(found)


def _auto(head: Message, sender: str, subject: str) -> Text:
    """Why nobody reads an answer to this mail; the surest reasons first."""
    if OWN_HEADER in head:
        return OURS
    submitted = raw_header(head, "Auto-Submitted").strip().lower()
    if submitted and not re.match(r"no\b", submitted):
        return t("a program sent it (Auto-Submitted)")
    if raw_header(head, "Precedence").strip().lower() in ("bulk", "list", "junk", "auto_reply"):
        return t("it is bulk mail (Precedence)")
    for name in ("List-Id", "List-Unsubscribe"):
        if name in head:
            return t("it came through a list ({name})", name=name)
    for name in _SAYS_SO:
        if raw_header(head, name).strip().lower() not in ("", "no"):
            return t("a program answered ({name})", name=name)
    if head.get_content_type() in ("multipart/report", "message/delivery-status", "message/disposition-notification"):
        return t("it is a report about a delivery")
    path = raw_header(head, "Return-Path").strip()
    if path == "<>" or _ROBOT.match(path.lstrip("<")) or _ROBOT.match(sender):
        return t("nobody reads answers to its sender")
    if _SUBJECT.match(subject):
        return t("its subject is that of an automatic answer")
    return NOTHING
