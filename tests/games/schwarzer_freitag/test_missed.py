"""Missed deadlines: clauses SF-43 to SF-45. Prices start at 7 everywhere unless a test says otherwise."""

import pytest

from referee.games.schwarzer_freitag import rules
from referee.games.schwarzer_freitag.types import Cases, Pass

from .build import Desk, cases, plain_draws


def sold_by(desk: Desk) -> tuple[Cases, int]:
    """What a missed deadline sells, and how many shares of it the seed picked."""
    calls = len(desk.draws.calls)
    step = desk.do(None)
    assert desk.asked() == (1, "turn")
    picked = sum(number for call, bag, number in desk.draws.calls[calls:] if (call, bag) == ("take", "hand/0"))
    (sale,) = [note for note in step.log if note.what == "sells"]
    return cases(*sale.values["shares"]), picked


def test_SF_43_a_turn_passes_with_the_commonest_colour() -> None:
    desk = Desk().public(market=cases("green", "green", "red", "red", "blue"))
    desk.do(None)
    assert desk.told() == ["@0 passes, marks red"]
    assert (desk.now.silver_strip, desk.asked()) == (cases("red"), (1, "turn"))
    desk.public(market=cases()).do(None)
    assert desk.told() == ["@1 passes"]


def test_SF_43_a_debt_that_is_not_due_yet_changes_nothing() -> None:
    desk = Desk().player(0, debt=9).hold(0, known=cases("red")).public(due=0)
    desk.do(None)
    assert desk.told() == ["@0 passes, marks yellow"]
    assert (desk.at(0).debt, desk.at(0).subsidies) == (9, 0)


def test_SF_44_subsidies_come_first() -> None:
    desk = Desk().public(stage=4).player(0, subsidies=1, debt=25).hold(0, known=cases("red"))
    desk.do(None)
    assert (desk.at(0).subsidies, desk.at(0).money, desk.at(0).debt) == (3, 15, 0)
    assert desk.told()[-1] == "@0 passes, marks yellow"


def test_SF_44_without_room_or_shares_the_debt_stays() -> None:
    desk = Desk().player(0, subsidies=2, debt=25, money=3)
    desk.do(None)
    assert (desk.at(0).debt, desk.told()) == (25, ["@0 passes, marks yellow"])


@pytest.mark.parametrize(
    ("debt", "sold"),
    [
        (5, cases("blue")),
        (9, cases("red")),
        (13, cases("blue", "blue")),
        (25, cases("red", "blue", "blue")),
        (50, cases("blue")),
    ],
)
def test_SF_44_the_fewest_then_cheapest_known_shares_that_cover(debt: int, sold: Cases) -> None:
    desk = Desk().prices(red=12).public(stage=4)
    desk.player(0, subsidies=4, debt=debt).hold(0, known=cases("red", "blue", "blue"))
    assert sold_by(desk) == (sold, 0)


def test_SF_44_what_subsidies_leave_open_is_sold() -> None:
    desk = Desk().prices(red=12).public(stage=4).player(0, subsidies=3, debt=30)
    assert sold_by(desk.hold(0, known=cases("red", "blue"))) == (cases("red"), 0)
    assert (desk.at(0).subsidies, desk.at(0).money, desk.at(0).debt) == (4, 2, 0)


def test_SF_44_hidden_shares_stay_hidden_while_known_ones_cover() -> None:
    desk = Desk().public(stage=4).player(0, subsidies=4, debt=14)
    assert sold_by(desk.hold(0, cases("red", "blue"), cases("green", "green"))) == (cases("red", "blue"), 0)
    assert desk.at(0).unknown == 2


@pytest.mark.parametrize(
    ("debt", "sold", "picked"),
    [
        (15, cases("blue", "red"), 1),
        (20, cases("blue", "red", "red"), 2),
        (99, cases("blue", "red", "red"), 2),
    ],
    ids=["one is enough", "two are", "the limit is reached"],
)
def test_SF_44_then_hidden_shares_that_the_seed_picks(debt: int, sold: Cases, picked: int) -> None:
    desk = Desk().prices(red=12).public(stage=4).player(0, subsidies=4, debt=debt)
    desk.hold(0, cases("blue"), cases("red", "red", "red", "green")).next_drawn("red", "red")
    assert sold_by(desk) == (sold, picked)
    assert (desk.at(0).known, desk.at(0).unknown) == (cases(), 4 - picked)
    assert desk.draws.count("hand/0") == 4 - picked


def test_SF_44_a_card_widens_the_limit_and_no_hidden_share_may_be_left() -> None:
    desk = Desk().player(0, subsidies=2, debt=30, cards=(("sell",),)).hold(0, hidden=cases("red", "blue"))
    assert sold_by(desk) == (cases("red", "blue"), 2)
    assert (desk.at(0).unknown, desk.at(0).cards, desk.at(0).debt) == (0, (), 30)


def test_SF_44_known_shares_up_to_the_limit_leave_no_place_for_hidden_ones() -> None:
    desk = Desk().prices(red=12).public(stage=2).player(0, subsidies=3, debt=50)
    desk.hold(0, cases("red", "blue", "blue"), cases("green"))
    assert sold_by(desk) == (cases("red", "blue"), 0)


def test_SF_44_the_case_from_the_strip() -> None:
    for strip, mark in ((cases("red", "green", "green"), "red"), (cases("green", "green", "yellow"), "green")):
        desk = Desk().public(stage=4).player(0, subsidies=4, debt=14).hold(0, cases("red", "blue"))
        desk.public(sale=(strip, *desk.now.sale[1:])).do(None)
        assert f"@0 sells blue, red for 14, marks {mark}" in desk.told()
        assert "blue 7 -> 6" in desk.told()


def test_SF_45_placing_before_the_first_turn() -> None:
    desk = Desk(2)
    desk.step = rules.setup(desk.terms, plain_draws(desk.terms, dice=[1]))
    desk.public(market=cases("orange", "green", "green")).do(None)
    assert (desk.now.purchase, desk.asked()) == (cases("green"), (1, "place"))
    desk.do(None)
    assert (desk.now.purchase, desk.asked()) == (cases("green", "green"), (0, "turn"))


def test_SF_45_a_turn_kept_open_ends() -> None:
    desk = Desk()
    desk.do(Pass("red", hold=True))
    before = desk.now.players
    desk.do(None)
    assert (desk.asked(), desk.now.players, desk.told()) == ((1, "turn"), before, [])
