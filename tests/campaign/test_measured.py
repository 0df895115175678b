"""`measured.json` fits its game, and its games come out as it says when they are played again."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from referee import games
from referee.show.measured import Cell, Record, facts, record
from referee.show.rules import choices
from tests.campaign import measured
from tests.campaign.series import Outcome, label, ours, run, runner, settings
from tests.games.selfplay import load

REPLAYED = 2
"""Games of each number of players that are played again."""
HOARD = "tests.campaign.hoard"


@pytest.mark.parametrize("game_id", ours())
def test_the_record_fits_the_game(game_id: str) -> None:
    game, found = load(game_id), record(game_id)
    assert found.rules == game.rules
    tables = list(range(game.seats[0], game.seats[1] + 1))
    assert [cell.players for cell in found.wins if cell.bot == "sensible"] == tables
    for cell in found.wins:
        assert len(cell.seats) == len(cell.places) == cell.players
        assert sum(cell.seats) == pytest.approx(cell.games, abs=0.01)
        assert sum(cell.places) == pytest.approx(cell.games, abs=0.01)
    told = [label(options) if options else "" for options in settings(game)]
    assert [one.option for one in found.options] == told
    assert set(told[1:]) <= set(choices(game_id))
    assert [one.bot for one in found.happens] == list(dict.fromkeys(cell.bot for cell in found.wins))
    for one in found.happens:
        cells = [cell for cell in found.wins if cell.bot == one.bot]
        assert one.players == [cell.players for cell in cells] == sorted({cell.players for cell in cells} & {*tables})
        assert one.games == min(cell.games for cell in cells)
        assert all(len(means) == len(one.players) for means in one.means.values())


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", ours())
def test_a_sample_comes_out_as_recorded(game_id: str) -> None:
    for cell in record(game_id).wins:
        if cell.bot == "sensible":
            again = measured.plans(game_id, cell.players, {}, cell.bot, REPLAYED)
            assert [measured.winners(run(plan)) for plan in again] == cell.first[:REPLAYED], f"{cell.players} players"


def test_places_are_counted_from_the_start_player() -> None:
    """Three games: seat 2 began and won; seat 1 began, 0 and 1 shared the win; seat 0 began and 1 won."""
    outcomes = [
        Outcome((0.0, 0.0, 1.0), (1, 2, 9), 2, Counter(rounds=10)),
        Outcome((0.5, 0.5, 0.0), (6, 6, 0), 1, Counter(rounds=12)),
        Outcome((0.0, 1.0, 0.0), (1, 7, 1), 0, Counter(rounds=14)),
    ]
    assert measured.cell("b", outcomes) == Cell("b", 3, 3, [0.5, 1.5, 1.0], [1.5, 1.0, 0.5], ["2", "0+1", "1"])
    one = measured.setting({"x": True}, "b", outcomes)
    assert (one.option, one.players, one.games, one.start) == ("x=true", 3, 3, 1.5)
    # 10, 12, 14: standard deviation 2, so 2.5758 * 2 / sqrt(3); points of 4, 4 and 3
    assert one.rounds == (12, 2.97)
    assert one.points == (3.67, 0.86)


def test_a_game_is_measured_and_read_again(tmp_path: Path) -> None:
    """What is written reads as what was measured, one row on a line."""
    with runner(1) as play:
        found = measured.measure(HOARD, measured.Sizes(6, 0, 4), play)
    text = measured.written(found)
    assert msgspec.json.decode(text, type=Record) == found
    assert [cell.players for cell in found.wins] == [2, 3, 4]
    assert [(one.option, one.games) for one in found.options] == [("", 4), ("interest=false", 4)]
    assert found.happens[0].means["asked spend"] == [12.0, 18.0, 24.0], "six rounds of two, three and four players"
    assert sum(line.startswith("  {") for line in text.splitlines()) == 3 + 2 + 1


def test_the_games_of_one_bot_can_be_measured_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything else stays, and of this bot what it did with other numbers of players."""
    with runner(1) as play:
        found = measured.measure(HOARD, measured.Sizes(6, 0, 4), play)
        monkeypatch.setattr(measured, "record", lambda game_id: found)
        less = measured.only(HOARD, "sensible", [2, 4], 3, play)
    assert [(cell.players, cell.games) for cell in less.wins] == [(2, 3), (3, 6), (4, 3)]
    assert (less.rules, less.options) == (found.rules, found.options)
    assert [(one.players, one.games) for one in less.happens] == [([2, 3, 4], 3)]
    assert [means[1] for means in less.happens[0].means.values()] == [
        means[1] for means in found.happens[0].means.values()
    ]
    assert less.wins[0].first == found.wins[0].first
    other = {2: [Outcome((1.0, 0.0), (3, 1), 0, Counter(rounds=5))] * 2}
    both = measured.with_bot(less, HOARD, "b", other)
    assert [cell.bot for cell in both.wins] == ["sensible", "sensible", "sensible", "b"]
    assert [one.bot for one in both.happens] == ["sensible", "b"]
    assert both.happens[1].means["rounds"] == [5.0]


def test_strong_buys_and_moves_once_in_a_game_of_mark() -> None:
    """On average. What pieces cost and bring is our choice: players who play well should have a use for both
    actions."""
    (found,) = (one for one in record("mark").happens if one.bot == "strong")
    assert found.players == [2, 3, 4]
    assert min(found.means["move buy"]) >= 1
    assert min(found.means["move move"]) >= 1


def test_reports_have_shares_and_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    row = b'{"bot":"b","players":2,"games":40,"seats":[30,10],"places":[20,20],"first":["0"]}'
    monkeypatch.setattr(games, "measured_bytes", lambda game_id: b'{"wins":[' + row + b"]}")
    (found,) = facts("mark")["wins"]
    assert [one["share"] for one in found["seats"]] == [0.75, 0.25]
    # symmetric for a half: 0.5 -+ z / (1 + z^2 / n) * sqrt(1 / (4 n) + z^2 / (4 n^2)), which is 0.1886 for 40 games
    assert found["places"][0] == {"share": 0.5, "low": 0.3114, "high": 0.6886}
    monkeypatch.setattr(games, "measured_bytes", lambda game_id: b"{}")
    assert facts("mark") == {"wins": [], "options": [], "happens": []}
