"""Players who resigned are ranked last, the later the better; those who are out by timeouts keep their place, and are
named."""

from collections.abc import Callable
from copy import copy
from functools import cache

import pytest

from referee.crypto.links import LENGTH
from referee.engine import records as r
from referee.engine.book import BookRecord
from referee.engine.rounds import completed, out_seats
from referee.errors import RulesFault
from referee.evidence.replay import open_transcript
from referee.game import Result, ranked
from referee.testing.signed import fork
from tests.support.match import Sitting
from tests.support.short import short

GAMES = ("auction", "schwarzer-freitag", "mark", "schwarzmarkt", "weg-zum-erfolg")
Scores = tuple[tuple[int, ...], ...]


def after(left: tuple[tuple[int, int], ...] = (), missed: tuple[int, ...] = (0, 0, 0, 0)) -> r.State:
    return r.State(round=40, acc="00" * 32, book=BookRecord(), missed=missed, left=left)


@pytest.mark.parametrize(
    ("scores", "left", "ranks"),
    [
        (((9,), (5,), (7,), (5,)), (), (1, 3, 2, 3)),
        (((9,), (5,), (7,), (5,)), ((0, 8),), (4, 2, 1, 2)),
        (((9,), (5,), (7,), (5,)), ((0, 8), (2, 11)), (4, 1, 3, 1)),
        (((9,), (5,), (7,), (5,)), ((2, 8), (0, 11)), (3, 1, 4, 1)),
        (((9,), (5,), (7,), (5,)), ((0, 8), (2, 8)), (3, 1, 4, 1)),
        (((9,), (5,), (9,), (5,)), ((0, 8), (2, 8)), (3, 1, 3, 1)),
        (((9,), (5,), (7,), (5,)), ((0, LENGTH), (1, 2)), (3, 4, 1, 2)),
        (((1, 9), (1, 5), (1, 7), (0, 50)), ((0, 8),), (4, 2, 1, 3)),
    ],
)
def test_the_round_of_leaving_comes_first_then_the_scores(scores: Scores, left, ranks: tuple[int, ...]) -> None:
    assert completed(scores, after(left)) == Result(ranks, scores)


def test_a_player_dropped_for_timeouts_keeps_their_rank_and_is_named() -> None:
    scores: Scores = ((9,), (5,), (7,), (5,))
    late = after(((1, 8),), (2, 0, 1, 3))
    assert out_seats(late) == {0, 1, 3}
    assert completed(scores, late) == Result((1, 4, 2, 3), scores, (0, 3))


def test_rules_return_scores_and_no_more() -> None:
    """A game that ranks or names seats itself breaks its contract."""
    from referee.engine.rounds import _check_result

    _check_result(ranked([(3,), (5,)]), 2)
    for wrong in (Result((1, 2), ((3,), (5,))), Result((2, 1), ((3,), (5,)), (0,))):
        with pytest.raises(RulesFault):
            _check_result(wrong, 2)


def twin(sitting: Sitting) -> Sitting:
    """A copy of the game, to be continued differently."""
    other = copy(sitting)
    other.match, other.own = fork(sitting.match), {seat: dict(kept) for seat, kept in sitting.own.items()}
    other.match.played = {}
    return other


@cache
def last_chance(game: str, number: int) -> tuple[Sitting, int]:
    """A game at the moment when the eventual winner is asked for the last time, and the winner's seat."""
    sitting, chances = Sitting(game, 3, f"ranks {number}", edition=short(game)), {}
    while not sitting.over:
        if sitting.round:
            here = twin(sitting)
            chances |= dict.fromkeys(sitting.asked, here)
        sitting.step()
    assert sitting.state.result is not None
    leader = sitting.state.result.ranks.index(1)
    return chances[leader], leader


def with_leader(game: str, deed: Callable[[Sitting, int], None]) -> tuple[Sitting, int]:
    """A game in which this happens to the seat that is first in the end by the scores all the same; as late as
    possible."""
    for number in range(20):
        last, leader = last_chance(game, number)
        sitting = twin(last)
        deed(sitting, leader)
        while not sitting.over:
            sitting.step()
        result = sitting.state.result
        assert result is not None
        if sitting.state.end == "result" and ranked(result.scores).ranks[leader] == 1:
            return sitting, leader
    raise AssertionError("nobody stayed first")


def leave(sitting: Sitting, seat: int) -> None:
    assert sitting.give(sitting.signed(seat, resign=True)).error is None
    sitting.others(seat)


def miss_twice(sitting: Sitting, seat: int) -> None:
    sitting.step(seat)
    sitting.step(seat)


def everybody_agrees(sitting: Sitting) -> None:
    for seat in range(sitting.table.seats):
        assert sitting.opened(seat).chain.checkpoint == sitting.match.checkpoint
    assert open_transcript(sitting.transcript()).checkpoint == sitting.match.checkpoint


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_a_leader_who_resigns_is_last(game: str) -> None:
    sitting, leader = with_leader(game, leave)
    result = sitting.state.result
    assert (result.ranks[leader], sorted(result.ranks)[0], result.out) == (3, 1, ())
    everybody_agrees(sitting)


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_a_leader_who_misses_deadlines_stays_first_and_is_named(game: str) -> None:
    sitting, leader = with_leader(game, miss_twice)
    result = sitting.state.result
    assert (result.ranks, result.out) == (ranked(result.scores).ranks, (leader,))
    assert result.ranks[leader] == 1
    everybody_agrees(sitting)


def test_the_last_player_left_is_first_and_named_even_if_dropped() -> None:
    sitting = Sitting("auction", 3, "alone").until("play")
    sitting.step(0)
    sitting.step(0)
    sitting.until(lambda one: set(one.asked) == {1, 2})
    for seat in (1, 2):
        assert sitting.give(sitting.signed(seat, resign=True)).error is None
    assert sitting.state.end == "left"
    assert sitting.state.result == Result((1, 2, 2), ((sitting.round + 1,), (sitting.round,), (sitting.round,)), (0,))
    everybody_agrees(sitting)
