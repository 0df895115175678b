"""Price change, debt and the end: clauses SF-27 to SF-42. Prices start at 7 everywhere unless a test says otherwise."""

from typing import Any

import pytest
from msgspec.structs import astuple, replace

from referee.game import Result
from referee.games.schwarzer_freitag import rules
from referee.games.schwarzer_freitag.change import price_move
from referee.games.schwarzer_freitag.types import COLOURS, Buy, More, Pass, Sell, Silver

from .build import BAG, PLENTY, Desk, cases

FIVE = ("red", "red", "red", "blue", "blue")
"""A draw of five: red 19, blue 14, the others 6."""


@pytest.mark.parametrize(("seats", "full"), [(2, 5), (3, 5), (4, 5), (5, 6)])
@pytest.mark.parametrize("buys", [True, False], ids=["purchase", "silver"])
def test_SF_27_full_strip_triggers(seats: int, full: int, buys: bool) -> None:
    desk = Desk(seats, cards=False)
    for number in range(1, full + 1):
        desk.player(desk.now.turn, money=50)
        colour = COLOURS[number % 5]
        desk.do(Buy(cases(colour), colour) if buys else Pass(colour))
        assert desk.now.price_changes == (number == full)
    assert desk.now.purchase == desk.now.silver_strip == cases()


@pytest.mark.parametrize(("seats", "left"), [(2, 5), (3, 5), (4, 5), (5, 4)])
def test_SF_27_sale_strip_with_few_left_triggers(seats: int, left: int) -> None:
    desk = Desk(seats, cards=False)
    for number in range(9, left - 1, -1):
        colour = COLOURS[number % 5]
        desk.hold(desk.now.turn, known=cases(colour)).do(Sell(cases(colour), colour, colour))
        assert desk.now.price_changes == (number == left)
    assert desk.now.strip == 1


def test_SF_27_refilled_strip_with_fewer_triggers_too() -> None:
    desk = Desk().public(strip=1, sale=(cases(), cases("red", "blue"), cases())).hold(0, known=cases("red"))
    desk.do(Sell(cases("red"), "red", "red"))
    assert desk.now.price_changes == 1


def test_SF_28_interest_in_full_or_not_at_all() -> None:
    desk = Desk()
    desk.player(0, subsidies=2, money=2)
    desk.player(1, subsidies=2, money=1)
    desk.player(2, subsidies=2, money=4, debt=3)
    desk.player(3, subsidies=2, money=5, debt=3)
    desk.change(*FIVE)
    assert [(p.money, p.debt) for p in desk.now.players] == [(0, 0), (1, 2), (4, 5), (0, 0)]


def test_SF_28_interest_can_be_missed_several_times() -> None:
    desk = Desk().player(2, subsidies=2, money=1)
    desk.change(*FIVE)
    desk.change(*FIVE)
    assert (desk.at(2).money, desk.at(2).debt) == (1, 4)
    assert desk.now.due == 4  # it is the debtor's turn now


@pytest.mark.parametrize("extras", [{"before": (1,)}, {"after": (1,)}, {}], ids=["before", "after", "by itself"])
def test_SF_29_debt_is_settled_from_a_subsidy_before_or_after_the_action(extras: dict[str, Any]) -> None:
    desk = Desk().player(0, subsidies=1, debt=9, money=7)
    desk.do(Buy(cases("red"), "red", **extras))
    assert (desk.at(0).money, desk.at(0).debt, desk.at(0).subsidies) == (7 - 7 + 20 - 9, 0, 2)


def test_SF_29_a_turn_held_open_settles_the_debt_at_its_end() -> None:
    desk = Desk().public(stage=2).player(0, subsidies=1, debt=9)
    desk.do(Pass("red", hold=True))
    assert (desk.asked(), desk.at(0).debt) == ((0, "finish"), 9)
    desk.do(More())
    assert (desk.asked(), desk.at(0).money, desk.at(0).debt, desk.at(0).subsidies) == ((1, "turn"), 11, 0, 2)


def test_SF_29_what_the_debt_needs_is_not_spent_before_the_subsidies() -> None:
    desk = Desk().prices(red=19).public(stage=2).player(0, subsidies=2, debt=33, money=24)
    # The last subsidy makes it 44, of which the debt leaves 11: a share for 7, but no bar for 20 and none for 19.
    for action in (Buy(cases("red"), "red"), Buy(cases("blue", "blue"), "blue"), Silver(1, "red")):
        assert "leaves you only 11 to spend" in desk.refuses(action, "SF-29")
    desk.do(Buy(cases("blue"), "blue"))
    assert (desk.at(0).money, desk.at(0).debt, desk.at(0).subsidies) == (24 - 7 + 20 - 33, 0, 3)


