"""Material and set-up: clauses SM-1 to SM-4, and editions with which no game can be played."""

import random
from collections import Counter
from functools import reduce
from typing import Any

import pytest

from referee.errors import Usage
from referee.game import Ask
from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.lookups import add
from referee.games.schwarzmarkt.types import GOODS, Amounts, Play, Words
from tests.support.plain import PlainDraws

from .build import EDITION, SYMBOLS, TRACK, Desk, assert_containers_agree, deal


@pytest.mark.parametrize(
    ("expert", "numbers", "whole"),
    [
        (False, {"potatoes": 12, "coffee": 12, "flour": 12, "butter": 12, "sugar": 12}, 60),
        (True, {"potatoes": 16, "coffee": 12, "flour": 14, "butter": 12, "sugar": 12}, 66),
    ],
    ids=["base", "expert"],
)
def test_SM_1_goods_cards(expert: bool, numbers: dict[str, int], whole: int) -> None:
    pile = GAME.bags(deal(expert=expert))["goods"]
    assert Counter(pile) == numbers
    assert len(pile) == whole


def test_SM_2_thirty_black_market_cards() -> None:
    cards = GAME.bags(deal())["cards"]
    assert len(cards) == len(set(cards)) == 30
    assert sorted(cards[21:]) == [
        "alte-rechnung",
        "limit",
        "neue-ware",
        "razzia",
        "schnelles-geschaeft",
        "spionage",
        "verdorbene-ware",
        "waren-knapp",
        "zwangstausch",
    ]
    shapes = Counter("".join(sorted(str(getattr(offer, good)) for good in GOODS)) for offer in EDITION.offers)
    assert shapes == {"00022": 5, "00112": 10, "01111": 5, "11111": 1}
    assert len(set(EDITION.offers)) == len(EDITION.offers) == 21
    for part in (EDITION.offers[:5], EDITION.offers[5:15], EDITION.offers[15:]):
        wanted = reduce(add, part)
        assert len({getattr(wanted, good) for good in GOODS}) == 1, "every good is wanted as often as every other"


def test_SM_2_a_text_card_of_which_there_are_several_copies() -> None:
    """Two copies are two cards; which of them is played makes no difference, and one name plays either."""
    desk = Desk(events=(*EDITION.events, "razzia", "razzia", "limit"))
    assert Counter(GAME.bags(desk.terms)["cards"])["razzia"] == 3
    desk.draws.bags["cards/0"] = ["razzia", "offer-1", "razzia"]
    desk.draws.bags["cards"] = [card for card in desk.draws.bags["cards"] if card != "razzia"] + ["offer-2", "offer-3"]
    desk.draws.bags["cards"].append("razzia")
    desk.public(card_pile=len(desk.draws.bags["cards"]))
    texts = [choice.text for choice in GAME.legal(desk.terms, desk.sight())]
    assert texts.count("play razzia") == 1
    assert "play one of: offer 1, Razzia" in desk.refuses(Play("offer-9"), "SM-5", hidden=True)
    desk.next_drawn("offer-2").do(GAME.parse(desk.terms, desk.sight(), "play razzia"))
    assert (desk.asked(), desk.cards_of(0)) == ((0, "raid"), ("offer-1", "offer-2", "razzia"))


def test_SM_21_two_cards_in_force_do_no_more_than_one() -> None:
    desk = Desk(events=(*EDITION.events, "verdorbene-ware", "limit"))
    desk.public(in_force=("verdorbene-ware", "verdorbene-ware", "limit", "limit"))
    # They lie on the table, so they are no longer in pile or hand.
    for card in ("verdorbene-ware", "limit") * 2:
        next(bag for bag in desk.draws.bags.values() if card in bag).remove(card)
    desk.public(card_pile=len(desk.draws.bags["cards"])).play("offer-1").price(20).trade("potatoes")
    assert desk.luxury() == [10, 0, 0]
    desk.trade("potatoes")
    assert (desk.luxury(), desk.asked()) == ([10, 25, 0], (1, "play"))
    assert desk.now.card_under[:4] == ("verdorbene-ware", "verdorbene-ware", "limit", "limit")


