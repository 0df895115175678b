"""Lists in the reader's language: what a line shows can be typed back, in any language that is spoken meanwhile."""

import pytest

from referee.engine.player import Opened
from referee.games.schwarzer_freitag.types import More
from referee.language import speaking
from referee.mail import listing
from referee.show import prompt, typed
from referee.show.typed import as_type, parse, read_answer, say_phrase, sayable, words_of
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
    """Every line that is a move, and every example, is read as the move that it shows; how many were."""
    table, number = opened.table, 0
    for choice in typed.choices(opened):
        move = as_type(choice.move, table.game.move)
        if not choice.parts:
            assert parse(opened, line_text(table, choice)) == move
        assert parse(opened, move_text(table, move)) == move
        number += 1
    words = words_of(opened, opened.seat)
    for one in sayable(opened, words):
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


def test_lines_at_a_prompt_and_in_a_mail_are_the_same_words() -> None:
    opened = asked("schwarzer-freitag", 3)[0]
    with speaking("de"):
        passes = [choice for choice in typed.choices(opened) if not choice.parts and choice.text.startswith("pass ")]
        shown = [line_text(opened.table, choice) for choice in passes]
        assert shown[0] == "passe gelb"
        lines = [prompt.numbered(1, choice, opened.table, 80).split() for choice in passes]
        assert [line[:3] for line in lines] == [["#1", *text.split()] for text in shown]
        rows = [row for group in listing.moves(opened) for row in group]
        assert [row.order for row in rows if row.order.startswith("passe ")] == shown
        number, row = next((n, row) for n, row in enumerate(rows, 1) if row.order == shown[0])
        assert listing.copied(opened, f"#{number} {row.words}") == f"#{number}"


def test_a_family_is_answered_in_any_language() -> None:
    """The questions are English, the words of an answer need not be."""
    opened = asked("schwarzer-freitag", 3)[0]
    found = [choice.text.endswith(" subsidies") for choice in typed.choices(opened)]
    person = Typist(f"#{found.index(True) + 1}", "2 SUBVENTIONEN")
    answer = prompt.choose(opened, person, lambda: "", lambda name: "", words_of(opened, opened.seat), sure=True)
    assert answer.move == More((2,))
