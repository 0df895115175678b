"""The suite's own rules, bound by bound: what it takes, what it refuses, and in which words."""

import ast
import random
import re
import sys
from collections import deque
from datetime import datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta
from msgspec.structs import replace

from referee import games
from referee.engine import records as r
from referee.engine.host import Judged
from referee.errors import IllegalMove, RefereeError, WrongTurn
from referee.forms import Amounts, Choice, Free, Limit, Number, Option, Pick, Ranking, Term, When
from referee.game import Note, Seen
from referee.language import NOTHING, t
from referee.testing import clauses, conform, described, judging, leaks, playing, record, standing, worlds
from referee.testing.conform import Case, read_cases
from referee.testing.leaks import Difference, Found
from referee.testing.signed import Round, Seating, play_signed
from referee.testing.subject import Setup, Subject, before_the_deal, play, some_words, watched
from referee.testing.values import type_info
from tests.support.match import Sitting
from tests.support.scripted import Scripted

TOY = games.load("auction")


def toy(**changes: Any) -> Subject:
    """The toy game with these fields changed."""
    subject = Subject("auction")
    subject.game = replace(TOY, **changes)
    return subject


def said(check: Any, *given: Any) -> str:
    """What a check complains of; empty if it passes."""
    try:
        check(*given)
    except AssertionError as error:
        return str(error).partition("\nassert")[0]
    return ""


# --- the record ------------------------------------------------------------------------------------------------------

FUNCTIONS = ("validate", "bags", "setup", "apply", "check", "legal", "parse", "text", "tell", "render")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, ""),
        ({"title": " "}, "the title is empty"), ({"title": "a\n"}, "the title cannot be printed"),
        ({"rules": "1.b" + "2" * 37}, ""), ({"rules": "2" * 41}, f"'{'2' * 41}' is not a version of rules"),
        ({"rules": ""}, "'' is not a version of rules"), ({"rules": "1 2"}, "'1 2' is not a version of rules"),
        ({"seats": (1, 16)}, ""), ({"seats": (0, 2)}, "seats 0 to 2: a table has 1 to 16"),
        ({"seats": (3, 2)}, "seats 3 to 2: a table has 1 to 16"),
        ({"seats": (2, 17)}, "seats 2 to 17: a table has 1 to 16"),
        ({"hands": ("a" * 20, "b")}, ""),
        ({"hands": ("a" * 21,)}, f"the hand name '{'a' * 21}' does not fit [a-z]{{1,20}}"),
        ({"bots": {"random": len}}, "bots are missing: sensible"),  # every game has the other one
        *(({name: 1}, f"`{name}` is not a function") for name in FUNCTIONS),
    ],
)  # fmt: skip
def test_a_record_is_complete(changes: dict[str, Any], words: str) -> None:
    assert said(record.record_is_complete, toy(**changes)) == words


def test_a_record_is_a_game_with_a_plain_id() -> None:
    subject = toy()
    subject.game_id = "a-9" + "b" * 37
    assert said(record.record_is_complete, subject) == ""
    for wrong in ("a" * 41, "", "Toy", "a_b"):
        subject.game_id = wrong
        assert said(record.record_is_complete, subject) == f"the id {wrong!r} has characters other than a-z 0-9 -"
    subject.game = object()  # type: ignore[assignment]
    assert said(record.record_is_complete, subject) == "GAME is not a `referee.game.Game`"


def struct(kind: object, **how: Any) -> type:
    return msgspec.defstruct("Kind", [("x", kind)], **{"frozen": True, "forbid_unknown_fields": True} | how)


class Plain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    x: bool = False


class Strange:
    pass


def defaulting(kind: object, default: object, **how: Any) -> type:
    return msgspec.defstruct("Kind", [("x", kind, default)], frozen=True, forbid_unknown_fields=True, **how)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (struct(bool), ""),
        *((struct(kind), f"move has the inexact type {name}Type") for kind, name in (
            (float, "Float"), (Any, "Any"), (Decimal, "Decimal"), (msgspec.Raw, "Raw"), (set[bool], "Set"),
            (frozenset[bool], "FrozenSet"), (bytes, "Bytes"), (bytearray, "ByteArray"), (datetime, "DateTime"),
            (Strange, "Custom"), (list[float], "Float"),
        )),
        (struct(Annotated[int, Meta(ge=0)]), "move has a number without an upper bound"),
        (struct(Annotated[int, Meta(lt=9)]), "move has a number without a lower bound"),
        (struct(Annotated[int, Meta(gt=0, lt=9)]), ""),
        (struct(Annotated[int, Meta(ge=1 - 2**53, le=2**53 - 1)]), ""),
        (struct(Annotated[int, Meta(ge=0, le=2**53)]), "move has a number beyond 2^53-1"),
        (struct(Annotated[int, Meta(ge=-(2**53), le=0)]), "move has a number beyond 2^53-1"),
        (struct(bool, frozen=False), "move: Kind is not frozen"),
        (struct(bool, forbid_unknown_fields=False), "move: Kind does not forbid unknown fields"),
        (struct(bool, rename="upper"), "move: Kind.x is renamed when it is written"),
        (defaulting(Plain, Plain()), ""), (defaulting(list[bool], [], omit_defaults=True), ""),
        (defaulting(Plain, Plain(), omit_defaults=True),
         "move: Kind.x has two spellings: a struct as its default, with omit_defaults"),
        (Annotated[int, Meta(ge=0, le=1)], "a move is a struct or a union of structs"),
        (struct(bool) | None, "a move is a struct or a union of structs"),
    ],
)  # fmt: skip
def test_types_are_exact(kind: object, words: str) -> None:
    assert said(record.types_are_exact, toy(move=kind, standing=None)) == words


