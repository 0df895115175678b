"""Words for people: text from others made safe for a terminal, lists, and what somebody is asked for."""

from collections.abc import Sequence

from referee.game import Result
from referee.language import Wording, listed, t, w

COMMON_CHANCE = t("common chance: proves rules and committed chance, not independence")
_BARE = {"ack": t("to agree to the game"), "link": t("to send a bare answer")}


def clean(text: str) -> str:
    """Whatever is not printable is spelled out."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def span(minutes: int) -> str:
    """`3 days`, `12 hours`, `90 minutes`."""
    if minutes and minutes % 1440 == 0:
        return w.plural("{n} day", "{n} days", minutes // 1440)
    if minutes and minutes % 60 == 0:
        return w.plural("{n} hour", "{n} hours", minutes // 60)
    return w.plural("{n} minute", "{n} minutes", minutes)


def kept_keys(names: Sequence[str]) -> str:
    """What everybody is told of the players whose keys the host keeps; empty if there are none."""
    if not names:
        return ""
    return w.plural(
        "the host declares that it keeps {who}'s key",
        "the host declares that it keeps the keys of {who}",
        len(names),
        who=listed(clean(name) for name in names),
    )


def asked_for(what: str, game_id: str) -> str:
    """What a question asks for, in the words of this game."""
    if what in _BARE:
        return str(_BARE[what])
    from referee.games import module_of

    return clean(Wording(module_of(game_id)).sense("asked", what))


def marked(result: Result, names: Sequence[str]) -> list[str]:
    """The names in seat order; who was out by timeouts at the end is marked."""
    return [w("{name}, out", name=name) if seat in result.out else name for seat, name in enumerate(names)]
