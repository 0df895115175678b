"""The four worked examples SF-E1 to SF-E4, with their exact figures."""

import pytest
from msgspec.structs import astuple

from referee.games.schwarzer_freitag import rules
from referee.games.schwarzer_freitag.types import COLOURS, Sell

from .build import EDITION, Desk, cases, plain_draws

FIRST = {"yellow": 12, "blue": 32, "red": 36, "green": 12, "orange": 19}


def first_example() -> Desk:
    """Stage 2, the prices of the first example, one black case in the bag."""
    desk = Desk().prices(**FIRST).public(stage=2, stage_black=7)
    desk.bag(black=1, **dict.fromkeys(COLOURS, 10))
    desk.change("black", "yellow", "red", "red", "red", "orange")
    return desk


def test_SF_E1_one_black_case_moves_only_silver() -> None:
    desk = first_example()
    assert desk.all_prices() == {"yellow": 19, "blue": 28, "red": 64, "green": 10, "orange": 28}
    assert EDITION.silver_track[desk.now.silver] == 21
    assert desk.now.supply_black == 0
    # 64 is stage 4: the black case is back, and those of stages 3 and 4 have joined it.
    assert (desk.now.stage, desk.now.bag_black, desk.now.stage_black) == (4, 3, 5)
    assert desk.draws.content("bag").count("black") == 3


def test_SF_E2_two_black_cases_are_subtracted() -> None:
    desk = first_example()
    desk.change("yellow", "blue", "green", "green", "green", "black", "black")
    assert desk.all_prices() == {"yellow": 12, "blue": 19, "red": 44, "green": 16, "orange": 16}
    assert desk.now.supply_black == 2
    assert EDITION.silver_track[desk.now.silver] == 25
    assert desk.now.bag_black == desk.draws.content("bag").count("black") == 1


@pytest.mark.parametrize("red", [(4, 3), (5, 1)], ids=["from 39", "from 40"])
@pytest.mark.parametrize("orange", [(5, 3), (6, 1)], ids=["from 52", "from 53"])
def test_SF_E3_sale_clears_the_second_strip(red: tuple[int, int], orange: tuple[int, int]) -> None:
    desk = Desk().prices(yellow=49, blue=112, green=81)
    yellow, blue, _, green, _ = desk.now.prices
    desk.public(prices=(yellow, blue, red, green, orange), stage=6, stage_black=3, silver=15, counter=3, strip=1)
    left = cases("yellow", "blue", "blue", "red", "green", "orange")
    desk.public(sale=(cases(), left, desk.now.sale[2]), sale_black=(0, 2, 3))
    desk.hold(0, known=cases("yellow")).bag(black=2, **dict.fromkeys(COLOURS, 10))
    desk.next_drawn("blue", "red", "red", "green", "green", "green", "green", "black", "black")
    desk.do(Sell(cases("yellow"), "yellow", "yellow"))
    assert desk.at(0).money == 49
    assert desk.all_prices() == {"yellow": 28, "blue": 92, "red": 34, "green": 108, "orange": 34}
    assert EDITION.silver_track[desk.now.silver] == 70
    assert (desk.now.counter, desk.now.stage, desk.now.strip) == (0, 6, 2)
    # Both drawn black cases are in the supply, both of strip 2 in the bag with its five coloured ones.
    assert (desk.now.supply_black, desk.now.bag_black, desk.now.sale_black) == (2, 2, (0, 0, 3))
    assert astuple(desk.now.sale[1]) == (0, 0, 0, 0, 0)
    assert desk.now.bag == desk.draws.count("bag") == 52 - 9 + 7
    # 8 of each; plus the share sold and the case from the strip, plus what was drawn.
    assert astuple(desk.now.market) == (10, 9, 10, 12, 8)


def test_SF_E4_set_up_for_four() -> None:
    desk = Desk(4)
    assert [rules.bags(desk.terms)["bag"].count(colour) for colour in COLOURS] == [14] * 5
    assert desk.draws.calls[:6] == [("deal", "bag", 5)] * 4 + [("die", "", 4), ("take", "bag", 20)]
    fresh = rules.setup(desk.terms, plain_draws(desk.terms)).public
    assert sum(astuple(fresh.market)) == 40
    assert all(getattr(fresh.market, colour) >= 4 for colour in COLOURS)
    assert fresh.bag == 70 - 20 - 20