def test_unknown_fields_are_forbidden_everywhere_but_in_the_position() -> None:
    loose = struct(bool, forbid_unknown_fields=False)
    found = {
        part: said(record.types_are_exact, toy(standing=None, **{part: loose}))
        for part in ("options", "edition", "public")
    }
    words = "Kind does not forbid unknown fields"
    assert found == {"options": f"options: {words}", "edition": f"edition: {words}", "public": ""}


def test_strange_values_of_every_kind() -> None:
    assert record._strange(True) == [False]
    assert record._strange(3) == [0, 1, 1000, 9_007_199_254_740_991]
    assert record._strange([1, 2]) == [[], [1], [2, 1], [1, 2, 1, 2]]
    assert record._strange("abc") == ["", "x", "x" * 10_000]


def test_changes_of_an_edition_by_their_places() -> None:
    old = {"a": 1, "b": {"c": [1, 2], "d": "x"}, "e": [1]}
    new = {"a": 2, "b": {"c": [1, 3], "d": "x", "f": 5}, "e": [1, 2]}
    assert list(record._changes(old, new)) == ["a=2", "b.c[1]=3", "b.f=5", "e=[1, 2]"]
    assert list(record._changes(old, old)) == []


@pytest.mark.parametrize(
    ("bags", "words"),
    [
        ({"a" * 20: ["x"], "pile/99": ["x" * 40], "hand/0": [], "hand": ["x"], "other/0": ["x"]}, ""),
        ({"a" * 21: []}, f"here: the container name '{'a' * 21}' does not fit [a-z]{{1,20}}(/[0-9]{{1,2}})?"),
        ({"a/100": []}, "here: the container name 'a/100' does not fit [a-z]{1,20}(/[0-9]{1,2})?"),
        ({"hand/0": ["x"]}, "here: the hand hand/0 is filled before anything is dealt"),
        ({"pile": ["x"] * 1000}, ""), ({"pile": ["x"] * 1001}, "here: pile holds more than 1000 tokens"),
        *(({"pile": ["a", face]}, f"here: the face {face!r} is not a text of 1 to 40 printable characters")
          for face in ("", "x" * 41, "\x1b", 7)),
    ],
)  # fmt: skip
def test_containers_and_what_is_in_them(bags: dict[str, Any], words: str) -> None:
    assert said(record._check_bags, TOY, bags, "here") == words


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("import os.path, re", ["os.path", "re"]), ("from re import match", ["re"]), ("x = 1", []),
        ("from own.game import board, words", ["own.game.board", "own.game.words"]),
        ("from own.game.deep import a", ["own.game.deep.a"]), ("from own.gamer import a", ["own.gamer"]),
        ("from . import board", ["own.game.inner.board"]), ("from .more import a", ["own.game.inner.more.a"]),
        ("from .. import board", ["own.game.board"]),
        ("from ..board import a, b", ["own.game.board.a", "own.game.board.b"]),
        ("from ...other import a", ["own.other"]),
    ],
)  # fmt: skip
def test_what_a_statement_imports(line: str, found: list[str]) -> None:
    assert record._imported(ast.parse(line).body[0], "own.game", "inner/rules.py") == found


def test_clauses_end_where_another_begins() -> None:
    first = "# Rules\n\nnone 9\n\n**AB-1** Take 3 of 12. [S: p.  4]\nAnd 3. [R]\n\n"
    text = f"{first}## More 7\n\n**AB-2** Go.\n**ABCDE-3** no\n"
    parts = clauses._parts(text)
    assert [*parts] == ["AB-1", "AB-2"]
    assert [clauses._figures(part) for part in parts.values()] == [["12", "3", "3", "4"], ["3"]]
    assert [clauses._marks(part) for part in parts.values()] == [["[S: p. 4]", "[R]"], []]


# --- moves as data ---------------------------------------------------------------------------------------------------

NUMBER, FREE = Number("n", "How?", 0, 3), Free("f", "What?", "words", 9)
PICK = Pick("p", "Which?", (Option("red", 1), Option("blue", 2)))
AMOUNTS = Amounts("m", "How many?", {"a": 1, "b": 2}, ("b", "a"))


def picks(*options: Option) -> Pick:
    return Pick("q", "Which?", options)


