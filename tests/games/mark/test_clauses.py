"""One test or more per clause about material and turns (RULES.md); the name of a test starts with its clause."""

import msgspec
import pytest

from referee.games.mark import GAME, rules
from referee.games.mark.lookups import adjacent, face
from referee.games.mark.story import tell
from referee.games.mark.types import (
    KINDS,
    Bid,
    Buy,
    Field,
    Lot,
    Move,
    Name,
    Nothing,
    Offer,
    Process,
    Roll,
    Sell,
    Shift,
    Take,
)
from referee.testing.sandbox import Sandbox

from .build import BASE, BOX, EMPTY, Desk, deal, start

# --- material --------------------------------------------------------------------------------------------------------


def test_MK_1_eight_pieces_of_five_kinds_start_with_the_bank() -> None:
    assert KINDS == ("glass", "plastic", "paper", "metal", "composite")
    step = start(deal())
    assert step.public.bank == (8, 8, 8, 8, 8)


def test_MK_1_the_sixth_face_is_a_hammer_on_one_die_and_a_star_on_the_other() -> None:
    assert [face(number, "hammer") for number in range(1, 7)] == [*KINDS, "hammer"]
    assert [face(number, "star") for number in range(1, 7)] == [*KINDS, "star"]
    desk = Desk().roll("hammer", "star")
    assert desk.now.dice == ("hammer", "star")
    assert [call[0] for call in desk.draws.calls] == ["die", "die"]
    assert {call[2] for call in desk.draws.calls} == {6}


@pytest.mark.parametrize(
    ("source", "targets"),
    [("d1", ["p1", "p2"]), ("d2", ["p1", "p2", "p3"]), ("d3", ["p2", "p3", "p4"]), ("d4", ["p3", "p4"])],
)
def test_MK_2_delivery_fields_border_on_the_fields_behind(source: Field, targets: list[Field]) -> None:
    assert [target for target in ("p1", "p2", "p3", "p4") if adjacent(source, target)] == targets
    desk = Desk().plant(0, **{source: "glass"}).roll("glass", "paper")
    for target in ("p1", "p2", "p3", "p4"):
        if target in targets:
            rules.check(desk.terms, desk.seen(0), Process(source, target))
        else:
            assert f"not next to {source}" in desk.refuses(Process(source, target), "MK-2")


def test_MK_2_both_areas_have_four_fields() -> None:
    desk = Desk().plant(0, d1="glass").roll("glass", "paper")
    assert desk.at() == msgspec.structs.replace(desk.at(), delivery=("glass", None, None, None), processing=EMPTY)
    desk.refuses(Take("glass", "d5"), "MK-6")
    desk.refuses(Process("d1", "p5"), "MK-6")
    desk.refuses(Process("d5", "p4"), "MK-6")


def test_MK_3_the_market_has_five_rows_of_five_values() -> None:
    assert BOX.market == (
        (20, 25, 30, 45, 65),
        (15, 25, 35, 55, 80),
        (5, 10, 15, 60, 100),
        (10, 25, 45, 75, 110),
        (5, 25, 55, 90, 130),
    )
    assert all(sorted(set(row)) == list(row) for row in BOX.market), "the values of a row rise"


@pytest.mark.parametrize(("seats", "first"), [(2, 0), (2, 1), (3, 2), (4, 0), (4, 3)])
def test_MK_4_everybody_starts_with_30_and_whoever_is_drawn_begins(seats: int, first: int) -> None:
    step = start(deal(seats), first=first)
    assert [tell(deal(), note) for note in step.log] == [
        "each player has 30 Mark, the bank 8 pieces of each kind",
        f"@{first} starts",
    ]
    assert [(p.money, p.delivery, p.processing) for p in step.public.players] == [(30, EMPTY, EMPTY)] * seats
    assert [(ask.seat, ask.what) for ask in step.pending] == [(first, "turn")]
    assert rules.bags(deal(seats)) == {}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_MK_4_the_seed_decides_who_starts(seats: int) -> None:
    games = [Sandbox(GAME, deal(seats), seed) for seed in "abcdefghijklmnopqrstuvwx"]
    assert {game.public.turn for game in games} == set(range(seats))
    assert all([ask.seat for ask in game.pending] == [game.public.turn] for game in games)


def test_MK_4_play_goes_clockwise() -> None:
    desk = Desk(3)
    for seat in (0, 1, 2, 0):
        assert desk.asked() == ([seat], "turn")
        desk.refuses(Roll(), "MK-4", (seat + 1) % 3)
        desk.do(Buy("glass", "d1" if desk.at(seat).delivery[0] is None else "d2"))


# --- a turn ----------------------------------------------------------------------------------------------------------

TWO, THREE = {"d1": "glass", "d2": "glass"}, {"d1": "glass", "d2": "glass", "d4": "paper"}
PROCESSED = {"p1": "metal", "p2": "metal", "p3": "paper"}


