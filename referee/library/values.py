"""Placeholders in suggested commands, as the reader's help calls them, and messages as sentences."""

import re
import sys

from referee.language import ENGLISH, Message, current_language, mark
from referee.library import w

WORDS = (
    mark("ADDRESS", "value"), mark("CLAUSE", "value"), mark("COMMAND", "value"), mark("DIR", "value"),
    mark("FILE", "value"), mark("GAME", "value"), mark("JOIN", "value"), mark("KEY", "value"),
    mark("LEDGER", "value"), mark("LINE", "value"), mark("MOVE", "value"), mark("NAME", "value"),
    mark("NUMBER", "value"), mark("OFFER", "value"), mark("POINTS", "value"), mark("RULING", "value"),
    mark("SPAN", "value"), mark("SPEC", "value"), mark("TABLE", "value"), mark("TEXT", "value"),
    mark("TIME", "value"), mark("TOPIC", "value"), mark("VECTORS", "value"), mark("VIEW", "value"),
    mark("WORDS", "value"),
)  # fmt: skip


def placeholder(value: str) -> str:
    """`FILE...` as the reader's help calls it."""
    if current_language() == ENGLISH:
        return value
    return re.sub("[A-Z]{2,}", lambda found: w.sense("value", found[0]), value)


def sentence(error: Message) -> str:
    """What an error says, as a sentence for people."""
    message = str(error)
    return f"{message[:1].upper()}{message[1:]}."


def as_started(*words: str) -> str:
    """A command to copy, with the path of the program if a shell would not find it by its name."""
    from shlex import quote
    from shutil import which

    program = "referee" if which("referee") else quote(sys.argv[0])
    return f"`{' '.join((program, *map(quote, words)))}`"
