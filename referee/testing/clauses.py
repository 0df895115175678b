"""What is checked of `RULES.md` and its translations."""

import re

from referee import games
from referee.language import ENGLISH, LANGUAGES
from referee.show.rules import MARK
from referee.testing.subject import Subject

_CLAUSE = re.compile(r"^\*\*([A-Z]{2,4}-\d+)\*\* (?=\S)", re.MULTILINE)
_BELONGS = re.compile(r"^```.*?^```$|^\|[^\n]*$|^(?:-|\d\.) [^\n]*(?:\n  [^\n]*)*", re.MULTILINE | re.DOTALL)
"""Tables, lists and examples, which belong to the sentence before them."""
_TWO = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bz\. B)(?<!\bd\. h)(?<!\bbijv)[.!?] (?=[A-ZÄÖÜ])")
"""Where a second sentence begins."""


def clauses(subject: Subject) -> list[str]:
    """The ids of all clauses."""
    return _CLAUSE.findall(games.rules_text(subject.game_id))


def rules_have_clauses(subject: Subject) -> None:
    """RULES.md has clauses, each with its own id at the start of a line: **XX-1** ..."""
    found = clauses(subject)
    assert found, "RULES.md has no clause (**XX-1** at the start of a line)"
    twice = {one for one in found if found.count(one) > 1}
    assert not twice, f"RULES.md has two clauses {', '.join(sorted(twice))}"


def translations_agree(subject: Subject) -> None:
    """RULES.de.md and RULES.nl.md have the clauses of RULES.md in the same order, with the same marks and figures."""
    english = _parts(games.rules_text(subject.game_id))
    for language in sorted(LANGUAGES.keys() - {ENGLISH}):
        text = games.rules_text(subject.game_id, language)
        found, name = _parts(text), f"RULES.{language}.md"
        assert not text or list(found) == list(english), f"{name} has other clauses"
        for clause, part in found.items():
            assert _marks(part) == _marks(english[clause]), f"{name} has other marks in {clause}"
            assert _figures(part) == _figures(english[clause]), f"{name} has other figures in {clause}"


def every_sentence_has_its_mark(subject: Subject) -> None:
    """Where clauses have marks, every sentence has one: `One sentence. [S: Place] Another. [R]`."""
    for language in LANGUAGES:
        parts = _parts(games.rules_text(subject.game_id, language))
        for clause, part in parts.items() if any(map(_marks, parts.values())) else ():
            *sentences, rest = MARK.split(_BELONGS.sub("", part))
            assert not rest.strip(), f"{clause} has no mark behind {_flat(rest)[:60]!r}"
            for sentence in map(_flat, sentences):
                assert sentence, f"{clause} has two marks behind one sentence"
                assert not _TWO.search(sentence), f"{clause} has one mark for two sentences: {sentence[:100]!r}"


def _parts(text: str) -> dict[str, str]:
    """Each clause by its id: its text up to the next clause or heading."""
    parts = re.split(r"^(?=\*\*[A-Z]{2,4}-\d+\*\* |#+ )", text, flags=re.MULTILINE)
    return {head[1]: part[head.end() :] for part in parts if (head := _CLAUSE.match(part))}


def _marks(part: str) -> list[str]:
    """Every mark of a clause, with its place in the rulebook."""
    return [_flat(found[0]) for found in MARK.finditer(part)]


def _figures(part: str) -> list[str]:
    return sorted(re.findall(r"\d+", part))


def _flat(text: str) -> str:
    return " ".join(text.split())
