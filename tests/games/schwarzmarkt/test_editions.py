"""Other editions: with every number at its lowest and its highest a game can be played; beyond that it is refused."""

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.errors import Usage
from referee.game import LINK
from referee.games import edition_bytes
from referee.games.schwarzmarkt import GAME, bots_strong
from referee.games.schwarzmarkt.types import GOODS, Amounts, Deal, Edition, Options
from referee.testing import clauses, leaks, record, repeat, signed
from referee.testing.subject import Subject
from referee.testing.suite import CHECKS
from tests.support.plain import play_out

from .build import EDITION, deal
from .test_board import NAMES, columns, plain
from .test_random import MOST_ROUNDS, play_random

RAW: dict[str, Any] = msgspec.json.decode(edition_bytes("schwarzmarkt"))
BIGGEST = 2**53 - 1
APART = (leaks.__name__, repeat.__name__, signed.__name__)
"""Checks that start games of their own, with the program's edition."""
ONE_EACH = tuple(Amounts(**{good: 1}) for good in GOODS)
"""Offers that want one card of one good."""
Path = tuple[str | int, ...]


def numbers(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where the numbers of an edition stand; of the offers, the first of each kind is enough."""
    if isinstance(value, int):
        yield path
    elif isinstance(value, list | dict):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            if path != ("offers",) or key in (0, 5, 15, 20):
                yield from numbers(part, (*path, key))


def at(raw: Any, path: Path) -> int:
    for key in path:
        raw = raw[key]
    assert isinstance(raw, int)
    return raw


def with_number(path: Path, number: int) -> Deal | None:
    """The terms of a game with this number changed, if they are accepted."""
    raw = deepcopy(RAW)
    place: Any = raw
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = number
    try:
        terms = Deal(3 + len(str(path)) % 3, Options(path[0] == "goods_expert"), msgspec.convert(raw, Edition))
        GAME.validate(terms)
    except (msgspec.ValidationError, Usage):
        return None
    return terms


def furthest(path: Path, wrong: int) -> int:
    """The last number that is accepted between the default and one that is not."""
    good = at(RAW, path)
    while abs(good - wrong) > 1:
        middle = (good + wrong) // 2
        good, wrong = (middle, wrong) if with_number(path, middle) else (good, middle)
    return good


def play(terms: Deal, seed: str, bot: str = "random") -> int:
    """Play a game, listing and drawing every position; returns the number of its rounds."""

    def choose(terms: Deal, sight: Any, rng: random.Random) -> Any:
        assert 0 < len(GAME.legal(terms, sight)) <= 128
        return GAME.bots[bot](terms, sight, rng.randrange)

    for number, moment in enumerate(play_out(GAME, terms, choose, random.Random(seed), MOST_ROUNDS), 1):
        data = msgspec.json.encode(moment.step.public)
        assert len(data) <= 200_000
        assert max(player.luxury for player in moment.step.public.players) <= BIGGEST
        assert msgspec.json.decode(data, type=GAME.public) == moment.step.public
        if number % 16 == 0:
            width = (60, 80, 100)[number // 16 % 3]
            shown = GAME.render(terms, moment.seen(number % terms.seats), NAMES[: terms.seats], plain, width)
            assert max(map(columns, shown.splitlines())) <= width
    assert moment.step.result is not None
    return number


@pytest.mark.parametrize("key", [key for key in RAW if key not in ("name", "events")])
@pytest.mark.thorough
def test_every_number_can_be_played_at_its_ends_and_is_refused_beyond(key: str) -> None:
    """It is played at one of them, and in the tests below at either, with all others."""
    paths = list(numbers(RAW[key], (key,)))
    assert paths
    for number, path in enumerate(paths, len(key)):
        ends = {furthest(path, -1), furthest(path, BIGGEST + 1)}
        assert not any(with_number(path, far) for far in (min(ends) - 1, max(ends) + 1, -(10**15), 10**15))
        assert max(ends) <= 1000
        found = {end: with_number(path, end) for end in sorted(ends)}
        assert None not in found.values()
        played = [end for end in found if end != at(RAW, path)][number % 2 - 1 :][: number % 3 == 0]
        for end in played:
            play(found[end], f"{path} {end}")


SMALLEST = {
    "goods": Amounts(1, 1, 1, 1, 1),
    "offers": (Amounts(1), *ONE_EACH[1:], *ONE_EACH, *ONE_EACH),
    "events": (),
    "track": (1, 50),
    "steps": (1, 0),
    "limit": 50,
    "hand_goods": 1,
    "hand_cards": 1,
    "quick_deal": 0,
    "find_cost": 0,
    "spy_cards": 1,
    "swap_cards": 1,
    "idle_cards": 1,
    "half_cards": 1,
}
LARGEST = {
    "goods": Amounts(80, 80, 80, 80, 80),
    "offers": (Amounts(1000, 1000, 1000, 1000, 1000),) * 391,
    "track": tuple(range(1, 51)),
    "steps": (*[50] * 49, 0),
    "limit": 49,
    "hand_goods": 20,
    "hand_cards": 20,
    "quick_deal": 1000,
    "find_cost": 1000,
    "spy_cards": 5,
    "swap_cards": 5,
    "idle_cards": 500,
    "half_cards": 29,
}
TOGETHER: dict[str, dict[str, Any]] = {
    "smallest": SMALLEST,
    "smallest with text cards": SMALLEST | {"events": EDITION.events, "half_cards": 500, "idle_cards": 500},
    "largest": LARGEST,
    "long and slow": LARGEST | {"steps": (*[1] * 49, 0), "offers": ONE_EACH * 78},
    "short and many": LARGEST | {"track": (1, 50), "steps": (50, 0), "limit": 50, "half_cards": 500},
    "one card after the other": LARGEST
    | {"offers": ONE_EACH * 78, "half_cards": 100}
    | {"track": EDITION.track, "steps": (*[1] * 13, 0), "limit": 25, "find_cost": 0},
    "nothing fits": LARGEST
    | {"goods": Amounts(sugar=400), "offers": (Amounts(butter=1000),) * 391, "half_cards": 68}
    | {"track": EDITION.track, "steps": (*[1] * 13, 0), "limit": 25},
}


@pytest.mark.parametrize("name", TOGETHER)
@pytest.mark.thorough
def test_all_that_can_go_together_is_played_to_its_end(name: str) -> None:
    for seats, bot in ((3, "random"), (5, "sensible")):
        terms = deal(seats, **TOGETHER[name])
        GAME.validate(terms)
        assert play(terms, f"{name} {seats}", bot) < MOST_ROUNDS
    if name in ("smallest with text cards", "largest"):
        assert play_random(name, 3, late=0.1, **TOGETHER[name])[LINK] == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""},
        {"name": "x" * 101},
        {"offers": ONE_EACH * 81},
        {"offers": ()},
        {"events": (*EDITION.events, *["razzia"] * 400)},
        {"track": (), "steps": ()},
        {"track": tuple(range(1, 52)), "steps": (*[1] * 50, 0)},
        {"track": (*range(1, 26), 50), "steps": (*[1] * 25, 0)},
        {"goods": Amounts(sugar=60)},
        {"offers": (Amounts(sugar=4),) * 21},
        {"quick_deal": 10**12},
        {"half_cards": -1},
        {"hand_goods": 1.5},
    ],
    ids=lambda changes: " ".join(changes),
)
def test_lists_texts_and_halves_have_an_end(changes: dict[str, Any]) -> None:
    with pytest.raises(Usage, match="edition "):
        GAME.validate(deal(3, **changes))


COPIES: dict[str, dict[str, Any]] = {
    "two of each": {"events": EDITION.events * 2},
    "many of what waits": {"events": (*EDITION.events, *("limit", "verdorbene-ware", "waren-knapp") * 4)},
    "more than offers": {"events": EDITION.events * 4, "offers": EDITION.offers[:9]},
}
"""Editions with several copies of a text card."""


@pytest.mark.parametrize("name", COPIES)
@pytest.mark.parametrize("seats", [3, 5])
def test_SM_2_a_game_with_copies_is_played_to_its_end(name: str, seats: int) -> None:
    assert play_random(f"{name} {seats}", seats, late=0.05, **COPIES[name])["play"] > 10


@pytest.mark.parametrize("bot", ["sensible", "strong"])
def test_SM_2_bots_play_with_copies(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots_strong, "ROUNDS", ((1, 1),))
    assert play(deal(3, **COPIES["more than offers"]), bot, bot) < MOST_ROUNDS


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["two of each", "more than offers"])
def test_SM_2_the_contract_holds_with_copies(name: str) -> None:
    """Forms, typed moves, boards, leaks of questions: all that the suite asks of a game without signatures."""
    subject = Subject("schwarzmarkt", most=4)
    subject.edition = replace(EDITION, **COPIES[name])
    for one in CHECKS:
        if one.__module__ not in (record.__name__, clauses.__name__, *APART):
            one(subject)
    assert len(subject.plays) == 4
