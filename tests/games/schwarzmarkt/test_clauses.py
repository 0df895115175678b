"""The trade round: clauses SM-5 to SM-9, SM-22 and SM-23."""

import pytest

from referee.errors import IllegalMove
from referee.game import Ask
from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.types import Amounts, Play, Spy, Trade

from .build import OFFER, SYMBOLS, TRACK, Desk, goods

NONE = Amounts()


def test_SM_5_the_start_player_plays_a_card_of_their_own() -> None:
    desk = Desk()
    assert desk.ask() == Ask(0, "play")
    assert "play one of: offer 1, offer 2, offer 3" in desk.refuses(Play("offer-4"), "SM-5", hidden=True)
    for card in ("nonsense", "offer-22", "offer-0", "offer-", "offer--1"):
        assert "there is no such card" in desk.refuses(Play(card), "SM-5")
    assert "play one of your black-market cards" in desk.refuses(Trade(NONE, 1), "SM-5")


def test_SM_5_a_new_card_is_drawn_at_once() -> None:
    desk = Desk().next_drawn("razzia")
    desk.do(Play("offer-1"))
    assert desk.draws.calls == [("lay_out", "cards/0", 1), ("deal", "cards", 1)]
    assert desk.cards_of(0) == ("offer-2", "offer-3", "razzia")
    assert (desk.now.card_pile, desk.at(0).cards, desk.now.offer) == (20, 3, "offer-1")
    assert desk.log == ("@0 plays offer 1 (4 potatoes)",)


def test_SM_5_the_target_is_a_decision_of_its_own() -> None:
    desk = Desk().play("razzia")
    assert desk.ask() == Ask(0, "raid")
    assert (desk.now.offer, desk.now.turn, desk.log) == ("razzia", 0, ("@0 plays Razzia",))
    assert "name a player and a good" in desk.refuses(Play(desk.cards_of(0)[0]), "SM-17")
    desk = Desk().play("offer-1")
    assert desk.asked() == (0, "trade")
    desk.refuses(Spy(1), "SM-6")


def test_SM_5_the_marker_starts_on_1_every_round() -> None:
    desk = Desk().round()
    assert (desk.value, desk.asked()) == (1, (1, "play"))
    desk.play(OFFER["4 butter"])
    assert (desk.value, desk.asked()) == (1, (1, "trade"))


def test_SM_5_not_asked_means_not_allowed() -> None:
    desk = Desk()
    with pytest.raises(IllegalMove, match="not your turn"):
        GAME.check(desk.terms, desk.sight(1), Play("offer-1"))


def test_SM_6_one_several_or_all_wanted_goods_pay_the_current_value_each() -> None:
    desk = Desk().play(OFFER["2 potatoes 2 coffee"]).price(10)
    desk.trade("potatoes", "coffee")
    assert desk.luxury() == [20, 0, 0]
    assert desk.held(0) == Amounts(1, 1, 2, 2, 1)
    assert desk.now.wanted == goods("potatoes", "coffee")
    assert desk.now.traded == ("potatoes", "coffee")
    assert desk.draws.calls == [("lay_out", "goods/0", 2)]
    assert desk.log == ("@0 trades 1 potato, 1 coffee for 20", "@0 moves the price: 10 -> 13")
    desk.trade("coffee")
    assert desk.luxury() == [20, 13, 0]
    assert desk.asked() == (2, "trade")


def test_SM_6_all_at_once() -> None:
    desk = Desk().play(OFFER["2 potatoes 2 coffee"]).price(25)
    desk.trade("potatoes", "potatoes", "coffee", "coffee")
    assert desk.luxury() == [100, 0, 0]
    assert desk.asked() == (1, "play")


