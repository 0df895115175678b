"""Reading a mail within bounds: its headers, what a person sees, and documents of ours. Nothing here raises.

Parts are found by their boundaries as positions in the raw bytes, outermost first, and only what is needed is copied
and decoded. The standard library reads the headers; its parser for whole mails has no bounds.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import collapse_rfc2231_value
from typing import BinaryIO

import msgspec

from referee.io import files
from referee.language import NOTHING, Text
from referee.mail import t
from referee.mail.block import Block, find_blocks
from referee.mail.bounce import Returned, returned
from referee.mail.headers import REPORT, Headers, decoded_header, decoded_text, raw_header, read_headers, undone
from referee.mail.lines import Line, html_lines, plain_lines

MESSAGE_MOST = 32_000_000
MBOX_LINE_MOST = 65_536
HEAD_MOST = 128_000
PART_HEAD_MOST = 16_000
PARAMETERS_MOST = 2_000
DEPTH_MOST = 12
PARTS_MOST = 300
TEXT_MOST = 1_000_000
LINES_MOST = 20_000
ATTACHMENTS_MOST = 20
ATTACHMENT_MOST = 8_000_000
BLOCK_FILE_MOST = 2_000_000
ATTACHMENTS_TOTAL = 16_000_000
"""Bytes of all attachments together: a larger mail was not meant for us."""

_SEALED = frozenset(
    ("application/pkcs7-mime", "application/x-pkcs7-mime", "application/ms-tnef", "application/vnd.ms-tnef",
     "winmail.dat", "smime.p7m")
)  # fmt: skip
"""Types and names of parts that only mail programs of one kind, or those with a key, can unpack."""
_REPORTS = frozenset(("message/disposition-notification", "message/delivery-status"))
_PGP, _PGP_END = re.compile("-----BEGIN PGP MESSAGE-----"), re.compile("-----END PGP MESSAGE-----")
ENCRYPTED = t("the mail is encrypted, and I have no key to read it; send it again without encryption")
OPAQUE = t(
    "the mail is signed in a way that packs its text where I cannot read it (S/MIME, opaque); send it again without a "
    "signature, or signed in clear text"
)
TNEF = t(
    "Outlook packed a part of the mail into winmail.dat, which I cannot read; send it again as plain text or HTML, and "
    "files as ordinary attachments"
)
_HEADER = re.compile(rb"[!-9;-~]{1,100}[ \t]*:")
_BLANK = re.compile(rb"\r?\n\r?\n")
_FROM = re.compile(rb"From \S+ .*\d\d:\d\d")
"""`From anna@example.org Sun Jan  3 10:00:00 2027`; a sentence can also begin with this word."""


class Attachment(msgspec.Struct, frozen=True):
    """A JSON document that came as a file. The name is for people; it is not a path."""

    name: str
    data: bytes


class Letter(msgspec.Struct, frozen=True):
    """A parsed mail. `blocks` are those of the text and of all attachments, each once; `troubles` say what was lost."""

    headers: Headers
    lines: tuple[Line, ...] = ()
    blocks: tuple[Block, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    whole: bool = True
    """Whether `lines` are the whole text."""
    troubles: tuple[Text, ...] = ()
    sealed: Text = NOTHING
    """Why nobody but its recipients' mail programs can read some of it, and what to do."""
    returned: Returned | None = None
    """Which mails of ours came back, if this is a report about that."""


class _Part(msgspec.Struct, frozen=True):
    """A part of the mail: its headers, and where its body is in the raw bytes."""

    head: Message
    begin: int
    end: int
    depth: int


def read_message(raw: bytes) -> Letter:
    """Parse a mail, whatever it contains."""
    reader = _Reader(raw)
    end = min(len(raw), MESSAGE_MOST)
    if end < len(raw):
        reader.lose(t("the mail is too large; only its beginning is read"))
    begin = raw.find(b"\n", 0, 1000) + 1 if raw.startswith(b"From ") else 0
    part = reader.part(begin, end, 0, HEAD_MOST)
    reader.walk(part)
    headers, seen = read_headers(part.head), _without_sealed(reader.lines)
    if len(seen) < len(reader.lines):
        reader.seal(ENCRYPTED)
    return Letter(
        msgspec.structs.replace(headers, auto=REPORT) if reader.reports and not headers.auto else headers,
        tuple(seen),
        tuple(dict.fromkeys((*find_blocks("\n".join(line.text for line in reader.lines)), *reader.blocks))),
        tuple(reader.attachments),
        reader.whole,
        tuple(dict.fromkeys(reader.troubles)),
        reader.sealed,
        returned(raw, part.head),
    )


