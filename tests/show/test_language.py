"""The current language, and typing its words."""

import pytest

from referee.language import current_language, speaking
from referee.lexicon import Lexicon, spellings

LEXICON = Lexicon(
    {
        "sell": {"de": ("verkaufe", "verkauf"), "nl": ("verkoop",)},
        "mark": {"de": ("markiere",), "nl": ("markeer",)},
        "red": {"de": ("rot",), "nl": ("rood",)},
        "green": {"de": ("grün",), "nl": ("groen",)},
        "decline always": {"de": ("lehne immer ab",), "nl": ("weiger altijd",)},
    }
)


def test_a_language_is_spoken_within() -> None:
    with speaking("de"):
        with speaking("nl"):
            assert current_language() == "nl"
        assert current_language() == "de"
    with speaking("tlh"):
        assert current_language() == "en"
    assert current_language() == "en"


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
