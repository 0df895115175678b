"""A sample of `tests.campaign.liveness`, and what it must notice."""

import re
from collections import Counter

import pytest

from referee import games
from tests.campaign.liveness import (
    Mean,
    changed,
    clauses_of,
    dead_clauses,
    expected_of,
    means,
    missing,
    report,
    with_options,
)
from tests.campaign.series import Outcome, label, notes, ours, runner, same, settings
from tests.games.selfplay import load, play, possible, terms_of

GAMES = {"mark": 16, "schwarzer-freitag": 60, "schwarzmarkt": 100, "weg-zum-erfolg": 16}
FEW = 6
SMALL_TABLES = ("SF-14",)
"""Clauses about games of two."""
WITH = [(game_id, name) for game_id in ours() for name in getattr(notes(game_id), "EXPECTED_WITH", {})]


def outcome(**counts: int) -> Outcome:
    return Outcome((1.0,), (0,), 0, Counter(counts))


@pytest.mark.thorough
@pytest.mark.parametrize("game_id", ours())
def test_what_should_happen_happens(game_id: str) -> None:
    seats = load(game_id).seats[1]
    number = GAMES.get(game_id, 20)
    with runner(1) as run:
        found = means(list(run(same(game_id, seats, {}, "sensible", number, "sample"))))
    expected = expected_of(game_id, {})
    assert sum(number * least > 9 for least in expected.values()) >= 10, "too little is expected to be noticed"
    assert missing(expected, found, number) == []
    here = {clause: names for clause, names in clauses_of(game_id).items() if clause not in SMALL_TABLES}
    assert dead_clauses(here, [found]) == []


@pytest.mark.parametrize("game_id", ours())
def test_every_clause_is_counted_or_says_why_not(game_id: str) -> None:
    counted, uncounted = clauses_of(game_id).keys(), notes(game_id).UNCOUNTED.keys()  # type: ignore[union-attr]
    assert counted & uncounted == set()
    assert counted | uncounted == set(re.findall(r"^\*\*([A-Z]+-\d+)\*\*", games.rules_text(game_id), re.MULTILINE))


@pytest.mark.thorough
@pytest.mark.parametrize(("game_id", "setting"), WITH)
def test_options_do_what_they_should(game_id: str, setting: str) -> None:
    game = load(game_id)
    options = {label(options): options for options in settings(game)}[setting]
    with runner(1) as run:
        found = means(list(run(same(game_id, game.seats[1], options, "sensible", FEW, "sample"))))
    assert missing(expected_of(game_id, options), found, FEW) == []


@pytest.mark.parametrize("game_id", ours())
def test_what_is_expected_can_be_counted(game_id: str) -> None:
    """A misspelt move would never be missed where too few games are played for it."""
    moves = set(possible(load(game_id)))
    every = [expected_of(game_id, options) for options in settings(load(game_id))]
    every.append({name: 1.0 for names in clauses_of(game_id).values() for name in names})
    named = [name for expected in every for name in expected if name.startswith("move ") and "none" not in name]
    assert [name for name in named if name not in moves] == []


def test_means_and_variances() -> None:
    found = means([outcome(takes=1), outcome(takes=3), outcome(takes=2, rests=6), outcome()])
    assert found == {"takes": Mean(1.5, (1 + 9 + 4) / 4 - 1.5**2), "rests": Mean(1.5, 36 / 4 - 1.5**2)}


def test_what_is_too_rare_is_missing_beyond_chance_only() -> None:
    # 3 standard errors of 0.5 independent events a game in 100 games are 3 * sqrt(0.5 / 100) = 0.212
    assert missing({"x": 0.5}, {"x": Mean(0.28, 0.28)}, 100) == ["x"]
    assert missing({"x": 0.5}, {"x": Mean(0.29, 0.29)}, 100) == []
    assert missing({"x": 0.5}, {"x": Mean(0.28, 2.0)}, 100) == [], "what comes in crowds varies more"
    # an event that never happened is missed once 9 were expected
    assert missing({"x": 0.3}, {}, 30) == []
    assert missing({"x": 0.3}, {}, 31) == ["x"]


def test_a_rule_that_is_never_used_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    policies = notes("schwarzmarkt")
    monkeypatch.setattr(policies, "EXPECTED", {"trade": 5.0, "is burgled": 2.0, "asked play": 500.0})
    monkeypatch.setattr(policies, "CLAUSES", {"SM-1": ("dealt",), "SM-99": ("is burgled",)}, raising=False)
    with runner(1) as run:
        lines = list(report("schwarzmarkt", [3, 5], "sensible", 6, run, every=False))
    assert [line.split(":")[1] for line in lines if line.startswith("!")] == [
        " is burgled happens less often than 2 times a game",
        " asked play happens less often than 500 times a game",
    ]
    assert "  clauses not seen: SM-99" in lines


def test_clauses_are_seen_at_any_table() -> None:
    clauses = {"X-1": ("a", "b"), "X-2": ("c",), "X-3": ("d",)}
    one = Mean(0.1, 0.1)
    assert dead_clauses(clauses, [{"b": one}, {"d": one}]) == ["X-2"]


def test_an_option_without_effect_changes_nothing() -> None:
    usual = {"a": Mean(5, 2), "b": Mean(1, 1)}
    assert changed(usual, {"a": Mean(5.3, 2), "b": Mean(1.2, 1)}, 50) == []
    # (8 - 5) / sqrt(4 / 50) standard errors; what is new counts too
    assert changed(usual, {"a": Mean(8, 2), "b": Mean(1, 1), "c": Mean(2, 1)}, 50) == [
        (pytest.approx(2 / (1 / 50) ** 0.5), "c"),
        (pytest.approx(3 / (4 / 50) ** 0.5), "a"),
    ]


def test_counters_tell_moves_values_and_names() -> None:
    """Against the story, which has every purchase and every card that is played."""
    played = play(load("schwarzer-freitag"), terms_of("schwarzer-freitag", 3), ["sensible"] * 3, "counted")
    bought = [note.values["mark"] for note in played.story if note.what == "buys"]
    assert played.counts["move buy"] == played.counts["buys"] == len(bought) > 0
    assert played.counts["move buy.mark red"] == played.counts["buys red"] == bought.count("red") > 0
    played = play(load("schwarzmarkt"), terms_of("schwarzmarkt", 4), ["sensible"] * 4, "counted")
    cards = Counter(note.values["card"] for note in played.story if note.what == "play")
    assert {name: n for name, n in played.counts.items() if name.startswith("play ")} == {
        f"play {card}": number for card, number in cards.items()
    }
    assert played.counts["move quick"] == cards["schnelles-geschaeft"], "also where it came with its card"


def test_the_report_shows_what_an_option_changes() -> None:
    with runner(1) as run:
        lines = list(with_options("schwarzer-freitag", 3, "sensible", 6, run))
    assert lines[0].startswith("schwarzer-freitag, special_cards=false, 3 players")
    rows = {line[:36].strip(): line[36:].split() for line in lines[1:]}
    assert float(rows["card"][0]) > 1
    assert float(rows["card"][1]) == 0
