"""A turn: clauses SF-16 to SF-26. Prices start at 7 everywhere unless a test says otherwise."""

from typing import Any

import pytest
from msgspec.structs import astuple, replace

from referee.errors import IllegalMove
from referee.games.schwarzer_freitag import rules
from referee.games.schwarzer_freitag.actions import do_extra
from referee.games.schwarzer_freitag.lookups import moved
from referee.games.schwarzer_freitag.scratch import Scratch
from referee.games.schwarzer_freitag.types import Buy, Cases, Extras, More, Pass, Sell, Silver

from .build import EDITION, PLENTY, Desk, cases


def test_SF_16_one_action_then_the_next_player() -> None:
    desk = Desk(3)
    assert "choose buy, sell, silver or pass" in desk.refuses(More(), "SF-16")
    for seat in (0, 1, 2):
        assert desk.asked() == (seat, "turn")
        desk.do(Pass("red"))
    assert desk.asked() == (0, "turn")


def test_SF_16_extras_alone_keep_the_turn() -> None:
    desk = Desk()
    desk.do(More((1,)))
    assert desk.asked() == (0, "turn")
    assert desk.at(0).money == 20
    desk.do(Buy(cases("red"), "red"))
    assert desk.asked() == (1, "turn")


def test_SF_16_hold_keeps_the_turn_open_for_extras_only() -> None:
    desk = Desk()
    desk.do(Pass("red", hold=True))
    assert desk.asked() == (0, "finish")
    desk.refuses(Pass("red"), "SF-16")
    desk.do(More((2,)))
    assert desk.asked() == (1, "turn")
    assert desk.at(0).money == 40
    desk.do(Pass("red", hold=True))
    desk.do(More())
    assert desk.asked() == (2, "turn")


def test_SF_16_hold_with_extras_alone_keeps_the_turn_open_again() -> None:
    desk = Desk().public(stage=3).player(0, cards=(("pass",),))
    desk.do(Pass("red", hold=True))
    for extras in ((1,), ("blue",), (2,)):
        desk.do(More(extras, hold=True))
        assert desk.asked() == (0, "finish")
    assert "or end the turn" in desk.refuses(More(hold=True), "SF-16")
    desk.do(More((1,), hold=True))
    assert desk.asked() == (1, "turn"), "nothing is left that could be added"
    assert "leave out hold" in desk.refuses(More((1,), hold=True), "SF-16")


@pytest.mark.parametrize(
    ("cards", "market", "asked"),
    [((), PLENTY, (1, "turn")), ((("pass",),), PLENTY, (0, "finish")), ((("pass",),), cases("red"), (1, "turn"))],
    ids=["no card", "card", "card but no case"],
)
def test_SF_16_hold_ends_by_itself_when_nothing_is_left(cards: Any, market: Cases, asked: tuple[int, str]) -> None:
    desk = Desk().public(market=market).player(0, subsidies=2, cards=cards)
    desk.do(Pass("red", hold=True))
    assert desk.asked() == asked


@pytest.mark.parametrize(
    ("extras", "money"),
    [((2, "red"), 38), (("red", 2), 40)],
    ids=["subsidies first", "card first"],
)
def test_SF_16_extras_happen_in_the_order_in_which_they_are_written(extras: Extras, money: int) -> None:
    """The card triggers a price change, where a subsidy that is already held costs 1."""
    desk = Desk().public(silver_strip=cases("yellow", "blue", "red", "green")).player(0, cards=(("pass",),))
    desk.do(More(extras))
    assert (desk.at(0).money, desk.at(0).subsidies, desk.now.price_changes) == (money, 2, 1)
    desk = Desk().public(silver_strip=cases("yellow", "blue", "red", "green")).player(0, money=7, cards=(("pass",),))
    desk.do(Buy(cases("red"), "red", after=extras))
    assert (desk.at(0).money, desk.at(0).subsidies, desk.now.price_changes) == (money, 2, 1)


def test_SF_16_before_the_action_the_order_is_free_too() -> None:
    for before in ((1, "red"), ("red", 1)):
        desk = Desk().player(0, cards=(("pass",),))
        desk.do(Buy(cases("blue"), "blue", before=before))
        assert (desk.at(0).money, desk.now.silver_strip) == (20 - 7, cases("red"))