@pytest.mark.parametrize(
    ("parts", "form", "limits", "words"),
    [
        ((), None, (), ""), ((NUMBER, PICK, AMOUNTS), {"n": {"$": "n"}, "m": [{"$": "m"}]}, (), ""),
        ((), {"n": 1}, (), "a family has a form, a single move has none"),
        ((NUMBER,), None, (), "a family has a form, a single move has none"),
        ((PICK, PICK), {}, (), "two parts have the same name"),
        ((PICK,), {"a": {"$": "z"}, "b": {"$": "y"}, "c": {"$": "p"}}, (), "no part fills the hole y, z"),
        ((NUMBER, FREE, PICK), {}, (), "n, f fills no hole"),
        ((Pick("p", " ", ()),), {}, (), "the part p asks nothing"),
        ((Pick("p", "a\n", ()),), {}, (), "the part p cannot be printed"),
        ((Amounts("m", "?", {"a": 1, "b": 2}, ("a",)),), [{"$": "m"}], (), "m lists other names than it counts"),
        ((picks(Option("x", 1), Option("x", 1)),), {}, (), ""),
        ((picks(Option("x", 1), Option("x", 2)),), {}, (),
         "two options of q have the same text, and not the same value"),
        ((PICK, picks(Option("x", 1, (When("p", "red"),)))), {}, (), ""),
        ((PICK, picks(Option("x", 1, (When("q", "x"),)))), {}, (), "an option of q looks at a part that comes later"),
        ((picks(Option("x", 1, (When("p", "red"),))), PICK), {}, (), "an option of q looks at a part that comes later"),
        ((PICK, picks(Option("x", 1, (When("p", "green"),)))), {}, (), "'green' is nothing that can be counted in p"),
        ((PICK, picks(Option("x", 1, (When("p"),)))), {}, (), "'' is nothing that can be counted in p"),
        ((NUMBER,), {"$": "n"}, (Limit((Term("n"),)),), ""),
        ((NUMBER,), {"$": "n"}, (Limit((Term("n", "a"),)),), "'a' is nothing that can be counted in n"),
        ((FREE,), {"$": "f"}, (Limit((Term("f", "a"),)),), "'a' is nothing that can be counted in f"),
        ((AMOUNTS,), {"$": "m"}, (Limit((Term("m", "a"), Term("m"))),), ""),
        ((PICK,), {}, (Limit((Term("p", "red"), Term("n"))),), "a limit looks at a part that is not there"),
    ],
)  # fmt: skip
def test_parts_of_a_family_are_in_form(parts: Any, form: Any, limits: Any, words: str) -> None:
    found = said(described._parts_are_in_form, "here", Choice("x", {}, form=form, parts=parts, limits=limits))
    assert found == (f"here: {words}" if words else "")


def test_a_description_has_its_size_and_its_example() -> None:
    room = 200_000 - len(described.encode([Choice("x", 1, "")])) - len(',"note":""')
    assert described.description_is_in_form("here", [Choice("x", 1, "y" * room)])
    words = "here: the description has 200001 bytes, 200000 are allowed"
    assert said(described.description_is_in_form, "here", [Choice("x", 1, "y" * (room + 1))]) == words
    strange = Choice("x", {"n": 5}, form={"n": {"$": "n"}}, parts=(NUMBER,))
    words = "here: `x`: the example {'n': 5} is none of its family"
    assert said(described.description_is_in_form, "here", [strange]) == words


def test_holes_are_objects_with_nothing_else() -> None:
    form = {"a": {"$": "x"}, "b": [{"$": "y"}, ({"$": "z"},)], "c": {"$": "w", "d": {"$": "v"}}, "e": "$"}
    assert list(described._holes(form)) == ["x", "y", "z", "v"]


# --- standing orders -------------------------------------------------------------------------------------------------

Five = Annotated[str, Meta(max_length=5)]


class Pair(msgspec.Struct):
    a: bool
    bb: Literal["x"]


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        (bool, 20), (Five, 2 + 30), (str, 2 + 6 * 4000), (Literal["a", "bb"], 4), (Literal[1, 100], 3),
        (Annotated[list[Five], Meta(max_length=3)], 2 + 3 * 33), (list[bool], 2 + 4000 * 21),
        (Annotated[tuple[Five, ...], Meta(max_length=0)], 2),
        (dict[Literal["a", "bb"], bool], 2 + 2 * (2 + 4 + 20)), (dict[Five, bool], 2 + 4000 * (2 + 32 + 20)),
        (Annotated[dict[Five, bool], Meta(max_length=1)], 2 + 2 + 32 + 20),
        (Pair, 2 + (1 + 4) + (2 + 4) + 20 + 3), (Five | None, 32), (tuple[bool, Five], 2 + 21 + 33),
        (Annotated[bool, Meta(description="told")], 2 + 21),
    ],
)  # fmt: skip
def test_how_large_standing_orders_can_be(kind: object, size: int) -> None:
    """Each letter can take six bytes, each value has a separator, each name quotes, a colon and a comma."""
    assert standing._largest(type_info(kind)) == size


# --- ways to play ----------------------------------------------------------------------------------------------------


