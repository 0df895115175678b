"""Fewer questions: a card with what follows from it, sitting out, standing orders (SM-25 to SM-27)."""

from typing import Any

import pytest
from msgspec.structs import replace

from referee.errors import IllegalMove
from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.types import (
    Amounts,
    Collect,
    FollowUp,
    Move,
    Play,
    Quick,
    Raid,
    Spy,
    Trade,
    Words,
)

from .build import NINE, OFFER, Desk, goods

NONE = Amounts()

TOGETHER: dict[str, tuple[FollowUp, list[str]]] = {
    "offer-6": (Trade(goods("coffee"), 0, 2), []),
    "spionage": (Spy(2), ["sugar", "coffee"]),
    "schnelles-geschaeft": (Quick("sugar"), []),
    "razzia": (Raid(2, "sugar"), []),
    "alte-rechnung": (Collect(1), ["flour"]),
}
"""Card -> what follows from it, and what the draws bring."""


def start(card: str, *drawn: str) -> Desk:
    return Desk(4).player(0, luxury=9).cards(0, card, "offer-4", "offer-5").next_drawn(*drawn)


@pytest.mark.parametrize("card", TOGETHER)
def test_SM_25_a_card_and_its_decision_in_one_answer_are_the_same_as_in_two(card: str) -> None:
    then, drawn = TOGETHER[card]
    apart = start(card, "limit", *drawn).do(Play(card))
    told, calls = apart.log, [*apart.draws.calls]
    apart.do(then)
    at_once = start(card, "limit", *drawn).do(Play(card, then))
    assert at_once.step.public == apart.step.public
    assert at_once.step.pending == apart.step.pending
    assert at_once.log == (*told, *apart.log)
    assert at_once.draws.calls == [*calls, *apart.draws.calls], "the new card is drawn first"
    assert at_once.draws.bags == apart.draws.bags


@pytest.mark.parametrize("card", TOGETHER)
def test_SM_25_without_the_decision_it_is_asked_for(card: str) -> None:
    assert start(card).do(Play(card)).ask().seat == 0


@pytest.mark.parametrize(
    ("card", "then", "clause", "hidden"),
    [
        ("offer-6", Trade(goods("butter")), "SM-6", False),
        ("offer-6", Trade(goods("coffee", "coffee", "coffee")), "SM-6", False),
        ("offer-6", Trade(NONE, 5), "SM-7", False),
        ("offer-6", Trade(NONE, 0), "SM-7", False),
        ("offer-6", Spy(1), "SM-6", False),
        ("spionage", Spy(0), "SM-14", False),
        ("spionage", Collect(1), "SM-14", False),
        ("schnelles-geschaeft", Quick("butter"), "SM-15", True),
        ("razzia", Raid(4, "sugar"), "SM-17", False),
        ("alte-rechnung", Collect(3), "SM-20", False),
        ("limit", Trade(NONE, 1), "SM-25", False),
        ("zwangstausch", Spy(1), "SM-25", False),
        ("neue-ware", Quick("sugar"), "SM-25", False),
        ("offer-1", Trade(goods("potatoes")), "SM-6", True),
    ],
)
def test_SM_25_the_decision_must_be_legal_after_the_card(card: str, then: Any, clause: str, hidden: bool) -> None:
    desk = start(card).goods(0, goods("coffee", "sugar")).goods(3, NONE)
    desk.refuses(Play(card, then), clause, hidden=hidden)


def test_SM_25_nothing_follows_from_a_card_without_effect() -> None:
    desk = Desk(3).goods(1, NONE).goods(2, NONE).cards(0, "spionage")
    assert "play the card alone" in desk.refuses(Play("spionage", Spy(1)), "SM-25")
    assert desk.do(Play("spionage")).log[-1] == "Spionage has no effect"


def test_SM_25_the_trade_knows_the_cards_in_force() -> None:
    desk = Desk(3).play("verdorbene-ware", "waren-knapp").cards(2, "offer-6")
    desk.refuses(Play("offer-6", Trade(goods("coffee", "coffee"))), "SM-13")
    desk.do(Play("offer-6", Trade(goods("coffee"))))
    assert (desk.luxury(), desk.now.spoiled, desk.asked()) == ([0, 0, 0], False, (0, "trade")), "half of 1"


