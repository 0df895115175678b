"""The story of a game in sentences."""

from collections.abc import Callable, Mapping
from typing import Any

from referee.game import Note

from .tables import EVENTS, amounts_of, described, named, title, wants
from .types import GOODS, Deal

HALVES = ("", "first", "second")


def tell(terms: Deal, note: Note) -> str:
    """One line of the story; `@2` stands for the name of seat 2."""
    return LINES[note.what](terms, note.values)


def called(face: str, number: int) -> str:
    """A card as players know it: `Razzia`, `offer 3`, `potato`, `2 potatoes`."""
    good = next((good for good in GOODS if good == face), None)
    return named(good, number).removeprefix("1 ") if good else title(face)


def played(terms: Deal, card: str) -> str:
    """A card that is played: `Razzia`, or `offer 3 (4 flour)`."""
    return title(card) + ("" if card in EVENTS else f" ({described(wants(terms, card))})")


def _fields(steps: int) -> str:
    return "1 field" if steps == 1 else f"up to {steps} fields"


def _won(terms: Deal, v: Mapping[str, Any]) -> str:
    winners = " and ".join(f"@{seat}" for seat in v["seats"])
    return f"the game is over, won by {winners} with {v['luxury']}"


LINES: dict[str, Callable[[Deal, Mapping[str, Any]], str]] = {
    "dealt": lambda t, v: (
        f"every player is dealt {v['cards']} black-market cards and {v['goods']} goods cards; @0 starts"
    ),
    "play": lambda t, v: f"@{v['seat']} plays {played(t, v['card'])}",
    "no effect": lambda t, v: f"{played(t, v['card'])} has no effect",
    "trade": lambda t, v: f"@{v['seat']} trades {described(amounts_of(v['goods']))} for {v['paid']}",
    "no trade": lambda t, v: f"@{v['seat']} trades nothing",
    "no goods": lambda t, v: f"@{v['seat']} has no goods to trade",
    "last goods": lambda t, v: f"@{v['seat']} has traded in the last goods card",
    "price": lambda t, v: f"@{v['seat']} moves the price: {v['before']} -> {v['now']}",
    "sits out": lambda t, v: f"@{v['seat']} sits out the rest of the trade round, with {_fields(v['steps'])} a turn",
    "round over": lambda t, v: "the trade round is over",
    "spy": lambda t, v: f"@{v['seat']} spies on @{v['target']}: {described(amounts_of(v['goods']))}",
    "swap": lambda t, v: f"@{v['seat']} swaps {v['number']} goods card{'s' * (v['number'] > 1)} with @{v['target']}",
    "raid": lambda t, v: f"@{v['seat']} raids @{v['target']} for {v['good']}: {v['found'] or 'none'} found",
    "find": lambda t, v: f"@{v['seat']} takes a goods card from the pile for {v['cost']}",
    "collect": lambda t, v: f"@{v['seat']} takes a goods card from @{v['target']}",
    "idle": lambda t, v: f"{v['cards']} cards in a row were played without a goods card traded in",
    "played": lambda t, v: f"{v['cards']} cards were played in this half",
    "half over": lambda t, v: f"the {HALVES[v['half']]} half is over" + "; the goods are shuffled" * (v["half"] == 1),
    "filled": lambda t, v: f"hands are filled up to {v['goods']} goods cards; @{v['start']} starts",
    "won": _won,
}