@pytest.mark.parametrize(
    ("pieces", "money", "left"),
    [
        ({}, 30, 30),
        (TWO, 30, 30),
        (THREE, 30, 25),
        (PROCESSED, 30, 25),
        (THREE | PROCESSED, 30, 20),
        (THREE | {"d3": "metal"} | PROCESSED, 30, 20),
        (THREE | PROCESSED, 7, 0),
        (THREE, 0, 0),
    ],
)
def test_MK_5_storage_costs_5_for_each_area_with_three_pieces(pieces: dict[str, str], money: int, left: int) -> None:
    desk = Desk(2, offer=False).plant(1, **pieces).money(30, money)
    dice = () if left >= 5 else ("glass", "star")
    desk.do(Buy("composite", "d1"), *dice)
    assert desk.purse() == [25, left]
    assert any("storage" in line for line in desk.log) == (left < money)


def test_MK_5_money_is_needed_after_storage() -> None:
    desk = Desk(2).plant(1, **THREE).money(30, 9)
    desk.do(Buy("composite", "d1"), "glass", "paper")
    assert (desk.purse(), desk.asked()) == ([25, 4], ([1], "act"))


def test_MK_6_an_action_needs_a_piece_of_a_rolled_colour() -> None:
    desk = Desk().plant(0, d1="metal", p1="metal").roll("glass", "paper")
    assert desk.asked() == ([0], "act")
    for move in (Take("metal", "d2"), Process("d1", "p2"), Sell("p1", 0)):
        assert "metal was not rolled" in desk.refuses(move, "MK-6")
    desk.refuses(Process("d3", "p3"), "MK-6")
    desk.refuses(Take("paper", "d1"), "MK-6")
    desk.refuses(Take("paper", "p2"), "MK-6")
    desk.refuses(Roll(), "MK-6")
    assert desk.do(Take("paper", "d2")).at().delivery == ("metal", "paper", None, None)
    assert desk.bank("paper") == 7
    assert "@0 takes paper" in desk.log
    assert desk.asked() == ([1], "turn")


def test_MK_6_delivery_to_processing() -> None:
    desk = Desk().plant(0, d2="glass", p2="paper").roll("glass", "paper")
    desk.refuses(Process("d2", "p2"), "MK-6")
    desk.refuses(Process("p2", "p3"), "MK-6")
    desk.refuses(Sell("d2", 0), "MK-6")
    desk.do(Process("d2", "p3"))
    assert (desk.at().delivery, desk.at().processing) == (EMPTY, (None, "paper", "glass", None))
    assert "@0 processes glass from d2 to p3" in desk.log


def test_MK_6_processing_to_market() -> None:
    desk = Desk().plant(0, p4="glass").row(2, "glass", 1).roll("paper", "glass").do(Sell("p4"))
    assert (desk.at().processing, desk.at().money, desk.now.market[2].pieces) == (EMPTY, 40, 2)
    assert "@0 sells glass for 10 in row 3" in desk.log


def test_MK_6_nothing_may_be_done() -> None:
    desk = Desk().roll("glass", "paper")
    before = desk.now.players
    assert desk.log == ("@0 rolls glass and paper",)
    assert desk.do(Nothing()).now.players == before
    assert desk.log == ("@0 does nothing",)
    assert desk.asked() == ([1], "turn")


def test_MK_6_a_useless_roll_passes_without_asking() -> None:
    desk = Desk().plant(0, d1="metal", d2="metal", d3="metal", d4="metal").roll("glass", "paper")
    assert desk.asked() == ([1], "turn")
    assert "@0 cannot use the dice" in desk.log


def test_MK_6_dice_fall_at_once_when_nothing_else_can_be_done() -> None:
    step = start(deal(3, buy=False, move=False), "glass", "paper")
    assert [(ask.seat, ask.what) for ask in step.pending] == [(0, "act")]
    assert step.public.dice == ("glass", "paper")


# --- doubles, star, hammer -------------------------------------------------------------------------------------------


def test_MK_7_a_double_allows_two_actions_even_with_the_same_piece() -> None:
    desk = Desk().plant(0, d1="glass").roll("glass", "glass").do(Process("d1", "p1"))
    assert desk.asked() == ([0], "again")
    desk.refuses(Take("paper", "d1"), "MK-6")
    desk.refuses(Roll(), "MK-7")
    desk.do(Sell("p1", 4))
    assert (desk.asked(), desk.at().money) == (([1], "turn"), 33)


@pytest.mark.parametrize("first", [Nothing(), Take("glass", "d1")])
def test_MK_7_both_actions_may_be_declined(first: Move) -> None:
    desk = Desk().roll("glass", "glass").do(first)
    if first != Nothing():
        assert desk.asked() == ([0], "again")
        desk.do(Nothing())
    assert desk.asked() == ([1], "turn")


def test_MK_7_a_second_action_that_is_impossible_is_not_asked() -> None:
    desk = Desk().row(0, "glass", 5).plant(1, d1="glass", d2="glass").roll("glass", "glass")
    desk.do(Take("glass", "d1"))
    assert desk.asked() == ([0], "again")
    full = Desk().plant(0, d1="metal", d2="metal", d3="metal", p1="paper", p2="paper", p3="paper", p4="paper")
    full.roll("glass", "glass").do(Take("glass", "d4"))
    assert full.asked() == ([1], "turn")
    assert "@0 cannot use the dice again" in full.log


