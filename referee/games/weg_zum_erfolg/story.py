"""The story as sentences."""

from collections.abc import Callable, Mapping
from typing import Any

from referee.game import Note

from .types import Deal

Values = Mapping[str, Any]


def tell(terms: Deal, note: Note) -> str:
    """One line; `@2` stands for the name of seat 2."""
    line = LINES[note.what]
    if isinstance(line, str):
        return line.format_map({name: _shown(value) for name, value in note.values.items()})
    return line(terms, note.values)


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _start(_: Deal, v: Values) -> str:
    return "for the start " + ", ".join(f"@{seat} throws {number}" for seat, number in v["throws"])


def _end(_: Deal, v: Values) -> str:
    points = f"{v['points']} point{'' if v['points'] == 1 else 's'}"
    return f"the game is over: {' and '.join(f'@{seat}' for seat in v['winners'])} with {points}"


def _beats(_: Deal, v: Values) -> str:
    beaten = "an own piece" if v["whose"] == v["seat"] else f"a piece of @{v['whose']}"
    return f"@{v['seat']} beats {beaten} on {v['at']}"


def _thrown(v: Values) -> str:
    first, second = v["dice"]
    return f"@{v['seat']} throws {first} + {second} = {first + second} on {v['at']}"


def _chance(terms: Deal, v: Values) -> str:
    return f"@{v['seat']} draws: {next(card.text for card in terms.edition.chance if card.id == v['card'])}"


def _success(terms: Deal, v: Values) -> str:
    return f"@{v['seat']} draws: {next(card.text for card in terms.edition.success if card.id == v['card'])}"


LINES: Mapping[str, str | Callable[[Deal, Values], str]] = {
    "start": _start,
    "starts": "@{seat} starts",
    "misses": "@{seat} misses a turn",
    "throws for a 6": "@{seat} throws {dice} for a 6",
    "throws": "@{seat} throws {number}",
    "throws in vain": "@{seat} throws {number}, which no piece can use",
    "enters": "@{seat} sets a piece on {at} and throws {number} for it",
    "moves": "@{seat} moves from {start} to {end}",
    "stays": "@{seat} cannot go {way} so far and stays on {at}",
    "beats": _beats,
    "turns back": "@{seat} turns back on {at} and goes {way}",
    "has no card": "@{seat} has no card left for {at}",
    "leaves it": "@{seat} does not try for success on {at}",
    "question": lambda _, v: f"{_thrown(v)} and needs {v['needed']}",
    "ties": "@{seat} and @{other} both throw {number} and throw again",
    "contests": "@{seat} contests {at} with @{other}: {mine} to {theirs}",
    "head": lambda _, v: f"{_thrown(v)}, to be made of cards",
    "intervenes": "@{seat} intervenes with {card}",
    "cannot": "@{seat} has no cards that make {target}",
    "gives up": "@{seat} plays no card",
    "solves": "@{seat} plays {cards} and makes {target}",
    "succeeds": "@{seat} succeeds and goes {way}",
    "fails": "@{seat} fails and goes {way}",
    "chance": _chance,
    "goes": "@{seat} goes to {at}",
    "finds nobody": "@{seat} finds nobody to swap places with",
    "swaps": "@{seat} swaps places with @{other}: {mine} for {theirs}",
    "loses": "@{seat} loses a {card}",
    "loses nothing": "@{seat} has no card to lose",
    "success": _success,
    "home": "@{seat} is home on {at} and scores {points}",
    "out": "a piece of @{seat} leaves the game from {at}",
    "lays": "@{seat} lays a chip face down below {at}",
    "swaps chips": "@{seat} swaps the chips of {one} and {other}",
    "end": _end,
}
"""What happened -> its sentence, with values in curly brackets, or made by a function."""
