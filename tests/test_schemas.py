"""The schemas of `schemas/` are those of the types, with every bound and every default."""

from pathlib import Path

import pytest

from referee import games
from referee.library.schemas import all_schemas

ROOT = Path(__file__).resolve().parents[1]


def test_schemas_are_those_of_the_types(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made again with `referee conform --schemas schemas`."""
    monkeypatch.setattr(games, "__path__", [str(ROOT / "referee/games")])
    made = all_schemas()
    kept = {path.name: path.read_bytes() for path in (ROOT / "schemas").glob("*.schema.json")}
    assert sorted(kept) == sorted(made)
    assert [name for name in made if made[name] != kept[name]] == []
