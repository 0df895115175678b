"""Faults to be planted in the toy game: its source with some lines changed, as a game of its own."""

import hashlib
import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from referee import games

TOY = Path(__file__).resolve().parents[1] / "toys" / "auction"


class Plant:
    """Changes of files of the toy game: `(old, new)` in `__init__.py`, or whole files by name."""

    def __init__(self, *changes: tuple[str, str], **files: str) -> None:
        self.changes: Sequence[tuple[str, str]] = changes
        self.files = {name.replace("__", "."): text for name, text in files.items()}


@contextmanager
def planted(folder: Path, plant: Plant) -> Iterator[str]:
    """The id of the toy game with this fault."""
    # The name seeds the random games: it must not depend on which tests ran before.
    name = "planted_" + hashlib.sha256(repr((plant.changes, plant.files)).encode()).hexdigest()[:8]
    files = {path.name: path.read_text("utf-8") for path in TOY.iterdir() if path.is_file()}
    for old, new in plant.changes:
        assert old in files["__init__.py"], f"the toy game has no {old!r}"
        files["__init__.py"] = files["__init__.py"].replace(old, new)
    with added(folder, name, files | plant.files) as game_id:
        yield game_id


@contextmanager
def added(folder: Path, name: str, files: Mapping[str, str]) -> Iterator[str]:
    """The id of a game with these files, beside the built-in ones."""
    (folder / name).mkdir()
    for file, text in files.items():
        (folder / name / file).write_text(text, "utf-8")
    games.__path__.append(str(folder))
    importlib.invalidate_caches()
    try:
        yield name.replace("_", "-")
    finally:
        games.__path__.remove(str(folder))
        for module in [module for module in sys.modules if f"{module}.".startswith(f"{games.__name__}.{name}.")]:
            del sys.modules[module]
