"""Moves as data: from `legal` alone every legal move can be built, and no other."""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, permutations, product
from typing import Any

import msgspec
import pytest

from referee import forms
from referee.crypto.codec import encode
from referee.defaults import kinds
from referee.errors import IllegalMove
from referee.game import LINK
from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.lookups import all_cards
from referee.games.schwarzmarkt.types import (
    GOODS,
    Amounts,
    Collect,
    Deal,
    Find,
    Move,
    Play,
    Quick,
    Raid,
    Sight,
    Spy,
    Swap,
    Trade,
    Words,
)
from referee.testing.values import any_value
from tests.support.often import often

from .build import EDITION, Desk, deal
from .test_editions import LARGEST, SMALLEST
from .test_moves import decisions

WORDS = (*all_cards(deal()), "offer-0", "offer-22", "x")


def ok(terms: Deal, view: Sight, move: Move) -> bool:
    try:
        GAME.check(terms, view, move)
    except IllegalMove:
        return False
    return True


def trades(hand: tuple[str, ...]) -> Iterator[Trade]:
    """All that can be made of the goods in hand, one more than there are of some, up to two of each."""
    numbers = product(*(range(min(hand.count(good) + 1, 2) + 1) for good in GOODS))
    for some in numbers:
        yield from (Trade(Amounts(*some), steps, sit_out) for steps in (0, 1, 4, 5) for sit_out in (0, 1, 5))


def answers(terms: Deal, view: Sight, what: str) -> Iterator[Any]:
    """All answers to a question that can be written down, legal or not; of trades, only those of a few cards."""
    seats, hand = range(terms.seats + 1), view.hand("goods")
    match what:
        case "trade":
            yield from trades(hand)
        case "spy":
            yield from map(Spy, seats)
        case "collect":
            yield from map(Collect, seats)
        case "quick":
            yield from map(Quick, GOODS)
        case "raid":
            yield from (Raid(seat, good) for seat in seats for good in GOODS)
        case "find":
            yield from map(Find, permutations(GOODS))
        case "swap":
            gifts = [gift for number in range(4) for gift in combinations_with_replacement(GOODS, number)]
            yield from (Swap(seat, number, gift) for seat in seats for gift in gifts for number in {len(gift), 1})


def every_move(terms: Deal, view: Sight, rng: random.Random) -> Iterator[Move]:
    """Every answer to what is asked; for a card that is played, also some that are decided together with it."""
    what = view.pending[0].what
    yield from answers(terms, view, what)
    for card in all_cards(terms) if what == "play" else ():
        kind = rng.choice(("trade", "spy", "collect", "quick", "raid"))
        yield from (Play(card), Play(card, rng.choice(list(answers(terms, view, kind)))))


def found(choices: Sequence[forms.Choice], move: Move) -> bool:
    data = msgspec.json.decode(encode(move))
    return any(forms.find(choice, data) is not None for choice in choices)


def assert_built_moves_are_legal(terms: Deal, view: Sight, rng: random.Random, times: int) -> None:
    for choice in GAME.legal(terms, view):
        for _ in range(times if choice.parts else 1):
            values = forms.sample(choice, rng.randrange)
            assert values is not None, choice.text
            built = forms.build(choice, values)
            move = msgspec.convert(built, Move)
            assert encode(move) == encode(built), "the one spelling of the move"
            GAME.check(terms, view, move)
            assert GAME.parse(terms, view, GAME.text(move)) == move
            assert forms.find(choice, built) is not None
        assert forms.find(choice, msgspec.json.decode(encode(choice.move))) is not None, (
            "the example is one of the family"
        )


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.thorough
def test_what_is_built_from_a_family_is_legal_and_reads_back(seats: int) -> None:
    rng = random.Random(seats)
    for terms, view, move in decisions(seats, often(2)):
        assert_built_moves_are_legal(terms, view, rng, 2)
        assert found(GAME.legal(terms, view), move), "what a bot did"


@pytest.mark.thorough
def test_every_legal_move_belongs_to_a_family() -> None:
    """Of everything that can be written down, some are tried out at each decision."""
    rng, kinds = random.Random("every"), set()
    for terms, view, _ in decisions(4, often(9)):
        choices, moves = GAME.legal(terms, view), list(every_move(terms, view, rng))
        for move in rng.sample(moves, min(len(moves), 12)):
            legal = ok(terms, view, move)
            assert found(choices, move) == legal, move
            kinds |= {(type(move), type(getattr(move, "then", None)))} if legal else set()
    nothing = type(None)
    assert kinds >= {(kind, nothing) for kind in (Play, Trade, Spy, Quick, Swap, Raid, Find, Collect)}


@pytest.mark.parametrize("card", ["offer-6", "spionage", "schnelles-geschaeft", "razzia", "alte-rechnung"])
def test_SM_25_all_that_can_be_sent_with_a_card_is_in_its_family(card: str) -> None:
    desk = Desk(4).goods(0, Amounts(1, 2, 0, 1)).goods(2, Amounts()).cards(0, card, "offer-4", "limit")
    choices = GAME.legal(desk.terms, desk.sight())
    kinds = ("trade", "spy", "collect", "quick", "raid")
    moves = [Play(card, then) for kind in kinds for then in answers(desk.terms, desk.sight(), kind)]
    legal = [move for move in moves if ok(desk.terms, desk.sight(), move)]
    assert legal == [move for move in moves if found(choices, move)]
    assert len(legal) > 1


