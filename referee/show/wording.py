"""Moves and standing orders as people read and type them: players by their names, words in the reader's language."""

from typing import Any, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from referee.errors import IllegalMove
from referee.forms import Choice, Option, Pick, Term, When
from referee.game import Game, Terms
from referee.games import as_typed, lexicon, module_of
from referee.grammar import strange
from referee.language import ENGLISH, QUOTED, Text, changed, quoted, spoken, spoken_by, t
from referee.show.mentions import with_names, without_names
from referee.show.text import clean

Named = TypeVar("Named", When, Term)


class Table(Protocol):
    """The parts of a table, signed or in practice, that words depend on."""

    @property
    def game_id(self) -> str: ...

    @property
    def game(self) -> Game: ...

    @property
    def terms(self) -> Terms[Any, Any]: ...

    @property
    def names(self) -> tuple[str, ...]: ...


def language_of(table: Table) -> str:
    """The language of the game's own words now."""
    return spoken_by(module_of(table.game_id))


def move_text(table: Table, move: object) -> str:
    """A move as it can be typed."""
    return _with_names(table, str(table.game.text(move)))


def phrases(table: Table, words: object) -> list[str]:
    """Standing orders, each as it can be typed."""
    return [_with_names(table, text) for text in table.game.standing.text(words)] if table.game.standing else []


def line_text(table: Table, choice: Choice) -> str:
    """A line of a list: a move as it can be typed, or what a family is about, in the game's words."""
    return with_names(_line(table, choice), table.names)


def _line(table: Table, choice: Choice) -> str:
    about = spoken() == ENGLISH or (choice.parts and not is_move(table, choice))
    return choice.text if about else localised(table, choice.text)


def in_readers_words(table: Table, choice: Choice) -> Choice:
    """The same line and options, called as the reader types them; `@2` still stands for a player."""
    if spoken() == ENGLISH:
        return choice
    picks = {part.name for part in choice.parts if isinstance(part, Pick)}

    def named(one: Named) -> Named:
        return replace(one, name=localised(table, one.name)) if one.part in picks else one

    def option(one: Option) -> Option:
        return replace(one, text=localised(table, one.text), when=tuple(map(named, one.when)))

    return replace(
        choice,
        text=_line(table, choice),
        parts=tuple(
            replace(part, options=tuple(map(option, part.options))) if isinstance(part, Pick) else part
            for part in choice.parts
        ),
        limits=tuple(replace(limit, terms=tuple(map(named, limit.terms))) for limit in choice.limits),
    )


def is_move(table: Table, choice: Choice) -> bool:
    """Whether a family is called by one of its moves."""
    try:
        move = msgspec.convert(msgspec.to_builtins(choice.move), table.game.move)
    except msgspec.ValidationError:  # standing orders
        return False
    return bool(table.game.text(move) == choice.text)


def in_english(table: Table, typed: str) -> str:
    """What was typed in any language, as the game reads it."""
    return lexicon(table.game_id).english(typed)


def corrected(table: Table, line: str, refusal: IllegalMove) -> IllegalMove:
    """A refusal of what was typed that names the word that is unknown in every language, as it was typed, with the
    reader's word that is nearest to it."""
    words, why, guess = lexicon(table.game_id), refusal.why, ""
    unknown = strange(words, without_names(line, table.names)) if words.words else []
    if unknown:
        typed = clean(unknown[0][:20])
        guess = words.nearest(unknown[0], spoken(), table.names)
        why = t("'{typed}' is unknown", typed=typed)
        if guess:
            why = t("'{typed}' is unknown, did you mean {near}?", typed=typed, near=guess)
    elif refusal.word:
        echo = quoted(words.typed_as(line, refusal.word))
        why = changed(why, lambda value: echo if isinstance(value, Text) and value.message == QUOTED else value)
    return IllegalMove(refusal.clause, why, refusal.next, word=refusal.word, guess=guess)


def localised(table: Table, text: str) -> str:
    """What the game wrote, in the reader's words; `@2` still stands for a player."""
    return as_typed(table.game_id, text)


def _with_names(table: Table, text: str) -> str:
    return with_names(localised(table, text), table.names)
