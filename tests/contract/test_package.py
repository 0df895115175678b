"""The games in CONTRIBUTING.md, and a new one, as authors make them: built, installed, tested, played."""

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from referee import games
from referee.errors import IllegalMove
from referee.game import Terms
from referee.library.starting import new_game
from referee.testing import check
from referee.testing.sandbox import Sandbox
from referee.testing.suite import CHECKS

from .planted import added

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
FILES = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?\n)```\n", TEXT, re.DOTALL))


GAMES = {"hex": ("hex_board", 60), "high-card": ("high_card", 100)}
"""Id -> its module, and the most lines that it may have."""


class Place:
    """A fresh virtual environment with our package and the games in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "venv")
        self.programs = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        for name, text in FILES.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        new_game("my-game", str(folder / "my-game"))
        # Somebody tries to put another game in the place of ours.
        with (folder / "high-card" / "pyproject.toml").open("a", encoding="utf-8") as file:
            file.write('mark = "high_card"\n')
        sources = [str(folder / name) for name in (*GAMES, "my-game")]
        self.pip("wheel", "--no-deps", "-w", str(folder / "wheels"), *sources, str(ROOT))
        wheels = [str(path) for path in (folder / "wheels").glob("*.whl")]
        assert len(wheels) == 4
        wheels.sort(key=lambda path: "pbem_referee-" not in path)  # pip resolves in this order: the games need ours
        self.pip("install", "--no-compile", *(f"{one}[testing]" if "pbem_referee-" in one else one for one in wheels))

    def pip(self, *args: str) -> None:
        """Our own pip, for the new environment."""
        pip = [sys.executable, "-m", "pip", "-q", "--python", str(self.programs / "python")]
        done = subprocess.run([*pip, *args], cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def run(self, command: str, *args: str, exits: int = 0) -> str:
        """Run a command of the environment in an empty place; what it printed."""
        env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTEST_ADDOPTS")}
        env |= {"REFEREE_HOME": str(self.folder / "home"), "NO_COLOR": "1"}
        done = subprocess.run(
            [self.programs / command, *args], cwd=self.folder, env=env, capture_output=True, text=True
        )
        assert done.returncode == exits, f"{command} {' '.join(args)}\n{done.stdout}\n{done.stderr}"
        return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("package"))


@pytest.mark.parametrize("game_id", GAMES)
def test_a_whole_game_is_short(game_id: str) -> None:
    module, most = GAMES[game_id]
    source = FILES[f"{game_id}/{module}/__init__.py"]
    assert len(source.splitlines()) <= most
    ruff = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "120", "-"]
    done = subprocess.run(ruff, input=source, capture_output=True, text=True)
    assert done.stdout == source, "it is formatted in another way"
    assert {f"{game_id}/pyproject.toml", f"{game_id}/{module}/RULES.md"} <= FILES.keys()


@pytest.mark.parametrize("game_id", GAMES)
def test_a_whole_game_passes_the_suite(game_id: str, tmp_path: Path) -> None:
    module = GAMES[game_id][0]
    files = {name.rpartition("/")[2]: text for name, text in FILES.items() if f"/{module}/" in name}
    with added(tmp_path, f"shown_{module}", files) as found:
        check(found, quick=True)


def test_hex_is_won_by_a_chain(tmp_path: Path) -> None:
    files = {name.rpartition("/")[2]: text for name, text in FILES.items() if "/hex_board/" in name}
    with added(tmp_path, "hex_played", files) as game_id:
        game = games.load(game_id)
        at = Sandbox(game, Terms(2, game.options(), game.edition()))
        # A straight line down column f, which bends at the end; the other stones are in row 1.
        first = [f"f{row}" for row in range(1, 11)] + ["e11"]
        second = ["a1", "b1", "c1", "d1", "e1", "g1", "h1", "i1", "j1", "k1"]
        for number, cell in enumerate([cell for pair in zip(first, second, strict=False) for cell in pair]):
            assert at.result is None
            at.answer({number % 2: game.parse(at.terms, at.seen(number % 2), cell.upper())})
        with pytest.raises(IllegalMove, match="HX-2"):
            at.fork().answer({0: game.move("a1")}, check=False)
        at.fork().answer({0: game.move("g11")})
        assert at.answer({0: game.move("e11")})[0].values == {"seat": 0, "cell": "e11"}
        assert at.result is not None
        assert at.result.ranks == (1, 2)


@pytest.mark.thorough
def test_games_from_outside_are_tested_played_and_verified(place: Place) -> None:
    rows = {row["id"]: row for row in json.loads(place.run("referee", "games", "--json"))}
    titles = {name: rows[name]["title"] for name in ("hex", "high-card", "my-game", "mark")}
    assert titles == {"hex": "Hex", "high-card": "High Card", "my-game": "My Game", "mark": "M.A.R.K."}
    assert "**HC-5**" in place.run("referee", "rules", "high-card")
    suite = ("-p", "no:cacheprovider", "--pyargs", "referee.testing", "--game")
    assert f"{len(CHECKS)} passed" in place.run("pytest", *suite, "high-card")
    assert f"{len(CHECKS)} passed" in place.run("pytest", *suite, "hex", "--quick")
    assert "2 passed" in place.run("pytest", "-p", "no:cacheprovider", "my-game")
    played = {"high-card": (9, "High Card, 4 rounds"), "hex": (2, "Hex, "), "my-game": (3, "My Game, ")}
    for game_id, (seats, told) in played.items():
        place.run("referee", "demo", game_id, "--seats", str(seats), "-o", f"demo-{game_id}")
        (transcript,) = (place.folder / f"demo-{game_id}").rglob("transcript.json")
        assert told in place.run("referee", "verify", str(transcript))
    search = ("games", "high-card", "--leaks")
    found = json.loads(place.run("referee", *search, "--worlds", "8", "--json"))
    assert (found["differed"], found["leak"]) == (8, "")
    assert "high-card: 2 worlds that really differed" in place.run("referee", *search, "--worlds", "2")


@pytest.mark.thorough
def test_the_suite_asks_for_a_game(place: Place) -> None:
    """Without a game, or with one that is not there, nothing passes."""
    said = place.run("pytest", "-p", "no:cacheprovider", "--pyargs", "referee.testing", exits=4)
    assert "name it with --game ID" in said
    said = place.run("pytest", "-p", "no:cacheprovider", "--pyargs", "referee.testing", "--game", "chess", exits=4)
    assert "there is no game of that name" in said


@pytest.mark.thorough
def test_a_leak_ends_with_status_6(place: Place) -> None:
    """The same game, with a note that `legal` leaves for `apply`."""
    (package,) = (place.folder / "venv").rglob("high_card/__init__.py")
    source = package.read_text("utf-8")
    leaky = source.replace(
        "def legal(terms: Deal, seen: Seen[Public]) -> list[Choice]:\n",
        "HELD: dict[int, str] = {}\n\n\n"
        "def legal(terms: Deal, seen: Seen[Public]) -> list[Choice]:\n"
        "    HELD[seen.seat] = min(seen.hand('hand'), default='')\n",
    ).replace('note("worth", points=worth)', 'note("worth", points=worth, low=min(HELD.values(), default=""))')
    leaky = leaky.replace('"the round is worth {points}"', '"the round is worth {points} {low}"')
    assert leaky.count("HELD") == 3
    package.write_text(leaky, "utf-8")
    try:
        said = json.loads(place.run("referee", "games", "high-card", "--leaks", "--json", exits=6))
        assert "worlds that really differed" in place.run("referee", "games", "high-card", "--leaks", exits=6)
    finally:
        package.write_text(source, "utf-8")
    assert "story" in said["leak"]