def test_SF_29_what_is_due_is_settled_although_interest_is_added_in_the_turn() -> None:
    desk = Desk().player(0, subsidies=1, debt=20)
    desk.change(*FIVE)
    # 1 interest is added; the last subsidy of 20 pays what was due, and the 1 waits.
    assert (desk.at(0).money, desk.at(0).debt, desk.at(0).subsidies) == (0, 1, 2)


def test_SF_29_with_too_little_room_the_debtor_sells() -> None:
    desk = Desk().player(0, subsidies=1, debt=25).hold(0, known=cases("red", "blue"))
    assert "sell shares" in desk.refuses(Pass("red"), "SF-29")
    assert "sell shares" in desk.refuses(Pass("red", before=(1,)), "SF-29")
    desk.do(Sell(cases("red"), "red", "red"))
    assert (desk.at(0).money, desk.at(0).debt, desk.at(0).subsidies) == (7 + 20 - 25, 0, 2)


def test_SF_29_with_some_room_the_sale_covers_the_rest_if_one_can() -> None:
    desk = Desk().prices(red=12).player(0, subsidies=1, debt=30).hold(0, known=cases("red", "blue"))
    assert "sell for 10 or more" in desk.refuses(Sell(cases("blue"), "blue", "blue"), "SF-29")
    desk.do(Sell(cases("red"), "red", "red"))
    assert (desk.at(0).money, desk.at(0).debt, desk.at(0).subsidies) == (12 + 20 - 30, 0, 2)


def test_SF_29_pass_card_is_allowed_while_in_debt() -> None:
    desk = Desk().player(0, subsidies=1, debt=2, cards=(("pass",),))
    desk.do(More(("red",)))
    assert (desk.asked(), desk.now.due) == ((0, "turn"), 2)


def test_SF_29_without_room_the_debtor_sells() -> None:
    desk = Desk().player(0, subsidies=2, debt=2).hold(0, hidden=cases("red"))
    assert "sell shares" in desk.refuses(Pass("red"), "SF-29")
    desk.do(Sell(cases("red"), "red", "red"))
    assert (desk.at(0).money, desk.at(0).debt) == (5, 0)


def test_SF_29_without_room_the_sale_covers_the_debt_if_one_can() -> None:
    desk = Desk().prices(red=12).player(0, subsidies=2, debt=10, money=1).hold(0, known=cases("red", "blue"))
    assert "sell for 9 or more" in desk.refuses(Sell(cases("blue"), "blue", "blue"), "SF-29")
    desk.do(Sell(cases("red"), "red", "red"))
    assert (desk.at(0).money, desk.at(0).debt) == (3, 0)


def test_SF_29_a_sale_with_the_card_counts_as_one_that_can() -> None:
    desk = Desk().player(0, subsidies=2, debt=13, cards=(("sell",),)).hold(0, known=cases("red", "blue"))
    desk.refuses(Sell(cases("blue"), "blue", "blue"), "SF-29")
    desk.do(Sell(cases("red", "blue"), "blue", "blue"))
    assert (desk.at(0).money, desk.at(0).debt, desk.at(0).cards) == (1, 0, ())


def test_SF_29_any_sale_will_do_if_none_covers() -> None:
    desk = Desk().prices(red=12).player(0, subsidies=2, debt=30).hold(0, known=cases("red", "blue"))
    desk.do(Sell(cases("blue"), "blue", "blue"))
    assert (desk.at(0).money, desk.at(0).debt, desk.at(0).subsidies) == (7, 30, 2)
    assert desk.asked() == (1, "turn")


def test_SF_29_debt_left_after_a_sale_takes_subsidies() -> None:
    desk = Desk().player(0, subsidies=0, debt=10).hold(0, known=cases("red"))
    desk.do(Sell(cases("red"), "red", "red"))
    assert (desk.at(0).money, desk.at(0).debt, desk.at(0).subsidies) == (7 + 20 - 10, 0, 1)


