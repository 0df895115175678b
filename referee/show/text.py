"""Words for people: text from others made safe for a terminal, lists, and what somebody is asked for."""

from collections.abc import Sequence

COMMON_CHANCE = "common chance: proves rules and committed chance, not independence"
_BARE = {"ack": "to agree to the game", "link": "to send a bare answer"}


def clean(text: str) -> str:
    """Whatever is not printable is spelled out."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def joined(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def span(minutes: int) -> str:
    """`3 days`, `12 hours`, `90 minutes`."""
    units = {1440: "day", 60: "hour", 1: "minute"}
    size = next(size for size in units if minutes % size == 0)
    count, unit = minutes // size, units[size]
    return f"{count} {unit}{'s' * (count != 1)}"


def kept_keys(names: Sequence[str]) -> str:
    """What everybody is told of the players whose keys the host keeps; empty if there are none."""
    who = joined([clean(name) for name in names])
    whose = f"{who}'s key" if len(names) == 1 else f"the keys of {who}"
    return f"the host declares that it keeps {whose}" if names else ""


def asked_for(what: str) -> str:
    """What a question asks for, in words."""
    return _BARE.get(what, clean(what))
