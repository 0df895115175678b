"""What somebody types at a position that a test built, read as prompt, `--move` and mails read it."""

from collections.abc import Callable
from typing import Any

from referee import games
from referee.game import Game, Seen, Terms
from referee.show import typed


class Spot:
    """A seat at a table without names."""

    def __init__(self, game_id: str, terms: Terms[Any, Any], seen: Any) -> None:
        self.game_id, self.terms, self.seen, self.names = game_id, terms, seen, ()
        self.game: Game = games.load(game_id)

    @property
    def table(self) -> "Spot":
        return self

    @property
    def decides(self) -> bool:
        """Not where a test asks something that the position has no answers for."""
        try:
            return self.seen is not None and bool(self.game.legal(self.terms, self.seen))
        except AssertionError:
            return False


def parsing(game_id: str) -> Callable[[Terms[Any, Any], Seen[Any], str], Any]:
    """How a move of this game is read."""
    return lambda terms, seen, text: typed.parse(Spot(game_id, terms, seen), text)


def saying(game_id: str) -> Callable[[Terms[Any, Any], Any, str], Any]:
    """How standing orders of this game are read."""
    return lambda terms, words, text: typed.say_phrase(Spot(game_id, terms, None), words, text)
