"""One test or more per clause of the additions of 2003 (RULES.md); the name of a test starts with its clause."""

import pytest

from referee.games.mark import rules
from referee.games.mark.lookups import liquidation_value, lowest_bid
from referee.games.mark.types import Bid, Buy, Field, Lot, Nothing, Offer, Shift

from .build import BASE, EMPTY, Desk, auction

PASS = Bid(0, None)

# --- instead of rolling ----------------------------------------------------------------------------------------------


def test_MK_12_a_piece_can_be_bought_instead_of_rolling() -> None:
    desk = Desk().do(Buy("composite", "d3"))
    assert desk.at().delivery == (None, None, "composite", None)
    assert (desk.at().money, desk.bank("composite")) == (25, 7)
    assert desk.asked() == ([1], "turn")
    assert desk.draws.calls == []


def test_MK_12_MK_13_the_last_money_is_enough() -> None:
    bought = Desk(2).money(5, 30).do(Buy("glass", "d1"))
    moved = Desk(2).plant(0, d1="glass").money(10, 30).do(Shift("d1", "p1"))
    assert bought.purse() == moved.purse() == [0, 30]
    assert "@0 buys glass for 5" in bought.log


def test_MK_12_what_cannot_be_bought() -> None:
    desk = Desk().plant(0, d1="glass").public(bank=(0, 8, 8, 8, 8))
    desk.refuses(Buy("glass", "d2"), "MK-12")
    desk.refuses(Buy("paper", "d1"), "MK-12")
    desk.refuses(Buy("paper", "p1"), "MK-12")
    desk.refuses(Nothing(), "MK-6")
    desk.money(4, 30, 30).refuses(Buy("paper", "d2"), "MK-12")
    Desk(buy=False).refuses(Buy("paper", "d2"), "MK-12")


def test_MK_12_a_kind_whose_row_is_full_can_be_bought() -> None:
    assert Desk().row(0, "glass", 5).do(Buy("glass", "d1")).at().delivery[0] == "glass"


def test_MK_13_a_piece_can_be_moved_instead_of_rolling() -> None:
    desk = Desk().plant(0, d1="metal").do(Shift("d1", "p2"))
    assert (desk.at().delivery, desk.at().processing) == (EMPTY, (None, "metal", None, None))
    assert (desk.at().money, desk.asked()) == (20, ([1], "turn"))
    assert "@0 moves metal from d1 to p2 for 10" in desk.log


def test_MK_13_what_cannot_be_moved() -> None:
    desk = Desk().plant(0, d1="glass", p1="glass")
    desk.refuses(Shift("d1", "p1"), "MK-13")
    desk.refuses(Shift("d1", "p3"), "MK-2")
    desk.refuses(Shift("d2", "p2"), "MK-13")
    desk.refuses(Shift("p1", "p2"), "MK-13")
    desk.refuses(Shift("d1", "d2"), "MK-13")
    desk.money(9, 30, 30).refuses(Shift("d1", "p2"), "MK-13")
    Desk(move=False).plant(0, d1="glass").refuses(Shift("d1", "p2"), "MK-13")


@pytest.mark.parametrize(
    ("options", "money", "asked"),
    [
        ({}, 30, "turn"),
        ({}, 5, "turn"),
        ({}, 4, "act"),
        ({"buy": False}, 10, "turn"),
        ({"buy": False}, 9, "act"),
        ({"buy": False, "move": False}, 30, "act"),
    ],
)
def test_MK_13_whoever_can_neither_buy_nor_move_rolls_at_once(options: dict[str, bool], money: int, asked: str) -> None:
    desk = Desk(2, **options).plant(1, d1="glass").money(30, money).roll("paper", "star")
    desk.do(Nothing(), *(("paper", "star") if asked == "act" else ()))
    assert desk.asked() == ([1], asked)


# --- offers ----------------------------------------------------------------------------------------------------------


def rolled() -> Desk:
    """Hammer and metal; the roller, seat 2 of four, holds metal, and so do seats 1 and 3."""
    desk = Desk(4).turn(2).plant(1, d1="metal").plant(2, p1="metal").plant(3, d4="metal", p4="metal")
    return desk.roll("hammer", "metal")


def test_MK_14_all_holders_are_asked_at_once_and_sealed() -> None:
    desk = rolled()
    assert desk.asked() == ([1, 2, 3], "offer")
    assert {ask.sealed for ask in desk.pending} == {("field",)}
    desk.refuses(Offer("d2"), "MK-14", 1)
    desk.refuses(Offer("d9"), "MK-14", 1)
    desk.refuses(PASS, "MK-14", 1)
    desk.refuses(Offer(None), "MK-4", 0)


