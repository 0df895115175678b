"""A package that is broken is named, and spoils no other game."""

from pathlib import Path

import pytest

import referee.games
from tests.cli.world import run_here


@pytest.mark.parametrize(
    ("source", "why"),
    [("def (", "SyntaxError"), ("title = 1", "AttributeError"), ("GAME = 1", "not a `referee")],
)
def test_a_broken_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, why: str) -> None:
    name = f"broken_{why[:3].lower()}"
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text(source)
    (tmp_path / name / "edition.json").write_text("{}")
    monkeypatch.setattr(referee.games, "__path__", [*referee.games.__path__, str(tmp_path)])
    listed = run_here("games", cwd=tmp_path)
    assert listed.exit == 0
    assert "schwarzer-freitag" in listed.out.decode()
    assert why in listed.said
    for words in (["rules", name.replace("_", "-")], ["offer", name.replace("_", "-"), "--seats", "2"]):
        ran = run_here(*words, cwd=tmp_path)
        assert ran.exit == 2
        assert why in ran.said
        assert "the other games work" in ran.said


def test_a_game_without_its_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "silent").mkdir()
    (tmp_path / "silent" / "__init__.py").write_text("from referee.games.mark import GAME\n")
    (tmp_path / "silent" / "edition.json").write_text("{}")
    monkeypatch.setattr(referee.games, "__path__", [*referee.games.__path__, str(tmp_path)])
    ran = run_here("rules", "silent", cwd=tmp_path)
    told = "the game silent cannot be loaded from referee.games.silent: it has no RULES.md"
    assert (ran.exit, told in " ".join(ran.said.split())) == (2, True)
