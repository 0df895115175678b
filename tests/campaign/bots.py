"""Weaker copies of the games' own bots, for tournaments: for every game, which they tell by the position that they are
shown."""

from importlib import import_module
from typing import Any

from referee.game import Below, Game


def _game(seen: Any) -> Game:
    package = type(seen.public).__module__.rpartition(".")[0]
    game: Game = import_module(package).GAME
    return game


def _slips(terms: Any, seen: Any, below: Below, once_in: int) -> Any:
    """`sensible`, except that one move in this many is what `random` does."""
    return _game(seen).bots["random" if below(once_in) == 0 else "sensible"](terms, seen, below)


def careful(terms: Any, seen: Any, below: Below) -> Any:
    return _slips(terms, seen, below, 20)


def hasty(terms: Any, seen: Any, below: Below) -> Any:
    return _slips(terms, seen, below, 5)
