"""What a mail of ours consists of, before it is text or HTML: both say the same, because both are made of these."""

import hashlib
import re

import msgspec

from referee.language import NOTHING, Told

_BLOCK = re.compile(r"(pbem)(?=[\s>|:*_=]*referee)", re.IGNORECASE)


class Reader(msgspec.Struct, frozen=True):
    """Whom a mail is for. `way` says how this seat answers: `own` signs, for `kept` the office keeps the key."""

    name: str
    zone: str = "UTC"
    way: str = "own"
    pass_: str = ""
    """The secret code of this seat and turn."""
    reply_to: str = ""
    """The address that answers go to."""
    pictures: bool = True
    aids: bool = True
    """Whether a seat that signs gets what the player's page needs."""
    player: str = ""
    """Who that is in the address book."""
    held: "Held | None" = None
    """What this reader must be told of mails that were not answered."""
    claims: int = 0
    """How many claims about this game came in."""


class Held(msgspec.Struct, frozen=True):
    """How many mails in somebody's name were not answered since then: with the pass of the newest turn, and others."""

    turn: int
    other: int
    since: str
    host: str
    """Whom to tell if somebody else has the pass."""


class Problem(msgspec.Struct, frozen=True):
    """What is wrong with a line that a player wrote, and what to do; without a line, with the whole mail."""

    line: str
    message: Told
    next: Told = NOTHING


class Body(msgspec.Struct, frozen=True):
    """A mail without its head: what it says as text and as HTML, the picture, and JSON documents (name, bytes)."""

    subject: str
    text: str
    html: str
    png: bytes = b""
    files: tuple[tuple[str, bytes], ...] = ()


# --- parts -----------------------------------------------------------------------------------------------------------


class Top(msgspec.Struct, frozen=True):
    """What the mail is about, and what is most urgent of it."""

    title: str
    lines: tuple[str, ...] = ()


class Lines(msgspec.Struct, frozen=True):
    """Sentences under a heading, one a line."""

    heading: str
    lines: tuple[str, ...]


class Row(msgspec.Struct, frozen=True):
    """Something that can be answered. `order` is what to write where it is one answer and nothing is left to say;
    `example` is one of many."""

    words: str
    mark: str = ""
    note: str = ""
    example: str = ""
    order: str = ""


class Rows(msgspec.Struct, frozen=True):
    """Answers under a heading."""

    heading: str
    rows: tuple[Row, ...]
    lines: tuple[str, ...] = ()
    """How to choose one of them."""


class Board(msgspec.Struct, frozen=True):
    """The position: drawn with letters, and as a picture with its description."""

    drawn: str
    png: bytes = b""
    told: str = ""


class Small(msgspec.Struct, frozen=True):
    """What need not be read each time."""

    lines: tuple[str, ...]


Part = Top | Lines | Rows | Board | Small


def picture_id(png: bytes) -> str:
    """The name by which the HTML calls the picture: its own in each mail, because programs keep pictures by name."""
    return f"board-{hashlib.sha256(png).hexdigest()[:16]}@pbem-referee"


def harmless(text: str) -> str:
    """The text, in which no name can pass for the beginning of a block: whoever quotes us would seem to send one."""
    return _BLOCK.sub(r"\1-", text)
