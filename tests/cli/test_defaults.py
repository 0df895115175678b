"""What a command does for somebody who says no more than needed: the default of every option, and the bounds of those
that are numbers."""

from collections.abc import Iterator
from typing import Any

import pytest
from typer import BadParameter

from referee.cli import bot
from referee.cli.app import command
from referee.tournament.spec import USUAL
from tests.cli.world import check_refusal, run_here


def parameters(found: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """`bot --seat` and so on, with what the command line's library knows about each."""
    for name, inner in getattr(found, "commands", {}).items():
        yield from parameters(inner, (*words, name))
    if not hasattr(found, "commands"):
        yield from ((" ".join((*words, one.opts[0])), one) for one in found.params)


ALL = dict(parameters(command()))
GIVEN: dict[str, Any] = {
    # A first look needs no options: a short game for a few, in a folder of its own.
    "practice game": "", "demo game": "schwarzer-freitag", "demo --seats": 3, "demo -o": "referee-demo",
    # The games in this folder, in a browser.
    "open path": ".", "open --browser": True,
    # One game in a folder, and one tournament.
    "start -o": "game.json", "recover -o": "game.json",
    **{f"tournament {name} -o": "tournament" for name in ("run", "next")},
    # Everything, where a part can be named.
    "games game": "", "manual topic": "", "rules clause": "", "conform vectors": "", "conform --only": "",
    "conform --rules": True,
    # As fast as one processor is, and nothing besides what is asked for.
    "verify --jobs": 1, "tournament run --jobs": 1, "tournament check --jobs": 1,
    "tournament check --again": 0, "tournament run --until-decided": 0,
    "tournament next --reason": "",
    # Games begin when all are there; names and addresses are written into the settings.
    "host root": "office", "host --name": "", "host --address": "",
    "bot --seat": 1, "bot --against": "sensible", "bot --on-fault": USUAL["fallback"],
    # Bots have the same here as in a tournament whose organiser says nothing.
    **{f"bot --{option}": int(USUAL[usual]) / size for option, usual, size in (
        ("start", "start", 1000), ("time", "answer", 1000), ("bank", "bank", 1000), ("memory", "memory", 1))},
}  # fmt: skip
BOUNDS = {
    "verify --jobs": (1, None), "tournament run --jobs": (1, None),
    "tournament check --jobs": (1, None), "tournament check --again": (0, None),
    "tournament run --until-decided": (0, 1000),
    "show --width": (100, 2000), "games --worlds": (1, 100_000), "bot --seat": (1, None),
    **{f"bot --{option}": (low, None) for option, low in (
        ("start", 0.01), ("time", 0.01), ("bank", 0), ("memory", 16))},
}  # fmt: skip


def test_nothing_is_switched_on_or_chosen_but_what_is_listed() -> None:
    chosen = {name: one.default for name, one in ALL.items() if one.default not in (None, False) and one.default != ()}
    chosen |= {name: one.default for name, one in ALL.items() if isinstance(one.default, int) and name in GIVEN}
    assert chosen == GIVEN
    assert {name for name, one in ALL.items() if getattr(one, "is_flag", False) and one.default} == {
        "conform --rules", "open --browser"
    }  # fmt: skip


def test_numbers_end_where_they_should() -> None:
    bounded = {name: (one.type.min, one.type.max) for name, one in ALL.items() if hasattr(one.type, "min")}
    assert {name: ends for name, ends in bounded.items() if ends != (None, None)} == BOUNDS
    for name, (low, high) in BOUNDS.items():
        one = ALL[name]
        step = 1 if isinstance(low, int) else 0.001
        for end, beyond in ((low, low - step), *([(high, high + step)] if high is not None else [])):
            assert one.type.convert(str(end), one, None) == end
            with pytest.raises(BadParameter):
                one.type.convert(str(beyond), one, None)


def test_limits_of_a_bot_are_passed_on_each_to_its_own() -> None:
    found = bot.BotOptions(1.5, 2.5, 3.5, 64).limits()
    assert (found.start, found.answer, found.bank, found.memory) == (1.5, 2.5, 3.5, 64 * 2**20)


@pytest.mark.parametrize(("seats", "seat", "good"), [("2", "2", True), ("2", "3", False), ("3", "3", True)])
def test_a_bot_sits_at_an_existing_seat(seats: str, seat: str, good: bool, tmp_path: Any) -> None:
    words = ("bot", "auction", "--seats", seats, "--seat", seat, "--option", "rounds=1", "--json", "random")
    ran = run_here(*words, cwd=tmp_path)
    if good:
        assert ran.exit == 0, ran.said
    else:
        check_refusal(ran, (2,))
