"""The sequential test: its likelihood against a second calculation, and its stated errors in repetitions."""

from math import log, sqrt
from random import Random

import pytest

from referee.tournament.outcome import Outcome, groups
from referee.tournament.sprt import Bounds, Walk, likelihood, shares, step
from tests.tournament.games import luck, share, table


def walked(values: list[float], bounds: Bounds) -> Walk:
    walk = Walk()
    for value in values:
        walk = step(walk, value, bounds)
    return walk


@pytest.mark.parametrize(("lost", "won", "mean"), [(3, 7, 0.5), (1, 9, 0.6), (40, 2, 0.53), (1, 10_000, 0.5)])
def test_two_values_give_the_binomial(lost: int, won: int, mean: float) -> None:
    """With 0 and 1 alone the mean says everything."""
    many = lost + won
    exact = won * log(mean * many / won) + lost * log((1 - mean) * many / lost)
    assert likelihood({0.0: lost, 1.0: won}, mean) == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("counts", [(3, 10, 5), (0.1, 4, 0.1), (7, 1, 30), (2, 2.5, 0.1)])
@pytest.mark.parametrize("mean", [0.4, 0.5, 0.57, 0.8])
def test_three_values_give_the_best_of_all_distributions(counts: tuple[float, ...], mean: float) -> None:
    """Distributions on 0, 1/2, 1 with a mean are a line: the best is looked for step by step."""
    many = sum(counts)

    def value(middle: float) -> float:
        chances = (1 - mean - middle / 2, middle, mean - middle / 2)
        return sum(n * log(chance * many / n) for n, chance in zip(counts, chances, strict=True))

    most = 2 * min(mean, 1 - mean)
    best = max(value(most * at / 20_000) for at in range(1, 20_000))
    assert likelihood(dict(zip((0.0, 0.5, 1.0), counts, strict=True)), mean) == pytest.approx(best, abs=1e-4)


def test_a_share_is_that_of_all_meetings_of_a_group() -> None:
    group = [
        Outcome(0, 0, "toy", (0, 1, 2), (1, 2, 2)),
        Outcome(1, 0, "toy", (1, 2, 0), (1, 2, 3)),
        Outcome(2, 0, "toy", (2, 0, 2), (2, 1, 2)),
    ]
    # 0 against 1: won, lost; 0 against 2: won, lost, won, won; 1 against 2: tied, won.
    assert shares(group) == {(0, 1): 0.5, (0, 2): 0.75, (1, 2): 0.75}


def test_nothing_after_the_decision_changes_it() -> None:
    bounds = Bounds(elo=200)
    values = [1.0] * 30
    end = walked(values, bounds)
    assert end.stronger == "first"
    assert end == walked([*values, *[0.0] * 100], bounds)
    assert end.groups < 30
    assert walked(values[: end.groups - 1], bounds).stronger == ""
    assert walked([1 - value for value in values], bounds).stronger == "second"
    assert walked([0.5] * 50, bounds).stronger == "neither"


def repeated(kind: str, wins: float, bounds: Bounds, times: int) -> tuple[list[str], float]:
    """What tests of pairs of games came to, and how many groups they took on average."""
    chance, known = Random(f"{kind} {wins}"), {}
    ends, taken = [], 0
    for _ in range(times):
        walk = Walk()
        while not walk.stronger:
            share = sum(luck(kind, wins, chance)) / 2
            # Walks begin alike, and many meet again: where one goes from a place is worked out once.
            place = *sorted(walk.counts.items()), *(ratio for ratio in walk.ratios), share
            if place not in known:
                known[place] = step(walk, share, bounds)
            walk = known[place]
        ends.append(walk.stronger)
        taken += walk.groups
    return ends, taken / times


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["own", "sweep", "even"])
def test_errors_are_those_stated(kind: str) -> None:
    """Equals are told apart, and a planted difference missed, no more often than the bounds say (three standard errors
    allowed); and luck that cancels needs fewer groups."""
    bounds, times = Bounds(elo=120, alpha=0.05, beta=0.05), 250
    most = 0.05 * times + 3 * sqrt(0.05 * 0.95 * times)
    equal, _ = repeated(kind, 0.5, bounds, times)
    assert sum(end != "neither" for end in equal) <= most
    weaker, _ = repeated(kind, share(120), bounds, times)
    assert sum(end != "first" for end in weaker) <= most
    assert "second" not in weaker


def test_luck_that_cancels_decides_earlier() -> None:
    bounds = Bounds(elo=150)
    taken = {kind: repeated(kind, share(150), bounds, 40)[1] for kind in ("own", "sweep", "even")}
    assert taken["even"] < 0.75 * taken["sweep"]
    assert taken["own"] < 0.75 * taken["sweep"]


def test_a_weaker_copy_is_found_at_tables_of_four() -> None:
    """Entrant 3 is weaker by 150 points than three equals; each group is a table in all rotations."""
    chance, strengths = Random(6), [0.0, 0.0, 0.0, -150 * log(10) / 400]
    walks = {(one, two): Walk() for one in range(4) for two in range(one + 1, 4)}
    for number in range(150):
        seats = [0, 1, 2, 3]
        games = [table(number * 4 + turn, number, strengths, seats[turn:] + seats[:turn], chance) for turn in range(4)]
        for group in groups(games):
            for pair, value in shares(group).items():
                walks[pair] = step(walks[pair], value, Bounds(elo=150))
    assert {pair: walk.stronger for pair, walk in walks.items()} == {
        (one, two): "first" if two == 3 else "neither" for one, two in walks
    }
