"""Reports that a mail could not be delivered (RFC 3464). Anybody can write one: what counts is which mail it names."""

import re
from email.message import Message

import msgspec

from referee.mail.headers import clean

READ_MOST = 1_000_000
IDS_MOST = 20

_FAILED = re.compile(rb"^Action:[ \t]*failed\b", re.IGNORECASE | re.MULTILINE)
_WHY = re.compile(rb"^(?:Diagnostic-Code:[ \t]*(?:smtp;)?|Status:)[ \t]*([^\r\n]{1,300})", re.IGNORECASE | re.MULTILINE)
_ID = re.compile(
    rb"^[> \t]{0,4}Message-ID:[ \t]*(?:\r?\n[ \t]{1,9})?<([!-;=?A-~]{1,250})@[^<>\s]{1,250}>",
    re.IGNORECASE | re.MULTILINE,
)


class Returned(msgspec.Struct, frozen=True):
    """Which mails came back, by their Message-IDs without the domain, and why, as the report has it."""

    ids: tuple[str, ...]
    why: str


def returned(raw: bytes, head: Message) -> Returned | None:
    """What a report says that a mail was not delivered for good; None for everything else, above all for a report that
    it will come later. Programs that know no reports name the address that failed in a header."""
    text = raw[:READ_MOST]
    report = head.get_content_type() == "multipart/report" and _FAILED.search(text)
    if not report and "X-Failed-Recipients" not in head:
        return None
    ids = dict.fromkeys(found.decode() for found in _ID.findall(text))
    why = max((found.decode("utf-8", "replace") for found in _WHY.findall(text)), key=len, default="")
    return Returned(tuple(ids)[:IDS_MOST], clean(why, 200))
