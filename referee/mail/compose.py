"""Mails as bytes: the same head and body always give the same bytes."""

import hashlib
import re
from base64 import encodebytes
from binascii import a2b_qp, b2a_qp
from collections.abc import Sequence
from datetime import datetime
from email import policy
from email.headerregistry import Address
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
REFERENCES_MOST = 20
LINE_MOST = 200
_HEAD = policy.SMTP.clone(max_line_length=LINE_MOST)
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
    """The mail: `multipart/mixed{alternative{text, related{html, png}}, documents}`. It is put together by hand, which
    takes a tenth of the time that the library needs; headers that need more than plain ASCII are the library's."""
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
        "MIME-Version": "1.0",
    }
    seed = hashlib.sha256(msgspec.json.encode((head.id, body))).hexdigest()[:24]
    written = b"".join(_header(name, value) for name, value in headers.items() if value)
    return written + _content(body, seed)


def _header(name: str, value: object) -> bytes:
    text = str(value)
    if text.isascii() and text.isprintable() and len(name) + len(text) < LINE_MOST:
        return f"{name}: {text}\r\n".encode()
    folded: str = _HEAD.header_factory(name, value).fold(policy=_HEAD)
    return folded.encode()


def _content(body: Body, seed: str) -> bytes:
    """Everything from the type of the whole mail on. No encoded part contains `=_`, so no boundary can occur in one."""
    page = _text("html", body.html)
    if body.png:
        shown = f'inline; filename="board.png"\r\nContent-ID: <{picture_id(body.png)}>'
        page = _several("related", f"=_{seed}_2", [page, _data("image/png", shown, body.png)])
    inner = f"=_{seed}_{1 if body.files else 0}"
    content = _several("alternative", inner, [_text("plain", body.text), page])
    files = [_data("application/json", f'attachment; filename="{name}"', data) for name, data in body.files]
    return _several("mixed", f"=_{seed}_0", [content, *files]) if files else content


def _several(kind: str, boundary: str, parts: Sequence[bytes]) -> bytes:
    mark = boundary.encode()
    inside = b"".join(b"--%b\r\n%b\r\n" % (mark, part) for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'.encode() + inside + b"--%b--\r\n" % mark


def _text(kind: str, text: str) -> bytes:
    head = f'Content-Type: text/{kind}; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'
    lines = text if text.endswith("\n") else f"{text}\n"
    return head.encode() + b2a_qp(lines.replace("\r\n", "\n").replace("\n", "\r\n").encode())


def _data(kind: str, shown: str, data: bytes) -> bytes:
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: {shown}\r\n\r\n"
    return head.encode() + encodebytes(data).replace(b"\n", b"\r\n")


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
    text, html = (_sent_part(mail, kind) for kind in (b"plain", b"html"))
    pictures = [
        line for description in _IMAGE.findall(html) for line in f"[image: {unescape(description)}]".splitlines()
    ]
    return [text.splitlines(), [line.text for line in html_lines(html)], *([pictures] if pictures else [])]


def _sent_part(mail: bytes, kind: bytes) -> str:
    """The text of this kind in a mail of ours: `compose` writes its head, and no boundary occurs in it."""
    found = re.search(rb"\r\nContent-Type: text/%b;[^\r]*\r\n(?:[^\r]+\r\n)*\r\n(.*?)\r\n--=_" % kind, mail, re.DOTALL)
    return a2b_qp(found[1]).decode() if found else ""
