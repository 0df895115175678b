"""Which letters a name can have, tried one by one, and which names are the same to somebody who reads them."""

import unicodedata
from collections.abc import Callable

import pytest

from referee.engine import names
from referee.engine.names import check_name, fold, is_name
from referee.errors import Malformed

Ranges = tuple[tuple[int, int], ...]
NOWHERE: Ranges = (
    (0x00, 0x1F), (0x7F, 0x9F), (0x61C, 0x61C), (0x200E, 0x200F), (0x2028, 0x2029), (0x202A, 0x202E), (0x2066, 0x2069),
    (0xD800, 0xDFFF), (0xFDD0, 0xFDEF),
)  # fmt: skip
"""PROTOCOL.md, section 4, without the last two of every plane: control characters C0 and C1, Arabic letter mark, marks
of direction, separators of lines and paragraphs, embeddings and overrides, isolates, surrogates, non-characters."""
IGNORABLE: Ranges = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""`Default_Ignorable_Code_Point` of Unicode, where something is assigned, and the whole plane of tags and selectors."""
BRAILLE_BLANK = 0x2800


def points(ranges: Ranges) -> set[int]:
    return {point for low, high in ranges for point in range(low, high + 1)}


def good(check: Callable[[str], object], name: str) -> bool:
    try:
        check(name)
    except Malformed:
        return False
    return True


def test_what_a_verifier_accepts_in_a_name() -> None:
    last_two = {plane << 16 | low for plane in range(17) for low in (0xFFFE, 0xFFFF)}
    tried = {*range(0x10000), *range(0xE0000, 0xE0200), *last_two, *(point - 2 for point in last_two)}
    refused = {point for point in tried if not is_name(f"A{chr(point)}b")}
    assert refused == points(NOWHERE) | last_two


def test_no_letter_of_a_name_is_invisible_or_turns_the_others_round() -> None:
    """Unassigned places are left to the versions of Unicode."""
    chosen = [point for point in range(0x30000) if unicodedata.category(chr(point)) != "Cn"]
    chosen += [*range(0xE0000, 0xE1000), 0xE1000, 0xF0000, 0x10FFFD]
    unsafe = {point for point in chosen if unicodedata.category(chr(point)) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")}
    spelled = {point for point in chosen if unicodedata.normalize("NFC", f"A{chr(point)}b") != f"A{chr(point)}b"}
    refused = {point for point in chosen if not good(check_name, f"A{chr(point)}b")}
    assert refused == unsafe | spelled | (points(IGNORABLE) & set(chosen)) | {BRAILLE_BLANK}


@pytest.mark.parametrize(
    ("name", "right"),
    [("", False), ("a", True), ("a" * 40, True), ("a" * 41, False), (" a", False), ("a ", False), ("a b", True),
     ("\u0301", False), ("\u0301\u0301", False), ("e\u0301", False), ("é", True), ("ﬁ", True)],
)  # fmt: skip
def test_how_long_a_name_is_and_how_it_is_written(name: str, right: bool) -> None:
    assert good(check_name, name) is right


def test_a_verifier_accepts_forty_letters() -> None:
    assert [is_name("x" * length) for length in (0, 1, 40, 41)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("Anna", "ANNA", True), ("Anna", "Ánnà", True), ("Anna", "Ａnna", True), ("Straße", "STRASSE", True),
     ("Anna", "Anne", False), ("ﬁx", "fix", True)],
)  # fmt: skip
def test_names_that_differ_in_case_marks_or_width_only(one: str, other: str, same: bool) -> None:
    assert (fold(one) == fold(other)) is same


ALIKE = (
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),  # Greek capitals
    ("АВСЕНІЈКМОРЅТУХԚԜ", "ABCEHIJKMOPSTYXQW"),  # Cyrillic capitals
    ("асԁеһіјорԛѕԝху", "acdehijopqswxy"),  # Cyrillic small letters
    ("οαν", "oav"),  # Greek small letters
    ("Il1|", "lI|1"),
    ("O0o", "0oO"),
)


@pytest.mark.parametrize(("some", "others"), ALIKE, ids=range(len(ALIKE)))
def test_letters_that_look_alike_tell_no_names_apart(some: str, others: str) -> None:
    told = [(one, other) for one, other in zip(some, others, strict=True) if good(refuse_alike, f"{one}a {other}a")]
    assert told == []


def refuse_alike(both: str) -> None:
    names.refuse_alike(both.split())


def test_names_of_which_one_is_another_at_a_glance() -> None:
    for pair in ("Arna Ama", "vvim wim", "Anna anna", "Ánna Anna"):
        assert not good(refuse_alike, pair), pair
    for pair in ("Anna Anne", "Bert Bart", "m n", "v w"):
        assert good(refuse_alike, pair), pair
    with pytest.raises(Malformed) as caught:
        refuse_alike("Anna anna")
    assert (caught.value.code, str(caught.value.message)) == ("bad-name", "two players have names that look alike")
    assert str(caught.value.next) == "ask one of them to join under another name"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Anna\u0378", "this name has a character that is unknown here"),
        ("a@b", "a name cannot contain @ or a semicolon: in typed moves they mean something else"),
        ("a;b", "a name cannot contain @ or a semicolon: in typed moves they mean something else"),
        ("12 3", "a name cannot be just a number: in typed moves a number can stand for a seat"),
        ("١٢", "a name cannot be just a number: in typed moves a number can stand for a seat"),
        ("Аnna", "this name mixes letters from several scripts"),
        ("Anna李", "this name mixes letters from several scripts"),
        ("Anna 2", ""), ("李明", ""), ("Анна", ""), ("Zoë", ""), ("1. FC", ""),
    ],
)  # fmt: skip
def test_names_that_a_player_may_choose(name: str, why: str) -> None:
    if not why:
        assert names.choose_name(name) == name
        return
    with pytest.raises(Malformed) as caught:
        names.choose_name(name)
    assert (caught.value.code, str(caught.value.message)) == ("bad-name", why)
    assert str(caught.value.next) == "choose another name with --name"


def test_nobody_has_the_name_of_another_at_the_table() -> None:
    names.check_names(["Anna", "Anne"])
    with pytest.raises(Malformed) as caught:
        names.check_names(["Anna", "Bert", "ANNA"])
    assert (caught.value.code, str(caught.value.message)) == ("bad-name", "two players have the same name")