def test_SM_3_price_track() -> None:
    """By 5 up to 25, then by 3, and 50 at the end."""
    assert EDITION.track == (1, *range(5, 26, 5), *range(28, 47, 3), 50)
    assert len(EDITION.steps) == len(EDITION.track) == 14
    assert list(EDITION.steps) == sorted(EDITION.steps, reverse=True), "the dearer, the shorter the way"
    assert (EDITION.steps[-1], EDITION.limit) == (0, 25)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"track": (2, *TRACK[1:])}, "track"),
        ({"track": (*TRACK[:-1], 49)}, "track"),
        ({"track": (1, 3, 2, *TRACK[3:])}, "track"),
        ({"track": (1, 2, 2, *TRACK[3:])}, "track"),
        ({"track": (1,), "steps": (0,)}, "track"),
        ({"limit": 26}, "limit"),
        ({"limit": 1}, "limit"),
        ({"steps": SYMBOLS[1:]}, "steps"),
        ({"steps": (0, *SYMBOLS[1:])}, "steps"),
        ({"steps": (*SYMBOLS[:-1], 1)}, "steps"),
        ({"offers": ()}, "offers"),
        ({"offers": (*EDITION.offers, Amounts())}, "offers"),
        ({"hand_goods": 0}, "hand_goods"),
        ({"hand_goods": 21}, "hand_goods"),
        ({"hand_cards": 0}, "hand_cards"),
        ({"hand_goods": 13}, "goods cards"),
        ({"goods": Amounts(sugar=44)}, "goods cards"),
        ({"goods": Amounts(sugar=401)}, "goods cards"),
        ({"hand_cards": 6}, "black-market cards"),
        ({"offers": EDITION.offers[:15], "events": ("limit",) * 9}, "black-market cards"),
        ({"offers": EDITION.offers * 19}, "black-market cards"),
        ({"spy_cards": 0}, "spy_cards"),
        ({"swap_cards": 6}, "swap_cards"),
        ({"quick_deal": 1001}, "quick_deal"),
        ({"find_cost": 1001}, "find_cost"),
        ({"idle_cards": 0}, "idle_cards"),
        ({"half_cards": 0}, "half_cards"),
    ],
)
def test_SM_3_impossible_editions_are_refused(changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(Usage, match=fault):
        GAME.validate(deal(5, **changes))


@pytest.mark.parametrize("seats", [2, 6])
def test_SM_3_three_to_five_play(seats: int) -> None:
    with pytest.raises(Usage, match="3 to 5"):
        GAME.validate(deal(seats))


@pytest.mark.parametrize("expert", [False, True])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_SM_3_the_default_edition_is_playable(seats: int, expert: bool) -> None:
    GAME.validate(deal(seats, expert))


@pytest.mark.parametrize(("seats", "goods_left", "cards_left"), [(3, 33, 21), (4, 24, 18), (5, 15, 15)])
def test_SM_4_three_cards_and_nine_goods_each(seats: int, goods_left: int, cards_left: int) -> None:
    draws = PlainDraws(GAME.bags(deal(seats)), random.Random(3), hands=GAME.hands)
    public = GAME.setup(deal(seats), draws, (Words(),) * seats).public
    assert [(p.luxury, p.goods, p.cards) for p in public.players] == [(0, 9, 3)] * seats
    assert (public.goods_pile, public.card_pile) == (goods_left, cards_left)
    assert draws.calls == [("die", "", seats), *[("deal", "cards", 3)] * seats, *[("deal", "goods", 9)] * seats]
    assert_containers_agree(public, draws)


def test_SM_4_only_the_two_piles_are_sealed_before_the_deal() -> None:
    assert {name: len(tokens) for name, tokens in GAME.bags(deal(3)).items()} == {"goods": 60, "cards": 30}


@pytest.mark.parametrize("start", range(4))
def test_SM_4_the_seed_draws_who_starts(start: int) -> None:
    terms = deal(4)
    draws = PlainDraws(GAME.bags(terms), random.Random(3), hands=GAME.hands, dice=[start + 1])
    step = GAME.setup(terms, draws, (Words(),) * 4)
    assert step.pending == (Ask(start, "play"),)
    assert (step.public.half, step.public.start, step.public.marker) == (1, start, 0)
    assert [GAME.tell(terms, note) for note in step.log] == [
        f"every player is dealt 3 black-market cards and 9 goods cards; @{start} starts"
    ]
