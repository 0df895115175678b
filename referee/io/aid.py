"""The aid beside a view: what a page needs that has no rules. The host's program makes it, nobody signs it, and no
reader believes it: whoever answers signs the fields, not the labels."""

from collections.abc import Mapping
from typing import Any

import msgspec

from referee.crypto.codec import PROJECT, Hex32
from referee.engine.records import Record
from referee.forms import Moves
from referee.language import ENGLISH

FORMAT = PROJECT + "aid"


class Told(Record, frozen=True):
    """A round in words: what everybody was told, and what the owner of the view alone got to know."""

    round: int
    lines: tuple[str, ...] = ()
    own: tuple[str, ...] = ()


class Aid(Record, frozen=True):
    """For the view of this game, round and seat: forms for every legal answer, the newest rounds in words, a
    picture."""

    format: str
    game: Hex32
    round: int
    seat: int
    title: str
    moves: Moves
    language: str = ENGLISH
    """Of all that is told here: labels, story, picture."""
    sealed: Mapping[str, Any] = {}
    """What a field that is to be sealed is worth where a move leaves it out: it is committed to all the same."""
    together: tuple[tuple[int, int], ...] = ()
    """Pairs of lines of the standing orders that can be said with one answer: their order does not matter."""
    bags: Mapping[str, tuple[str, ...]] = {}
    """What the rules put into each container before the first draw."""
    terms: tuple[str, ...] = ()
    """What everybody agrees to who sends the ack, in words; only before it."""
    told: tuple[Told, ...] = ()
    picture: str = ""
    """The position as an SVG."""


class Round(msgspec.Struct, frozen=True, omit_defaults=True):
    """One round of a game's page: the story, what each player alone got to know, the position, and the picture as
    numbers of pieces."""

    told: tuple[str, ...]
    news: tuple[tuple[int, tuple[str, ...]], ...]
    public: msgspec.Raw
    picture: tuple[int, ...]


class Reading(msgspec.Struct, frozen=True):
    """All that a game's page holds: the file itself, and what the program that made the page adds. Pictures share their
    `pieces`: a picture is some of them, one after the other."""

    file: str
    title: str
    language: str
    """In which the page speaks first."""
    told: str
    """In which the rounds are told and drawn."""
    listed: Mapping[str, tuple[str, ...]]
    """What the entries of some lists in the positions stand for."""
    bags: Mapping[str, tuple[str, ...]]
    rounds: tuple[Round, ...]
    pieces: tuple[str, ...]
