"""The game in CONTRIBUTING.md, as its author makes it: a wheel, installed beside ours, tested, played, verified."""

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from referee.testing.suite import CHECKS

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
FILES = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?\n)```\n", TEXT, re.DOTALL))


class Place:
    """A fresh virtual environment with our package and the other one in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "venv")
        self.programs = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        source = folder / "high-card"
        for name, text in FILES.items():
            path = source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        # Somebody tries to put another game in the place of ours.
        (source / "pyproject.toml").write_text(FILES["pyproject.toml"] + 'mark = "high_card"\n', "utf-8")
        self.pip("wheel", "--no-deps", "-w", str(folder / "wheels"), str(source), str(ROOT))
        (ours,) = (folder / "wheels").glob("pbem_referee-*.whl")
        (theirs,) = (folder / "wheels").glob("high_card-*.whl")
        self.pip("install", "--no-compile", f"{ours}[testing]", str(theirs))

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


def test_all_files_are_shown() -> None:
    assert sorted(FILES) == ["high_card/RULES.md", "high_card/__init__.py", "high_card/edition.json", "pyproject.toml"]
    assert json.loads(FILES["high_card/edition.json"])["hand"] == 3


@pytest.mark.thorough
def test_a_game_from_outside_is_tested_played_and_verified(place: Place) -> None:
    rows = {row["id"]: row for row in json.loads(place.run("referee", "games", "--json"))}
    assert rows["high-card"]["title"] == "High Card"
    assert rows["mark"]["title"] == "M.A.R.K."
    assert "**HC-5**" in place.run("referee", "rules", "high-card")
    assert f"{len(CHECKS)} passed" in place.run(
        "pytest", "-p", "no:cacheprovider", "--pyargs", "referee.testing", "--game", "high-card"
    )
    place.run("referee", "demo", "high-card", "--seats", "9", "-o", "demo")
    (transcript,) = (place.folder / "demo").rglob("transcript.json")
    assert "High Card, 4 rounds" in place.run("referee", "verify", str(transcript))
    found = json.loads(place.run("referee", "leaks", "high-card", "--worlds", "8", "--json"))
    assert (found["differed"], found["leak"]) == (8, "")
    assert "high-card: 2 worlds that really differed" in place.run("referee", "leaks", "high-card", "--worlds", "2")


@pytest.mark.thorough
def test_the_suite_asks_for_a_game(place: Place) -> None:
    """Without a game, or with one that is not there, nothing passes."""
    said = place.run("pytest", "-p", "no:cacheprovider", "--pyargs", "referee.testing", exits=4)
    assert "name it with --game ID" in said
    said = place.run("pytest", "-p", "no:cacheprovider", "--pyargs", "referee.testing", "--game", "chess", exits=4)
    assert "there is no game of that name" in said


@pytest.mark.thorough
def test_a_leak_ends_with_status_6(place: Place) -> None:
    """The same game, with a note that `check` leaves for `apply`."""
    (package,) = (place.folder / "venv").rglob("high_card/__init__.py")
    source = package.read_text("utf-8")
    leaky = source.replace(
        "def check(terms: Deal, seen: Sight, move: Move) -> None:\n",
        "HELD: dict[int, str] = {}\n\n\n"
        "def check(terms: Deal, seen: Sight, move: Move) -> None:\n"
        "    HELD[seen.seat] = min(seen.hand('hand'))\n",
    ).replace('note("worth", points=worth)', 'note("worth", points=worth, low=min(HELD.values(), default=""))')
    leaky = leaky.replace('"the round is worth {points}"', '"the round is worth {points} {low}"')
    assert leaky.count("HELD") == 3
    package.write_text(leaky, "utf-8")
    try:
        said = json.loads(place.run("referee", "leaks", "high-card", "--json", exits=6))
        assert "worlds that really differed" in place.run("referee", "leaks", "high-card", exits=6)
    finally:
        package.write_text(source, "utf-8")
    assert "story" in said["leak"]
