"""Other boxes: whatever is accepted can be played to its end, with every number at its lowest and its highest."""

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from referee.errors import Usage
from referee.game import LINK
from referee.games.mark import GAME, rules
from referee.games.mark.board import render
from referee.games.mark.types import Deal, Edition, Options, Public
from referee.games.mark.words_list import legal
from tests.support.plain import Moment, play_out

from .build import BASE, EDITION, number_bounds, random_move

NUMBERS = number_bounds()
PRICES = (0, 99_999)
LENGTHS = (1, 12)
PLAIN: dict[str, Any] = msgspec.to_builtins(EDITION)
MOST_ROUNDS = 2_048
LARGEST = 200_000


def edition(**changes: Any) -> Edition:
    """The edition with these changes, as it would be read from a file."""
    return msgspec.convert(PLAIN | changes, Edition)


def market(length: int, value: int) -> list[list[int]]:
    return [[value] * length] * 5


def play(one: Edition, seats: int, seed: int = 0, **options: bool) -> Moment:
    """A random game to its end; every position can be written, read and drawn."""
    terms = Deal(seats, Options(**options), one)
    rules.validate(terms)
    names = ["Anna", "Ben", "Carla", "Dora"][:seats]
    for at, moment in enumerate(play_out(GAME, terms, random_move, random.Random(seed), MOST_ROUNDS)):
        if at % 20 == 0:
            data = msgspec.json.encode(moment.step.public)
            assert len(data) < LARGEST
            assert msgspec.json.decode(data, type=Public) == moment.step.public
            for width in (60, 80, 100):
                shown = render(terms, moment.seen(at % seats), names, lambda text, _: text, width)
                assert max(map(len, shown.splitlines())) <= width
            decide = [ask.seat for ask in moment.step.pending if ask.what != LINK]
            assert all(0 < len(legal(terms, moment.seen(seat))) <= 15 for seat in decide)
    return moment


def extremes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every number of an edition at either end, alone; what must change with it does."""
    for name, ends in NUMBERS.items():
        for end in ends:
            yield f"{name}={end}", {name: end}
    yield "pieces=1 with rows of one", {"pieces": 1, "market": market(1, 10)}
    for length in LENGTHS:
        for value in PRICES:
            yield f"{length} fields of {value}", {"market": market(length, value), "pieces": max(length, 8)}


EXTREMES = dict(extremes())


def test_there_is_no_number_without_bounds() -> None:
    assert {*NUMBERS} == {*Edition.__struct_fields__} - {"name", "market"}


@pytest.mark.parametrize("case", EXTREMES)
def test_an_edition_at_its_bounds_can_be_played(case: str) -> None:
    one = edition(**EXTREMES[case])
    if max(map(len, one.market)) > one.pieces:
        with pytest.raises(Usage):
            play(one, 4)
        return
    assert play(one, 4).step.result is not None


@pytest.mark.parametrize("options", [{}, BASE], ids=["2003", "base"])
@pytest.mark.parametrize("end", [0, 1], ids=["lowest", "highest"])
def test_everything_together_at_its_bounds_can_be_played(end: int, options: dict[str, bool]) -> None:
    changes = {name: ends[end] for name, ends in NUMBERS.items()} | {"market": market(LENGTHS[end], PRICES[end])}
    assert play(edition(**changes), 4, **options).step.result is not None


@pytest.mark.thorough
def test_mixed_bounds_can_be_played_or_are_refused() -> None:
    rng, played = random.Random("mixed"), 0
    for seed in range(60):
        changes: dict[str, Any] = {name: rng.choice(ends) for name, ends in NUMBERS.items()}
        changes["market"] = [[rng.choice(PRICES) for _ in range(rng.choice(LENGTHS))] for _ in range(5)]
        one, seats, options = edition(**changes), rng.choice([2, 3, 4]), rng.choice([{}, BASE])
        if max(map(len, one.market)) > one.pieces:
            with pytest.raises(Usage):
                rules.validate(Deal(seats, Options(), one))
            continue
        assert play(one, seats, seed, **options).step.result is not None
        played += 1
    assert played > 20


@pytest.mark.thorough
@pytest.mark.parametrize("bot", ["sensible", "nobody"])
def test_the_largest_edition_ends_in_time_for_every_player(bot: str) -> None:
    """Links asked for after missed deadlines at most double the rounds, so half of the limit must be enough."""
    largest = edition(market=market(12, 10), pieces=40, full_rows=5, idle_rounds=60, area=9)
    terms = Deal(4, Options(), largest)

    def choose(deal: Deal, view: Any, rng: random.Random) -> Any:
        return GAME.bots[bot](deal, view, rng.randrange) if bot in GAME.bots else None

    moments = list(play_out(GAME, terms, choose, random.Random(1), MOST_ROUNDS))
    assert moments[-1].step.result is not None
    assert len(moments) < MOST_ROUNDS // 2


@pytest.mark.parametrize(
    "changes",
    [
        *({name: low - 1} for name, (low, _) in NUMBERS.items()),
        *({name: high + 1} for name, (_, high) in NUMBERS.items()),
        {"market": market(5, -1)},
        {"market": market(5, 100_000)},
        {"market": market(0, 10)},
        {"market": market(13, 10)},
        {"market": PLAIN["market"][:4]},
        {"market": PLAIN["market"] + PLAIN["market"][:1]},
        {"name": ""},
        {"name": "x" * 81},
        {"price": 3},
    ],
    ids=lambda changes: str(changes)[:40],
)
def test_an_edition_beyond_its_bounds_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        edition(**changes)


def test_a_row_longer_than_its_kind_has_pieces_is_refused() -> None:
    rules.validate(Deal(3, Options(), edition(pieces=5)))
    with pytest.raises(Usage) as caught:
        rules.validate(Deal(3, Options(), edition(pieces=4)))
    assert caught.value.code == "bad-edition"
