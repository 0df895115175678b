"""Nothing depends on hash seeds, time zones, locales or masks: the same inputs give the same bytes."""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import waiting

ROOT = Path(__file__).parents[2]
START = f"""
import os, sys
os.umask(int(os.environ["MASK"], 8))
import referee.games
referee.games.__path__.append({str(ROOT / "tests" / "toys")!r})
from referee.cli import main
main()
"""
WORLDS = (
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C", "MASK": "022"},
    {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "tr_TR.UTF-8", "MASK": "077"},
    {"PYTHONHASHSEED": "4242", "TZ": "America/St_Johns", "LC_ALL": "de_DE.UTF-8", "MASK": "000", "PYTHONUTF8": "1"},
)


def demo(folder: Path, game: str, seats: int, world: dict[str, str], seed: str = "same") -> dict[str, str]:
    """Play a demo game in its own process; returns the hash of every file it made, by name."""
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(folder), **world}
    folder.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", START, "demo", game, "--seats", str(seats), "--seed", seed, "-o", "out"],
        cwd=folder,
        env=env,
        capture_output=True,
        timeout=waiting.LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    files = sorted(path for path in (folder / "out").rglob("*") if path.is_file() and path.suffix == ".json")
    found = {str(path.relative_to(folder)): hashlib.sha256(content(path)).hexdigest() for path in files}
    return found | {"stdout": hashlib.sha256(done.stdout).hexdigest()}


def content(path: Path) -> bytes:
    """The bytes of a file; of a move without its box, which is encrypted differently each time; of a guard without the
    path of its game file."""
    data = path.read_bytes()
    if "guard" in path.parts:
        data = re.sub(rb'"path":"[^"]*",', b"", data)
    return re.sub(rb'"sealed":"[^"]*",', b"", data) if {".move", "guard"} & {*path.suffixes, *path.parts} else data


@pytest.mark.thorough
@pytest.mark.parametrize(("game", "worlds"), [("auction", WORLDS), ("schwarzmarkt", WORLDS[1:])])
def test_the_same_game_in_different_worlds(tmp_path, game, worlds):
    results = [demo(tmp_path / str(number), game, 3, world) for number, world in enumerate(worlds)]
    assert len(results[0]) > 30
    assert any(name.endswith("transcript.json") for name in results[0])
    first = results[0]["stdout"]
    for world, other in zip(worlds, results, strict=True):  # the same files in every language, and words in one each
        german = world["LC_ALL"].startswith("de")
        assert (other.pop("stdout") == first) == (not german)
        assert other == results[0]


@pytest.mark.thorough
def test_another_seed_gives_another_game_and_secrets_are_for_their_owner_only(tmp_path):
    one = demo(tmp_path / "open", "auction", 2, WORLDS[2])
    two = demo(tmp_path / "other", "auction", 2, WORLDS[2], seed="other")
    assert one["out/transcript.json"] != two["out/transcript.json"]
    secret = [*(tmp_path / "open").rglob("key.json"), *(tmp_path / "open").rglob("game.json")]
    assert len(secret) == 4
    assert {path.stat().st_mode & 0o777 for path in secret} == {0o600}