def test_MK_14_only_a_piece_of_the_rolled_colour_can_be_offered() -> None:
    desk = Desk().plant(0, d1="glass", d2="metal").roll("hammer", "metal")
    assert desk.asked() == ([0], "offer")
    assert "there is no metal on d1" in desk.refuses(Offer("d1"), "MK-14")
    rules.check(desk.terms, desk.seen(0), Offer("d2"))


@pytest.mark.parametrize(
    ("willing", "first"), [({1, 2, 3}, 2), ({1, 3}, 3), ({1}, 1), ({2}, 2), ({1, 2}, 2), (set(), None)]
)
def test_MK_14_the_first_offer_clockwise_from_the_roller_counts(willing: set[int], first: int | None) -> None:
    fields: dict[int, Field] = {1: "d1", 2: "p1", 3: "d4"}
    desk = rolled().all({seat: Offer(field if seat in willing else None) for seat, field in fields.items()})
    assert desk.now.lot == (Lot("metal") if first is None else Lot("metal", first, fields[first]))
    order = [2, 3, 1]
    asked = order if first is None else order[: order.index(first) + 1]
    assert desk.draws.shown == [(seat, ("field",)) for seat in asked]
    assert desk.asked() == ([seat for seat in range(4) if seat != first], "bid")
    told = " ".join(desk.log)
    assert ("nobody offers a piece" if first is None else f"@{first} offers metal from {fields[first]}") in told
    assert not [seat for seat in fields if seat != first and f"@{seat}" in told]


def test_MK_14_the_owner_receives_the_winning_bid() -> None:
    desk = auction(Lot("metal", 1, "d1")).all({0: Bid(7, "d4"), 2: Bid(6, "d1")})
    assert desk.purse() == [23, 37, 30]
    assert (desk.at(0).delivery[3], desk.at(1).delivery[0]) == ("metal", None)
    assert desk.bank("metal") == 7
    assert "@0 wins metal for 7 from @1" in desk.log
    assert desk.asked() == ([0], "turn")


def test_MK_14_without_the_option_nobody_is_asked() -> None:
    desk = Desk(offer=False).plant(0, d1="metal").roll("hammer", "metal")
    assert (desk.asked(), desk.now.lot) == (([0, 1, 2], "bid"), Lot("metal"))


def test_MK_14_nobody_offers_and_the_bank_has_none() -> None:
    desk = Desk().plant(1, d1="metal").public(bank=(8, 8, 8, 0, 8)).roll("hammer", "metal").do(Offer(None))
    assert desk.asked() == ([0], "turn")
    assert desk.now.lot is None


def test_MK_14_a_players_piece_can_be_offered_when_the_bank_has_none() -> None:
    desk = Desk().plant(1, d1="metal").public(bank=(8, 8, 8, 0, 8)).roll("hammer", "metal").do(Offer("d1"))
    assert (desk.asked(), desk.now.lot) == (([0, 2], "bid"), Lot("metal", 1, "d1"))


# --- liquidation -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "pieces", "value", "lowest"),
    [(2, 1, 5, 5), (2, 2, 7, 7), (2, 3, 10, 10), (2, 4, 12, 12), (2, 5, 0, 1), (4, 4, 15, 15), (None, 0, 1, 1)],
)
def test_MK_15_the_lowest_bid_is_half_the_next_value(row: int | None, pieces: int, value: int, lowest: int) -> None:
    desk = Desk() if row is None else Desk().row(row, "glass", pieces)
    assert liquidation_value(desk.terms, desk.now, "glass") == value
    assert lowest_bid(desk.terms, desk.now, "glass") == lowest
    without = Desk(liquidation=False).public(market=desk.now.market)
    assert lowest_bid(without.terms, without.now, "glass") == 1


def test_MK_15_less_than_the_lowest_bid_is_refused_and_exactly_that_wins() -> None:
    desk = auction(Lot("glass")).row(2, "glass", 2)
    assert "bid 7 or more" in desk.refuses(Bid(6, "d1"), "MK-15")
    desk.all({0: PASS, 1: Bid(7, "d1"), 2: PASS})
    assert (desk.purse(), desk.at(1).delivery[0]) == ([30, 23, 30], "glass")


