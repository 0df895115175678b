"""Placeholders in suggested commands: FILE and GAME become the reader's own files, and the key that was named is
added."""

import re

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


def with_key(key: str | None) -> tuple[str, ...]:
    """The words of a command that name the key, if one was given."""
    return () if key is None else ("--key", key)


def sentence(error: Message) -> str:
    """What an error says, as a sentence for people."""
    message = str(error)
    return f"{message[:1].upper()}{message[1:]}."
