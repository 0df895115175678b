"""What a file is, and every file that can be a proof: checked completely, once, when it is read."""

from hashlib import sha256

import msgspec

from referee.crypto.codec import PROJECT, decode, read
from referee.crypto.envelope import Envelope, ident
from referee.engine import records as r
from referee.engine.chain import Followed
from referee.engine.player import Opened, open_view
from referee.errors import Malformed
from referee.evidence.replay import open_transcript

Loose = r.MoveFile | Envelope
"""A move or a receipt: it means something only beside a view or a transcript."""


NAME_MOST = 60
"""Bytes of the longest name that a document can call itself, and some."""
_NONE = msgspec.Raw(b'""')


class _Kind(msgspec.Struct):
    """Just enough of a document to tell what it is. Nothing else of it is kept: whoever made it may want it to be
    large."""

    format: msgspec.Raw = _NONE
    type: msgspec.Raw = _NONE


def name_of(data: bytes) -> str:
    """What a document calls itself, `pbem-referee/1/view`; empty if it does not."""
    try:
        found = msgspec.json.decode(data, type=_Kind)
        if len(found.format) > NAME_MOST or len(found.type) > NAME_MOST:
            return ""
        names = [msgspec.json.decode(name, type=str) for name in (found.format, found.type)]
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return ""
    return names[0] or names[1]


def kind_of(data: bytes) -> str:
    """`transcript`, `view`, `game`, `receipt`, `move`, `offer`...; empty if it is none of ours."""
    name = name_of(data)
    return name.removeprefix(PROJECT) if name.startswith(PROJECT) else ""


class _Seat(msgspec.Struct):
    """Just enough of a view to tell whose it is."""

    genesis: msgspec.Raw
    seat: msgspec.Raw


def seat_of(data: bytes) -> str:
    """Whatever is the same for the views of one seat, at a glance; empty for all else."""
    try:
        found = msgspec.json.decode(data, type=_Seat)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return ""
    return f"{sha256(found.genesis).hexdigest()} {bytes(found.seat)[:9]!r}"


class _About(msgspec.Struct):
    """Where a document, or its body, names its game."""

    genesis: Envelope | None = None
    game: str = ""
    body: msgspec.Raw = msgspec.Raw(b"{}")


def about(data: bytes) -> tuple[Envelope | None, str]:
    """The genesis that a document has in it, if any, and the id of the game that it is about; nothing is checked."""
    found = read(data, _About, "this file")
    if found.genesis is None:
        found = read(bytes(found.body), _About, "this file")
    return found.genesis, found.game if found.genesis is None else ident("genesis", bytes(found.genesis.body))


def read_file(data: bytes) -> Opened | Followed | Loose:
    """Any file that can be compared; views and transcripts are checked completely, once."""
    kind = kind_of(data)
    if kind == "view":
        return open_view(data)
    if kind == "transcript":
        return open_transcript(data)
    if kind == "receipt":
        return decode(data, Envelope, "receipt")
    if kind == "move":
        return decode(data, r.MoveFile, "move")
    if kind == "game":
        raise Malformed(
            "this is a host's game file: it knows every hidden card",
            "show it to nobody; compare views, transcripts, moves and receipts",
            code="wrong-kind",
        )
    raise Malformed("this file cannot be checked", "give transcripts, views, moves or receipts", code="wrong-kind")
