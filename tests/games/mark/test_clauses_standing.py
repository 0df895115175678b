"""One test or more per clause about standing orders and other ways to ask fewer questions (RULES.md)."""

import random

import pytest

from referee.errors import IllegalMove
from referee.game import Ask, Seen
from referee.games.mark import GAME, rules
from referee.games.mark.types import Bid, Both, Buy, Lot, Move, Nothing, Offer, Process, Roll, Sell, Take, Words
from referee.games.mark.words import standing_legal, standing_text
from tests.support.plain import PlainDraws
from tests.support.typing import saying

from .build import BASE, EMPTY, Desk, deal, start

standing_parse = saying("mark")

# --- both actions of a double ----------------------------------------------------------------------------------------


def test_MK_7_both_actions_can_be_said_in_one_answer() -> None:
    desk = Desk().plant(0, d1="glass").roll("glass", "glass").do(Both(Process("d1", "p1"), Sell("p1", 4)))
    assert (desk.asked(), desk.at().money, desk.at().processing) == (([1], "turn"), 33, EMPTY)
    assert desk.log == ("@0 processes glass from d1 to p1", "@0 sells glass for 3 in row 5")


def test_MK_7_the_second_action_can_be_declined_in_the_same_answer() -> None:
    desk = Desk().roll("glass", "glass").do(Both(Take("glass", "d1"), Nothing()))
    assert (desk.asked(), desk.at().delivery[0]) == (([1], "turn"), "glass")
    assert desk.log == ("@0 takes glass", "@0 does nothing")


@pytest.mark.parametrize(
    ("move", "clause"),
    [
        (Both(Take("glass", "d1"), Take("glass", "d1")), "MK-6"),
        (Both(Take("glass", "d1"), Take("paper", "d2")), "MK-6"),
        (Both(Take("glass", "d1"), Sell("p1")), "MK-9"),
        (Both(Sell("p1", 0), Sell("p2", 1)), "MK-9"),
        (Both(Take("glass", "p1"), Nothing()), "MK-6"),
    ],
)
def test_MK_7_each_action_is_judged_when_its_turn_comes(move: Both, clause: str) -> None:
    desk = Desk().plant(0, p1="glass", p2="glass").roll("glass", "glass")
    desk.refuses(move, clause)
    with pytest.raises(IllegalMove) as caught:
        rules.apply(desk.terms, desk.now, desk.pending, {0: move}, desk.draws)
    assert caught.value.clause == clause
    desk.do(Both(Sell("p1", 0), Sell("p2")))
    assert desk.at().money == 30 + 8 + 10


def test_MK_7_two_actions_need_a_double_and_the_first_of_them() -> None:
    both = Both(Take("glass", "d1"), Take("glass", "d2"))
    Desk().roll("glass", "paper").refuses(both, "MK-7")
    Desk().roll("glass", "star").refuses(both, "MK-7")
    Desk().roll("glass", "glass").do(Take("glass", "d3")).refuses(both, "MK-7")


def test_MK_7_nothing_follows_an_action_that_ends_the_game() -> None:
    def desk() -> Desk:
        over = Desk().plant(0, p1="metal", d1="metal").row(3, "metal", 4)
        return over.row(0, "glass", 5).row(1, "paper", 5).row(2, "plastic", 5).roll("metal", "metal")

    assert "ends with the first" in desk().refuses(Both(Sell("p1"), Process("d1", "p2")), "MK-7")
    result = desk().do(Both(Sell("p1"), Nothing())).result
    assert result is not None
    assert result.scores[0] == (58,)


# --- roll always -----------------------------------------------------------------------------------------------------


def test_MK_20_the_dice_of_whoever_said_so_fall_at_once() -> None:
    desk = Desk().says(1, roll="always").do(Buy("glass", "d1"), "glass", "paper")
    assert (desk.asked(), desk.now.dice) == (([1], "act"), ("glass", "paper"))
    assert desk.do(Nothing()).asked() == ([2], "turn"), "the next one has not said it"


def test_MK_20_it_can_be_said_with_the_ack() -> None:
    step = start(deal(), "glass", "paper", words={0: Words(roll="always")})
    assert (step.pending, step.public.dice) == ((Ask(0, "act"),), ("glass", "paper"))
    assert start(deal(), words={1: Words(roll="always")}).pending == (Ask(0, "turn"),)


def test_MK_20_the_extra_turn_after_an_auction_begins_with_a_throw_too() -> None:
    desk = Desk(2).says(0, roll="always").roll("hammer", "metal")
    desk.all({0: Bid(0, None), 1: Bid(0, None)}, "paper", "star")
    assert (desk.asked(), desk.now.dice) == (([0], "act"), ("paper", "star"))


def test_MK_20_taken_back_the_question_comes_again() -> None:
    desk = Desk(2).says(0, roll="always").says(1, roll="always").roll("glass", "paper").do(Nothing(), "glass", "paper")
    assert desk.says(0).do(Nothing()).asked() == ([0], "turn")


# --- bid nothing, offer nothing --------------------------------------------------------------------------------------


def test_MK_21_whoever_bids_nothing_is_not_asked_and_passes() -> None:
    desk = Desk().says(1, bid="nothing").roll("hammer", "metal")
    assert desk.asked() == ([0, 2], "bid")
    desk.refuses(Bid(5, "d1"), "MK-4", 1)
    desk.all({0: Bid(0, None), 2: Bid(1, "d1")})
    assert "bids for metal: @0 passes, @2 1" in desk.log


