"""Files that can be compared: each is checked completely, once, when it is read."""

from hashlib import sha256

import msgspec

from referee.crypto.codec import decode, read
from referee.crypto.document import check_body, check_file
from referee.crypto.envelope import Envelope, ident
from referee.engine import records as r
from referee.engine.chain import Followed
from referee.engine.player import Opened, open_view
from referee.errors import Malformed
from referee.evidence.identify import document_kind, other_version, peek
from referee.evidence.replay import open_transcript
from referee.language import t

Loose = r.MoveFile | Envelope
"""A move, a receipt or an extension: it means something only beside a view or a transcript."""


class _Seat(msgspec.Struct, frozen=True):
    """Just enough of a view to tell whose it is."""

    entries: msgspec.Raw
    genesis: msgspec.Raw
    seat: msgspec.Raw = msgspec.Raw(b"public")


def seat_of(data: bytes) -> str:
    """A text that is the same for all views of one seat, without checking; empty for other files."""
    found = peek(data, _Seat)
    return f"{sha256(found.genesis).hexdigest()} {bytes(found.seat)[:9]!r}" if found else ""


class _GameReference(msgspec.Struct, frozen=True):
    """Where a document, or its body, names its game."""

    genesis: Envelope | None = None
    game: str = ""
    body: msgspec.Raw = msgspec.Raw(b"{}")


def game_reference(data: bytes) -> tuple[Envelope | None, str]:
    """The genesis that a document has in it, if any, and the id of the game that it is about; nothing is checked."""
    found = read(data, _GameReference, "this file")
    if found.genesis is None:
        found = read(bytes(found.body), _GameReference, "this file")
    return found.genesis, found.game if found.genesis is None else ident("genesis", bytes(found.genesis.body))


def read_file(data: bytes) -> Opened | Followed | Loose:
    """Any file that can be compared; views and transcripts are checked completely, once."""
    kind = document_kind(data)
    if kind == "view":
        return open_view(data)
    if kind == "transcript":
        return open_transcript(data)
    if kind in ("receipt", "extension"):
        signed = decode(data, Envelope, kind)
        check_body(signed, kind, 1)
        return signed
    if kind == "move":
        move = decode(data, r.MoveFile, "move")
        check_body(Envelope(move.body, move.sig, move.type), "move", 1)
        return move
    if kind == "game":
        why = t("this is a host's game file: it knows every hidden card")
        raise Malformed(
            why, t("do not show it to anyone; compare views, transcripts, moves and receipts"), code="wrong-kind"
        )
    check_file(data, "this file")
    code = "other-version" if other_version(data) else "wrong-kind"
    raise Malformed(t("this file cannot be checked"), t("give transcripts, views, moves or receipts"), code=code)
