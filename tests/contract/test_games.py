"""The contract suite over every game there is: the built-in ones, and the toys beside them."""

from pathlib import Path

import pytest

from referee import games
from referee.testing import check, leaks, record, repeat, signed, suite
from referee.testing.subject import Subject
from referee.testing.suite import CHECKS

from .planted import Plant, planted

IDS = games.game_ids()
OTHERS = [game_id for game_id in IDS if game_id != "auction"]
"""The toy passes the whole suite in one test of its own."""
STATIC = [one for one in CHECKS if one.__module__ == record.__name__]
APART = (repeat.games_repeat, signed.signed_games_verify, leaks.nothing_leaks)
PLAYING = [one for one in CHECKS if one not in (*STATIC, *APART)]


def test_games_are_found() -> None:
    assert {"auction", "mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg"} <= set(IDS)


@pytest.mark.parametrize("game_id", IDS)
def test_the_record(game_id: str) -> None:
    subject = Subject(game_id)
    for one in STATIC:
        one(subject)


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", OTHERS)
def test_at_play(game_id: str) -> None:
    subject = Subject(game_id)
    for one in PLAYING:
        one(subject)
    assert len(subject.plays) == len(subject.ways) >= 5
    assert {way.seats for way in subject.ways} >= set(subject.game.seats)


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", OTHERS)
def test_it_repeats(game_id: str) -> None:
    repeat.games_repeat(Subject(game_id))


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", OTHERS)
def test_signed_games(game_id: str) -> None:
    signed.signed_games_verify(Subject(game_id))


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", OTHERS)
def test_nothing_leaks(game_id: str) -> None:
    """And the search compares what it says: worlds with other secrets, in every round that it counts."""
    found = leaks.search(game_id, 12)
    assert not found.leak
    assert found.differed == 12
    assert found.worlds >= found.differed
    assert found.comparisons > 20 * found.differed


@pytest.mark.thorough
def test_a_plain_call_runs_the_whole_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check("auction")
    monkeypatch.setattr(suite, "CHECKS", STATIC)
    with planted(tmp_path, Plant(RULES__md="# Nothing\n")) as game_id, pytest.raises(AssertionError) as caught:
        check(game_id)
    assert "rules_have_clauses: RULES.md has no clause" in str(caught.value)
