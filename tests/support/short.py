"""Editions with which a game of ours is over after a few rounds."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from referee import games

SHORT: dict[str, dict[str, Any]] = {
    "mark": {"full_rows": 1, "idle_rounds": 3, "market": [[8, 10], [7, 10], [5, 10], [4, 10], [3, 10]]},
    "schwarzer-freitag": {"silver_track": [20, 40, 60, 80, 100]},
    "schwarzmarkt": {"half_cards": 2, "idle_cards": 2},
    "weg-zum-erfolg": {"pieces": 1, "pieces_many": 1},
}
"""What is changed in an edition, so that a game has 25 to 30 rounds."""


def short_json(game_id: str, more: Mapping[str, Any] = {}) -> str:
    return json.dumps(json.loads(games.edition_bytes(game_id)) | SHORT.get(game_id, {}) | dict(more))


def short(game_id: str, **more: Any) -> Any:
    """For a table in memory; the toy is short as it is."""
    return msgspec.json.decode(short_json(game_id, more), type=games.load(game_id).edition)
