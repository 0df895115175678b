"""Our modules as a command sees them: each runs when it is first used, so nobody waits for what others need."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType


class _Finder:
    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not name.startswith("referee.") or name.startswith("referee.cli"):
            return None
        found = PathFinder.find_spec(name, path, target)
        if found and found.loader:
            found.loader = LazyLoader(found.loader)
        return found


@contextmanager
def lazily() -> Iterator[None]:
    """Modules that are imported meanwhile do not run yet."""
    sys.meta_path.insert(0, _Finder)
    try:
        yield
    finally:
        sys.meta_path.remove(_Finder)