class Flags(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    a: bool = False
    b: Literal["x", "y", "z"] = "y"
    c: Annotated[bool, Meta(description="told")] = True
    n: Annotated[int, Meta(ge=0, le=9)] = 3
    d: bool = True
    e: bool = True
    f: bool = True


def test_the_ways_to_play_a_game() -> None:
    first = [Setup(2, late=0.1, words=True), Setup(16), Setup(9, bot="sensible"), Setup(2, out=(1,), words=True)]
    assert Subject("auction").ways == [*first, Setup(2, out=(0, 1))]
    assert Subject("auction", most=3).ways == first[:3]
    flips = [("a", True), ("b", "x"), ("b", "z"), ("c", False), ("d", False), ("e", False)]
    mixed = [Setup((1, 2)[n % 2], (one,), late=0.05) for n, one in enumerate(flips)]
    alone = toy(seats=(1, 2), options=Flags, standing=None)
    assert alone.ways == [
        Setup(1, late=0.1), Setup(2), Setup(2, bot="sensible"), Setup(1, out=(0,)), *mixed, Setup(1, out=(0,)),
    ]  # fmt: skip
    assert [Subject("auction", most=most, quick=True).most for most in (3, 4, 12)] == [3, 4, 4]
    assert [Subject("auction", quick=True).sample(most) for most in (1, 4, 5, 9, 10, 30)] == [1, 1, 1, 1, 2, 6]
    assert Subject("auction").sample(30) == 30


def test_a_way_to_play_in_words() -> None:
    assert str(Setup(2)) == "2 seats, random bots"
    whole = Setup(3, (("a", True), ("b", 1)), "sensible", 0.05, (0, 2), words=True)
    assert str(whole) == "3 seats, a=True, b=1, sensible bots, 5% late, standing orders, out for good: seat 1, seat 3"


def test_standing_orders_that_a_seat_could_give() -> None:
    subject, words = toy(), TOY.standing.words  # type: ignore[union-attr]
    terms = subject.terms(Setup(2))
    (view, _) = before_the_deal(2)
    assert (view.seat, view.public, view.pending) == (0, None, ())

    def some(*script: float | tuple[int, int]) -> object:
        chance = Scripted(*script)
        found = some_words(TOY, terms, view, (), chance)
        assert chance.left == []
        return found

    assert [some((16, number)) for number in range(3, 16)] == [None] * 13
    assert some((16, 0), 0.6) == words()
    assert [some((16, number), (2, 1)) for number in (1, 2)] == [words(), words()]
    assert some((16, 1), (2, 0), (11, 7)) == words(7)
    poor = Seen(0, SimpleNamespace(money=(0, 5), standing=(words(), words())), (), {})
    assert some_words(TOY, terms, poor, (), Scripted((16, 3))) == words(0)


def test_no_function_changes_what_it_is_given() -> None:
    def grows(given: list[int]) -> int:
        given.append(len(given))
        return 7

    for name in FUNCTIONS:
        assert said(getattr(watched(replace(TOY, **{name: grows})), name), []) == f"`{name}` changed what it was given"
        assert getattr(watched(replace(TOY, **{name: len})), name)([5]) == 1
    bots = watched(replace(TOY, bots={"random": grows, "sensible": sum})).bots
    assert said(bots["random"], [1]) == "`bot random` changed what it was given"
    assert bots["sensible"]([1, 2]) == 3  # type: ignore[call-arg, arg-type]


def test_who_misses_deadlines_in_random_games() -> None:
    subject = Subject("auction")
    for way in (Setup(2), Setup(2, out=(1,)), Setup(2, late=1.0)):
        played = play(subject, way)
        assert played.failure == ""
        for one in played.moments:
            for seat, answer in one.answers.items():
                assert (answer is None) == (way.late > 0 or (seat in way.out and one.at.number > 2)), one


def test_the_search_for_legal_moves_knows_those_of_bots() -> None:
    """Here it has nothing else: no list, no words of the game, and no further attempts."""
    subject = Subject("auction", most=1)
    subject.words = []
    asked = next(one for one in subject.questions(300, "bots") if one.ask.what == "play")
    found = list(described._legal_ones(subject, asked, [], 0, random.Random(1)))
    assert found
    assert all(move["card"] in asked.view.hand("hand") for move in found)


def test_in_a_game_of_the_late_somebody_answers_all_the_same() -> None:
    subject = Subject("auction")
    rounds, match = play_signed(Seating(subject, Setup(2, (("rounds", 1),)), "late"), "late", late=1.0, words=False)
    assert (rounds[0].late, sorted(rounds[0].moves)) == ((), [0, 1])
    for one in rounds[1:]:
        seats = sorted((*one.late, *one.moves))
        assert list(one.moves) == seats[:1]
        assert one.late == tuple(seats[1:])
    assert {len(one.late) for one in rounds[1:]} == {0, 1}
    assert match.state.round == len(rounds)
    assert all(one.words == {} for one in rounds)


# --- refusals and stories --------------------------------------------------------------------------------------------


def test_a_refusal_is_shorter_than_three_hundred_letters() -> None:
    assert said(judging.check_refusal, None, "it") == ""
    for error, fits in (
        (IllegalMove("", t("{a}", a="x" * 299)), True), (IllegalMove("", t("{a}", a="x" * 300)), False),
        (IllegalMove("", t("{a}", a="x\x1b")), False), (IllegalMove("", t("x"), t("{a}", a="\n")), False),
    ):  # fmt: skip
        assert said(judging.check_refusal, error, "it") == ("" if fits else "it is too long or cannot be printed")


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("x" * 400, ""), ("x" * 401, "the sentence for the note {} has 401 characters"),
        (" ", "the sentence for the note {} is empty"),
        ("@1 wins", ""), ("@2 wins", "'@2 wins' names a seat that does not exist"),
        ("a\tb", "the sentence 'a\\tb' for the note {} cannot be printed"), (7, "`tell` does not return a text for {}"),
    ],
)  # fmt: skip
def test_sentences_of_a_story(sentence: object, words: str) -> None:
    subject, one = toy(tell=lambda terms, note: sentence), Note("x", {"n": 1})
    at = SimpleNamespace(terms=None, log=[one])
    subject.plays = [SimpleNamespace(way=Setup(2), moments=[SimpleNamespace(at=at)]), SimpleNamespace(moments=[])]
    assert said(playing.story_is_told, subject) == words.format(one)


