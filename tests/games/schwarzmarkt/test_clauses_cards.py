"""The text cards, alone and together: clauses SM-13 to SM-21."""

from itertools import permutations
from typing import Any

import pytest

from referee.game import Ask
from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.types import (
    GOODS,
    Amounts,
    Collect,
    Find,
    Quick,
    Raid,
    Spy,
    Swap,
    Trade,
)

from .build import NINE, OFFER, Desk, goods

NONE = Amounts()


def test_SM_13_waren_knapp_one_card_per_player_and_turn() -> None:
    desk = Desk().play("waren-knapp", OFFER["4 potatoes"])
    assert desk.asked() == (1, "trade")
    assert "trade one card or none" in desk.refuses(Trade(goods("potatoes", "potatoes")), "SM-13")
    desk.trade("potatoes").move(1).trade("potatoes").trade("potatoes")
    assert desk.luxury() == [3, 1 + 5, 0]
    assert desk.now.wanted == goods("potatoes")


def test_SM_13_only_in_the_next_trade_round() -> None:
    desk = Desk().play("waren-knapp").round(OFFER["4 potatoes"]).play(OFFER["4 butter"])
    desk.trade("butter", "butter")
    assert desk.luxury() == [0, 0, 2]


def test_SM_13_the_last_turn_too() -> None:
    desk = Desk().play("waren-knapp", OFFER["4 potatoes"]).price(50)
    desk.refuses(Trade(goods("potatoes", "potatoes")), "SM-13")
    desk.trade("potatoes")
    assert (desk.luxury(), desk.asked()) == ([0, 50, 0], (2, "play"))


def test_SM_14_spionage_shows_two_cards_that_go_back() -> None:
    desk = Desk().play("spionage").next_drawn("sugar", "coffee")
    desk.do(Spy(2))
    assert desk.log == ("@0 spies on @2: 1 coffee, 1 sugar",)
    assert desk.draws.calls == [
        ("take", "goods/2", 2),
        ("put", "goods/2", 2),
        ("shuffle", "goods/2", 9),
        ("under", "cards", 1),
    ]
    assert (desk.held(2), desk.at(2).goods, desk.asked()) == (NINE, 9, (1, "play"))


def test_SM_14_all_cards_if_fewer_than_two() -> None:
    desk = Desk().goods(1, goods("flour")).play("spionage")
    desk.do(Spy(1))
    assert desk.log == ("@0 spies on @1: 1 flour",)
    assert desk.held(1) == goods("flour")


def test_SM_14_another_player_who_holds_goods() -> None:
    desk = Desk().goods(1, NONE).play("spionage")
    desk.refuses(Spy(0), "SM-14")
    assert "the target holds 0 of the 1 goods cards needed" in desk.refuses(Spy(1), "SM-14")
    desk.refuses(Spy(3), "SM-14")
    assert "name the player" in desk.refuses(Collect(2), "SM-14")
    desk.do(Spy(2))


def test_SM_15_schnelles_geschaeft_pays_20_for_any_card_of_ones_own() -> None:
    desk = Desk().play("schnelles-geschaeft")
    desk.do(Quick("butter"))
    assert (desk.luxury(), desk.held(0)) == ([20, 0, 0], Amounts(2, 2, 2, 1, 1))
    assert desk.now.goods_under == ("butter",)
    assert desk.draws.calls == [("lay_out", "goods/0", 1), ("under", "goods", 1), ("under", "cards", 1)]
    assert (desk.log, desk.asked()) == (("@0 trades 1 butter for 20",), (1, "play"))


def test_SM_15_only_what_is_held() -> None:
    desk = Desk().goods(0, goods("sugar", "sugar")).play("schnelles-geschaeft")
    assert "you hold: 2 sugar" in desk.refuses(Quick("butter"), "SM-15", hidden=True)