def test_SM_25_a_last_card_traded_at_once_ends_the_half() -> None:
    desk = (
        Desk(3).goods(0, goods("sugar")).cards(0, "schnelles-geschaeft").do(Play("schnelles-geschaeft", Quick("sugar")))
    )
    assert (desk.now.half, desk.luxury()) == (2, [20, 0, 0])
    assert desk.link().asked() == (1, "play")


# --- SM-26


def test_SM_26_whoever_sits_out_is_not_asked_again_in_this_trade_round() -> None:
    desk = Desk(3).play(OFFER["4 potatoes"]).do(Trade(NONE, 1, 2)).move(1, 1)
    assert desk.log == ("@2 moves the price: 3 -> 5", "@0 moves the price: 5 -> 10")
    assert (desk.value, desk.asked(), desk.now.sitting_out) == (10, (1, "trade"), (2, 0, 0))
    desk.trade("potatoes").move(3)
    assert desk.log == ("@2 moves the price: 13 -> 25", "@0 moves the price: 25 -> 35")


def test_SM_26_everybody_is_told() -> None:
    desk = Desk(3).play(OFFER["4 potatoes"]).do(Trade(goods("potatoes"), 0, 3))
    assert desk.log == (
        "@0 trades 1 potato for 1",
        "@0 moves the price: 1 -> 2",
        "@0 sits out the rest of the trade round, with up to 3 fields a turn",
    )
    desk.do(Trade(NONE, 1, 1))
    assert desk.log[1] == "@1 sits out the rest of the trade round, with 1 field a turn"


def test_SM_26_the_marker_moves_as_far_as_it_may() -> None:
    """From 16 the symbol allows 3, with Limit only 2 fields are left."""
    for cards, value in (((), 30), (("limit",), 25)):
        desk = Desk(3).play(*cards, OFFER["4 potatoes"])
        desk.do(Trade(NONE, 1, 4)).price(10).move(1, 1)
        assert desk.log[-1].endswith(f"moves the price: 16 -> {value}")


def test_SM_26_the_last_turn_of_whoever_sits_out_ends_the_round() -> None:
    desk = Desk(3).play(OFFER["4 potatoes"]).do(Trade(NONE, 1, 1)).price(35).move(1, 1)
    assert desk.log == ("@2 moves the price: 40 -> 50", "@0 trades nothing", "the trade round is over")
    assert (desk.asked(), desk.now.sitting_out) == ((1, "play"), (0, 0, 0))
    assert desk.held(0) == NINE


def test_SM_26_with_everybody_sitting_out_the_round_is_over_at_once() -> None:
    desk = Desk(3).play(OFFER["4 potatoes"])
    for _ in range(3):
        desk.do(Trade(NONE, 1, 4))
    steps = ["5 -> 16", "16 -> 30", "30 -> 40", "40 -> 50"]
    moved = [line.partition(": ")[2] for line in desk.log if "moves the price: " in line]
    assert moved == ["3 -> 5", *steps], "as many fields as the symbols of 5, 16, 30 and 40 allow: 4, 3, 2, 1"
    assert desk.asked() == (1, "play")


def test_SM_26_it_ends_with_the_trade_round() -> None:
    desk = Desk(3).play("offer-6").price(40).do(Trade(goods("coffee"), 0, 1))
    assert desk.now.sitting_out == (1, 0, 0)
    desk.move(0).play("offer-4").move(1, 1)
    assert (desk.now.sitting_out, desk.asked()) == ((0, 0, 0), (0, "trade"))


def test_SM_26_it_ends_with_the_half() -> None:
    desk = Desk(3).goods(1, goods("potatoes")).play("offer-6").do(Trade(NONE, 1, 1)).trade("potatoes")
    assert (desk.now.half, desk.now.sitting_out) == (2, (0, 0, 0))


@pytest.mark.parametrize(
    ("value", "move"), [(1, Trade(NONE, 1, 5)), (50, Trade(NONE, 0, 1)), (50, Trade(goods("potatoes"), 0, 1))]
)
def test_SM_26_what_does_not_count_as_sitting_out(value: int, move: Move) -> None:
    Desk(3).play("offer-1").price(value).refuses(move, "SM-26")