def test_SF_29_with_room_a_sale_need_not_cover_the_debt() -> None:
    desk = Desk().prices(red=12).player(0, subsidies=1, debt=10).hold(0, known=cases("red", "blue"))
    desk.do(Sell(cases("blue"), "blue", "blue"))
    assert (desk.at(0).money, desk.at(0).debt, desk.at(0).subsidies) == (7 + 20 - 10, 0, 2)


def test_SF_29_room_opened_by_the_sale_itself_is_used() -> None:
    desk = Desk().prices(red=54).player(0, subsidies=2, debt=30).hold(0, known=cases("blue"))
    desk.public(sale=(cases("red", "red", "blue", "blue", "green", "green"), *desk.now.sale[1:]))
    desk.next_drawn(*["red"] * 5).do(Sell(cases("blue"), "blue", "blue"))
    # Red at 108 is stage 6 with six subsidies; 30 + 2 owed, 7 in hand: two subsidies.
    assert (desk.at(0).money, desk.at(0).debt, desk.at(0).subsidies) == (7 + 40 - 32, 0, 4)


def test_SF_29_once_paid_the_debt_binds_no_more() -> None:
    desk = Desk().player(0, subsidies=0, debt=2).hold(0, known=cases("red"))
    desk.do(More((1,)))
    assert (desk.at(0).money, desk.at(0).debt, desk.now.due) == (18, 0, 0)
    desk.do(Buy(cases("red"), "red"))
    assert (desk.at(0).money, desk.at(0).subsidies) == (11, 1)


def test_SF_29_sale_counts_before_its_price_change() -> None:
    desk = Desk().public(stage=2).player(0, subsidies=3, debt=5).hold(0, known=cases("red"))
    desk.public(sale=(cases("red", "red", "blue", "blue", "green", "green"), *desk.now.sale[1:]))
    desk.next_drawn(*FIVE, "green").do(Sell(cases("red"), "red", "red"))
    # 7 pays the 5; the 2 left cannot pay the new interest of 3.
    assert (desk.at(0).money, desk.at(0).debt) == (2, 3)


def test_SF_29_neither_room_nor_share_leaves_every_action() -> None:
    desk = Desk().player(0, subsidies=2, debt=30, money=20)
    for action in (Buy(cases("red"), "red"), Pass("red")):
        rules.check(desk.terms, desk.view(0), action)
    desk.do(Silver(1, "red"))
    assert (desk.at(0).money, desk.at(0).debt, desk.at(0).silver) == (0, 30, 1)


def test_SF_29_room_that_opens_in_the_turn_is_used() -> None:
    desk = Desk().prices(red=54).player(0, subsidies=2, debt=30)
    desk.change(*["red"] * 5)
    # Stage 6 allows six subsidies: two of them pay the 30 that were due and the 2 of this turn.
    assert (desk.now.stage, desk.at(0).debt, desk.at(0).subsidies, desk.at(0).money) == (6, 0, 4, 8)


def test_SF_29_debt_that_arises_in_the_turn_is_due_next_turn() -> None:
    desk = Desk().public(silver_strip=cases("yellow", "blue", "red", "green"))
    desk.player(0, subsidies=1, money=0, cards=(("pass",),)).next_drawn(*FIVE)
    desk.do(More(("red",)))
    assert (desk.at(0).debt, desk.now.due, desk.asked()) == (1, 0, (0, "turn"))
    desk.do(Pass("red"))
    for _ in range(3):
        desk.do(Pass("blue"))
    assert (desk.at(0).debt, desk.now.due, desk.asked()) == (1, 1, (0, "turn"))


@pytest.mark.parametrize(("stage", "drawn"), [(0, 5), (2, 6), (5, 8), (9, 11)])
def test_SF_30_as_many_as_the_stage_says(stage: int, drawn: int) -> None:
    desk = Desk().public(stage=stage, stage_black=9 - stage, silver_strip=cases("yellow", "blue", "red", "green"))
    desk.do(Pass("orange"))
    assert ("take", "bag", drawn) in desk.draws.calls


def test_SF_30_or_all_that_are_left() -> None:
    desk = Desk().bag(red=1, blue=1)
    desk.change("red", "blue")
    assert desk.all_prices() == {"yellow": 6, "blue": 12, "red": 12, "green": 6, "orange": 6}
    assert desk.now.bag == 5 + 1  # the emptied strip, and the black case of stage 1


