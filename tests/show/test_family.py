"""Questions of a family: in every game they offer exactly what is possible."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from referee import games
from referee.engine.player import Opened
from referee.errors import Usage
from referee.forms import (
    Amounts,
    Choice,
    Free,
    Limit,
    Number,
    Option,
    Part,
    Pick,
    Ranking,
    Term,
    Values,
    When,
    fault,
    sample,
)
from referee.language import with_names
from referee.show import family, typed
from tests.support.match import Sitting

NAMES = ("Anna", "Bert")


def moments(game_id: str, rounds: int = 12) -> Iterator[Opened]:
    """Views of everybody who is asked in the first rounds of a game."""
    sitting = Sitting(game_id, seed="families")
    for _ in range(rounds):
        sitting.step()
        if sitting.over:
            return
        yield from (opened for opened in map(sitting.opened, sitting.asked) if opened.decides)


def said(question: family.Question, values: Values, names: tuple[str, ...]) -> str:
    """How somebody types the value that was drawn for a question."""
    value = values[question.part.name]
    if isinstance(question.part, Amounts):
        return str(value.get(question.name, 0))
    if isinstance(value, list):
        return ", ".join(with_names(name, names) for name in value) or "none"
    return with_names(str(value), names).upper()


def walked(choice: Choice, values: Values, names: tuple[str, ...]) -> tuple[Values, int]:
    """The result of answering every question with these values, and how many were asked."""
    given: dict[tuple[str, str], Any] = {}
    asked = 0
    while (question := family.next_question(choice, given)) is not None:
        asked += question.only is None
        if question.only is None:
            assert family.wording(question, names, str, 80).endswith((":", "?"))
        given[question.key] = family.read(question, said(question, values, names), names)
        assert question.only in (None, given[question.key])
    return family.values_of(choice, given), asked


def plain(values: Values) -> dict[str, Any]:
    """Values without the names of which there is none."""
    return {
        part: {name: n for name, n in value.items() if n} if isinstance(value, dict) else value
        for part, value in values.items()
    }


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", games.game_ids())
def test_every_move_of_a_family_can_be_answered(game_id: str) -> None:
    """Values drawn by chance from a family pass through its questions unchanged: no range is too narrow, and what is
    not asked follows from the rest."""
    chance, asked, families = random.Random(game_id), 0, 0
    for opened in moments(game_id):
        for choice in typed.choices(opened):
            free = any(isinstance(part, Free) for part in choice.parts)
            for _ in range(0 if free or not choice.parts else 3):
                families += 1
                values = sample(choice, chance.randrange)
                if values is not None:
                    found, questions = walked(choice, values, opened.table.names)
                    assert plain(found) == plain(values)
                    asked += questions
    assert asked >= families // 2, "hardly anything was asked"
    assert families > 20 or game_id == "weg-zum-erfolg", "there nearly every family has an expression in it"


def choice(*parts: Part, limits: tuple[Limit, ...] = ()) -> Choice:
    return Choice("made for the test", None, form={}, parts=parts, limits=limits)


def test_ranges_follow_from_the_limits() -> None:
    """At most 4 in all, at least 2, red ones count double."""
    limit = Limit((Term("n", "red", 2), Term("n", "blue"), Term("more")), 2, 4)
    made = choice(Amounts("n", "?", {"red": 3, "none": 0, "blue": 3}), Number("more", "more?", 0, 9), limits=(limit,))
    first = family.next_question(made, {})
    assert first is not None
    assert (first.name, first.numbers) == ("red", range(3))
    assert family.wording(first, NAMES, str, 80) == "how many red? 0 to 2:"
    second = family.next_question(made, {("n", "red"): 1})
    assert second is not None
    assert (second.name, second.numbers, second.only) == ("blue", range(3), None)
    third = family.next_question(made, {("n", "red"): 0, ("n", "blue"): 1})
    assert third is not None
    assert third.numbers == range(1, 4)
    last = family.next_question(made, {("n", "red"): 1, ("n", "blue"): 2})
    assert last is not None
    assert last.only == 0
    assert family.next_question(made, {("n", "red"): 1, ("n", "blue"): 2, ("more", ""): 0}) is None
    assert fault(made, {"n": {"red": 1, "blue": 2}, "more": 0}) == ""


def test_options_follow_from_conditions_and_limits() -> None:
    """An option is open after what it needs; one that the limits forbid is not offered."""
    picks = Pick("how", "how?", (Option("a", 1), Option("b", 2, (When("n", low=2),)), Option("c", 3)))
    made = choice(Number("n", "n?", 0, 3), picks, limits=(Limit((Term("how", "c"), Term("n")), high=3),))
    for n, words in {0: ("a", "c"), 2: ("a", "b", "c"), 3: ("a", "b")}.items():
        question = family.next_question(made, {("n", ""): n})
        assert question is not None
        assert question.words == words
        options = [f"#{number} {word}" for number, word in enumerate(words, 1)]
        assert family.wording(question, NAMES, str, 80) == f"how? {'  '.join(options)}:"
        assert family.wording(question, NAMES, str, 10) == "\n  ".join(("how?", *options)) + "\nwhich one?"
    impossible = choice(Pick("how", "how?", (Option("b", 2, (When("x"),)),)))
    question = family.next_question(impossible, {})
    assert question is not None
    assert not question.possible


@pytest.mark.parametrize(
    ("part", "good", "bad"),
    [
        (Number("n", "?", 2, 5), {"2": 2, " 5 ": 5}, ["1", "6", "two", "", "+3", "3.0", "#3", "٣"]),
        (
            Pick("p", "?", (Option("1"), Option("@1"), Option("two words"))),
            {"1": "1", "#1": "1", "bert": "@1", "#2": "@1", "Two  Words": "two words", "# 3": "two words"},
            ["#0", "#4", "2", "anna", "two", "3", ""],
        ),
        (
            Ranking("r", "?", ("cup", "medal", "@0"), 2),
            {"cup, medal": ["cup", "medal"], "ANNA cup": ["@0", "cup"], "#3,#1,#2": ["@0", "cup", "medal"]},
            ["cup", "none", "cup, cup", "cup, tea"],
        ),
        (Ranking("r", "?", ("a b", "c"), 0), {"none": [], "a b": ["a b"], "c, A B": ["c", "a b"]}, ["a, b"]),
        (Amounts("a", "?", {"red": 1}, ("red",)), {"yes": 1, "n": 0, "1": 1}, ["2", "maybe"]),
        (Free("f", "?", "how", 5), {"1 + 2": "1 + 2"}, ["", "123456"]),
    ],
    ids=["number", "pick", "ranking", "ranking with blanks", "yes or no", "free"],
)
def test_what_is_typed(part: Part, good: dict[str, Any], bad: list[str]) -> None:
    question = family.next_question(choice(part), {})
    assert question is not None
    for text, value in good.items():
        assert family.read(question, text, NAMES) == value
    for text in bad:
        with pytest.raises(Usage):
            family.read(question, text, NAMES)


def test_a_typo_gets_the_nearest_word() -> None:
    question = family.next_question(choice(Pick("p", "?", (Option("sugar"), Option("@1")))), {})
    assert question is not None
    for text, word in {"suger": "sugar", "Bret": "Bert"}.items():
        with pytest.raises(Usage, match=f"did you mean {word}"):
            family.read(question, text, NAMES)
