"""Your own edition: can a game be played with it, and what does it change? For `referee games --edition`."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from referee import games
from referee.crypto.codec import encode, read
from referee.engine.table import make_terms
from referee.errors import Malformed, Usage
from referee.game import Game
from referee.language import Message, current_language, quoted, run
from referee.library import t, w
from referee.library.documents import read_document
from referee.library.tables import pairs, read_options
from referee.show.rules import choices, reconstructed
from referee.show.text import clean

SHORT = 60
"""Characters of a value that is shown."""
SHOWN = 4
"""Places of one list that are shown."""


class Change(Struct, frozen=True):
    """A value that is not that of the program's own edition; without one of the two it was added, or left out."""

    place: str
    own: Any
    usual: Any


class Replaced(Struct, frozen=True):
    """A clause whose values are rebuilt, and which of its sentences the edition replaces."""

    clause: str
    sentences: list[str]


class Checked(Struct, frozen=True):
    """The result of checking an edition."""

    game: str
    title: str
    name: str
    seats: list[int]
    """The numbers of players that can play with it."""
    refused: dict[str, Message]
    """Number of players -> why that many cannot play."""
    changes: dict[str, list[Change]]
    """Field -> what differs in it."""
    replaced: list[Replaced]
    stated: list[str]
    """Fields with other values than the sources have."""


def copy(game_id: str) -> bytes:
    """The program's own edition of a game, to change it."""
    games.load(game_id)
    return games.edition_bytes(game_id)


def check(path: str, game_id: str = "") -> Checked:
    """Read an edition and compare it with the program's own; raises what an offer with it would raise. Without the name
    of a game it is an edition of the one that it looks like."""
    if game_id:
        games.load(game_id)
    data = read_document(path, "edition")
    game_id = game_id or _game_of(data)
    game = games.load(game_id)
    try:
        edition = read(data, game.edition, "edition")
    except Malformed as error:
        error.next = t("correct the edition there: {manual} says how", manual=run("manual", "box"))
        raise
    refused = {seats: _refused(game_id, game, seats, edition) for seats in range(game.seats[0], game.seats[1] + 1)}
    if all(refused.values()):
        raise next(error for error in refused.values() if error)
    ours = read(games.edition_bytes(game_id), game.edition, "edition")
    own, usual = msgspec.to_builtins(edition), msgspec.to_builtins(ours)
    names = [name for name in own if name != "name" and own[name] != usual[name]]
    rebuilt = msgspec.json.decode(games.rebuilt_bytes(game_id), type=dict[str, str])
    clauses = dict.fromkeys(rebuilt[name] for name in names if name in rebuilt)
    return Checked(
        game=game_id,
        title=game.title,
        name=clean(str(own["name"])) if "name" in own else "",
        seats=[seats for seats, error in refused.items() if error is None],
        refused={str(seats): error.message for seats, error in refused.items() if error},
        changes={name: list(_changes(name, own[name], usual[name])) for name in names},
        replaced=[Replaced(clause, reconstructed(game_id, clause, current_language())) for clause in clauses],
        stated=[name for name in names if name not in rebuilt],
    )


def _game_of(data: bytes) -> str:
    """The game whose editions share the most fields with this JSON object."""
    fields = read(data, dict[str, msgspec.Raw], "edition").keys()
    shared = {
        game_id: len(fields & {field.name for field in msgspec.structs.fields(games.load(game_id).edition)} - {"name"})
        for game_id in games.game_ids()
    }
    game_id = max(shared, key=lambda one: shared[one])
    if not shared[game_id]:
        see = t("begin with the edition of a game: {manual} says how", manual=run("manual", "box"))
        raise Usage(t("no game has an edition with such fields"), see, code="bad-edition")
    return game_id


def _refused(game_id: str, game: Game, seats: int, edition: object) -> Usage | None:
    """Why this many players cannot play with this edition, with the usual options or with any other value of one."""
    try:
        make_terms(game, seats, game.options(), edition)
        for choice in choices(game_id):
            make_terms(game, seats, read_options(game.options, pairs([choice])), edition)
    except Usage as error:
        return error
    return None


def _changes(place: str, own: Any, usual: Any) -> Iterator[Change]:
    """What differs, at the smallest places that both have."""
    if isinstance(own, dict) and isinstance(usual, dict):
        for name in dict.fromkeys((*usual, *own)):
            if own.get(name) != usual.get(name):
                yield from _changes(f"{place}.{name}", own.get(name), usual.get(name))
    elif isinstance(own, tuple) and isinstance(usual, tuple) and all(isinstance(one, str) for one in (*own, *usual)):
        more, fewer = Counter(own) - Counter(usual), Counter(usual) - Counter(own)
        yield from (Change(place, one, None) for one in more.elements())
        yield from (Change(place, None, one) for one in fewer.elements())
        if not more and not fewer:
            yield Change(place, own, usual)
    elif isinstance(own, tuple) and isinstance(usual, tuple) and _nested((*own, *usual)):
        for at in range(max(len(own), len(usual))):
            mine, theirs = (one[at] if at < len(one) else None for one in (own, usual))
            if mine != theirs:
                yield Change(f"{place}[{at}]", mine, theirs)
    else:
        yield Change(place, own, usual)


def _nested(values: tuple[Any, ...]) -> bool:
    """Whether a list has parts that deserve a line each."""
    return any(isinstance(one, dict | tuple) for one in values)


# --- in words --------------------------------------------------------------------------------------------------------


def lines_of(found: Checked) -> Iterator[str]:
    """What was found, line by line."""
    yield w("{name}: an edition of {title}", name=quoted(found.name), title=found.title)
    yield w("It can be played with: {seats} players.", seats=", ".join(map(str, found.seats)))
    for seats, why in found.refused.items():
        yield w("It cannot be played with {seats} players: {why}.", seats=seats, why=why)
    if not found.changes:
        yield w("All its values are those of the program's own edition.")
        return
    yield w("It differs from the program's own edition:")
    for changes in found.changes.values():
        for change in changes[:SHOWN]:
            yield f"  {_line(change)}"
        if len(changes) > SHOWN:
            yield "  " + w.plural("and at {n} more place of this list", "and at {n} more places of this list",
                                  len(changes) - SHOWN)  # fmt: skip
    if found.replaced:
        yield w("We had rebuilt these values; yours replace them:")
    for clause in found.replaced:
        yield f"  {clause.clause}: {' '.join(clause.sentences)}".rstrip(": ")
    if found.stated:
        yield w(
            "These are not rebuilt but come from a source; please check them again: {fields}.",
            fields=", ".join(found.stated),
        )


def _line(change: Change) -> str:
    if change.usual is None:
        return w("{place}: {own}, added", place=change.place, own=_short(change.own))
    if change.own is None:
        return w("{place}: {usual} is left out", place=change.place, usual=_short(change.usual))
    return w("{place}: {own} instead of {usual}",
             place=change.place, own=_short(change.own), usual=_short(change.usual))  # fmt: skip


def _short(value: Any) -> str:
    """A value as JSON, if it is not too long for a line."""
    text = clean(encode(value).decode())
    return text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"
