"""LO-16 and LO-25 to LO-27: heads, standing orders and fresh links."""

from typing import Any

import pytest

from referee.errors import IllegalMove
from referee.games.weg_zum_erfolg import rules
from referee.games.weg_zum_erfolg.types import Card, Go, Heading, Intervene, Solve

from .build import SUIT, Desk
from .test_clauses_decisions import all_out, laid

RIGHT: Heading = "right"


# --- heads ------------------------------------------------------------------------------------------------------------


def head(*dice: int, seats: int = 3) -> Desk:
    """Seat 0 is on an orange head with one step to go; by default the target is 8."""
    return Desk(seats).put(0, "O2").turn(1, *(dice or (4, 4)))


def test_LO_16_everybody_else_with_cards_is_asked_sealed_and_the_mover_with_them() -> None:
    desk = Desk(4).put(0, "O2").player(2, pieces=all_out()).hand(3).turn(1, 4, 4)
    assert [(ask.seat, ask.what, ask.sealed) for ask in desk.asks()] == [
        (1, "intervene", ("card",)),
        (2, "intervene", ("card",)),  # has no pieces left, but cards
        (0, "solve", ("expression", "way")),
    ]
    desk.refuses(Intervene(12), "LO-16")
    desk.draws.shown = []
    desk.do(Intervene(3), Intervene(), Solve("8"))
    assert desk.draws.shown == [(1, ("card",)), (2, ("card",))], "what the mover said is void, and nobody sees it"
    assert desk.now.task is not None
    assert desk.now.task.table == (Card(1, 3),)
    assert desk.asked() == (0, "solve")
    assert desk.me().hand == SUIT


def test_LO_16_if_nobody_intervenes_the_mover_is_not_asked_again() -> None:
    desk = head().do(Intervene(), Intervene(), Solve("8"))
    assert desk.draws.shown[-1] == (0, ("expression", "way"))
    assert desk.at(0) == ["O2c"]
    assert desk.me().hand == _less(8)
    assert head().do(Intervene(), Intervene(), Solve()).at(0) == ["O2b"]


def test_LO_16_a_sealed_answer_that_is_wrong_is_refused_when_it_is_shown() -> None:
    desk = head()
    with pytest.raises(IllegalMove, match="'9' makes 9, not 8"):
        desk.apply({1: Intervene(), 2: Intervene(), 0: Solve("9")})
    with pytest.raises(IllegalMove, match="no card of value 12"):
        desk.apply({1: Intervene(12), 2: Intervene(), 0: Solve()})
    with pytest.raises(IllegalMove, match="does not answer"):
        rules.apply(desk.terms, desk.now, desk.asks(), {1: Solve(), 2: None, 0: None}, desk.draws)


def test_LO_16_the_expression_is_checked() -> None:
    desk = head().do(Intervene(9), Intervene(10), Solve())
    for wrong, words in (
        ("10 - 2", "the 9 on the table is not used"),
        ("9 + 10", "no card of your own"),
        ("10 + 9 - 11 - 11", "too few cards of value 11"),
        ("10 + 9 - 12", "too few cards of value 12"),
        ("9 + 10 - 10", "'9 + 10 - 10' makes 9, not 8"),
        ("9 + 10 -", "missing"),
        ("9 / (10 - 10) + 8", "divides by 0"),
    ):
        assert words in desk.refuses(Solve(wrong), "LO-16")
    desk.do(Solve("10 + 9 - 11"))
    assert desk.at(0) == ["O2c"]
    assert [player.hand for player in desk.now.players] == [SUIT[:-1], _less(9), _less(10)]


def _less(card: int) -> tuple[int, ...]:
    place = SUIT.index(card)
    return SUIT[:place] + SUIT[place + 1 :]


def test_LO_16_giving_up_costs_the_others_their_cards_only() -> None:
    desk = head().do(Intervene(2), Intervene(3), Solve("8")).do(Solve())
    assert desk.at(0) == ["O2b"]
    assert [len(player.hand) for player in desk.now.players] == [13, 12, 12]


def test_LO_16_brackets_and_fractions_on_the_way() -> None:
    desk = head().hand(0, 3, 6, 11).do(Intervene(4), Intervene(), None).do(Solve("4 : [3 ÷ 6]"))
    assert desk.at(0) == ["O2c"]
    assert desk.me().hand == (11,)


def test_LO_16_without_cards_nobody_is_asked() -> None:
    desk = Desk(3).put(0, "O2").hand(0).turn(1)
    assert desk.told("has no card left")
    assert desk.at(0) == ["O2b"]
    assert desk.asked() == (1, "piece")


def test_LO_16_a_mover_whom_no_card_can_help_is_not_asked() -> None:
    desk = Desk(3).put(0, "O2").hand(0, 2, 2).turn(1, 4, 4)
    assert desk.all_asked() == [(1, "intervene"), (2, "intervene")], "a card of theirs could help"
    assert desk.do(Intervene(11), Intervene()).told("has no cards that make 8")
    assert desk.at(0) == ["O2b"]
    desk = Desk(3).put(0, "O2").hand(0, 2, 2).turn(1, 4, 4).do(Intervene(4), Intervene())
    assert desk.asked() == (0, "solve")
    assert desk.do(Solve("2 * 4")).at(0) == ["O2c"]
    assert Desk(3).put(0, "O2").hand(0, 2, 2).hand(1).hand(2).turn(1, 4, 4).at(0) == ["O2b"]


