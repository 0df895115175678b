"""Plackett-Luce against a second calculation: every order that ranks allow, written out."""

from collections.abc import Iterable, Sequence
from itertools import pairwise, permutations
from math import exp, log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament.fit import ELO, Fit, Tally
from referee.tournament.outcome import Outcome
from tests.tournament.games import table


def tally(outcomes: Iterable[Outcome]) -> Tally:
    made = Tally()
    for outcome in outcomes:
        made.add(outcome)
    return made


def strengths(*tallies: Tally, weights: Sequence[float] = (1.0,)) -> dict[int, float]:
    """With one drawn game of everybody against an average player."""
    fit = Fit(tallies)
    prior = [(0.5, 0.5)] * len(fit.who)
    return dict(zip(fit.who, fit.strengths(weights, prior, [0.0] * len(prior)), strict=True))


def written_out(outcomes: list[Outcome], at: dict[int, float]) -> float:
    """The log-likelihood: the mean over all orders of the seats that the ranks allow, and the drawn games."""
    total = sum(0.5 * value - log(1 + exp(value)) for value in at.values())
    for outcome in outcomes:
        seats = range(len(outcome.entrants))
        orders = [
            order
            for order in permutations(seats)
            if all(outcome.ranks[a] <= outcome.ranks[b] for a, b in pairwise(order))
        ]
        for order in orders:
            odds = [exp(at[outcome.entrants[seat]]) for seat in order]
            total += sum(log(odds[place] / sum(odds[place:])) for place in seats) / len(orders)
    return total


@st.composite
def some_games(draw: st.DrawFn) -> list[Outcome]:
    """Two to five seats, four entrants (some of them more than once at a table), any ties."""
    made = []
    for number in range(draw(st.integers(1, 6))):
        entrants = draw(st.lists(st.integers(0, 3), min_size=2, max_size=5))
        scores = draw(st.lists(st.integers(0, 3), min_size=len(entrants), max_size=len(entrants)))
        ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
        made.append(Outcome(number, number, "toy", tuple(entrants), ranks))
    return made


@settings(max_examples=60, deadline=None)
@given(some_games())
def test_the_fit_is_the_maximum_of_the_likelihood_written_out(outcomes: list[Outcome]) -> None:
    found = strengths(tally(outcomes))
    assert set(found) == {entrant for outcome in outcomes for entrant in outcome.entrants}
    for entrant in found:
        slope = written_out(outcomes, found | {entrant: found[entrant] + 1e-4})
        slope -= written_out(outcomes, found | {entrant: found[entrant] - 1e-4})
        assert abs(slope / 2e-4) < 1e-3  # and there is only one such point: the function is concave


@pytest.mark.parametrize(("won", "drawn", "lost"), [(7, 0, 3), (5, 6, 1), (20, 0, 0), (100_000, 0, 0), (0, 1, 0)])
def test_two_players_by_hand(won: int, drawn: int, lost: int) -> None:
    """The difference solves one equation, which is solved here by halving."""
    ranks = [(1, 2)] * won + [(1, 1)] * drawn + [(2, 1)] * lost
    found = strengths(tally(Outcome(at, at, "toy", (0, 1), each) for at, each in enumerate(ranks)))
    points, games = won + drawn / 2, won + drawn + lost
    low, high = -50.0, 50.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        rises = points - games / (1 + exp(-middle)) + 0.5 - 1 / (1 + exp(-middle / 2)) > 0
        low, high = (middle, high) if rises else (low, middle)
    assert found[0] - found[1] == pytest.approx(low, abs=1e-4)
    assert found[0] == pytest.approx(-found[1], abs=1e-6)


def test_known_strengths_are_recovered() -> None:
    chance = Random(1)
    true = [0.0, 1.0, -1.0, 2.0, 0.5]
    made = [table(at, at, true, chance.sample(range(5), 4), chance) for at in range(3000)]
    found = strengths(tally(made))
    assert [found[at] - found[0] for at in range(5)] == pytest.approx(true, abs=0.15)


def test_a_tally_knows_no_order_and_weights_are_repetitions() -> None:
    chance = Random(2)
    made = [table(at, at, [0.0, 1.0, 2.0], [0, 1, 2], chance) for at in range(30)]
    one, two = tally(made[:10]), tally(made[10:])
    thrice = strengths(tally([*made[:10] * 3, *made[10:]]))
    assert strengths(one, two, weights=[3, 1]) == pytest.approx(thrice)
    one += two
    assert strengths(tally(reversed(made))) == pytest.approx(strengths(one))


def test_bots_that_never_met_are_average_and_odds_of_ten_are_400_points() -> None:
    apart = [Outcome(0, 0, "toy", (0, 1), (1, 2)), Outcome(1, 1, "toy", (2, 3), (1, 2))]
    found = strengths(tally(apart))
    assert found[0] == pytest.approx(found[2])
    assert found[1] == pytest.approx(found[3])
    assert pytest.approx(400) == ELO * log(10)
