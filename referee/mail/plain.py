"""A mail as plain text: 72 columns, playable alone."""

from collections.abc import Iterator, Sequence
from textwrap import fill

from referee.mail import w
from referee.mail.frame import MARKER
from referee.mail.parts import Board, Lines, Part, Row, Rows, Small, Top, harmless
from referee.show.terminal import wrapped

WIDTH = 72


def plain_text(parts: Sequence[Part]) -> str:
    """The whole text, with our marker line at the top."""
    return harmless("\n\n".join((str(MARKER), *("\n".join(_lines(part)) for part in parts))) + "\n")


def _lines(part: Part) -> Iterator[str]:
    match part:
        case Top(title, lines):
            yield from (_filled(title), *([""] if lines else ()), *map(_filled, lines))
        case Lines(heading, lines):
            yield from (_titled(heading), *(wrapped(line, WIDTH, 2) for line in lines))
        case Rows(heading, rows, lines):
            yield from (_titled(heading), *map(_row, rows), *map(_filled, lines))
        case Board(drawn):
            yield drawn
        case Small(lines):
            yield from map(_filled, lines)


def _titled(heading: str) -> str:
    return _filled(heading if heading.endswith(("?", ")")) else f"{heading}:")


def _filled(line: str) -> str:
    return fill(line, WIDTH, break_on_hyphens=False)


def _row(row: Row) -> str:
    """A number stands before its line, where it can never be a move; an example has a line of its own."""
    note = f"   ({row.note})" if row.note else ""
    told = w("for example: {move}", move=row.example)
    example = f"\n{wrapped(told, WIDTH, 9)}" if row.example else ""
    return f"{row.mark:>5}" + wrapped(f"{row.words}{note}", WIDTH, 7)[5:] + example