def test_SF_16_extras_are_written_in_one_way_only() -> None:
    desk = Desk().public(stage=4).player(0, cards=(("pass",), ("pass",)))
    for extras in ((1, 1), ("red", "blue")):
        desk.refuses(More(extras), "SF-16")
        desk.refuses(Pass("red", before=extras), "SF-16")
        desk.refuses(Pass("red", after=extras), "SF-16")
    desk.do(Pass("red", before=("blue",), after=("green",)))
    assert desk.now.silver_strip == cases("red", "blue", "green")


def test_SF_16_not_asked_means_not_allowed() -> None:
    desk = Desk()
    with pytest.raises(IllegalMove, match="not your turn"):
        rules.check(desk.terms, desk.view(1), Pass("red"))


def test_SF_17_buy_pays_and_marks_a_bought_colour() -> None:
    desk = Desk().public(stage=2).player(0, money=30).prices(red=12)
    desk.refuses(Buy(cases("red", "blue"), "green"), "SF-17")
    desk.refuses(Buy(cases("red", "blue")), "SF-17")
    desk.refuses(Buy(cases("red", "red", "blue"), "red"), "SF-17")
    desk.refuses(Buy(cases(), "red"), "SF-17")
    desk.do(Buy(cases("red", "blue"), "blue"))
    assert desk.at(0).money == 30 - 12 - 7
    assert desk.at(0).known == desk.shares(0) == cases("red", "blue")
    assert astuple(desk.now.market) == (8, 6, 7, 8, 8)
    assert desk.now.purchase == cases("blue")


def test_SF_17_buy_needs_money_and_shares_in_the_market() -> None:
    desk = Desk().player(0, money=6)
    assert "raise 1 more" in desk.refuses(Buy(cases("red"), "red"), "SF-17")
    desk.public(market=cases("blue")).player(0, money=100)
    desk.refuses(Buy(cases("red"), "blue"), "SF-17")


def test_SF_17_buy_of_the_last_cases_marks_another_colour() -> None:
    desk = Desk().public(market=cases("red", "green", "green")).player(0, money=7)
    desk.do(Buy(cases("red"), "green"))
    assert desk.now.purchase == cases("green")
    assert (desk.at(0).money, desk.price("red")) == (0, 8)


def test_SF_17_buy_that_empties_the_market_marks_nothing() -> None:
    desk = Desk().public(market=cases("red"), purchase=cases("red", "red")).player(0, money=7)
    desk.refuses(Buy(cases("red"), "red"), "SF-17")
    desk.do(Buy(cases("red")))
    assert desk.now.purchase == cases("red", "red")
    assert desk.now.market == cases()


def test_SF_18_sell_drops_one_colour_and_takes_one_case() -> None:
    desk = Desk().public(stage=2).prices(red=12).hold(0, known=cases("red", "blue", "blue"))
    desk.refuses(Sell(cases("red", "blue"), "green", "red"), "SF-18")
    desk.refuses(Sell(cases("red", "blue"), "red", "green"), "SF-18")
    desk.refuses(Sell(cases("red", "blue"), "red"), "SF-18")
    desk.refuses(Sell(cases("red", "red"), "red", "red"), "SF-18")
    desk.refuses(Sell(cases("red", "blue", "blue"), "red", "red"), "SF-18")
    desk.do(Sell(cases("red", "blue"), "red", "blue"))
    assert desk.at(0).money == 12 + 7
    assert (desk.price("red"), desk.price("blue")) == (10, 7)
    assert astuple(desk.now.sale[0]) == (2, 1, 2, 2, 2)
    assert astuple(desk.now.market) == (8, 10, 9, 8, 8)
    assert desk.shares(0) == cases("blue")


def test_SF_18_sell_takes_another_colour_if_the_strip_has_none() -> None:
    strip = cases("blue", "blue", "green", "green", "orange", "orange", "yellow")
    desk = Desk().hold(0, known=cases("red"))
    desk.public(sale=(strip, *desk.now.sale[1:]))
    desk.refuses(Sell(cases("red"), "red", "red"), "SF-18")
    desk.do(Sell(cases("red"), "red", "yellow"))
    assert desk.now.sale[0] == cases("blue", "blue", "green", "green", "orange", "orange")


def test_SF_18_lowest_price_may_drop_and_stays() -> None:
    desk = Desk().prices(red=4).hold(0, known=cases("red"))
    desk.do(Sell(cases("red"), "red", "red"))
    assert (desk.at(0).money, desk.price("red")) == (4, 4)


