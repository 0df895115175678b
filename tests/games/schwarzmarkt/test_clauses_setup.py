"""Material and set-up: clauses SM-1 to SM-4, and editions that no game can be played with."""

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from referee.errors import Usage
from referee.game import Ask
from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.types import GOODS, Amounts, Words
from tests.support.plain import PlainDraws

from .build import EDITION, SYMBOLS, TRACK, assert_containers_agree, deal, goods


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
    wanted = [goods(good, good, good, good) for good in GOODS]
    wanted += [goods(a, a, b, b) for a, b in combinations(GOODS, 2)]
    wanted += [goods(*four) for four in combinations(GOODS, 4)]
    wanted += [goods(*GOODS)]
    assert Counter(EDITION.offers) == Counter(wanted)
    assert len(EDITION.offers) == 5 + 10 + 5 + 1


def test_SM_3_price_track() -> None:
    assert EDITION.track == TRACK
    assert EDITION.steps == SYMBOLS
    assert (EDITION.limit, len(TRACK)) == (25, 14)


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
        ({"events": ("limit", "razzia", "limit")}, "events"),
        ({"offers": ()}, "offers"),
        ({"offers": (*EDITION.offers, Amounts())}, "offers"),
        ({"hand_goods": 0}, "hand_goods"),
        ({"hand_goods": 21}, "hand_goods"),
        ({"hand_cards": 0}, "hand_cards"),
        ({"hand_goods": 13}, "goods cards"),
        ({"goods": Amounts(sugar=44)}, "goods cards"),
        ({"goods": Amounts(sugar=401)}, "goods cards"),
        ({"hand_cards": 6}, "black-market cards"),
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
    assert draws.calls == [("deal", "cards", 3)] * seats + [("deal", "goods", 9)] * seats
    assert_containers_agree(public, draws)


def test_SM_4_only_the_two_piles_are_sealed_before_the_deal() -> None:
    assert {name: len(tokens) for name, tokens in GAME.bags(deal(3)).items()} == {"goods": 60, "cards": 30}


def test_SM_4_the_player_left_of_the_last_seat_starts() -> None:
    terms = deal(4)
    step = GAME.setup(terms, PlainDraws(GAME.bags(terms), random.Random(3), hands=GAME.hands), (Words(),) * 4)
    assert step.pending == (Ask(0, "play"),)
    assert (step.public.half, step.public.start, step.public.marker) == (1, 0, 0)
    assert [GAME.tell(terms, note) for note in step.log] == [
        "every player is dealt 3 black-market cards and 9 goods cards; @0 starts"
    ]
