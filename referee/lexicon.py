"""The words that people type, in every language at any time; and what a game says in its own, in the reader's.

A game writes and reads its moves in English. A file `words.json` beside its edition says how each word or phrase is
called elsewhere: `{"verbs": {"sell": {"en": ["flog"], "de": ["verkaufe", "verkauf"], "nl": ["verkoop"]}}}`. The first
of another language is what is printed, all are read, in any case and with umlauts in any spelling. No word means two
things in any mix of languages. Where a phrase goes around something, `{}` stands for a word of it: `{"words":
{"intervene {}": {"de": ["greife mit {} ein"]}}}`. A third part lists the words that mean nothing in this game:
`{"fillers": {"en": ["share"], "de": ["Aktie"]}}`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import msgspec

from referee.language import ENGLISH, LANGUAGES

Words = Mapping[str, Mapping[str, tuple[str, ...]]]
"""English phrase -> language -> how it is called there."""

HOLE = "{}"
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ë": "e", "ï": "i", "é": "e", "è": "e"}
_ALIKE = 0.75
"""How like another a word must be to be meant by it, of 1."""
_TOKEN = re.compile(r"@\d+|[^\W\d_]+(?:['-][^\W\d_]+)*|\d+|\s+|.", re.DOTALL)
"""A name that stands for a seat, a word, a number, space, or a sign."""


_NOT = ("don't", "do not", "won't", "will not", "wouldn't", "would not", "dont")
"""How people type `not` before a verb."""


def spellings(word: str) -> set[str]:
    """How a word can be typed: with its umlauts, `ue` for `ü`, or bare letters; and `don't bid` for `not bid`."""
    negated = {f"{no} {word[4:].casefold()}" for no in _NOT} if word.startswith("not ") else set()
    return {word.casefold(), word.lower(), *long_and_bare(word), *negated}


def inflected(language: str, phrases: Iterable[str]) -> Iterator[str]:
    """Other forms of verbs: German `nehm` and `nehmt` for `nehme`, Dutch `neemt` for `neem`."""
    for first, *more in map(str.split, phrases):
        if not first.islower() or len(first) < 4 or not first.isalpha():
            continue
        if language == "de" and first.endswith("e"):
            yield " ".join((first[:-1], *more))
            yield " ".join((f"{first[:-1]}t", *more))
        elif language == "nl" and not first.endswith(("t", "en")):
            yield " ".join((f"{first}t", *more))


def long_and_bare(text: str) -> tuple[str, str]:
    """A text with `ue` for `ü`, and with bare letters."""
    long = [_UMLAUTS.get(letter, letter) for letter in text.lower()]
    bare = [spelled if letter == "ß" else spelled[:1] for letter, spelled in zip(text.lower(), long, strict=True)]
    return "".join(long), "".join(bare)


class Lexicon:
    """The words of one game."""

    def __init__(
        self, words: Words, verbs: Iterable[str] = (), fillers: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        self.words, self.verbs = words, frozenset(verbs)
        self.nothing = fillers or {}
        """Language -> what means nothing."""
        self._spoken: dict[str, _Replacer] = {}
        self._named: dict[str, dict[str, str]] = {}

    @cached_property
    def meanings(self) -> dict[str, str]:
        """Any spelling of any phrase -> the English one that the game reads."""
        found = {
            spelling: english
            for english, others in self.words.items()
            for called in others.values()
            for phrase in called
            for spelling in spellings(phrase)
        }
        for english, others in self.words.items():
            if english in self.verbs or " " in english:
                spoken = (form for language in ("de", "nl") for form in inflected(language, others.get(language, ())))
                for spelling in {one for form in spoken for one in spellings(form)} - self.fillers - self.words.keys():
                    found.setdefault(spelling, english)
        return found

    @cached_property
    def fillers(self) -> frozenset[str]:
        """Any spelling of what means nothing."""
        return frozenset(one for words in self.nothing.values() for word in words for one in spellings(word))

    @cached_property
    def in_english(self) -> frozenset[str]:
        """All words that somebody who types English can mean."""
        called = (phrase for others in self.words.values() for phrase in others.get(ENGLISH, ()))
        fillers = self.nothing.get(ENGLISH, ())
        return frozenset(word for phrase in (*self.words, *called, *fillers) for word in phrase.split())

    @cached_property
    def halves(self) -> dict[str, set[str]]:
        """The second words of German and Dutch verbs of two, by the first: `setze aus`."""
        found: dict[str, set[str]] = {}
        phrases = (
            phrase.split()
            for others in self.words.values()
            for language in ("de", "nl")
            for phrase in others.get(language, ())
            if phrase.count(" ") == 1 and HOLE not in phrase
        )
        for first, second in phrases:
            if first.islower():
                for form in (first, *inflected("de", (first,))):
                    found.setdefault(form, set()).add(second)
        return found

    def takes_more(self, words: Sequence[str]) -> bool:
        """Whether the last of these words are a phrase around what follows them: `sit out {}`."""
        return any(f"{' '.join(words[at:])} {HOLE}" in self.words for at in range(len(words)))

    @cached_property
    def phrases(self) -> dict[str, list[tuple[str, ...]]]:
        """What the game reads in more than one word, by the first of them."""
        return _by_first(self.words)

    @cached_property
    def said_phrases(self) -> dict[str, list[tuple[str, ...]]]:
        """What means something in more than one word, in any language, by the first of them."""
        return _by_first((*self.words, *self.meanings))

    @cached_property
    def _read(self) -> "_Replacer":
        return _Replacer({**dict.fromkeys((one for one in self.fillers if " " in one), ""), **self.meanings})

    def english(self, line: str) -> str:
        """The same line with every word of another language in English."""
        return self._read(line if line.isascii() else with_composed_umlauts(line))

    def spoken(self, line: str, language: str) -> str:
        """A line that the game wrote, in the words of this language."""
        if language == ENGLISH:
            return line
        if language not in self._spoken:
            called = {english: others[language][0] for english, others in self.words.items() if language in others}
            self._spoken[language] = _Replacer(called)
        return self._spoken[language](line)

    def typed_as(self, line: str, english: str) -> str:
        """What stands in a line for a word that the game read; that word itself if nothing does."""
        return next(
            (one for one in _TOKEN.findall(with_composed_umlauts(line)) if self.english(one) == english), english
        )

    @cached_property
    def every_word(self) -> set[str]:
        """All words that mean something here, or nothing, in any language."""
        phrases = (*self.words, *self.meanings, *self.fillers)
        return {word for phrase in phrases for word in phrase.casefold().split()}

    def nearest(self, word: str, language: str, names: Iterable[str] = (), guess: str = "") -> str:
        """The name or word of this language that a mistyped one is most like, or what it is called there if it is one
        of another language; empty if none is near. `guess`: an English word that the game takes it for."""
        from difflib import SequenceMatcher

        alike = SequenceMatcher(b=word[:40].casefold())

        def likeness(candidate: tuple[str, str]) -> float:
            """0 for most words: that they are far is seen without comparing them letter by letter."""
            alike.set_seq1(candidate[0])
            far = alike.real_quick_ratio() < _ALIKE or alike.quick_ratio() < _ALIKE
            return 0.0 if far else alike.ratio()

        if language not in self._named:
            self._named[language] = self._called(language)
        called = {name.casefold(): name for name in names} | self._named[language]
        best = max((*called.items(), (guess, self.spoken(guess, language))), key=likeness)
        return best[1] if likeness(best) >= _ALIKE else ""

    def _called(self, language: str) -> dict[str, str]:
        """Any spelling of a word -> what it is called in this language; first its own, also those within phrases."""
        all_names = [{**others, ENGLISH: (english, *others.get(ENGLISH, ()))} for english, others in self.words.items()]
        names = [one for one in all_names if language in one]
        words = {word for one in names for phrase in one[language] for word in phrase.split()} - {HOLE}
        own = {spelling: word for word in sorted(words) for spelling in spellings(word)}
        others = {
            spelling: one[language][0]
            for one in names for called in one.values() for phrase in called for spelling in spellings(phrase)
        }  # fmt: skip
        return {**own, **others, **own}


def _by_first(phrases: Iterable[str]) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for words in (tuple(phrase.split()) for phrase in phrases if HOLE not in phrase):
        if len(words) > 1:
            found.setdefault(words[0], []).append(words)
    return found


class _Replacer:
    """Exchanges phrases for others, the longest first: those with holes, then the rest."""

    def __init__(self, phrases: Mapping[str, str]) -> None:
        around = sorted((phrase for phrase in phrases if HOLE in phrase), key=len, reverse=True)
        self._around = [
            ({*phrase.casefold().split()} - {HOLE}, _pattern(phrase), _with_holes(phrases[phrase])) for phrase in around
        ]
        self._plain = {tuple(phrase.split()): other for phrase, other in phrases.items() if HOLE not in phrase}
        self._longest = max(map(len, self._plain), default=0)

    def __call__(self, line: str) -> str:
        here = {*map(str.casefold, _TOKEN.findall(line))}
        for words, pattern, filling in self._around:
            if words <= here:
                line = pattern.sub(filling, line)
                here |= {*map(str.casefold, _TOKEN.findall(line))}
        return "".join(self._exchanged(line))

    def _exchanged(self, line: str) -> Iterator[str]:
        """The longest phrase at each place, exchanged; everything else as it is."""
        tokens: list[str] = _TOKEN.findall(line)
        places = [place for place, token in enumerate(tokens) if not token.isspace()]
        at, done = 0, 0
        while at < len(places):
            for length in range(min(self._longest, len(places) - at), 0, -1):
                words = tuple(tokens[place].casefold() for place in places[at : at + length])
                if words in self._plain:
                    yield "".join(tokens[done : places[at]]) + self._plain[words]
                    at += length
                    break
            else:
                yield "".join(tokens[done : places[at] + 1])
                at += 1
            done = places[at - 1] + 1
        yield "".join(tokens[done:])


def _pattern(phrase: str) -> re.Pattern[str]:
    """A phrase with a word in every hole."""
    parts = (r"([^\s,;:]+)" if part == HOLE else re.escape(part) for part in phrase.split())
    return re.compile(r"(?<!\w)" + r"\s+".join(parts) + r"(?!\w)", re.IGNORECASE)


def _with_holes(phrase: str) -> str:
    """A phrase that takes the words of another's holes."""
    first, *more = phrase.replace("\\", r"\\").split(HOLE)
    return first + "".join(rf"\g<{number}>{part}" for number, part in enumerate(more, 1))