def test_SF_18_sell_with_an_empty_strip_takes_nothing_and_triggers() -> None:
    desk = Desk().public(strip=1, sale=(cases(), cases(), cases())).hold(0, known=cases("red"))
    desk.refuses(Sell(cases("red"), "red", "red"), "SF-18")
    desk.do(Sell(cases("red"), "red"))
    assert desk.now.price_changes == 1


def test_SF_19_silver_costs_counts_and_becomes_gold() -> None:
    desk = Desk().public(stage=2, silver=1).player(0, money=45, silver=4, gold=1)
    desk.refuses(Silver(3, "red"), "SF-19")
    desk.refuses(Silver(1), "SF-19")
    desk.do(Silver(2, "green"))
    assert (desk.at(0).money, desk.at(0).silver, desk.at(0).gold) == (3, 1, 2)
    assert desk.now.counter == 2
    assert desk.now.silver_strip == cases("green")
    desk.refuses(Silver(1, "green"), "SF-19")  # the next player has no money


def test_SF_20_pass_places_one_case_of_any_colour() -> None:
    desk = Desk()
    desk.refuses(Pass(), "SF-20")
    desk.do(Pass("orange"))
    assert desk.now.silver_strip == cases("orange")
    assert astuple(desk.now.market) == (8, 8, 8, 8, 7)


def test_SF_20_empty_market() -> None:
    desk = Desk().public(market=cases()).player(0, money=20, cards=(("pass",),))
    desk.refuses(Pass("red"), "SF-20")
    desk.refuses(Pass(before=("red",)), "SF-22")
    desk.do(Silver(1))
    desk.do(Pass())
    assert desk.now.silver_strip == cases()
    assert desk.at(0).silver == 1


def test_SF_21_one_case_whatever_the_quantity() -> None:
    desk = Desk().public(stage=8).player(0, money=1000).hold(1, known=cases(*["blue"] * 5))
    desk.do(Buy(cases(*["red"] * 5), "red"))
    assert desk.now.purchase == cases("red")
    desk.do(Sell(cases(*["blue"] * 5), "blue", "blue"))
    assert sum(astuple(desk.now.sale[0])) == 9
    desk.player(2, money=100).do(Silver(5, "green"))
    assert desk.now.silver_strip == cases("green")


def test_SF_22_pass_card_comes_on_top_of_the_action() -> None:
    desk = Desk().player(0, cards=(("pass",),), money=7)
    desk.do(Buy(cases("red"), "red", after=("green",)))
    assert (desk.now.purchase, desk.now.silver_strip) == (cases("red"), cases("green"))
    assert (desk.at(0).cards, desk.asked()) == ((), (1, "turn"))
    assert desk.now.since == "trades"


@pytest.mark.parametrize("use", ["sell", "silver", "buy"])
def test_SF_22_plus_one_is_one_unit_more_at_the_normal_price(use: str) -> None:
    desk = Desk().player(0, money=60, cards=((use,),)).hold(0, known=cases("red", "red", "red"))
    moves = {
        "sell": lambda n: Sell(cases(*["red"] * n), "red", "red"),
        "silver": lambda n: Silver(n, "red"),
        "buy": lambda n: Buy(cases(*["red"] * n), "red"),
    }
    clause = {"sell": "SF-18", "silver": "SF-19", "buy": "SF-17"}[use]
    desk.refuses(moves[use](3), clause)
    desk.do(moves[use](2))
    assert desk.at(0).money == {"sell": 60 + 14, "silver": 60 - 40, "buy": 60 - 14}[use]
    assert desk.at(0).cards == ()


def test_SF_22_card_that_triggers_is_sent_alone_and_the_turn_goes_on() -> None:
    desk = Desk().public(silver_strip=cases("yellow", "blue", "red", "green")).player(0, cards=(("pass",),), money=40)
    assert "send the card alone" in desk.refuses(Buy(cases("red"), "red", before=("red",)), "SF-22")
    desk.next_drawn("red", "red", "red", "red", "red")
    desk.do(More(("red",)))
    assert desk.asked() == (0, "turn")
    assert desk.price("red") == 28  # five drawn: three up from 7
    desk.do(Buy(cases("red"), "red"))
    assert desk.at(0).money == 40 - 28


