"""Moves and standing orders as people read and type them: players by their names, words in the reader's language."""

from typing import Any, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from referee.forms import Choice, Option, Pick, Term, When
from referee.game import Game, Seen, Terms
from referee.games import as_typed, module_of
from referee.language import ENGLISH, current_language, language_of_package, with_names

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


class Place(Protocol):
    """Where somebody sits, in a signed game or in practice: the table, what is seen from there, and whether there is
    anything to decide."""

    @property
    def table(self) -> Table: ...

    @property
    def seen(self) -> Seen[Any]: ...

    @property
    def decides(self) -> bool: ...


def language_of(table: Table) -> str:
    """The language of the game's own words now."""
    return language_of_package(module_of(table.game_id))


def move_text(table: Table, move: object) -> str:
    """A move as it can be typed."""
    return with_names(as_typed(table.game_id, str(table.game.text(move))), table.names)


def phrases(table: Table, words: object) -> list[str]:
    """Standing orders, each as it can be typed."""
    said = table.game.standing.text(words) if table.game.standing else ()
    return [with_names(as_typed(table.game_id, text), table.names) for text in said]


def line_text(table: Table, choice: Choice) -> str:
    """A line of a list: a move as it can be typed, or what a family is about, in the game's words."""
    return with_names(_line(table, choice), table.names)


def _line(table: Table, choice: Choice) -> str:
    about = current_language() == ENGLISH or (choice.parts and not is_move(table, choice))
    return choice.text if about else as_typed(table.game_id, choice.text)


def in_readers_words(table: Table, choice: Choice) -> Choice:
    """The same line and options, called as the reader types them; `@2` still stands for a player."""
    if current_language() == ENGLISH:
        return choice
    picks = {part.name for part in choice.parts if isinstance(part, Pick)}

    def named(one: Named) -> Named:
        return replace(one, name=as_typed(table.game_id, one.name)) if one.part in picks else one

    def option(one: Option) -> Option:
        return replace(one, text=as_typed(table.game_id, one.text), when=tuple(map(named, one.when)))

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
    """Whether a family is called by one of its moves, in English or in the reader's words."""
    try:
        move = msgspec.convert(msgspec.to_builtins(choice.move), table.game.move)
    except msgspec.ValidationError:  # standing orders
        return False
    text = str(table.game.text(move))
    return choice.text in (text, as_typed(table.game_id, text))