def test_notes_have_a_word_for_what_happened() -> None:
    for what, good in (("x" * 80, True), ("x" * 81, False), ("", False), ("ä", False), ("a b!", True)):
        note = Note(what, {})
        assert said(playing._notes, [note]) == ("" if good else f"the note {note} has no word for what happened")


# --- worlds and leaks ------------------------------------------------------------------------------------------------


def token(slot: str, face: str) -> dict[str, str]:
    return {"slot": slot, "face": face, "salt": "s"}


@pytest.mark.parametrize(
    ("op", "plain", "bare"),
    [
        ({"op": "take", "tokens": [token("a", "1")]}, {"op": "take", "tokens": [{"slot": "a", "face": "1"}]}, ["a"]),
        ({"op": "lay-out", "tokens": [token("a", "1")]},
         {"op": "lay-out", "tokens": [{"slot": "a", "face": "1"}]}, ["1"]),
        ({"op": "lay-out-all", "tokens": [token("a", "1")]},
         {"op": "lay-out-all", "tokens": [{"slot": "a", "face": "1"}]}, ()),
        ({"op": "give", "slots": ["a", "b"]}, {"op": "give", "slots": ["a", "b"]}, 2),
        ({"op": "seek", "slots": ["a"]}, {"op": "seek", "slots": ["a"]}, ()),
        ({"op": "unseal", "fields": {"b": {"value": 2, "salt": "s"}, "a": {"value": 1, "salt": "s"}}},
         {"op": "unseal", "fields": {"b": 2, "a": 1}}, ["a", "b"]),
        ({"op": "shuffle", "leaves": ["x", "y"]}, {"op": "shuffle", "leaves": 2}, None),
        ({"op": "die", "values": [3]}, {"op": "die", "values": [3]}, None),
    ],
)  # fmt: skip
def test_operations_without_what_is_hidden(op: dict[str, Any], plain: dict[str, Any], bare: object) -> None:
    before = repr(op)
    assert worlds._op(op) == plain
    changed = {} if bare is None else {next(name for name in plain if name != "op"): bare}
    assert leaks._public_part(plain) == plain | changed
    assert repr(op) == before


@pytest.mark.parametrize(
    ("mine", "theirs", "found"),
    [
        ({"a": 1}, {"a": 1}, None),
        ({"a": 1, "entry": {"ask": [1, 2]}}, {"a": 1, "entry": {"ask": [1, 3]}}, ("entry", "ask.2", 2, 3)),
        ({"entry": [1]}, {"entry": [1, 2]}, ("entry", "", [1], [1, 2])),
        ({"a": 1, "b": 2}, {"a": 1}, ("b", "", 2, None)), ({"a": 1}, {"a": 1, "b": 2}, ("b", "", None, 2)),
        ({"a": [0, {"b": "x"}]}, {"a": [0, {"b": "y"}]}, ("a", "2.b", "x", "y")),
    ],
)  # fmt: skip
def test_the_first_difference_and_its_place(mine: object, theirs: object, found: Any) -> None:
    assert leaks._first(mine, theirs, 4) == (found and Difference(4, *found))


def facts(ops: list[Any], told: list[tuple[str, str]], more: int = 0) -> dict[str, Any]:
    return {"operations": ops, "told": told, "more": more}


TAKE, OTHER, THIRD = ({"op": "take", "tokens": [{"slot": slot, "face": face}]} for slot, face in ("a1", "a2", "b1"))


@pytest.mark.parametrize(
    ("expected", "got", "found"),
    [
        ({"round": "open"}, facts([TAKE], []), (False, None)), (facts([TAKE], []), {"round": "open"}, (False, None)),
        (facts([TAKE], []), facts([TAKE], []), (False, None)), (facts([TAKE], []), facts([OTHER], []), (True, None)),
        (facts([TAKE], []), facts([THIRD], []), (False, Difference(3, "operations", "tokens.1.slot", "a", "b"))),
        (facts([TAKE, OTHER], []), facts([TAKE, THIRD], []),
         (False, Difference(3, "operations", "tokens.1.slot", "a", "b"))),
        (facts([], [("a", "1")]), facts([], [("a", "2")]), (True, None)),
        (facts([], [("a", "1")]), facts([], [("b", "1")]), (False, None)),
        (facts([], [("a", "1")]), facts([], [("a", "1")]), (False, None)),
    ],
)  # fmt: skip
def test_when_a_world_lawfully_takes_another_course(expected: Any, got: Any, found: object) -> None:
    assert leaks._diverged(3, expected, got) == found


