"""Material and set-up: clauses SF-1 to SF-15."""

import pytest
from msgspec.structs import astuple, replace

from referee.games.schwarzer_freitag import rules
from referee.games.schwarzer_freitag.story import tell
from referee.games.schwarzer_freitag.types import COLOURS, Pass, Place, Public, Sell
from tests.support.plain import PlainDraws

from .build import EDITION, Desk, cases, deal, plain_draws


def fresh(seats: int, cards: bool = True) -> tuple[Public, PlainDraws]:
    """A position straight from set-up, and its draws."""
    terms = deal(seats, cards)
    draws = plain_draws(terms, seats, dice=[1])
    return rules.setup(terms, draws).public, draws


@pytest.mark.parametrize(("seats", "box"), [(2, 5), (3, 2), (4, 1), (5, 0)])
def test_SF_1_material_is_all_there(seats: int, box: int) -> None:
    public, draws = fresh(seats)
    for colour in COLOURS:
        sale = sum(getattr(strip, colour) for strip in public.sale)
        hands = sum(draws.content(f"hand/{seat}").count(colour) for seat in range(seats))
        bag = draws.bags["bag"].count(colour)
        assert getattr(public.market, colour) + sale + hands + bag + box == 25
    assert sum(public.sale_black) + public.stage_black == 15


def test_SF_2_price_table() -> None:
    assert EDITION.prices[0] == (4, 5, 6, 7, 8, 9, 10)
    assert EDITION.prices[4] == (24, 29, 34, 39, 44, 49, 54)
    assert EDITION.prices[12] == (160, 173, 186, 199, 212, 225, 238)
    for r, row in enumerate(EDITION.prices, 1):
        assert row == tuple(4 + r * (r - 1) + c * r for c in range(7))
    assert len(EDITION.prices) == 13


def test_SF_3_silver_track() -> None:
    told = "20 21 23 25 27 29 31 33 35 38 41 44 47 50 54 58 62 66 70 75 80 85 90 95 100"
    assert EDITION.silver_track == tuple(map(int, told.split()))


def test_SF_4_subsidy_pays_20_and_costs_1() -> None:
    desk = Desk()
    desk.do(Pass("red", before=(2,)))
    assert (desk.at(0).money, desk.at(0).subsidies) == (40, 2)
    desk.change("red", "red", "red", "blue", "blue")
    assert desk.at(0).money == 38


def test_SF_5_stages() -> None:
    columns = list(zip(*map(astuple, EDITION.stages), strict=True))
    assert columns[0][1:] == (15, 18, 37, 50, 65, 80, 113, 140, 180)
    assert columns[1] == (2, 2, 5, 5, 5, 6, 6, 6, 7, 8)
    assert columns[2] == (1, 4, 4, 4, 4, 4, 4, 5, 5, 5)
    assert columns[3] == (5, 5, 6, 7, 7, 8, 9, 9, 10, 11)


def test_SF_5_agrees_with_what_is_known() -> None:
    """The worked examples and the card that the rulebook shows: none of these figures is ours to choose."""
    stages = EDITION.stages

    def at(price: int) -> int:
        return max(number for number, stage in enumerate(stages) if stage.price <= price)

    assert stages[0].limit == 1
    assert (at(36), stages[2].draw) == (2, 6)  # SF-E1
    assert stages[at(64)].draw == 7  # SF-E2
    assert (at(108), at(112), stages[6].draw) == (6, 6, 9)  # SF-E3
    assert (8, 5, 11) in {(stage.subsidies, stage.limit, stage.draw) for stage in stages}


def test_SF_6_markers_at_the_start() -> None:
    public = fresh(3)[0]
    assert {EDITION.prices[row][column] for row, column in public.prices} == {7}
    assert (EDITION.silver_track[public.silver], public.counter, public.stage) == (20, 0, 0)


def test_SF_7_sale_strips() -> None:
    public = fresh(4)[0]
    assert [astuple(strip) for strip in public.sale] == [(2, 2, 2, 2, 2)] * 3
    assert public.sale_black == (1, 2, 3)


def test_SF_8_nine_black_cases_on_the_stage_fields() -> None:
    public = fresh(4)[0]
    assert public.stage_black == 9
    assert (public.supply_black, public.bag_black) == (0, 0)


@pytest.mark.parametrize(("seats", "each"), [(2, 2), (3, 4), (4, 4), (5, 4)])
def test_SF_9_market(seats: int, each: int) -> None:
    terms = deal(seats)
    # The cases drawn into the market are all yellow and blue here.
    hands = ["red", "green", "orange", "red", "green"] * seats
    drawn = ["yellow", "blue"] * 10
    market = rules.setup(terms, plain_draws(terms, faces=hands + drawn)).public.market
    assert astuple(market) == (each + 10, each + 10, each, each, each)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_SF_10_bag(seats: int) -> None:
    assert sorted(rules.bags(deal(seats))["bag"]) == sorted(COLOURS * (10 + seats))


