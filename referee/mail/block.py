"""A document as a block of text that survives mail programs.

    -----BEGIN PBEM REFEREE MOVE-----
    base64, 64 characters a line
    #1a2b3c4d
    -----END PBEM REFEREE MOVE-----

The last line is the beginning of the SHA-256 of the document. It shows damage, and it proves that whatever is done here
to undo the work of mail programs was right: a block is never guessed.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence

import msgspec

from referee.io.files import either
from referee.language import NOTHING, Text
from referee.mail import t
from referee.mail.lines import unescaped

KINDS = ("move", "join", "word", "return", "succession", "offer", "view", "receipt", "transcript")
WIDTH = 64
CHECK = 8
BLOCKS_MOST = 50
"""A mail with more blocks was not written by a player."""
LENGTH_MOST = 12_000_000
"""Characters of one block: 8 MB of document, with room for quoting marks."""

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－⸺⸻"), "-")
_SPACES = dict.fromkeys((0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " ")
_NOTHING = dict.fromkeys((0xAD, 0x61C, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065), 0xFEFF))
PLAIN = {**_DASHES, **_SPACES, **_NOTHING}
"""For `str.translate`: all dashes and spaces become ASCII, and zero-width characters disappear."""

_GAP = r"(?:=3D|[A-Z]{1,3}>|[\s>|:*_=]){0,40}"
# By their names: what follows a name may have been joined to it.
_MARKER = re.compile(rf"(?<![A-Z])(BEGIN|END){_GAP}PBEM{_GAP}REFEREE{_GAP}({'|'.join(KINDS)})", re.IGNORECASE)
_EDGES = " \t\r\n\f\v>|:*-="
_QUOTED = re.compile(r"^(?:[ \t]{0,8}(?:[A-Za-z]{0,3}>|[|:])){1,50}", re.MULTILINE)
_SOFT_BREAK = re.compile(r"=[ \t]*\r?\n")
_ESCAPED = re.compile(r"=(?:20|09|0D|0A|C2|A0|3D)")
_CODE = re.compile(r"[A-Za-z0-9+/=]{20,}|#[0-9A-Fa-f]{8}")
_BODY = re.compile(r"([A-Za-z0-9+/=]*)#([0-9A-Fa-f]*)")


class Block(msgspec.Struct, frozen=True):
    """A block in a text. Without `data` it is damaged, and `why` says how."""

    kind: str
    data: bytes | None
    why: Text = NOTHING


def write_block(kind: str, data: bytes) -> str:
    """Write a document as a block; `kind` is one of `KINDS`."""
    code = base64.b64encode(data).decode()
    lines = [code[at : at + WIDTH] for at in range(0, len(code), WIDTH)]
    name = f"PBEM REFEREE {kind.upper()}"
    return "\n".join((f"-----BEGIN {name}-----", *lines, f"#{_check(data)}", f"-----END {name}-----", ""))


def find_blocks(text: str) -> list[Block]:
    """Find every block in a text, in order, intact or damaged."""
    # Quote marks go first: a program that wraps quoted text leaves them in the middle of lines.
    text = _SOFT_BREAK.sub("", _QUOTED.sub("", unescaped(unescaped(text)).translate(PLAIN)))
    no_end, no_beginning = t("the end of the block is missing"), t("the beginning of the block is missing")
    blocks: list[Block] = []
    begin: re.Match[str] | None = None
    for marker in _MARKER.finditer(text):
        if not _dashed(text, marker):
            continue
        if len(blocks) == BLOCKS_MOST:
            return blocks
        kind, kind_begun = marker[2].lower(), begin[2].lower() if begin else ""
        if marker[1].upper() == "BEGIN":
            if begin:
                blocks.append(Block(kind_begun, None, no_end))
            begin = marker
        elif begin is None:
            blocks.append(Block(kind, None, no_beginning))
        else:
            found = _read(kind_begun, kind, text[begin.end() : marker.start()])
            blocks.append(Block(kind_begun, found) if isinstance(found, bytes) else Block(kind_begun, None, found))
            begin = None
    if begin:
        blocks.append(Block(begin[2].lower(), None, no_end))
    return blocks


def block_lines(lines: Sequence[str]) -> list[int]:
    """The numbers of the lines that belong to blocks. A block without an end ends where it stops looking like one."""
    found: list[int] = []
    inside, last = False, max((at for at, line in enumerate(lines) if _marks(line, "END")), default=-1)
    for at, line in enumerate(lines):
        begins, ends = _marks(line, "BEGIN"), _marks(line, "END")
        if inside and at > last:
            inside = not line.strip() or bool(_CODE.fullmatch(line.strip()))
        if begins or ends or inside:
            found.append(at)
        inside = (inside or begins) and not ends
    return found


def _marks(line: str, side: str) -> bool:
    line = unescaped(line)
    return any(marker[1].upper() == side and _dashed(line, marker) for marker in _MARKER.finditer(line))


def _dashed(text: str, marker: re.Match[str]) -> bool:
    """Whether a marker has a dash on at least one side; without one, somebody is writing about blocks."""
    before = text[max(0, marker.start() - 10) : marker.start()].rstrip()
    return before.endswith("-") or text[marker.end() : marker.end() + 10].lstrip().startswith("-")


def _read(begun: str, ended: str, body: str) -> bytes | Text:
    """Decode a block, or say how it is damaged."""
    if begun != ended:
        return t("the block begins as {begun} and ends as {ended}", begun=either((begun,)), ended=either((ended,)))
    if len(body) > LENGTH_MOST:
        return t("the block is too long")
    # Where a program left quoted-printable undecoded, `=` ends lines and precedes two digits. In base64 `=` is only the
    # padding at the end, so every `=` can go: the length tells how many to add again.
    body = _ESCAPED.sub("=", body.strip(_EDGES))
    found = _BODY.fullmatch("".join(body.replace(">", "").replace("|", "").split()))
    if not found:
        return t("the last line of the block is missing, or the block contains something that does not belong there")
    code = found[1].replace("=", "")
    try:
        data = base64.b64decode(code + "=" * (-len(code) % 4), validate=True)
    except binascii.Error:
        return t("a part of the block is missing")
    good = _check(data) == found[2].lower()
    return data if good else t("a part of the block is missing or was changed on the way")


def _check(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:CHECK]
