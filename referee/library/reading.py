"""Typed moves in practice, in any of the languages: what `referee.show.typed` does for signed games, which needs the
engine and with it a package for signatures."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from referee.errors import IllegalMove, Usage
from referee.forms import Choice
from referee.game import Game, Seen, Terms
from referee.games import as_typed, lexicon
from referee.language import Named
from referee.lexicon import simpler, tidied
from referee.library import t
from referee.library.data import Line
from referee.show.mentions import namings, with_names

LONGEST = 2_000
"""Characters of what is typed: nobody says a move in more."""
Rule = Callable[[str], Any]


class Place(msgspec.Struct, frozen=True):
    """Somebody at a table: what is known there, and what was said for good."""

    game_id: str
    game: Game
    terms: Terms[Any, Any]
    names: tuple[str, ...]
    seen: Seen[Any]
    words: Any = None
    """The standing orders of this seat; None in a game without any."""

    def choices(self) -> list[Choice]:
        """Every legal move, those that people get first before the minor ones."""
        return sorted(self.game.legal(self.terms, self.seen), key=lambda choice: choice.minor)

    def standing_choices(self) -> list[Choice]:
        """What can be said for good, or taken back."""
        return list(self.game.standing.legal(self.terms, self.words)) if self.game.standing else []

    def label(self, choice: Choice) -> str:
        """A line in the current language; what a family is about, as the game says it."""
        text = choice.text if choice.parts else as_typed(self.game_id, choice.text)
        return with_names(text, self.names)

    def text(self, move: Any) -> str:
        """A move as it can be typed."""
        return with_names(as_typed(self.game_id, str(self.game.text(move))), self.names)

    def lines(self, choices: Sequence[Choice]) -> tuple[Line, ...]:
        """These as a list."""
        return tuple(
            Line(number, self.label(choice), msgspec.to_builtins(choice.move), choice)
            for number, choice in enumerate(choices, 1)
        )


def read(place: Place, text: str) -> tuple[Any, Any]:
    """The move that was typed, if any, and the standing orders after what was said with it."""
    if len(text) > LONGEST:
        raise Usage(t("this is longer than any move"), t("say it in fewer words"))
    move, words = None, place.words
    whole = shown(place, place.choices(), text)
    for clause in [text] if whole else filter(None, map(str.strip, text.split(";"))):
        here = msgspec.structs.replace(place, words=words)
        if (said := _phrase(here, clause)) is not None:
            words = said
            continue
        if move is not None:
            raise Usage(
                t("this says two moves"), t("send one move, with standing orders after a `;`"), code="two-moves"
            )
        move = _move(here, clause)
    return move, words


def _move(place: Place, text: str) -> Any:
    listed = place.choices()
    number = re.fullmatch(r"#\s*([0-9]{1,6})", text.strip())
    if number is not None:
        return by_number(place, listed, int(number[1]))
    found = shown(place, listed, text)
    if found:
        return one_of([as_type(choice.move, place.game.move) for choice in found])
    return _meant(place, text, lambda typed: place.game.parse(place.terms, place.seen, typed))


def _phrase(place: Place, text: str) -> Any:
    """The standing orders after one phrase; None if it is none."""
    rule = place.game.standing
    if rule is None:
        return None
    found = shown(place, place.standing_choices(), text)
    if found:
        return one_of([as_type(choice.move, rule.words) for choice in found])
    with suppress(IllegalMove, Usage):
        return _meant(place, text, lambda typed: rule.parse(place.terms, place.words, typed))
    return None


def by_number(place: Place, listed: Sequence[Choice], number: int) -> Any:
    """The move of a line, if it is a single one."""
    if not 1 <= number <= len(listed):
        why = t("there is no line #{number}", number=number)
        raise Usage(why, t("the lines go from #1 to #{last}", last=len(listed)), code="no-line")
    choice = listed[number - 1]
    if choice.parts:
        example = place.text(as_type(choice.move, place.game.move))
        why = t("`{line}` stands for many moves", line=place.label(choice))
        raise Usage(why, t("say which one in words, for example `{text}`", text=example), code="many-moves")
    return as_type(choice.move, place.game.move)


def shown(place: Place, listed: Sequence[Choice], text: str) -> list[Choice]:
    """The lines that show this text, in the current language or in English, of those that are a single move."""
    typed = _plain(text)
    return [
        one
        for one in listed
        if not one.parts and typed in (_plain(place.label(one)), _plain(with_names(one.text, place.names)))
    ]


def _meant(place: Place, text: str, rule: Rule) -> Any:
    """What the game's own words say, then with players' names read as seats, then in simpler words."""
    try:
        refusals = []
        for reading in _readings(place, text):
            found = []
            for typed in dict.fromkeys(reading):
                try:
                    found.append(rule(lexicon(place.game_id).english(typed)))
                except IllegalMove as error:
                    refusals.append(error)
                with suppress(IllegalMove):
                    found.append(rule(typed))
            if found:
                return one_of(found)
        raise refusals[-1]
    except IllegalMove as error:
        raise IllegalMove(error.clause, Named(error.why, place.names), Named(error.next, place.names)) from None


def _readings(place: Place, text: str) -> Iterator[list[str]]:
    """What may be meant, the nearest to what was typed first; what stands together must mean the same."""
    for plain in ([text], [tidied(text)], [*simpler(tidied(text))]):
        yield plain
        for one in plain:
            yield from namings(one, place.names)


def one_of(found: Sequence[Any]) -> Any:
    """What all of these are."""
    if any(one != found[0] for one in found):
        raise Usage(t("this can be read in two ways"), t("choose a line of the list by its number, as `#1`"))
    return found[0]


def as_type(value: Any, form: Any) -> Any:
    """A move or words as data, in the game's own type."""
    try:
        return msgspec.convert(msgspec.to_builtins(value), form)
    except (msgspec.ValidationError, TypeError, ValueError, RecursionError, OverflowError):
        raise Usage(t("that is no move of this game"), t("build it from the list of legal moves")) from None


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
