"""Text cards in general and the halves: clauses SM-10 to SM-12."""

from typing import Any

import pytest

from referee.errors import IllegalMove
from referee.game import LINK, Ask, Result
from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.types import Amounts, Quick, Raid

from .build import NINE, OFFER, Desk, goods

NONE = Amounts()


def test_SM_10_a_text_card_is_not_a_trade_round_and_goes_under_when_done() -> None:
    desk = Desk().play("razzia")
    assert desk.now.card_under == ()
    desk.do(Raid(1, "sugar"))
    assert desk.asked() == (1, "play")
    assert (desk.now.card_under, desk.now.offer, desk.now.in_force) == (("razzia",), None, ())


def test_SM_10_cards_for_the_next_trade_round_stay_open_until_its_end() -> None:
    desk = Desk().play("waren-knapp", "razzia")
    desk.do(Raid(0, "sugar"))
    assert desk.now.in_force == ("waren-knapp",)
    assert desk.now.card_under == ("razzia",)
    desk.play("limit", "verdorbene-ware")
    assert desk.now.in_force == ("waren-knapp", "limit", "verdorbene-ware")
    assert (desk.asked(), desk.now.spoiled) == ((1, "play"), False)
    desk.round()
    assert desk.now.in_force == ()
    assert desk.now.card_under == ("razzia", "waren-knapp", "limit", "verdorbene-ware", "offer-1")


@pytest.mark.parametrize(
    ("card", "hands", "luxury", "pile"),
    [
        ("spionage", (NINE, NONE, NONE), 0, 1),
        ("schnelles-geschaeft", (NONE, NINE, NINE), 0, 1),
        ("zwangstausch", (NONE, NINE, NINE), 0, 1),
        ("zwangstausch", (NINE, NONE, NONE), 0, 1),
        ("neue-ware", (NINE, NINE, NINE), 4, 1),
        ("neue-ware", (NINE, NINE, NINE), 5, 0),
        ("alte-rechnung", (NINE, NONE, NONE), 0, 1),
    ],
)
def test_SM_10_a_card_that_cannot_be_carried_out_has_no_effect(card: str, hands: Any, luxury: int, pile: int) -> None:
    desk = Desk().player(0, luxury=luxury)
    for seat, held in enumerate(hands):
        desk.goods(seat, held)
    desk.pile(*["sugar"] * pile)
    desk.play(card)
    assert desk.asked() == (1, "play")
    assert desk.log[-1].endswith("has no effect")
    assert desk.now.card_under == (card,)
    assert desk.luxury() == [luxury, 0, 0]
    assert tuple(desk.held(seat) for seat in range(3)) == hands
    assert (desk.now.goods_pile, desk.now.idle) == (pile, 1)


@pytest.mark.parametrize(
    ("card", "what", "sealed"),
    [
        ("spionage", "spy", ()),
        ("schnelles-geschaeft", "quick", ()),
        ("zwangstausch", "swap", ("give",)),
        ("razzia", "raid", ()),
        ("neue-ware", "find", ("ranking",)),
        ("alte-rechnung", "collect", ()),
    ],
)
def test_SM_10_carrying_out_is_asked_for_if_possible(card: str, what: str, sealed: tuple[str, ...]) -> None:
    desk = Desk().player(0, luxury=5).play(card)
    assert desk.ask() == Ask(0, what, sealed)


def test_SM_10_cards_under_the_goods_pile_count_as_pile() -> None:
    desk = Desk().player(0, luxury=5).pile(under=["flour"]).play("neue-ware")
    assert desk.asked() == (0, "find")


def test_SM_11_the_first_half_ends_at_once_with_the_last_goods_card() -> None:
    desk = Desk(4).play("verdorbene-ware", OFFER["2 potatoes 2 coffee"])
    desk.goods(2, goods("coffee")).price(16)
    desk.trade("coffee")
    cards = [desk.cards_of(seat) for seat in range(4)]
    desk.trade("coffee")
    assert desk.luxury() == [0, 8, 20, 0]
    assert desk.log == (
        "@2 trades 1 coffee for 20",
        "@2 has traded in their last goods card",
        "the first half is over; the goods are shuffled",
    )
    assert desk.draws.calls == [
        ("lay_out", "goods/2", 1),
        ("under", "goods", 2),
        ("under", "cards", 2),
        ("shuffle", "goods", 60 - 9 - 8 - 0 - 9),
    ]
    assert (desk.now.goods_pile, desk.now.goods_under) == (34, ())
    desk.link()
    assert desk.draws.calls == [("deal", "goods", 9), ("deal", "goods", 1)]
    assert desk.log == ("hands are filled up to 9 goods cards; @2 starts",)
    assert desk.ask() == Ask(2, "play")
    assert [desk.cards_of(seat) for seat in range(4)] == cards
    assert [player.goods for player in desk.now.players] == [9, 9, 9, 9]
    assert (desk.now.goods_pile, desk.now.goods_under) == (24, ())
    assert desk.now.card_under == ("verdorbene-ware", "offer-6")
    assert (desk.now.half, desk.now.marker, desk.now.in_force, desk.now.spoiled) == (2, 0, (), False)
    assert (desk.now.played, desk.now.idle) == (0, 0)


