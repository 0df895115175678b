"""Words that several modules share: safe text, spans of time, kept keys, what a seat is asked for, time banks."""

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from referee.game import Result
from referee.language import Text, listed, printable, t, w

if TYPE_CHECKING:
    from referee.engine.player import Opened
    from referee.engine.table import Table

PUBLIC_KEYS = t("a game of a tournament of bots: its keys are public when that is over, and only its ledger binds it")
COMMON_CHANCE = t("common chance: proves rules and committed chance, not independence")
clean = printable
"""Other people's text, made safe for a terminal."""
_BARE = {"ack": t("to agree to the game"), "link": t("to send a confirmation")}


def span(minutes: int) -> str:
    """`3 days`, `12 hours`, `90 minutes`."""
    if minutes and minutes % 1440 == 0:
        return w.plural("{n} day", "{n} days", minutes // 1440)
    if minutes and minutes % 60 == 0:
        return w.plural("{n} hour", "{n} hours", minutes // 60)
    return w.plural("{n} minute", "{n} minutes", minutes)


def kept_keys(names: Sequence[str]) -> str:
    """That the host keeps the keys of these players; empty if there are none."""
    if not names:
        return ""
    return w.plural(
        "the host declares that it keeps {who}'s key",
        "the host declares that it keeps the keys of {who}",
        len(names),
        who=listed(clean(name) for name in names),
    )


def declared_at(table: "Table") -> list[str]:
    """What everybody at a table is told about chance and keys."""
    kept = kept_keys([table.names[seat] for seat in table.kept])
    common = [str(COMMON_CHANCE)] if table.offer.chance else []
    return [*common, *([kept] if kept else []), *([str(PUBLIC_KEYS)] if table.offer.stage else [])]


def asked_for(what: str, game_id: str) -> str:
    """What a question asks for, in the words of this game."""
    if what in _BARE:
        return str(_BARE[what])
    from referee.games import module_of

    return clean(str(Text(module_of(game_id), what, context="asked")))


def scored(game_id: str, score: Sequence[int]) -> str:
    """What a player reached, in the words of the game's own board (`board.score`), if it has them."""
    from referee.games import module_of

    try:
        score_text = import_module(f"{module_of(game_id)}.board").score
    except (ImportError, AttributeError):
        return w("score {numbers}", numbers=", ".join(map(str, score)))
    return ", ".join(clean(score_text(*score)).strip().split("  "))  # a board sets its columns apart


def marked(result: Result, names: Sequence[str]) -> list[str]:
    """The names in seat order; players who were out because of timeouts at the end are marked."""
    return [w("{name}, out", name=name) if seat in result.out else name for seat, name in enumerate(names)]


# --- time banks ------------------------------------------------------------------------------------------------------


def banks_in_words(opened: "Opened", names: Sequence[str]) -> list[str]:
    """What is left to each seat, and what this seat's last answer used; nothing in a game without banks."""
    bank = opened.chain.checkpoint.state.bank
    if not bank:
        return []
    left = ", ".join(f"{name} {span(minutes)}" for name, minutes in zip(names, bank, strict=True))
    last = last_answered(opened)
    return [w("Left in the time banks: {banks}.", banks=left), *bank_payments_in_words(opened, [last] if last else [])]


def last_answered(opened: "Opened") -> int:
    """The last round that has an answer of this view's seat; 0 if none has."""
    rounds = (one.entry for one in reversed(opened.chain.rounds))
    return next((entry.round for entry in rounds if any(one.seat == opened.seat for one in entry.answers)), 0)


def bank_payments_in_words(opened: "Opened", rounds: Iterable[int]) -> Iterator[str]:
    """What this seat's bank paid in these rounds, since its player took the seat. Only the host says how late an answer
    was, so the player's program reports what it cost."""
    since = max((one.since for one in opened.chain.checkpoint.state.holders if one.seat == opened.seat), default=0)
    for number in rounds:
        one = opened.chain.rounds[number - 1]
        taken = dict(one.entry.used).get(opened.seat, 0)
        if taken and number > since:
            yield w(
                "According to the host, your answer in round {round} was late: your time bank paid {span} and has "
                "{left} left.",
                round=number,
                span=span(taken),
                left=span(one.checkpoint.state.bank[opened.seat]),
            )