def with_composed_umlauts(line: str) -> str:
    """Every letter in one piece with its umlaut."""
    from unicodedata import normalize

    return normalize("NFC", line)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `words.json`."""

    verbs: dict[str, dict[str, tuple[str, ...]]] = {}
    words: dict[str, dict[str, tuple[str, ...]]] = {}
    fillers: dict[str, tuple[str, ...]] = {}


def read_words(data: bytes) -> Lexicon:
    """The lexicon of a `words.json`. Raises `ValueError` if a word of it means nothing, or two things in any mix of
    languages."""
    file = msgspec.json.decode(data, type=_File)
    words = file.verbs | file.words
    meant = {english: english for english in words}
    if strange := {language for others in (*words.values(), file.fillers) for language in others} - {*LANGUAGES}:
        raise ValueError(f"{min(strange)!a} is none of {', '.join(LANGUAGES)}")
    for english, others in words.items():
        if english != " ".join(english.lower().split()):
            raise ValueError(f"{english!a} is not as a game writes it")
        for language, called in others.items():
            if not all((called, *called)):
                raise ValueError(f"{english!a} is called nothing in {language!a}")
            for phrase in called:
                if not phrase.split().count(HOLE) == phrase.count(HOLE) == english.split().count(HOLE):
                    raise ValueError(f"{phrase!a} has other holes than {english!a}")
                for spelling in sorted(spellings(phrase)):
                    if meant.setdefault(spelling, english) != english:
                        raise ValueError(f"{spelling!a} means {meant[spelling]!a} and {english!a}")
    lexicon = Lexicon(words, file.verbs, file.fillers)
    if both := sorted(lexicon.fillers & meant.keys()):
        raise ValueError(f"{both[0]!a} means {meant[both[0]]!a} and nothing")
    return lexicon
