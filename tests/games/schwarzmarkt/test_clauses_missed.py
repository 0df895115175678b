"""What a missed deadline does: clause SM-24, once for every question that the game asks."""

import random

import pytest

from referee.games import rules_text
from referee.games.schwarzmarkt.checks import ANSWERS
from referee.games.schwarzmarkt.types import Amounts, Quick

from .build import NINE, Desk, goods

NONE = Amounts()


@pytest.mark.parametrize("card", ["offer-12", "limit", "razzia"])
def test_SM_24_the_seed_picks_the_card_that_is_played(card: str) -> None:
    desk = Desk().cards(0, "offer-12", "limit", "razzia").next_drawn(card, "offer-20").miss()
    assert desk.draws.calls[:2] == [("take", "cards/0", 1), ("deal", "cards", 1)]
    assert desk.log[0].startswith("@0 plays ")
    assert card in (desk.now.offer, *desk.now.in_force)
    left = {"offer-12", "limit", "razzia", "offer-20"} - {card}
    assert set(desk.cards_of(0)) == left
    assert desk.now.played == 1


def test_SM_24_every_card_of_the_hand_is_picked_sometimes() -> None:
    played = set()
    for seed in range(30):
        desk = Desk()
        desk.draws.rng = random.Random(seed)
        played.add(desk.miss().now.offer)
    assert played == {"offer-1", "offer-2", "offer-3"}


@pytest.mark.parametrize(
    ("value", "then", "asked"), [(1, 2, (1, "trade")), (40, 50, (1, "trade")), (50, 1, (1, "play"))]
)
def test_SM_24_nothing_is_traded_and_the_marker_moves_one_field(value: int, then: int, asked: tuple[int, str]) -> None:
    desk = Desk().play("offer-1").price(value).miss()
    assert (desk.value, desk.asked()) == (then, asked)
    assert (desk.luxury(), desk.held(0), desk.now.traded) == ([0, 0, 0], NINE, ())


@pytest.mark.parametrize("empty", [False, True])
def test_SM_24_spionage_names_the_next_player_who_may_be_named(empty: bool) -> None:
    desk = Desk(4).goods(2, NONE if empty else NINE).play("limit", "spionage").next_drawn("sugar", "butter").miss()
    target = 3 if empty else 2
    assert desk.log == (f"@1 spies on @{target}: 1 butter, 1 sugar",)
    assert (desk.held(target), desk.asked()) == (NINE, (2, "play"))


def test_SM_24_targets_go_round_the_table() -> None:
    desk = Desk().goods(2, NONE).play("limit", "spionage").miss()
    assert desk.log[0].startswith("@1 spies on @0: ")


def test_SM_24_schnelles_geschaeft_trades_a_card_that_the_seed_picks() -> None:
    desk = Desk().play("schnelles-geschaeft").next_drawn("sugar").miss()
    assert desk.draws.calls == [("take", "goods/0", 1), ("under", "goods", 1), ("under", "cards", 1)]
    assert (desk.luxury(), desk.held(0), desk.now.goods_under) == ([20, 0, 0], Amounts(2, 2, 2, 2), ("sugar",))
    assert (desk.log, desk.asked()) == (("@0 trades 1 sugar for 20",), (1, "play"))


def test_SM_24_schnelles_geschaeft_with_the_last_card_ends_the_half() -> None:
    desk = Desk().goods(0, goods("flour")).play("schnelles-geschaeft").miss()
    assert (desk.luxury(), desk.now.half) == ([20, 0, 0], 2)
    assert [player.goods for player in desk.link().now.players] == [9, 9, 9]


def test_SM_24_zwangstausch_gives_one_card_that_the_seed_picks_unseen() -> None:
    desk = Desk(4).goods(0, goods("butter", "flour")).goods(1, NONE).goods(2, goods("coffee", "sugar"))
    desk.play("zwangstausch").next_drawn("flour", "sugar").miss()
    assert desk.draws.calls == [
        ("deal", "goods/0", 1),
        ("deal", "goods/2", 1),
        ("deal", "swap", 1),
        ("under", "cards", 1),
    ]
    assert (desk.held(0), desk.held(2)) == (goods("butter", "sugar"), goods("coffee", "flour"))
    assert (desk.log, desk.asked()) == (("@0 swaps 1 goods card with @2",), (1, "play"))


def test_SM_24_razzia_looks_for_potatoes_at_the_next_player() -> None:
    desk = Desk().play("razzia").miss()
    assert (desk.log, desk.held(1)) == (("@0 raids @1 for potatoes: 2 found",), Amounts(0, 2, 2, 2, 1))
    assert desk.now.goods_under == ("potatoes", "potatoes")


@pytest.mark.parametrize(("pile", "found"), [(("sugar", "potatoes"), 0), (("sugar", "flour", "butter"), 2)])
def test_SM_24_neue_ware_takes_the_first_in_the_order_of_goods(pile: tuple[str, ...], found: int) -> None:
    desk = Desk().player(0, luxury=7).play("neue-ware").pile(*pile).miss()
    gained = [0, 0, 0, 0, 0]
    gained[found] = 1
    assert desk.held(0) == Amounts(*(have + more for have, more in zip((2, 2, 2, 2, 1), gained, strict=True)))
    assert (desk.luxury(), desk.now.goods_pile) == ([2, 0, 0], len(pile) - 1)


def test_SM_24_alte_rechnung_names_the_next_player_who_may_be_named() -> None:
    desk = Desk().goods(1, NONE).play("alte-rechnung").next_drawn("coffee").miss()
    assert (desk.held(0), desk.held(2)) == (Amounts(2, 3, 2, 2, 1), Amounts(2, 1, 2, 2, 1))
    assert desk.log == ("@0 takes a goods card from @2",)


def test_SM_24_a_link_that_does_not_come_keeps_nobody_from_being_dealt_goods() -> None:
    desk = Desk().goods(0, goods("sugar")).play("schnelles-geschaeft").do(Quick("sugar")).miss()
    assert ([player.goods for player in desk.now.players], desk.asked()) == ([9, 9, 9], (1, "play"))


def test_SM_24_the_rules_name_every_question() -> None:
    rows = rules_text("schwarzmarkt").split("**SM-24**")[1].split("\n\n")[1].splitlines()[2:]
    named = [name for row in rows for name in row.split("|")[1].split(",")]
    assert len(named) == len(ANSWERS) == 9
