"""Finds games by looking: every folder here with an `edition.json` is a game. There is no list to edit."""

import os
from importlib import import_module

from referee.errors import Usage
from referee.game import Game

_HERE = os.path.dirname(__file__)


def _folder(game_id: str) -> str:
    return os.path.join(_HERE, game_id.replace("-", "_"))


def game_ids() -> list[str]:
    """The ids of all games found, sorted."""
    names = (name for name in os.listdir(_HERE) if os.path.isfile(os.path.join(_HERE, name, "edition.json")))
    return sorted(name.replace("_", "-") for name in names)


def load(game_id: str) -> Game:
    """The game with this id; imports that game only."""
    if not game_id.replace("-", "").isalnum() or not os.path.isfile(os.path.join(_folder(game_id), "edition.json")):
        raise Usage("there is no game of that name", f"choose one of: {', '.join(game_ids())}", code="unknown-game")
    game = import_module(f"referee.games.{game_id.replace('-', '_')}").GAME
    assert isinstance(game, Game)
    return game


def edition_bytes(game_id: str) -> bytes:
    """The default edition, as JSON."""
    with open(os.path.join(_folder(game_id), "edition.json"), "rb") as file:
        return file.read()


def rules_text(game_id: str) -> str:
    """The clauses, as Markdown."""
    with open(os.path.join(_folder(game_id), "RULES.md"), encoding="utf-8") as file:
        return file.read()
