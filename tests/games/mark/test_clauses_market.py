"""One test or more per clause about market, auction and end (RULES.md)."""

import pytest

from referee.games.mark import rules
from referee.games.mark.lookups import next_value
from referee.games.mark.types import KINDS, Bid, Lot, Nothing, Sell

from .build import BASE, EMPTY, Desk, auction

# --- market ----------------------------------------------------------------------------------------------------------


def test_MK_9_the_first_piece_of_a_kind_chooses_its_row() -> None:
    desk = Desk().plant(0, p1="glass").row(1, "metal", 2).roll("glass", "paper")
    desk.refuses(Sell("p1"), "MK-9")
    assert "1, 3, 4, 5" in desk.refuses(Sell("p1", 1), "MK-9")
    desk.refuses(Sell("p1", 5), "MK-9")
    desk.do(Sell("p1", 0))
    assert (desk.now.market[0].kind, desk.now.market[0].pieces, desk.at().money) == ("glass", 1, 38)


def test_MK_9_later_pieces_follow_in_their_row() -> None:
    desk = Desk().plant(0, p1="glass").row(4, "glass", 4).roll("glass", "paper")
    desk.refuses(Sell("p1", 4), "MK-9")
    desk.refuses(Sell("p1", 0), "MK-9")
    assert desk.do(Sell("p1")).at().money == 61


def test_MK_9_a_worthless_piece_leaves_for_nothing() -> None:
    desk = Desk().plant(0, p1="glass").row(4, "glass", 5).public(idle=7).roll("glass", "paper")
    desk.refuses(Sell("p1", 0), "MK-9")
    before = desk.bank("glass")
    desk.do(Sell("p1"))
    assert (desk.at().money, desk.at().processing, desk.bank("glass")) == (30, EMPTY, before + 1)
    assert (desk.now.market[4].pieces, desk.now.idle) == (5, 8)
    assert next_value(desk.terms, desk.now, 4) == 0
    assert "@0 gives worthless glass back to the bank" in desk.log


# --- auction ---------------------------------------------------------------------------------------------------------


def test_MK_10_bids_are_sealed_and_shown_together() -> None:
    desk = Desk(**BASE).roll("hammer", "metal")
    assert {ask.sealed for ask in desk.pending} == {("amount", "field")}
    desk.all({0: Bid(1, "d1"), 1: Bid(30, "d2"), 2: Bid(0, None)}, "glass", "paper")
    assert desk.draws.shown == [*((seat, ("amount",)) for seat in range(3)), (1, ("field",))]
    assert "bids for metal: @0 1, @1 30, @2 passes" in desk.log
    assert "@1 wins metal for 30 from the bank" in desk.log
    assert (desk.purse(), desk.bank("metal")) == ([30, 0, 30], 7)


@pytest.mark.parametrize(("turn", "winner"), [(0, 1), (1, 1), (2, 2), (3, 1)])
def test_MK_10_a_tie_goes_to_the_first_clockwise_from_the_roller(turn: int, winner: int) -> None:
    desk = auction(Lot("metal"), 4).public(turn=turn)
    desk.all({0: Bid(2, "d1"), 1: Bid(9, "d1"), 2: Bid(9, "d1"), 3: Bid(0, None)})
    assert [player.money for player in desk.now.players] == [21 if seat == winner else 30 for seat in range(4)]
    assert desk.asked() == ([turn], "turn")


def test_MK_10_without_a_bid_the_piece_stays_with_the_bank() -> None:
    desk = auction(Lot("metal"), **BASE)
    desk.all({seat: Bid(0, None) for seat in range(3)}, "glass", "paper")
    assert (desk.purse(), desk.bank("metal")) == ([30, 30, 30], 8)


def test_MK_10_only_players_with_room_and_money_are_asked() -> None:
    desk = Desk(4, offer=False).row(2, "metal", 2).money(30, 6, 7, 30)
    desk.plant(3, d1="glass", d2="glass", d3="glass", d4="glass").roll("hammer", "metal")
    assert desk.asked() == ([0, 2], "bid")


def test_MK_10_if_nobody_can_bid_nobody_is_waited_for() -> None:
    desk = Desk(2).money(0, 0).roll("hammer", "metal")
    assert desk.log == ("@0 rolls hammer and metal", "nobody bids, metal stays with the bank")
    assert desk.asked() == ([0], "link"), "the next throw needs a fresh link (MK-23)"


def test_MK_10_what_a_bid_must_be() -> None:
    desk = auction(Lot("metal"), **BASE).plant(0, d1="glass")
    desk.refuses(Bid(31, "d2"), "MK-10")
    desk.refuses(Bid(5, None), "MK-10")
    desk.refuses(Bid(0, "d2"), "MK-10")
    desk.refuses(Bid(5, "d1"), "MK-10")
    desk.refuses(Bid(5, "p1"), "MK-10")
    desk.refuses(Bid(5, "d5"), "MK-10")
    desk.refuses(Nothing(), "MK-10")
    rules.check(desk.terms, desk.seen(0), Bid(30, "d2"))


# --- the end ---------------------------------------------------------------------------------------------------------


def nearly_over() -> Desk:
    desk = Desk().plant(0, p1="metal", p2="metal", d1="paper").row(3, "metal", 4)
    for row, kind in enumerate(KINDS[:3]):
        desk.row(row, kind, 5)
    return desk


def test_MK_11_four_full_rows_end_the_game_in_the_middle_of_a_turn() -> None:
    desk = nearly_over().roll("metal", "metal").do(Sell("p1"))
    assert desk.pending == ()
    assert desk.result is not None
    assert desk.result.ranks == (1, 2, 2)
    assert desk.result.scores == ((58,), (30,), (30,))
    assert (desk.now.turn, desk.now.dice) == (0, ())
    assert desk.log == ("@0 sells metal for 28 in row 4", "4 rows are full, the game is over")


def test_MK_11_three_full_rows_do_not() -> None:
    desk = nearly_over().row(3, "metal", 3).roll("metal", "metal").do(Sell("p1"))
    assert desk.asked() == ([0], "again")


def test_MK_11_the_most_money_wins_and_equals_share() -> None:
    desk = nearly_over().money(2, 30, 31).roll("metal", "paper").do(Sell("p1"))
    assert desk.result is not None
    assert desk.result.ranks == (2, 2, 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_MK_11_thirty_rounds_without_a_sale_end_the_game(seats: int) -> None:
    desk = Desk(seats, **BASE).plant(0, p1="glass").roll("glass", "star").do(Sell("p1", 0), "glass", "star")
    turns = 0
    while desk.result is None:
        last = turns == 30 * seats - 1
        desk.do(Nothing(), *(() if last else ("glass", "star")))
        turns += 1
    assert turns == 30 * seats
    assert desk.log[-1] == "nothing was sold in 30 rounds, the game is over"
    assert desk.result.ranks == (1, *(2,) * (seats - 1))


def test_MK_11_a_sale_in_the_last_idle_turn_saves_the_game() -> None:
    desk = Desk(2).plant(0, p1="glass").public(idle=60).roll("glass", "star")
    assert desk.do(Sell("p1", 0)).result is None
    assert desk.now.idle == 1
    over = Desk(2).public(idle=60).roll("glass", "star").do(Nothing())
    assert over.result is not None


def test_MK_11_extra_turns_do_not_count_as_turns() -> None:
    desk = Desk(2).public(idle=60).roll("hammer", "metal")
    desk.all({0: Bid(0, None), 1: Bid(0, None)})
    assert (desk.now.idle, desk.asked()) == (60, ([0], "turn"))
