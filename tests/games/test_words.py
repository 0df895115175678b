"""The words of our games in German and Dutch: complete, and what the rules say."""

import re

import pytest

from referee import games
from referee.errors import IllegalMove
from referee.games.mark import words as mark
from referee.games.schwarzer_freitag import words as freitag
from referee.games.schwarzmarkt import words as schwarzmarkt
from referee.games.weg_zum_erfolg import words as weg
from referee.lexicon import Lexicon, read_words
from referee.mail.words import ASKING
from referee.mail.words import WORDS as MAIL
from referee.show import typed
from referee.show.prompt_words import WORDS as PROMPT
from referee.testing.subject import Subject
from tests.support.consult import consult
from tests.support.match import Sitting

IDS = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")


def words_of(game_id: str) -> Lexicon:
    return read_words(games.words_bytes(game_id))


READ: dict[str, dict[str, object]] = {
    "mark": {
        **{word: word for word in (*mark.VERBS, *mark.KINDS, *mark.FIELDS, *mark.ROWS, "row", "then", "always", "ask")},
        **dict.fromkeys(mark.DECLINING, "none"),
    },
    "schwarzer-freitag": {**freitag.KEYWORDS, **freitag.NAMES},
    "schwarzmarkt": {
        **schwarzmarkt.VERBS, **dict.fromkeys(schwarzmarkt.NOTHING, "none"), **schwarzmarkt.NAMES, "move": "move",
        "offer": "offer", "all": "all", "ask": "ask", "again": "again", "sit": "sit", "out": "out",
    },
    "weg-zum-erfolg": {
        **{word: word for word in (*weg.WAYS, *weg.CASES, *weg.ALONE.values(), "along", "try", "leave")},
        **{word: word for word in ("enter", "decline", "give", "keep", "chip", "no", "none")}, **weg.SAME,
        **dict.fromkeys(("no", "none"), "none"),
    },
}  # fmt: skip
"""Every word that the game itself reads -> what it means there."""


@pytest.mark.parametrize("game_id", IDS)
def test_no_word_of_another_language_is_another_english_one(game_id: str) -> None:
    """Nor is an English one another: `words.json` does not list all that a game reads, such as `d1` or `r` for red."""
    read, lexicon = READ[game_id], words_of(game_id)
    for word, meant in read.items():
        english = lexicon.meanings.get(word, word)
        assert read[english.split()[0]] == meant, word
        assert word not in lexicon.fillers


@pytest.mark.parametrize("game_id", IDS)
def test_no_word_is_one_of_the_prompt_or_of_mails(game_id: str) -> None:
    # A `no` answers an invitation, when there is no game yet; what asks the office (`moves`) does so alone on its line,
    # where it never is a move (tests/mail/test_asked.py).
    mails = Lexicon({english: others for english, others in MAIL.items() if english not in ("no", *ASKING)})
    ours = {*PROMPT, *Lexicon(PROMPT).meanings, *mails.words, *mails.meanings, "join", "okay", "agree", "agreed"}
    lexicon = words_of(game_id)
    assert not {phrase.split()[0] for phrase in (*lexicon.verbs, *lexicon.meanings)} & ours


@pytest.mark.parametrize(
    ("game_id", "most"), [("mark", 200), ("schwarzer-freitag", 400), ("schwarzmarkt", 400), ("weg-zum-erfolg", 400)]
)
def test_a_typed_move_has_an_end(game_id: str, most: int) -> None:
    sitting = Sitting(game_id, 3, "long").until(lambda one: one.what != "ack")
    opened = sitting.opened(sitting.asked[0])
    choice = next(one for one in typed.choices(opened) if not one.parts)
    move = consult(opened, opened.table.game.parse, choice.text.ljust(most))
    assert opened.table.game.text(move) == choice.text
    with pytest.raises(IllegalMove):
        consult(opened, opened.table.game.parse, choice.text.ljust(most + 1))


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", IDS)
def test_every_english_word_that_is_printed_has_its_translation(game_id: str) -> None:
    """What is left of a text without the words that are translated: names of fields, cards' titles, players."""
    subject, lexicon = Subject(game_id, most=4), words_of(game_id)
    game, printed = subject.game, set()
    for moment in subject.moments(80, "printed"):
        terms = moment.at.terms
        printed |= {game.text(move) for move in moment.answers.values() if move is not None}
        for ask in moment.asks:
            printed |= {one.text for one in game.legal(terms, moment.at.seen(ask.seat)) if not one.parts}
        if game.standing is not None:
            printed |= {one.text for one in game.standing.legal(terms, game.standing.words()) if not one.parts}
    assert len(printed) > 20
    for language in ("de", "nl"):
        gone = {
            english: {language: (" ".join(re.findall(r"\{\}", english)),)}
            for english, others in lexicon.words.items()
            if language in others
        }
        left = {Lexicon(gone).spoken(text, language) for text in printed}
        assert not {word for text in left for word in re.findall(r"[^\W\d_]{2,}", text)}


@pytest.mark.parametrize("language", ["de", "nl"])
@pytest.mark.parametrize("game_id", IDS)
def test_the_rules_say_which_words_there_are(game_id: str, language: str) -> None:
    lexicon, text = words_of(game_id), " ".join(games.rules_text(game_id, language).split())
    told = re.split(
        {"de": "Auf Deutsch: | In den Tabellen", "nl": "In het Nederlands: | In de tabellen"}[language], text
    )
    pairs = re.findall(r"`([^`]+)` \(`([^`]+)`\)", told[1])
    assert len(pairs) > 10
    for word, english in pairs:
        assert lexicon.english(word) == english
        assert lexicon.english(lexicon.spoken(english, language)) == english


@pytest.mark.parametrize(
    ("game_id", "english", "german", "dutch"),
    [
        ("schwarzer-freitag", "sell 2 red, mark red", "verkaufe 2 rot, markiere rot", "verkoop 2 rood, markeer rood"),
        ("schwarzer-freitag", "1 subsidy, pass green", "1 Subvention, passe grün", "1 subsidie, pas groen"),
        ("mark", "sell p3 then process d1 p1", "verkaufe p3 dann bereite d1 p1 auf", "verkoop p3 dan verwerk d1 p1"),
        ("mark", "offer nothing", "versteigere nie", "veil nooit"),
        ("schwarzmarkt", "razzia @2 sugar", "Razzia bei @2 Zucker", "Razzia bij @2 suiker"),
        ("schwarzmarkt", "play schnelles geschaeft", "spiele Schnelles Geschäft", "speel Schnelles Geschäft"),
        ("weg-zum-erfolg", "intervene 9", "greife mit 9 ein", "grijp in met 9"),
        (
            "weg-zum-erfolg",
            "decline except on red or blue, against @1, when the mover holds at most 4 cards",
            "lehne ab außer auf Rot oder Blau, gegen @1, wenn der Ziehende höchstens 4 Karten hat",
            "weiger behalve op rood of blauw, tegen @1, als wie aan zet is hoogstens 4 kaarten heeft",
        ),
    ],
)
def test_what_is_said(game_id: str, english: str, german: str, dutch: str) -> None:
    lexicon = words_of(game_id)
    for language, said in (("de", german), ("nl", dutch)):
        assert lexicon.spoken(english, language) == said
        assert lexicon.english(said) == english
    assert lexicon.english(german.replace("ü", "u\u0308").replace("ö", "o\u0308")) == english, "in pieces"
