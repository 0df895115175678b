"""The story as sentences."""

from collections.abc import Callable, Mapping
from typing import Any

from referee.game import Note
from referee.language import Catalogue, Wording, listed, mark

from .types import Deal

t, w = Catalogue("referee.games.weg_zum_erfolg"), Wording("referee.games.weg_zum_erfolg")

Values = Mapping[str, Any]


def tell(terms: Deal, note: Note) -> str:
    """One line; `@2` stands for the name of seat 2."""
    line = LINES[note.what]
    if isinstance(line, str):
        return w(line, **{name: _shown(name, value) for name, value in note.values.items()})
    return line(terms, note.values)


def _shown(name: str, value: Any) -> str:
    if name == "way":
        return w(value)
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _start(_: Deal, v: Values) -> str:
    thrown = ", ".join(w("@{seat} throws {number}", seat=seat, number=number) for seat, number in v["throws"])
    return w("for the start {thrown}", thrown=thrown)


def _end(_: Deal, v: Values) -> str:
    return w.plural(
        "the game is over; the most points: {winners} with {n} point",
        "the game is over; the most points: {winners} with {n} points",
        v["points"],
        winners=listed(f"@{seat}" for seat in v["winners"]),
    )


def _beats(_: Deal, v: Values) -> str:
    if v["whose"] == v["seat"]:
        return w("@{seat} beats an own piece on {at}", seat=v["seat"], at=v["at"])
    return w("@{seat} beats a piece of @{whose} on {at}", seat=v["seat"], whose=v["whose"], at=v["at"])


def _thrown(v: Values) -> dict[str, Any]:
    first, second = v["dice"]
    return {"first": first, "second": second, "sum": first + second, "seat": v["seat"], "at": v["at"]}


def _question(_: Deal, v: Values) -> str:
    told = mark("@{seat} throws {first} + {second} = {sum} on {at} and needs {needed}")
    return w(told, needed=v["needed"], **_thrown(v))


def _head(_: Deal, v: Values) -> str:
    return w("@{seat} throws {first} + {second} = {sum} on {at}, to be made of cards", **_thrown(v))


def _chance(terms: Deal, v: Values) -> str:
    text = next(card.text for card in terms.edition.chance if card.id == v["card"])
    return w("@{seat} draws: {text}", seat=v["seat"], text=w(text))


def _success(terms: Deal, v: Values) -> str:
    text = next(card.text for card in terms.edition.success if card.id == v["card"])
    return w("@{seat} draws: {text}", seat=v["seat"], text=w(text))


CARDS = (
    mark("A nod from the porter: 1 field forward."),
    mark("A friend at head office: 2 fields forward."),
    mark("The lift works today: 3 fields forward."),
    mark("You forgot your umbrella: 1 field back."),
    mark("A word too many at lunch: 2 fields back."),
    mark("Your memorandum has been read: 3 fields back."),
    mark("Your diary has a gap: throw again, for any piece."),
    mark("A cure at the seaside: miss a turn."),
    mark("The post has been filled by a nephew: back to the reserve."),
    mark("A reference opens doors: on to the next decision field."),
    mark("A mix-up in the personnel files: swap places with an opposing piece."),
    mark("A hole in the briefcase: lose a card of your choice."),
    mark("Nothing happens, but with dignity."),
    mark("Nobody objects. You have arrived."),
    mark("There has been a mistake. Begin again."),
)
"""What our cards say; those of another box are shown as they are."""
LINES: Mapping[str, str | Callable[[Deal, Values], str]] = {
    "start": _start,
    "starts": mark("@{seat} starts"),
    "misses": mark("@{seat} misses a turn"),
    "throws for a 6": mark("@{seat} throws {dice} for a 6"),
    "throws": mark("@{seat} throws {number}"),
    "throws in vain": mark("@{seat} throws {number}, which no piece can use"),
    "enters": mark("@{seat} sets a piece on {at} and throws {number} for it"),
    "moves": mark("@{seat} moves from {start} to {end}"),
    "stays": mark("@{seat} cannot go {way} so far and stays on {at}"),
    "beats": _beats,
    "turns back": mark("@{seat} turns back on {at} and goes {way}"),
    "has no card": mark("@{seat} has no card left for {at}"),
    "leaves it": mark("@{seat} does not try for success on {at}"),
    "question": _question,
    "ties": mark("@{seat} and @{other} both throw {number} and throw again"),
    "contests": mark("@{seat} contests {at} with @{other}: {mine} to {theirs}"),
    "head": _head,
    "intervenes": mark("@{seat} intervenes with {card}"),
    "cannot": mark("@{seat} has no cards that make {target}"),
    "gives up": mark("@{seat} plays no card"),
    "solves": mark("@{seat} plays {cards} and makes {target}"),
    "succeeds": mark("@{seat} succeeds and goes {way}"),
    "fails": mark("@{seat} fails and goes {way}"),
    "chance": _chance,
    "goes": mark("@{seat} goes to {at}"),
    "finds nobody": mark("@{seat} finds nobody to swap places with"),
    "swaps": mark("@{seat} swaps places with @{other}: {mine} for {theirs}"),
    "loses": mark("@{seat} loses a {card}"),
    "loses nothing": mark("@{seat} has no card to lose"),
    "success": _success,
    "home": mark("@{seat} is home on {at} and scores {points}"),
    "out": mark("a piece of @{seat} leaves the game from {at}"),
    "lays": mark("@{seat} lays a chip face down below {at}"),
    "swaps chips": mark("@{seat} swaps the chips of {one} and {other}"),
    "end": _end,
}
"""What happened -> its sentence, with values in curly brackets, or made by a function."""