@pytest.mark.parametrize("seats", [2, 5])
def test_SF_11_five_hidden_cases_and_no_money(seats: int) -> None:
    public, draws = fresh(seats)
    for seat, player in enumerate(public.players):
        assert (player.unknown, player.money, player.subsidies) == (5, 0, 0)
        assert astuple(player.known) == (0, 0, 0, 0, 0)
        assert draws.count(f"hand/{seat}") == 5


def test_SF_12_twenty_cases_are_drawn_into_the_market_last() -> None:
    public, draws = fresh(3)
    assert draws.calls == [("deal", "bag", 5)] * 3 + [("die", "", 3), ("take", "bag", 20)]
    assert sum(astuple(public.market)) == 40
    assert public.bag == draws.count("bag") == 65 - 15 - 20


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_SF_12_the_seed_picks_the_start_player(seats: int) -> None:
    terms = deal(seats)
    for start in range(seats):
        step = rules.setup(terms, plain_draws(terms, dice=[start + 1]))
        assert (step.public.start, step.public.turn, step.pending[0].seat) == (start, start, start)
        assert tell(terms, step.log[0]) == f"@{start} is the start player"


def test_SF_13_cards_go_round_from_the_start_player() -> None:
    terms = deal(4)
    cards = [player.cards for player in rules.setup(terms, plain_draws(terms, dice=[3])).public.players]
    assert cards == [(("pass", "sell"),), (("pass", "sell", "silver"),), (), (("pass",),)]


def test_SF_13_special_cards() -> None:
    cards = [player.cards for player in fresh(5)[0].players]
    assert cards == [
        (),
        (("pass",),),
        (("pass", "sell"),),
        (("pass", "sell", "silver"),),
        (("pass", "sell", "silver", "buy"),),
    ]
    assert [player.cards for player in fresh(3, cards=False)[0].players] == [(), (), ()]


def test_SF_13_card_is_gone_after_one_use_and_kept_if_not_needed() -> None:
    desk = Desk()
    for seat in (0, 1):
        desk.player(seat, cards=(("pass", "sell"),)).hold(seat, known=cases("red", "red"))
    desk.do(Sell(cases("red"), "red", "red"))
    assert desk.at(0).cards == (("pass", "sell"),)
    sell_two = Sell(cases("red", "red"), "red", "red")
    desk.refuses(replace(sell_two, after=("red",)), "SF-13")
    desk.do(sell_two)
    assert desk.at(1).cards == ()


def test_SF_13_different_cards_in_one_turn_and_the_narrowest_goes_first() -> None:
    desk = Desk().player(0, cards=(("pass", "sell", "silver"), ("sell",), ("sell",)))
    desk.hold(0, known=cases("red", "red"))
    desk.do(Sell(cases("red", "red"), "red", "red", after=("blue",)))
    assert desk.at(0).cards == (("sell",),)
    assert desk.now.silver_strip == cases("blue")


def test_SF_14_two_players_place_first() -> None:
    terms = deal(2)
    desk = Desk(2)
    desk.step = rules.setup(terms, plain_draws(terms, 3, dice=[1]))
    assert [player.cards for player in desk.now.players] == [
        (("sell",), ("buy",)),
        (("pass",), ("sell",), ("buy",)),
    ]
    desk.public(market=cases("red", "blue", "blue"))
    assert desk.asked() == (0, "place")
    desk.refuses(Pass("red"), "SF-14")
    desk.refuses(Place("green"), "SF-14")
    desk.do(Place("red"))
    assert desk.asked() == (1, "place")
    assert desk.price("red") == 8  # SF-23: it was the last red case of the market
    desk.do(Place("blue"))
    assert desk.asked() == (0, "turn")
    assert desk.now.purchase == cases("red", "blue")
    desk.refuses(Place("blue"), "SF-16")


def test_SF_14_the_start_player_places_first() -> None:
    desk = Desk(2)
    desk.step = rules.setup(desk.terms, plain_draws(desk.terms, dice=[2]))
    asked = []
    for _ in range(2):
        asked.append(desk.asked())
        desk.do(None)
    assert [*asked, desk.asked()] == [(1, "place"), (0, "place"), (1, "turn")]


def test_SF_14_without_special_cards_two_players_still_place() -> None:
    terms = deal(2, cards=False)
    step = rules.setup(terms, plain_draws(terms, dice=[1]))
    assert [player.cards for player in step.public.players] == [(), ()]
    assert [(ask.seat, ask.what) for ask in step.pending] == [(0, "place")]


def test_SF_15_sale_spends_known_shares_first() -> None:
    desk = Desk().public(stage=4).hold(0, known=cases("red"), hidden=cases("red", "red", "blue"))
    calls = len(desk.draws.calls)
    desk.do(Sell(cases("red", "red"), "red", "red"))
    assert desk.draws.calls[calls:] == [("lay_out", "hand/0", 1)]
    assert desk.at(0).known == cases()
    assert desk.at(0).unknown == 2
    assert desk.shares(0) == cases("red", "blue")
    assert desk.draws.content("hand/0") == ("blue", "red")
