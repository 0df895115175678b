"""The rules in German and Dutch say what they say in English: part by part, figure by figure, in words of their own."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import games
from referee.grammar import FILLERS

OURS = Path(games.__file__).parent
IDS = sorted(path.parent.name.replace("_", "-") for path in OURS.glob("*/edition.json"))
BOTH = [(game_id, language) for game_id in IDS for language in ("de", "nl")]
NUMBERS = {
    "en": "two three four five six seven eight nine ten eleven twelve",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "nl": "twee drie vier vijf zes zeven acht negen tien elf twaalf",
}
ENGLISH = """
the and to from with which who whom whose player players turn turns piece pieces nobody everybody somebody when if by
card cards market price prices each every than then this that there their they are only may must has have does what
where while first second third next other others own any field fields row rows colour colours for red blue green yellow
white black shares share case cases buy sell play played rolls throw throws throwing dice goods trade traded head heads
level levels move moves moved round rounds bid bids asked answer answers
"""
"""None of them is a German or a Dutch word."""
JOINING = ("and", "und", "en", "then", "dann", "dan")
"""Between the parts of a move; they mean nothing by themselves."""
LETTERS = {"de": "äöüß", "nl": "é"}
SPELLED_OUT = re.compile(
    r"fuer|ueb|muess|koen|moeg|grue?sse|waehl|naech|zurueck|wuerf|hoech|spaet|aender|loes|taet|schluess|gehoer|fuehr|"
    r"\b(?:grosse?|ausser|heisst|weisse?|draussen|schliess\w*|strasse\w*)\b",
    re.IGNORECASE,
)


def parts(text: str) -> list[tuple[str, str]]:
    """The rules, cut at clauses and headings: id and marks of each clause, the depth of each heading, and the text."""
    cut = re.split(r"^(?=\*\*[A-Z]+-\d+\*\*|#+ )", text, flags=re.MULTILINE)
    found = [(re.match(r"\*\*\S+\*\* \(.*?\) |#+ |", part), part) for part in cut]
    return [(head[0], part) for head, part in found if head]


def prose(text: str) -> str:
    """What is read, without what is typed or printed."""
    return re.sub(r"`[^`\n]+(?:\n[^`\n]+)?`", "", re.sub(r"^```$.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL))


def figures(text: str, language: str) -> Counter[int]:
    """Every number, in digits or as a word. `5 2` is two numbers, and so is `1,000` (`1.000`)."""
    words = {word: value for value, word in enumerate(NUMBERS[language].split(), 2)}
    found = re.findall(r"\d+|[^\W\d_]+", text.lower())
    return Counter(int(one) if one.isdigit() else words[one] for one in found if one.isdigit() or one in words)


def reader(game_id: str) -> Callable[[str], str]:
    """How a game reads what is typed: in its own English words, without those that mean nothing."""
    lexicon = games.lexicon(game_id)

    def read(text: str) -> str:
        words = lexicon.english(lexicon.english(text)).split()  # a phrase can have a synonym of its own
        return " ".join(word for word in words if word not in {*lexicon.fillers, *FILLERS, *JOINING})

    return read


def spans(text: str, read: Callable[[str], str]) -> Counter[str]:
    """What is typed, between backticks, as the game reads it; a span may be broken at the end of a line."""
    unfenced = re.sub(r"^```$.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    found = (read(re.sub(r"\s+", " ", span)) for span in re.findall(r"`([^`]+)`", unfenced))
    return Counter(one for one in found if one)


def shape(text: str, read: Callable[[str], str]) -> list[str]:
    """Tables by their number of cells, lists by their items, fenced blocks by their commands, as they are read."""
    fenced = re.findall(r"^```$.*?^```$", text, flags=re.MULTILINE | re.DOTALL)
    typed = [read(line) for block in fenced for line in re.findall(r"^```|^(?:\$ )?referee .*", block, re.MULTILINE)]
    rows = re.findall(r"^(?:\|.*|- )", text, re.MULTILINE)
    return [*typed, *(str(row.count("|")) for row in rows)]


@pytest.mark.parametrize(("game_id", "language"), BOTH)
def test_a_translation_says_the_same(game_id: str, language: str) -> None:
    english, other = parts(games.rules_text(game_id)), parts(games.rules_text(game_id, language))
    read = reader(game_id)
    assert [head for head, _ in other] == [head for head, _ in english]
    for (_, ours), (_, theirs) in zip(english, other, strict=True):
        where = ours.partition("\n")[0]
        assert shape(theirs, read) == shape(ours, read), where
        assert not spans(ours, read) - spans(theirs, read), where
        assert figures(prose(theirs), language) == figures(prose(ours), "en"), where


@pytest.mark.parametrize(("game_id", "language"), [*BOTH, *((game_id, "en") for game_id in IDS)])
def test_the_rules_begin_with_a_page_to_learn_from(game_id: str, language: str) -> None:
    """Within the first hundred lines, before the first clause: a turn as it is played, and what to watch for."""
    text = games.rules_text(game_id, language)
    page = text.split("\n## ")[1]
    assert text.index(page) < 1500
    assert text.index(page) + len(page) < re.search(r"^\*\*[A-Z]+-1\*\*", text, re.MULTILINE).start()  # type: ignore[union-attr]
    assert len(re.findall(r"^(?:\$ )?referee play \S+ --move ", page, re.MULTILINE)) >= 3
    assert len(re.findall(r"^- ", page, re.MULTILINE)) == 5


@pytest.mark.parametrize(("game_id", "language"), BOTH)
def test_a_translation_is_in_its_language(game_id: str, language: str) -> None:
    text = games.rules_text(game_id, language)
    assert text == unicodedata.normalize("NFC", text)
    assert max(map(len, re.findall(r"^(?!\|).*", text, re.MULTILINE))) <= 120
    words = set(re.findall(r"[^\W\d_]+", prose(text).lower()))
    assert not words & set(ENGLISH.split())
    assert set(LETTERS[language]) <= set("".join(words))
    assert language != "de" or not SPELLED_OUT.findall(prose(text))


@pytest.mark.parametrize("game_id", IDS)
def test_the_glossary_has_the_words_of_the_rules(game_id: str) -> None:
    """Each term stands in the rules of its language, and no term stands for two things."""
    glossary = (OURS / game_id.replace("-", "_") / "GLOSSARY.md").read_text("utf-8")
    rows = [row[2:-2].split(" | ") for row in glossary.splitlines() if row.startswith("| ")][1:]
    assert len(rows) > 30
    for terms, language in zip(zip(*rows, strict=True), ("en", "de", "nl"), strict=True):
        assert len({term.lower() for term in terms}) == len(terms), language
        text = re.sub(r"\s+", " ", games.rules_text(game_id, language)).lower()
        assert [term for term in terms if term.partition(" (")[0].lower() not in text] == [], language
