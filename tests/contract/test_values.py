"""Random values of types: which ones there are, one by one, with chance that is written down."""

from enum import Enum
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from referee.testing.values import WORDS as ODD
from referee.testing.values import (
    any_value,
    at_a_bound,
    everything,
    mutated,
    some_value,
    texts_in,
    type_info,
    with_other_fields,
)
from tests.support.scripted import Scripted

BIG = 9_007_199_254_740_991
"""2^53 - 1."""


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Inner(msgspec.Struct, frozen=True, tag="inner", tag_field="do"):
    low: Annotated[int, Meta(ge=2, le=9)]
    rest: bool = False


class Renamed(msgspec.Struct, frozen=True, rename="upper"):
    number: Annotated[int, Meta(ge=1, le=1)]


def made(form: object, *script: float | tuple[int, int], words: tuple[str, ...] = ()) -> object:
    """A value of this type; all chance of the script is used up."""
    chance = Scripted(*script)
    value = any_value(type_info(form), chance, words)
    assert chance.left == [], form
    return value


@pytest.mark.parametrize(
    ("form", "wide", "expected"),
    [
        # The least three, the greatest, and one of the first ten.
        (Annotated[int, Meta(ge=2, le=9)], 8, [2, 3, 4, 9, 7]),
        (Annotated[int, Meta(gt=2, lt=9)], 6, [3, 4, 5, 8, 8]),
        (Annotated[int, Meta(ge=0, le=1000)], 10, [0, 1, 2, 1000, 5]),
        (Annotated[int, Meta(ge=5, le=6)], 2, [5, 6, 6, 6, 6]),
        (Annotated[int, Meta(ge=5, le=5)], 1, [5, 5, 5, 5, 5]),
        (Annotated[int, Meta(ge=BIG - 1)], 2, [BIG - 1, BIG, BIG, BIG, BIG]),
        (Annotated[int, Meta(le=0)], 10, [-BIG, 1 - BIG, 2 - BIG, 0, 5 - BIG]),
        (Annotated[int, Meta(ge=2, le=9, description="told")], 8, [2, 3, 4, 9, 7]),
    ],
)
def test_numbers_are_small_or_at_their_bounds(form: object, wide: int, expected: list[int]) -> None:
    assert [made(form, (wide, min(5, wide - 1)), (5, pick)) for pick in range(5)] == expected


@pytest.mark.parametrize(
    ("form", "sizes"),
    [
        (list[None], [0, 1, 3, 40]),
        (tuple[None, ...], [0, 1, 3, 40]),
        (Annotated[list[None], Meta(max_length=2)], [0, 1, 2, 2]),
        (Annotated[list[None], Meta(max_length=0)], [0, 0, 0, 0]),
        (Annotated[list[None], Meta(min_length=5)], [5, 6, 8, 40]),
        (Annotated[tuple[None, ...], Meta(min_length=2, max_length=60)], [2, 3, 5, 40]),
    ],
)
def test_lists_are_as_short_or_as_long_as_they_can_be(form: object, sizes: list[int]) -> None:
    assert [made(form, (4, pick)) for pick in range(4)] == [[None] * size for size in sizes]


WORDS = ("", "ab", "abc", "1234", "12a")


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (str, list(WORDS)),
        (Annotated[str, Meta(min_length=2, max_length=3)], ["ab", "abc", "12a"]),
        (Annotated[str, Meta(max_length=0)], [""]),
        (Annotated[str, Meta(pattern=r"\A[0-9]+\Z")], ["1234"]),
        (Annotated[str, Meta(pattern="1", max_length=3)], ["12a"]),
    ],
)
def test_texts_are_words_that_fit(form: object, expected: list[str]) -> None:
    alternatives = len(expected)
    assert [made(form, (alternatives, pick), words=WORDS) for pick in range(alternatives)] == expected


def test_where_no_word_fits_a_text_is_as_short_as_it_can_be() -> None:
    assert made(Annotated[str, Meta(min_length=3)], words=("ab",)) == "aaa"
    assert made(Annotated[str, Meta(pattern="b")], words=("ac",)) == ""
    million = "x" * 2**20
    assert made(str, (1, 0), words=(million, million + "x")) == million, "a text has an end"


