"""`referee new-game`: a package that passes the suite before its author has changed a line."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import games
from referee.errors import Usage
from referee.library.starting import new_game
from referee.testing import check
from tests.cli.world import run_here


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A new game, written by the command, on the path of the built-in ones."""
    ran = run_here("new-game", "my-game", cwd=tmp_path)
    assert ran.exit == 0, ran.said
    assert "pip install -e my-game" in ran.said
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path / "my-game")])
    yield tmp_path / "my-game"
    for name in [name for name in sys.modules if name.startswith("referee.games.my_game")]:
        del sys.modules[name]


def test_a_new_game_has_all_its_files(package: Path) -> None:
    found = {str(path.relative_to(package)) for path in package.rglob("*") if path.is_file()}
    inside = {f"my_game/{name}" for name in ("__init__.py", "edition.json", "RULES.md")}
    assert found == {"pyproject.toml", "tests/test_my_game.py", *inside}
    texts = [path.read_text("utf-8") for path in package.rglob("*") if path.is_file()]
    assert not any(word in text for word in ("MODULE", "NAME", "TITLE", "CLAUSE") for text in texts)
    assert 'my-game = "my_game"' in (package / "pyproject.toml").read_text("utf-8")
    assert "**MG-1**" in games.rules_text("my-game")


def test_a_new_game_passes_the_suite(package: Path) -> None:
    check("my-game", quick=True)


@pytest.mark.parametrize("words", [("demo", "my-game"), ("games", "my-game", "--leaks")])
def test_a_new_game_is_played_and_searched_for_leaks(package: Path, words: tuple[str, ...]) -> None:
    ran = run_here(*words, cwd=package.parent)
    assert ran.exit == 0, ran.said


def test_its_bot_wins_where_it_can(package: Path) -> None:
    game = games.load("my-game")
    module = sys.modules["referee.games.my_game"]
    terms = module.Terms(2, module.Nothing(), module.Edition(stones=21, most=3))
    for pile in range(1, 22):
        seen = module.Seen(0, module.Public(pile), (module.Ask(0, "take"),), {})
        move = game.bots["sensible"](terms, seen, lambda most: 0)
        game.check(terms, seen, move)
        assert (pile - move.take) % 4 == 0 or pile % 4 == 0


@pytest.mark.parametrize("name", ["", "My-Game", "my game", "1st", "my--g", "../x", "mark", "json", "class", "x" * 41])
def test_a_name_that_cannot_be_used(name: str, tmp_path: Path) -> None:
    with pytest.raises(Usage):
        new_game(name, str(tmp_path / "new"))
    assert not list(tmp_path.iterdir())


def test_an_existing_folder_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(Usage, match="already exists"):
        new_game("my-game", str(tmp_path))
    assert not list(tmp_path.iterdir())
