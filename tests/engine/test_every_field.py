"""A host who changes any single value in any document it signs: found by its step, and never a crash."""

import copy
import itertools
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from referee.crypto.codec import decode, encode
from referee.crypto.envelope import ident, seal
from referee.engine.audit import audit
from referee.engine.records import Private, View
from referee.engine.replay import verify
from referee.errors import RefereeError
from tests.support.match import Sitting, change_transcript

ROUNDS = (1, 2, 3, 4, 6, 9, 11)
"""Deal, bid, raid, play, a raid again, a play after the reshuffle, the end."""

EVERY = 6
"""Of the changes to an entry one in six is tried, since each is a replay or an audit of the whole game."""


def others(value: Any) -> list[Any]:
    """Values that could stand in the place of this one."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1, 63, -2, 2**53]
    if isinstance(value, str):
        hexed = ["00" * (len(value) // 2), value[:-1] + ("0" if value[-1] != "0" else "1")] if len(value) >= 64 else []
        return [*hexed, "", value + "x", "pile", "hand/0", "pile.0.1", "pile+0", "void"]
    if isinstance(value, list):
        return [[], value[1:], value + value[:1], value[::-1]]
    return []


def changes(document: Any) -> Iterator[Any]:
    """The document with one value changed or one field left out."""

    def walk(at: Any, path: tuple) -> Iterator[tuple[tuple, Any]]:
        if isinstance(at, dict):
            for name in at:
                yield (*path, name), None
                yield from walk(at[name], (*path, name))
        elif isinstance(at, list):
            for index, item in enumerate(at):
                yield from walk(item, (*path, index))
        for other in others(at):
            if other != at:
                yield path, (other,)

    for path, new in walk(document, ()):
        if not path:
            continue
        changed = copy.deepcopy(document)
        place = changed
        for name in path[:-1]:
            place = place[name]
        if new is None:
            del place[path[-1]]
        else:
            place[path[-1]] = new[0]
        yield changed


@pytest.fixture(scope="module")
def game() -> tuple[Sitting, dict[int, bytes], bytes]:
    table = Sitting(seed="fields")
    views = {}
    while not table.state.end:
        table.others()
        views[table.round] = table.view(0)
    return table, views, table.transcript()


@pytest.mark.parametrize("number", ROUNDS)
def test_every_value_of_an_entry(game, number):
    table, _, transcript = game
    body = msgspec.json.decode(bytes(decode(bytes(table.match.entries[number - 1]), msgspec.Raw, "entry")))["body"]
    tried = 0
    for changed in itertools.islice(changes(body), number % EVERY, None, EVERY):
        entry = msgspec.Raw(encode(seal(table.host, "entry", changed)))
        entries = (*table.match.entries[: number - 1], entry, *table.match.entries[number:])
        with pytest.raises(RefereeError) as error:
            verify(change_transcript(transcript, entries=entries))
        assert getattr(error.value, "step", number) == number, (error.value.code, changed)
        tried += 1
    assert tried > 30


@pytest.mark.parametrize("number", ROUNDS)
def test_every_value_of_an_entry_in_a_view(game, number):
    """The view cannot show everything, but what it says it must say in words."""
    table, views, _ = game
    view = decode(views[number], View, "view")
    private = decode(bytes(view.private.body), Private, "private")
    body = msgspec.json.decode(bytes(view.entries[-1]))["body"]
    refused = tried = 0
    for changed in itertools.islice(changes(body), number % EVERY, None, EVERY):
        envelope = seal(table.host, "entry", changed)
        newest = msgspec.structs.replace(private, entry=ident("entry", bytes(envelope.body)))
        entries = (*view.entries[:-1], msgspec.Raw(encode(envelope)))
        false = msgspec.structs.replace(view, entries=entries, private=seal(table.host, "private", newest))
        tried += 1
        try:
            audit(encode(false))
        except RefereeError:
            refused += 1
    assert refused > tried * 0.7


@pytest.mark.parametrize("number", ROUNDS)
def test_every_value_of_a_private_part(game, number):
    table, views, _ = game
    view = decode(views[number], View, "view")
    body = msgspec.json.decode(bytes(view.private.body))
    tried = 0
    for changed in itertools.islice(changes(body), number % 2, None, 2):
        if sorted(changed.get("own", {}).get("hand", ())) == body["own"]["hand"] and changed["own"] != body["own"]:
            continue  # the same cards in another order
        with pytest.raises(RefereeError):
            audit(encode(msgspec.structs.replace(view, private=seal(table.host, "private", changed))))
        tried += 1
    assert tried > 25
