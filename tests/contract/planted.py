"""Faults to be planted in the toy game: its source with some lines changed, as a game of its own."""

import hashlib
import importlib
import sys
from collections.abc import Iterator, Sequence
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
    # The name decides the chance of random games: it must not depend on which tests ran before.
    name = "planted_" + hashlib.sha256(repr((plant.changes, plant.files)).encode()).hexdigest()[:8]
    package = folder / name
    package.mkdir()
    for path in TOY.iterdir():
        if path.is_file():
            (package / path.name).write_bytes(path.read_bytes())
    source = (TOY / "__init__.py").read_text("utf-8")
    for old, new in plant.changes:
        assert old in source, f"the toy game has no {old!r}"
        source = source.replace(old, new)
    (package / "__init__.py").write_text(source, "utf-8")
    for file, text in plant.files.items():
        (package / file).write_text(text, "utf-8")
    games.__path__.append(str(folder))
    importlib.invalidate_caches()
    try:
        yield name.replace("_", "-")
    finally:
        games.__path__.remove(str(folder))
        for module in [module for module in sys.modules if f"{module}.".startswith(f"{games.__name__}.{name}.")]:
            del sys.modules[module]