def test_SF_31_one_black_case_returns_and_subtracts_nothing() -> None:
    desk = Desk().bag(**BAG, black=3)
    desk.change("red", "red", "red", "blue", "black")
    assert desk.all_prices() == {"yellow": 6, "blue": 12, "red": 19, "green": 6, "orange": 6}
    assert (desk.now.silver, desk.now.supply_black) == (1, 0)
    assert desk.now.bag_black == desk.draws.content("bag").count("black") == 3 + 2  # stages 1 and 2 add one each


def test_SF_32_more_black_cases_subtract_and_go_to_the_supply() -> None:
    desk = Desk().bag(**BAG, black=3).prices(**dict.fromkeys(COLOURS, 39))
    desk.public(stage=2, stage_black=7)
    desk.change("red", "red", "red", "blue", "black", "black")
    # red 1: up; blue -1: down; the others -2: down and left.
    assert desk.all_prices() == {"yellow": 24, "blue": 28, "red": 52, "green": 24, "orange": 24}
    assert (desk.now.silver, desk.now.supply_black) == (2, 2)
    assert desk.now.bag_black == 1 + 2  # stages 3 and 4 add one each


@pytest.mark.parametrize(
    ("number", "up", "right"),
    [
        (-5, -3, 0),
        (-4, -2, -1),
        (-3, -2, 0),
        (-2, -1, -1),
        (-1, -1, 0),
        (0, 0, -1),
        (1, 1, 0),
        (2, 1, 1),
        (3, 2, 0),
        (4, 2, 1),
        (5, 3, 0),
        (6, 3, 1),
        (7, 4, 0),
    ],
)
def test_SF_33_price_moves(number: int, up: int, right: int) -> None:
    assert price_move(number) == (up, right)


def test_SF_33_vertical_first_then_horizontal() -> None:
    # From 36 (row 4, column 5) six cases: three up, then right; at the right edge the step right becomes up.
    desk = Desk().prices(red=40, blue=36).public(stage=7, stage_black=2)
    desk.change("red", "red", "blue", "blue", "blue", "blue", "blue", "blue", "green")
    assert desk.price("blue") == 88
    assert desk.price("red") == 70


def test_SF_34_drawn_cases_to_the_market_and_the_strip_into_the_bag() -> None:
    desk = Desk()
    desk.change(*FIVE)
    assert astuple(desk.now.market) == (8, 10, 11, 8, 7)
    assert desk.now.silver_strip == cases()
    assert desk.now.bag - desk.now.bag_black == 50 - 5 + 5
    assert [desk.draws.content("bag").count(colour) for colour in COLOURS] == [11, 9, 8, 11, 11]


def test_SF_34_sale_strips_follow_one_another() -> None:
    desk = Desk()
    for strip, black in ((0, 1), (1, 3), (2, 6)):
        assert desk.now.strip == strip
        assert desk.now.sale_black == (0,) * strip + (1, 2, 3)[strip:]
        rest = list(desk.now.sale)
        rest[strip] = cases("red", "red", "blue", "blue", "green", "green")
        desk.public(sale=tuple(rest), stage=9, stage_black=0)
        desk.hold(desk.now.turn, known=cases("red")).next_drawn(*["red", "blue", "green"] * 3, "orange", "orange")
        desk.do(Sell(cases("red"), "red", "red"))
        assert desk.now.bag_black == desk.draws.content("bag").count("black") == black


def test_SF_35_strip_two_is_refilled_from_the_market_again_and_again() -> None:
    last = cases("yellow", "yellow", "blue", "blue", "green", "green")
    desk = Desk().public(strip=2, sale=(cases(), cases(), last), sale_black=(0, 0, 3), supply_black=3)
    desk.public(market=replace(PLENTY, red=0)).hold(0, known=cases("yellow"))
    desk.next_drawn("yellow", "yellow", "yellow", "yellow", "red")
    desk.do(Sell(cases("yellow"), "yellow", "yellow"))
    assert [astuple(strip) for strip in desk.now.sale] == [(0,) * 5, (2, 2, 1, 2, 2), (0,) * 5]
    assert (desk.now.strip, desk.now.sale_black, desk.now.supply_black) == (1, (0, 2, 0), 1)
    assert desk.now.bag_black == 3 + 2  # stages 1 and 2 add one each
    assert desk.now.market.red == 0
    # One red drawn: up to 12. The refill took it: no step right, but SF-36: up to 19.
    assert desk.price("red") == 19
    nearly = cases("yellow", "yellow", "blue", "blue", "green", "green")
    desk.public(sale=(cases(), nearly, cases())).hold(1, known=cases("green"))
    desk.next_drawn("red", "red", "red", "blue", "blue", "blue").do(Sell(cases("green"), "green", "green"))
    assert (desk.now.strip, astuple(desk.now.sale[1])) == (1, (2, 2, 2, 2, 2))
    assert (desk.now.sale_black, desk.now.supply_black) == ((0, 1, 0), 0)


