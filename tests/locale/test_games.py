"""What people read of a game in German and Dutch: whole sessions, in which no English is left, at 80 columns."""

import re
from collections.abc import Iterator
from functools import cache

import msgspec
import pytest
from babel.messages.pofile import read_po

from referee import games
from referee.engine.player import Opened
from referee.errors import IllegalMove, Usage
from referee.games import lexicon
from referee.games.mark import words as mark
from referee.games.mark.types import Options as MarkOptions
from referee.games.weg_zum_erfolg import story, words_standing
from referee.games.weg_zum_erfolg.types import Edition
from referee.games.weg_zum_erfolg.types import Options as WegOptions
from referee.language import retold, speaking
from referee.picture import columns
from referee.show import drawing, family, prompt, typed
from referee.show.terminal import Painter, render
from referee.show.wording import localised
from tests.support.match import NAMES, Sitting

from .left_over import english_in
from .make import ROOT, TARGETS

GAMES = {"mark": MarkOptions(), "weg-zum-erfolg": WegOptions(neue_ziele=True)}
"""Games, with the options that make them say most."""
WIDTH, ROUNDS = 80, 40
TYPED = (
    "", "gloss", "sell", "sell p9 row 99", "buy", "buy glass d1 d2", "take pepper", "bid 3", "bid nothing",
    "offer nothing", "process p1", "move", "move d1 p4", "roll then pass", "§", "piece", "piece 9", "piece 1 uup",
    "against", "against Bertt", "try, success", "intervene", "intervene 99", "solve", "solve 1+", "solve (2",
    "solve 2/0", "swap", "lose 99", "place 12", "chip 99", "way down", "enter, try, try", "bid 1000000 d1", "name",
    "decline except", "decline except on pink", "x " * 300,
)  # fmt: skip
"""What means nothing, or nothing here."""


def told(opened: Opened) -> Iterator[str]:
    """Everything that a player reads at one moment: the board, the news, lists, questions, the picture, refusals."""
    table = opened.table
    yield render(opened, Painter(colour=False), WIDTH)
    said = typed.sayable(opened, typed.words_of(opened, opened.seat))
    for number, choice in enumerate((*typed.choices(opened), *said), 1):
        yield prompt.numbered(number, choice, table, WIDTH)
        question = family.next_question(choice, {}) if choice.parts else None
        if question is not None:
            yield family.wording(question, table.names, lambda word: localised(table, word), WIDTH)
    yield from re.findall(r"<(?:desc|text)[^>]*>([^<]*)", drawing.svg(opened.chain, drawing.seen_in_view(opened)))
    for line in TYPED:
        try:
            typed.read_answer(opened, line)
        except (IllegalMove, Usage) as error:
            yield f"{retold(error.message)}; {retold(error.next)}"


def session(game_id: str) -> Iterator[Opened]:
    """The views of everybody who decides something, in the course of a game."""
    sitting = Sitting(game_id, 3, "session", GAMES[game_id])
    for number in range(1, ROUNDS, 2):
        sitting.until(number)
        yield from (view for view in map(sitting.opened, sitting.asked) if view.decides)


def texts_of(game_id: str, language: str) -> Iterator[tuple[str, str]]:
    """The texts of a game that mean one thing, and their translations."""
    path = ROOT.joinpath("referee", "games", game_id.replace("-", "_"), "locale", f"{language}.po")
    with path.open("rb") as file:
        for message in read_po(file, language):
            if message.pluralizable:
                yield from zip(message.id, message.string, strict=True)
            elif message.id and not message.context:
                yield message.id, message.string


@cache
def foreign(game_id: str, language: str) -> frozenset[str]:
    """Words of the English texts of a game that are no words of this language."""
    english, ours = set(), set()
    for text, translation in texts_of(game_id, language):
        english |= _words(text)
        ours |= _words(translation)
    for others in lexicon(game_id).words.values():
        ours |= {word for text in others.get(language, ()) for word in _words(text)}
    return frozenset(word for word in english - ours if len(word) > 2)


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", re.sub(r"\{\w*\}", " ", text).lower()))


@pytest.mark.thorough
@pytest.mark.parametrize("language", TARGETS)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_session_has_no_english_in_it(game_id: str, language: str) -> None:
    names, read = re.compile("|".join(NAMES)), 0
    for opened in session(game_id):
        with speaking(language):
            texts = list(told(opened))
        assert max(map(columns, texts[0].splitlines())) <= WIDTH
        for text in texts:
            plain = re.sub(r"[„‘'][^“’']*[“’']", " ", names.sub(" ", text))  # what was typed is quoted
            assert english_in(plain, language) == [], text
            assert not _words(plain) & foreign(game_id, language), text
        read += len(texts)
    assert read > 1000


@pytest.mark.parametrize("language", TARGETS)
@pytest.mark.parametrize("game_id", GAMES)
def test_words_are_called_as_they_are_typed(game_id: str, language: str) -> None:
    """A word or phrase of the game in a sentence is the one that a move is printed with."""
    words, found = lexicon(game_id), 0
    for text, translation in texts_of(game_id, language):
        if text in words.words:
            assert translation == words.spoken(text, language), text
            found += 1
    assert found > 20


@pytest.mark.parametrize("language", TARGETS)
@pytest.mark.parametrize("game_id", GAMES)
def test_examples_in_sentences_can_be_typed(game_id: str, language: str) -> None:
    """What a translation shows between backquotes means the same as what the English text shows there."""
    found = 0
    for text, translation in texts_of(game_id, language):
        shown, ours = (re.findall("`([^`{]*)`", one) for one in (text, translation))
        if shown:
            assert [lexicon(game_id).english(one) for one in ours] == shown, text
            found += len(shown)
    assert found > 10


def test_all_our_cards_are_translated() -> None:
    cards = msgspec.json.decode(games.edition_bytes("weg-zum-erfolg"), type=Edition)
    assert sorted(story.CARDS) == sorted(card.text for card in (*cards.chance, *cards.success))


def test_lists_in_hints_are_whole() -> None:
    assert ", ".join(mark.KINDS) == mark.EVERY_KIND
    assert f"write one of {', '.join(mark.PHRASES)}" == mark.EVERY_PHRASE
    assert words_standing.HINT.startswith(f"write one of: {', '.join(words_standing.PLAIN)}; or for example `")
