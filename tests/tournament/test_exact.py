"""What numbers and samples are made of, each part against an exact sum or by hand: chance, bounds, roundings."""

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import log
from statistics import fmean
from typing import Any

import msgspec
import pytest

from referee.bots.causes import cause
from referee.bots.players import Fault, LocalPlayer, Spent
from referee.bots.playing import SeatedPlayer
from referee.crypto.codec import decode, encode
from referee.errors import Usage
from referee.tournament import rating, schedule, sprt
from referee.tournament.check import Sample
from referee.tournament.outcome import Outcome
from referee.tournament.playing import _lapse
from referee.tournament.records import Lapse
from referee.tournament.report import page
from referee.tournament.schedule import Plan
from referee.tournament.summary import Results, summarise
from referee.tournament.work import AHEAD, LARGEST, Do, Workers, each

# --- chance -----------------------------------------------------------------------------------------------------------


def test_every_game_is_equally_likely_to_be_replayed() -> None:
    """All that chance can say, once each, for two of five games."""
    taken = Counter[tuple[Any, ...]]()
    for said in product(range(3), range(4), range(5)):
        numbers = dict(zip((3, 4, 5), said, strict=True))
        one = Sample(2, numbers.pop)
        for number in range(5):
            one.add((Plan(number, 0, 0, ()), b""))
        assert numbers == {}
        taken[tuple(plan.number for plan, _ in one.taken)] += 1
    assert taken == dict.fromkeys(combinations(range(5), 2), 6)


def test_halves_of_the_prior_are_gamma_distributed() -> None:
    """Half the square of a normal number: mean 1/2, mean square 3/4, and never quite 0."""
    steps = [(at + 0.5) / 300 for at in range(300)]
    found = [rating._gamma(iter(pair).__next__) for pair in product(steps, steps)]
    assert fmean(found) == pytest.approx(1 / 2, abs=0.005)
    assert fmean(value * value for value in found) == pytest.approx(3 / 4, abs=0.03)
    assert rating._gamma(iter((0.0, 0.3)).__next__) == rating._gamma(iter((0.9, 0.25)).__next__) == 1e-6


def test_quantiles_lie_between_the_two_nearest() -> None:
    values = [1.0, 2.0, 4.0, 8.0, 16.0]
    for share, value in ((0, 1), (0.25, 2), (0.3, 2.4), (0.5, 4), (0.9, 12.8), (1, 16)):
        assert rating.quantile(values, share) == pytest.approx(value)
    assert rating.quantile([7.0], 0.3) == 7


def test_an_interval_is_stretched_about_its_middle_and_holds_it() -> None:
    points = 400 / log(10)
    drawn = [0.5, -1.0, 0.0, 1.0, -0.5]
    assert rating._interval(0.1, drawn, 2.0, 0.25) == (
        round(points * 0.1, 1), round(points * (0.1 + 2 * (-0.5 - 0.1)), 1), round(points * (0.1 + 2 * (0.5 - 0.1)), 1),
    )  # fmt: skip
    assert rating._interval(3.0, [0.0, 1.0], 1.0, 0.0)[2] == round(points * 3, 1)
    assert rating._interval(-3.0, [0.0, 1.0], 1.0, 0.0)[1] == round(points * -3, 1)


def test_superiority_is_a_share_of_repetitions() -> None:
    """Stretched by the wider of the two; no difference is none; never quite 0 or 1."""
    middle, drawn = [0.5, 0.0], [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.2, 0.1], [0.4, 0.0]]
    # Differences 1, 0, -1, 0.1, 0.4 about 0.5: with 1 as they are, with 3 they are 2, -1, -4, -0.7, 0.2.
    assert rating._better(middle, drawn, [1, 1], 0, 1) == round(3.5 / 6, 4)
    assert (
        rating._better(middle, drawn, [1, 3], 0, 1) == rating._better(middle, drawn, [3, 1], 0, 1) == round(2.5 / 6, 4)
    )
    assert rating._better(middle, drawn, [1, 1], 1, 0) == round(1.5 / 6, 4)
    assert rating._better(middle, drawn, [1, 1], 1, 1) == 0.5