def test_SF_36_colour_missing_in_the_market_moves_up() -> None:
    desk = Desk().public(market=replace(PLENTY, green=0))
    desk.change(*FIVE)
    assert desk.price("green") == 10  # none drawn: left to 6, then up
    assert desk.price("yellow") == 6


@pytest.mark.parametrize(("bought", "steps"), [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2)])
def test_SF_37_silver_rises_for_every_three_bars(bought: int, steps: int) -> None:
    desk = Desk().public(counter=bought)
    desk.change(*FIVE)
    assert (desk.now.silver, desk.now.counter) == (steps, 0)


def test_SF_38_skipped_stages_give_their_black_cases() -> None:
    desk = Desk().prices(red=54)
    desk.change("red", "red", "red", "red", "red")
    assert desk.price("red") == 108
    assert (desk.now.stage, desk.now.stage_black) == (6, 3)
    assert desk.now.bag_black == desk.draws.content("bag").count("black") == 6


def test_SF_38_stage_is_reached_at_exactly_its_price() -> None:
    desk = Desk().public(prices=((0, 3), (0, 3), (1, 2), (0, 3), (0, 3)))
    desk.change("red", "blue", "blue", "green", "green")
    assert (desk.price("red"), desk.price("blue")) == (16, 14)
    assert (desk.now.stage, desk.now.stage_black) == (1, 8)


def test_SF_38_stages_never_go_down() -> None:
    desk = Desk().public(stage=3, stage_black=6)
    desk.change("red", "red", "red", "blue", "blue", "green", "green")
    assert (desk.now.stage, desk.now.stage_black) == (3, 6)


def test_SF_39_end_at_silver_100() -> None:
    desk = Desk().public(silver=23, counter=6).bag(**BAG, black=1).player(0, cards=(("pass",),))
    desk.hold(1, known=cases("red", "red"), hidden=cases("blue")).player(1, money=90, subsidies=1, silver=4)
    desk.player(2, money=1, subsidies=2, debt=3).player(3, gold=1, money=9)
    desk.public(silver_strip=cases("yellow", "blue", "red", "green")).next_drawn("black", "red", "red", "blue", "green")
    desk.do(Pass("orange", after=(1, "red"), hold=True))
    # The price change is completed: two red 14, one blue and one green 12, the others 6, stage 1. The rest of the turn
    # is forfeited.
    assert desk.all_prices() == {"yellow": 6, "blue": 12, "red": 14, "green": 12, "orange": 6}
    assert (desk.now.stage, desk.now.silver, desk.at(0).cards) == (1, 24, (("pass",),))
    # Seat 0: two subsidies. Seat 1: 90 - 1 + 28 + 12 + 20 = 149. Seat 2: 1 against 5 owed. Seat 3: 9 + 40.
    assert desk.step.result == Result((3, 1, 4, 1), ((0, 0, 40), (1, 0, 49), (0, 0, 0), (1, 0, 49)))
    assert (desk.at(2).debt, desk.at(1).subsidies) == (4, 2)
    assert desk.step.pending == ()
    assert desk.draws.content("hand/1") == ()
    assert desk.shares(1) == cases()
    assert astuple(desk.now.market) == (8, 8 + 1 + 1, 8 + 2 + 2, 8 + 1, 7)


@pytest.mark.parametrize(
    ("first", "second"),
    [((2, 0, 0), (1, 4, 59)), ((1, 3, 0), (1, 2, 59)), ((1, 3, 41), (1, 3, 40))],
    ids=["gold", "silver", "money"],
)
def test_SF_40_ranks(first: tuple[int, int, int], second: tuple[int, int, int]) -> None:
    for swap in (False, True):
        desk = Desk(3).public(silver=23).bag(**BAG, black=1)
        for seat, (gold, silver, money) in enumerate([second, first] if swap else [first, second]):
            desk.player(seat, gold=gold, silver=silver, money=money + 2, subsidies=2)
        desk.change("black", "red", "red", "red", "red")
        assert desk.step.result is not None
        assert desk.step.result.ranks == ((2, 1, 3) if swap else (1, 2, 3))


