"""What a terminal can show: its size, and whether it has colours."""

import os
from typing import TextIO

from referee import columns


def colour(stream: TextIO) -> bool:
    """Whether to colour what goes there."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def height(stream: TextIO) -> int:
    """The lines of a terminal; 0: nobody knows."""
    return _extent(stream, "LINES")


def width(stream: TextIO) -> int:
    """The columns that a picture can use."""
    return _extent(stream, "COLUMNS") or columns.WIDE


def _extent(stream: TextIO, chosen: str) -> int:
    """What the environment says, or what the terminal has; 0 if there is none."""
    said = os.environ.get(chosen, "")
    if said.isascii() and said.isdigit() and int(said):
        return int(said)
    try:
        found = os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):
        return 0
    return found.lines if chosen == "LINES" else found.columns
