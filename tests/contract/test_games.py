"""The contract suite over every game there is: the built-in ones, and the toys beside them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import games
from referee.game import Later
from referee.testing import check, clauses, described, leaks, record, repeat, signed, suite
from referee.testing.subject import Snapshot, Subject
from referee.testing.suite import CHECKS

from .planted import Plant, planted
from .typed import TYPED

IDS = games.game_ids()
WRITTEN = (record.__name__, clauses.__name__)
STATIC = [one for one in CHECKS if one.__module__ in WRITTEN and one is not record.extreme_editions_play]
WORLDS = 3
"""A sample: `tests/campaign/README.md` says how hundreds are compared."""
EDITIONS = 2
"""The same: `pytest --pyargs referee.testing --game ID` plays more of them."""
APART = (repeat.games_repeat, signed.signed_games_verify, leaks.nothing_leaks)
PLAYING = [one for one in CHECKS if one not in (*STATIC, *APART)]


class Sampled(Subject):
    """With a third of the moments at which authors' games are examined."""

    def moments(self, most: int, salt: str = "", *, asked: bool = True) -> Iterator[Snapshot]:
        return super().moments(most // 3, salt, asked=asked)


def test_games_are_found() -> None:
    assert {"auction", "mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg"} <= set(IDS)


@pytest.mark.parametrize("game_id", TYPED)
def test_what_a_game_names_in_strings_is_typed(game_id: str) -> None:
    """mypy checks `typed.py`; here it is compared with what the games say."""
    game, typed = games.load(game_id), TYPED[game_id]
    for mine, theirs in ((game, typed), (game.standing, typed.standing)):
        named = {name: getattr(mine, name) for name in getattr(mine, "__struct_fields__", ())}
        found = {name: one.find() for name, one in named.items() if isinstance(one, Later)}
        assert found == {name: getattr(theirs, name) for name in found}
        assert found or mine is None
    bots = {name: bot.find() for name, bot in game.bots.items() if isinstance(bot, Later)}
    assert bots == typed.bots


@pytest.mark.parametrize("game_id", IDS)
def test_the_record(game_id: str) -> None:
    subject = Subject(game_id)
    for one in STATIC:
        one(subject)


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", IDS)
def test_at_play(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "EDITIONS", EDITIONS)
    monkeypatch.setattr(record, "TRIES", record.TRIES // 4)
    monkeypatch.setattr(described, "TRIES", described.TRIES // 3)
    subject = Sampled(game_id)
    for one in PLAYING:
        one(subject)
    assert len(subject.plays) == len(subject.ways) >= 5
    assert {way.seats for way in subject.ways} >= set(subject.game.seats)


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", IDS)
def test_it_repeats(game_id: str) -> None:
    repeat.games_repeat(Subject(game_id))


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", IDS)
def test_signed_games(game_id: str) -> None:
    signed.signed_games_verify(Subject(game_id))


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", IDS)
def test_nothing_leaks(game_id: str) -> None:
    """And the search compares what it says it does: worlds with other secrets, in every round that it counts."""
    found = leaks.search(game_id, WORLDS)
    assert not found.leak
    assert found.differed == WORLDS
    assert found.worlds >= found.differed
    assert found.comparisons > 20 * found.differed


def test_a_plain_call_runs_the_whole_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is in the list; `test_package.py` and the tests above run the list as it is."""
    ran: list[str] = []
    everything = [lambda subject, one=one: ran.append(f"{one.__name__} {subject.game_id}") for one in CHECKS]
    monkeypatch.setattr(suite, "CHECKS", everything)
    check("auction")
    assert ran == [f"{one.__name__} auction" for one in CHECKS]
    monkeypatch.setattr(suite, "CHECKS", STATIC)
    with planted(tmp_path, Plant(RULES__md="# Nothing\n")) as game_id, pytest.raises(AssertionError) as caught:
        check(game_id)
    assert "rules_have_clauses: RULES.md has no clause" in str(caught.value)
    monkeypatch.setattr(suite, "CHECKS", [lambda subject: [].pop()])
    with pytest.raises(AssertionError, match="the game fails: IndexError"):
        check("auction")
