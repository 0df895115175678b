"""The story as sentences."""

from typing import Any

from referee.game import Note
from referee.language import Catalogue, Wording, listed, mark

from .types import Deal

t, w = Catalogue("referee.games.weg_zum_erfolg"), Wording("referee.games.weg_zum_erfolg")


def tell(terms: Deal, note: Note) -> str:
    """One line; `@2` stands for the name of seat 2."""
    v, line = note.values, LINES[note.what]
    values: dict[str, object] = {name: _shown(name, value) for name, value in v.items()}
    match note.what:
        case "start":
            throws = (w("@{seat} throws {number}", seat=seat, number=number) for seat, number in v["throws"])
            values["thrown"] = ", ".join(throws)
        case "beats" if v["whose"] == v["seat"]:
            line = mark("@{seat} beats a piece of their own on {at}")
        case "question" | "head":
            values["first"], values["second"] = v["dice"]
            values["sum"] = sum(v["dice"])
        case "chance" | "success":
            cards = getattr(terms.edition, note.what)
            values["text"] = next(w(card.text) for card in cards if card.id == v["card"])
        case "end":
            return w.plural(
                "the game is over; the most points: {winners} with {n} point",
                "the game is over; the most points: {winners} with {n} points",
                v["points"],
                winners=listed(f"@{seat}" for seat in v["winners"]),
            )
    return w(line, **values)


def _shown(name: str, value: Any) -> str:
    if name == "way":
        return w(value)
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


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
LINES = {
    "start": mark("to decide who starts, {thrown}"),
    "starts": mark("@{seat} starts"),
    "misses": mark("@{seat} misses a turn"),
    "throws for a 6": mark("@{seat} throws {dice} for a 6"),
    "throws": mark("@{seat} throws {number}"),
    "throws in vain": mark("@{seat} throws {number}, which no piece can use"),
    "enters": mark("@{seat} sets a piece on {at} and throws {number} for it"),
    "waits": mark("@{seat} brings in no piece"),
    "moves": mark("@{seat} moves from {start} to {end}"),
    "stays": mark("@{seat} cannot go {way} so far and stays on {at}"),
    "beats": mark("@{seat} beats a piece of @{whose} on {at}"),
    "turns back": mark("@{seat} turns back on {at} and goes {way}"),
    "has no card": mark("@{seat} has no card left for {at}"),
    "leaves it": mark("@{seat} does not try for success on {at}"),
    "question": mark("@{seat} throws {first} + {second} = {sum} on {at} and needs {needed}"),
    "ties": mark("@{seat} and @{other} both throw {number} and throw again"),
    "contests": mark("@{seat} contests {at} with @{other}: {mine} to {theirs}"),
    "head": mark("@{seat} throws {first} + {second} = {sum} on {at}, to be made of cards"),
    "intervenes": mark("@{seat} intervenes with {card}"),
    "cannot": mark("@{seat} has no cards that make {target}"),
    "gives up": mark("@{seat} plays no card"),
    "solves": mark("@{seat} plays {cards} and makes {target}"),
    "succeeds": mark("@{seat} succeeds and goes {way}"),
    "fails": mark("@{seat} fails and goes {way}"),
    "chance": mark("@{seat} draws: {text}"),
    "goes": mark("@{seat} goes to {at}"),
    "finds nobody": mark("@{seat} finds nobody to swap places with"),
    "swaps": mark("@{seat} swaps places with @{other}: {mine} for {theirs}"),
    "loses": mark("@{seat} loses a {card}"),
    "loses nothing": mark("@{seat} has no card to lose"),
    "success": mark("@{seat} draws: {text}"),
    "home": mark("@{seat} is home on {at} and scores {points}"),
    "out": mark("a piece of @{seat} leaves the game from {at}"),
    "lays": mark("@{seat} lays a chip face down below {at}"),
    "swaps chips": mark("@{seat} swaps the chips of {one} and {other}"),
    "end": "",
}
"""What happened -> its sentence, with values in curly brackets; the end has one in the singular, too (see `tell`)."""
