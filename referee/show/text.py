"""Words for people: text from others made safe for a terminal, lists, and what somebody is asked for."""

from collections.abc import Sequence

_BARE = {"ack": "to agree to the game", "link": "to send a bare answer"}


def clean(text: str) -> str:
    """Whatever is not printable is spelled out."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def joined(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def asked_for(what: str) -> str:
    """What a question asks for, in words."""
    return _BARE.get(what, clean(what))