@pytest.mark.parametrize(
    ("world", "difference", "counted"),
    [
        ([{"r": 1}, facts([], []), facts([], [])], None, (7, 0, 1)),
        ([{"r": 2}, facts([], []), facts([], [])], Difference(0, "r", "", 1, 2), (1, 0, 0)),
        ([{"r": 1}, facts([], [], 5), facts([], [])], Difference(1, "more", "", 0, 5), (4, 0, 1)),
        ([{"r": 1}, facts([], []), facts([], [], 5)], Difference(2, "more", "", 0, 5), (7, 0, 1)),
        ([{"r": 1}, facts([], []), facts([], [("a", "2")])], Difference(2, "told", "", [], [("a", "2")]), (7, 0, 1)),
    ],
)  # fmt: skip
def test_worlds_are_compared_round_by_round(world: Any, difference: Any, counted: tuple[int, int, int]) -> None:
    usual, found = [{"r": 1}, facts([], []), facts([], [])], Found("auction")
    assert leaks._compare(usual, iter(world), found) == difference
    assert (found.comparisons, found.parted, found.differed) == counted
    assert found.worlds == 1


def test_a_world_that_parts_is_compared_up_to_there() -> None:
    usual = [{"r": 1}, facts([], []), facts([TAKE], [])]
    for at, differed in ((1, 0), (2, 1)):
        found = Found("auction")
        world = [{"r": 1}, *[facts([], [])] * (at - 1), facts([OTHER], [], 9), {}, {}]
        here = [*usual[:at], facts([TAKE], []), {}, {}]
        assert leaks._compare(here, iter(world), found) is None
        assert (found.worlds, found.parted, found.differed, found.comparisons) == (1, 1, differed, 1 + 3 * (at - 1))


def test_whether_anything_is_hidden_from_a_seat() -> None:
    def hides(sitting: Sitting, *moves: int) -> list[bool]:
        one = Round(sitting.match, dict.fromkeys(moves), {}, ())
        return [leaks._has_secrets(one, seat) for seat in range(2)]

    assert hides(Sitting("auction", 2, "hides").until("play"), 0, 1) == [True, True], "a hand"
    assert hides(Sitting("mark", 2, "hides").until("turn"), 0, 1) == [False, False]


def test_a_difference_in_words() -> None:
    before: Any = SimpleNamespace(state=SimpleNamespace(round=3))
    first = Round(before, {}, {}, ())
    told = leaks._describe(1, first, Difference(2, "entry", "ask.2", "x" * 201, 5))
    assert str(told) == f"seat 2, round 5: the entry, at `ask.2`: '{'x' * 200}' in one world, '5' in another"
    told = leaks._describe(0, first, Difference(0, "board", "", 1, "y" * 201))
    assert str(told) == f"seat 1, round 3: the board: '1' in one world, '{'y' * 200}' in another"


def test_what_rounds_showed_and_which_fields_named_tokens() -> None:
    opened = [r.Token(slot=slot, face="x", salt="00" * 16) for slot in ("pile.0.1", "pile.0.2", "pile.0.3")]
    secret = r.Secret(value=msgspec.Raw(b"1"), salt="00" * 16)
    ops: list[tuple[Any, ...]] = [
        (r.Take("pile", (opened[0],)), r.Die(6, (1,)), r.Give(1, "card", "pile", ("pile.0.4",), "hand/0")),
        (r.LayOut("pile", (opened[1],)), r.LayOutAll("pile", (opened[2],)), r.Unseal(2, 0, {"odd": secret})),
        (r.Seek(1, "wish", "pile", "hand/1"), r.Seek(0, "other", "pile", "hand/1")),
    ]
    entries: list[Any] = [SimpleNamespace(ops=some) for some in ops]
    assert worlds.revealed_by(entries) == ({"pile.0.1", "pile.0.2", "pile.0.3"}, {(0, "odd")})
    assert worlds.revealed_by([]) == (set(), set())
    assert [leaks._used(entries, seat) for seat in (0, 1, 2)] == [{"other"}, {"card", "wish"}, set()]


def test_entries_and_states_without_hashes_and_signatures() -> None:
    """What is left of them is the same in worlds with other secrets."""
    sitting = Sitting("auction", 2, "entries").until(2)
    entry = msgspec.json.decode(bytes(sitting.match.entries[-1].body), type=r.Entry)
    plain, whole = worlds._entry(entry), msgspec.json.decode(bytes(sitting.match.entries[-1].body))
    assert (plain.get("ops", []), plain["prev"], plain["state"]) == ([], "", "")
    assert len(plain["answers"]) == 2
    for made, real in zip(plain["answers"], whole["answers"], strict=True):
        assert (made["sig"], made["commit"], made["box"]) == ("", ["amount"], True)
        assert {**made, "sig": 0, "commit": 0, "box": 0} == {**real, "sig": 0, "commit": 0, "box": 0}
    state = worlds._state(sitting.state)
    assert state["book"]["leaves"] == sorted(sitting.state.book.leaves)
    assert state["round"] == 2
    held = r.Held(0, 1, commit={"b": "00" * 32, "a": "00" * 32})
    assert worlds._state(replace(sitting.state, held=(held,)))["held"] == [
        {"seat": 0, "round": 1, "commit": ["a", "b"]}
    ]