def test_values_of_every_other_type() -> None:
    assert [made(bool, share) for share in (0.0, 0.49, 0.5, 0.99)] == [True, True, False, False]
    assert made(None) is None
    assert {made(Literal["a", "b", "c"], (3, pick)) for pick in range(3)} == {"a", "b", "c"}
    assert [made(Colour, (2, pick)) for pick in range(2)] == ["red", "blue"]
    assert made(tuple[bool, None, bool], 0.1, 0.9) == [True, None, False]
    entries = [made(dict[str, bool], (3, 2), (2, 0), 0.1, (2, 1), 0.9, words=("a", "b")), made(dict[str, bool], (3, 0))]
    assert entries == [{"a": True, "b": False}, {}]
    union = bool | str | None
    kinds = [type(kind).__name__ for kind in type_info(union).types]  # type: ignore[attr-defined]
    assert made(union, (3, kinds.index("NoneType"))) is None
    assert made(union, (3, kinds.index("BoolType")), 0.1) is True
    with pytest.raises(AssertionError, match="no value can be made of the type Float"):
        made(float)


def test_a_struct_has_its_fields_and_mostly_those_that_can_be_left_out() -> None:
    low = ((8, 0), (5, 1))
    assert made(Inner, 0.59, *low, 0.1) == {"do": "inner", "low": 3, "rest": True}
    assert made(Inner, 0.6, *low) == {"do": "inner", "low": 3}
    assert made(Renamed, (1, 0), (5, 0)) == {"NUMBER": 1}


def test_a_value_that_fits_is_looked_for_twenty_times() -> None:
    even = Annotated[int, Meta(ge=1, le=9, multiple_of=2)]
    odd, fits = ((9, 0), (5, 0)), ((9, 0), (5, 1))
    chance = Scripted(*odd * 20)
    assert (some_value(even, chance, ()), chance.left) == (None, [])
    chance = Scripted(*odd * 19, *fits)
    assert (some_value(even, chance, ()), chance.left) == (2, [])
    assert some_value(Inner, Scripted(0.9, (8, 7), (5, 4)), ()) == Inner(9)


def test_texts_inside_json_without_the_names_of_members() -> None:
    assert list(texts_in({"a": "b", "c": ["d", {"e": ("f", 1, None)}], "g": 2})) == ["b", "d", "f"]
    assert list(texts_in("x")) == ["x"]
    assert list(texts_in(3)) == []


def test_every_type_inside_another_once() -> None:
    class Node(msgspec.Struct):
        left: "list[Inner] | None"
        right: Inner
        flag: bool

    found = [type(kind).__name__ for kind in everything(Node)]
    assert sorted(found) == [
        "BoolType", "BoolType", "IntType", "ListType", "NoneType", "StructType", "StructType", "UnionType",
    ]  # fmt: skip


def test_texts_of_every_odd_kind_are_tried() -> None:
    """Besides those of a game: nothing at all, numbers in other spellings, no letters, a place for a name."""
    letters = [word for word in ODD if word.isascii() and word.isalpha()]
    assert {len(word) for word in letters} >= {1, 3, 5, 40}
    assert {word for word in ODD if word.isdigit()} == {"0", "00", "01", "07", "99"}
    assert {"", "-1", "1e9", "@1"} < set(ODD)
    assert [word.isprintable() for word in ODD].count(False) == 1
    assert [word.isascii() for word in ODD].count(False) == 1
    assert len(set(ODD)) == len(ODD) == 15


# --- changes ---------------------------------------------------------------------------------------------------------


class Move(msgspec.Struct, frozen=True):
    a: bool = False
    b: bool = False
    c: bool = False


@pytest.mark.parametrize(
    ("kept", "script", "expected"),
    [
        ((), [(2, 0), (3, 1), 0.1], {"a": False, "b": True, "c": False}),
        ((), [(2, 1), (3, 0), (2, 0), 0.1, 0.1], {"a": True, "b": False, "c": True}),
        (("a",), [(2, 1), (2, 0), (1, 0), 0.1, 0.9], {"a": False, "b": True, "c": False}),
        (("a", "b"), [(2, 1), (1, 0), 0.1], {"a": False, "b": False, "c": True}),
        (("a", "b", "c"), [(2, 1)], {"a": False, "b": False, "c": False}),
    ],
)
def test_one_or_two_fields_get_other_values(kept: tuple[str, ...], script: list[Any], expected: object) -> None:
    """A sample of two of three takes the last for what was taken first."""
    chance = Scripted(*script)
    assert with_other_fields(Move, Move(), kept, (), chance) == expected
    assert chance.left == []


