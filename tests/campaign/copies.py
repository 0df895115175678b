"""Bots that are copies of each other, and a weaker one: `sensible`, but for some decisions that chance makes."""

from functools import cache
from typing import Any

from referee import games
from referee.game import Below, Game


@cache
def _game(options: type) -> Game:
    """The game that these options belong to: a bot is not told."""
    return next(game for game in map(games.load, games.game_ids()) if game.options is options)


def _play(terms: Any, seen: Any, below: Below, one_in: int) -> Any:
    bots = _game(type(terms.options)).bots
    return bots["random" if below(one_in) == 0 else "sensible"](terms, seen, below)


def steady(terms: Any, seen: Any, below: Below) -> Any:
    """One decision in ten is left to chance, so that two copies do not play alike."""
    return _play(terms, seen, below, 10)


def careless(terms: Any, seen: Any, below: Below) -> Any:
    """Every second."""
    return _play(terms, seen, below, 2)
