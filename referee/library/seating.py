"""What somebody who sits at a table is told, as data: the same of a signed game and of practice."""

import msgspec

from referee.forms import Choice
from referee.library.data import Json
from referee.page.aid import RoundStory


class Look(msgspec.Struct, frozen=True):
    """What a table shows after a round."""

    title: str
    names: tuple[str, ...]
    seat: int
    round: int
    """The one that is shown."""
    rounds: int
    """How many are over."""
    picture: str
    """An SVG; empty before anything is dealt."""
    language: str
    """Of the picture and of the story."""
    told: tuple[RoundStory, ...]
    asked: str
    """What this seat is asked for, in a word; empty if it is not asked."""
    question: str
    """The same in words."""
    state: tuple[str, ...] = ()
    """Who must act, or how the game ended."""
    terms: tuple[str, ...] = ()
    """What the first answer agrees to."""
    advice: tuple[str, ...] = ()
    """The text of a guided opening for this moment."""
    proposed: Json = None
    """The move that it proposes."""
    signs: bool = True
    """Whether answers are signed; in practice they are played at once."""
    undo: bool = False
    """Whether there is a move that can be taken back."""


class Verdict(msgspec.Struct, frozen=True):
    """What was checked of a game before it is shown."""

    code: str
    """`ok`, or `practice`, where there is nothing to check."""
    line: str
    more: tuple[str, ...] = ()


class Answer(msgspec.Struct, frozen=True):
    """An answer that the rules allow: as data, and in words what is signed and what it does at once."""

    move: Json
    standing: Json
    words: tuple[str, ...]
    effects: tuple[str, ...] = ()


class Orders(msgspec.Struct, frozen=True):
    """Standing orders beside an answer."""

    now: tuple[str, ...]
    """What holds before it."""
    changes: tuple[str, ...]
    """What it changes, in words."""
    choices: tuple[Choice, ...]
    """What can be given or taken back after that."""


class Sent(msgspec.Struct, frozen=True):
    """What became of an answer: a file for the host, perhaps with a reply for the mail program; in practice nothing."""

    file: str = ""
    reply: str = ""
    next: str = ""
