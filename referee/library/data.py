"""What the library returns: frozen structs that every part of it shares. They load nothing but msgspec."""

from collections.abc import Mapping
from typing import Any

import msgspec

from referee.forms import Choice

Json = Any
"""A JSON value: None, texts, numbers, lists and objects."""


class GameInfo(msgspec.Struct, frozen=True):
    """A game that can be played here."""

    id: str
    title: str
    fewest: int
    """Seats."""
    most: int
    levels: tuple[str, ...]
    """Its own bots, by name."""
    options: Mapping[str, Json]
    """Its options, with their defaults."""

    def __str__(self) -> str:
        return self.title


class Line(msgspec.Struct, frozen=True):
    """A line of the list of legal moves: one move, or a family of moves that a program fills in."""

    number: int
    """From 1. Where it is a single move, `#3` can be typed for the third line."""
    label: str
    """In the current language, with the players' names; of a single move, what can be typed."""
    move: Json
    """The move as data; of a family, one of its moves."""
    choice: Choice
    """All of it as `schemas/MOVES.md` describes it; `referee.forms.build` makes a move of a family."""

    @property
    def single(self) -> bool:
        """Whether this is one move, not a family."""
        return not self.choice.parts

    def __str__(self) -> str:
        return self.label


class ReadMove(msgspec.Struct, frozen=True):
    """An answer that was read, and that the rules allow: `str` says it in words that can be typed."""

    text: str
    move: Json = None
    """The move as data; None where nothing is to be chosen."""
    standing: Json = None
    """The standing orders from now on, as data; None if they stay as they are."""

    def __str__(self) -> str:
        return self.text


class Chapter(msgspec.Struct, frozen=True):
    """What happened in a round, in words of the language that was current when somebody asked, and as data."""

    round: int
    lines: tuple[str, ...]
    notes: tuple[Json, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)


Move = str | Line | ReadMove | Mapping[str, Json]
"""What can be given as a move: typed words, a line of the list, what was read before, or the move as data."""
