"""The small modules under all games, by themselves: draws on plain lists, moves as data, what a game does where its
author writes nothing."""

from collections.abc import Callable, Sequence
from math import isclose, sqrt
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from referee import defaults, playout
from referee.errors import IllegalMove, RulesFault
from referee.forms import (
    Amounts,
    Choice,
    Free,
    Limit,
    Number,
    Option,
    Pick,
    Ranking,
    Term,
    When,
    any_move,
    build,
    drawn,
    family,
    fault,
    find,
    number,
    one_of,
    open_options,
    part_fault,
    sample,
)
from referee.game import note

# --- draws on plain lists --------------------------------------------------------------------------------------------


def last(count: int) -> int:
    """Chance that always takes the last of several."""
    return count - 1


def first(count: int) -> int:
    assert count > 0
    return 0


def plain(below: Callable[[int], int] = first, **more: Any) -> playout.PlainDraws:
    return playout.PlainDraws({"bag": ("c", "a", "b"), "none": ()}, below, **more)


def refused(draw: Callable[[], object]) -> str:
    with pytest.raises(RulesFault) as caught:
        draw()
    return str(caught.value.args[0])


def test_a_die_shows_one_to_its_sides() -> None:
    assert (plain(first).die(6), plain(last).die(6), plain(last).die(1)) == (1, 6, 1)


def test_tokens_are_taken_by_chance_and_then_from_the_tail_in_its_order() -> None:
    draws = plain(last, tails={"bag": ("z", "y")})
    assert draws.take("bag", 0) == ()
    assert draws.take("bag", 4) == ("b", "a", "c", "z")
    assert draws.count("bag") == 1
    assert draws.take("bag", 1) == ("y",)
    assert refused(lambda: draws.take("bag", 1)) == "bag is empty"
    assert refused(lambda: draws.take("nothing", 1)) == "nothing is empty"
    assert plain(first).take("bag", 2) == ("c", "a")


def test_tokens_are_dealt_to_the_end_of_a_hand() -> None:
    draws = plain(last)
    draws.put("hand", ("x",))
    draws.deal("bag", 2, "hand")
    assert (draws.bags["hand"], draws.bags["bag"]) == (["x", "b", "a"], ["c"])
    draws.deal("bag", 1, "new")
    assert (draws.bags["new"], draws.count("bag"), draws.count("nowhere")) == (["c"], 0, 0)


def test_what_is_laid_out_lies_in_the_container_or_else_in_its_tail() -> None:
    draws = plain(tails={"bag": ("a", "z")})
    draws.lay_out("bag", ("a",))
    assert (draws.bags["bag"], draws.tails["bag"]) == (["c", "b"], ["a", "z"])
    draws.lay_out("bag", ("a", "b"))
    assert (draws.bags["bag"], draws.tails["bag"]) == (["c"], ["z"])
    with pytest.raises(ValueError):
        draws.lay_out("bag", ("q",))


def test_everything_in_a_container_is_found_in_its_order() -> None:
    draws = playout.PlainDraws({"bag": ("b", "a", "b")}, first, tails={"bag": ("a", "b")})
    assert draws.content("bag") == ("a", "a", "b", "b", "b")
    assert draws.lay_out_all("bag", "a") == ("a", "a")
    assert draws.content("bag") == ("b", "b", "b")
    assert draws.lay_out_all("bag") == ("b", "b", "b")
    assert (draws.count("bag"), draws.lay_out_all("bag"), draws.content("never")) == (0, (), ())


def test_who_gives_names_as_many_tokens_as_are_asked() -> None:
    draws = plain(sealed={0: SimpleNamespace(card="a", cards=("c", "b"))})
    draws.give(0, "card", 1, "bag", "table")
    draws.give(0, "cards", 2, "bag", "table")
    assert (draws.bags["table"], draws.bags["bag"]) == (["a", "c", "b"], [])
    assert refused(lambda: draws.give(0, "cards", 3, "bag", "table")) == "2 tokens are named instead of 3"
    assert refused(lambda: draws.give(0, "card", 2, "bag", "table")) == "1 tokens are named instead of 2"
    assert draws.unseal(0, "card").card == "a"


