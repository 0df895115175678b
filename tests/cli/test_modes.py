"""Who may read what a command writes: what shows a hand is readable for its owner alone, what everybody may see for
all."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.io import keyfile
from tests.cli.world import key, run_here
from tests.support.match import Sitting

OWN, ALL = 0o600, 0o644


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def run(folder: Path, *words: str) -> None:
    ran = run_here(*words, cwd=folder, home=folder / "home")
    assert ran.exit == 0, ran.said


def modes(folder: Path, before: set[Path]) -> dict[str, int]:
    """What is new in the folder itself, by how it ends."""
    found = {path for path in folder.iterdir() if path.is_file() and path.suffix != ".lock"} - before
    return {path.name.partition(".")[2]: stat.S_IMODE(path.stat().st_mode) for path in found}


def made(folder: Path, *words: str) -> dict[str, int]:
    before = {path for path in folder.iterdir() if path.is_file()}
    run(folder, *words)
    return modes(folder, before)


def test_what_a_game_brings(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    for name in ("Hanna", "Anna", "Bert"):
        (tmp_path / f"{name.lower()}.key").write_bytes(keyfile.dump(key(name)))
    assert made(tmp_path, "key", "new", "--name", "Emil", "-o", "new.secret") == {"secret": OWN}
    offer = ("offer", "auction", "--seats", "2", "--key", "hanna.key", "-o", "the.offer")
    assert made(tmp_path, *offer) == {"offer": ALL}
    for name in ("anna", "bert"):
        assert made(tmp_path, "join", "the.offer", "--key", f"{name}.key", "-o", f"{name}.join") == {"join": ALL}
    start = ("start", "the.offer", "anna.join", "bert.join", "--key", "hanna.key", "-o", "the.game", "--aid")
    assert made(tmp_path, *start) == {"game": OWN, "view.json": OWN, "aid.json": OWN}
    (view,) = tmp_path.glob("*-anna.view.json")
    assert made(tmp_path, "play", view.name, "--key", "anna.key", "-o", "a.move", "--yes") == {"move": OWN}
    word = ("play", view.name, "--tell", "back", "--key", "anna.key", "-o", "a.word")
    assert made(tmp_path, *word) == {"word": OWN}
    receipt = made(tmp_path, "apply", "the.game", "a.move", "--key", "hanna.key")
    assert receipt == {"receipt.json": OWN}
    claim = ("dispute", view.name, "a.move", "--sent", "2026-12-24T18:00Z", "--key", "anna.key", "-o", "a.claim")
    assert made(tmp_path, *claim) == {"claim": ALL}
    rule = ("dispute", "a.claim", "--verdict", "so it is", "--key", "hanna.key", "-o", "a.ruling")
    assert made(tmp_path, *rule) == {"ruling": ALL}
    for path in (tmp_path / "home").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 or path.is_dir() or path.suffix == ".lock", path


def test_what_is_made_of_views_and_transcripts(tmp_path: Path) -> None:
    sitting = Sitting("mark", 2, "modes").until(2)
    assert sitting.give(sitting.signed(sitting.asked[0], resign=True)).error is None
    (tmp_path / "transcript.json").write_bytes(sitting.transcript())
    (tmp_path / "view.json").write_bytes(sitting.view(0))
    for words, mode in (
        (("show", "transcript.json", "--svg", "x.svg"), ALL),
        (("show", "transcript.json", "--seat", "Anna", "--svg", "x.svg"), OWN),
        (("show", "view.json", "--svg", "x.svg"), OWN),
        (("page", "transcript.json", "-o", "x.html"), ALL),
        (("page", "view.json", "-o", "x.html"), OWN),
        (("page", "--player", "-o", "x.html"), ALL),
    ):
        assert [*made(tmp_path, *words).values()] == [mode], words
        (tmp_path / words[-1]).unlink()
