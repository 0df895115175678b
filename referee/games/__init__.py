"""Finds games by looking: every folder here with an `edition.json` is a game. There is no list to edit."""

import os
from importlib import import_module

from referee.errors import Usage
from referee.game import Game


def _folder(game_id: str) -> str:
    """Where a game lives; empty if there is none of that name."""
    if not game_id.replace("-", "").isalnum():
        return ""
    folders = (os.path.join(path, game_id.replace("-", "_")) for path in __path__)
    return next((folder for folder in folders if os.path.isfile(os.path.join(folder, "edition.json"))), "")


def game_ids() -> list[str]:
    """The ids of all games found, sorted."""
    names = {name.replace("_", "-") for path in __path__ for name in os.listdir(path)}
    return sorted(name for name in names if _folder(name))


def load(game_id: str) -> Game:
    """The game with this id; imports that game only."""
    if not _folder(game_id):
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