def test_SF_41_bars_are_not_limited() -> None:
    desk = Desk().player(0, gold=20, silver=4, money=20)
    desk.do(Silver(1, "red"))
    assert (desk.at(0).gold, desk.at(0).silver) == (21, 0)


def test_SF_42_a_round_of_passes_with_an_empty_market_raises_silver() -> None:
    desk = Desk().public(market=cases()).bag(**BAG, black=1)
    for silver in (0, 1):
        for seat in range(4):
            assert (desk.now.silver, desk.now.passes) == (silver, seat)
            desk.do(Pass())
    assert (desk.now.silver, desk.now.passes) == (2, 0)


def test_SF_42_another_action_begins_the_round_again() -> None:
    desk = Desk().public(market=cases(), passes=3).player(0, money=20)
    desk.do(Silver(1))
    assert (desk.now.silver, desk.now.passes) == (0, 0)
    desk.public(market=cases("red"), passes=3).do(Pass("red"))
    assert (desk.now.silver, desk.now.passes) == (0, 0), "the market was not empty"


@pytest.mark.parametrize(
    ("black", "since", "steps"),
    [(0, "passes", 1), (0, "nothing", 1), (0, "trades", 0), (2, "passes", 0)],
    ids=["passes", "its own pass", "a trade", "a black case in the bag"],
)
def test_SF_42_a_price_change_after_nothing_but_passes_raises_silver(black: int, since: str, steps: int) -> None:
    desk = Desk().bag(**BAG, black=black).public(since=since)
    desk.change(*FIVE)
    assert (desk.now.silver, desk.now.since) == (steps, "nothing")


def test_SF_42_a_card_right_after_the_price_change_of_a_trade_is_not_a_pass() -> None:
    four = cases("yellow", "blue", "red", "green")
    desk = Desk().public(purchase=four, silver_strip=four).player(0, money=7, cards=(("pass",),)).bag(**BAG)
    desk.next_drawn(*["red", "blue", "green", "yellow", "orange"] * 2)
    desk.do(Buy(cases("orange"), "orange", after=("orange",)))
    assert (desk.now.price_changes, desk.now.silver) == (2, 0)


@pytest.mark.parametrize("trade", [Buy(cases("red"), "red"), Sell(cases("red"), "red", "red"), Silver(1, "red")])
def test_SF_42_any_trade_since_the_last_price_change_counts(trade: Buy | Sell | Silver) -> None:
    desk = Desk().public(since="nothing").player(0, money=20).hold(0, known=cases("red"))
    desk.do(trade)
    desk.change(*FIVE)
    assert desk.now.silver == 0
    desk.change(*FIVE)
    assert desk.now.silver == 0, "stage 1 put a black case into the bag"
    desk.bag(**BAG).change(*FIVE)
    assert desk.now.silver == 1, "since then there were only passes"


def test_SF_42_the_trade_that_triggers_counts_too() -> None:
    desk = Desk().public(since="nothing", silver_strip=cases("yellow", "blue", "red", "green")).player(0, money=20)
    desk.next_drawn(*FIVE).do(Silver(1, "orange"))
    assert (desk.now.price_changes, desk.now.silver) == (1, 0)


def test_SF_42_two_players_who_pass_at_the_start_change_nothing() -> None:
    desk = Desk(2).public(since="nothing")
    desk.do(Pass("red"))
    desk.do(Pass("blue"))
    assert (desk.now.silver, desk.told()) == (0, ["@1 passes, marks blue"])


@pytest.mark.parametrize("empty", [True, False], ids=["empty market", "price change"])
def test_SF_42_can_end_the_game(empty: bool) -> None:
    desk = Desk().public(silver=23)
    if empty:
        desk.public(market=cases(), passes=3).do(Pass(after=(1,)))
    else:
        desk.public(since="nothing").change(*FIVE)
    assert desk.step.result is not None
    assert desk.step.pending == ()
    assert "all players have passed" in desk.told()
    assert "@0 takes 1 subsidy for 20" not in desk.told(), "the rest of the turn is forfeited"