@pytest.mark.parametrize(
    ("give", "taken"),
    [(("sugar",), ("coffee",)), (("butter", "sugar"), ("coffee", "coffee")), (("sugar",), ("flour",))],
)
def test_SM_16_zwangstausch_gives_and_takes_as_many(give: Any, taken: Any) -> None:
    desk = Desk().goods(0, goods("butter", "sugar")).goods(2, goods("coffee", "coffee", "flour")).play("zwangstausch")
    assert desk.ask() == Ask(0, "swap", ("give",))
    desk.next_drawn(*taken).do(Swap(2, len(give), give))
    kept = [good for good in ("butter", "sugar") if good not in give]
    left = ["coffee", "coffee", "flour"]
    for good in taken:
        left.remove(good)
    assert desk.held(0) == goods(*kept, *taken)
    assert desk.held(2) == goods(*left, *give)
    assert desk.draws.calls == [
        ("give", "goods/0", len(give)),
        ("deal", "goods/2", len(give)),
        ("deal", "swap", len(give)),
        ("under", "cards", 1),
    ]
    assert desk.log == (f"@0 swaps {len(give)} goods card{'s' if len(give) == 2 else ''} with @2",)
    assert desk.asked() == (1, "play")


def test_SM_16_what_is_taken_was_held_before_the_gift() -> None:
    desk = Desk().goods(0, goods("sugar", "sugar")).goods(1, goods("coffee", "coffee")).play("zwangstausch")
    desk.do(Swap(1, 2, ("sugar", "sugar")))
    assert desk.held(0) == goods("coffee", "coffee")
    assert desk.held(1) == goods("sugar", "sugar")


def test_SM_16_only_the_two_know_the_cards() -> None:
    desk = Desk().play("zwangstausch")
    desk.do(Swap(1, 2, ("flour", "sugar")))
    assert {name for name, _, _ in desk.draws.calls} == {"give", "deal", "under"}
    assert not any(good in line for good in GOODS for line in desk.log)


@pytest.mark.parametrize(
    ("move", "hidden"),
    [
        (Swap(0, 1, ("sugar",)), False),
        (Swap(3, 1, ("sugar",)), False),
        (Swap(1, 0, ()), False),
        (Swap(2, 3, ("butter", "sugar", "sugar")), False),
        (Swap(1, 2, ("butter", "sugar")), False),
        (Swap(2, 2, ("sugar",)), True),
        (Swap(2, 1, ("butter", "sugar")), True),
        (Swap(2, 2, ("sugar", "butter")), True),
        (Swap(2, 1, ("flour",)), True),
        (Swap(2, 2, ("butter", "butter")), True),
    ],
)
def test_SM_16_what_is_not_a_swap(move: Swap, hidden: bool) -> None:
    """Seat 0 holds 1 butter and 2 sugar, seat 1 only one card. What is wrong with the cards given is hidden."""
    desk = Desk().goods(0, goods("butter", "sugar", "sugar")).goods(1, goods("coffee")).play("zwangstausch")
    desk.refuses(move, "SM-16", hidden=hidden)


def test_SM_16_a_swap_does_not_end_a_half() -> None:
    desk = Desk().goods(0, goods("sugar")).goods(1, goods("coffee")).play("zwangstausch")
    desk.do(Swap(1, 1, ("sugar",)))
    assert (desk.held(0), desk.held(1), desk.now.half) == (goods("coffee"), goods("sugar"), 1)


def test_SM_17_razzia_takes_all_cards_of_a_good() -> None:
    desk = Desk().goods(2, Amounts(1, 0, 3, 0, 0)).play("razzia")
    desk.do(Raid(2, "flour"))
    assert desk.held(2) == goods("potatoes")
    assert (desk.now.goods_under, desk.at(2).goods, desk.luxury()) == (("flour",) * 3, 1, [0, 0, 0])
    assert desk.draws.calls == [("lay_out", "goods/2", 3), ("under", "goods", 3), ("under", "cards", 1)]
    assert desk.log == ("@0 raids @2 for flour: 3 found",)


@pytest.mark.parametrize("held", [goods("sugar", "flour"), NONE], ids=["other goods", "empty hand"])
def test_SM_17_none_found_nothing_happens(held: Amounts) -> None:
    desk = Desk().goods(1, held).play("razzia")
    desk.do(Raid(1, "butter"))
    assert (desk.held(1), desk.now.goods_under, desk.asked()) == (held, (), (1, "play"))
    assert desk.log == ("@0 raids @1 for butter: none found",)


def test_SM_17_another_player() -> None:
    desk = Desk().play("razzia")
    desk.refuses(Raid(0, "sugar"), "SM-17")
    desk.refuses(Raid(3, "sugar"), "SM-17")