def test_SM_6_only_wanted_goods_that_are_held() -> None:
    desk = Desk().play(OFFER["2 potatoes 2 coffee"])
    assert "still wanted: 2 potatoes, 2 coffee" in desk.refuses(Trade(goods("butter")), "SM-6")
    desk.refuses(Trade(goods("potatoes", "potatoes", "potatoes")), "SM-6")
    desk.trade("coffee")
    desk.refuses(Trade(goods("coffee", "coffee")), "SM-6")
    desk.goods(1, goods("butter", "coffee"))
    assert "you hold: 1 coffee, 1 butter" in desk.refuses(Trade(goods("potatoes")), "SM-6", hidden=True)
    desk.goods(1, NONE)
    assert "you hold: none" in desk.refuses(Trade(goods("potatoes")), "SM-6", hidden=True)


def test_SM_7_after_a_trade_the_marker_moves_exactly_one_field() -> None:
    desk = Desk().play(OFFER["4 potatoes"])
    desk.refuses(Trade(goods("potatoes"), 1), "SM-7")
    desk.trade("potatoes")
    assert (desk.value, desk.asked()) == (2, (1, "trade"))


@pytest.mark.parametrize(
    ("value", "most"),
    [(1, 4), (2, 4), (3, 4), (5, 4), (7, 3), (10, 3), (13, 3), (16, 3), (20, 2), (25, 2), (30, 2), (35, 1), (40, 1)],
)
def test_SM_7_whoever_trades_nothing_moves_up_to_the_symbol(value: int, most: int) -> None:
    for steps in range(1, most + 1):
        desk = Desk().play(OFFER["4 potatoes"]).price(value)
        desk.move(steps)
        assert desk.value == TRACK[TRACK.index(value) + steps]
        assert desk.luxury() == [0, 0, 0]
    desk = Desk().play(OFFER["4 potatoes"]).price(value)
    desk.refuses(Trade(NONE, 0), "SM-7")
    told = desk.refuses(Trade(NONE, most + 1), "SM-7")
    assert ("1 field," if most == 1 else f"1 to {most} fields") in told


def test_SM_7_not_beyond_the_end_field() -> None:
    """An edition whose symbols reach too far: from 35 only two fields are left."""
    desk = Desk(steps=(*SYMBOLS[:11], 4, 4, 0)).play(OFFER["4 potatoes"]).price(35)
    desk.refuses(Trade(NONE, 3), "SM-7")
    desk.move(2)
    assert desk.value == 50


def test_SM_7_a_trade_that_completes_the_offer_moves_nothing() -> None:
    desk = Desk().play(OFFER["2 potatoes 2 coffee"]).price(10)
    desk.trade("potatoes", "potatoes", "coffee", "coffee")
    assert desk.log == ("@0 trades 2 potatoes, 2 coffee for 40", "the trade round is over")


@pytest.mark.parametrize("trades", [True, False])
def test_SM_8_at_50_one_player_may_still_trade(trades: bool) -> None:
    desk = Desk().play(OFFER["4 potatoes"]).price(40).move(1)
    assert (desk.value, desk.asked()) == (50, (1, "trade"))
    assert "the marker has reached the end" in desk.refuses(Trade(NONE, 1), "SM-8")
    if trades:
        desk.trade("potatoes")
        assert desk.log == ("@1 trades 1 potato for 50", "the trade round is over")
    else:
        desk.move(0)
        assert desk.log == ("@1 trades nothing", "the trade round is over")
    assert desk.luxury() == [0, 50 * trades, 0]
    assert (desk.asked(), desk.value) == ((1, "play"), 1)


def test_SM_8_a_trade_can_move_the_marker_to_50_too() -> None:
    desk = Desk().play(OFFER["4 potatoes"]).price(40).trade("potatoes")
    assert (desk.value, desk.asked()) == (50, (1, "trade"))
    desk.trade("potatoes", "potatoes")
    assert (desk.luxury(), desk.asked()) == ([40, 100, 0], (1, "play"))