@pytest.mark.thorough
def test_any_value_of_the_move_types_is_legal_exactly_if_a_family_has_it() -> None:
    rng, legal = random.Random("bent"), 0
    for terms, view, move in decisions(4, often(3)):
        choices = GAME.legal(terms, view)
        kind = next(one for one in kinds(Move) if one.cls is type(move))
        for _ in range(10):
            fields = rng.sample(kind.fields, min(len(kind.fields), rng.randint(1, 2)))
            changed = {field.name: any_value(field.type, rng, WORDS) for field in fields}
            other = msgspec.convert(msgspec.to_builtins(move) | changed, Move)
            assert found(choices, other) == ok(terms, view, other), other
            legal += ok(terms, view, other)
    assert legal > 50


@pytest.mark.parametrize("edition", [SMALLEST, LARGEST], ids=["smallest", "largest"])
@pytest.mark.thorough
def test_families_of_other_editions(edition: dict[str, Any]) -> None:
    rng = random.Random("editions")
    for number, (terms, view, _) in enumerate(decisions(4, 1, **edition)):
        if number % 5 == 0:
            assert len(GAME.legal(terms, view)) <= 2 * edition["hand_cards"] + 8
            assert_built_moves_are_legal(terms, view, rng, 1)


def test_the_short_list_is_short() -> None:
    for terms, view, _ in decisions(4, 3):
        choices = GAME.legal(terms, view)
        assert 1 <= sum(not choice.minor for choice in choices) <= 12
        assert len({choice.text for choice in choices}) == len(choices)


def test_SM_13_one_family_for_trades_with_its_limit() -> None:
    desk = Desk(3).play("waren-knapp", "offer-6").price(10)
    family = GAME.legal(desk.terms, desk.sight())[0]
    assert family.text == "trade one of: 2 potatoes, 2 coffee (10 each)"
    assert forms.fault(family, {"goods": {"coffee": 1}, "sit_out": "ask again"}) == ""
    assert (
        forms.fault(family, {"goods": {"coffee": 2}, "sit_out": "ask again"}) == "trade one card: the goods are scarce"
    )
    assert forms.fault(family, {"goods": {}, "sit_out": "ask again"})


def test_SM_16_the_other_must_hold_as_many_as_are_given() -> None:
    desk = Desk(4).goods(0, Amounts(butter=2, sugar=1)).goods(1, Amounts(sugar=1)).goods(2, Amounts())
    (family,) = GAME.legal(desk.terms, desk.play("zwangstausch").sight())
    assert family.text == "swap 1 to 2 cards with @1 or @3; you hold 2 butter, 1 sugar"
    one = {"number": 1, "target": "@1", "give": {"sugar": 1}}
    assert forms.build(family, one) == {"kind": "swap", "target": 1, "number": 1, "give": ["sugar"]}
    assert forms.fault(family, one) == ""
    assert forms.fault(family, one | {"number": 2})
    assert forms.fault(family, one | {"number": 2, "target": "@3"}) == "give as many cards as you said"
    assert forms.fault(family, one | {"number": 2, "target": "@3", "give": {"butter": 1, "sugar": 1}}) == ""
    assert forms.fault(family, one | {"target": "@2"})


def test_SM_25_a_card_and_what_follows_are_one_family() -> None:
    desk = Desk(3).cards(0, "offer-6", "razzia", "limit")
    listed = {choice.text: choice for choice in GAME.legal(desk.terms, desk.sight())}
    assert [words for words, choice in listed.items() if not choice.parts] == [
        "play offer 6",
        "play razzia",
        "play limit",
    ]
    trade, raid = (choice for choice in listed.values() if choice.parts)
    assert trade.text == "play offer 6, and at once: trade any of 2 potatoes, 2 coffee (1 each), or move the marker"
    nothing = {"goods": {}, "steps": "move 3", "sit_out": "ask again"}
    assert forms.build(trade, nothing) == {
        "kind": "play",
        "card": "offer-6",
        "then": {"kind": "trade", "goods": {}, "steps": 3},
    }
    assert forms.fault(trade, nothing) == ""
    assert forms.fault(trade, nothing | {"goods": {"coffee": 1}})
    assert forms.fault(trade, {"goods": {"coffee": 1}, "steps": "it moves by itself", "sit_out": "sit out 2"}) == ""
    assert msgspec.convert(forms.build(raid, {"target": "@2", "good": "sugar"}), Move) == Play(
        "razzia", Raid(2, "sugar")
    )


@pytest.mark.parametrize("said", [Words(), Words(10, 2)])
def test_SM_27_standing_orders_as_data(said: Words) -> None:
    assert GAME.standing is not None
    rng, terms = random.Random(3), deal()
    choices = GAME.standing.legal(terms, said)
    assert [choice.text for choice in choices if not choice.parts] == (["always ask"] if said.asked_from else [])
    reached = set()
    for _ in range(400):
        values = forms.sample(choices[-1], rng.randrange)
        assert values is not None
        built = forms.build(choices[-1], values)
        words = msgspec.convert(built, Words)
        assert encode(words) == encode(built)
        (phrase,) = GAME.standing.text(words)
        assert GAME.standing.parse(terms, said, phrase) == words
        reached.add(words)
    assert reached == {Words(price, steps) for price in EDITION.track[1:] for steps in range(1, 5)}


def test_nobody_is_asked_for_a_move_with_a_link() -> None:
    desk = Desk(3).goods(0, Amounts(sugar=1)).play("schnelles-geschaeft").do(Quick("sugar"))
    assert desk.step.pending[0].what == LINK
    assert GAME.legal(desk.terms, desk.sight(0)) == ()
