"""Speaking a language: catalogues are found, texts filled in, and what is missing is said in English."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from referee.language import Catalogue, speaking, spoken
from referee.lexicon import Lexicon, spellings

from .make import spelled

LEXICON = Lexicon(
    {
        "sell": {"de": ("verkaufe", "verkauf"), "nl": ("verkoop",)},
        "mark": {"de": ("markiere",), "nl": ("markeer",)},
        "red": {"de": ("rot",), "nl": ("rood",)},
        "green": {"de": ("grün",), "nl": ("groen",)},
        "decline always": {"de": ("lehne immer ab",), "nl": ("weiger altijd",)},
    }
)


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
    (folder / "locale" / "de.mo").write_bytes(spelled(made)[1])
    monkeypatch.syspath_prepend(tmp_path)
    yield folder.name
    sys.modules.pop(folder.name, None)


def test_texts_in_the_language_that_is_spoken(package: str) -> None:
    t = Catalogue(package)
    assert (t("{name} waits", name="Jörg"), t.plural("{n} card", "{n} cards", 1)) == ("Jörg waits", "1 card")
    with speaking("de"):
        assert t("{name} waits", name="{n}") == "{n} wartet"
        assert [t.plural("{n} card", "{n} cards", n) for n in (0, 1, 2)] == ["0 Karten", "1 Karte", "2 Karten"]
        assert [t.sense(what, "open") for what in ("a card", "a game")] == ["aufgedeckt", "offen"]
        with speaking("nl"):
            assert t("{name} waits", name="Jörg") == "Jörg waits", "there is no Dutch catalogue"
        assert t("never {seen} before") == "never {seen} before"
    with speaking("tlh"):
        assert spoken() == "en"
    assert (spoken(), t.sense("a card", "open")) == ("en", "open")


@pytest.mark.parametrize(
    ("typed", "english"),
    [
        ("verkaufe 2 rot, markiere grün", "sell 2 red, mark green"),
        ("VERKAUF 2 gruen,markiere grun", "sell 2 green,mark green"),
        ("verkoop 2 rood; weiger altijd @2", "sell 2 red; decline always @2"),
        ("Lehne  immer ab", "decline always"),
        ("sell 2 red, mark grün", "sell 2 red, mark green"),
        ("immer verrottet", "immer verrottet"),
    ],
)
def test_words_of_any_language(typed: str, english: str) -> None:
    assert LEXICON.english(typed) == english
    for language in ("de", "nl"):
        assert LEXICON.english(LEXICON.spoken(english, language)) == english


def test_umlauts_in_any_spelling() -> None:
    assert spellings("Größe") >= {"größe", "groesse", "grosse"}
    assert LEXICON.spoken("sell 2 green", "de") == "verkaufe 2 grün"
    assert LEXICON.spoken("sell 2 green", "en") == "sell 2 green"
