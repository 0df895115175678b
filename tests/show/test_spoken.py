"""Lists in the reader's language: what a line shows can be typed back, whatever the current language is."""

import pytest

from referee.engine.player import Opened
from referee.errors import IllegalMove, Usage
from referee.games.schwarzer_freitag.types import More
from referee.language import speaking
from referee.mail import listing
from referee.show import prompt, typed
from referee.show.typed import as_type, parse, read_answer, say_phrase, standing_choices
from referee.show.wording import line_text, move_text
from tests.support.match import Sitting

from .person import Typist

GAMES = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")
HOSTILE = ("Rot", "Zucker", "gegen")
"""Names that are words of the games in German."""


def asked(game_id: str, rounds: int) -> list[Opened]:
    """Who is asked for a decision in the course of a game."""
    sitting, found = Sitting(game_id, 3, "spoken"), []
    for number in range(1, rounds):
        sitting.until(number)
        found += [view for view in map(sitting.opened, sitting.asked) if view.decides]
    return found


def check_lists(opened: Opened) -> int:
    """Every line that is a move, and every example, is read as the move that it shows; returns how many."""
    table, number = opened.table, 0
    for choice in typed.choices(opened):
        move = as_type(choice.move, table.game.move)
        if not choice.parts:
            assert parse(opened, line_text(table, choice)) == move
        assert parse(opened, move_text(table, move)) == move
        number += 1
    words = opened.orders(opened.seat)
    for one in standing_choices(opened, words):
        if not one.parts and table.game.standing is not None:
            said = as_type(one.move, table.game.standing.words)
            assert say_phrase(opened, words, line_text(table, one)) == said
            number += 1
    return number


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", GAMES)
def test_what_a_list_shows_can_be_typed(game_id: str) -> None:
    number = 0
    for opened in asked(game_id, 9):
        for language in ("de", "nl"):
            with speaking(language):
                number += check_lists(opened)
        opened.chain.table.names = HOSTILE
        with speaking("de"):
            number += check_lists(opened)
    assert number > 60


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_shown_to_one_reader_can_be_typed_by_another(game_id: str) -> None:
    for opened in asked(game_id, 5):
        for choice in typed.choices(opened):
            move = as_type(choice.move, opened.table.game.move)
            for reader, writer in (("de", "en"), ("nl", "de"), ("en", "nl")):
                with speaking(reader):
                    shown = move_text(opened.table, move)
                with speaking(writer):
                    assert read_answer(opened, shown).move == move


SPELLED = {
    "play razzia": [
        "play razzia.", "“Play razzia!”", "»spiele Razzia«", "`speel razzia`.",
        "ｓｐｉｅｌｅ　Ｒａｚｚｉａ", "spıele Razzİa",
    ],
    "play schnelles geschaeft": [
        "spiele Schnelles Gescha\u0308ft", "SPIELE SCHNELLES GESCHÄFT", "speel schnelles geschaft",
    ],
    "razzia @1 sugar": [
        "Razzia bei Jörg Zucker", "razzia jo\u0308rg sugar", "RAZZIA BEI JOERG ZUCKER", "razzia bĳ Jorg suiker",
        "razzia “Jörg” & zucker",
    ],
    "razzia @2 sugar": ["razzia anna und  bob zucker", "Razzia bij Anna\u00a0und Bob suiker", "razzia zucker @2"],
    "trade none, move 1": ["tausche nichts und rücke 1", "ruil niets en vooruit 1.", "tausche nichts & rucke 1"],
}  # fmt: skip
"""What is meant -> how people type it, at a table with Jörg and with Anna und Bob."""


@pytest.mark.parametrize("meant", SPELLED)
def test_typed_variants_are_read_as_meant(meant: str) -> None:
    opened = asked("schwarzmarkt", 3)[0]
    opened.chain.table.names = ("Zoë", "Jörg", "Anna und Bob")
    for text in SPELLED[meant]:
        assert parse(opened, text) == parse(opened, meant), text


def test_names_that_look_like_others_or_like_words() -> None:
    """An exact spelling of a name comes first; one that fits two players names neither. A word is a name only where
    it can be nothing else, and what can be read in two ways is refused."""
    opened = asked("schwarzmarkt", 3)[0]
    opened.chain.table.names = ("Joerg", "Jörg", "bei")
    assert parse(opened, "spioniere bei Joerg") == parse(opened, "spy @0")
    assert parse(opened, "spioniere bei JÖRG") == parse(opened, "spy @1")
    assert parse(opened, "spioniere bei bei") == parse(opened, "spy @2")
    opened.chain.table.names = ("Jöerg", "Jörg", "Anna")
    with pytest.raises(IllegalMove, match="'Joerg' is unknown, did you mean Jöerg"):
        parse(opened, "spy Joerg")
    opened = asked("weg-zum-erfolg", 3)[0]
    opened.chain.table.names = ("rot", "Blue", "and")
    now = opened.orders(opened.seat)
    for text in ("lehne ab außer auf rot oder blau, gegen rot", "weiger behalve op rood of blauw, tegen ROT"):
        assert say_phrase(opened, now, text) == say_phrase(opened, now, "decline except on red or blue, against @0")
    with pytest.raises(IllegalMove, match="cannot be read at 'grün'"):
        say_phrase(opened, now, "lehne ab außer gegen grün")


def test_what_can_be_read_in_two_ways_is_refused() -> None:
    """Two players have names that are words of the move."""
    opened = asked("schwarzmarkt", 3)[0]
    opened.chain.table.names = ("Anna", "Sugar", "Butter")
    with pytest.raises(Usage, match="two ways"):
        parse(opened, "razzia butter sugar")
    assert parse(opened, "razzia @1 butter") != parse(opened, "razzia @2 sugar")


def test_lines_at_a_prompt_and_in_a_mail_are_the_same_words() -> None:
    opened = asked("schwarzer-freitag", 3)[0]
    with speaking("de"):
        passes = [choice for choice in typed.choices(opened) if not choice.parts and choice.text.startswith("pass ")]
        shown = [line_text(opened.table, choice) for choice in passes]
        assert shown[0] == "passe gelb"
        lines = [prompt.numbered(1, choice, opened.table, 80).split() for choice in passes]
        assert [line[:3] for line in lines] == [["#1", *text.split()] for text in shown]
        rows = listing.answers(opened).listed
        assert [row.order for row in rows if row.order.startswith("passe ")] == shown
        number, row = next((n, row) for n, row in enumerate(rows, 1) if row.order == shown[0])
        assert listing.copied(opened, f"#{number} {row.words}") == f"#{number}"


def test_a_family_is_answered_in_any_language() -> None:
    """The questions are English, the words of an answer need not be."""
    opened = asked("schwarzer-freitag", 3)[0]
    found = [choice.text.endswith(" subsidies") for choice in typed.choices(opened)]
    person = Typist(f"#{found.index(True) + 1}", "2 SUBVENTIONEN")
    answer = prompt.choose(opened, person, lambda: "", lambda name: "", opened.orders(opened.seat), sure=True)
    assert answer.move == More((2,))
