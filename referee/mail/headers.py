"""The headers of a mail: sender, recipients, ids, and whether it may be answered at all; and decoding bytes of a mail
to text. Decoding never fails; what was lost is reported.

None of it decides about a move: a sender is whatever somebody wrote there.
"""

import binascii
import codecs
import re
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message

import msgspec

from referee.language import NOTHING, Text
from referee.mail import t

OWN_HEADER = "X-PBEM-Referee"
"""All our mails have it, so that two offices never answer each other."""
OURS = t("it was sent by a referee office")
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

_FAMILIES = re.compile(
    r"ascii|utf-(?:7|8|16|32)(?:-[lb]e)?|iso8859-\d+|cp\d+|koi8-[rtu]|gb\w+|big5\w*|euc_\w+|shift_jis\w*|mac-\w+"
)
"""Python's other codecs are not character sets, or take far too long for a long text."""
_OF_WIDE_UNITS = re.compile(r"utf-(?:7|16|32)")
_BASE64 = re.compile(rb"[A-Za-z0-9+/=\s]*+")
_SPACED = re.compile(rb"\w +\w")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")
_FOLDED = re.compile(r"[\r\n]+[ \t]*")
HEADER_MOST = 4_000


class Headers(msgspec.Struct, frozen=True):
    """The headers. `auto` says why the mail must never be answered; it is empty if a person wrote it."""

    sender: str = ""
    reply_to: str = ""
    subject: str = ""
    message_id: str = ""
    references: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()
    auto: Text = NOTHING


def read_headers(head: Message) -> Headers:
    """Read the headers, within bounds."""
    subject = decoded_header(raw_header(head, "Subject"))
    sender = _sender(raw_header(head, "From"))
    return Headers(
        sender=sender,
        reply_to=_sender(raw_header(head, "Reply-To")),
        subject=subject,
        message_id=next(iter(_ID.findall(raw_header(head, "Message-ID"))), ""),
        references=tuple(_ID.findall(raw_header(head, "References"))[-REFERENCES_MOST:]),
        recipients=_recipients(head),
        auto=_auto(head, sender, subject),
    )


def raw_header(head: Message, name: str) -> str:
    """A header, undecoded; empty if there is none."""
    return str(head.get(name, ""))


def _sender(value: str) -> str:
    """The address in a From header: at the end, after a name of any length, or alone."""
    found = _ADDRESS.findall(value[-HEADER_MOST:])
    return clean(found[-1]) if found else ""


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
    """Why nobody would read an answer to this mail; the surest reasons first."""
    if OWN_HEADER in head:
        return OURS
    submitted = raw_header(head, "Auto-Submitted").strip().lower()
    if submitted and not re.match(r"no\b", submitted):
        return t("a program sent it (Auto-Submitted)")
    if raw_header(head, "Precedence").strip().lower() in ("bulk", "list", "junk", "auto_reply"):
        return t("it is bulk mail (Precedence)")
    for name in ("List-Id", "List-Unsubscribe"):
        if name in head:
            return t("it came through a mailing list ({name})", name=name)
    for name in _SAYS_SO:
        if raw_header(head, name).strip().lower() not in ("", "no"):
            return t("a program answered ({name})", name=name)
    if head.get_content_type() in ("multipart/report", "message/delivery-status", "message/disposition-notification"):
        return t("it is a delivery report")
    path = raw_header(head, "Return-Path").strip()
    if path == "<>" or _ROBOT.match(path.lstrip("<")) or _ROBOT.match(sender):
        return t("nobody reads replies to its sender")
    if _SUBJECT.match(subject):
        return t("its subject looks like an automatic reply")
    return NOTHING


# --- bytes as text ---------------------------------------------------------------------------------------------------


def decoded_text(data: bytes, charset: str, troubles: list[Text]) -> str:
    """The text. Nearly nothing but UTF-8 is valid UTF-8 by accident, so that goes before what the mail claims."""
    name = _codec(charset, troubles)
    if not _OF_WIDE_UNITS.match(name):
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            pass
    # What calls itself Latin-1 or ASCII is cp1252 in fact, as in every browser.
    name = "cp1252" if name in ("ascii", "iso8859-1") else name
    try:
        return data.decode(name)
    except (UnicodeError, ValueError):
        troubles.append(t("some characters cannot be read: the mail names the wrong character set"))
    return data.decode("cp1252" if name == "utf-8" else name, "replace")


def _codec(charset: str, troubles: list[Text]) -> str:
    try:
        name = codecs.lookup(charset[:40] or "utf-8").name
    except (LookupError, ValueError):
        name = ""
    if _FAMILIES.fullmatch(name):
        return name
    troubles.append(t("the mail has an unknown character set; it is read as UTF-8"))
    return "utf-8"


def undone(data: bytes, encoding: str, troubles: list[Text]) -> bytes:
    """Undo the transfer encoding; if it is wrong or unknown, return the bytes unchanged."""
    encoding = encoding.strip().lower()
    if encoding == "quoted-printable":
        return binascii.a2b_qp(data)
    if encoding == "base64":
        return _from_base64(data, troubles)
    if encoding not in ("", "7bit", "8bit", "binary"):
        troubles.append(t("a part has an unknown transfer encoding; it is read unchanged"))
    return data


def _from_base64(data: bytes, troubles: list[Text]) -> bytes:
    found = _BASE64.match(data)
    code = found[0] if found else b""
    if 2 * len(code) < len(data) or _SPACED.search(code.split(b"\n", 1)[0]):
        troubles.append(t("a part claims to be base64 but is not; it is read unchanged"))
        return data
    if len(code) < len(data):
        # List servers append their footer after the base64.
        code = code[: code.rfind(b"\n") + 1] or code
        troubles.append(t("there is extra text after a part; it was not read"))
    code = b"".join(code.replace(b"=", b"").split())
    code = code[: len(code) - (len(code) % 4 == 1)]
    return binascii.a2b_base64(code + b"=" * (-len(code) % 4))


def decoded_header(value: str) -> str:
    """A header as a person reads it, on one line; only the beginning of a very long one."""
    value = _FOLDED.sub(" ", value[:HEADER_MOST])
    try:
        pieces = decode_header(value)
    except (HeaderParseError, ValueError, LookupError):
        return clean(value)
    lost: list[Text] = []
    texts = [
        piece if isinstance(piece, str) else decoded_text(piece, charset or "utf-8", lost) for piece, charset in pieces
    ]
    return clean("".join(texts))


def clean(text: str, most: int = 300) -> str:
    """A text on one line, without control characters and marks that reverse the direction of writing."""
    return _CONTROL.sub(" ", text).strip()[:most]
