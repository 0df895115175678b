"""Two games of Schwarzmarkt that differ only in what a player must not know give that player the same bytes.

The comparison is the general one of `tests/noninterference`: whole signed games, played twice; views, private parts,
legal moves, verdicts, receipts, texts and sizes. Beside other hands and piles there are two more kinds of pairs here:
other sealed answers (`swap.give`, `find.ranking`), and other cards that went unseen from hand to hand.
"""

import pytest

from referee.games.schwarzmarkt.types import Find, Swap
from tests.noninterference.worlds import Record, ideal, sit_down

from .leaks import LEAKS, planted
from .worlds import GAME, NOTHING, Found, market, other_hands, other_sealed, other_takes

HUNTS = {"hunt 15": 400, "cards 3": 90, "hunt 24": 400}
"""Games of three, and so many rounds of them: text cards are carried out, and hands they changed are traded from."""
CARDS = {(3, False): 3, (3, True): 2, (4, False): 3, (4, True): 11, (5, False): 19, (5, True): 18}
"""Seats and expert game -> the number of a game with Zwangstausch, Neue Ware and Alte Rechnung."""


@pytest.mark.parametrize("late", [0.0, 0.06], ids=["punctual", "late"])
@pytest.mark.parametrize("expert", [False, True], ids=["base", "expert"])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_other_hands_and_piles(seats: int, expert: bool, late: float) -> None:
    seed = f"{seats} {expert} {late}"
    seated = sit_down(GAME, seats, seed, expert=expert)
    with ideal(seated), market():
        record = Record(seated, seed, late=late)
        found = other_hands(record, seed, seats + 3)
    assert not found.wrong
    assert found.pairs >= 100
    assert len(found.ends) > 1


@pytest.mark.parametrize(("seats", "expert"), CARDS)
def test_other_cards_that_only_some_may_know(seats: int, expert: bool) -> None:
    seed = f"cards {CARDS[seats, expert]}"
    seated = sit_down(GAME, seats, seed, expert=expert)
    with ideal(seated), market():
        record = Record(seated, seed)
        given = other_sealed(record, 3, kinds=Swap)
        wishes = other_sealed(record, 3, kinds=Find)
        taken = other_takes(record, 3)
    for found in (given, wishes, taken):
        assert not found.wrong
        assert sum(found.ends.values()) == 3
        assert found.pairs >= 10


def hunt() -> Found:
    """The same search for honest and leaky rules, up to the first difference."""
    found = NOTHING
    for seed, most in HUNTS.items():
        seated = sit_down(GAME, 3, seed)
        with ideal(seated), market():
            record = Record(seated, seed, most=most)
            for search in (
                lambda record=record: other_takes(record),
                lambda record=record: other_sealed(record, 4),
                lambda record=record, seed=seed: other_hands(record, seed, 6),
            ):
                found = found.plus(search())
                if found.wrong:
                    return found
    return found


def test_honest_rules_pass_the_search_that_finds_the_leaks() -> None:
    found = hunt()
    assert not found.wrong
    assert found.pairs > 500


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_caught(name: str) -> None:
    with planted(name):
        found = hunt()
    assert found.wrong, f"{found.pairs} pairs compared, none differed"
