"""Answers that no honest tool signs: `apply` refuses what public facts forbid, and nothing crashes it."""

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from referee.engine.book import Fault
from referee.errors import IllegalMove
from referee.games.schwarzer_freitag import GAME, rules
from referee.games.schwarzer_freitag.types import (
    COLOURS,
    Buy,
    Cases,
    Extras,
    More,
    Move,
    Pass,
    Place,
    Public,
    Sell,
    Silver,
)
from referee.testing.sandbox import Sandbox

from .build import Desk, by_bot, cases, deal
from .ledger import assert_cases_are_all_there

NUMBERS = (0, 0, 0, 0, 1, 1, 1, 2, 3, 6, 11, 999, 1000)


def any_move(rng: random.Random) -> Move:
    """Anything that the move type can hold."""

    likely = rng.choice(COLOURS)

    def shares() -> Cases:
        if rng.random() < 0.5:
            return Cases(**{likely: 1})
        return Cases(*(rng.choice(NUMBERS) if rng.random() < 0.3 else 0 for _ in COLOURS))

    def colour() -> Any:
        return likely if rng.random() < 0.5 else rng.choice((*COLOURS, None))

    def extras() -> Extras:
        some = rng.sample([rng.choice(NUMBERS) or 1, rng.choice(NUMBERS) or 2, likely, rng.choice(COLOURS)], 3)
        return tuple(some[: rng.randrange(3)]) if rng.random() < 0.3 else ()

    around: dict[str, Any] = {"before": extras(), "after": extras(), "hold": rng.random() < 0.2}
    moves: tuple[Move, ...] = (
        Buy(shares(), colour(), **around),
        Sell(shares(), colour() or likely, colour(), **around),
        Silver(rng.choice((1, 2, 6, 1000)), colour(), **around),
        Pass(colour(), **around),
        More(extras()),
    )
    if rng.random() < 0.05:
        return Place(rng.choice(COLOURS))
    return rng.choice(moves)


def judged(box: Sandbox, move: Move) -> str:
    """The clause for which `check` refuses the move of the seat that is asked; empty if it does not."""
    try:
        rules.check(box.terms, box.seen(box.pending[0].seat), move)
    except IllegalMove as error:
        return error.clause
    return ""


def play_hostile(seed: str, seats: int, tries: int) -> Counter[str]:
    """A game in which most answers are arbitrary and nobody but `apply` judges them; counts what became of them."""
    rng, box = random.Random(seed), Sandbox(GAME, deal(seats), seed)
    fates: Counter[str] = Counter()
    for _ in range(tries):
        if not box.pending:
            break
        seat = box.pending[0].seat
        move = any_move(rng) if rng.random() < 0.9 else by_bot(box.terms, box.seen(seat), rng)
        assert msgspec.convert(msgspec.to_builtins(move), GAME.move) == move
        clause = judged(box, move)
        try:
            box.answer({seat: move}, check=False)
        except IllegalMove as error:
            # The player gets the same refusal, unless their own hand forbids it even earlier.
            fate, expected = "refused", {error.clause, "SF-18", "SF-29"}
        except Fault:
            fate, expected = "not held", {"SF-18"}
        else:
            # Only what a debtor hides is left to `check`.
            fate, expected = "hidden" if clause else "played", {"", "SF-29"}
            assert_cases_are_all_there(box)
            assert msgspec.json.decode(msgspec.json.encode(box.public), type=Public) == box.public
        assert clause in expected
        fates[fate] += 1
    return fates


@pytest.mark.thorough
def test_anything_is_refused_or_leads_on() -> None:
    fates: Counter[str] = Counter()
    for seed in range(12):
        fates.update(play_hostile(f"hostile {seed}", 2 + seed % 4, 1500))
    assert min(fates["played"], fates["refused"], fates["not held"]) >= 20


def test_SF_18_more_hidden_shares_than_there_are_is_public() -> None:
    desk = Desk().public(stage=4).hold(0, known=cases("red"), hidden=cases("red"))
    desk.refuses(Sell(cases("red", "red", "red"), "red", "red"), "SF-18")
    desk.refuses(Sell(cases("red", "blue"), "red", "red"), "SF-18", hidden=True)


def test_SF_29_what_hidden_shares_could_cover_is_left_to_check() -> None:
    desk = Desk().prices(red=12).player(0, subsidies=2, debt=10).hold(0, known=cases("blue"), hidden=cases("red"))
    sale = Sell(cases("blue"), "blue", "blue")
    assert "sell for 10 or more" in desk.refuses(sale, "SF-29", hidden=True)
    step = rules.apply(desk.terms, desk.now, desk.step.pending, {0: sale}, desk.draws)
    assert step.public.players[0].debt == 10


def test_SF_29_the_hidden_shares_that_a_sale_shows_count_for_everybody() -> None:
    desk = Desk().prices(red=54).public(stage=2).player(0, subsidies=3, debt=60)
    desk.hold(0, known=cases("red"), hidden=cases("blue", "green"))
    assert "sell for 60 or more" in desk.refuses(Sell(cases("blue", "green"), "blue", "blue"), "SF-29")
    desk.do(Sell(cases("red", "blue"), "blue", "blue"))
    assert (desk.at(0).money, desk.at(0).debt) == (1, 0)


def test_SF_39_what_the_end_of_the_game_forfeits_is_judged_all_the_same() -> None:
    desk = Desk().public(silver=23).bag(black=5).public(silver_strip=cases("yellow", "blue", "red", "green"))
    desk.refuses(Pass("orange", after=(3,)), "SF-26")
    desk.refuses(Pass("orange", after=("red",)), "SF-13")
    desk.do(Pass("orange", after=(2,)))
    assert desk.step.result is not None
