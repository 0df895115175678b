"""Boards in the terminal, for games. A line is a list of (text, style), so that alignment never depends on colour."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from unicodedata import combining, east_asian_width

from referee.game import P, Paint, Result, Seat, Seen

WIDE = 100
"""Columns of a terminal whose width is not known."""

Line = list[tuple[str, str]]
WIDTH = 100
"""Default width of a board in columns."""


def columns(words: str) -> int:
    """How many columns a terminal needs."""
    return len(words) if words.isascii() else _columns(words)


@lru_cache(maxsize=4096)
def _columns(words: str) -> int:
    """Cached: the same few words are on every board, and each line of it asks again."""
    return sum(0 if combining(sign) else 1 + (east_asian_width(sign) in "WF") for sign in words)


def width(line: Line) -> int:
    """How many columns a line needs."""
    return sum(columns(words) for words, _ in line)


def fitted(words: str, width: int) -> str:
    """Cut or filled to the width."""
    while words and columns(words) > width:
        words = words[:-1]
    return words + " " * (width - columns(words))


def heading(title: str, width: int = WIDTH) -> Line:
    """A title on a rule across the board."""
    return [("── ", "dim"), (title, "bold"), (" " + "─" * (width - 4 - columns(title)), "dim")]


def sections(blocks: Mapping[str, Iterable[Line]], width: int) -> Iterator[Line]:
    """Blocks of lines one below the other, each under its title."""
    for title, lines in blocks.items():
        yield heading(title, width)
        yield from lines


def side_by_side(blocks: Sequence[Sequence[Line]], wide: int) -> Iterator[Line]:
    """Blocks of lines side by side, each this wide."""
    nothing: Line = []
    for lines in zip_longest(*blocks, fillvalue=nothing):
        yield [part for line in lines for part in (*line, (" " * (wide - width(line)), ""))]


def wrapped(words: Iterable[tuple[str, str]], room: int, indent: int = 0) -> Iterator[Line]:
    """Words with their styles side by side, on as many lines as they need."""
    line: Line = []
    for word in words:
        if line and width([*line, word]) > room:
            yield line
            line = [(" " * indent, "")]
        line.append(word)
    if line:
        yield line


def widths(heads: Sequence[str], least: Sequence[int]) -> list[int]:
    """How wide columns of numbers are under these heads, with a blank before each."""
    return [max(few, columns(head) + 1) for head, few in zip(heads, least, strict=True)]


def in_columns(cells: Iterable[object], wide: Sequence[int]) -> str:
    """Cells, right-aligned in their columns."""
    return "".join(f"{cell:>{most}}" for cell, most in zip(cells, wide, strict=True))


def seat_name(seen: Seen[P], seat: Seat, name: str) -> Line:
    """A player's name at the start of a line: with a mark if the player is asked, bold for the reader."""
    asked = any(ask.seat == seat for ask in seen.pending)
    return [("► " if asked else "  ", "bold"), (name, "bold" if seat == seen.seat else "")]


def ranking(result: Result, names: Sequence[str], format_line: Callable[..., str]) -> Iterator[Line]:
    """All players in order of rank, with what `format_line` makes of their scores."""
    for rank, seat in sorted(zip(result.ranks, range(len(names)), strict=True)):
        yield [(f"{rank}. {names[seat]}", "bold" if rank == 1 else ""), (format_line(*result.scores[seat]), "")]


def strong(words: object, style: str = "bold") -> str:
    """A value that stands out in a sentence; `styled` splits it off again."""
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