# --- standing orders --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ({}, True),
        ({"decline": True}, False),
        ({"decline": False, "colours": ("blue",), "cards": 0}, True),
        ({"decline": True, "colours": ("orange", "blue")}, True),
        ({"decline": True, "colours": ("green",)}, False),
        ({"decline": True, "players": (0, 7)}, True),
        ({"decline": True, "players": (2, 1)}, False),
        ({"decline": True, "cards": 13}, True),
        ({"decline": True, "cards": 12}, False),
        ({"decline": True, "colours": ("orange",), "players": (0,), "cards": 13}, True),
        ({"decline": True, "colours": ("orange",), "players": (0,), "cards": 12}, False),
        ({"decline": True, "colours": ("red",), "players": (0,), "cards": 13}, False),
        ({"decline": True, "colours": ("orange",), "players": (1,), "cards": 13}, False),
    ],
)
def test_LO_25_whoever_declines_by_standing_orders_is_not_asked(words: dict[str, Any], asked: bool) -> None:
    desk = Desk(3).put(0, "O2").says(1, **words).turn(1, 4, 4)
    assert ((1, "intervene") in desk.all_asked()) == asked
    assert desk.all_asked()[-2:] == [(2, "intervene"), (0, "solve")]


def test_LO_25_if_all_decline_the_mover_alone_is_asked_openly() -> None:
    desk = Desk(3).put(0, "O2").says(1, decline=True).says(2, decline=True).turn(1, 4, 4)
    assert [(ask.seat, ask.what, ask.sealed) for ask in desk.asks()] == [(0, "solve", ())]


@pytest.mark.parametrize(
    ("heads", "cards", "played"),
    [
        (1, (2, 6, 8), (8,)),
        (2, (2, 6, 8), (8,)),
        (2, (2, 6, 7, 10), (2, 6)),
        (2, (2, 4, 5, 11), (2, 4)),
        (2, (3, 5, 11), (3, 5)),
        (2, (2, 3, 10), (2, 10)),
        (2, (1, 3, 24), (3, 24)),
        (2, (2, 2, 10, 10), (2, 10)),
    ],
)
def test_LO_26_the_fewest_and_lowest_cards_are_played_without_a_question(
    heads: int, cards: tuple[int, ...], played: tuple[int, ...]
) -> None:
    """8 is 2 + 6, 2 * 4, 3 + 5, 10 - 2 or 24 / 3."""
    desk = Desk(2).put(0, "O2").hand(0, *cards).says(0, heads=heads).says(1, decline=True).turn(1, 4, 4)
    assert desk.told(f"@0 plays {', '.join(map(str, played))} and makes 8")
    assert desk.at(0) == ["O2c"]
    assert sorted((*desk.me().hand, *played)) == sorted(cards)


@pytest.mark.parametrize(("heads", "cards"), [(None, (8,)), (1, (2, 6, 9)), (2, (2, 9))])
def test_LO_26_otherwise_the_mover_is_asked(heads: int | None, cards: tuple[int, ...]) -> None:
    desk = Desk(2).put(0, "O2").hand(0, *cards, 3, 3, 3).says(0, heads=heads).says(1, decline=True).turn(1, 4, 4)
    assert desk.asked() == (0, "solve")


def test_LO_26_with_others_who_may_intervene() -> None:
    desk = Desk(3).put(0, "O2").says(0, heads=1).turn(1, 4, 4)
    assert desk.all_asked() == [(1, "intervene"), (2, "intervene")]
    assert desk.do(Intervene(), None).told("@0 plays 8 and makes 8")
    desk = Desk(3).put(0, "O2").says(0, heads=1).turn(1, 4, 4).do(Intervene(9), None)
    assert desk.asked() == (0, "solve"), "one card of one's own is not what lies on the table now"


def test_LO_26_whoever_never_plays_a_card_fails_and_nobody_is_asked() -> None:
    desk = Desk(3).put(0, "O2").says(0, heads=0).turn(1)
    assert desk.told("@0 plays no card")
    assert desk.at(0) == ["O2b"]
    assert desk.asked() == (1, "piece")


@pytest.mark.parametrize(("attempt", "dice", "to"), [(True, (6, 6), "O3c"), (False, (), "O3b")])
def test_LO_26_whether_to_try_may_be_a_standing_order(attempt: bool, dice: tuple[int, ...], to: str) -> None:
    desk = laid().put(0, "O3").says(0, attempt=attempt).turn(1, *dice)
    assert desk.at(0) == [to]
    desk = laid().put(0, "O3", ("R1a", RIGHT)).says(0, attempt=attempt).turn(1)
    assert desk.do(Go(0, attempt=not attempt), dice=(6, 6)).at(0)[0] == {"O3c": "O3b", "O3b": "O3c"}[to]
    assert Desk().put(0, "O3").says(0, attempt=False).turn(1, 6, 6).at(0) == ["O3c"], "only in Neue Ziele"


def test_LO_27_after_twelve_turns_that_ask_nobody_the_next_player_sends_a_link() -> None:
    in_vain = (1, 2, 3)
    desk = Desk(5).put(1).turn(*in_vain * 12)
    assert [line[:2] for line in desk.log] == [f"@{turn % 5}" for turn in range(12)]
    assert desk.asked() == (2, "link")
    assert (desk.now.task, desk.now.throw) == (None, 0)
    desk.draws.dice = [*in_vain * 12]
    desk.do(None)
    assert [line[:2] for line in desk.log] == [f"@{turn % 5}" for turn in range(2, 14)]
    assert desk.asked() == (4, "link")


def test_LO_27_a_question_begins_the_count_again() -> None:
    in_vain = (1, 2, 3)
    desk = Desk(3).put(1).put(2, ("R6a", RIGHT), ("R7a", RIGHT)).turn(*in_vain * 2, 1)
    assert desk.asked() == (2, "piece")
    desk.put(1).do(Go(0), dice=in_vain * 2)
    assert desk.asked() == (2, "piece")
