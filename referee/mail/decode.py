"""Bytes of a mail as text. Whatever they claim to be, something comes out, and what was lost is told."""

import binascii
import codecs
import re
from email.errors import HeaderParseError
from email.header import decode_header

from referee.language import Text
from referee.mail import t

_FAMILIES = re.compile(
    r"ascii|utf-(?:7|8|16|32)(?:-[lb]e)?|iso8859-\d+|cp\d+|koi8-[rtu]|gb\w+|big5\w*|euc_\w+|shift_jis\w*|mac-\w+"
)
"""Other codecs of Python are no character sets, or take far too long for a long text."""
_OF_WIDE_UNITS = re.compile(r"utf-(?:7|16|32)")
_BASE64 = re.compile(rb"[A-Za-z0-9+/=\s]*+")
_SPACED = re.compile(rb"\w +\w")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")
_FOLDED = re.compile(r"[\r\n]+[ \t]*")
HEADER_MOST = 4_000


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
        troubles.append(t("some characters cannot be read: the mail does not say rightly how they are written"))
    return data.decode("cp1252" if name == "utf-8" else name, "replace")


def _codec(charset: str, troubles: list[Text]) -> str:
    try:
        name = codecs.lookup(charset[:40] or "utf-8").name
    except (LookupError, ValueError):
        name = ""
    if _FAMILIES.fullmatch(name):
        return name
    troubles.append(t("the mail is written in characters that nobody knows; read as UTF-8"))
    return "utf-8"


def undone(data: bytes, encoding: str, troubles: list[Text]) -> bytes:
    """The bytes before their transfer encoding; as they are if that is wrong or unknown."""
    encoding = encoding.strip().lower()
    if encoding == "quoted-printable":
        return binascii.a2b_qp(data)
    if encoding == "base64":
        return _from_base64(data, troubles)
    if encoding not in ("", "7bit", "8bit", "binary"):
        troubles.append(t("a part is packed in a way that nobody knows; read as it is"))
    return data


def _from_base64(data: bytes, troubles: list[Text]) -> bytes:
    found = _BASE64.match(data)
    code = found[0] if found else b""
    if 2 * len(code) < len(data) or _SPACED.search(code.split(b"\n", 1)[0]):
        troubles.append(t("a part claims to be base64 and is not; read as it is"))
        return data
    if len(code) < len(data):
        # List servers write their footer behind the code.
        code = code[: code.rfind(b"\n") + 1] or code
        troubles.append(t("something was written behind a part; that is not read"))
    code = b"".join(code.replace(b"=", b"").split())
    code = code[: len(code) - (len(code) % 4 == 1)]
    return binascii.a2b_base64(code + b"=" * (-len(code) % 4))


def decoded_header(value: str) -> str:
    """A header as a person reads it, on one line; of an endless one only the beginning."""
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
    """On one line, without control characters and marks that turn the direction of writing."""
    return _CONTROL.sub(" ", text).strip()[:most]