def test_what_a_host_says_and_what_can_be_typed() -> None:
    error = WrongTurn(t("no {n}", n=1), t("wait"))
    assert worlds._word(Judged("taken", 0, None, None)) == {"code": "taken", "size": 0}
    assert worlds._word(Judged("stale", 0, None, error)) == {
        "code": "stale", "size": 0, "exit": 5, "message": "no 1", "next": "wait",
    }  # fmt: skip

    def refuses(*given: object) -> object:
        raise IllegalMove("", t("no"))

    assert worlds._tried(lambda a, b: a + b, 1, 2) == "3"
    assert worlds._tried(refuses, 1) == "illegal: no"


def test_modules_are_as_they_were_when_they_were_loaded() -> None:
    names = ("cleaned", "cleaned.inner", "cleanedtoo")
    modules = [ModuleType(name) for name in names]
    for module in modules:
        module.__dict__.update(kept=[1, [2]], seen={"a": {1}}, some={1}, line=deque([1]), number=1, __mark__=1)
        module.__dict__["known"] = cache(lambda n: [n])
    sys.modules |= dict(zip(names, modules, strict=True))
    try:
        clean = worlds.Clean("cleaned")
        changed: dict[str, Any] = {"number": 2, "__mark__": 2}
        for module in modules:
            module.kept[1].append(3)
            module.seen["b"] = set()
            module.some.clear()
            module.line.append(2)
            module.__dict__.update(changed)
            module.answer = module.known(1)
        clean.restore()
        for module in modules[:2]:
            assert (module.kept, module.seen, module.some, module.line) == ([1, [2]], {"a": {1}}, {1}, deque([1]))
            assert (module.number, module.__dict__["__mark__"]) == (1, 2)
            assert module.known(1) is not module.answer
        other = modules[2]
        assert (other.kept, other.some, other.number) == ([1, [2, 3]], set(), 2)
        assert other.known(1) is other.answer
    finally:
        for name in names:
            del sys.modules[name]


# --- conformance -----------------------------------------------------------------------------------------------------


def case(**changes: Any) -> Case:
    return replace(Case("name", "about", (b"{}",), None, None, ("bad-die", "bad-pick"), ("ok",)), **changes)


@pytest.mark.parametrize(
    ("one", "answer", "rules", "right"),
    [
        (case(), "bad-pick", True, True), (case(), "bad-link", True, False), (case(), "ok", True, False),
        (case(), "ok", False, True), (case(), "bad-die and more", True, True), (case(), "", False, False),
        (case(words=2, allowed=("proved bad-die",)), "proved bad-die now", True, True),
        (case(words=2, allowed=("proved bad-die",)), "proved", True, False),
        (case(allowed=("ok",), value={"a": [1]}), 'ok {"a": [1]}', True, True),
        (case(allowed=("ok",), value={"a": [1]}), 'ok {"a": [2]}', True, False),
        (case(allowed=("ok",), value={"a": [1]}), "ok {", True, False),
        (case(allowed=("ok",), value=None), "ok 3", True, True),
        (case(value={"a": 1}), "bad-die", True, True),
    ],
)  # fmt: skip
def test_which_answers_are_right(one: Case, answer: str, rules: bool, right: bool) -> None:
    found = conform._judged(one, answer, NOTHING, rules=rules)
    assert (found.case, found.about, found.right) == ("name", "about", right)
    assert found.allowed == (one.allowed if rules else (*one.allowed, *one.without))
    assert not conform._judged(one, answer, t("trouble"), rules=rules).right


def test_answers_are_read_up_to_their_first_line_and_a_limit() -> None:
    assert conform._text(b" \n ok {}  \nmore") == "ok {}"
    assert conform._text(b"a\xff") == "a\ufffd"
    assert len(conform._text(b"a" * 100_001)) == 100_000
    assert conform._judged(case(), "x" * 81, NOTHING, rules=True).said == "x" * 80


def test_changes_of_a_document_leave_the_other_alone() -> None:
    base = {"a": {"b": [1, {"c": 2}]}, "d": 3}
    vectors = {"base.json": {"file": {"document": base}}}

    def changed(*patch: dict[str, Any]) -> object:
        return conform._document({"base": "base.json", "patch": patch}, vectors)

    assert changed() == base
    assert changed({"at": ["a", "b", 1, "c"], "value": 5}) == {"a": {"b": [1, {"c": 5}]}, "d": 3}
    assert changed({"at": ["a", "b", 2], "value": 5}) == {"a": {"b": [1, {"c": 2}, 5]}, "d": 3}
    assert changed({"at": ["a", "b", 0], "remove": True}, {"at": ["d"], "remove": True}) == {"a": {"b": [{"c": 2}]}}
    assert changed({"at": ["e"], "value": 1}, {"at": ["e"], "value": 2}) == {**base, "e": 2}
    assert base == {"a": {"b": [1, {"c": 2}]}, "d": 3}