def test_SM_11_the_player_who_would_have_started_next_starts() -> None:
    """Seat 1 started this round, seat 0 ends the half: seat 2 starts."""
    desk = Desk().round().play(OFFER["2 potatoes 2 coffee"]).goods(0, goods("potatoes"))
    assert desk.now.start == 1
    desk.move(1, 1).trade("potatoes").link()
    assert (desk.now.half, desk.asked()) == (2, (2, "play"))


def test_SM_11_before_the_deal_everybody_is_asked_for_a_link_and_nothing_else() -> None:
    """Whoever shuffles the pile knows where its cards lie; what nobody knows yet decides who gets them."""
    desk = Desk(5).goods(0, goods("sugar")).play("schnelles-geschaeft").do(Quick("sugar"))
    assert desk.step.pending == tuple(Ask(seat, LINK) for seat in range(5))
    assert [player.goods for player in desk.now.players] == [0, 9, 9, 9, 9]
    for seat in range(5):
        assert GAME.legal(desk.terms, desk.sight(seat)) == ()
        for raises in (
            lambda seat=seat: GAME.check(desk.terms, desk.sight(seat), Raid(1, "sugar")),
            lambda seat=seat: GAME.apply(
                desk.terms,
                desk.now,
                desk.step.pending,
                dict.fromkeys(range(5)) | {seat: Raid(1, "sugar")},
                desk.draws,
            ),
        ):
            with pytest.raises(IllegalMove) as caught:
                raises()
            assert caught.value.clause == "SM-11"
    assert [player.goods for player in desk.link().now.players] == [9, 9, 9, 9, 9]


def test_SM_11_hands_are_filled_up_to_nine_from_the_new_start_player_on() -> None:
    desk = Desk(4).play(OFFER["4 potatoes"])
    desk.goods(0, goods("potatoes")).goods(1, Amounts(0, 5, 5, 1)).goods(2, Amounts(0, 0, 0, 3)).goods(3, NONE)
    desk.trade("potatoes").link()
    assert [player.goods for player in desk.now.players] == [9, 11, 9, 9]
    assert desk.held(1) == Amounts(0, 5, 5, 1)
    assert desk.draws.calls == [("deal", "goods", 6), ("deal", "goods", 9), ("deal", "goods", 9)]
    assert desk.asked() == (1, "play")


def test_SM_11_new_cards_can_be_as_many_as_were_traded_in() -> None:
    """Seat 1 traded in 3, seat 3 nothing; seat 2 ends the half and gets 9, whatever it has traded in."""
    desk = Desk(4, refill="traded").play(OFFER["2 potatoes 2 coffee"]).goods(2, goods("coffee"))
    desk.goods(3, goods("sugar")).player(1, traded_in=2).player(2, traded_in=11)
    desk.move(1).trade("potatoes").trade("coffee")
    assert (desk.now.finisher, [player.traded_in for player in desk.now.players]) == (2, [0, 3, 12, 0])
    desk.link()
    assert desk.log == ("everybody is dealt as many new goods cards as they traded in; @1 starts",)
    assert [player.goods for player in desk.now.players] == [9, 8 + 3, 9, 1]
    assert [player.traded_in for player in desk.now.players] == [0] * 4
    assert desk.draws.calls == [("deal", "goods", 3), ("deal", "goods", 9)]


def test_SM_11_a_half_that_too_many_cards_end_has_no_finisher() -> None:
    desk = Desk(refill="traded").goods(2, NONE).player(1, traded_in=4).public(idle=14).play("offer-1")
    desk.price(50).move(0).link()
    assert desk.now.finisher is None
    assert [player.goods for player in desk.now.players] == [9, 9 + 4, 0]


def test_SM_11_schnelles_geschaeft_counts_as_traded_in() -> None:
    desk = Desk(refill="traded").play("schnelles-geschaeft").do(Quick("butter"))
    assert [player.traded_in for player in desk.now.players] == [1, 0, 0]


