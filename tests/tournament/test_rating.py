"""Intervals and likelihoods of superiority hold what they promise: against exact sums, and in repetitions."""

from math import comb, exp, log, sqrt
from random import Random

import pytest

from referee.tournament.outcome import Outcome
from referee.tournament.rating import UNITS, Rating, Ratings, Sample, rate
from tests.tournament.games import duel, elo, luck, table


def rated(groups: list[list[Outcome]], seed: int = 0, repetitions: int = 1000) -> Ratings:
    sample = Sample()
    for group in groups:
        sample.add(group)
    return rate(sample, seed, repetitions)


def row(found: Ratings, entrant: int) -> Rating:
    return next(each for each in found.rows if each.entrant == entrant)


def beta_above_half(won: int, lost: int) -> float:
    """P(X > 1/2) for X from Beta(won + 1, lost + 1): an exact sum of binomials."""
    many = won + lost + 1
    return sum(comb(many, k) for k in range(won + 1)) / 2**many


@pytest.mark.parametrize(("won", "lost"), [(60, 40), (55, 45), (48, 52), (30, 10)])
def test_superiority_of_two_is_the_exact_one(won: int, lost: int) -> None:
    """Within what half a game more or less, and the stretch for few groups, make of it."""
    games = [duel(at, [at < won]) for at in range(won + lost)]
    found = rated(games, repetitions=4000)
    names = [each.entrant for each in found.rows]
    likely = found.superiority[names.index(0)][names.index(1)]
    exact = beta_above_half(won, lost)
    assert likely == pytest.approx(exact, abs=0.02)
    assert likely + found.superiority[names.index(1)][names.index(0)] == pytest.approx(1, abs=1e-3)


def test_the_interval_of_many_single_games_is_that_of_the_binomial() -> None:
    found = row(rated([duel(at, [at % 4 != 0]) for at in range(400)], repetitions=4000), 0)
    share = 0.75
    error = 1.96 / sqrt(400 * share * (1 - share))  # of the log of the odds
    middle = log(share / (1 - share))
    points = 400 / log(10) / 2  # each of the two is half of the difference away from their mean
    assert found.elo == pytest.approx(points * middle, abs=2)
    assert (found.low, found.high) == pytest.approx((points * (middle - error), points * (middle + error)), abs=5)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("kind", "groups"), [("own", 3), ("sweep", 3), ("even", 3), ("own", 10), ("sweep", 40), ("even", 40)]
)
def test_intervals_cover_the_truth(kind: str, groups: int) -> None:
    """In 95 of 100 repetitions, whatever luck is like, also with few groups; three standard errors are allowed."""
    chance = Random(f"{kind} {groups}")
    missed, times = 0, 0
    for wins in (0.5, 0.72):
        for _ in range(40):
            found = row(rated([duel(at, luck(kind, wins, chance)) for at in range(groups)], times, 100), 0)
            missed += not found.low <= elo(wins) / 2 <= found.high
            times += 1
    assert missed <= 0.05 * times + 3 * sqrt(0.05 * 0.95 * times)


def test_luck_that_cancels_makes_intervals_narrow_and_games_alone_do_not() -> None:
    chance = Random(3)
    width = {}
    for kind in ("own", "sweep", "even"):
        found = row(rated([duel(at, luck(kind, 0.6, chance)) for at in range(200)], repetitions=300), 0)
        width[kind] = found.high - found.low
    assert width["sweep"] > 1.25 * width["own"]
    assert width["even"] < 1.1 * width["own"]
    even = row(rated([duel(at, [True, False]) for at in range(200)], repetitions=300), 0)
    assert even.high - even.low < 0.2 * width["own"]


def test_one_game_and_none() -> None:
    one = rated([duel(0, [True])])
    assert [each.entrant for each in one.rows] == [0, 1]
    assert one.rows[0].low < 0 < one.rows[0].elo < one.rows[0].high
    assert 0.5 < one.superiority[0][1] < 0.95
    assert rated([]) == Ratings((), ())


def ahead(game: float, won: float, lost: float, others_won: float, others_lost: float) -> float:
    """How much stronger the winner of one game is than the loser, with these weights of the game and of games of each
    against an average player: where the slopes of both strengths are 0, with the game's part in them halved in."""
    low, high = 0.0, min(game, lost, others_won)
    for _ in range(60):
        part = (low + high) / 2
        one = log((won + part) / max(lost - part, 1e-300))
        two = log(max(others_won - part, 1e-300) / (others_lost + part))
        low, high = (part, high) if game / (1 + exp(one - two)) > part else (low, part)
    return one - two


def test_one_game_leaves_as_much_open_as_its_weights_and_those_of_the_prior() -> None:
    chance, times = Random(6), 4000
    middle = ahead(1, 0.5, 0.5, 0.5, 0.5)
    drawn = [
        ahead(chance.expovariate(1), *(max(1e-6, chance.gammavariate(0.5, 1)) for _ in range(4))) for _ in range(times)
    ]
    stretch = 1 + 3
    likely = sum(middle + stretch * (each - middle) > 0 for each in drawn) / times
    found = rated([duel(0, [True])], repetitions=times)
    assert found.superiority[0][1] == pytest.approx(likely, abs=0.025)
    assert found.rows[0].elo == pytest.approx(400 / log(10) * middle / 2, abs=0.1)


def test_whoever_won_everything_has_an_interval() -> None:
    found = rated([duel(at, [True, True]) for at in range(20)])
    first = found.rows[0]
    assert first.entrant == 0
    assert 0 < found.superiority[1][0] < 0.001 < 0.999 < found.superiority[0][1] < 1
    assert 0 < first.low < first.elo < first.high < 4000


def test_a_game_counts_once_for_an_entrant_with_several_seats() -> None:
    games = [Outcome(number, number, "toy", (0, 0, 1), (1, 3, 2)) for number in range(4)]
    found = rated([[game] for game in games], repetitions=20)
    assert {each.entrant: each.games for each in found.rows} == {0: 4, 1: 4}


def test_the_seed_alone_decides() -> None:
    chance = Random(4)
    groups = [[table(at, at, [0.0, 0.3, 0.6], [0, 1, 2], chance)] for at in range(20)]
    assert rated(groups, 1, 50) == rated(groups, 1, 50)
    assert rated(groups, 1, 50) != rated(groups, 2, 50)


def test_a_long_tournament_keeps_a_bounded_sample() -> None:
    chance = Random(5)
    sample, games = Sample(), 0
    for at in range(5 * UNITS + 3):
        sample.add([table(at, at, [0.0, 0.5], [0, 1], chance)])
        games += 1
    assert len(sample.units) <= 2 * UNITS
    assert sum(sum(unit.sets.values()) for unit in sample.units) == games
    found = row(rate(sample, repetitions=200), 0)
    error = 1.96 / sqrt(games * 0.235) * 400 / log(10) / 2
    assert found.low < -0.5 * 400 / log(10) / 2 < found.high
    assert found.high - found.low == pytest.approx(2 * error, rel=0.25)
