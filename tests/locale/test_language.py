"""Speaking a language: catalogues are found, texts filled in, and what is missing is said in English."""

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from referee import language
from referee.language import (
    Catalogue,
    Figures,
    Time,
    Wording,
    current_language,
    either,
    listed,
    quoted,
    run,
    runs,
    speaking,
    with_files,
    with_values,
)
from referee.language import t as core

from .make import spelled


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A package with a few texts in German."""
    folder = tmp_path / "spoken_here"
    (folder / "locale").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    made = Catalog("de", charset="utf-8")
    made.add("{name} waits", "{name} wartet")
    made.add(("{n} card", "{n} cards"), ("{n} Karte", "{n} Karten"))
    made.add("open", "aufgedeckt", context="a card")
    made.add("open", "offen", context="a game")
    made.add("it is too late", "es ist zu spät")
    made.add("nobody", "niemand")
    made.add("{name} said: {why}", "von {name} kam: {why}")
    made.add("{name} said: {why} (rule {clause})", "{clause}, meinte {name}: {why}")
    made.add("it is {n}", "so ist es")
    (folder / "locale" / "de.mo").write_bytes(spelled(made)[1])
    monkeypatch.syspath_prepend(tmp_path)
    yield folder.name
    sys.modules.pop(folder.name, None)


def test_texts_in_the_language_that_is_spoken(package: str) -> None:
    t = Wording(package)
    assert (t("{name} waits", name="Jörg"), t.plural("{n} card", "{n} cards", 1)) == ("Jörg waits", "1 card")
    with speaking("de"):
        assert t("{name} waits", name="{n}") == "{n} wartet"
        assert [t.plural("{n} card", "{n} cards", n) for n in (0, 1, 2)] == ["0 Karten", "1 Karte", "2 Karten"]
        assert [t.sense(what, "open") for what in ("a card", "a game")] == ["aufgedeckt", "offen"]
        with speaking("nl"):
            assert t("{name} waits", name="Jörg") == "Jörg waits", "there is no Dutch catalogue"
        assert t("never {seen} before") == "never {seen} before"
    with speaking("tlh"):
        assert current_language() == "en"
    assert (current_language(), t.sense("a card", "open")) == ("en", "open")


def test_texts_are_data(package: str) -> None:
    """A text is made once, and said to every reader in their own language; what stands in it stays what it is."""
    t = Catalogue(package)
    inner = t("{name} said: {why}", name="nobody", why=t("it is too late"))
    whole = t("{name} said: {why} (rule {clause})", name="it is too late", why=inner, clause=7)
    assert str(whole) == "it is too late said: nobody said: it is too late (rule 7)"
    with speaking("de"):
        assert str(whole) == "7, meinte it is too late: von nobody kam: es ist zu spät"
        assert str(t("{name} waits", name=(1, "two", t("nobody")))) == "1, two, niemand wartet"
        assert str(t("it is {n}", n=3)) == "it is 3", "a translation that loses a value is not used"
        assert str(t.plural("{n} card", "{n} cards", 2)) == "2 Karten"
        assert str(t.sense("a card", "open")) == "aufgedeckt"
    assert whole == t("{name} said: {why} (rule {clause})", name="it is too late", why=inner, clause=7)
    assert len({whole, inner, whole}) == 2
    assert not t("")


def test_values_are_said_as_people_write_them() -> None:
    """Times, figures, quotes and lists."""
    said = {
        "en": ("2027-01-05 18:00 UTC", "2027-01-05", "1,234.5%", "'größe\\x1b'", "a, b and c", "a or b", "a"),
        "de": ("5.1.2027 um 18:00 UTC", "5.1.2027", "1.234,5\xa0%", "„größe\\x1b“", "a, b und c", "a oder b", "a"),
        "nl": ("5-1-2027 om 18:00 UTC", "5-1-2027", "1.234,5%", "‘größe\\x1b’", "a, b en c", "a of b", "a"),
    }
    values = (Time("2027-01-05T18:00Z"), Time("2027-01-05"), Figures("1,234.5%"), quoted("größe\x1b"))
    for reader, words in said.items():
        with speaking(reader):
            assert tuple(map(str, (*values, listed("abc"), either("ab"), listed("a")))) == words


def test_commands_are_data(package: str) -> None:
    """Whoever says them puts their own files in, or leaves them out; a shell takes them as they are."""
    t = Catalogue(package)
    text = t("{name} said: {why}", name="Ann", why=t("{name} waits", name=run("show", "--moves")))
    assert [*runs(text)] == [run("show", "--moves")]
    assert [*runs(t("{name} waits", name="`referee show --moves`"))] == []
    assert str(with_files(text, run("show", "--moves", "my view.json", "--key", "k"))) == (
        "Ann said: `referee show --moves 'my view.json' --key k` waits"
    )
    assert with_files(text, run("show", "x")) == text
    assert str(run("show", "a\x1b[2J")) == "`referee show 'a\\x1b[2J'`"
    assert (
        str(with_values(text, lambda value: "Bob" if value == "Ann" else value))
        == "Bob said: `referee show --moves` waits"
    )


def compiled(**translations: str) -> bytes:
    """A German catalogue, made by any tool."""
    made, file = Catalog("de", charset="utf-8"), BytesIO()
    for text in ("it is {n}", "{n} waits for {other}", "late"):
        made.add(text, translations.get(text[:2].strip("{ "), text.replace("it is", "es ist")))
    made.add(("{n} card", "{n} cards"), ("{n} Karte", translations.get("cards", "{n} Karten")))
    write_mo(file, made)
    return file.getvalue()


SPOILT = {
    "nothing": b"",
    "no catalogue": b"<html>" * 99,
    "cut off": compiled()[:-40],
    "cut off early": compiled()[:60],
    "another charset": compiled(la="sp\u00e4t").replace("\u00e4".encode(), b"\xe4\xe4"),
    "a charset that nobody knows": compiled().replace(b"utf-8", b"klng8"),
    "plural forms that are none": compiled().replace(b"(n != 1)", b"(n ?? 1)"),
    "plural forms that divide by nothing": compiled().replace(b"(n != 1)", b"(n / 0) "),
    "plural forms that divide by nothing later": compiled().replace(b"(n != 1)", b"1/(n-7) "),
    "another value": compiled(it="es ist {m}", cards="{k} Karten"),
    "a number for a value": compiled(it="es ist {0}", cards="{0} Karten"),
    "what a value consists of": compiled(it="es ist {n.real}", cards="{n.nothing} Karten"),
    "a value in a form": compiled(it="es ist {n:q}", cards="{n:q} Karten"),
    "a brace": compiled(it="es ist {", cards="{ Karten"),
}


@pytest.mark.parametrize("how", SPOILT)
def test_catalogues_that_others_spoilt(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then they are English, and those beside them are not spoilt."""
    name = f"spoilt_{[*SPOILT].index(how)}"
    (tmp_path / name / "locale").mkdir(parents=True)
    (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / name / "locale" / "de.mo").write_bytes(SPOILT[how])
    monkeypatch.syspath_prepend(tmp_path)
    t = Wording(name)
    with speaking("de"):
        assert t.plural("{n} card", "{n} cards", 7) in ("7 cards", "7 Karten")
        assert (t.plural("{n} card", "{n} cards", 7), t("it is {n}", n=3)) != ("7 Karten", "es ist 3")
        assert t("it is {n}", n=3) in ("it is 3", "es ist 3")
        assert (t("late"), t.sense("a", "b")) == ("late", "b")
        assert str(core("round {step}: {message}", step=7, message="x")) == "Runde 7: x"
        assert language.language_of_package(name) in ("de", "en")
