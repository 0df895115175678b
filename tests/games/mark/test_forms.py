"""Moves as data: what the list describes is exactly what the rules allow, and it reads well."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.crypto.codec import encode
from referee.errors import IllegalMove
from referee.forms import Choice, Number, build, find, open_options, sample
from referee.game import LINK
from referee.games.mark import GAME, rules
from referee.games.mark.bots import sensible_move
from referee.games.mark.types import (
    FIELDS,
    KINDS,
    Bid,
    Both,
    Buy,
    Deal,
    Lot,
    Move,
    Name,
    Nothing,
    Offer,
    Process,
    Roll,
    Sell,
    Shift,
    Sight,
    Take,
)
from referee.games.mark.words import parse, text
from referee.games.mark.words_list import legal
from tests.support.plain import play_out

from .build import BASE, Desk, auction, deal, random_move

NEAR = [field for field in FIELDS if field[1] <= "5"]
"""One field more in each area than there is."""
GAMES = [(2, {}), (3, {}), (4, {}), (3, BASE), (3, {"liquidation": False})]


def ok(terms: Deal, view: Sight, move: Move) -> bool:
    try:
        rules.check(terms, view, move)
    except IllegalMove:
        return False
    return True


@cache
def everything() -> list[Move]:
    """Whatever can be written down in one action, bids of up to 60 included."""
    moves: list[Move] = [Roll(), Nothing(), Offer(None)]
    moves += [make(kind, field) for make in (Buy, Take) for kind, field in product(KINDS, NEAR)]
    moves += [make(one, other) for make in (Shift, Process) for one, other in product(NEAR, NEAR)]
    moves += [Sell(field, row) for field in NEAR for row in (None, 0, 1, 2, 3, 4, 5)]
    moves += [Name(kind) for kind in KINDS]
    moves += [Offer(field) for field in NEAR]
    moves += [Bid(amount, field) for amount in range(60) for field in (None, *NEAR)]
    return moves


def moves_of(choice: Choice) -> Iterator[Any]:
    """Every move of a family, as JSON; of amounts those below 60."""

    def fill(values: dict[str, Any], left: tuple[Any, ...]) -> Iterator[Any]:
        if not left:
            yield build(choice, values)
            return
        part, *more = left
        if isinstance(part, Number):
            options: list[Any] = list(range(part.low, min(part.high + 1, 60)))
        else:
            options = [option.text for option in open_options(part, values)]
        for option in options:
            yield from fill(values | {part.name: option}, tuple(more))

    assert not choice.limits
    return fill({}, choice.parts)


def both_of(terms: Deal, view: Sight) -> Iterator[Both]:
    """Every legal pair of actions, by trying out all of them."""
    pieces = (Take, Process, Sell)
    for first in everything():
        if isinstance(first, pieces) and ok(terms, view, Both(first, Nothing())):
            for second in everything():
                if isinstance(second, (*pieces, Nothing)) and ok(terms, view, Both(first, second)):
                    yield Both(first, second)


def views(terms: Deal, seed: int) -> Iterator[Sight]:
    for moment in play_out(GAME, terms, random_move, random.Random(seed)):
        yield from (moment.seen(ask.seat) for ask in moment.step.pending if ask.what != LINK)


@pytest.mark.parametrize(("seats", "options"), GAMES)
def test_the_list_is_exactly_what_the_rules_allow(seats: int, options: dict[str, bool]) -> None:
    terms, seen = deal(seats, **options), Counter[str]()
    for view in views(terms, seats):
        what, double = view.pending[0].what, len(set(view.public.dice)) == 1
        case = f"double {what}" if double else what
        seen[case] += 1
        if seen[case] % (10 if double else 25) != 1:
            continue
        listed = [encode(move) for choice in legal(terms, view) for move in moves_of(choice)]
        allowed: list[Move] = [move for move in everything() if ok(terms, view, move)]
        allowed += both_of(terms, view) if double and what == "act" else ()
        assert sorted(listed) == sorted(map(encode, allowed)), "every legal move once, in its one spelling"
    assert set(seen) >= {"act", "double act", "double again", "bid"}


@pytest.mark.parametrize(("seats", "options"), GAMES)
def test_samples_are_legal_and_what_is_legal_is_found(seats: int, options: dict[str, bool]) -> None:
    """In every position: samples pass `check` in their one spelling and can be typed; bots' moves are found."""
    terms, rng = deal(seats, **options), random.Random(seats)
    for view in views(terms, 10 + seats):
        choices = legal(terms, view)
        assert 0 < len(choices) <= 12
        assert len({choice.text for choice in choices}) == len(choices)
        for choice in choices:
            values = sample(choice, rng.randrange)
            assert values is not None
            move = msgspec.convert(build(choice, values), Move)
            rules.check(terms, view, move)
            rules.check(terms, view, choice.move)
            assert encode(move) == encode(build(choice, values))
            assert parse(terms, view, text(move)) == move
            assert bool(choice.parts) or choice.text == text(choice.move)
        for move in (random_move(terms, view, rng), sensible_move(terms, view, rng.randrange)):
            assert sum(find(choice, msgspec.to_builtins(move)) is not None for choice in choices) == 1


def test_what_is_bent_is_found_exactly_if_it_is_legal() -> None:
    terms, rng, seen = deal(3), random.Random("bent"), Counter[bool]()
    for view in views(terms, 5):
        choices = legal(terms, view)
        for _ in range(3):
            move = bent(random_move(terms, view, rng), rng)
            fine = ok(terms, view, move)
            found = any(find(choice, msgspec.to_builtins(move)) is not None for choice in choices)
            assert found == fine, move
            seen[fine] += 1
    assert min(seen.values()) > 50


