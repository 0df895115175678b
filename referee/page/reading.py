"""A game's page: a view or transcript that passed every check, with each round in words and as a picture."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec

import msgspec

from referee import games
from referee.crypto.codec import decode, encode
from referee.engine import records as r
from referee.engine.chain import Followed
from referee.engine.player import Opened, OwnFields
from referee.engine.table import Table
from referee.game import AnySeen
from referee.language import current_language
from referee.page.aid import bags_of, pieces_of
from referee.show import pictures, story
from referee.show.text import clean, scored
from referee.show.wording import language_of


class Round(msgspec.Struct, frozen=True, omit_defaults=True):
    """One round of a game's page: the story, what each player alone learned, the position, and the picture as indexes
    of pieces."""

    told: tuple[str, ...]
    news: tuple[tuple[int, tuple[str, ...]], ...]
    public: msgspec.Raw
    picture: tuple[int, ...]
    scores: tuple[str, ...] = ()
    """What each seat reached in the end, in the words of the game's board."""


class Reading(msgspec.Struct, frozen=True):
    """All that a game's page holds: the file itself, and what the program that made the page adds. Pictures share their
    `pieces`: a picture is some of them, one after the other."""

    file: str
    title: str
    language: str
    """The page's first language."""
    told: str
    """The language of the rounds and pictures."""
    listed: Mapping[str, tuple[str, ...]]
    """What the entries of some lists in the positions stand for."""
    bags: Mapping[str, tuple[str, ...]]
    rounds: tuple[Round, ...]
    pieces: tuple[str, ...]
    own: OwnFields = {}
    """What the owner of a view sealed: with it, rules in a page can tell the same."""


def reading_of_view(opened: Opened) -> Reading:
    """The game as the owner of a view knows it."""
    chain = opened.chain
    rounds = story.story_of_view(opened, range(1, len(chain.rounds) + 1))
    found = _reading(encode(opened.view), chain, rounds, lambda number: pictures.seen_in_view(opened, number))
    return msgspec.structs.replace(found, own=opened.owner.sealed)


def reading_of_transcript(data: bytes, chain: Followed) -> Reading:
    """A finished game with everything that was hidden; the board is the one that everybody saw."""
    sealed = decode(data, r.Transcript, "transcript").sealed
    rounds = story.story_of_transcript(chain, sealed, range(1, len(chain.rounds) + 1))
    return _reading(data, chain, rounds, lambda number: pictures.seen_in_transcript(chain, number))


def page_of(reading: Reading, payloads: Mapping[str, bytes] = {}) -> bytes:
    """The page itself; with rules, if it gets what it needs to run them."""
    from referee.page.assemble import reading_page  # where pages are made, and not within one

    kept = reading if payloads else msgspec.structs.replace(reading, own={})
    return reading_page(msgspec.json.encode(kept), payloads)


def _reading(data: bytes, chain: Followed, stories: list[story.Round], seen: Callable[[int], AnySeen]) -> Reading:
    table = chain.table
    drawn = [pictures.svg(chain, seen(one.round)) if table.game.picture else "" for one in stories]
    pieces, numbers = pieces_of(drawn)
    rounds = (
        Round(
            one.told,
            tuple(_news(one, table)),
            msgspec.Raw(encode(checked.checkpoint.public)),
            picture,
            _scores(checked.checkpoint.state, table),
        )
        for one, checked, picture in zip(stories, chain.rounds, numbers, strict=True)
    )
    listed = _listed(table.offer.game)
    languages = current_language(), language_of(table)
    return Reading(data.decode(), table.game.title, *languages, listed, bags_of(table), tuple(rounds), pieces)


def _scores(state: r.State, table: Table) -> tuple[str, ...]:
    return tuple(scored(table.offer.game, score) for score in state.result.scores) if state.result else ()


def _listed(game_id: str) -> Mapping[str, tuple[str, ...]]:
    """A game's names for the lists in its positions: `LISTED` in its module `board`, if it has one. They stay words of
    positions: the page says them in the language that is chosen there."""
    name = f"{games.module_of(game_id)}.board"
    return getattr(import_module(name), "LISTED", {}) if find_spec(name) else {}


def _news(one: story.Round, table: Table) -> Iterator[tuple[int, tuple[str, ...]]]:
    for news in one.news:
        yield news.seat - 1, tuple(news.lines(table, clean(table.names[news.seat - 1])))
