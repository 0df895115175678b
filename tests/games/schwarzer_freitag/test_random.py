"""Random games: every one ends, nothing gets lost on the way, and everybody reads the same."""

import pytest

from referee.testing.sandbox import Sandbox

from .build import deal
from .ledger import play_random


def assert_ranks(box: Sandbox) -> None:
    result = box.result
    assert result is not None
    assert box.public.silver == len(box.terms.edition.silver_track) - 1
    assert result.scores == tuple((p.gold, p.silver, p.money) for p in box.public.players)
    best_first = sorted(result.scores, reverse=True)
    assert result.ranks == tuple(best_first.index(score) + 1 for score in result.scores)
    assert all(player.unknown == 0 for player in box.public.players), "hands are laid out at the end"


@pytest.mark.parametrize("cards", [True, False], ids=["cards", "plain"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_random_games_end_and_lose_nothing(seats: int, cards: bool) -> None:
    assert_ranks(play_random(f"{seats} {cards}", deal(seats, cards)))


@pytest.mark.thorough
@pytest.mark.parametrize("missed", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_SF_43_games_with_missed_deadlines_end_and_lose_nothing(seats: int, missed: float) -> None:
    for seed in range(2):
        assert_ranks(play_random(f"{seats} {missed} {seed}", deal(seats, cards=seed > 0), missed))