def bent(move: Any, rng: random.Random) -> Move:
    """The move with another value in one of its fields."""
    if isinstance(move, Both) and rng.random() < 0.8:
        side = rng.choice(["first", "second"])
        return replace(move, **{side: bent(getattr(move, side), rng)})
    values: dict[str, list[Any]] = {"kind": [*KINDS], "amount": [0, 1, 5, 40], "row": [None, 0, 1, 4, 9]}
    values |= dict.fromkeys(("field", "source", "target"), NEAR)
    names = [name for name in move.__struct_fields__ if name in values]
    if not names:
        return rng.choice([one for one in everything() if isinstance(one, Take | Process | Sell)])
    name = rng.choice(names)
    changed: Move = replace(move, **{name: rng.choice(values[name])})
    return changed


def test_the_largest_box_is_listed_in_few_lines() -> None:
    """A double with a kind that has no row yet, in a plant of nine and nine fields: the most that can be listed."""
    desk = Desk().edition(area=9, pieces=40)
    player = replace(desk.at(), delivery=("glass", None) * 4 + ("glass",), processing=("glass", None) * 4 + ("glass",))
    desk.public(players=(player, *desk.now.players[1:])).roll("glass", "glass")
    choices = legal(desk.terms, desk.seen())
    assert len(choices) <= 12
    assert sum(len(part.options) for choice in choices for part in choice.parts if hasattr(part, "options")) < 200
    rng = random.Random(1)
    for choice in choices * 5:
        values = sample(choice, rng.randrange)
        assert values is not None
        rules.check(desk.terms, desk.seen(), msgspec.convert(build(choice, values), Move))


# --- how it reads ----------------------------------------------------------------------------------------------------


def lines(desk: Desk, seat: int | None = None) -> dict[str, str]:
    return {choice.text: choice.note for choice in legal(desk.terms, desk.seen(seat))}


def test_MK_12_MK_13_the_list_tells_costs() -> None:
    desk = Desk().plant(0, d1="glass", d2="glass", d3="paper")
    assert lines(desk) == {
        "roll": "storage costs 5 at the start of every turn",
        "buy glass, plastic, paper, metal or composite to d4": "costs 5",
        "move d1 (glass), d2 (glass) or d3 (paper) to p1, p2, p3 or p4": "costs 10",
    }
    assert list(lines(desk.money(7, 30, 30))) == ["roll", "buy glass, plastic, paper, metal or composite to d4"]


def test_MK_6_MK_9_the_list_tells_what_a_sale_brings_and_the_best_comes_first() -> None:
    desk = Desk().plant(0, d1="glass", p1="glass", p2="paper", p4="metal").row(2, "glass", 2).row(0, "metal", 4)
    assert list(lines(desk.roll("glass", "star")).items()) == [
        ("sell p4", "metal; brings 16"),
        ("sell p1", "glass; brings 15"),
        ("sell p2 (paper) and open a row", "row 2 brings 7, row 4 brings 4, row 5 brings 3"),
        ("take glass, plastic, paper, metal or composite to d2, d3 or d4", BANK),
        ("pass", "no action"),
    ]


BANK = "the bank has 4 glass, 8 plastic, 7 paper, 3 metal and 8 composite"


def test_MK_7_a_double_can_be_answered_at_once() -> None:
    desk = Desk().roll("glass", "glass")
    assert list(lines(desk)) == [
        "take glass to d1, d2, d3 or d4",
        "two actions in one answer, for example: take glass d1 then take glass d2",
        "pass",
    ]
    desk.do(Take("glass", "d1"))
    assert lines(desk)["pass"] == "no second action"
    assert list(lines(desk)) == ["process d1 (glass) to p1 or p2", "take glass to d2, d3 or d4", "pass"]


def test_MK_15_the_family_of_bids_has_its_limits() -> None:
    desk = auction(Lot("glass", 0, "d1")).row(2, "glass", 2).plant(1, d2="paper", d4="paper").money(30, 25, 7)
    assert lines(desk, 1) == {
        "bid 7 to 25, the piece goes to d1 or d3": "glass from the plant of another player",
        "bid 0": "no bid",
    }
    desk.plant(2, d1="paper", d2="paper", d3="paper")
    assert list(lines(desk, 2)) == ["bid 7 d4", "bid 0"], "one bid is possible, and it can be typed as it stands"
    assert list(lines(desk.money(30, 7, 9), 2)) == ["bid 7 to 9, the piece goes to d4", "bid 0"]
    assert lines(auction(Lot("glass")), 1)["bid 1 to 30, the piece goes to d1, d2, d3 or d4"] == "glass from the bank"


def test_MK_14_an_offer_tells_what_the_bank_pays() -> None:
    desk = Desk().plant(0, d1="glass", p2="glass").plant(1, d1="glass").row(2, "glass", 2).roll("hammer", "glass")
    note = "if nobody before you is willing; brings at least 7"
    assert lines(desk, 0) == {"offer the glass on d1 or p2": note, "offer none": "no offer"}
    assert lines(desk, 1) == {"offer d1": note, "offer none": "no offer"}
    assert legal(desk.terms, desk.seen(2)) == ()


def test_MK_8_naming_tells_what_can_be_auctioned() -> None:
    desk = Desk().row(2, "glass", 2).roll("hammer", "star")
    assert lines(desk)["name glass"] == "the bank has 6; lowest bid 7"
    assert list(lines(desk)) == [f"name {kind}" for kind in KINDS]