# --- sequential tests -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bounds", [sprt.Bounds(200, 0.1, 0.02), sprt.Bounds(120, 0.02, 0.2)])
@pytest.mark.parametrize("shares", [(1.0, 0.5, 1.0), (0.0, 0.5), (0.5,), (0.75, 0.25, 0.5)])
def test_a_test_ends_where_its_ratios_leave_walds_bounds(bounds: sprt.Bounds, shares: Sequence[float]) -> None:
    low, high = log(bounds.beta / (1 - bounds.alpha / 2)), log((1 - bounds.beta) / (bounds.alpha / 2))
    goal = 1 / (1 + 10 ** (-bounds.elo / 400))
    walk, counts, ratios = sprt.Walk(), {0.0: 0.1, 0.5: 0.1, 1.0: 0.1}, [0.0, 0.0]
    for number in range(1, 400):
        share = shares[number % len(shares)]
        counts[share] = counts.get(share, 0) + 1
        walk = sprt.step(walk, share, bounds)
        for at, mean in enumerate((goal, 1 - goal)):
            if ratios[at] > low:
                ratios[at] = sprt.likelihood(counts, mean) - sprt.likelihood(counts, 0.5)
        assert walk.ratios == pytest.approx(ratios)
        assert (walk.groups, walk.counts) == (number, counts)
        end = (
            "first" if ratios[0] >= high else "second" if ratios[1] >= high else "neither" if max(ratios) <= low else ""
        )
        assert walk.stronger == end
        if end:
            break
    assert walk.stronger == {1.0: "first", 0.0: "second"}.get(shares[0], "neither")
    assert walk.total == pytest.approx(
        sum(share * (count - 0.1 * (share in (0, 0.5, 1))) for share, count in counts.items())
    )


def test_a_verdict_is_rounded_once_and_in_order() -> None:
    walk = sprt.Walk(groups=3, total=2.0, ratios=(1.23456, -2.34567), stronger="second")
    assert sprt.verdict((4, 7), walk) == sprt.Decision(4, 7, "second", 3, 0.6667, (1.235, -2.346))
    assert sprt.verdict((0, 1), sprt.Walk()) == sprt.Decision(0, 1, "", 0, 0.5, (0.0, 0.0))


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_as_many_tables_as_are_allowed_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "MOST_TABLES", 6)
    assert len(schedule.tables(range(4), 2)) == 6
    assert schedule.tables(range(2), 5) == [(0, 0, 0, 1, 1), (0, 0, 1, 1, 1)]
    with pytest.raises(Usage, match="a round robin of 5 bots at 2 seats has more than 6 tables") as caught:
        schedule.tables(range(5), 2)
    assert caught.value.code == "too-many"


def test_the_record_of_a_failure_is_bounded() -> None:
    """A bot chooses its last words, and the report repeats them."""
    chair = SeatedPlayer(LocalPlayer("random"))
    assert _lapse(1, chair, Spent(3, 0.1), 9) is None
    long, short = cause("given", words="e" * 500), cause("given", words="e" * 200)
    left = cause("left-processes", processes=2)
    untidy = _lapse(1, chair, Spent(3, 0.1, ending=long, processes=2), 9)
    assert untidy == Lapse(1, 9, "untidy", (short, left), 1)
    lines = tuple(f"{at:2}" + "x" * 300 for at in range(20))
    chair.faults += [(4, Fault("crash", cause("raised", name="ValueError"), lines)), (6, Fault("illegal", long))]
    found = _lapse(1, chair, Spent(3, 0.1, ending=long, processes=2), 9)
    assert found == Lapse(
        1, 4, "crash", (cause("raised", name="ValueError"), short, left), 2,
        tuple(f"{at:2}" + "x" * 198 for at in range(8, 20)),
    )  # fmt: skip
    assert decode(encode(found), Lapse, "line") == found, "what is written can be read"


