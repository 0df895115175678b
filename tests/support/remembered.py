"""What costs the tests most, and follows from its arguments alone, is worked out once in a process.

Thousands of files hold the same few signatures, a chain is made for every answer of its owner, and the command line is
put together for each of thousands of commands; the same random games are looked at for many reasons, and the pages of
our examples have a picture of every round; all vectors are read to try one, the packages that are installed are
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
from referee.page import reading
from referee.testing import conform, subject

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
    subject.play = _play(subject.play)
    reading.reading_of_transcript = _reading(reading.reading_of_transcript)
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
    """Games that happen to be installed here are not seen: no test may depend on them. A test may look elsewhere, and
    nothing is installed while tests run."""
    foreign = set(find())
    found = lru_cache(maxsize=64)(lambda path: {name: one for name, one in find().items() if name not in foreign})
    return lambda: dict(found(tuple(sys.path)))


def _play(make: Callable[..., subject.Play]) -> Callable[..., subject.Play]:
    """Of the usual editions, to the end: whoever looks at such a game goes on with a copy of a moment. Its rules are
    kept beside it, so that no others can have their number."""
    known: dict[tuple[int, subject.Way], tuple[object, subject.Play]] = {}

    def play(one: subject.Subject, way: subject.Way, most: int = subject.MOST) -> subject.Play:
        if most != subject.MOST or one.edition != subject.Subject(one.game_id).edition:
            return make(one, way, most)
        place = id(one.game), way
        if place not in known:
            if len(known) == 64:
                known.clear()
            known[place] = one.game, make(one, way, most)
        return known[place][1]

    return play


def _reading(make: Callable[..., Any]) -> Callable[..., Any]:
    """In the language that is spoken, by the rules as they are now, which are kept beside it."""
    known: dict[tuple[bytes, str, int], tuple[object, Any]] = {}

    def made(data: bytes, chain: Any) -> Any:
        game = chain.table.game
        place = data, spoken(), id(game)
        if place not in known:
            if len(known) == 16:
                known.clear()
            known[place] = game, make(data, chain)
        return known[place][1]

    return made


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
