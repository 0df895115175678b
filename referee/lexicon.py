"""The words that people type, in every language at any time; and what a game says in its own, in the reader's.

A game writes and reads its moves in English. A file `words.json` beside its edition says how each word or phrase is
called elsewhere: `{"sell": {"de": ["verkaufe", "verkauf"], "nl": ["verkoop"]}}`. The first is what is printed, all are
read, in any case and with umlauts in any spelling. No word means two things in any mix of languages.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec

from referee.language import ENGLISH

Words = Mapping[str, Mapping[str, tuple[str, ...]]]
"""English phrase -> language -> how it is called there."""

_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ë": "e", "ï": "i", "é": "e", "è": "e"}
_TOKEN = re.compile(r"@\d+|[^\W\d_]+(?:['-][^\W\d_]+)*|\d+|\s+|.", re.DOTALL)
"""A name that stands for a seat, a word, a number, space, or a sign."""


def spellings(word: str) -> set[str]:
    """How a word can be typed: with its umlauts, with `ue` for `ü`, and with bare letters."""
    low = word.casefold()
    long = "".join(_UMLAUTS.get(c, c) for c in word.lower())
    bare = "".join(_UMLAUTS.get(c, c)[:1] if c != "ß" else "ss" for c in word.lower())
    return {low, word.lower(), long, bare}


class Lexicon:
    """The words of one game."""

    def __init__(self, words: Words) -> None:
        self.words = words

    @cached_property
    def _meanings(self) -> dict[tuple[str, ...], str]:
        """Any spelling of any phrase in another language, as words -> the English one."""
        return {
            tuple(spelling.split()): english
            for english, others in self.words.items()
            for called in others.values()
            for phrase in called
            for spelling in spellings(phrase)
        }

    def english(self, line: str) -> str:
        """The same line with every word of another language in English."""
        return "".join(_exchanged(line, self._meanings))

    def spoken(self, line: str, language: str) -> str:
        """A line that the game wrote, in the words of this language."""
        if language == ENGLISH:
            return line
        said = {
            tuple(english.split()): others[language][0] for english, others in self.words.items() if language in others
        }
        return "".join(_exchanged(line, said))


def _exchanged(line: str, phrases: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    """The longest phrase at each place, exchanged; everything else as it is."""
    tokens: list[str] = _TOKEN.findall(line)
    places = [place for place, token in enumerate(tokens) if not token.isspace()]
    longest, at, done = max(map(len, phrases), default=0), 0, 0
    while at < len(places):
        for length in range(min(longest, len(places) - at), 0, -1):
            words = tuple(tokens[place].casefold() for place in places[at : at + length])
            if words in phrases:
                yield "".join(tokens[done : places[at]]) + phrases[words]
                at += length
                break
        else:
            yield "".join(tokens[done : places[at] + 1])
            at += 1
        done = places[at - 1] + 1
    yield "".join(tokens[done:])


def read_words(data: bytes) -> Lexicon:
    """The lexicon of a `words.json`."""
    return Lexicon(msgspec.json.decode(data, type=dict[str, dict[str, tuple[str, ...]]]))
