"""Moves as data: what `legal` describes is exactly what `check` accepts."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec
import pytest

from referee import forms
from referee.crypto.codec import encode
from referee.errors import IllegalMove
from referee.game import LINK, Terms
from referee.games.weg_zum_erfolg import GAME
from referee.games.weg_zum_erfolg.types import (
    Deal,
    Enter,
    Go,
    Intervene,
    Lose,
    Move,
    Opponent,
    Place,
    Public,
    Sight,
    Solve,
    SwapChip,
    Target,
    Try,
    Turn,
    Way,
    Words,
)
from tests.support.plain import PlainDraws, bared, seen

from .build import EDITION, VARIANTS, random_move, random_words
from .other import BOARDS, accepted

WAYS: tuple[Way | None, ...] = (None, "up", "left", "right")


def positions(terms: Deal, seed: object, every: int) -> Iterator[tuple[Sight, random.Random]]:
    """The first two questions of each kind, and one in `every` of the others, of a random game with standing orders and
    missed deadlines."""
    rng = random.Random(f"{seed}/{terms.seats}")
    draws = PlainDraws(GAME.bags(terms), rng, hands=GAME.hands)
    step = GAME.setup(terms, draws, (Words(),) * terms.seats)
    number, kinds = 0, Counter[str]()
    while step.pending:
        answers: dict[int, Any] = {}
        for ask in step.pending:
            view = seen(step, draws, ask.seat)
            if ask.what != LINK and rng.random() > 0.05:
                answers[ask.seat] = any_legal(terms, view, rng)
                number += 1
                kinds[ask.what] += 1
                if number % every == 0 or kinds[ask.what] < 3:
                    yield view, rng
        draws.next_step(answers)
        given = {ask.seat: bared(GAME, ask, answers.get(ask.seat)) for ask in step.pending}
        public: Public = step.public
        if rng.random() < 0.05:
            seat = step.pending[0].seat
            said = tuple(random_words(rng) if at == seat else old for at, old in enumerate(public.standing))
            public = msgspec.structs.replace(public, standing=said)
        step = GAME.apply(terms, public, step.pending, given, draws)


def any_legal(terms: Deal, view: Sight, rng: random.Random) -> Move:
    if terms.edition is EDITION and rng.random() < 0.5:
        return random_move(terms, view, rng)
    move: Move = GAME.bots["random"](terms, view, rng.randrange)
    return move


def ok(terms: Deal, view: Sight, move: Move) -> bool:
    try:
        GAME.check(terms, view, move)
    except IllegalMove:
        return False
    return True


def every_move(terms: Deal, view: Sight) -> Iterator[Move]:
    """All answers to the question that can be written down, legal or not; of expressions a few."""
    what = next(ask.what for ask in view.pending if ask.seat == view.seat)
    seats, tries = (None, *range(terms.seats + 1)), (None, True, False)
    match what:
        case "piece":
            pieces = range(len(view.public.players[0].pieces) + 1)
            for piece, way, good, bad, seat, attempt in product(pieces, WAYS, WAYS, WAYS, seats, tries):
                yield Go(piece, way, seat, attempt, success=good, failure=bad)
            yield from (Enter(*pair) for pair in product(seats, tries))
        case "way":
            yield from (Turn(way) for way in WAYS if way)
        case "opponent":
            yield from (Opponent(s, success=a, failure=b) for s, a, b in product(seats, WAYS, WAYS) if s is not None)
        case "try":
            yield from (Try(t, success=a, failure=b) for t, a, b in product((True, False), WAYS, WAYS))
        case "intervene":
            yield from (Intervene(card) for card in (None, *range(1, 100)))
        case "solve":
            found = [choice.move.expression for choice in GAME.legal(terms, view)]
            yield from (Solve(one, way) for one, way in product({*found, None, "1", "8", "2 + 2"}, WAYS))
        case "target":
            yield from (Target(*pair) for pair in product(range(terms.seats + 1), range(10)))
        case "lose":
            yield from (Lose(card) for card in range(1, 100))
        case "place":
            yield from (Place(goal) for goal in range(12))
        case _:
            yield from (SwapChip(goal) for goal in (None, *range(12)))


def assert_described(terms: Deal, view: Sight, rng: random.Random) -> int:
    """What is built is legal and written in the one way; what is legal can be built. How many legal moves there are."""
    choices = GAME.legal(terms, view)
    assert len({choice.text for choice in choices}) == len(choices)
    assert sum(not choice.minor for choice in choices) <= 12
    for choice in choices:
        values = [forms.sample(choice, rng.randrange) for _ in range(3)]
        for move in (
            msgspec.to_builtins(choice.move),
            *(forms.build(choice, one) for one in values if one is not None),
        ):
            typed = msgspec.convert(move, Move)
            assert encode(typed) == encode(move)
            GAME.check(terms, view, typed)
            assert GAME.parse(terms, view, GAME.text(typed)) == typed
        assert (None in values) == any(isinstance(part, forms.Free) for part in choice.parts)
    legal = [move for move in every_move(terms, view) if ok(terms, view, move)]
    for move in legal:
        assert any(forms.find(choice, msgspec.to_builtins(move)) is not None for choice in choices), (view, move)
    return len(legal)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("seats", "variant"), [(2, "neue-hinterlistig"), (3, "base"), (5, "neue"), (8, "zufall-hinterlistig")]
)
def test_the_list_describes_every_legal_move_and_no_other(seats: int, variant: str) -> None:
    terms = Deal(seats, GAME.options(**VARIANTS[variant]), EDITION)
    asked, found = Counter[str](), 0
    for view, rng in positions(terms, variant, 4):
        asked[next(ask.what for ask in view.pending if ask.seat == view.seat)] += 1
        found += assert_described(terms, view, rng)
    assert {"piece", "solve", "intervene"} <= asked.keys()
    assert found > 100


@pytest.mark.thorough
@pytest.mark.parametrize("board", BOARDS)
def test_it_also_does_on_any_other_board(board: str) -> None:
    terms = accepted(BOARDS[board](), 4, neue_ziele=True)
    assert sum(assert_described(terms, view, rng) for view, rng in positions(terms, board, 3)) > 20


def test_all_standing_orders_can_be_given_and_taken_back() -> None:
    rng = random.Random(3)
    standing = GAME.standing
    assert standing is not None
    for seats, neue_ziele in ((2, False), (8, True)):
        terms = Terms(seats, GAME.options(neue_ziele=neue_ziele), EDITION)
        said = Words()
        for _ in range(100):
            choices = standing.legal(terms, said)
            assert any("always" in choice.text for choice in choices)
            for choice in choices:
                values = forms.sample(choice, rng.randrange)
                assert values is not None
                built = forms.build(choice, values)
                words = msgspec.convert(built, Words)
                assert encode(words) == encode(built)
                assert_typed(terms, said, words)
            said = words if rng.random() < 0.2 else rng.choice(choices).move


def assert_typed(terms: Any, said: Words, words: Words) -> None:
    """The phrases in force, typed one after the other by somebody who says nothing else, mean the same."""
    assert GAME.standing is not None
    for phrase in ("decline ask", "cards ask", "try ask", *GAME.standing.text(words)):
        said = GAME.standing.parse(terms, said, phrase.upper())
    assert said == words
