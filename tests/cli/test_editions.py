"""An edition from the command line: refused with a clear message, or a game that starts, plays and reads again."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from referee import games
from referee.crypto.codec import decode
from referee.crypto.envelope import Envelope
from referee.engine import host, lobby
from referee.errors import RefereeError
from referee.io.gamefile import open_match
from tests.cli.world import World, check_refusal, run_here, seed
from tests.support.match import Sitting

ROUNDS = 4
HUGE = (2**53 - 1, 10**6, 1000, 0, -1)
ODD: tuple[object, ...] = ("x", 10**400, 1.5, {}, [10**12] * 3)
"""Instead of a whole field; the contract suite tries more, without the command."""


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the numbers of an edition are; in a list, the first, a middle one and the last."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from paths(inner, (*at, name))
    elif isinstance(value, list):
        for number in sorted({0, len(value) // 2, len(value) - 1} & set(range(len(value)))):
            yield from paths(value[number], (*at, number))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield at


def changed(value: Any, at: tuple[Any, ...], new: object) -> Any:
    """A copy with another value at one place."""
    if not at:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[at[0]] = changed(value[at[0]], at[1:], new)
    return copy


def shape(at: tuple[Any, ...]) -> str:
    """Places of the same kind, of which one is tried: every card of a list is one of them."""
    return ".".join("*" if isinstance(step, int) else step for step in at)


def spoilt(game_id: str) -> Iterator[tuple[str, Any]]:
    """The printed edition with one number after the other out of bounds, one field after the other missing or odd."""
    plain = json.loads(games.edition_bytes(game_id))
    kinds: dict[str, int] = {}
    for at in paths(plain):
        kinds[shape(at)] = kinds.get(shape(at), 0) + 1
        if kinds[shape(at)] == 1:
            for value in HUGE:
                yield f"{'.'.join(map(str, at))} = {value}", changed(plain, at, value)
    for field, value in plain.items():
        for other in ODD:
            yield f"{field} = {str(other)[:20]}", {**plain, field: other}
        yield f"no {field}", {name: other for name, other in plain.items() if name != field}
        if isinstance(value, list) and value:
            for label, other in (("short", value[:-1]), ("turned", value[::-1]), ("same", [value[0]] * len(value))):
                yield f"{field} {label}", {**plain, field: other}
            yield f"{field} endless", {**plain, field: value * (40_000 // len(json.dumps(value)) + 2)}
    yield "name", {**plain, "name": "\x1b]0;pwned\x07\u202e"}
    yield "long name", {**plain, "name": "x" * 100_000}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("editions") / "desk", rounds=0)


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", games.game_ids())
def test_every_number_of_an_edition(world: World, game_id: str) -> None:
    """Each is refused, or a game with it starts, is dealt and played on, and its file opens after every step."""
    seats = games.load(game_id).seats[0]
    bad, refused, played = [], 0, 0
    for label, value in spoilt(game_id):
        (world.root / "evil.json").write_text(json.dumps(value))
        args = ["offer", game_id, "--seats", str(seats), "--edition", "evil.json", "-o", "-"]
        ran = run_here(*args, cwd=world.root, home=world.host_home)
        try:
            if ran.exit:
                check_refusal(ran, (2, 7))
                assert re.search("edition|\\$", ran.said), ran.said
                refused += 1
            else:
                if played % 3 == 0:  # every one is dealt and played in the tests of its game
                    play(world, ran.out.rstrip(b"\n"), seats, game_id)
                played += 1
        except (AssertionError, RefereeError) as problem:
            bad.append(f"{label}: {type(problem).__name__} {problem}"[:240])
    assert not bad, f"{len(bad)} of {refused + played} bad:\n" + "\n".join(bad)
    assert refused > 20
    assert played >= 3


def play(world: World, offer: bytes, seats: int, game_id: str) -> None:
    """Join, start, acks and a few rounds by bots, with the game file read back from its bytes each time."""
    sitting = object.__new__(Sitting)
    sitting.seed, sitting.game_id, sitting.host = "edition", game_id, world.host
    sitting.players = [host.Key(seed(f"edition {seat}"), "ABCDEFGH"[seat] * 3) for seat in range(seats)]
    sitting.offer, sitting.own = decode(offer, Envelope, "offer"), {}
    sitting.now = datetime(2027, 1, 1, tzinfo=UTC)
    sitting.joins = tuple(sitting.make_join(seat) for seat in range(seats))
    sitting.match = host.new_match(world.host, lobby.make_genesis(world.host, sitting.offer, sitting.joins))
    sitting.marks = [
        lobby.player_marks(key, sitting.table.offer_id, bytes.fromhex(sitting.table.joins[seat].nonce))
        for seat, key in enumerate(sitting.players)
    ]
    for _ in range(ROUNDS):
        if sitting.over:
            break
        sitting.step()
        sitting.match = open_match(sitting.file(), world.host)
    for seat in range(seats):
        assert sitting.opened(seat).round == sitting.round


def test_an_edition_that_is_refused_leaves_no_offer(world: World, tmp_path: Path) -> None:
    (tmp_path / "own.json").write_text("{}")
    for game_id in games.game_ids():
        ran = run_here("offer", game_id, "--seats", "3", "--edition", "own.json", cwd=tmp_path, home=world.host_home)
        check_refusal(ran, (7,))
    assert [path.name for path in tmp_path.iterdir()] == ["own.json"]
