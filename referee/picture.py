"""Pictures in the terminal, for games. A line is a list of (text, style), so that alignment never depends on colour."""

from collections.abc import Iterable
from unicodedata import combining, east_asian_width

from referee.game import Paint

Line = list[tuple[str, str]]
WIDTH = 100
"""Columns a picture has where nothing else is said."""


def columns(words: str) -> int:
    """How many columns a terminal needs."""
    if words.isascii():
        return len(words)
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
    """A title on a rule across the picture."""
    return [("── ", "dim"), (title, "bold"), (" " + "─" * (width - 4 - columns(title)), "dim")]


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
