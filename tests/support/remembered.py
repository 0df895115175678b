"""What costs the tests most, and follows from its arguments alone, is worked out once in a process.

Thousands of files hold the same few signatures, a chain is made for every answer of its owner, and the command line is
put together for each of thousands of commands; all vectors are read to try one, the packages that are installed are
searched for games again and again, and the library makes a class for every header of a mail, and parses it, each time
that it is looked at. A program that runs one command does most of these once anyway.
"""

import sys
from collections.abc import Callable, Sequence
from email.headerregistry import HeaderRegistry
from functools import lru_cache
from pathlib import Path
from typing import Any

from referee import games
from referee.cli import app
from referee.crypto import envelope, links
from referee.language import spoken
from referee.mail import ours
from referee.testing import conform

SHORT = 400
"""Letters; longer lines and headers of mails are read each time, so that little is kept."""
VECTORS = str(Path(__file__).parents[2] / "schemas" / "vectors")


def remember() -> None:
    """From now on."""
    envelope.verify = lru_cache(maxsize=8192)(envelope.verify)
    links.Chain.checkpoints = _checkpoints(links.Chain.checkpoints)  # type: ignore[method-assign]
    app.command = _command(app.command)
    conform._vectors = _vectors(conform._vectors)
    games._installed = _installed(games._installed)
    HeaderRegistry.__call__ = _header(HeaderRegistry.__call__)  # type: ignore[method-assign]
    ours.words_of = _words_of(ours.words_of)


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


def _installed(find: Callable[[], dict[str, Any]]) -> Callable[[], dict[str, Any]]:
    """Nothing is installed while tests run, but a test may look elsewhere."""
    found = lru_cache(maxsize=64)(lambda path: find())
    return lambda: dict(found(tuple(sys.path)))


def _header(make: Callable[..., Any]) -> Any:
    """Nobody changes a header that was made."""
    made = lru_cache(maxsize=8192)(make)

    def header(registry: HeaderRegistry, name: str, value: Any) -> Any:
        short = type(value) is str and len(name) + len(value) < SHORT
        return (made if short else make)(registry, name, value)

    return header


def _words_of(find: Callable[[str], tuple[str, ...]]) -> Callable[[str], tuple[str, ...]]:
    found = lru_cache(maxsize=8192)(find)
    return lambda text: found(text) if len(text) < SHORT else find(text)
