"""What the edge says and reads in words: reasons of the system, languages, TOML, names of files, times."""

import errno
import os
import tomllib
from datetime import UTC, datetime, timedelta, timezone

import pytest

from referee.errors import Usage
from referee.io import files, language, times, toml
from referee.io.reasons import REASONS, reason_text

# --- the system ------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.uname().sysname != "Linux", reason="other systems have other words")
def test_the_system_itself_says_the_same() -> None:
    assert {name: str(text) for name, text in REASONS.items()} == {
        name: os.strerror(getattr(errno, name)).lower() for name in REASONS
    }
    assert len(REASONS) > 50


def test_a_reason_without_words_of_ours_is_named() -> None:
    assert str(files.reason(OSError(errno.ENOSPC, "x"))) == "no space left on device"
    assert str(files.reason(FileNotFoundError(errno.ENOENT, "x"))) == "no such file or directory"
    assert str(files.reason(OSError(errno.EDOM, "x"))) == f"the system says '{os.strerror(errno.EDOM)}'"
    assert str(reason_text(None)) == "bad name"


# --- languages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "code"),
    [("de", "de"), ("nl_BE.UTF-8", "nl"), ("de-AT", "de"), ("EN", "en"), ("de@euro", "de"), ("fr", ""), ("", ""),
     ("deutsch", ""), ("_de", "")],
)  # fmt: skip
def test_how_a_language_can_be_named(asked: str, code: str) -> None:
    assert language._language_code(asked) == code


def test_a_language_that_is_not_ours_is_quoted_up_to_twenty_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REFEREE_LANGUAGE")
    with pytest.raises(Usage) as caught:
        language.choose("x" * 19 + "yz")
    assert str(caught.value.message) == f"the language '{'x' * 19}y' is not supported"
    assert str(caught.value.next) == "choose one of: en, de, nl"
    monkeypatch.setenv("REFEREE_LANGUAGE", "klingon")
    with pytest.raises(Usage, match="klingon"):
        language.choose()
    assert language.choose("nl") == "nl"
    monkeypatch.setenv("REFEREE_LANGUAGE", "de")
    assert (language.choose(), language.choose("nl")) == ("de", "nl")


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "nl_NL"}, "nl"),
        ({"LC_MESSAGES": "nl_NL", "LC_ALL": "de_DE"}, "de"),
        ({"LANG": "de_DE", "LANGUAGE": "fr:nl:en"}, "nl"),
        ({"LANG": "C", "LANGUAGE": "nl"}, "en"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "nl"}, "en"),
        ({"LANG": "POSIX", "LANGUAGE": "nl"}, "en"),
        ({"LANG": "de_DE", "LC_ALL": ""}, "de"),
        ({"LANG": "de_DE", "LANGUAGE": "fr"}, "en"),
    ],
)
def test_the_locale_of_the_reader(settings: dict[str, str], found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE", "REFEREE_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert language.choose() == found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["show", "--language", "nl"], "nl"),
        (["--language=nl", "show"], "nl"),
        (["--language", "nl", "--language=de"], "nl"),
        (["show"], "de"),
        (["--language", "xx"], "de"),
        (["--language"], "de"),
        (["show", "--json", "--language", "nl"], "en"),
    ],
)
def test_the_language_of_a_command_line(words: list[str], found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_LANGUAGE", "de")
    assert language.first(words) == found


# --- TOML ------------------------------------------------------------------------------------------------------------


def explained(text: str) -> tuple[str, str]:
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        tomllib.loads(text)
    where, why = toml.explain_error(caught.value)
    return str(where), str(why)


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        ("a = 1\na = 2\n", "line 2, column 6", "cannot overwrite a value"),
        ("[a]\n[a]\n", "line 2, column 3", "cannot declare 'a' twice"),
        ("[a.b]\n[a.b]\n", "line 2, column 5", "cannot declare 'a.b' twice"),
        ("a 1\n", "line 1, column 3", "expected '=' after a key in a key/value pair"),
        ("a = [1\n", "end of document", "unclosed array"),
        ("= 1\n", "line 1, column 1", "invalid statement"),
        ('a = "x', "end of document", "unterminated string"),
        ("a = ?\n", "line 1, column 5", "invalid value"),
        ("a = {b = 1, b = 2}", "line 1, column 18", "duplicate inline table key 'b'"),
    ],
)
def test_what_is_wrong_with_a_text_and_where(text: str, where: str, why: str) -> None:
    assert explained(text) == (where, why)


def test_a_long_key_is_cut_at_eighty_letters() -> None:
    key = "k" * 79 + "mn"
    assert explained(f"[{key}]\n[{key}]\n")[1] == f"cannot declare '{'k' * 79}m' twice"
    where, why = toml.explain_error(tomllib.TOMLDecodeError("x" * 79 + "yz"))
    assert (str(where), str(why)) == ("its beginning", f"the TOML parser says '{'x' * 79}y'")


# --- names of files --------------------------------------------------------------------------------------------------

GAME = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("name", "plain"),
    [("Anna", "anna"), ("Zoë", "zoe"), ("Müller-Lüdenscheidt", "muellerluedenscheidt"), ("Straße", "strasse"),
     ("Łukasz Đ", "lukaszd"), ("Æsir Œuvre Ø", "aesiroeuvreoe"), ("þórr", "thorr"), ("李", ""), ("x" * 30, "x" * 24),
     ("İı", "ii"), ("a1!", "a1")],
)  # fmt: skip
def test_a_name_as_part_of_a_file_name(name: str, plain: str) -> None:
    assert files.plain(name) == plain


def test_names_of_files_say_whose_they_are() -> None:
    names = ("Anna", "ANNA!", "李", "Bert")
    assert files.file_name(GAME, 12, 3, names, "view") == "01234567-r012-bert.view.json"
    assert files.file_name(GAME, 1234, 3, names, "move", "-x") == "01234567-r1234-bert-x.move.json"
    assert files.file_name(GAME, 0, 4, names, "view") == "01234567-r000.public.view.json"
    slugs = [files.slug(seat, names) for seat in range(4)]
    assert len(set(slugs)) == 4
    assert slugs[3] == "bert"
    assert files.offer_name(GAME, "mark") == "01234567-mark.offer.json"
    assert files.join_name(GAME, "Bert", "f" * 64) == "01234567-bert.join.json"
    assert files.join_name(GAME, "李", "abcdef0123") == "01234567-player-abcdef.join.json"


# --- times -----------------------------------------------------------------------------------------------------------


def test_times_are_whole_minutes_and_never_too_early() -> None:
    noon = datetime(2027, 1, 5, 12, tzinfo=UTC)
    assert times.after(noon, 0) == "2027-01-05T12:00Z"
    assert times.after(noon, 61) == "2027-01-05T13:01Z"
    for more in (timedelta(microseconds=1), timedelta(seconds=1), timedelta(seconds=59, microseconds=999_999)):
        assert times.after(noon + more, 0) == "2027-01-05T12:01Z"
        assert times.after(noon + more, 0, up=False) == "2027-01-05T12:00Z"
    assert times.after(noon.astimezone(timezone(timedelta(hours=9))), 5) == "2027-01-05T12:05Z"
    with pytest.raises(Usage, match="there is no such time") as caught:
        times.after(datetime.max.replace(tzinfo=UTC), 1)
    assert str(caught.value.next) == "give an earlier one"
    assert times.later("2027-01-05T12:00Z", 60) == "2027-01-05T13:00Z"
    assert times.later("9999-12-31T23:59Z", 1) == times.LAST