def test_MK_15_without_the_option_one_is_enough() -> None:
    desk = auction(Lot("glass"), liquidation=False).row(2, "glass", 2)
    rules.check(desk.terms, desk.seen(0), Bid(1, "d1"))
    expensive = desk.edition(lowest_bid=3)
    expensive.refuses(Bid(2, "d1"), "MK-10")


def test_MK_16_the_bank_buys_a_players_piece_that_nobody_wants() -> None:
    desk = auction(Lot("glass", 1, "p2")).row(2, "glass", 2)
    before = desk.bank("glass")
    desk.all({0: PASS, 2: PASS})
    assert (desk.purse(), desk.at(1).processing, desk.bank("glass")) == ([30, 37, 30], EMPTY, before + 1)
    assert "nobody bids, the bank takes glass from @1 for 7" in desk.log


def test_MK_16_a_players_worthless_piece_goes_back_for_nothing() -> None:
    desk = auction(Lot("glass", 1, "p2")).row(2, "glass", 5).all({0: PASS, 2: PASS})
    assert (desk.purse(), desk.at(1).processing) == ([30, 30, 30], EMPTY)


def test_MK_16_a_worthless_piece_can_still_be_won_for_one() -> None:
    desk = auction(Lot("glass", 1, "p2")).row(2, "glass", 5).all({0: PASS, 2: Bid(1, "p1")})
    assert (desk.purse(), desk.at(2).processing[0]) == ([30, 31, 29], "glass")


def test_MK_16_if_nobody_can_bid_the_bank_buys_it_at_once() -> None:
    desk = Desk(2).plant(0, d1="glass").row(2, "glass", 2).money(30, 6).roll("hammer", "glass").do(Offer("d1"))
    assert (desk.purse(), desk.asked()) == ([37, 6], ([0], "turn"))


def test_MK_16_without_the_option_a_players_unsold_piece_stays() -> None:
    desk = auction(Lot("glass", 1, "p2"), liquidation=False).all({0: PASS, 2: PASS})
    assert (desk.purse(), desk.at(1).processing[1], desk.bank("glass")) == ([30, 30, 30], "glass", 7)
    assert "nobody bids, glass stays with @1" in desk.log


# --- where a won piece goes ------------------------------------------------------------------------------------------


def test_MK_17_a_piece_from_a_processing_area_goes_anywhere() -> None:
    desk = auction(Lot("metal", 1, "p3")).plant(2, p1="glass")
    desk.refuses(Bid(5, "p1"), "MK-17", 2)
    desk.refuses(Bid(5, "p5"), "MK-17", 2)
    desk.all({0: Bid(4, "d1"), 2: Bid(5, "p4")})
    assert desk.at(2).processing == ("glass", None, None, "metal")
    assert desk.at(1).processing == EMPTY


@pytest.mark.parametrize("lot", [Lot("metal"), Lot("metal", 1, "d3")])
def test_MK_17_any_other_piece_goes_to_delivery(lot: Lot) -> None:
    desk = auction(lot)
    desk.refuses(Bid(5, "p1"), "MK-10")
    rules.check(desk.terms, desk.seen(0), Bid(5, "d4"))


def test_MK_17_room_then_means_either_area() -> None:
    def desk(field: Field) -> Desk:
        full = {"d1": "glass", "d2": "glass", "d3": "glass", "d4": "glass"}
        return Desk(3).plant(0, **{field: "metal"}).plant(1, **full).roll("hammer", "metal").do(Offer(field))

    assert desk("p1").asked() == ([1, 2], "bid")
    assert desk("d1").asked() == ([2], "bid")


def test_MK_E1_glass_in_the_middle_row() -> None:
    desk = auction(Lot("glass")).row(2, "glass", 2)
    assert desk.terms.edition.market[2][2] == 15
    assert liquidation_value(desk.terms, desk.now, "glass") == 7
    desk.refuses(Bid(6, "d1"), "MK-15")
    rules.check(desk.terms, desk.seen(0), Bid(7, "d1"))
    assert liquidation_value(Desk().terms, Desk().now, "glass") == 1


def test_the_base_game_has_none_of_this() -> None:
    desk = Desk(2, **BASE).plant(0, p1="metal").row(2, "metal", 2).roll("hammer", "metal")
    assert (desk.asked(), desk.now.lot) == (([0, 1], "bid"), Lot("metal"))
    desk.refuses(Bid(1, "p2"), "MK-10")
    desk.all({0: PASS, 1: Bid(1, "d1")}, "paper", "star")
    assert desk.purse() == [30, 29]
