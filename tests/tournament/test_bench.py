"""The measure of what duplicate groups save, where it is known."""

from random import Random

import pytest

from tests.bench.duplicates import ratio, rests
from tests.tournament.games import duel, luck


@pytest.mark.parametrize(("kind", "expected"), [("own", 1.0), ("sweep", 0.5), ("even", 0.75)])
def test_what_a_group_saves(kind: str, expected: float) -> None:
    """Luck of its own saves nothing; a pair that always comes out alike costs twice as much. `even`: the first seat
    wins 3 games of 4, variance 3/16 each; entrant 0 wins both in 1/4, so the covariance is 1/4 - 3/16: 6/16 to 8/16."""
    chance = Random(kind)
    games = [outcome for at in range(4000) for outcome in duel(at, luck(kind, 0.5, chance))]
    assert ratio(rests(games, 0, 1)) == pytest.approx(expected, rel=0.1)


def test_pairs_that_are_always_split_save_everything_and_seats_alone_save_nothing() -> None:
    """The first seat always wins: that is the seat, which changes in any schedule, and no luck at all."""
    seats = [outcome for at in range(50) for outcome in duel(at, [True, False])]
    assert ratio(rests(seats, 0, 1)) is None
    # Whoever sits first wins on even deals, whoever sits second on odd ones: the deal decides, and it cancels.
    deals = [outcome for at in range(50) for outcome in duel(at, [at % 2 == 0, at % 2 == 1])]
    assert (ratio(rests(deals, 0, 1)) or 0) > 1000
