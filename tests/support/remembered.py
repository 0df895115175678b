"""What costs the tests most, and follows from its arguments alone, is worked out once in a process.

Thousands of files hold the same few signatures, a chain is made for every answer of its owner, and the command line is
put together for each of thousands of commands; the same random games are looked at for many reasons, and the pages of
our examples have a picture of every round; all vectors are read to try one, the packages that are installed are
searched for games again and again, the same results are rated when they are written, checked and checked once
more, hundreds of lines are typed at one view, and the library makes a class for every header of a mail, and parses
it, each time that it is looked at. A program that runs one command does most of these once anyway.
"""

import os
import sys
from collections.abc import Callable, Sequence
from email.headerregistry import HeaderRegistry
from functools import lru_cache
from pathlib import Path
from typing import Any

from referee import games
from referee.cli import app
from referee.crypto import envelope, links
from referee.engine.player import Opened
from referee.language import current_language
from referee.lexicon import Lexicon
from referee.mail import ours
from referee.page import reading
from referee.show import typed
from referee.show.wording import Place
from referee.testing import conform, subject
from referee.tournament import rating, summary

SHORT = 400
"""Letters; longer lines and headers of mails are read each time, so that little is kept."""
HIDDEN = str(Path(__file__).with_name("hidden"))
VECTORS = str(Path(__file__).parents[2] / "schemas" / "vectors")


def remember() -> None:
    """Do so from now on."""
    envelope.verify = lru_cache(maxsize=8192)(envelope.verify)
    links.Chain.checkpoints = _checkpoints(links.Chain.checkpoints)  # type: ignore[method-assign]
    app.command = _command(app.command)
    conform._vectors = _vectors(conform._vectors)
    games._installed = _installed(games._installed)
    subject.play = _play(subject.play)
    reading.reading_of_transcript = _reading(reading.reading_of_transcript)
    HeaderRegistry.__call__ = _header(HeaderRegistry.__call__)  # type: ignore[method-assign]
    ours.words_of = _words_of(ours.words_of)
    summary.rate = _rate(summary.rate)
    typed.choices = _choices(typed.choices)
    Lexicon.english = _english(Lexicon.english)  # type: ignore[method-assign]


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
    return lambda only="": made(only if only in app.COMMANDS else "", current_language())


def _vectors(read: Callable[[str, Sequence[str]], dict[str, Any]]) -> Callable[[str, Sequence[str]], dict[str, Any]]:
    """Our own vectors stay as they are while tests run, and nobody changes what was read."""
    kept = lru_cache(maxsize=1)(read)
    return lambda folder, names: kept(folder, tuple(names)) if folder == VECTORS else read(folder, names)


def _installed(find: Callable[[], dict[str, Any]]) -> Callable[[], dict[str, Any]]:
    """Games that happen to be installed here are not seen: no test may depend on them. A test may look elsewhere, and
    nothing is installed while tests run. Processes that tests start do not see them either."""
    foreign = set(find())
    if foreign:
        os.environ["HIDDEN_GAMES"], os.environ["HIDDEN_IN"] = " ".join(sorted(foreign)), sys.prefix
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (HIDDEN, os.environ.get("PYTHONPATH"))))
    found = lru_cache(maxsize=64)(lambda path: {name: one for name, one in find().items() if name not in foreign})
    return lambda: dict(found(tuple(sys.path)))


def _play(make: Callable[..., subject.Play]) -> Callable[..., subject.Play]:
    """Of the usual editions, to the end: whoever looks at such a game goes on with a copy of a moment. Its rules are
    kept beside it, so that no others can have their number."""
    known: dict[tuple[int, subject.Setup], tuple[object, subject.Play]] = {}

    def play(one: subject.Subject, way: subject.Setup, most: int = subject.MOST) -> subject.Play:
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
        place = data, current_language(), id(game)
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


def _rate(make: Callable[..., rating.Ratings]) -> Callable[..., rating.Ratings]:
    """Of the same games: a thousand repetitions take longer than to play them."""
    known: dict[object, rating.Ratings] = {}

    def rate(sample: rating.Sample, *how: Any) -> rating.Ratings:
        units = tuple((tuple(unit.chosen.items()), tuple(unit.sets.items())) for unit in sample.units)
        counted = tuple(sample.games.items()), tuple(sample.groups.items()), sample.played, sample.dealt
        place = units, counted, how
        if place not in known:
            if len(known) == 256:
                known.clear()
            known[place] = make(sample, *how)
        return known[place]

    return rate


def _choices(find: Callable[[Place], list[Any]]) -> Callable[[Place], list[Any]]:
    """Of a view that was opened, by the rules as they are now: tests type hundreds of lines at one."""
    known: dict[tuple[int, int, int, str], tuple[object, object, object, list[Any]]] = {}

    def choices(place: Place) -> list[Any]:
        if not isinstance(place, Opened):
            return find(place)
        game, checkpoint = place.table.game, place.chain.checkpoint
        at = id(place), id(game), id(checkpoint), current_language()
        if at not in known:
            if len(known) == 256:
                known.clear()
            known[at] = place, game, checkpoint, find(place)
        return list(known[at][3])

    return choices


def _english(read: Callable[[Lexicon, str], str]) -> Any:
    """Words mean the same every time; a lexicon is kept beside what was read with it."""
    known: dict[tuple[int, str], tuple[Lexicon, str]] = {}

    def english(words: Lexicon, line: str) -> str:
        at = id(words), line
        if at not in known:
            if len(known) == 8192:
                known.clear()
            known[at] = words, read(words, line)
        return known[at][1]

    return english