def test_SF_22_card_without_a_price_change_may_come_with_the_action() -> None:
    desk = Desk().public(silver_strip=cases("red", "red")).player(0, cards=(("pass",),), money=8)
    desk.refuses(Buy(cases("red"), "red", before=("blue",), after=("green",)), "SF-13")
    desk.do(Buy(cases("red"), "red", before=("red",)))
    assert desk.at(0).money == 0  # the card has made red cost 8


def test_SF_22_card_stays_if_the_refill_took_its_colour() -> None:
    strip = cases("yellow", "yellow", "blue", "blue", "green", "green")
    desk = Desk().public(strip=2, sale=(cases(), cases(), strip), market=replace(PLENTY, red=1))
    desk.player(0, cards=(("pass",),)).hold(0, known=cases("yellow"))
    desk.next_drawn("yellow", "yellow", "blue", "blue", "green")
    desk.do(Sell(cases("yellow"), "yellow", "yellow", after=(1, "red")))
    assert (desk.at(0).cards, desk.at(0).subsidies) == ((("pass",),), 1)
    assert desk.now.silver_strip == cases()
    assert desk.asked() == (1, "turn")


def test_SF_22_card_after_a_price_change_starts_the_next_strip() -> None:
    desk = Desk().public(silver_strip=cases("yellow", "blue", "red", "green")).player(0, cards=(("pass",),))
    desk.next_drawn("red", "red", "red", "red", "red")
    desk.do(Pass("blue", after=(2, "green")))
    assert desk.now.silver_strip == cases("green")
    assert (desk.now.price_changes, desk.at(0).money) == (1, 40)  # the interest came before the subsidies


def test_SF_23_last_case_leaving_the_market_moves_right() -> None:
    desk = Desk().public(market=cases("red", "blue", "blue"))
    desk.do(Pass("red"))
    assert desk.all_prices() == {"yellow": 7, "blue": 7, "red": 8, "green": 7, "orange": 7}
    desk.player(1, money=7).do(Buy(cases("blue"), "blue"))
    assert desk.price("blue") == 8


def test_SF_24_third_case_on_a_strip_moves_right_once() -> None:
    desk = Desk().public(market=replace(PLENTY, red=20))
    for price in (7, 7, 8, 8):
        desk.do(Pass("red"))
        assert desk.price("red") == price
    for price in (8, 8, 9):
        desk.player(desk.now.turn, money=10).do(Buy(cases("red"), "red"))
        assert desk.price("red") == price


@pytest.mark.parametrize(
    ("start", "up", "right", "price"),
    [
        ((12, 6), 1, 1, 238),
        ((12, 0), 1, 0, 173),
        ((3, 6), 0, 1, 54),
        ((0, 0), -1, -1, 4),
        ((0, 3), -1, 0, 6),
        ((3, 0), 0, -1, 10),
        ((0, 6), -1, -1, 8),
        ((3, 3), 2, 1, 58),
    ],
    ids=["top corner", "top", "right edge", "bottom corner", "bottom", "left edge", "bottom twice", "middle"],
)
def test_SF_25_edges(start: tuple[int, int], up: int, right: int, price: int) -> None:
    row, column = moved(EDITION, start, up, right)
    assert EDITION.prices[row][column] == price


def test_SF_26_subsidies_never_above_the_limit() -> None:
    desk = Desk().public(stage=2).player(0, subsidies=1)
    assert "take 2 or fewer" in desk.refuses(Pass("red", before=(3,)), "SF-26")
    desk.refuses(Pass("red", before=(1,), after=(2,)), "SF-26")
    desk.do(Pass("red", before=(1,), after=(1,)))
    assert (desk.at(0).subsidies, desk.at(0).money) == (3, 40)


def test_SF_22_a_card_whose_colour_a_refill_took_is_kept() -> None:
    """The refill between judging and playing may have taken the last case (SF-35): the card is then still there."""
    desk = Desk(3).player(0, cards=(("pass",),))
    for left, spent in ((1, True), (0, False)):
        s = Scratch(desk.terms, replace(desk.now, market=Cases(red=left)))
        do_extra(s, "red")
        assert (s.me.cards == ()) == spent
        assert (s.public.silver_strip == Cases(red=1)) == spent
        assert [one.what for one in s.log if one.what in ("marks", "card kept")] == ["marks" if spent else "card kept"]
        assert s.log[-1].values == {"seat": 0, "colour": "red"} or spent
