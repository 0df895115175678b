"""Times, spans, names and languages as people give them, each at its bounds."""

from datetime import UTC, datetime, timedelta

import pytest

from referee.engine.names import choose_name, refuse_alike
from referee.errors import RefereeError, Usage
from referee.io import language
from referee.io.times import LONGEST, after, read_span, read_time
from referee.show.text import clean, kept_keys, span

EVENING = datetime(2026, 12, 24, 18, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "minutes"), [("1m", 1), ("90m", 90), ("12h", 720), (" 3d ", 4320), ("365d", LONGEST), ("525600m", LONGEST)]
)
def test_spans(text: str, minutes: int) -> None:
    assert read_span(text) == minutes


@pytest.mark.parametrize("text", ["0m", "366d", "525601m", "1", "m", "1w", "-1d", "1.5h", "1 d", "1234567m", ""])
def test_invalid_spans(text: str) -> None:
    with pytest.raises(Usage) as caught:
        read_span(text)
    assert str(caught.value.message) == "this is not a valid span of time"
    assert str(caught.value.next) == "write minutes, hours or days, for example 90m, 12h or 3d; at most 365d"


def test_spans_in_words() -> None:
    told = {
        1: "1 minute",
        90: "90 minutes",
        60: "1 hour",
        720: "12 hours",
        1440: "1 day",
        4320: "3 days",
        1500: "25 hours",
    }
    assert {minutes: span(minutes) for minutes in told} == told


def test_times() -> None:
    assert read_time("2026-12-24T18:00Z") == EVENING
    assert read_time("2026-12-24T23:59Z").minute == 59
    for text in (
        "2026-12-24T24:00Z",
        "2026-12-24T18:60Z",
        "2026-02-30T18:00Z",
        "2026-12-24T18:00",
        "2026-12-24 18:00Z",
        "x",
    ):
        with pytest.raises(Usage, match="this is not a valid time"):
            read_time(text)


def test_a_later_time_is_rounded_up_to_a_minute() -> None:
    assert after(EVENING, 0) == "2026-12-24T18:00Z"
    assert after(EVENING, 90) == "2026-12-24T19:30Z"
    assert after(EVENING + timedelta(seconds=1), 0) == "2026-12-24T18:01Z"
    assert after(EVENING + timedelta(microseconds=1), 0) == "2026-12-24T18:01Z"
    with pytest.raises(Usage, match="there is no such time"):
        after(datetime(9999, 12, 31, 23, 59, tzinfo=UTC), 1)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a@b", "a name cannot contain @ or a semicolon"), ("a;b", "a name cannot contain @ or a semicolon"),
        ("12", "a name cannot be just a number"), ("1 2", "a name cannot be just a number"),
        ("٣", "a name cannot be just a number"),
        ("Аnna", "mixes letters from several scripts"), ("αa", "mixes letters from several scripts"),
        ("a漢", "mixes letters from several scripts"), ("a\u0378", ""),
    ],
)  # fmt: skip
def test_names_that_could_be_taken_for_something_else(name: str, why: str) -> None:
    with pytest.raises(RefereeError) as caught:
        choose_name(name)
    assert why in str(caught.value.message)
    assert caught.value.code == "bad-name"


@pytest.mark.parametrize("name", ["Anna", "Анна", "Άννα", "漢字", "Anna 2", "O'Neil", "Zoë", "A1"])
def test_names_of_one_script(name: str) -> None:
    assert choose_name(name) == name


def test_names_that_look_alike() -> None:
    refuse_alike(["Anna", "Bert", "Carla"])
    for one, other in (
        ("Anna", "АNNA"),
        ("Bill", "BiII"),
        ("corn", "com"),
        ("vvim", "wim"),
        ("An na", "Anna"),
        ("L0", "lo"),
    ):
        with pytest.raises(RefereeError, match="two players have names that look alike"):
            refuse_alike(["Zoe", one, other])


@pytest.mark.parametrize(
    ("settings", "spoken"),
    [
        ({}, "en"), ({"LANG": "de_AT.UTF-8"}, "de"), ({"LANG": "fr_FR"}, "en"), ({"LANG": "C", "LANGUAGE": "de"}, "en"),
        ({"LANG": "POSIX", "LANGUAGE": "de"}, "en"), ({"LANG": "C.UTF-8", "LANGUAGE": "de"}, "en"),
        ({"LANG": "en_GB", "LANGUAGE": "fr:nl:de"}, "nl"), ({"LANG": "de", "LC_ALL": "nl_NL"}, "nl"),
        ({"LANG": "de", "LC_MESSAGES": "nl"}, "nl"), ({"LC_MESSAGES": "de", "LC_ALL": "nl"}, "nl"),
        ({"LANG": "de", "REFEREE_LANGUAGE": "nl"}, "nl"),
    ],
)  # fmt: skip
def test_the_language_of_the_surroundings(
    settings: dict[str, str], spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "REFEREE_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert language.choose() == spoken
    assert language.first(["status"]) == spoken
    assert language.first(["show", "--json"]) == "en"
    assert language.first(["--language", "de", "status"]) == "de"
    assert language.first(["--language=nl", "status"]) == "nl"
    assert language.first(["--language", "nl", "rules", "--language", "de"]) == "nl"
    assert language.first(["--language", "fr", "rules", "--language=de"]) == spoken, "the first one is the program's"
    assert language.choose("de-AT") == "de"
    with pytest.raises(Usage) as caught:
        language.choose("fr")
    assert str(caught.value.message) == "the language 'fr' is not supported"
    assert str(caught.value.next) == "choose one of: en, de, nl"


def test_words_for_people() -> None:
    assert clean("a\x1b[0m\u202e\nü") == "a\\x1b[0m\\u202e\\nü"
    assert kept_keys([]) == ""
    assert kept_keys(["Anna"]) == "the host declares that it keeps Anna's key"
    assert kept_keys(["Anna", "Bert"]) == "the host declares that it keeps the keys of Anna and Bert"
