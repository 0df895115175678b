"""Small things that people would notice at a terminal: tables, going back, widths; and each field for programs."""

from typing import Any

import pytest

from referee.engine.host import make_view, reveal
from referee.engine.player import open_view
from referee.evidence.replay import open_transcript
from referee.forms import Amounts, Choice, Free, Limit, Number, Option, Pick, Ranking, Term
from referee.language import LANGUAGES, speaking
from referee.show import family, rules
from referee.show.findings import claims_in_words, verified
from referee.show.prompt import _undo_last
from referee.show.story import since_last_turn, story_of_transcript
from referee.show.terminal import as_data, pending_summary
from tests.support.match import Sitting

TABLE = "| word | meaning |\n|---|---|\n| a | first |\n| bcdef | - |"


def test_tables_of_rules_stand_in_columns_or_line_by_line() -> None:
    """Without the line that parts head and body. It is 15 wide: two columns of 5 and 7 with three blanks between."""
    columns = "word    meaning\na       first\nbcdef   -"
    assert rules._set(TABLE, 15) == rules._set(TABLE, 80) == columns
    assert rules._set(TABLE, 14) == "word: meaning\na: first\nbcdef: -"
    assert rules._set("# a heading that is long", 5) == "# a heading that is long"
    assert rules._set("    code stays as it is", 5) == "    code stays as it is"
    assert rules._set("- one two three", 8) == "- one\n  two\n  three"
    assert rules._set("one two three", 8) == "one two\nthree"


@pytest.mark.parametrize(
    ("given", "asked", "left", "still", "done"),
    [
        ("abc", "ac", "ab", "a", True), ("abc", "ab", "a", "a", True), ("abc", "a", "", "", True),
        ("ab", "", "", "", False), ("", "a", "", "a", False),
    ],
)  # fmt: skip
def test_a_step_back_forgets_the_last_answer_and_what_followed(
    given: str, asked: str, left: str, still: str, done: bool
) -> None:
    answers, questions = {(one, ""): 1 for one in given}, [(one, "") for one in asked]
    assert _undo_last(answers, questions) is done
    assert ("".join(one for one, _ in answers), "".join(one for one, _ in questions)) == (left, still)


def test_claims_are_counted_in_words() -> None:
    told = {}
    for language in LANGUAGES:
        with speaking(language):
            assert claims_in_words(0) == []
            told[language] = [claims_in_words(number)[0] for number in (1, 2)]
    assert [words[:7] for words in told["en"]] == ["1 claim", "2 claim"]
    assert told["en"][0][7] == ":"
    assert all(one.startswith("1 ") and two.startswith("2 ") and one[1:] != two[1:] for one, two in told.values())


# --- questions -------------------------------------------------------------------------------------------------------


def asked(part: Any, limits: tuple[Limit, ...] = (), **given: Any) -> family.Question:
    choice = Choice("x", {}, parts=(part,), limits=limits)
    found = family.next_question(choice, {(part.name, name): value for name, value in given.items()})
    assert found is not None
    return found


def test_what_can_be_answered_and_what_is_the_only_answer() -> None:
    pick = lambda *texts: asked(Pick("p", "Which?", tuple(Option(text, text) for text in texts)))  # noqa: E731
    cases = [
        (pick("a", "b"), True, None), (pick("a"), True, "a"), (pick(), False, None),
        (asked(Number("n", "How?", 2, 3)), True, None), (asked(Number("n", "How?", 2, 2)), True, 2),
        (asked(Number("n", "How?", 2, 5), (Limit((Term("n"),), high=1),)), False, None),
        (asked(Number("n", "How?", 2, 5), (Limit((Term("n"),), low=5),)), True, 5),
        (asked(Free("f", "What?", "how", 3)), True, None),
        (asked(Ranking("r", "Order?", ("a",), 1)), True, None),
    ]  # fmt: skip
    assert [(one.possible, one.only) for one, _, _ in cases] == [(possible, only) for _, possible, only in cases]


