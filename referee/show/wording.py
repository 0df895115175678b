"""Moves and standing orders as people read and type them: players by their names, words in the reader's language."""

from typing import Any, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from referee.errors import IllegalMove
from referee.forms import Choice, Option, Pick, Term, When
from referee.game import Game, Terms
from referee.games import as_typed, lexicon, module_of
from referee.language import ENGLISH, QUOTED, Text, Told, changed, quoted, spoken, spoken_by, t
from referee.show.mentions import with_names, without_names

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
    about = spoken() == ENGLISH or (choice.parts and not _is_move(table, choice))
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


def _is_move(table: Table, choice: Choice) -> bool:
    """Whether the text of a family is one of its moves."""
    try:
        move = msgspec.convert(msgspec.to_builtins(choice.move), table.game.move)
    except msgspec.ValidationError:  # standing orders
        return False
    return bool(table.game.text(move) == choice.text)


def in_english(table: Table, typed: str) -> str:
    """What was typed in any language, as the game reads it."""
    return lexicon(table.game_id).english(typed)


def corrected(table: Table, line: str, refusal: IllegalMove) -> tuple[Told, str]:
    """Why the game cannot read what was typed, and the guess in it: the reader's word that is nearest to a mistyped
    one, since a game knows only its English words."""
    words, why, guess = lexicon(table.game_id), refusal.why, refusal.guess
    if not refusal.word or (guess and spoken() == ENGLISH):
        return why, guess
    strange = words.strange(without_names(line, table.names))
    if not strange:
        echo = quoted(words.typed_as(line, refusal.word))
        why = changed(why, lambda value: echo if isinstance(value, Text) and value.message == QUOTED else value)
        return why, guess
    typed = next((one for one in strange if _echoed(one) == refusal.word.casefold()), strange[0])[:40]
    near = words.nearest(typed, spoken(), table.names, guess)
    if near:
        return t("'{typed}' is unknown, did you mean {near}?", typed=typed, near=near), near
    whole = guess or not typed.isascii()  # a game repeats plain letters only
    return (t("'{typed}' is unknown", typed=typed), "") if whole else (why, guess)


def _echoed(word: str) -> str:
    """What games repeat of a word."""
    return "".join(letter for letter in word if letter.isascii() and letter.isalnum())[:20].casefold()


def localised(table: Table, text: str) -> str:
    """What the game wrote, in the reader's words; `@2` still stands for a player."""
    return as_typed(table.game_id, text)


def _with_names(table: Table, text: str) -> str:
    return with_names(localised(table, text), table.names)
