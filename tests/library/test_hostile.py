"""Hostile input: an error of ours with a code, whatever the input is, and never another exception."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.crypto.codec import encode
from referee.io import files
from tests.support.match import Sitting

TAKES: dict[str, Callable[[Any], Any]] = {
    "open_view": lambda data: referee.open_view(data),
    "verify": lambda data: referee.verify(data),
    "read_key": lambda data: referee.read_key(data),
    "join": lambda data: referee.join(data, KEY),
    "start": lambda data: referee.start(data, [data], KEY),
    "apply": lambda data: referee.apply(data, [], KEY),
    "reveal": lambda data: referee.reveal(data, KEY),
    "make_offer": lambda data: referee.make_offer("mark", KEY, edition=data),
}
KEY = referee.new_key("Host")
NONSENSE = [
    b"", b"{}", b"[]", b"\n", b"null", b"\xff\xfe", b"%PDF-1.7", b"[" * 100_000, b'{"format":"pbem-referee/1/view"}',
    b'{"format":"pbem-referee/2/view"}', b'{"body":{},"sig":"","type":"pbem-referee/1/move"}', b"From: a\nTo: b\n\nhi",
]  # fmt: skip


@pytest.fixture(scope="module")
def documents() -> dict[str, bytes]:
    """One of every kind that a game makes."""
    sitting = Sitting("schwarzer-freitag", 2, "hostile")
    first = sitting.signed(0)
    receipt = sitting.give(first).receipt
    sitting.give(sitting.signed(1))
    assert receipt is not None
    ended = Sitting("schwarzer-freitag", 2, "hostile").to_end()
    return {
        "view": sitting.view(0),
        "game": sitting.file(),
        "move": first,
        "receipt": encode(receipt),
        "offer": encode(sitting.offer),
        "join": encode(sitting.joins[0]),
        "key": referee.write_key(KEY),
        "transcript": ended.transcript(),
    }


def code_of(call: Callable[[], Any]) -> str:
    try:
        call()
    except referee.RefereeError as error:
        return error.code if str(error.message) else "ok"  # an error that says nothing is none
    return "ok"


@pytest.mark.parametrize("name", TAKES)
@pytest.mark.parametrize("data", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense(name: str, data: bytes) -> None:
    assert code_of(lambda: TAKES[name](data)) != "ok"


@pytest.mark.parametrize("name", TAKES)
def test_what_is_neither_bytes_nor_a_path(name: str) -> None:
    for value in (None, 3, ["a"], bytearray(b"{}")):
        if name == "make_offer" and value is None:
            continue
        assert code_of(lambda value=value: TAKES[name](value)) in ("usage", "malformed")  # type: ignore[misc]


@pytest.mark.parametrize("name", ["open_view", "read_key", "join", "apply", "reveal"])
def test_documents_of_another_kind_are_named(name: str, documents: dict[str, bytes]) -> None:
    own = {"open_view": "view", "read_key": "key", "join": "offer"}.get(name, "game")
    for kind, data in documents.items():
        found = code_of(lambda data=data: TAKES[name](data))  # type: ignore[misc]
        if kind != own:
            assert found == "wrong-kind", kind


@pytest.mark.parametrize("kind", ["view", "game", "move", "receipt", "offer", "join", "key", "transcript"])
def test_truncated_and_flipped(kind: str, documents: dict[str, bytes]) -> None:
    data, rng = documents[kind], random.Random(kind)
    takes = {"game": TAKES["apply"], "key": TAKES["read_key"]}.get(kind, TAKES["verify"])
    # Of moves and receipts by themselves only the form is checked, and nothing vouches for the name in a key file.
    loose = kind in ("move", "receipt", "key")
    for _ in range(40):
        place = rng.randrange(len(data))
        flipped = data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]
        assert code_of(lambda: takes(data[:place])) != "ok"  # noqa: B023
        found = code_of(lambda: takes(flipped))  # noqa: B023
        assert loose or found != "ok", place
        referee.identify(flipped)
        assert not referee.judge([flipped]).consistent or kind == "view"


def test_huge_bytes_are_not_read() -> None:
    huge = b"x" * (files.LARGE + 1)
    for name in ("open_view", "verify", "apply", "reveal", "join", "read_key"):
        assert code_of(lambda name=name: TAKES[name](huge)) == "too-large"  # type: ignore[misc]
    assert code_of(lambda: referee.identify(huge)) == "too-large"
    assert code_of(lambda: referee.judge([huge])) == "too-large"


def test_paths_are_read_with_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert code_of(lambda: referee.open_view("missing.json")) == "missing"
    assert code_of(lambda: referee.open_view(tmp_path)) == "folder"
    assert code_of(lambda: referee.verify("-")) == "missing"  # a file of that name, not standard input
    assert code_of(lambda: referee.identify("\0")) == "file"
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(files.LARGE + 1)
    assert code_of(lambda: referee.open_view("huge.json")) == "too-large"
    assert code_of(lambda: referee.apply("game.json", [], KEY)) == "usage"  # type: ignore[arg-type]


def test_a_game_is_opened_with_its_own_key_only(documents: dict[str, bytes]) -> None:
    assert code_of(lambda: TAKES["apply"](documents["game"])) == "other-key"
    view = referee.open_view(documents["view"])
    assert code_of(lambda: view.answer(None, KEY)) == "other-key"


@pytest.mark.parametrize("said", [
    "", ";", "#0", "#99999", "#-1", "sell 2 nothing", "x" * 5_000, "place yellow; place blue", "@9", "\0", "🂡" * 50, {},
    {"type": "place"}, {"colour": 7}, {"a": {"b": [1.5]}}, [], 3, {1: 2}, {"x": object()}, {"x": 2**70}, None,
])  # fmt: skip
def test_moves_that_are_not_moves(said: Any) -> None:
    sitting = Sitting("schwarzer-freitag", 2, "moves").until(1)
    seat = sitting.asked[0]
    view = referee.open_view(sitting.view(seat))
    assert code_of(lambda: view.read(said)) != "ok"
    assert code_of(lambda: view.answer(said, sitting.players[seat])) != "ok"
    game = referee.practice("schwarzer-freitag", seats=2)
    before = game.round
    assert code_of(lambda: game.play(said)) != "ok"
    assert game.round == before


@pytest.mark.parametrize("call", [
    lambda: referee.practice("chess"),
    lambda: referee.practice("../mark"),
    lambda: referee.practice("mark", seats=9),
    lambda: referee.practice("mark", seats=-1),
    lambda: referee.practice("mark", seat=2),
    lambda: referee.practice("mark", seat=-1),
    lambda: referee.practice("mark", level="genius"),
    lambda: referee.practice("mark", options={"no": 1}),
    lambda: referee.practice("mark", options={"": None}),
    lambda: referee.practice("mark", edition=b"{}"),
    lambda: referee.practice("mark", edition=b"[" * 100_000),
    lambda: referee.make_offer("chess", KEY),
    lambda: referee.make_offer("mark", KEY, seats=9),
    lambda: referee.make_offer("mark", KEY, deadline=-1),
    lambda: referee.make_offer("mark", KEY, grace=5),
    lambda: referee.make_offer("mark", KEY, nonce=b"short"),
    lambda: referee.join(referee.make_offer("mark", KEY), KEY),
    lambda: referee.join(referee.make_offer("mark", KEY), referee.new_key()),
    lambda: referee.join(referee.make_offer("mark", KEY), referee.new_key(), "A;B"),
    lambda: referee.start(referee.make_offer("mark", KEY), [], KEY),
    lambda: referee.read_key(referee.write_key(KEY, "right"), "wrong"),
])  # fmt: skip
def test_what_cannot_be(call: Callable[[], Any]) -> None:
    assert code_of(call) != "ok"


@pytest.mark.parametrize("name", ["deadline", "grace", "bank"])
def test_times_are_minutes_within_a_year(name: str) -> None:
    year = 365 * 24 * 60
    for minutes, code in ((-1, "usage"), (year, "ok"), (year + 1, "usage")):
        assert code_of(lambda n=minutes: referee.make_offer("mark", KEY, **{"deadline": 60, name: n})) == code