class Clockwork(Workers):
    """Whoever does the work, in a time that is known beforehand for each thing."""

    def __init__(self, count: int, seconds: float) -> None:
        self.count, self.seconds = count, seconds
        self.sizes: list[int] = []
        self.waiting = self.most = 0

    def submit(self, do: Do[Any, Any], shared: bytes, batch: Sequence[Any]) -> Any:
        self.sizes.append(len(batch))
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        made = do(shared, batch)

        def result() -> tuple[list[Any], float]:
            self.waiting -= 1
            return made, self.seconds * len(made)

        return result

    def close(self) -> None:
        raise AssertionError("whoever hired them lets them go")


@pytest.mark.parametrize(("count", "seconds"), [(1, 0.0), (2, 0.1), (3, 4.0)])
def test_batches_take_about_a_second_and_few_of_them_wait(count: int, seconds: float) -> None:
    workers, things = Clockwork(count, seconds), list(range(3000 if seconds == 0 else 100))
    found = list(each(workers, lambda shared, batch: [shared] * len(batch), b"x", things))
    assert [one for batch in found for one in batch] == [(thing, b"x") for thing in things]
    assert workers.most == count * AHEAD
    assert workers.sizes[: count * AHEAD] == [1] * count * AHEAD, "nobody knows yet how long they take"
    assert max(workers.sizes) == {0.0: LARGEST, 0.1: 10, 4.0: 1}[seconds]
    assert all(later <= 2 * size for size, later in zip(workers.sizes, workers.sizes[1:], strict=False))


# --- standings as they are drawn --------------------------------------------------------------------------------------


def drawn(found: Results, *rows: tuple[float, float, float]) -> str:
    """The page with these ratings and intervals, best first."""
    made = tuple(rating.Rating(at, 10, *row) for at, row in enumerate(rows))
    ratings = msgspec.structs.replace(found.total.ratings, rows=made)
    return page(msgspec.structs.replace(found, total=msgspec.structs.replace(found.total, ratings=ratings)))


def axis_of(text: str) -> list[str]:
    return re.findall(r"<span>([^<]*)</span>", text.partition('<div class="axis">')[2].partition("</div>")[0])


def test_a_huge_interval_does_not_squash_the_others() -> None:
    found = summarise([Outcome(0, 0, "toy", (0, 1), (1, 2))], ("Anna", "Bert"), repetitions=2)
    wide = drawn(found, (90, -2000, 3000), (-90, -3000, 2000))
    assert axis_of(wide) == ["−600", "−400", "−200", "0", "+200", "+400", "+600"]
    assert "Anna: +90, from −2000 to +3000" in wide
    assert axis_of(drawn(found, (150, 50, 190), (-150, -190, -50))) == ["−200", "−100", "0", "+100", "+200"]


def test_a_bot_that_met_nobody_else_has_half_of_no_points() -> None:
    alone = summarise([Outcome(0, 0, "toy", (0, 0), (1, 2))], ("Anna", "Bert"), repetitions=2)
    row = re.search(r"<tr><td[^>]*>1</td>.*?</tr>", page(alone), re.DOTALL)
    assert row is not None
    assert "50.0% <small>of 0</small>" in row[0]


# --- what pairings go by ----------------------------------------------------------------------------------------------


def test_points_do_not_depend_on_the_size_of_the_table() -> None:
    """A share of the others at the table: 1 for who beats all of them, half of one for a tie."""
    tally = schedule.Tally(4)
    for seats, ranks in (((0, 1), (1, 2)), ((2, 0, 1), (1, 2, 2)), ((3, 0, 1, 2), (1, 2, 3, 4)), ((3, 2), ())):
        tally.add(schedule.Plan(0, 0, 0, seats), Outcome(0, 0, "toy", seats, ranks))
    third = Fraction(1, 3)
    assert tally.games == [3, 3, 3, 2]
    assert tally.points == tally.wave == [1 + Fraction(1, 4) + 2 * third, Fraction(1, 4) + third, 1, 1]
    assert [tally.mean(player) for player in range(4)] == [
        points / games for points, games in zip(tally.points, tally.games, strict=True)
    ]
    assert schedule.Tally(1).mean(0) == 0
    assert tally.met == {(0, 1): 3, (0, 2): 2, (1, 2): 2, (0, 3): 1, (1, 3): 1, (2, 3): 2}
