"""Causes of faults as data: they have a sentence in every language, whatever a stranger's file contains."""

import json
from typing import Any

import msgspec
import pytest

from referee.bots.causes import GIVEN, LONGEST, MOST, SENTENCES, Cause, cause, refused
from referee.crypto.codec import BIGGEST, decode, encode
from referee.errors import IllegalMove, Malformed
from referee.game import Refusals
from referee.language import LANGUAGES, Reason, Value, names_in, quoted, speaking, t
from tests.locale.left_over import english_in

MARK = Refusals("referee.games.mark")


def kept(one: Cause) -> dict[str, Any]:
    """As a file has it; it is the same again."""
    assert decode(encode(one), Cause, "line") == one
    found: dict[str, Any] = json.loads(encode(one))
    return found


@pytest.mark.parametrize("reason", sorted(SENTENCES.keys() - {GIVEN}))
def test_every_reason_has_a_sentence_in_every_language(reason: str) -> None:
    error = "ENOENT" if reason == "not-started" else "deep"
    one = cause(reason, **{name: error if name == "error" else 7 for name in names_in(SENTENCES[reason])})
    assert kept(one)["reason"] == reason
    told = {}
    for language in LANGUAGES:
        with speaking(language):
            told[language] = str(one)
    assert len(set(told.values())) == len(LANGUAGES)
    assert "does not know" not in told["en"]
    assert [english_in(told[language], language) for language in ("de", "nl")] == [[], []]


def test_numbers_and_errors_are_in_the_readers_language() -> None:
    with speaking("de"):
        assert "binnen 0,5 s" in str(cause("killed", grace="0.5"))
        assert str(cause("not-started", error="ENOENT")).endswith("diese Datei oder diesen Ordner gibt es nicht")
        assert "das nötige Feld `x` fehlt" in str(cause("line-unread", error="Object missing required field `x`"))


def test_a_refusal_is_stored_by_the_reason_of_the_rules() -> None:
    one = refused("mark", MARK("MK-10", "bid-too-high", lowest=3, money=2))
    assert kept(one) == {
        "clause": "MK-10", "game": "mark", "reason": "bid-too-high", "values": {"lowest": 3, "money": 2},
    }  # fmt: skip
    assert str(one) == "you have only 2 (MK-10)"
    with speaking("de"):
        assert str(one) == "du hast nur 2 (MK-10)"


def test_rules_without_a_reason_are_stored_with_their_message() -> None:
    plain = refused("mark", IllegalMove("MK-9", t("{who} has moved already", who=quoted("A\x1b"))))
    assert kept(plain) == {"clause": "MK-9", "reason": "given", "values": {"words": "'A\\x1b' has moved already"}}
    assert str(plain) == "'A\\x1b' has moved already (MK-9)"
    with speaking("de"):
        other = refused("mark", Malformed(t("'{quoted}'", quoted="x" * 300)))
    assert kept(other) == {"reason": "given", "values": {"words": "'" + "x" * (LONGEST - 1)}}


@pytest.mark.parametrize(
    "error",
    [
        Refusals("os")("X-1", "not-held"),
        MARK("X-1", "Not a word!", n=1),
        MARK("X-1", "not-asked", **{f"v{at}": at for at in range(MOST + 1)}),
        MARK("one clause, and another", "not-asked"),
    ],
    ids=["another package", "no word", "too many values", "no clause"],
)
def test_a_reason_that_could_not_be_read_back_is_stored_as_a_message(
    error: IllegalMove, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Reason, "__str__", lambda self: "no")
    assert kept(refused("mark", error))["reason"] == GIVEN
    assert str(refused("nothing-here", error)).startswith("no (")


@pytest.mark.parametrize(
    ("value", "as_kept"),
    [
        (BIGGEST, BIGGEST),
        (-BIGGEST - 1, str(-BIGGEST - 1)),
        (True, 1),
        ("a\x1b\ud800", "a\\x1b\\ud800"),
        ("x" * 1000, "x" * LONGEST),
        ((1, "b", ("c", 2)), [1, "b", "c, 2"]),
        (tuple(range(100)), list(range(MOST))),
        (quoted("c"), "'c'"),
    ],
)
def test_values_are_plain_and_bounded(value: Value, as_kept: object) -> None:
    assert kept(refused("mark", MARK("MK-4", "not-asked", value=value)))["values"] == {"value": as_kept}


@pytest.mark.parametrize(
    "data",
    [
        b'{"reason":"no such thing"}',
        b'{"reason":""}',
        b'{"reason":"status","values":{"status":1.5}}',
        b'{"reason":"status","values":{"status":9007199254740992}}',
        b'{"reason":"status","values":{"status":null}}',
        b'{"reason":"status","values":{"a b":1}}',
        b'{"reason":"status","values":{"status":{"reason":"status"}}}',
        b'{"reason":"status","values":{"status":[[1]]}}',
        b'{"reason":"status","values":{"status":"' + b"x" * (LONGEST + 1) + b'"}}',
        b'{"reason":"status","values":{"status":[' + b",".join([b"1"] * (MOST + 1)) + b"]}}",
        b'{"game":"../mark","reason":"status"}',
        b'{"game":"mark.story","reason":"status"}',
        b'{"clause":"<b>","reason":"status"}',
        b'{"reason":"status","words":"it ended"}',
    ],
)
def test_an_invalid_cause_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        decode(data, Cause, "line")


@pytest.mark.parametrize(
    "one",
    [
        Cause("never-heard-of"),
        Cause("status"),
        Cause("status", {"signal": 9}),
        Cause("status", {"status": 1, "more": 2}),
        Cause("bid-too-high", {}, "mark", "MK-10"),
        Cause("bid-too-high", {"lowest": "{x}", "money": ("a", "b")}, "mark"),
        Cause("not-rolled", {"kind": 3, "dice": "x"}, "mark"),
        Cause("bid-too-high", {"lowest": 1, "money": 2}, "no-such-game"),
        Cause("killed", {"grace": ("a", 1)}),
        Cause("line-unread", {"error": "`" * LONGEST}),
        Cause("not-started", {"error": "{error}"}),
        Cause(GIVEN, {"words": "{0} {words} %s <b>"}),
    ],
    ids=lambda one: encode(one).decode()[:60],
)
def test_every_stored_cause_has_a_sentence(one: Cause) -> None:
    for language in LANGUAGES:
        with speaking(language):
            assert str(one)
    assert msgspec.json.decode(encode(one), type=Cause) == one


def test_an_unknown_reason_is_shown_by_its_word() -> None:
    assert str(Cause("never-heard-of")) == "for a reason unknown to this program: never-heard-of"
    assert str(Cause("odd", {}, "no-such-game", "X-1")) == "for a reason unknown to this program: odd (X-1)"