def test_who_seeks_gets_the_first_of_the_ranking_that_is_there() -> None:
    draws = plain(sealed={1: SimpleNamespace(wish=("x", "b", "a"))})
    draws.seek(1, "wish", "bag", "hand", ("c",))
    assert (draws.bags["hand"], draws.bags["bag"]) == (["b"], ["c", "a"])
    draws.seek(0, "wish", "bag", "other", ("c", "a"))  # no sealed answer: what the rules fix
    assert (draws.bags["other"], draws.bags["bag"]) == (["c"], ["a"])
    draws.seek(0, "wish", "bag", "nobody", ("x",))
    assert "nobody" not in draws.bags
    draws.seek(0, "wish", "unknown", "nobody", ("x",))
    assert "nobody" not in draws.bags
    draws.under("bag", ("t",))
    assert refused(lambda: draws.seek(0, "wish", "bag", "hand", ("a",))) == "bag has a known tail: shuffle it first"


def test_what_was_shuffled_waits_for_the_next_step() -> None:
    draws = plain(last)
    draws.under("bag", ("z",))
    draws.under("bag", ("y",))
    assert (draws.count("bag"), draws.tails["bag"]) == (5, ["z", "y"])
    draws.shuffle("bag")
    assert (draws.bags["bag"], draws.tails) == (["c", "a", "b", "z", "y"], {})
    assert refused(lambda: draws.take("bag", 1)) == "bag was shuffled in this step: ask for a link first"
    draws.next_step({0: "an answer"})
    assert (draws.take("bag", 1), draws.unseal(0)) == (("y",), "an answer")
    draws.shuffle("empty")
    draws.next_step()
    assert (draws.bags["empty"], draws.sealed) == ([], {})