def test_SM_18_neue_ware_takes_the_best_kind_that_the_pile_holds_for_5() -> None:
    desk = Desk().player(0, luxury=7).play("neue-ware").pile("sugar", "flour", "flour")
    assert desk.ask() == Ask(0, "find", ("ranking",))
    desk.do(Find(("butter", "coffee", "flour", "sugar", "potatoes")))
    assert desk.held(0) == Amounts(2, 2, 3, 2, 1)
    assert sorted(desk.draws.bags["goods"]) == ["flour", "sugar"]
    assert (desk.luxury(), desk.now.goods_pile, desk.at(0).goods) == ([2, 0, 0], 2, 10)
    assert desk.draws.calls == [("shuffle", "goods", 3), ("seek", "goods", 1), ("under", "cards", 1)]
    assert desk.log == ("@0 takes a goods card from the pile for 5",)
    assert desk.asked() == (1, "play")


def test_SM_18_cards_under_the_pile_belong_to_it_and_are_shuffled_in() -> None:
    desk = Desk().player(0, luxury=5).play("neue-ware").pile("sugar", under=["potatoes", "coffee"])
    desk.do(Find(("coffee", "potatoes", "flour", "butter", "sugar")))
    assert desk.held(0) == Amounts(2, 3, 2, 2, 1)
    assert (desk.now.goods_pile, desk.now.goods_under) == (2, ())
    assert sorted(desk.draws.bags["goods"]) == ["potatoes", "sugar"]


def test_SM_18_every_ranking_of_all_five_goods() -> None:
    desk = Desk().player(0, luxury=5).play("neue-ware")
    for ranking in permutations(GOODS):
        GAME.check(desk.terms, desk.sight(0), Find(ranking))
    for ranking in (GOODS[:4], (*GOODS[:4], "coffee"), (*GOODS, "coffee")):
        desk.refuses(Find(ranking), "SM-18", hidden=True)


def test_SM_18_nothing_public_depends_on_what_was_found() -> None:
    seen_by_all = []
    for ranking in (GOODS, GOODS[::-1]):
        desk = Desk().player(0, luxury=5).play("neue-ware")
        desk.draws.calls.clear()
        desk.do(Find(ranking))
        seen_by_all.append((desk.step, [*desk.draws.calls]))
    assert seen_by_all[0] == seen_by_all[1]


def test_SM_19_with_limit_the_round_ends_at_25() -> None:
    desk = Desk().play("limit", OFFER["4 potatoes"]).price(16)
    desk.refuses(Trade(NONE, 3), "SM-7")
    desk.move(2)
    assert (desk.value, desk.asked()) == (25, (2, "trade"))
    desk.refuses(Trade(NONE, 1), "SM-8")
    desk.trade("potatoes")
    assert (desk.luxury(), desk.asked()) == ([0, 0, 25], (2, "play"))
    assert desk.now.card_under == ("limit", "offer-1")


def test_SM_19_at_25_the_last_turn_may_be_idle() -> None:
    desk = Desk().play("limit", OFFER["4 potatoes"]).price(20).move(1).move(0)
    assert desk.log == ("@2 trades nothing", "the trade round is over")


def test_SM_19_only_the_next_trade_round() -> None:
    desk = Desk().play("limit").round(OFFER["4 potatoes"]).play(OFFER["4 butter"]).price(25).move(2)
    assert desk.value == 35


def test_SM_20_alte_rechnung_takes_a_card_face_down() -> None:
    desk = Desk().goods(1, goods("coffee", "flour")).play("alte-rechnung").next_drawn("flour")
    desk.do(Collect(1))
    assert desk.held(1) == goods("coffee")
    assert desk.held(0) == Amounts(2, 2, 3, 2, 1)
    assert (desk.at(0).goods, desk.at(1).goods, desk.asked()) == (10, 1, (1, "play"))
    assert desk.draws.calls == [("deal", "goods/1", 1), ("under", "cards", 1)]
    assert desk.log == ("@0 takes a goods card from @1",)


def test_SM_20_another_player_who_holds_a_card() -> None:
    desk = Desk().goods(2, NONE).play("alte-rechnung")
    for target in (0, 2, 3):
        desk.refuses(Collect(target), "SM-20")


def test_SM_20_the_last_card_taken_does_not_end_a_half() -> None:
    desk = Desk().goods(1, goods("coffee")).play("alte-rechnung")
    desk.do(Collect(1))
    assert (desk.at(1).goods, desk.now.half) == (0, 1)