def mails_in_box(file: BinaryIO, path: str, note: Callable[[Text], None]) -> Iterator[bytes]:
    """The mails of an mbox file, without the `From ` lines between them. `>From ` stays as it is: it may be a line that
    the player wrote or a quoted one, and quoted is the safe reading."""
    parts: list[bytes] = []
    size, blank, begins = 0, True, True
    while line := file.readline(MBOX_LINE_MOST):
        if begins and blank and _FROM.match(line):
            if parts and size <= MESSAGE_MOST:
                yield b"".join(parts)
            parts, size = [], 0
            blank, begins = False, line.endswith(b"\n")
            continue
        size += len(line)
        if size <= MESSAGE_MOST:
            parts.append(line)
        elif parts:
            note(t("skipped a mail in {path}: too large", path=files.printable(path)))
            parts = []
        blank, begins = begins and line in (b"\n", b"\r\n"), line.endswith(b"\n")
    if parts:
        yield b"".join(parts)


class _Reader:
    """Collects what a mail contains, for a `Letter`."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.lines: list[Line] = []
        self.blocks: list[Block] = []
        self.attachments: list[Attachment] = []
        self.whole = True
        self.troubles: list[Text] = []
        self.sealed = NOTHING
        self.reports = False
        """Whether a mail program reports here what became of a mail."""
        self.parts = 0
        self.room = ATTACHMENTS_TOTAL

    def lose(self, what: Text) -> None:
        self.whole = False
        self.troubles.append(what)

    def seal(self, why: Text) -> None:
        self.sealed = why
        self.troubles.append(why)

    # --- structure ---------------------------------------------------------------------------------------------------

    def part(self, begin: int, end: int, depth: int, most: int) -> _Part:
        """Headers and body of the part between two positions. A part that does not begin like a header has none."""
        self.parts += 1
        if self.raw.startswith((b"\n", b"\r\n"), begin, end):
            return _Part(Message(), self.raw.find(b"\n", begin) + 1, end, depth)
        if not _HEADER.match(self.raw, begin, min(end, begin + 200)):
            return _Part(Message(), begin, end, depth)
        blank = _BLANK.search(self.raw, begin, min(end, begin + most))
        stop, body = (blank.start(), blank.end()) if blank else (min(end, begin + most),) * 2
        if not blank and stop < end:
            self.lose(t("the headers never end; the rest is not read"))
            body = end
        return _Part(_head(self.raw[begin:stop]), body, end, depth)

    def walk(self, part: _Part, seen: bool = True) -> None:
        """Read a part and the parts within it; `seen` is off where its text is not what the sender wrote."""
        kind, disposition = part.head.get_content_type(), raw_header(part.head, "Content-Disposition").strip().lower()
        if part.depth >= DEPTH_MOST or self.parts >= PARTS_MOST:
            self.lose(t("the mail has too many nested parts; not all of them are read"))
        elif kind in _SEALED or _file_name(part.head).lower() in _SEALED:
            self.seal(_why_sealed(kind, _file_name(part.head), _param(part.head, "smime-type")))
        elif kind.startswith("multipart/"):
            if kind == "multipart/encrypted":
                self.seal(ENCRYPTED)
            inner, shown = self.divided(part), None
            if inner and kind == "multipart/alternative":
                # Of several alternatives, plain text is read if there is any, else the last.
                plain = (
                    one for one in inner if one.head.get_content_type() == "text/plain" and one.end - one.begin > 4
                )
                shown = next(plain, inner[-1])
            for one in inner:
                self.walk(one, seen and (shown is None or one is shown))
        elif kind in _REPORTS:
            self.reports = self.reports or seen
        elif kind == "message/rfc822":
            self.walk(self.part(part.begin, part.end, part.depth + 1, PART_HEAD_MOST), False)
        elif kind not in ("text/plain", "text/html") or disposition.startswith("attachment") or _file_name(part.head):
            self.attachment(part)
        else:
            self.text(part, kind, seen)

    def divided(self, part: _Part) -> list[_Part]:
        """The parts of a multipart; without a boundary, a single text."""
        boundary = _param(part.head, "boundary").strip().encode("utf-8", "surrogateescape")
        places = self.places(b"--" + boundary[:200], part) if boundary else []
        if not places:
            self.troubles.append(t("the parts of the mail cannot be told apart; it is read as one text"))
            return [_Part(Message(), part.begin, part.end, part.depth + 1)]
        ends = [begin for begin, _ in places[1:]] + [part.end]
        return [
            self.part(begin, end, part.depth + 1, PART_HEAD_MOST)
            for (_, begin), end in zip(places, ends, strict=True)
            if 0 <= begin < end
        ]

    def places(self, sign: bytes, part: _Part) -> list[tuple[int, int]]:
        """Where boundaries begin, and where the parts after them begin; -1 after the last."""
        places: list[tuple[int, int]] = []
        # A multipart has headers, so its body never begins at 0: that is what a failed `find` gives.
        at = part.begin
        if not self.raw.startswith(sign, at, part.end):
            at = self.raw.find(b"\n" + sign, at, part.end) + 1
        for _ in range(PARTS_MOST):
            if not at:
                return places
            stop = self.raw.find(b"\n", at, min(part.end, at + 1000))
            stop = part.end if stop < 0 else stop
            rest = self.raw[at + len(sign) : stop].strip()
            if rest in (b"", b"--"):
                places.append((at, -1 if rest else stop + 1))
            at = self.raw.find(b"\n" + sign, at, part.end) + 1
        self.lose(t("the mail has too many parts; not all of them are read"))
        return places

    # --- content -----------------------------------------------------------------------------------------------------

    def body(self, part: _Part, most: int) -> bytes:
        encoding = raw_header(part.head, "Content-Transfer-Encoding")
        return undone(self.raw[part.begin : min(part.end, part.begin + most)], encoding, self.troubles)

    def text(self, part: _Part, kind: str, seen: bool) -> None:
        if part.end - part.begin > TEXT_MOST and seen:
            self.lose(t("the text is too long; only its beginning is read"))
        text = decoded_text(self.body(part, TEXT_MOST), _param(part.head, "charset"), self.troubles)
        if kind == "text/html":
            lines = html_lines(text)
        else:
            flowed = _param(part.head, "format").lower() == "flowed"
            lines = plain_lines(text, flowed, _param(part.head, "delsp").lower() == "yes")
        if not seen:
            self.blocks += find_blocks("\n".join(line.text for line in lines))
            return
        if len(self.lines) + len(lines) > LINES_MOST:
            self.lose(t("the text has too many lines; only the first are read"))
        self.lines += lines[: LINES_MOST - len(self.lines)]

    def attachment(self, part: _Part) -> None:
        """Keep an attachment that can be a document of ours; ignore all others."""
        name = _file_name(part.head)
        size = part.end - part.begin
        if size > ATTACHMENT_MOST * 3 // 2 or size > self.room:
            self.troubles.append(t("an attachment is too large and was not read"))
            return
        self.room -= size
        data = self.body(part, size).strip(b" \t\r\n").removeprefix(b"\xef\xbb\xbf")
        if len(data) > ATTACHMENT_MOST:
            self.troubles.append(t("an attachment is too large and was not read"))
        elif len(self.attachments) == ATTACHMENTS_MOST:
            self.troubles.append(t("there are too many attachments; only the first are read"))
        elif data.startswith(b"{") and data.endswith(b"}"):
            self.attachments.append(Attachment(name, data))
        elif data.startswith(b"PK\x03\x04"):
            self.troubles.append(t("archives are not read; send the file itself"))
        elif len(data) <= BLOCK_FILE_MOST:
            self.blocks += find_blocks(decoded_text(data, "utf-8", []))


def _why_sealed(kind: str, name: str, form: str) -> Text:
    """Why a part cannot be read."""
    if "tnef" in kind or "winmail" in name.lower():
        return TNEF
    return OPAQUE if form.lower() == "signed-data" else ENCRYPTED


def _without_sealed(lines: Sequence[Line]) -> list[Line]:
    """The lines without those that were encrypted by hand."""
    kept: list[Line] = []
    inside = False
    for line in lines:
        inside = inside or bool(_PGP.search(line.text))
        if not inside:
            kept.append(line)
        inside = inside and not _PGP_END.search(line.text)
    return kept


def _head(raw: bytes) -> Message:
    """Parse headers. Those with parameters are cut: parsing very long ones takes very long."""
    head = BytesHeaderParser().parsebytes(raw)
    for name in ("Content-Type", "Content-Disposition"):
        if len(value := raw_header(head, name)) > PARAMETERS_MOST:
            del head[name]
            head[name] = value[:PARAMETERS_MOST]
    return head


def _param(head: Message, name: str, header: str = "Content-Type") -> str:
    try:
        value = head.get_param(name, "", header)
        return collapse_rfc2231_value(value) if value else ""
    except (ValueError, LookupError, TypeError):
        return ""


def _file_name(head: Message) -> str:
    """The name of an attachment for people, without folders and control characters."""
    name = _param(head, "filename", "Content-Disposition") or _param(head, "name")
    return re.split(r"[/\\:]", decoded_header(name))[-1][:80]
