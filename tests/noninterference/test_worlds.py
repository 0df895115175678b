"""Two worlds that differ only in what a player must not know give that player the same bytes.

One round at a time is enough: after every round the part of the state that follows from what the player may know is
compared too (`known`), so that a difference which has not surfaced yet is found as well.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from referee.game import ask_of, seen

from .worlds import Record, compare, compare_many, ideal, sit_down

FREITAG = [("schwarzer-freitag", seats, {"special_cards": cards}) for seats in (2, 3, 4, 5) for cards in (True, False)]
AUCTION = [("auction", seats, {"rounds": number}) for seats in (2, 3, 4) for number in (3, 6)]


def other_raids(record: Record, most: int = 8) -> tuple[int, list[str]]:
    """Worlds in which somebody gave another card in a raid: a sealed answer that only two players may know."""
    pairs, wrong = 0, []
    found = list(_raids(record))
    for number, who, move, seat in random.Random(len(found)).sample(found, min(most, len(found))):
        outcome = compare(record, seat, (), other_move=(number, who, move), every=3)
        pairs += outcome.pairs
        wrong += [f"seat {seat}, {move}: {one}" for one in outcome.differences]
    return pairs, wrong


def _raids(record: Record) -> Iterator[tuple[int, int, Any, int]]:
    """Round, raider, another card that could have been given, and a player who must not notice."""
    game, terms = record.world.match.table.game, record.world.match.table.terms
    for number, played in enumerate(record.rounds, 1):
        before = record.states[number - 1]
        for who, move, _ in played.answers:
            ask = ask_of(before.ask, who)
            if move is None or before.witness or ask is None or ask.what != "raid":
                continue
            for choice in game.legal(terms, seen(before.position, who)):
                if choice.move.target == move.target and choice.move.card != move.card:
                    others = [seat for seat in range(terms.seats) if seat not in (who, move.target)]
                    yield from ((number, who, choice.move, seat) for seat in others)


@pytest.mark.parametrize("late", [0.0, 0.08], ids=["punctual", "late"])
@pytest.mark.parametrize(("game_id", "seats", "options"), FREITAG, ids=str)
def test_schwarzer_freitag(game_id: str, seats: int, options: dict[str, bool], late: float) -> None:
    pairs, seed = 0, f"{seats} {options} {late}"
    for number in range(3):
        seated = sit_down(game_id, seats, f"{seed} {number}", **options)
        with ideal(seated):
            found, wrong, _ = compare_many(Record(seated, seed, late=late), seed, 10)
        assert not wrong
        pairs += found
    assert pairs >= 300


@pytest.mark.parametrize("late", [0.0, 0.08], ids=["punctual", "late"])
@pytest.mark.parametrize(("game_id", "seats", "options"), AUCTION, ids=str)
def test_auction(game_id: str, seats: int, options: dict[str, int], late: float) -> None:
    pairs, seed = 0, f"{seats} {options} {late}"
    for number in range(5):
        seated = sit_down(game_id, seats, f"{seed} {number}", **options)
        with ideal(seated):
            record = Record(seated, seed, late=late)
            found, wrong, _ = compare_many(record, seed, 20)
            raids, wrong_raids = other_raids(record)
        assert not wrong + wrong_raids
        pairs += found + raids
    assert pairs >= 150
