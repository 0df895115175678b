"""Plain English: phrases that read like a translation, and what to write instead. The list grows whenever a reader
corrects one that a pattern can find without false alarms. German and Dutch have readers of their own."""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.language import LANGUAGES

ROOT = Path(__file__).resolve().parents[1]
INSTEAD = {
    r"an own|the own|of the own": "your own, their own, the player's own",
    r"means? nothing (without|if)": "has no effect without",
    r"anew": "again",
    r"for ever": "forever",
    r"bare answers?|(?<!\.)standing words": "confirmation; standing orders",
    r"said for good|says? for good what": "standing orders",
    r"passed over|left aside": "timed out; skipped; ignored",
    r"plays? tricks": "misleads",
    r"(is|are) no (e?-?mail address|UTF-8|JSON|ASCII|number|time|valid \w+)": "is not ...",
    r"more seldom|most seldom": "less often, least often",
    r"only looks? on|to look on": "watch",
    r"much else (to do|ran|runs)|on which much": "busy",
    r"took for the likeliest": "considered most likely",
    r"everybody goes home|told again": "close; translated",
    r"one question back": "go back one question",
    r"a stranger can re-?check|strike (this|a) bot out": "anybody can check; withdraw",
    r"answer otherwise|(is|was) asked nothing|are asked nothing": "differently; not asked for anything",
    r"tells? nothing\b(?! about| of)": "is empty, reveals nothing",
    r"(?<![@\d.,-])1 (games|differences|notes|mails|rounds|files|players|seats|bots|offers)": "the singular",
}
"""Pattern -> what is meant by it."""
WRONG = re.compile("|".join(rf"\b(?:{pattern})\b" for pattern in INSTEAD), re.IGNORECASE)


def spoken(path: Path) -> Iterator[tuple[int, str]]:
    """What people read in a file, with its line: strings and comments of code, the English of everything else."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in (tokenize.STRING, tokenize.COMMENT):
                yield token.start[0], token.string
        return
    yield from enumerate(text.splitlines(), 1)


def files() -> Iterator[Path]:
    """Every file with English in it."""
    foreign = [language for language in LANGUAGES if language != "en"]
    found = [*ROOT.glob("*.md"), *ROOT.glob("schemas/**/*.md"), *ROOT.glob("examples/*.md")]
    found.append(ROOT / "referee" / "page" / "translations.mjs")
    for folder in ("referee", "tests"):
        found += [path for kind in ("py", "md", "txt") for path in (ROOT / folder).rglob(f"*.{kind}")]
    for path in sorted(found):
        named = {*path.parts, *path.name.split(".")}
        if path != Path(__file__) and not named & {*foreign, "__pycache__"}:
            yield path


def test_no_phrase_reads_like_a_translation() -> None:
    wrong = []
    for path in files():
        for line, text in spoken(path):
            for found in WRONG.finditer(" ".join(text.split())):
                wrong.append(f"{path.relative_to(ROOT)}:{line}: {found[0]}")
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "Anna has an own key", "a card of the own hand", "--say means nothing without --move", "it is sealed anew",
        "a list that is no JSON", "1 differences", "the game waits for ever", "you are asked nothing now",
    ],
)  # fmt: skip
def test_such_a_phrase_is_found(text: str) -> None:
    assert WRONG.search(text)


@pytest.mark.parametrize(
    "text", ["your own key", "21 games", "the owner", "this is not JSON", "leave the game for good", "1.1 rounds"]
)
def test_ordinary_words_are_not(text: str) -> None:
    assert not WRONG.search(text)
