"""What a host reads before opening a game: the options in words, how long it takes, single clauses."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee import games
from referee.show import rules
from tests.cli.terminal import Terminal
from tests.cli.world import run_here
from tests.support import remembered

OURS = ("mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg")


@pytest.fixture(params=OURS)
def told(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    ran = run_here("games", request.param, "--json", cwd=tmp_path)
    assert ran.exit == 0, ran.said
    return json.loads(ran.out)  # type: ignore[no-any-return]


def test_every_value_of_every_option_is_explained(told: dict[str, Any], tmp_path: Path) -> None:
    """All of them, each in other words, and the same on the screen; nothing that the game does not have."""
    fields = {field.name: field for field in msgspec.structs.fields(games.load(told["id"]).options)}
    assert [option["name"] for option in told["options"]] == list(fields)
    assert set(rules.meanings(told["id"])) == set(fields), "the table has an option that the game does not have"
    lines = run_here("games", told["id"], cwd=tmp_path).out.decode().splitlines()
    shown = " ".join(" ".join(lines).split())
    below = [after for before, after in pairwise(lines) if before.startswith("  --option ")]
    assert {len(line) - len(line.lstrip()) for line in below} <= {6}, "what a value means stands in below it"
    for option in told["options"]:
        name, values = option["name"], option["values"]
        assert option["default"] == fields[name].default
        assert set(values) == {"true", "false"} if fields[name].type is bool else values
        assert all(values.values()), f"{name}: a value is not explained"
        assert len(set(values.values())) == len(values)
        for value, meaning in values.items():
            usual = " (default)" if value == str(option["default"]).lower() else ""
            assert f"--option {name}={value}{usual} {meaning}" in shown


def test_every_number_of_players_has_a_length(told: dict[str, Any]) -> None:
    low, high = told["seats"]
    assert [row["players"] for row in told["length"]] == list(range(low, high + 1))
    for row in told["length"]:
        # Every round has at least one answer, and nobody answers more than once in it (means are rounded).
        assert row["rounds"] / row["players"] - 1 <= row["answers"] <= row["rounds"]


@pytest.mark.parametrize("game_id", OURS)
def test_every_clause_can_be_read_alone(game_id: str, tmp_path: Path) -> None:
    """Each clause is part of the rules as they are printed, begins with its name and holds no other."""
    text = rules.text_for_reader(game_id)
    names = re.findall(r"^\*\*([A-Z]+-\w+)\*\*", games.rules_text(game_id), re.MULTILINE)
    assert len(names) == len(set(names)) > 10
    for name in names:
        found = rules.clause(game_id, name.lower())
        assert found in text
        assert re.findall(r"^\*\*([A-Z]+-\w+)\*\*", found, re.MULTILINE) == [name]
        assert not re.search(r"^#", found, re.MULTILINE)
    assert run_here("rules", game_id, names[3], cwd=tmp_path).out.decode().strip() == rules.clause(game_id, names[3])


@pytest.mark.parametrize("game_id", OURS)
def test_the_rules_keep_to_the_width_of_a_terminal(game_id: str) -> None:
    """No word is lost or torn; only a command, or an example without a blank in it, stays longer."""
    text = games.rules_text(game_id)
    letters = re.compile(r"[^\W_]+")
    for width in (60, 80, 100):
        shown = rules.flowed(text, width)
        assert letters.findall(shown) == letters.findall(text)
        long = [line for line in shown.splitlines() if len(line) > width and " " in line.strip()]
        assert [line for line in long if not line.startswith("    referee ")] == []


@pytest.mark.thorough
def test_a_terminal_gets_the_rules_set_to_its_width(tmp_path: Path) -> None:
    """A pipe gets them as they are."""
    args = ["rules", "schwarzer-freitag", "SF-16"]
    status, screen = Terminal(args, tmp_path, tmp_path, columns=60).end()
    assert (status, screen.strip()) == (0, rules.flowed(rules.clause("schwarzer-freitag", "SF-16"), 60))
    assert run_here(*args, cwd=tmp_path).out.decode().strip() == rules.clause("schwarzer-freitag", "SF-16")


def test_a_game_that_explains_nothing_still_lists_its_options(tmp_path: Path) -> None:
    """A third-party package need not have these sections."""
    ran = run_here("games", "auction", cwd=tmp_path)
    assert ran.exit == 0, ran.said
    assert "--option rounds=3  (default)" in ran.out.decode()


def test_every_number_of_players_says_who_wins(told: dict[str, Any], tmp_path: Path) -> None:
    """The shares of each row make one game in all, and the screen shows them with their intervals."""
    low, high = told["seats"]
    rows = told["measured"]["wins"]
    assert [row["players"] for row in rows if row["bot"] == "sensible"] == list(range(low, high + 1))
    lines = run_here("games", told["id"], cwd=tmp_path).out.decode().splitlines()
    for row in rows:
        for won in (row["seats"], row["places"]):
            assert len(won) == row["players"]
            assert sum(one["share"] for one in won) == pytest.approx(1, abs=0.001)
            assert all(one["low"] <= one["share"] <= one["high"] for one in won)
        shares = " ".join(
            f"{one['share']:.0%} ({one['low'] * 100:.0f}-{one['high'] * 100:.0f})" for one in row["places"]
        )
        assert f"| {row['players']} | {row['bot']} | {row['games']} | {shares} |" in lines
    assert "Who wins" in lines


def test_every_option_says_what_it_changes(told: dict[str, Any], tmp_path: Path) -> None:
    lines = run_here("games", told["id"], cwd=tmp_path).out.decode().splitlines()
    default, *others = told["measured"]["options"]
    usual = {option["name"]: rules.option_value(option["default"]) for option in told["options"]}
    assert default["option"] == ""
    assert {name for name, value in (row["option"].split("=") for row in others) if usual[name] != value} == {*usual}
    for row in told["measured"]["options"]:
        (line,) = [line for line in lines if line.startswith(f"| {row['option'] or '(default)'} | {row['games']} |")]
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert cells[2].split(" ± ")[0] == f"{row['rounds'][0]:.0f}"
        assert cells[3].split(" ± ")[1] == f"{row['points'][1]:.0f}"
        assert cells[4].startswith(f"{row['start']['share']:.0%} (")


MARKS = re.compile(r"\s*\[(?:[SDA]:[^]]+|[FR])\]")
"""Where a sentence comes from, after it."""


@pytest.mark.parametrize("language", ["en", "de", "nl"])
@pytest.mark.parametrize("game_id", OURS)
def test_sources_are_shown_to_those_who_ask(game_id: str, language: str, tmp_path: Path) -> None:
    """A reader gets every clause without marks, and with them for `--sources`; nothing else differs."""
    with_them, without = (
        run_here("rules", game_id, "--language", language, *asked, cwd=tmp_path).out.decode().strip()
        for asked in (["--sources"], [])
    )
    assert with_them == games.rules_text(game_id, language).strip()
    clauses = re.findall(r"^\*\*(\w+-\w+)\*\*", with_them, re.MULTILINE)
    assert re.findall(r"^\*\*(\w+-\w+)\*\*", without, re.MULTILINE) == clauses
    assert len(MARKS.findall(with_them)) > len(clauses)
    assert MARKS.findall(without) == []
    headings = re.findall(r"^## .*", with_them, re.MULTILINE)
    marks = headings[[part.partition("\n")[0] for part in games.rules_text(game_id).split("\n## ")].index("Marks") - 1]
    assert re.findall(r"^## .*", without, re.MULTILINE) == [one for one in headings if one != marks]
    for part in re.split(r"\n(?=\*\*\w+-|#)", with_them):
        if part.startswith("**"):
            assert MARKS.findall(part), f"{part[:20]} says nothing of its source"
            assert " ".join(MARKS.sub("", part).split()) in " ".join(without.split())


def test_no_test_depends_on_the_games_that_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test installs for itself is seen; what was there before is not."""
    there = {"foreign": "a package of somebody else"}
    seen = remembered._installed(lambda: dict(there))
    assert seen() == {}
    monkeypatch.syspath_prepend("elsewhere")
    there["own"] = "a package of the test"
    assert seen() == {"own": "a package of the test"}
