"""What costs the tests most, and follows from its arguments alone, is worked out once in a process.

Thousands of files hold the same few signatures, a chain is made for every answer of its owner, and the command line is
put together for each of thousands of commands; all vectors are read to try one. A program that runs one command does
each of these once anyway.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from referee.cli import app
from referee.crypto import envelope, links
from referee.language import spoken
from referee.testing import conform

VECTORS = str(Path(__file__).parents[2] / "schemas" / "vectors")


def remember() -> None:
    """From now on."""
    envelope.verify = lru_cache(maxsize=8192)(envelope.verify)
    links.Chain.checkpoints = _checkpoints(links.Chain.checkpoints)  # type: ignore[method-assign]
    app.command = _command(app.command)
    conform._vectors = _vectors(conform._vectors)


def _checkpoints(make: Callable[[links.Chain, bytes], list[bytes]]) -> Any:
    known: dict[tuple[bytes, bytes], list[bytes]] = {}

    def checkpoints(chain: links.Chain, last: bytes) -> list[bytes]:
        place = chain._prefix.digest(), last
        if place not in known:
            if len(known) == 2048:
                known.clear()
            known[place] = make(chain, last)
        return list(known[place])

    return checkpoints


def _command(make: Callable[[str], Any]) -> Callable[[str], Any]:
    """Help is in the language that is spoken when it is made."""
    made = lru_cache(maxsize=None)(lambda only, language: make(only))
    return lambda only="": made(only if only in app.COMMANDS else "", spoken())


def _vectors(read: Callable[[str, Sequence[str]], dict[str, Any]]) -> Callable[[str, Sequence[str]], dict[str, Any]]:
    """Our own vectors stay as they are while tests run, and nobody changes what was read."""
    kept = lru_cache(maxsize=1)(read)
    return lambda folder, names: kept(folder, tuple(names)) if folder == VECTORS else read(folder, names)
