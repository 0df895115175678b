"""Other editions: at the edge of what is accepted a game still plays to its end; beyond it the edition is refused."""

import copy
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from referee.errors import Usage
from referee.games.schwarzer_freitag import GAME
from referee.games.schwarzer_freitag.types import Deal, Edition, Move, Options, Public, Sight
from tests.support.plain import play_out

from .build import EDITION, by_bot
from .ledger import play_random

BASE: dict[str, Any] = msgspec.to_builtins(EDITION)
Path = tuple[Any, ...]
"""The path to one number of an edition."""


def numbers(part: Any, path: Path = ()) -> Iterator[Path]:
    """The path to every number."""
    if isinstance(part, int):
        yield path
    elif isinstance(part, dict | list | tuple):
        for key, inner in part.items() if isinstance(part, dict) else enumerate(part):
            yield from numbers(inner, (*path, key))


def changed(edition: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    edition = copy.deepcopy(edition)
    part: Any = edition
    for key in path[:-1]:
        if isinstance(part[key], tuple):
            part[key] = list(part[key])
        part = part[key]
    part[path[-1]] = value
    return edition


def accepted(edition: dict[str, Any], seats: int) -> Deal | None:
    """The terms of a game with this edition, if there can be one."""
    try:
        terms = Deal(seats, Options(), msgspec.convert(edition, Edition))
        GAME.validate(terms)
    except (Usage, msgspec.ValidationError):
        return None
    return terms


def furthest(edition: dict[str, Any], path: Path, seats: int, end: int) -> Any:
    """The accepted value nearest to `end`, found by halving."""
    good: Any = edition
    for key in path:
        good = good[key]
    bad = end
    while abs(bad - good) > 1:
        middle = (good + bad) // 2
        if accepted(changed(edition, path, middle), seats):
            good = middle
        else:
            bad = middle
    return good


def choose(terms: Deal, seen: Sight, rng: random.Random) -> Move | None:
    """Random play, sensible play and missed deadlines, mixed."""
    kind = rng.random()
    if kind < 0.4:
        return None
    move: Move = GAME.bots["sensible"](terms, seen, rng.randrange) if kind < 0.6 else by_bot(terms, seen, rng)
    return move


def assert_plays(terms: Deal, seed: str) -> None:
    last = None
    for at, last in enumerate(play_out(GAME, terms, choose, random.Random(seed), most=2047)):
        if at % 20 == 0 and last.step.result is None:
            choices = GAME.legal(terms, last.seen(last.step.public.turn))
            assert 0 < len(choices) <= 200
            assert len(msgspec.json.encode(choices)) < 2_000_000
    assert last is not None
    assert last.step.result is not None
    assert "Result" in GAME.render(terms, last.seen(0), ["name"] * terms.seats, lambda text, _: text, 100)
    encoded = msgspec.json.encode(last.step.public)
    assert len(encoded) < 20_000
    assert msgspec.json.decode(encoded, type=Public) == last.step.public


@pytest.mark.thorough
@pytest.mark.parametrize("end", [-1, 1001], ids=["lowest", "highest"])
def test_every_number_at_its_furthest(end: int) -> None:
    """A game is played with each of them at one of its ends; the test below plays with all of them at either."""
    edges = set()
    for at, path in enumerate(numbers(BASE)):
        seats = 2 + at % 4
        value = furthest(BASE, path, seats, end)
        beyond = (value + 1, 2**53) if end > 0 else (value - 1, -(2**53))
        assert not any(accepted(changed(BASE, path, more), seats) for more in beyond)
        terms = accepted(changed(BASE, path, value), seats)
        assert terms is not None
        edges.add((path[0], value))
        if (at + (end > 0)) % 6 == 0:
            assert_plays(terms, f"{path} {value}")
    assert len(edges) > 100


@pytest.mark.thorough
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("end", [-1, 1001], ids=["lowest", "highest"])
def test_all_numbers_that_can_go_together(end: int, seats: int) -> None:
    edition, order = BASE, list(numbers(BASE))
    random.Random(f"{end} {seats}").shuffle(order)
    for path in order:
        edition = changed(edition, path, furthest(edition, path, seats, end))
    terms = accepted(edition, seats)
    assert terms is not None
    assert_plays(terms, f"{end} {seats}")
    assert play_random(f"{end} {seats}", terms, 0.5, read=False).result is not None


FAULTS: dict[str, dict[str, Any]] = {
    "no name": {"name": ""},
    "long name": {"name": "x" * 81},
    "three numbers for four": {"strip_full": [5, 5, 5]},
    "a seat without cards": {"cards_for_two": [[]]},
    "a card without use": {"cards_for_two": [[[]], []]},
    "many cards": {"cards_for_two": [[["pass"]] * 5, []]},
    "uneven rows": {"prices": [*BASE["prices"][:-1], [160]]},
    "few rows": {"prices": BASE["prices"][:4]},
    "many rows": {"prices": [[r * 10 + c + 1 for c in range(7)] for r in range(21)]},
    "wide rows": {"prices": [[r * 10 + c + 1 for c in range(9)] for r in range(13)]},
    "prices that fall": {"prices": [[(13 - r) * 10 + c for c in range(7)] for r in range(13)]},
    "start off the table": {"start_field": [13, 0]},
    "silver that stands still": {"silver_track": [20, 20, 30]},
    "one silver price": {"silver_track": [20]},
    "long silver track": {"silver_track": list(range(20, 61))},
    "no stages": {"stages": []},
    "many stages": {"stages": [{"price": i, "subsidies": 2, "limit": 1, "draw": 5} for i in range(16)]},
    "limits that fall": {"stages": BASE["stages"][4:] + BASE["stages"][:4]},
    "stages beyond the table": {"stages": [*BASE["stages"][:-1], {**BASE["stages"][-1], "price": 239}]},
    "too few cases": {"cases": 24},
    "hands too large": {"hand": 12},
    "an empty market": {"market": [0] * 4, "market_draw": 0},
    "sale_left too large": {"sale_left": [5, 5, 10, 4]},
    "no black case comes back": {"refill_black": 0},
    "few black cases": {"sale_black": [0, 1, 1]},
    "subsidies that buy nothing": {"subsidy_pays": 9},
    "too long": {"bag_base": 30, "cases": 60, "silver_track": list(range(20, 60))},
    "no fractions": {"interest": 0.5},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_edition_that_does_not_fit_together_is_refused(fault: str) -> None:
    assert all(accepted(BASE, seats) for seats in (2, 3, 4, 5))
    assert accepted(BASE | FAULTS[fault], 5) is None


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_other_numbers_of_players_are_refused(seats: int) -> None:
    assert accepted(BASE, seats) is None