class Sized(msgspec.Struct, frozen=True):
    size: Annotated[int, Meta(ge=1, le=9)]
    pair: tuple[Annotated[int, Meta(ge=3, le=4)], str]
    more: list[Annotated[int, Meta(gt=5, lt=8, description="told")]]


def test_a_share_of_numbers_goes_to_their_bounds() -> None:
    plain = {"size": 5, "pair": [3, "x"], "more": [6, 7], "other": 1}
    chance = Scripted(0.19, (2, 0), 0.2, 0.0, (2, 1), 0.19, (2, 0))
    expected = {"size": 1, "pair": [3, "x"], "more": [7, 6], "other": 1}
    assert at_a_bound(type_info(Sized), plain, 0.2, chance) == expected
    assert chance.left == []


KEEP, TWICE = (2, 0), (2, 1)
"""One change, and two."""


@pytest.mark.parametrize(
    ("value", "others", "script", "expected"),
    [
        (7, [], [KEEP, 0.69, (4, 0)], 5),
        (7, [], [KEEP, 0.69, (4, 1)], 6),
        (7, [], [KEEP, 0.69, (4, 2)], 8),
        (7, [], [KEEP, 0.69, (4, 3)], 9),
        (7, [1, 2], [KEEP, 0.7, (2, 1)], 2),
        (7, [], [KEEP, 0.7], 7),
        (7, [], [TWICE, 0.0, (4, 3), 0.0, (4, 2)], 10),
        (True, [5], [KEEP], False),
        ("a", ["b", "c"], [KEEP, (2, 0)], "b"),
        ("a", [], [KEEP], "a"),
        # A member changes; what is put there comes from members of that name.
        ({"x": "a", "b": 1}, [{"x": "c"}, {"x": "d"}, {"y": "e"}, "x"], [KEEP, 0.84, (2, 1), (2, 1)],
         {"x": "d", "b": 1}),
        # One is removed, or added from another object.
        ({"x": 1, "b": 2}, [{"y": 3}], [KEEP, 0.85, 0.49, (2, 0)], {"x": 1}),
        ({"x": 1}, [], [KEEP, 0.85, (1, 0)], {}),
        ({"x": 1}, [{}, 4, {"y": 3, "a": 5}], [KEEP, 0.85, 0.5, (1, 0), (2, 0)], {"x": 1, "a": 5}),
        ({}, [], [KEEP], {}),
        ({}, [{"y": 3}], [KEEP, (1, 0), (1, 0)], {"y": 3}),
        # An item changes, into another of the same list; or one is lost, all are shuffled, one is added.
        (["a", "b", "c"], [], [KEEP, 0.49, (3, 1), (2, 1)], ["a", "c", "c"]),
        (["a", "b"], [], [KEEP, 0.5, (3, 0), (2, 0)], ["b"]),
        (["a", "b", "c"], [], [KEEP, 0.5, (3, 1), (3, 0), (2, 0)], ["b", "c", "a"]),
        (["a", "b"], [], [KEEP, 0.5, (3, 2), (3, 2), (2, 0)], ["a", "b", "a"]),
        (["a"], [["x", "y"], "n", ["z"]], [KEEP, 0.5, (3, 2), (2, 0), (3, 2)], ["z", "a"]),
        ([], [["x"]], [KEEP, (3, 0), (1, 0), (1, 0)], ["x"]),
        ([], [], [KEEP, (3, 0)], []),
        ([], [], [KEEP, (3, 2)], []),
    ],
)  # fmt: skip
def test_small_changes_of_json(value: object, others: list[object], script: list[Any], expected: object) -> None:
    chance, before = Scripted(*script), repr(value)
    assert mutated(value, others, chance) == expected
    assert chance.left == []
    assert repr(value) == before
