"""The aid beside a view: what a page without rules needs. The host's program makes it, nobody signs it, and no reader
trusts it: a player signs the fields, not the labels. It is made only from that view, so it cannot leak more."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.crypto.codec import PROJECT, Hex32, encode
from referee.engine.host import Match, make_view
from referee.engine.player import Opened, open_view
from referee.engine.records import Record
from referee.engine.table import Table
from referee.errors import IllegalMove, Usage
from referee.forms import Moves, StandingChoices
from referee.games import as_typed
from referee.io.files import file_name
from referee.language import ENGLISH
from referee.show import pictures, story, typed
from referee.show.documents import agreed_in_words
from referee.show.wording import in_readers_words, language_of

FORMAT = PROJECT + "aid"
_BETWEEN = re.compile(r"(?<=>)(?=<)")
ROUNDS_MOST = 40
"""How many of the newest rounds are told; a page of the whole game has all of them."""


class RoundStory(Record, frozen=True):
    """A round in words: what everybody knows, and what only the owner of the view learned."""

    round: int
    lines: tuple[str, ...] = ()
    own: tuple[str, ...] = ()


class Aid(Record, frozen=True):
    """For the view of this game, round and seat: forms for every legal answer, the newest rounds in words, a
    picture."""

    format: str
    game: Hex32
    round: int
    seat: int
    title: str
    moves: Moves
    language: str = ENGLISH
    """Of all that is told here: labels, story, picture."""
    sealed: Mapping[str, Any] = {}
    """The value of a field to be sealed if a move leaves it out: it is committed to all the same."""
    together: tuple[tuple[int, int], ...] = ()
    """Pairs of lines of the standing orders that can be given with one answer: their order does not matter."""
    bags: Mapping[str, tuple[str, ...]] = {}
    """What the rules put into each container before the first draw."""
    terms: tuple[str, ...] = ()
    """What the ack agrees to, in words; only before the first round."""
    told: tuple[RoundStory, ...] = ()
    picture: str = ""
    """The position as an SVG."""


def aid_of(opened: Opened) -> Aid:
    """What a page needs to answer this view."""
    table, last = opened.table, len(opened.chain.rounds)
    return Aid(
        format=FORMAT,
        game=table.id,
        round=opened.round,
        seat=opened.seat,
        title=table.game.title,
        moves=moves_of(opened),
        language=language_of(table),
        sealed=_left_out(opened),
        together=tuple(_together(opened)),
        bags=bags_of(table),
        terms=() if last else tuple(line.strip() for line in agreed_in_words(table).splitlines()),
        told=tuple(stories_of(opened, max(1, last - ROUNDS_MOST + 1), last)),
        picture=_picture(opened) if last else "",
    )


def moves_of(opened: Opened) -> Moves:
    """Every answer, with labels in the reader's words."""
    found, table = typed.moves(opened), opened.table
    said = found.standing
    if said is not None:
        now = tuple(as_typed(table.game_id, phrase) for phrase in said.now)
        said = StandingChoices(now, tuple(in_readers_words(table, choice) for choice in said.choices))
    return replace(found, choices=tuple(in_readers_words(table, one) for one in found.choices), standing=said)


def aid_name(opened: Opened) -> str:
    """The name of the file, beside that of the view."""
    return file_name(opened.table.id, opened.round, opened.seat, opened.table.names, "aid")


def aid_for(match: Match, seat: int) -> bytes:
    """The aid for what the host sends a seat now, as a file."""
    own = {round: fields for (round, other), fields in match.sealed.items() if other == seat}
    return encode(aid_of(open_view(make_view(match, seat), own)))


def bags_of(table: Table) -> dict[str, tuple[str, ...]]:
    """What the rules put into each container, sorted, so that the order reveals nothing."""
    return {name: tuple(sorted(faces)) for name, faces in table.bags.items()}


def _left_out(opened: Opened) -> dict[str, object]:
    """The defaults of the fields that are to be sealed, in the types of the moves that are possible."""
    form, names = opened.table.game.move, opened.ask.sealed if opened.ask else ()
    kinds = {type(typed.as_type(choice.move, form)) for choice in (typed.choices(opened) if names else ())}
    fields = (field for kind in kinds for field in msgspec.structs.fields(kind) if field.name in names)
    return {field.name: field.default for field in fields if field.default is not msgspec.NODEFAULT}


def _together(opened: Opened) -> Iterator[tuple[int, int]]:
    """The pairs of standing orders that give the same result in either order."""
    rule, before, terms = opened.table.game.standing, opened.orders(opened.seat), opened.table.terms
    if rule is None:
        return
    lines = typed.standing_choices(opened, before)
    now = rule.text(before)
    phrases = [[one for one in rule.text(line.move) if one not in now] or [line.text] for line in lines]
    for (first, some), (second, others) in combinations(enumerate(phrases), 2):
        try:
            there, back = (
                reduce(lambda words, one: rule.parse(terms, words, one), text, before)
                for text in (some + others, others + some)
            )
        except (IllegalMove, Usage):
            continue
        if there == back:
            yield first, second


def stories_of(opened: Opened, first: int, last: int) -> Iterator[RoundStory]:
    """These rounds in words."""
    for one in story.story_of_view(opened, range(first, last + 1)):
        yield RoundStory(one.round, one.told, tuple(line for news in one.news for line in news.lines(opened.table)))


def _picture(opened: Opened) -> str:
    try:
        return pictures.svg(opened.chain, pictures.seen_in_view(opened))
    except Usage:  # a game may have none
        return ""


def pieces_of(drawn: Sequence[str]) -> tuple[tuple[str, ...], list[tuple[int, ...]]]:
    """Pictures as indexes of pieces that they share: from one round to the next, most of a board stays the same."""
    numbers: dict[str, int] = {}
    made = []
    for picture in drawn:
        made.append(tuple(numbers.setdefault(piece, len(numbers)) for piece in _BETWEEN.split(picture)))
    return tuple(numbers), made
