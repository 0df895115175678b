"""The words of a typed move: what only helps the reader is left out, and a verb that stands last comes first."""

import re
from collections.abc import Iterable
from unicodedata import normalize

FILLERS = {"and", "then", "und", "dann", "a", "the", "with", "for", "on", "at", "x", "in", "by", "fields"}
"""Words that only help the reader, as commas do."""
OF = re.compile(r"\b(\d+|two|three|four|five|six|all|cards?) of (?=[a-z])")
"""English `2 of sugar`. Any other `of` may be Dutch, and means `or`."""
NUMBERS = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
LAST = ("play", "trade", "sell", "spy", "quick", "swap", "find", "collect", "take")
"""What can end a clause whose words stand before it: `2 butter trade`, as Germans say it."""
TOKEN = re.compile(r"@\d+|\d+|[^\W\d_]+|\S")
HYPHEN = re.compile(r"(?<=\w)[-\u2010-\u2015](?=\w)")


def said(text: str) -> list[str]:
    """The words of a move; commas only help the reader, and so do hyphens between words."""
    letters = OF.sub(r"\1 ", HYPHEN.sub(" ", normalize("NFC", text).casefold().replace("ä", "ae")))
    words = [word for clause in re.split("[,:]", letters) for word in _clause(clause)]
    return [word for at, word in enumerate(words) if word != "move" or words[at - 1 : at] != ["move"]]


def _clause(text: str) -> list[str]:
    words = [NUMBERS.get(word, word) for word in TOKEN.findall(text) if word not in FILLERS]
    if len(words) > 1 and words[-1] in LAST and words[0] not in LAST:
        return [words[-1], *words[:-1]]
    if len(words) > 1 and words[-1] == "move" and words[-2].isdigit():
        return [*words[:-2], "move", words[-2]]
    return words


def clean(word: str) -> str:
    """What may be echoed of a stranger's text."""
    return "".join(letter for letter in word if letter.isascii() and letter.isalnum())[:20]


def nearest(word: str, known: Iterable[str]) -> str:
    """Which word is meant by one that is none; empty if none is near."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word.casefold(), list(known), 1)), "")