def test_SM_8_goods_go_under_in_the_order_traded_and_text_cards_before_the_offer() -> None:
    desk = Desk().play("verdorbene-ware", "limit", OFFER["2 potatoes 2 coffee"])
    assert desk.now.in_force == ("verdorbene-ware", "limit")
    desk.trade("coffee").trade("potatoes", "coffee")
    assert desk.now.goods_under == desk.now.card_under == ()
    desk.trade("potatoes")
    assert desk.now.goods_under == ("coffee", "potatoes", "coffee", "potatoes")
    assert desk.now.card_under == ("verdorbene-ware", "limit", "offer-6")
    assert desk.draws.calls == [("lay_out", "goods/1", 1), ("under", "goods", 4), ("under", "cards", 3)]
    assert (desk.now.traded, desk.now.in_force, desk.now.offer, desk.now.wanted) == ((), (), None, NONE)


def test_SM_8_cards_under_the_pile_come_in_order_when_the_shuffled_ones_are_gone() -> None:
    desk = Desk()
    known = [card for card in desk.draws.bags["cards"] if card != "razzia"]
    desk.draws.bags["cards"], desk.draws.tails["cards"] = ["razzia"], list(known)
    desk.public(card_pile=1, card_under=tuple(known)).do(Play("offer-1"))
    assert desk.cards_of(0) == ("offer-2", "offer-3", "razzia")
    assert (desk.now.card_pile, desk.now.card_under) == (0, tuple(known))
    desk.price(50).move(0).do(Play("offer-4"))
    assert desk.cards_of(1) == tuple(sorted(["offer-5", "offer-6", known[0]]))
    assert (desk.now.card_pile, desk.now.card_under) == (0, (*known[1:], "offer-1"))


def test_SM_9_the_next_start_player_sits_left_of_the_last_one() -> None:
    desk = Desk(4)
    for start in (0, 1, 2, 3, 0):
        assert desk.asked() == (start, "play")
        desk.play(OFFER["all five"] if start % 2 else OFFER["4 potatoes"]).price(40).move(1, 0)


# --- SM-22, SM-23


def test_SM_22_a_player_sees_only_their_own_hands() -> None:
    desk = Desk().cards(1, "limit", "razzia", "offer-1").goods(1, goods("sugar", "coffee"))
    assert desk.sight(1).tokens == {"goods/1": ("coffee", "sugar"), "cards/1": ("limit", "offer-1", "razzia")}


def test_SM_23_whoever_holds_goods_is_asked_even_without_a_choice() -> None:
    desk = Desk().goods(1, goods("sugar")).play("offer-1").price(35).move(1)
    assert (desk.value, desk.asked()) == (40, (1, "trade"))
    desk.move(1)
    assert (desk.value, desk.asked()) == (50, (2, "trade"))


def test_SM_23_an_empty_hand_is_asked_only_if_it_has_a_choice() -> None:
    desk = Desk().goods(1, NONE).goods(2, NONE).play("offer-1").price(25).move(1)
    assert (desk.value, desk.asked()) == (30, (1, "trade"))
    desk.move(1)
    assert list(desk.log) == ["@1 moves the price: 30 -> 35", "@2 moves the price: 35 -> 40"]
    assert (desk.value, desk.asked()) == (40, (0, "trade"))
    desk.move(1)
    assert list(desk.log) == ["@0 moves the price: 40 -> 50", "@1 has no goods to trade", "the trade round is over"]
    assert desk.asked() == (1, "play")


def test_SM_23_with_limit_the_field_before_the_end_leaves_no_choice() -> None:
    desk = Desk().goods(2, NONE).play("limit", "offer-1").price(16).move(1)
    assert desk.log[-1] == "@2 moves the price: 20 -> 25"
    assert desk.asked() == (0, "trade")


def test_SM_23_luxury_has_no_end() -> None:
    desk = Desk().player(0, luxury=10**6).play("offer-1").price(50).trade("potatoes", "potatoes")
    assert desk.at(0).luxury == 10**6 + 100
