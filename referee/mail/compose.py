"""Mails as bytes: the same head and body always give the same bytes."""

import hashlib
import re
from datetime import datetime
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage, MIMEPart
from email.utils import format_datetime, parsedate_to_datetime
from html import unescape

import msgspec

from referee.errors import Usage
from referee.language import quoted
from referee.mail import t
from referee.mail.body import Body, picture_id
from referee.mail.headers import OWN_HEADER, clean
from referee.mail.lines import html_lines
from referee.mail.settings import ADDRESS

_ID = re.compile(r"<[!-;=?-~]{1,250}>")
_IMAGE = re.compile(r'<img [^<>]*alt="([^"]*)">')
_NO_TEXT = re.compile(rb"\r\nContent-Type: (?:image/png|application/json)")
REFERENCES_MOST = 20
_BODY = policy.SMTP.clone(max_line_length=76)
_HEAD = policy.SMTP.clone(max_line_length=200)
"""The library breaks a long line before its first word, and some programs show the space."""


class Head(msgspec.Struct, frozen=True):
    """Who writes to whom, when, and in answer to what. `sender`, `reply_to` and `to` are plain addresses;
    `message_id`, `in_reply_to` and `references` have angle brackets."""

    id: str
    message_id: str
    sender: str
    to: str
    subject: str
    date: datetime
    reply_to: str = ""
    sender_name: str = ""
    to_name: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()


def compose(head: Head, body: Body) -> bytes:
    """The mail: `multipart/mixed{alternative{text, related{html, png}}, documents}`."""
    page = MIMEPart(policy=_BODY)
    page.set_content(body.html, subtype="html", cte="quoted-printable")
    if body.png:
        cid = f"<{picture_id(body.png)}>"
        page.add_related(body.png, "image", "png", cid=cid, disposition="inline", filename="board.png")
    if not is_id(head.message_id):
        raise Usage(t("this is not a valid Message-ID"), t("write it as <ID@HOST>"))
    # Ids of others are whatever they wrote: invalid ones are left out.
    before = [one for one in head.references if is_id(one)][-REFERENCES_MOST:]
    headers: dict[str, object] = {
        "From": _address(head.sender, head.sender_name),
        "To": _address(head.to, head.to_name),
        "Reply-To": _address(head.reply_to) if head.reply_to else "",
        "Subject": clean(head.subject),
        "Date": format_datetime(head.date),
        "Message-ID": head.message_id,
        "In-Reply-To": head.in_reply_to if is_id(head.in_reply_to) else "",
        "References": " ".join(before),
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        OWN_HEADER: clean(head.id),
    }
    mail = EmailMessage(policy=_BODY)
    for name, value in headers.items():
        if value:
            mail[name] = value
    mail.set_content(body.text, cte="quoted-printable")
    mail.make_alternative()
    mail.attach(page)  # type: ignore[arg-type]
    for name, data in body.files:
        mail.add_attachment(data, "application", "json", filename=name)
    seed = hashlib.sha256(msgspec.json.encode((head.id, body))).hexdigest()[:24]
    for number, part in enumerate(part for part in mail.walk() if part.is_multipart()):
        # No encoded part contains `=_`, so the boundary cannot occur in one.
        part.set_boundary(f"=_{seed}_{number}")
    return mail.as_bytes(policy=_HEAD)


def written_at(mail: bytes, otherwise: datetime) -> datetime:
    """When a mail of ours was written."""
    found = re.search(rb"^Date: ([^\r\n]{10,60})", mail.partition(b"\r\n\r\n")[0], re.MULTILINE)
    try:
        return parsedate_to_datetime(found[1].decode()) if found else otherwise
    except ValueError:
        return otherwise


def readdressed(mail: bytes, to: str) -> bytes:
    """The same mail for another address."""
    head, end, rest = mail.partition(b"\r\n\r\n")
    return re.sub(rb"(?m)^To:.*(?:\r\n[ \t].*)*(?=\r?$)", b"To: " + to.encode(), head, count=1) + end + rest


def is_id(text: str) -> bool:
    """Whether this can be the id of a mail, with its angle brackets."""
    return bool(_ID.fullmatch(text))


def _address(address: str, name: str = "") -> Address:
    if not ADDRESS.fullmatch(address):
        raise Usage(
            t("{address} is not a valid email address", address=quoted(address[:60])), t("write it as NAME@HOST")
        )
    return Address(clean(name, 80), addr_spec=address)


def sent_texts(mail: bytes) -> list[list[str]]:
    """What a reply to a mail of ours may quote, each as lines: its text, its HTML, and the description of its picture,
    which some programs quote in place of the picture."""
    # After the texts there are only pictures and documents, which need no parsing.
    parts = [part for part in message_from_bytes(_NO_TEXT.split(mail, 1)[0]).walk() if not part.is_multipart()]
    # The first of each kind: where the mail was cut, another part seems to begin.
    texts = {part.get_content_type(): bytes(part.get_payload(decode=True)).decode() for part in reversed(parts)}
    text, html = texts.get("text/plain", ""), texts.get("text/html", "")
    pictures = [
        line for description in _IMAGE.findall(html) for line in f"[image: {unescape(description)}]".splitlines()
    ]
    return [text.splitlines(), [line.text for line in html_lines(html)], *([pictures] if pictures else [])]