@pytest.mark.parametrize(("value", "half"), [(1, 0), (2, 1), (5, 2), (10, 5), (25, 12), (50, 25)])
def test_SM_21_the_first_card_of_spoiled_goods_pays_half(value: int, half: int) -> None:
    desk = Desk().play("verdorbene-ware", OFFER["4 potatoes"]).price(value)
    assert desk.now.spoiled
    desk.trade("potatoes")
    assert (desk.luxury(), desk.now.spoiled) == ([0, half, 0], False)


def test_SM_21_the_others_of_the_same_trade_pay_in_full() -> None:
    """At 13: 6 for the first card, 13 each for the other three; the next player gets the full value too."""
    desk = Desk().goods(1, Amounts(4, 1)).play("verdorbene-ware", OFFER["4 potatoes"]).price(13)
    desk.trade("potatoes", "potatoes", "potatoes")
    assert desk.luxury() == [0, 6 + 13 + 13, 0]
    desk.trade("potatoes")
    assert desk.luxury() == [0, 32, 16]


def test_SM_21_unused_it_lapses() -> None:
    desk = Desk().play("verdorbene-ware").round(OFFER["4 potatoes"])
    assert not desk.now.spoiled
    desk.play(OFFER["4 butter"]).trade("butter")
    assert desk.luxury() == [0, 0, 1]


def test_SM_21_schnelles_geschaeft_is_not_a_trade_round() -> None:
    desk = Desk().play("verdorbene-ware", "schnelles-geschaeft")
    desk.do(Quick("sugar"))
    desk.play(OFFER["4 potatoes"]).price(10).trade("potatoes")
    assert desk.luxury() == [0, 20, 5]


# --- several cards in force for one trade round


def test_SM_10_limit_with_waren_knapp() -> None:
    desk = Desk().play("limit", "waren-knapp", OFFER["4 potatoes"]).price(20)
    assert desk.asked() == (2, "trade")
    desk.refuses(Trade(goods("potatoes", "potatoes")), "SM-13")
    desk.trade("potatoes")
    assert desk.value == 25
    desk.refuses(Trade(goods("potatoes", "potatoes")), "SM-13")
    desk.trade("potatoes")
    assert (desk.luxury(), desk.asked()) == ([25, 0, 20], (0, "play"))


def test_SM_10_waren_knapp_with_verdorbene_ware() -> None:
    desk = Desk().play("waren-knapp", "verdorbene-ware", OFFER["4 potatoes"]).price(7)
    desk.trade("potatoes").trade("potatoes")
    assert desk.luxury() == [10, 0, 3]


def test_SM_10_all_three_together_and_other_cards_between() -> None:
    desk = Desk().play("verdorbene-ware", "razzia")
    desk.do(Raid(0, "sugar"))
    desk.play("limit", "alte-rechnung").next_drawn("coffee").do(Collect(1))
    desk.play("waren-knapp", OFFER["2 potatoes 2 coffee"])
    assert desk.asked() == (2, "trade")
    assert desk.now.in_force == ("verdorbene-ware", "limit", "waren-knapp")
    desk.price(20)
    desk.refuses(Trade(goods("potatoes", "coffee")), "SM-13")
    desk.refuses(Trade(NONE, 2), "SM-7")
    desk.trade("coffee")
    assert (desk.luxury(), desk.value, desk.asked()) == ([0, 0, 10], 25, (0, "trade"))
    desk.trade("coffee")
    assert (desk.luxury(), desk.asked()) == ([25, 0, 10], (0, "play"))
    assert desk.now.card_under == (
        "razzia",
        "alte-rechnung",
        "verdorbene-ware",
        "limit",
        "waren-knapp",
        "offer-6",
    )
    assert desk.now.goods_under == ("sugar", "coffee", "coffee")


def test_SM_11_cards_in_force_do_not_last_into_the_second_half() -> None:
    desk = Desk().goods(2, goods("sugar")).play("limit", "waren-knapp", "schnelles-geschaeft")
    desk.do(Quick("sugar")).link()
    assert (desk.now.half, desk.now.in_force) == (2, ())
    assert desk.now.card_under == ("limit", "waren-knapp", "schnelles-geschaeft")
    for seat in range(3):
        desk.goods(seat, NINE)
    desk.play(OFFER["4 potatoes"]).price(25).trade("potatoes", "potatoes")
    assert (desk.at(0).luxury, desk.value) == (50, 30)