def test_SM_26_a_missed_deadline_does_not_count_as_sitting_out() -> None:
    assert Desk(3).play("offer-1").miss().now.sitting_out == (0, 0, 0)


# --- SM-27


def saying(desk: Desk, *words: Words) -> Desk:
    return desk.public(standing=words)


def test_SM_27_below_the_price_said_nobody_is_asked_and_the_marker_moves() -> None:
    desk = saying(Desk(3), Words(10), Words(), Words(7, 3)).play(OFFER["4 potatoes"])
    assert (desk.value, desk.asked()) == (2, (1, "trade")), "the start player, too"
    assert desk.log[-1] == "@0 moves the price: 1 -> 2"
    desk.move(1)
    assert desk.log == ("@1 moves the price: 2 -> 3", "@2 moves the price: 3 -> 10")
    assert desk.asked() == (0, "trade"), "10 is the price from which it wants to be asked"


def test_SM_27_a_decision_sent_with_the_card_goes_first() -> None:
    desk = (
        saying(Desk(3), Words(50), Words(), Words()).cards(0, "offer-1").do(Play("offer-1", Trade(goods("potatoes"))))
    )
    assert (desk.luxury(), desk.asked()) == ([1, 0, 0], (1, "trade"))


def test_SM_27_it_holds_in_every_trade_round() -> None:
    desk = saying(Desk(3), Words(), Words(50), Words()).play("offer-1").price(30).move(1)
    assert desk.asked() == (2, "trade")
    desk.move(1).move(0).play("offer-4")
    assert (desk.now.start, desk.asked()) == (1, (2, "trade"))


def test_SM_27_with_limit_nobody_may_be_asked_at_all() -> None:
    """All want to be asked from 30 on, but the round ends at 25: 1, 7, 16, 25."""
    desk = saying(Desk(3), *[Words(30, 4)] * 3).play("limit", "offer-1")
    assert desk.log[-3:] == ("@0 moves the price: 16 -> 25", "@1 trades nothing", "the trade round is over")
    assert desk.asked() == (2, "play")


@pytest.mark.parametrize("words", [Words(0, 9), Words(1, 0), Words(1, 1000)])
def test_SM_27_words_that_mean_nothing_change_nothing(words: Words) -> None:
    assert saying(Desk(3), words, words, words).play("offer-1").asked() == (0, "trade")


def test_SM_27_any_number_of_steps_is_brought_within_what_is_legal() -> None:
    desk = saying(Desk(3), Words(2, 0), Words(1000, 1000), Words()).play("offer-1")
    assert desk.log[1:] == ("@0 moves the price: 1 -> 2", "@1 moves the price: 2 -> 10")


def test_SM_27_words_of_the_ack_are_in_force_from_the_beginning() -> None:
    desk = Desk(3)
    words = (Words(10), Words(), Words(7, 2))
    step = GAME.setup(desk.terms, desk.draws, words)
    assert step.public == replace(step.public, standing=words)


PHRASES = {
    "from 10": Words(10),
    "From 10, move 2": Words(10, 2),
    "ask me from 8": Words(10),
    "from 50 move 4": Words(50, 4),
    "always ask": Words(),
    "Always ask me": Words(),
}


@pytest.mark.parametrize("phrase", PHRASES)
def test_SM_27_what_people_type(phrase: str) -> None:
    assert GAME.standing is not None
    terms = Desk(3).terms
    assert GAME.standing.parse(terms, Words(20, 3), phrase) == PHRASES[phrase]


@pytest.mark.parametrize(
    "phrase", ["", "from", "from ten", "from 51", "from 10, move 5", "from 10, move 0", "x" * 1000, "from 1" * 50]
)
def test_SM_27_what_means_nothing(phrase: str) -> None:
    assert GAME.standing is not None
    with pytest.raises(IllegalMove) as caught:
        GAME.standing.parse(Desk(3).terms, Words(), phrase)
    assert caught.value.clause == "SM-27"
    assert str(caught.value.next)


def test_SM_27_the_phrase_in_force() -> None:
    assert GAME.standing is not None
    assert GAME.standing.text(Words()) == ()
    assert GAME.standing.text(Words(10)) == ("from 10, move 1",)
    assert GAME.standing.text(Words(25, 3)) == ("from 25, move 3",)
