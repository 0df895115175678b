"""`tests.campaign.worth`: who does without, and what is calculated from it."""

from collections import Counter

from tests.campaign import worth
from tests.campaign.exploits import policy
from tests.campaign.series import Outcome
from tests.games.selfplay import load, play, terms_of


def test_the_seat_that_does_without_goes_round_the_table() -> None:
    found = worth.plans("mark", 3, "strong", "buy", 4)
    assert [plan.bots.index("strong without buy") for plan in found] == [0, 1, 2, 0]
    assert all(plan.bots.count("strong") == 2 for plan in found)
    assert all(not plan.options for plan in found), "the others may buy"


def test_whoever_does_without_never_uses_the_option() -> None:
    game, terms = load("mark"), terms_of("mark", 2)
    thrifty = policy("mark", "sensible without buy")
    usual = sum((play(game, terms, ["sensible"] * 2, f"w{n}").counts for n in range(4)), Counter[str]())
    without = sum((play(game, terms, [thrifty] * 2, f"w{n}").counts for n in range(4)), Counter[str]())
    assert usual["move buy"] > 0
    assert without["move buy"] == 0
    assert without["move move"] > 0, "all else is allowed"


def test_points_are_compared_with_those_of_the_others() -> None:
    """Three games of three: 4 points fewer than the others on average, 1 more, as many."""
    outcomes = [
        Outcome((0.0, 1.0, 0.0), (2, 8, 4), 0, Counter()),
        Outcome((0.0, 0.5, 0.5), (5, 7, 7), 0, Counter()),
        Outcome((0.0, 1.0, 0.0), (3, 9, 6), 0, Counter()),
    ]
    # -4, 1, 0: mean -1, standard deviation sqrt(7), so 2.5758 * sqrt(7 / 3) = 3.93
    assert worth.told(outcomes, "x").startswith("without x, 3 players: -1.0 points (-4.9 to +2.9), wins 0.167 (")
