"""LO-16: reading expressions, and the solver against brute force."""

import random
import re
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from referee.errors import IllegalMove
from referee.games.weg_zum_erfolg import arithmetic
from referee.games.weg_zum_erfolg.arithmetic import EXACT, Worth, evaluate, hopeless, solve
from tests.support.often import often

from .build import SUIT
from .simulator import make


@pytest.mark.parametrize(
    ("text", "value", "cards"),
    [
        ("8", 8, (8,)),
        ("9 x 2 - 10", 8, (2, 9, 10)),
        ("9X2-10", 8, (2, 9, 10)),
        ("9×2−10", 8, (2, 9, 10)),
        ("9·2–10", 8, (2, 9, 10)),
        ("10 - 3 - 2", 5, (2, 3, 10)),
        ("10 - (3 - 2)", 9, (2, 3, 10)),
        ("10 : 4 : 5", Fraction(1, 2), (4, 5, 10)),
        ("10 ÷ [4 / 2]", 5, (2, 4, 10)),
        ("2 + 3 * 4", 14, (2, 3, 4)),
        ("((2 + 3)) * 4", 20, (2, 3, 4)),
        ("2 - 11", -9, (2, 11)),
        ("  2+\t3 ", 5, (2, 3)),
        ("9x2=18-10=8", 8, (2, 9, 10)),
        ("10 / 4 = 2.5 * 4 = 10", 10, (4, 4, 10)),
        ("10 : 4 = 5/2 * 4", 10, (4, 4, 10)),
        ("10 = 10 / 5", 2, (5, 10)),
        ("2 - 10 = −8 + 9", 1, (2, 9, 10)),
        ("2 + 3 = 5 * 4", 20, (2, 3, 4)),
        ("11*11 = 121*10 = 1210 - 10", 1200, (10, 10, 11, 11)),
        ("9 times 2 minus 10", 8, (2, 9, 10)),
        ("9 multiplied by 2", 18, (2, 9)),
        ("9 mal 2 minus 10", 8, (2, 9, 10)),
        ("9 keer 2 min 10", 8, (2, 9, 10)),
        ("9maal2 Min 10", 8, (2, 9, 10)),
        ("10 divided by 5 plus 3", 5, (3, 5, 10)),
        ("10 geteilt durch 5 mal 3", 6, (3, 5, 10)),
        ("10 durch 5", 2, (5, 10)),
        ("10 gedeeld door 5", 2, (5, 10)),
        ("10 over 5", 2, (5, 10)),
    ],
)
def test_an_expression_is_worth(text: str, value: Fraction | int, cards: tuple[int, ...]) -> None:
    assert evaluate(text) == Worth(Fraction(value), cards)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "+",
        "2 +",
        "-2",
        "2 3",
        "2 (3)",
        "(2 + 3",
        "2 + 3)",
        "2 ** 3",
        "2 // 3",
        "2 % 3",
        "2,5",
        "2.5",
        "a",
        "__import__('os')",
        "100",
        "2 / (3 - 3)",
        "()",
        "²",
        "٣",
        "2\x00",
        "(" * 21 + "2" + ")" * 21,
        "2" + "+2" * 100,
        "9=",
        "=9",
        "9=9=",
        "9==9",
        "9 time 2",
        "9 minuss 2",
    ],
)
def test_what_is_not_an_expression(text: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        evaluate(text)
    assert caught.value.clause == "LO-16"
    assert "`solve 9*2-10`" in str(caught.value.next)


def test_a_wrong_result_on_the_way_is_shown_with_what_was_typed() -> None:
    for text, message in {
        "9x2=17-10=7": "'9x2' makes 18, not 17",
        "9x2 = 18-10 = 7": "'18-10' makes 8, not 7",
        "10/3=3.33": "'10/3' makes 10/3, not 3.33",
        "9 mal 2 y": "'y' makes no sense in '9 mal 2 y'",
        "9*(2": "a closing bracket is missing in '9*(2'",
    }.items():
        with pytest.raises(IllegalMove, match=re.escape(message)):
            evaluate(text)


def test_the_longest_and_the_deepest_expression() -> None:
    assert evaluate("(" * 20 + "2" + ")" * 20).value == 2
    assert evaluate("2" + "+2" * 99).value == 200


# --- the solver -------------------------------------------------------------------------------------------------------


def brute(numbers: tuple[Fraction, ...], known: dict[tuple[Fraction, ...], set[Fraction]]) -> set[Fraction]:
    """Everything that these numbers can make: join any two, and go on with the rest."""
    numbers = tuple(sorted(numbers))
    if len(numbers) == 1:
        return {numbers[0]}
    if numbers not in known:
        made: set[Fraction] = set()
        for i, j in combinations(range(len(numbers)), 2):
            a, b = numbers[i], numbers[j]
            rest = tuple(n for k, n in enumerate(numbers) if k not in (i, j))
            for joined in {a + b, a - b, b - a, a * b, *([a / b] if b else []), *([b / a] if a else [])}:
                made |= brute((*rest, joined), known)
        known[numbers] = made
    return known[numbers]


KNOWN: dict[tuple[Fraction, ...], set[Fraction]] = {}


def makes(cards: tuple[int, ...], target: int) -> bool:
    return Fraction(target) in brute(tuple(map(Fraction, cards)), KNOWN)


def fewest(own: tuple[int, ...], table: tuple[int, ...], target: int) -> int | None:
    """How many of the player's own cards are needed."""
    for number in range(1, len(own) + 1):
        if any(makes((*chosen, *table), target) for chosen in set(combinations(own, number))):
            return number
    return None


def test_the_solver_agrees_with_brute_force() -> None:
    rng = random.Random("four")
    for _ in range(often(150)):
        own = tuple(sorted(rng.sample(SUIT, rng.randint(1, 4))))
        table = tuple(rng.choice(SUIT) for _ in range(rng.randint(0, 4 - len(own))))
        target = rng.randint(2, 12)
        found = solve(own, table, target)
        needed = fewest(own, table, target)
        assert hopeless(own, table, target) == (needed is None) == (not found)
        if needed is not None:
            assert_solves(found[0], own, table, target, needed)


@pytest.mark.thorough
def test_the_solver_agrees_with_brute_force_on_five_cards() -> None:
    """Also with cards of another edition: whether anybody is asked depends on it."""
    rng = random.Random("five")
    for values in ((2, 3, 10, 11), (61, 77, 90, 99)):
        cards = tuple(sorted(rng.choice(values) for _ in range(EXACT)))
        for target in range(2, 13):
            assert hopeless(cards[:1], cards[1:], target) == (not makes(cards, target))


def assert_solves(text: str, own: tuple[int, ...], table: tuple[int, ...], target: int, needed: int) -> None:
    worth = evaluate(text)
    assert worth.value == target
    left = list(worth.cards)
    for card in table:
        left.remove(card)
    assert len(left) == needed
    assert all(left.count(card) <= own.count(card) for card in left)


def test_one_way_for_each_choice_of_ones_own_cards_the_fewest_first() -> None:
    found = solve(SUIT, (), 8, 50)
    used = [evaluate(text).cards for text in found]
    assert found[0] == "8"
    assert len(set(used)) == len(found) == 50
    assert [len(cards) for cards in used] == sorted(len(cards) for cards in used)


def test_many_cards_on_the_table_are_solved_with_limited_effort() -> None:
    rng = random.Random("table")
    for _ in range(40):
        table = tuple(rng.choice(SUIT) for _ in range(7))
        target = rng.randint(2, 12)
        (text,) = solve(SUIT, table, target, effort=2000)
        assert_solves(text, SUIT, table, target, 1)


@pytest.mark.thorough
def test_with_six_cards_or_more_every_target_can_be_made() -> None:
    """So a mover is asked for an expression exactly if there is one: `hopeless` tries everything up to five cards."""
    rng = random.Random("six")
    same = [(card,) * number for card in sorted(set(SUIT)) for number in (6, 7, 8)]
    some = [tuple(sorted(rng.choices(SUIT, k=rng.choice((6, 6, 7, 8))))) for _ in range(100)]
    assert EXACT == 5
    for cards in (*same, *some):
        for target in range(2, 13):
            (text,) = solve(cards[:1], cards[1:], target)
            assert evaluate(text) == (target, cards)


def test_nothing_is_ruled_out_where_many_cards_are_left() -> None:
    assert not hopeless((2,) * EXACT, (2,), 11)
    assert hopeless((2, 2), (), 7)
    assert not solve((), (8,), 8)


def test_LO_26_fewest_is_the_first_of_all_that_can_be_made() -> None:
    """Against a search that tries every operation on one card, then on two, from the lowest."""
    rng = random.Random(4)
    found = Counter[int]()
    for _ in range(300):
        hand, target = sorted(rng.choices(range(1, 30), k=rng.randint(0, 6))), rng.randint(2, 12)
        sets = [cards for size in (1, 2) for cards in combinations(hand, size)]
        expected = next((cards for cards in sets if make(cards, target)), None)
        assert arithmetic.fewest(hand, target, 2) == expected
        assert arithmetic.fewest(hand, target, 1) == (expected if expected and len(expected) == 1 else None)
        assert arithmetic.fewest(hand, target, 0) is None
        found[len(expected or ())] += 1
    assert min(found[size] for size in (0, 1, 2)) > 20


def number(value: int) -> arithmetic._Term:
    return arithmetic._Term(str(value), 3)


@pytest.mark.parametrize(
    ("signs", "written"),
    [
        ("*/", "2 * 3 / 4"), ("/*", "2 / 3 * 4"), ("+-", "2 + 3 - 4"), ("-+", "2 - 3 + 4"),
        ("+*", "(2 + 3) * 4"), ("-/", "(2 - 3) / 4"), ("*+", "2 * 3 + 4"), ("/-", "2 / 3 - 4"),
    ],
)  # fmt: skip
def test_brackets_stand_only_where_they_are_needed(signs: str, written: str) -> None:
    """What is joined first stands on the left."""
    first = arithmetic._join(number(2), signs[0], number(3))
    assert arithmetic._join(first, signs[1], number(4)).text == written


@pytest.mark.parametrize(
    ("signs", "written"),
    [
        ("/*", "2 / 3 / 4"), ("//", "2 / 3 * 4"), ("--", "2 - 3 + 4"), ("-+", "2 - 3 - 4"), ("*/", "2 * 3 / 4"),
        ("*+", "2 * (3 + 4)"), ("/-", "2 / (3 - 4)"), ("+*", "2 + 3 * 4"), ("-/", "2 - 3 / 4"),
    ],
)  # fmt: skip
def test_signs_are_turned_instead_of_brackets(signs: str, written: str) -> None:
    """What is joined first stands on the right."""
    second = arithmetic._join(number(3), signs[1], number(4))
    assert arithmetic._join(number(2), signs[0], second).text == written