def test_MK_7_a_star_is_any_colour_but_never_a_double() -> None:
    desk = Desk().roll("glass", "star")
    for kind in KINDS:
        rules.check(desk.terms, desk.seen(0), Take(kind, "d1"))
    assert desk.do(Take("glass", "d1")).asked() == ([1], "turn")


def test_MK_8_a_hammer_auctions_the_other_colour_then_the_roller_goes_on() -> None:
    desk = Desk(offer=False).roll("hammer", "metal")
    assert desk.now.lot == Lot("metal")
    assert desk.asked() == ([0, 1, 2], "bid")
    desk.all({0: Bid(0, None), 1: Bid(4, "d2"), 2: Bid(3, "d1")})
    assert desk.at(1).delivery == (None, "metal", None, None)
    assert desk.purse() == [30, 26, 30]
    assert desk.asked() == ([0], "turn")
    assert desk.now.lot is None
    assert desk.now.dice == ()


def test_MK_8_hammer_and_star_let_the_roller_name_the_colour() -> None:
    desk = Desk().roll("hammer", "star")
    assert desk.asked() == ([0], "name")
    desk.refuses(Nothing(), "MK-8")
    assert desk.do(Name("composite")).now.lot == Lot("composite")
    assert desk.asked() == ([0, 1, 2], "bid")


def test_MK_8_any_colour_can_be_named_even_one_that_nobody_has() -> None:
    desk = Desk().row(0, "glass", 5).public(bank=(0, 8, 8, 8, 8)).roll("hammer", "star").do(Name("glass"))
    assert desk.asked() == ([0], "turn")
    assert "the bank has no glass, so there is no auction" in desk.log


def test_MK_8_the_extra_turn_is_a_full_one_without_storage() -> None:
    desk = Desk(2, offer=False).plant(0, **THREE).roll("hammer", "metal")
    desk.all({0: Bid(0, None), 1: Bid(0, None)})
    assert (desk.purse(), desk.asked()) == ([30, 30], ([0], "turn"))
    desk.roll("hammer", "metal").all({0: Bid(0, None), 1: Bid(0, None)})
    assert desk.do(Shift("d1", "p1")).asked() == ([1], "turn")
    assert desk.purse() == [20, 30]


def test_MK_8_the_dice_of_the_extra_turn_fall_at_once_without_a_choice() -> None:
    desk = Desk(2, **BASE).roll("hammer", "metal")
    desk.all({0: Bid(0, None), 1: Bid(0, None)}, "paper", "star")
    assert desk.asked() == ([0], "act")
    assert desk.now.dice == ("paper", "star")


# --- missed deadlines ------------------------------------------------------------------------------------------------


def test_MK_18_a_missed_turn_throws_the_dice() -> None:
    desk = Desk().do(None, "glass", "paper")
    assert (desk.asked(), desk.purse()) == (([0], "act"), [30, 30, 30])
    assert desk.log == ("@0 rolls glass and paper",)


@pytest.mark.parametrize("taken", [False, True])
def test_MK_18_a_missed_action_is_none(taken: bool) -> None:
    desk = Desk().plant(0, p1="glass").roll("glass", "glass")
    if taken:
        desk.do(Take("glass", "d1"))
    before = desk.now
    desk.do(None)
    assert (desk.now.players, desk.now.market, desk.now.bank) == (before.players, before.market, before.bank)
    assert (desk.log, desk.asked()) == (("@0 does nothing",), ([1], "turn"))


def test_MK_18_a_kind_that_is_not_named_is_glass() -> None:
    desk = Desk().roll("hammer", "star").do(None)
    assert (desk.now.lot, desk.asked()) == (Lot("glass"), ([0, 1, 2], "bid"))
    assert desk.log == ("@0 names glass",)


def test_MK_19_a_missed_offer_is_none_and_the_next_one_counts() -> None:
    def desk() -> Desk:
        return Desk().plant(0, d1="glass").plant(1, d1="glass", d2="glass").roll("hammer", "glass")

    offered = desk().all({0: None, 1: Offer("d2")})
    assert (offered.now.lot, offered.draws.shown) == (Lot("glass", 1, "d2"), [(1, ("field",))])
    nobody = desk().all({0: None, 1: None})
    assert (nobody.now.lot, nobody.draws.shown, nobody.log) == (Lot("glass"), [], ("nobody offers a piece",))


def test_MK_19_a_missed_bid_is_a_pass() -> None:
    desk = Desk().roll("hammer", "glass").all({0: None, 1: Bid(3, "d4"), 2: None})
    assert desk.log == ("bids for glass: @0 passes, @1 3, @2 passes", "@1 wins glass for 3 from the bank")
    assert (desk.purse(), desk.at(1).delivery[3]) == ([30, 27, 30], "glass")
    assert desk.draws.shown == [(1, ("amount",)), (1, ("field",))]
    nobody = Desk().roll("hammer", "glass").all(dict.fromkeys(range(3)))
    assert (nobody.bank("glass"), nobody.draws.shown, nobody.asked()) == (8, [], ([0], "turn"))