def test_a_question_has_a_line_for_each_option_only_where_one_is_too_short() -> None:
    question = asked(Pick("p", "Which?", (Option("a", 1), Option("b", 2))))
    short = "Which? #1 a  #2 b:"
    told = {width: family.wording(question, (), str, width) for width in (len(short), len(short) + 1)}
    assert told[len(short) + 1] == short
    assert told[len(short)].splitlines()[:3] == ["Which?", "  #1 a", "  #2 b"]
    most = {"@0": 1, "red": 2, "blue": 0}
    first = asked(Amounts("a", "Take", most, listed=("@0", "red")))
    second = asked(Amounts("a", "Take", most, listed=("@0", "red")), **{"@0": 1})
    told_names = [family.wording(one, ("Anna",), str, 80) for one in (first, second)]
    assert ["Anna" in told_names[0], "red" in told_names[1]] == [True, True]
    assert (first.numbers, second.numbers) == (range(2), range(3))
    assert ["0" in one and "2" in one for one in told_names] == [False, True], "yes or no, where it is one at most"
    ranked = {
        least: family.wording(asked(Ranking("r", "Order", ("a", "b"), least)), (), str, 80) for least in (0, 1, 2)
    }
    assert len(set(ranked.values())) == 3
    assert "1" in ranked[1]


# --- for programs ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    return Sitting("auction", 3, "fields", deadline=90, bank=45, kept=(2,)).until("play")


@pytest.mark.parametrize("seat", [0, 2, None])
def test_every_field_of_a_view_for_programs(sitting: Sitting, seat: int | None) -> None:
    opened = open_view(make_view(sitting.match, seat)) if seat is None else sitting.opened(seat)
    found, state = as_data(opened), sitting.state
    waited = sorted(sitting.asked)
    assert {name: found[name] for name in ("game", "title", "round", "you", "due", "kept", "end", "result")} == {
        "game": sitting.table.id, "title": sitting.table.game.title, "round": state.round,
        "you": 0 if seat is None else seat + 1, "due": state.due, "kept": [3], "end": "", "result": None,
    }  # fmt: skip
    assert tuple(found["players"]) == tuple(sitting.table.names)
    assert tuple(found["bank"]) == tuple(state.bank) == (45, 45, 45)
    assert [one.seat for one in found["waiting_for"]] == [one + 1 for one in waited]
    assert (found["ask"] and found["ask"].seat) == (seat + 1 if seat is not None and seat in waited else None)
    assert found["public"] == opened.chain.checkpoint.public
    assert len(found["said"]) == 3
    assert found["tokens"] == opened.seen.tokens
    assert found["since_last_turn"] == since_last_turn(opened) != []
    assert len(found) == 16


def test_every_field_of_a_verified_game() -> None:
    over = Sitting("auction", 3, "verified").to_end()
    chain = open_transcript(reveal(over.match))
    found, result = verified(chain), over.state.result
    assert result is not None
    entries = [one.entry for one in chain.rounds]
    assert (found.game, found.offer, found.names, found.rounds, found.end) == (
        over.table.id, over.table.offer_id, over.table.names, over.state.round, "result",
    )  # fmt: skip
    assert (found.ranks, found.scores, found.out) == (result.ranks, result.scores, ())
    # The genesis, the offer, a join of each; then each entry, and the answers in it.
    assert found.signatures == 2 + 3 + sum(1 + len(entry.answers) for entry in entries)
    assert (found.late_rounds, found.late, found.protests) == (0, (), ())
    assert found.draws > 0
    assert found.title == over.table.game.title
    told = story_of_transcript(chain, (), range(1, found.rounds + 1))
    seats = {news.seat for one in told for news in one.news}
    assert seats <= {1, 2, 3}
    assert 3 in seats


def test_a_game_that_ended_by_its_rules_is_summed_up_without_ranks() -> None:
    """The board has them; only where the others left nobody else tells them."""
    over = Sitting("auction", 2, "summed up").to_end()
    opened = over.opened(0)
    assert opened.chain.checkpoint.state.result is not None
    assert pending_summary(opened, opened.table.names) == ["The game is over."]
