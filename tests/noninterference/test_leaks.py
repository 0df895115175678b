"""The comparison is only worth something if it finds leaks: each one planted here must be caught by it."""

import pytest

from .leaks import LEAKS, planted
from .test_worlds import other_raids
from .worlds import Record, compare_many, ideal, sit_down

SEATS = 3
GAMES = 2
WORLDS = 24


def _add(pairs: int, found: tuple[int, list[str], *tuple[object, ...]]) -> tuple[int, list[str]]:
    return pairs + found[0], found[1]


def hunt(game_id: str) -> tuple[int, list[str]]:
    """The same search for honest and leaky variations: pairs compared, differences found."""
    pairs, wrong = 0, list[str]()
    for number in range(GAMES):
        seated = sit_down(game_id, SEATS, f"hunt {number}")
        with ideal(seated):
            record = Record(seated, f"hunt {number}")
            pairs, wrong = _add(pairs, compare_many(record, f"hunt {number}", WORLDS, every=2))
            if not wrong:
                pairs, wrong = _add(pairs, other_raids(record))
        if wrong:
            break
    return pairs, wrong


@pytest.mark.parametrize("game_id", ["auction", "schwarzer-freitag"])
def test_an_honest_game_passes_the_same_search(game_id: str) -> None:
    pairs, wrong = hunt(game_id)
    assert not wrong
    assert pairs > 150


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_caught(name: str) -> None:
    with planted(name):
        pairs, wrong = hunt(LEAKS[name][0])
    assert wrong, f"{pairs} pairs compared, none differed"
