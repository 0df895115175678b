"""Schedules: seats and opponents are balanced, everybody plays, and nothing but the seed decides."""

from collections import Counter
from itertools import combinations, pairwise
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import Usage
from referee.tournament.documents import Schedule
from referee.tournament.outcome import Outcome
from referee.tournament.schedule import Plan, Tally, plans

SEED = bytes(range(32))


def walk(
    schedule: Schedule,
    seats: list[int],
    players: int,
    *,
    seed: bytes = SEED,
    struck: dict[int, int] | None = None,
    best: int = 0,
    lazy: bool = False,
) -> list[Plan]:
    """All games, with player `best` always first, then the next ones by number."""
    tally, found = Tally(players, struck=struck), []
    names = [f"p{number}" for number in range(players)]
    for wave in plans(schedule, seats, names, seed, tally):
        for plan in wave if lazy else list(wave):
            order = sorted(plan.seats, key=lambda player: (player != best, player))
            ranks = tuple(1 + order.index(player) for player in plan.seats)
            tally.add(plan, Outcome(plan.number, plan.group, "g", plan.seats, ranks))
            found.append(plan)
    return found


def check_groups(found: list[Plan]) -> None:
    """In every group the same players of the same game have every seat equally often."""
    groups: dict[int, list[Plan]] = {}
    for plan in found:
        groups.setdefault(plan.group, []).append(plan)
    for group in groups.values():
        size = len(group[0].seats)
        assert len(group) == size
        assert len({(plan.game, *sorted(plan.seats)) for plan in group}) == 1
        sat = Counter((player, seat) for plan in group for seat, player in enumerate(plan.seats))
        copies = Counter(group[0].seats)
        assert all(sat[player, seat] == copies[player] for player in copies for seat in range(size))


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["round-robin", "gauntlet", "swiss", "knockout"]),
    st.lists(st.integers(2, 8), min_size=1, max_size=3),
    st.integers(2, 9),
    st.integers(0, 120),
    st.integers(1, 2),
)
def test_every_schedule_has_balanced_seats_and_numbers_in_order(kind, seats, players, games, deals):
    schedule = Schedule(kind, games, deals, 2, "p0")
    found = walk(schedule, seats, players)
    assert [plan.number for plan in found] == list(range(len(found)))
    check_groups(found)
    assert found == walk(schedule, seats, players, lazy=True), "the games of a wave do not depend on each other"
    assert {player for plan in found for player in plan.seats} == set(range(players)) or kind != "swiss"
    if kind in ("round-robin", "gauntlet") and games:
        for game, size in enumerate(seats):
            share = -(-games // len(seats))
            assert share <= sum(plan.game == game for plan in found) < share + size


@pytest.mark.parametrize("size", range(2, 9))
def test_a_round_robin_has_every_table_and_every_pair_equally_often(size):
    found = walk(Schedule("round-robin"), [size], 8)
    assert len(found) == comb(8, size) * size
    met = Counter(pair for plan in found for pair in combinations(sorted(plan.seats), 2))
    assert set(met.values()) == {comb(6, size - 2) * size}
    assert len(met) == 28


def test_after_any_number_of_groups_no_table_is_more_than_one_ahead():
    found = walk(Schedule("round-robin", 500), [3], 5)
    seen = Counter[tuple[int, ...]]()
    for plan in found[::3]:
        seen[tuple(sorted(plan.seats))] += 1
        assert len(seen) < 10 or max(seen.values()) - min(seen.values()) <= 1


def test_the_champion_of_a_gauntlet_meets_all_others_and_they_never_meet_without_it():
    found = walk(Schedule("gauntlet", champion="p2"), [2, 4], 6)
    assert all(plan.seats.count(2) == 1 for plan in found)
    assert Counter(plan.game for plan in found) == {0: 5 * 2, 1: comb(5, 3) * 4}
    with pytest.raises(Usage, match="champion"):
        walk(Schedule("gauntlet", champion="nobody"), [2], 3)


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (64, 6), (65, 7)])
def test_a_swiss_has_as_many_rounds_as_tournament_md_says(players: int, rounds: int) -> None:
    assert len(walk(Schedule("swiss"), [2], players)) == rounds * (players // 2) * 2


def test_a_swiss_pairs_equals_and_avoids_rematches():
    found = walk(Schedule("swiss", rounds=4), [2], 8)
    groups = [sorted(plan.seats) for plan in found[::2]]
    assert len(groups) == 16
    assert len({tuple(pair) for pair in groups}) == 16, "in four rounds of eight nobody need meet anybody twice"
    first = {player for pair in groups[:4] for player in pair}
    assert first == set(range(8))
    odd = walk(Schedule("swiss", rounds=5), [2], 5)
    games = Counter(player for plan in odd for player in plan.seats)
    assert max(games.values()) - min(games.values()) <= 2, "nobody sits out twice before everybody did"


@pytest.mark.parametrize("size", [2, 3, 4, 8])
@pytest.mark.parametrize("players", [2, 5, 8, 13])
def test_the_best_wins_a_knockout(size, players):
    found = walk(Schedule("knockout"), [size], players, best=players - 1)
    last = found[-1]
    assert players - 1 in last.seats
    assert len(set(last.seats)) < 4


def test_another_seed_gives_another_draw():
    one, two = (walk(Schedule("round-robin", 60), [3], 6, seed=bytes([number] * 32)) for number in (1, 2))
    assert one != two
    assert Counter(tuple(sorted(plan.seats)) for plan in one) == Counter(tuple(sorted(plan.seats)) for plan in two)


@pytest.mark.parametrize("kind", ["round-robin", "gauntlet", "swiss", "knockout"])
def test_a_withdrawn_bot_plays_no_more_and_all_else_stays(kind):
    schedule = Schedule(kind, 90, rounds=3, champion="p0")
    whole, found = walk(schedule, [3], 6), walk(schedule, [3], 6, struck={4: 7})
    assert found[:6] == whole[:6]
    assert all(4 not in plan.seats for plan in found if plan.number >= 7)
    assert all(one.number < two.number for one, two in pairwise(found))
    if kind == "round-robin":
        assert found == [plan for plan in whole if plan.number < 7 or 4 not in plan.seats]


def test_a_round_robin_of_too_many_is_refused():
    with pytest.raises(Usage, match="tables"):
        walk(Schedule("round-robin", 10), [8], 40)
