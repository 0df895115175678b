"""Boards in the terminal, for games. A line is a list of (text, style), so that alignment never depends on colour."""

import re
from collections.abc import Iterable
from functools import lru_cache
from unicodedata import combining, east_asian_width

from referee.game import Paint

Line = list[tuple[str, str]]
WIDTH = 100
"""Columns a board has where nothing else is said."""


def columns(words: str) -> int:
    """How many columns a terminal needs."""
    return len(words) if words.isascii() else _columns(words)


@lru_cache(maxsize=4096)
def _columns(words: str) -> int:
    """The same few words stand on every board, and each line of it asks again."""
    return sum(0 if combining(sign) else 1 + (east_asian_width(sign) in "WF") for sign in words)


def width(line: Line) -> int:
    """How many columns a line needs."""
    return sum(columns(words) for words, _ in line)


def fitted(words: str, width: int) -> str:
    """Cut or filled to the width."""
    while columns(words) > width:
        words = words[:-1]
    return words + " " * (width - columns(words))


def heading(title: str, width: int = WIDTH) -> Line:
    """A title on a rule across the board."""
    return [("── ", "dim"), (title, "bold"), (" " + "─" * (width - 4 - columns(title)), "dim")]


def strong(words: object, style: str = "bold") -> str:
    """A value that stands out in a sentence, which `styled` takes apart."""
    return f"\1{style}\2{words}\3"


def styled(sentence: str, style: str = "") -> Line:
    """A sentence as a line, in which what is `strong` has its own style."""
    parts = (part.rpartition("\2") for part in re.split("\1|\3", sentence))
    return [(words, inner if found else style) for inner, found, words in parts if words]


def painted(lines: Iterable[Line], paint: Paint, width: int = WIDTH) -> str:
    """The lines as text, each of at most `width` columns and without blanks at its end."""
    return "\n".join(_painted(line, paint, width) for line in lines)


def _painted(line: Line, paint: Paint, left: int) -> str:
    parts = []
    while line and not line[-1][0].strip():
        line = line[:-1]
    for at, (words, style) in enumerate(line):
        words = words.rstrip() if at == len(line) - 1 else words
        words = words if columns(words) <= left else fitted(words, left)
        left -= columns(words)
        parts.append(paint(words, style) if style and words.strip() else words)
    return "".join(parts)