def test_a_stream_of_chance_is_the_same_everywhere() -> None:
    state, expected = 7, []
    for _ in range(5):
        state = (6364136223846793005 * state + 1442695040888963407) & (2**64 - 1)
        expected.append((state // 2**33) % 1000)
    chance = playout.Chance(7)
    assert [chance(1000) for _ in range(5)] == expected
    assert len(set(expected)) == 5


def test_how_far_some_outcomes_are_ahead_of_others() -> None:
    assert playout.add_up([]) == 0.0
    assert playout.add_up([0.1] * 3) == 0.1 + 0.1 + 0.1
    assert playout.lead([], [], 2.0) == 0.0
    assert playout.lead([3, 5], [1, 1], 0.0) == 3.0
    # Ahead by 2 and 4: the mean is 3, the squares of what is left add up to 2.
    assert isclose(playout.lead([3, 5], [1, 1], 2.0), 3 - 2 * sqrt(2) / 2)
    assert isclose(playout.lead([3, 5, 9], [1, 1], 2.0), 3 - 2 * sqrt(2) / 2)  # only what both have


# --- moves as data ---------------------------------------------------------------------------------------------------


class Buy(msgspec.Struct, frozen=True):
    what: str = "red"
    n: int = 1
    gives: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    spare: dict[str, int] = {}


WHAT = Pick("what", "what?", (Option("red", "red"), Option("the rest", "rest", (When("n", low=2, high=3),))))
N = Number("n", "how many?", 1, 4)
GIVES = Amounts("gives", "for what?", {"tea": 2, "salt": 1}, ("salt", "tea"))
ORDER = Ranking("order", "in which order?", ("a", "b", "c"), 1)
SPARE = Amounts("spare", "what else?", {"x": 3, "y": 1})


@pytest.mark.parametrize(
    ("values", "part", "name", "expected"),
    [
        ({}, "n", "", 0),
        ({"n": 7}, "n", "", 7),
        ({"g": {"tea": 2, "salt": 1}}, "g", "", 3),
        ({"g": {"tea": 2, "salt": 1}}, "g", "tea", 2),
        ({"g": {"tea": 2}}, "g", "salt", 0),
        ({"o": ["a", "c"]}, "o", "", 2),
        ({"o": ("a", "c")}, "o", "c", 1),
        ({"o": ["a", "c"]}, "o", "b", 0),
        ({"w": "red"}, "w", "red", 1),
        ({"w": "red"}, "w", "blue", 0),
        ({"w": "four"}, "w", "", 4),
    ],
)
def test_every_part_counts_as_a_number(values: dict[str, Any], part: str, name: str, expected: int) -> None:
    assert number(values, part, name) == expected


@pytest.mark.parametrize(
    ("n", "texts"), [(1, ["red"]), (2, ["red", "the rest"]), (3, ["red", "the rest"]), (4, ["red"])]
)
def test_an_option_is_open_between_its_bounds(n: int, texts: list[str]) -> None:
    assert [one.text for one in open_options(WHAT, {"n": n})] == texts


def test_all_conditions_hold_and_otherwise_is_for_when_nothing_else_is_open() -> None:
    both = Option("both", 1, (When("a"), When("b")))
    instead = Option("instead", 2, otherwise=True)
    later = Option("later", 3, (When("b"),), otherwise=True)
    part = Pick("p", "?", (both, instead, later))
    assert open_options(part, {"a": 1, "b": 1}) == (both,)
    assert open_options(part, {"a": 1, "b": 0}) == (instead,)
    assert open_options(part, {"a": 0, "b": 1}) == (instead, later)


@pytest.mark.parametrize(
    ("part", "good", "bad"),
    [
        (N, [1, 4], [0, 5, True, "2", 1.0]),
        (WHAT, ["red"], ["the rest", "", "Red"]),
        (GIVES, [{}, {"tea": 0}, {"tea": 2, "salt": 1}], [{"tea": 3}, {"tea": -1}, {"sugar": 1}, {"tea": True}, []]),
        (ORDER, [["a"], ("c", "a", "b")], [[], ["a", "a"], ["d"], "a", ["a", "d"]]),
        (Free("free", "?", "how", 3), ["x", "abc"], ["", "abcd", 3]),
    ],
    ids=["number", "pick", "amounts", "ranking", "free"],
)
def test_what_fits_a_part(part: Any, good: list[Any], bad: list[Any]) -> None:
    assert [part_fault(part, {part.name: one}) for one in good] == [""] * len(good)
    assert [str(part_fault(part, {part.name: one})) for one in bad] == [f"{part.ask}: that is not possible"] * len(bad)


def test_a_family_says_what_is_missing_and_what_is_out_of_range() -> None:
    sum_of = Limit((Term("n", times=2), Term("gives", "tea")), 3, 6)
    told = Limit((Term("n"),), high=2, why="at most two")
    choice = family("buy", Buy(), [N, GIVES], limits=(sum_of, told))
    assert choice.form["n"] == {"$": "n"}
    assert choice.form["what"] == "red"
    assert str(fault(choice, {"n": 1})) == "gives is missing"
    assert str(fault(choice, {"n": 9, "gives": {}})) == "how many?: that is not possible"
    assert fault(choice, {"n": 1, "gives": {"tea": 1}}) == ""
    assert fault(choice, {"n": 2, "gives": {"tea": 2}}) == ""
    assert str(fault(choice, {"n": 1, "gives": {}})) == "n + gives is out of range"
    assert str(fault(choice, {"n": 3, "gives": {"tea": 0}})) == "at most two"
    assert str(fault(choice, {"n": 4, "gives": {}})) == "n + gives is out of range"


def test_a_move_is_built_and_found_again() -> None:
    choice = family("buy", Buy(), [N, WHAT, GIVES, ORDER, SPARE])
    values = {
        "n": 2,
        "what": "the rest",
        "gives": {"tea": 2, "salt": 1},
        "order": ("c", "a"),
        "spare": {"x": 3, "y": 0},
    }
    move = {"what": "rest", "n": 2, "gives": ["salt", "tea", "tea"], "order": ["c", "a"], "spare": {"x": 3}}
    assert build(choice, values) == move
    found = find(choice, move)
    assert found is not None
    assert build(choice, found) == move
    assert (found["n"], found["what"], found["gives"], list(found["order"])) == (
        2, "the rest", {"tea": 2, "salt": 1}, ["c", "a"],
    )  # fmt: skip
    for other in ({"n": 1}, {"n": 5}, {"gives": ["tea", "salt"]}, {"order": []}, {"spare": {"x": 4}}, {"what": "blue"}):
        assert find(choice, move | other) is None, other
    alone = Choice("pass", Buy())
    assert find(alone, build(alone, {})) == {}
    assert find(alone, move) is None


def test_an_option_without_a_value_removes_its_hole() -> None:
    maybe = Pick("n", "how many?", (Option("one", 1), Option("as usual")))
    member = Choice("m", Buy(), form={"what": "red", "n": {"$": "n"}}, parts=(maybe,))
    item = Choice("i", Buy(), form=["first", {"$": "n"}, "last"], parts=(maybe,))
    assert build(member, {"n": "as usual"}) == {"what": "red"}
    assert build(member, {"n": "one"}) == {"what": "red", "n": 1}
    assert build(item, {"n": "as usual"}) == ["first", "last"]
    assert find(member, {"what": "red"}) == {"n": "as usual"}
    assert find(item, ["first", 1, "last"]) == {"n": "one"}
    assert find(item, ["first", "last"]) == {"n": "as usual"}
    assert find(item, ["first", 2, "last"]) is None


def test_options_with_marks_are_named_by_their_kind() -> None:
    marked, bare = one_of("card", "which?", ("07", "08"), at="card"), one_of("card", "which?", ("07",))
    assert [(one.text, one.value, one.at) for one in marked.options] == [
        ("07", "07", "card:07"),
        ("08", "08", "card:08"),
    ]
    assert bare.options[0].at == ""


class Chance:
    """Chance that does what is written: (of how many, which)."""

    def __init__(self, *script: tuple[int, int]) -> None:
        self.script = list(script)

    def __call__(self, count: int) -> int:
        expected, which = self.script.pop(0)
        assert count == expected
        return which


@pytest.mark.parametrize(
    ("parts", "script", "expected"),
    [
        ([N], [(4, 0)], {"n": 1}),
        ([N], [(4, 3)], {"n": 4}),
        ([N, WHAT], [(4, 1), (2, 1)], {"n": 2, "what": "the rest"}),
        # One time in two a name has 0 or 1, and one time in three anything at all.
        ([GIVES], [(2, 0), (3, 0), (3, 2), (3, 1)], {"gives": {"tea": 2}}),
        ([GIVES], [(2, 1), (3, 0), (2, 1), (3, 0), (2, 0)], {"gives": {"tea": 1}}),
        ([ORDER], [(3, 0), (3, 2)], {"order": ["c"]}),
        ([ORDER], [(3, 2), (3, 1), (2, 1), (1, 0)], {"order": ["b", "c", "a"]}),
    ],
)
def test_random_values_of_a_family(parts: list[Any], script: list[tuple[int, int]], expected: object) -> None:
    chance = Chance(*script)
    assert sample(family("buy", Buy(), parts), chance) == expected
    assert chance.script == []


def test_values_that_break_a_limit_are_drawn_again_as_often_as_is_said() -> None:
    choice = family("buy", Buy(), [N], limits=(Limit((Term("n"),), 3, 3),))
    assert sample(choice, Chance((4, 0), (4, 1), (4, 2)), 3) == {"n": 3}
    assert sample(choice, Chance((4, 0), (4, 1)), 2) is None
    asked = 0

    def never(count: int) -> int:
        nonlocal asked
        asked += 1
        return 0

    assert sample(choice, never) is None
    assert asked == 200
    assert sample(family("free", Buy(), [Free("what", "?", "how", 3)]), never) is None
    assert sample(family("none", Buy(), [Number("n", "?", 3, 2)]), never) is None
    assert sample(family("none", Buy(), [Pick("what", "?", (Option("x", 1, (When("n"),)),))]), never) is None


def test_a_line_of_the_list_and_a_move_of_it() -> None:
    rows = [Choice("one", Buy(n=1)), family("more", Buy(n=4), [N]), family("any", Buy(n=3), [Free("what", "?", "", 3)])]
    assert any_move(rows, Buy, Chance((3, 0))) == Buy(n=1)
    assert any_move(rows, Buy, Chance((3, 1), (4, 1))) == Buy(n=2)
    assert any_move(rows, Buy, Chance((3, 2))) == Buy(n=3)  # free words: the example
    assert drawn(rows[1], Buy, Chance((4, 2))) == Buy(n=3)
    assert drawn(rows[2], Buy, Chance()) is None
    assert (
        drawn(family("both", Buy(), [Free("what", "?", "", 3), N]), Buy, Chance()) is None
    )  # nothing is drawn in vain


# --- where an author writes nothing ----------------------------------------------------------------------------------


class Raid(msgspec.Struct, frozen=True, tag="raid"):
    seat: int
    card: str
    loud: bool = False
    for_: tuple[str, ...] = ()
    note: str | None = None
    pays: dict[str, int] = {}


class Rest(msgspec.Struct, frozen=True, tag="rest"):
    pass


class Cell(msgspec.Struct, frozen=True):
    cell: str
    often: int = 1


class Row(msgspec.Struct, frozen=True):
    numbers: tuple[int, ...]
    most: int | None = None


def legal_of(*choices: Choice) -> Any:
    return lambda terms, seen: choices


def typed(form: Any, line: str, *choices: Choice) -> Any:
    return defaults.parse(legal_of(*choices), form, None, None, line)


MOVES: Sequence[tuple[Any, Any, str]] = [
    (Raid | Rest, Raid(2, "07"), "raid 2 07"),
    (Raid | Rest, Raid(2, "07", loud=True), "raid 2 07, loud yes"),
    (Raid | Rest, Raid(2, "07", for_=("a", "b")), "raid 2 07, for_ a b"),
    (
        Raid | Rest,
        Raid(2, "07", True, (), "x", {"red": 2, "blue": 1}),
        "raid 2 07, loud yes, note x, pays 2 red 1 blue",
    ),
    (Raid | Rest, Rest(), "rest"),
    (Cell, Cell("c5"), "c5"),
    (Cell, Cell("c5", 2), "c5, often 2"),
    (Row, Row((3, 1)), "3 1"),
    (Row, Row((3, 1), 4), "3 1, most 4"),
]


@pytest.mark.parametrize(("form", "move", "words"), MOVES, ids=[words for *_, words in MOVES])
def test_a_move_in_words_and_back(form: Any, move: Any, words: str) -> None:
    assert defaults.text(move) == words
    assert typed(form, words) == move
    assert typed(form, words.replace(",", " ,  ")) == move


@pytest.mark.parametrize(
    ("form", "line", "move"),
    [
        (Raid | Rest, "RAID 2 07 Loud yes", Raid(2, "07", loud=True)),
        (Raid | Rest, "raid 2 07 note none", Raid(2, "07")),
        (Raid | Rest, "raid 2 07 loud no", Raid(2, "07")),
        (Raid | Rest, "raid 2 card 07", Raid(2, "07")),  # the name of a required field may be said
        (Raid | Rest, "raid seat 2 card 07", Raid(2, "07")),
        (Cell, "cell c5", Cell("c5")),
        (Cell, "cell", Cell("cell")),  # a value that is called like the field
        (Cell, "often", Cell("often")),
        (Row, "3", Row((3,))),
    ],
)
def test_other_ways_to_type_a_move(form: Any, line: str, move: Any) -> None:
    assert typed(form, line) == move


@pytest.mark.parametrize(
    ("form", "line"),
    [
        (Raid | Rest, ""),
        (Raid | Rest, "raid 2"),
        (Raid | Rest, "raid two 07"),
        (Raid | Rest, "raid 2 07 loud maybe"),
        (Raid | Rest, "raid 2 07 pays 2 red 1 red"),
        (Raid | Rest, "raid 2 07 pays 2"),
        (Raid | Rest, "raid 2 07 loud yes loud no"),
        (Raid | Rest, "rest now"),
        (Raid | Rest, "2 07"),
        (Cell, ""),
    ],
)
def test_what_is_not_a_move(form: Any, line: str) -> None:
    with pytest.raises(IllegalMove, match="these words are not a move") as caught:
        typed(form, line, Choice("first", Cell("a1")))
    assert str(caught.value.next) == "write for example `a1`"
    with pytest.raises(IllegalMove) as caught:
        typed(form, line)
    assert str(caught.value.next) == "nothing is asked of you now"


def test_a_line_of_the_list_is_a_move_in_any_case() -> None:
    listed = Choice("Do  nothing, please", Cell("z9")), family("any cell", Cell("a1"), [N])
    assert typed(Cell, "do nothing please", *listed) == Cell("z9")
    assert typed(Cell, "any", *listed) == Cell("any")
    with pytest.raises(IllegalMove):
        typed(Raid | Rest, "any cell", *listed)  # a family is described, not named


def test_the_kinds_of_a_move() -> None:
    assert [kind.cls for kind in defaults.kinds(Raid | Rest)] == [Raid, Rest]
    assert [kind.cls for kind in defaults.kinds(Cell)] == [Cell]


def test_a_move_is_legal_if_it_is_described() -> None:
    rows = legal_of(Choice("one", Cell("a1")), family("more", Cell("b1"), [Number("often", "?", 1, 2)]))
    defaults.check(rows, None, None, Cell("a1"))
    defaults.check(rows, None, None, Cell("b1", 2))
    for cell in (Cell("a1", 2), Cell("b1", 3), Cell("c1")):
        with pytest.raises(IllegalMove, match="this move is not legal now") as caught:
            defaults.check(rows, None, None, cell)
        assert caught.value.clause == ""
    assert defaults.not_legal("HX-2").clause == "HX-2"


def test_a_note_without_a_sentence_says_its_word_and_its_values() -> None:
    sentences = {"stone": "@{seat} places a stone on {cell}"}
    assert defaults.tell(sentences, None, note("stone", seat=0, cell="c5")) == "@0 places a stone on c5"
    assert defaults.tell(sentences, None, note("lost", seat=1, points=3)) == "lost: @1, points 3"
    assert defaults.tell({}, None, note("over")) == "over"