def test_SM_11_as_long_as_the_pile_lasts() -> None:
    """18 cards, full hands of 6: seat 1 gets 4 cards, seat 2 has enough, seat 0 gets the last 3."""
    desk = Desk(goods=Amounts(potatoes=18), hand_goods=6)
    for seat, number in enumerate((1, 2, 9)):
        desk.goods(seat, Amounts(potatoes=number))
    desk.play(OFFER["4 potatoes"]).trade("potatoes").link()
    assert [player.goods for player in desk.now.players] == [3, 6, 9]
    assert (desk.now.goods_pile, desk.asked()) == (0, (1, "play"))


def test_SM_11_schnelles_geschaeft_ends_a_half_too() -> None:
    desk = Desk().goods(1, goods("sugar")).play("limit", "schnelles-geschaeft")
    desk.do(Quick("sugar")).link()
    assert (desk.now.half, desk.luxury(), desk.asked()) == (2, [0, 20, 0], (2, "play"))
    assert desk.now.card_under == ("limit", "schnelles-geschaeft")
    assert [player.goods for player in desk.now.players] == [9, 9, 9]


def test_SM_12_the_second_half_ends_the_game() -> None:
    desk = Desk().public(half=2).player(0, luxury=30).player(2, luxury=31).goods(1, goods("potatoes"))
    desk.play("offer-1").price(25).move(1).trade("potatoes")
    assert desk.step.pending == ()
    assert desk.step.result == Result((2, 2, 1), ((30,), (30,), (31,)))
    assert desk.log[-2:] == ("the second half is over", "the game is over; the most luxury: @2 with 31")
    assert [player.goods for player in desk.now.players] == [9, 0, 9]


def test_SM_12_a_tie_is_shared() -> None:
    desk = Desk(4).public(half=2).player(1, luxury=20).player(3, luxury=20).goods(0, goods("sugar"))
    desk.play("schnelles-geschaeft").do(Quick("sugar"))
    assert desk.step.result == Result((1, 1, 4, 1), ((20,), (20,), (0,), (20,)))
    assert desk.log[-1] == "the game is over; the most luxury: @0, @1 and @3 with 20"
    assert desk.now.card_under == ("schnelles-geschaeft",)


def test_SM_12_a_hand_emptied_in_another_way_does_not_end_a_half() -> None:
    desk = Desk().goods(1, goods("sugar", "sugar")).play("razzia")
    desk.do(Raid(1, "sugar"))
    assert (desk.at(1).goods, desk.now.half, desk.asked()) == (0, 1, (1, "play"))


def test_SM_12_fifteen_cards_in_a_row_without_a_trade_end_a_half() -> None:
    desk = Desk()
    for number in range(1, 15):
        desk.round(f"offer-{number}")
        assert (desk.now.half, desk.now.idle, desk.now.played) == (1, number, number)
    desk.play("offer-15")
    assert (desk.now.half, desk.now.idle) == (1, 15)
    desk.price(50).move(0)
    assert (desk.now.half, desk.now.idle, desk.now.played) == (2, 0, 0)
    assert "15 cards in a row were played without a trade" in desk.log
    assert desk.link().asked() == (0, "play")
    for number in range(1, 15):
        desk.round(f"offer-{number}")
    desk.play("limit")
    assert desk.step.result == Result((1, 1, 1), ((0,), (0,), (0,)))


@pytest.mark.parametrize("card", ["offer-1", "schnelles-geschaeft"])
def test_SM_12_a_goods_card_traded_in_for_the_fifteenth_card_starts_the_count_again(card: str) -> None:
    desk = Desk().public(idle=14, played=50).play(card)
    if card == "offer-1":
        desk.trade("potatoes").price(50).move(0)
    else:
        desk.do(Quick("butter"))
    assert (desk.now.half, desk.now.idle, desk.now.played, desk.asked()) == (1, 0, 51, (1, "play"))


def test_SM_12_a_text_card_counts_and_is_dealt_with_first() -> None:
    desk = Desk().public(idle=14).play("razzia")
    assert desk.now.half == 1
    desk.do(Raid(1, "sugar"))
    assert desk.log[0] == "@0 raids @1 for sugar: 1 found"
    assert (desk.now.half, desk.at(1).goods) == (2, 8)
    assert desk.link().at(1).goods == 9


def test_SM_12_a_hundred_cards_end_a_half() -> None:
    desk = Desk().public(played=98, idle=3).play("limit")
    assert (desk.now.half, desk.now.played) == (1, 99)
    desk.play("offer-1").trade("potatoes")
    assert desk.now.half == 1
    desk.price(25).move(0)
    assert (desk.now.half, desk.now.played) == (2, 0)
    assert "100 cards were played in this half" in desk.log
