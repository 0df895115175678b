"""Standing orders as people type them (LO-25, LO-26): what can be said, `parse` and `text`."""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from referee.errors import IllegalMove
from referee.forms import Amounts, Choice, Limit, Number, Term, family
from referee.games import as_typed
from referee.grammar import seat_of, unread
from referee.language import Wording, mark

from .story import t
from .types import LEVELS, Deal, Words

w = Wording("referee.games.weg_zum_erfolg")

PLAIN: dict[str, dict[str, object]] = {
    mark("decline always"): {"decline": True, "colours": (), "players": (), "cards": None},
    mark("decline ask"): {"decline": False, "colours": (), "players": (), "cards": None},
    mark("no card always"): {"heads": 0},
    mark("1 card always"): {"heads": 1},
    mark("2 cards always"): {"heads": 2},
    mark("cards ask"): {"heads": None},
    mark("try always"): {"attempt": True},
    mark("leave always"): {"attempt": False},
    mark("try ask"): {"attempt": None},
}
"""Phrase -> what it changes."""
SAME = {"none always": "no card always"}
"""What is left of a phrase whose words are of several languages."""
NOTES = {
    "decline always": t("never ask me whether I intervene"),
    "decline ask": t("ask me whether I intervene"),
    "no card always": t("at a head never play a card, and ask nobody"),
    "1 card always": t("at a head play the card that is the target; ask me if I have none, or somebody intervenes"),
    "2 cards always": t("at a head play as few cards as make the target, at most two, the lowest; otherwise ask me"),
    "cards ask": t("ask me at every head"),
    "try always": t("always try for success"),
    "leave always": t("never try for success"),
    "try ask": t("ask me whether I try"),
}
BETWEEN = (
    "on", "or", "and", "against", "when", "if", "the", "mover", "holds", "has", "at", "most", "card", "cards", ",",
)  # fmt: skip
"""Words that stand between exceptions."""
LONGEST = 200
MOST = 400
"""Cards that a mover can be said to hold."""


def legal(terms: Deal, said: Words) -> tuple[Choice, ...]:
    """What can be said or taken back now; an exception is added to those that hold."""
    return tuple(_choices(terms, said))


def _choices(terms: Deal, said: Words) -> Iterator[Choice]:
    for phrase, change in PLAIN.items():
        words = replace(said, **change)
        if words != said and ("attempt" not in change or terms.options.neue_ziele):
            yield Choice(phrase, words, str(NOTES[phrase]))
    seats = {f"@{seat}": 1 for seat in range(terms.seats)}
    base = replace(said, decline=True)
    some = Limit((Term("colours"),), low=1, why=w("name one level at least"))
    colours = Amounts("colours", w("on which levels shall I ask you?"), dict.fromkeys(LEVELS, 1), LEVELS)
    yield _except(replace(base, colours=("blue",)), w("decline except on some levels"), colours, some)
    for seat in seats:
        words = replace(base, players=(int(seat[1:]),))
        if words != said:
            yield Choice(text(words)[0], words, minor=True)
    cards = Number("cards", w("with how many cards of the mover at most?"), 0, MOST)
    yield _except(replace(base, cards=4), w("decline except when the mover holds few cards"), cards)


def _except(words: Words, about: str, part: Amounts | Number, *limits: Limit) -> Choice:
    example = w("for example `{phrase}`", phrase=as_typed("weg-zum-erfolg", text(words)[0]))
    return family(about, words, (part,), example, limits)


def text(words: Words) -> tuple[str, ...]:
    """The phrases in force, each as it can be typed."""
    return tuple(_phrases(words))


def _phrases(words: Words) -> Iterator[str]:
    if words.decline:
        found = [f"on {' or '.join(words.colours)}"] if words.colours else []
        found += [f"against {' or '.join(f'@{seat}' for seat in words.players)}"] if words.players else []
        if words.cards is not None:
            found.append(f"when the mover holds at most {words.cards} card{'' if words.cards == 1 else 's'}")
        yield f"decline except {', '.join(found)}" if found else "decline always"
    if words.heads is not None:
        yield ("no card always", "1 card always", "2 cards always")[words.heads]
    if words.attempt is not None:
        yield "try always" if words.attempt else "leave always"


def parse(terms: Deal, said: Words, typed: str) -> Words:
    """The words after one typed phrase; `decline except ...` replaces all exceptions."""
    line = " ".join(typed[: LONGEST + 1].casefold().split()).strip(" ,.!")
    line = SAME.get(line, line)
    if line in PLAIN:
        return replace(said, **PLAIN[line])
    if len(typed) <= LONGEST and (found := re.match(r"decline (except|unless) ", line)):
        return replace(said, **_exceptions(terms, re.findall(r"@\d+|\d+|[^\W\d_]+|\S", line[found.end() :])))
    raise IllegalMove("LO-25", t("these are not standing orders"))


def _exceptions(terms: Deal, tokens: list[str]) -> dict[str, object]:
    """Levels, players and a number, whatever stands between them."""
    colours: set[str] = set()
    players: set[int] = set()
    cards: int | None = None
    before = ""
    for token in tokens:
        if token in LEVELS and before != "against":  # a player can be called `Red`
            colours.add(token)
        elif (player := seat_of(token, terms.seats)) is not None:
            players.add(player)
        elif token.isascii() and token.isdigit() and cards is None and int(token) <= MOST:
            cards = int(token)
        elif token not in BETWEEN:
            raise unread("LO-25", token)
        before = token if token in ("against", "on", ",") else before
    if not (colours or players or cards is not None):
        raise IllegalMove("LO-25", t("no exception is named"))
    named = tuple(level for level in LEVELS if level in colours)
    return {"decline": True, "colours": named, "players": tuple(sorted(players)), "cards": cards}
