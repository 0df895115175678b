"""Checks of a game's `words.json`: no word means two things, and texts in every language read back."""

import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import msgspec

from referee import games
from referee.errors import IllegalMove, Usage
from referee.forms import Choice, any_move
from referee.grammar import read
from referee.language import ENGLISH, LANGUAGES
from referee.lexicon import Lexicon, long_and_bare, read_words
from referee.testing.subject import Snapshot, Subject

OTHERS = tuple(sorted(LANGUAGES.keys() - {ENGLISH}))
MOMENTS = 30
CHOICES = 3
"""Choices to try for each question."""


def words_mean_one_thing(subject: Subject) -> None:
    """No spelling of a word or phrase means two things in any mix of languages, English included."""
    try:
        read_words(games.words_bytes(subject.game_id))
    except ValueError as error:
        raise AssertionError(f"words.json cannot be read: {error}") from None


def moves_are_spoken(subject: Subject) -> None:
    """Moves and standing orders read back from every language, in any case and spelling, also mixed with English."""
    words = games.words_bytes(subject.game_id)
    if read_words(words).words:
        rng = random.Random(f"spoken {subject.game_id}")
        for moment in subject.moments(MOMENTS, "spoken"):
            read_back(subject, moment, read_words(words), rng)


def read_back(subject: Subject, moment: Snapshot, lexicon: Lexicon, rng: random.Random) -> int:
    """Read back some moves and standing orders, and the answers given here; returns the number of texts."""
    game, terms, number = subject.game, moment.at.terms, 0
    for ask in moment.asks:
        view = moment.at.seen(ask.seat)
        moves = list(moves_of(game.legal(terms, view), game.move, rng))
        for move in (*moves, *filter(None, [moment.answers[ask.seat]])):
            for typed in typed_variants(lexicon, game.text(move), rng):
                again = _read(partial(game.parse, terms, view), lexicon, typed)
                assert again == move, f"{moment}: {typed!r} is read as {again}, not as {move}"
                number += 1
    if game.standing is not None:
        first = game.standing.words()
        for words in moves_of(game.standing.legal(terms, first), game.standing.words, rng):
            for phrases in zip(
                *(typed_variants(lexicon, text, rng) for text in game.standing.text(words)), strict=True
            ):
                again = first
                for phrase in phrases:
                    again = _read(partial(game.standing.parse, terms, again), lexicon, phrase)
                assert again == words, f"{moment}: {phrases!r} is read as {again}, not as {words}"
                number += 1
    return number


def typed_variants(lexicon: Lexicon, text: str, rng: random.Random) -> list[str]:
    """A line of the game as it is, and as people type it in every language: in any case and spelling, and half
    translated."""
    half = Lexicon({english: others for english, others in lexicon.words.items() if rng.random() < 0.5})
    typed = [text]
    for language in OTHERS:
        spoken = lexicon.spoken(text, language)
        assert spoken.isprintable(), f"{text!r} is said as {spoken!r}, which cannot be printed"
        typed += [spoken, spoken.upper(), *long_and_bare(spoken), half.spoken(text, language)]
    return typed


def moves_of(choices: Iterable[Choice], form: object, rng: random.Random) -> Iterator[object]:
    """Random moves of some choices."""
    found = list(choices)
    for choice in rng.sample(found, min(CHOICES, len(found))):
        yield msgspec.convert(msgspec.to_builtins(any_move([choice], form, rng.randrange)), form)


def _read(rule: Callable[[str], object], lexicon: Lexicon, typed: str) -> object:
    """What the game reads, or why it is refused."""
    try:
        return read(rule, lexicon, typed)
    except (IllegalMove, Usage) as error:
        return f"refused: {error.message}"