def test_a_case_is_laid_out_in_a_folder(tmp_path: Path) -> None:
    paths = conform.lay_out(case(files=(b"one", b"two"), bags={"pile": ["a"]}, own={}), str(tmp_path / "a"))
    assert paths == [str(tmp_path / "a" / "1.json"), str(tmp_path / "a" / "2.json")]
    found = {path.name: path.read_bytes() for path in (tmp_path / "a").iterdir()}
    assert found == {"1.json": b"one", "2.json": b"two", "bags.json": b'{"pile":["a"]}'}
    conform.lay_out(case(own={"1": 2}), str(tmp_path / "b"))
    assert sorted(path.name for path in (tmp_path / "b").iterdir()) == ["1.json", "own.json"]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (2, [("ok 0", ""), ("ok 1", "")]), (1, [("ok 0", ""), ("", "it printed no line for this case")]),
        (3, [("", "it printed 3 lines for 2 cases")] * 2), (0, [("", "it printed no line for this case")] * 2),
    ],
)  # fmt: skip
def test_many_cases_at_once_have_a_line_each(lines: int, found: list[tuple[str, str]]) -> None:
    script = f"import sys; assert sys.stdin.read() == 'a\\tb\\nc\\n'; [print('ok', n) for n in range({lines})]"
    answers = conform._at_once((sys.executable, "-c", script), [["a", "b"], ["c"]])
    assert [(answer, str(trouble)) for answer, trouble in answers] == found


@pytest.mark.parametrize(
    ("script", "answer", "trouble"),
    [
        ("print('ok')", "ok", ""),
        ("print('bad-entry'); raise SystemExit(6)", "bad-entry", ""),
        ("print('ok'); raise SystemExit(1)", "ok", "it printed ok and exited with 1"),
        ("print('bad')", "bad", "it printed bad and exited with 0"),
        ("print('x' * 90)", "x" * 90, f"it printed {'x' * 80} and exited with 0"),
        ("raise SystemExit(3)", "", ""),  # an answer that no case allows
        ("pass", "", "it printed nothing and exited with 0"),
    ],
)
def test_a_program_ends_as_it_answers(script: str, answer: str, trouble: str) -> None:
    said, why = conform._alone((sys.executable, "-c", script), [])
    assert (said, str(why).replace("'", "").replace('"', "")) == (answer, trouble)


def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    command = (str(tmp_path / "nothing"),)
    for call in (lambda: conform._at_once(command, [["a"]]), lambda: conform._alone(command, ["a"])):
        with pytest.raises(RefereeError) as caught:
            call()
        assert caught.value.code == "no-command"
        assert str(caught.value.message) == "the implementation cannot be started: no such file or directory"


def test_folders_without_cases(tmp_path: Path) -> None:
    def code(*given: Any) -> str:
        with pytest.raises(RefereeError) as caught:
            read_cases(*given)
        return caught.value.code

    assert code(str(tmp_path / "none")) == "folder"
    assert code(str(tmp_path)) == "no-case"
    (tmp_path / "notes.txt").write_text("{")
    good = {"name": "a", "about": "", "kind": "view", "expect": "ok", "file": {"text": "x"}, "needs": "rules"}
    step = {"name": "b", "about": "", "kind": "hash", "expect": ["x", "y"], "given": 1, "value": 2, "needs": "rules"}
    for one in (good, step):
        (tmp_path / f"{one['name']}.json").write_bytes(msgspec.json.encode(one))
    view, hashed = read_cases(str(tmp_path))
    assert (view.files, view.allowed, view.without, view.verb, view.words) == ((b"x",), ("ok",), ("ok",), "verify", 1)
    assert (hashed.files, hashed.allowed, hashed.verb) == ((b'{"given":1,"kind":"hash"}',), ("x", "y"), "step")
    assert (hashed.value, hashed.without) == (2, ("ok",))
    assert [one.name for one in read_cases(str(tmp_path), steps=False)] == ["a"]
    assert [one.name for one in read_cases(str(tmp_path), "b")] == ["b"]
    assert code(str(tmp_path), "c") == "no-case"
    (tmp_path / "c.json").write_text("[]")
    assert code(str(tmp_path)) == "malformed"


def test_rankings_and_other_parts_may_count_anything() -> None:
    ranking = Ranking("r", "Order?", ("a",), 1)
    choice = Choice("x", {}, form={"$": "r"}, parts=(ranking,), limits=(Limit((Term("r"), Term("r", "a"))),))
    assert said(described._parts_are_in_form, "here", choice) == ""
    assert re.fullmatch(playing.WHAT, "a" + "b" * 39)
    assert not re.fullmatch(playing.WHAT, "a" + "b" * 40)


def test_every_question_is_looked_at_however_rarely_it_is_asked() -> None:
    subject = Subject("auction", most=2)
    every = {ask.what for one in subject.all_moments for ask in one.asks}
    few = list(subject.moments(1, "few"))
    assert {ask.what for one in few for ask in one.asks} == every == {"bid", "raid", "play", "guess"}
    assert len(few) == len(every), "each question is asked of all at once, or of one seat"
    ends = [game.moments[-1] for game in subject.plays]
    assert list(subject.moments(1, "few", asked=False))[: len(ends)] == ends
    assert len(list(subject.moments(1, "few", asked=False))) == len(ends) + 1
    assert [len(list(subject.questions(1, "few", each=each))) for each in (1, 16)] == [
        4, sum(len(one.asks) for one in few),
    ]  # fmt: skip
