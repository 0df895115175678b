"""Bots of the tests: plain functions, as anybody writes them."""

from typing import Any

from referee.game import Below


def first(terms: Any, seen: Any, below: Below) -> Any:
    """By the chance that it gets."""
    return choose(terms, seen, below)


def last(terms: Any, seen: Any, below: Below) -> Any:
    """By the same chance, turned round."""
    return choose(terms, seen, lambda n: n - 1 - below(n))


def wrong(terms: Any, seen: Any, below: Below) -> Any:
    """It fails at every second question."""
    if below(2):
        raise ValueError("no idea")
    return choose(terms, seen, below)


def choose(terms: Any, seen: Any, below: Below) -> Any:
    from referee.games.auction import GAME

    return GAME.bots["random"](terms, seen, below)
