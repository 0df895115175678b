"""Moves and standing words as people read and type them: players by their names, words in the reader's language."""

from functools import cache
from typing import Any

from referee import games
from referee.engine.table import Table
from referee.language import spoken
from referee.lexicon import Lexicon, read_words
from referee.show.names import with_names


@cache
def lexicon(game_id: str) -> Lexicon:
    """How the words of a game are called in other languages."""
    return read_words(games.words_bytes(game_id))


def move_text(table: Table, move: Any) -> str:
    """A move as it can be typed."""
    return _told(table, str(table.game.text(move)))


def phrases(table: Table, words: Any) -> list[str]:
    """Standing words, each as it can be typed."""
    return [_told(table, text) for text in table.game.standing.text(words)] if table.game.standing else []


def in_english(table: Table, typed: str) -> str:
    """What was typed in any language, as the game reads it."""
    return lexicon(table.offer.game).english(typed)


def localised(table: Table, text: str) -> str:
    """What the game wrote, in the reader's words; `@2` still stands for a player."""
    return lexicon(table.offer.game).spoken(text, spoken())


def _told(table: Table, text: str) -> str:
    return with_names(localised(table, text), table.names)
