"""What the games share in reading typed moves: a game's own grammar stands in its module `words`.

A game reads English: by then, words of other languages have been exchanged (see `referee.lexicon`). But they stand in
the order of those languages, `2 red buy`, and between them are small words that mean nothing.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar
from unicodedata import normalize

K = TypeVar("K", bound=str)

TOKEN = re.compile(r"@\d+|\d+|[^\W\d_]+|\S")
"""A player, a number, a word, or a sign."""
NUMBERS = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
"""Not `one`: `play one` does not say which. Where only amounts are named, a game adds it."""


def folded(text: str) -> str:
    """A text in small letters, each in one piece with its umlaut."""
    return normalize("NFC", text).casefold()


def words_in(
    text: str, fillers: Collection[str], numbers: Mapping[str, str] = NUMBERS, token: re.Pattern[str] = TOKEN
) -> list[str]:
    """The words that mean something, without those that only help the reader, and with numbers in figures."""
    return [numbers.get(word, word) for word in token.findall(text) if word not in fillers]


def verb_first(words: list[str], verbs: Collection[str]) -> list[str]:
    """`2 butter trade` as `trade 2 butter`: in German the verb can end a clause."""
    return [words[-1], *words[:-1]] if len(words) > 1 and words[-1] in verbs and words[0] not in verbs else words


# --- numbers, amounts, players ---------------------------------------------------------------------------------------


def is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 3


def number_in(words: Sequence[str]) -> int:
    """The one number from 1 to 999 that these words are; 0 if they are anything else."""
    return int(words[0]) if len(words) == 1 and is_number(words[0]) else 0


def seat_of(word: str, seats: int) -> int | None:
    """The seat that `@2` stands for, as names of players do; None if there is none."""
    return int(word[1:]) if word[:1] == "@" and is_number(word[1:]) and int(word[1:]) < seats else None


def counted(
    words: Iterable[str], names: Mapping[str, K], number: Callable[[str], int], unread: Callable[[str], Exception]
) -> dict[K, int]:
    """How many of each are named: `red red blue`, `2 red 1 blue`, or a mixture; nothing if a name is missing. The game
    says what a number is, and what is wrong with another word."""
    found: dict[K, int] = {}
    times = ""
    for word in words:
        if word in names:
            found[names[word]] = found.get(names[word], 0) + (number(times) if times else 1)
            times = ""
        elif times or not word.isdigit():
            raise unread(word)
        else:
            times = word
    return {} if times else found


def amounts_text(numbers: Mapping[K, int], singular: Mapping[K, str] | None = None) -> str:
    """`butter sugar`, or with numbers as soon as one is above 1: `2 butter 1 sugar`."""
    words = {name: (singular or {}).get(name, name) if n == 1 else name for name, n in numbers.items()}
    plain = all(n == 1 for n in numbers.values())
    return " ".join(word if plain else f"{numbers[name]} {word}" for name, word in words.items())


# --- what cannot be read ---------------------------------------------------------------------------------------------


def clean(word: str) -> str:
    """What may be echoed of a stranger's text."""
    return "".join(letter for letter in word if letter.isascii() and letter.isalnum())[:20]


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that a mistyped one is most like; empty if none is near."""
    from difflib import get_close_matches

    found = get_close_matches(word[:40], list(known), 1)
    return found[0] if found and found[0] != word else ""