def test_MK_21_an_auction_without_bidders_is_settled_at_once() -> None:
    def desk() -> Desk:
        quiet = Desk().plant(0, d1="metal").row(2, "metal", 2)
        return quiet.says(0, bid="nothing").says(1, bid="nothing").says(2, bid="nothing").roll("hammer", "metal")

    bought = desk().do(Offer("d1"))
    assert (bought.purse(), bought.asked()) == ([37, 30, 30], ([0], "turn")), "the bank pays the liquidation value"
    kept = desk().do(Offer(None))
    assert kept.log == ("nobody offers a piece", "nobody bids, metal stays with the bank")


def test_MK_22_whoever_offers_nothing_is_not_asked() -> None:
    desk = Desk().plant(0, d1="metal").plant(1, d1="metal").says(0, offer="nothing").roll("hammer", "metal")
    assert desk.asked() == ([1], "offer")
    desk.refuses(Offer("d1"), "MK-4", 0)
    assert desk.do(Offer("d1")).now.lot == Lot("metal", 1, "d1")
    assert desk.asked() == ([0, 2], "bid")


def test_MK_22_with_silent_holders_the_bank_puts_up_its_own() -> None:
    desk = Desk().plant(0, d1="metal").says(0, offer="nothing").roll("hammer", "metal")
    assert (desk.now.lot, desk.asked()) == (Lot("metal"), ([0, 1, 2], "bid"))
    assert desk.log == ("@0 rolls hammer and metal", "nobody offers a piece")


# --- one throw -------------------------------------------------------------------------------------------------------

FULL = {"d1": "metal", "d2": "metal", "d3": "metal", "d4": "metal"}


def test_MK_23_after_a_throw_that_asked_nobody_the_next_one_waits() -> None:
    desk = Desk().plant(0, **FULL).says(1, roll="always").roll("glass", "paper")
    assert desk.log == ("@0 rolls glass and paper", "@0 cannot use the dice")
    assert desk.asked() == ([1], "turn"), "asked in spite of the words: dice have fallen since the last answer"
    assert desk.roll("glass", "paper").asked() == ([1], "act")


def test_MK_23_so_does_the_extra_turn_after_a_silent_auction() -> None:
    words = {seat: Words("always", "nothing", "nothing") for seat in range(3)}
    step = start(deal(), "hammer", "metal", words=words)
    assert step.pending == (Ask(0, "turn"),)


@pytest.mark.parametrize("options", [{}, BASE])
def test_MK_23_whoever_has_nothing_to_decide_sends_a_link(options: dict[str, bool]) -> None:
    desk = Desk(2, **options).plant(0, **FULL).money(30, 4).roll("glass", "paper")
    assert desk.asked() == ([1], "link")
    with pytest.raises(IllegalMove):
        rules.apply(desk.terms, desk.now, desk.pending, {1: Roll()}, desk.draws)
    assert desk.do(None, "glass", "star").asked() == ([1], "act")


# --- phrases ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("roll always", Words(roll="always")),
        ("Always roll", Words(roll="always")),
        ("bid nothing", Words(bid="nothing")),
        ("never bid", Words(bid="nothing")),
        ("  OFFER   nothing ", Words(offer="nothing")),
        ("roll ask", Words()),
    ],
)
def test_MK_20_MK_21_MK_22_what_can_be_typed(typed: str, words: Words) -> None:
    assert standing_parse(deal(), Words(), typed) == words


def test_MK_20_words_add_up_and_are_taken_back_one_by_one() -> None:
    words = Words()
    for phrase in ("roll always", "bid nothing", "offer nothing"):
        words = standing_parse(deal(), words, phrase)
    assert standing_text(words) == ("roll always", "bid nothing", "offer nothing")
    assert standing_parse(deal(), words, "bid ask") == Words("always", "ask", "nothing")
    assert standing_text(Words()) == ()


def test_MK_20_every_line_of_the_list_says_what_its_phrase_says() -> None:
    for words in (Words(), Words("always", "ask", "nothing"), Words("always", "nothing", "nothing")):
        choices = standing_legal(deal(), words)
        assert len(choices) == 3
        assert all(standing_parse(deal(), words, choice.text) == choice.move != words for choice in choices)
    assert [choice.text for choice in standing_legal(deal(3, **BASE), Words())] == ["bid nothing"]


@pytest.mark.parametrize(
    ("typed", "hint"), [("roil always", "`roll always`"), ("hello there", "`roll always`"), ("", "`roll always`")]
)
def test_MK_20_anything_else_is_refused_with_a_hint(typed: str, hint: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        standing_parse(deal(), Words(), typed)
    assert hint in str(caught.value.next)


def test_MK_20_MK_21_MK_22_with_all_standing_orders_only_what_is_left_is_asked() -> None:
    """A whole game of players who have given every standing order: nobody is asked for offers or bids, and hardly ever
    for turns."""
    terms, rng = deal(4), random.Random(1)
    step = start(terms, words={seat: Words("always", "nothing", "nothing") for seat in range(4)})
    draws, asked = PlainDraws({}, rng), []
    while step.pending:
        (ask,) = step.pending
        asked.append(ask.what)
        view = Seen(ask.seat, step.public, step.pending, {})
        move: Move | None = None if ask.what == "link" else GAME.bots["sensible"](terms, view, rng.randrange)
        step = rules.apply(terms, step.public, step.pending, {ask.seat: move}, draws)
    assert set(asked) <= {"act", "name", "turn", "link"}
    assert asked.count("turn") < asked.count("act") / 3
