"""Random games: every one ends and loses nothing; and what `apply` makes of answers that no honest host would pass."""

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from referee.engine.book import Fault
from referee.errors import IllegalMove
from referee.game import LINK, Ask, Note
from referee.games.mark import GAME, rules
from referee.games.mark.story import SENTENCES, tell
from referee.games.mark.types import (
    FIELDS,
    KINDS,
    Bid,
    Both,
    Buy,
    Field,
    Kind,
    Move,
    Name,
    Nothing,
    Offer,
    Process,
    Roll,
    Sell,
    Shift,
    Take,
)
from tests.support.plain import Moment, bared, play_out

from .build import BASE, Desk, Draws, deal, random_move
from .play import assert_step, full_rows, play_random

SWITCHES = ("buy", "move", "offer", "liquidation")
COMBINATIONS = [dict(zip(SWITCHES, on, strict=True)) for on in itertools.product((True, False), repeat=4)]


# --- games -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, BASE], ids=["2003", "base"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_end_and_lose_nothing(seats: int, options: dict[str, bool]) -> None:
    assert play_random("quick", seats, options).result is not None


@pytest.mark.thorough
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_options_in_random_games(seats: int) -> None:
    told: set[str] = set()
    ends = Counter[int]()
    for options in COMBINATIONS:
        box = play_random(1, seats, options, missed=0.1)
        told |= {note.what for note in box.log}
        ends[full_rows(box.terms, box.public)] += 1
    assert ends[4] > len(COMBINATIONS) / 2, "most games end with full rows"
    assert told >= set(SENTENCES) - {"idle"}


@pytest.mark.parametrize("options", [{}, BASE], ids=["2003", "base"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_MK_18_MK_19_a_game_without_players_ends(seats: int, options: dict[str, bool]) -> None:
    """Everybody misses every deadline: nothing is ever sold, and MK-11 ends the game."""
    box = play_random("nobody", seats, options, missed=1.0)
    assert box.result is not None
    assert box.result.ranks == (1,) * seats
    assert box.public.idle == 30 * seats


def test_what_never_happened_cannot_be_told() -> None:
    with pytest.raises(KeyError):
        tell(deal(), Note("flies"))


# --- answers of any kind ---------------------------------------------------------------------------------------------


def any_move(rng: random.Random) -> Move:
    """Anything that the move type can decode to."""

    def kind() -> Kind:
        return rng.choice(KINDS)

    def field() -> Field:
        return rng.choice(FIELDS)

    def number(most: int) -> int:
        return rng.choice([0, 1, 2, 4, 5, 7, 10, 29, 31, most])

    makers: list[Any] = [Roll, Nothing]
    makers += [lambda: Buy(kind(), field()), lambda: Take(kind(), field()), lambda: Name(kind())]
    makers += [lambda: Shift(field(), field()), lambda: Process(field(), field())]
    makers += [lambda: Sell(field(), rng.choice([None, number(1000)]))]
    makers += [lambda: Both(Take(kind(), field()), Process(field(), field()))]
    makers += [lambda: Both(Process(field(), field()), Sell(field(), rng.choice([None, number(1000)])))]
    makers += [lambda: Offer(rng.choice([None, field()]))]
    makers += [lambda: Bid(number(10**12), rng.choice([None, field()]))]
    move: Move = rng.choice(makers)()
    return move


def answer(moment: Moment, ask: Ask, rng: random.Random) -> Move | None:
    """A legal move, any of the right kind, or any at all."""
    kinds, _ = rules.ANSWERS[ask.what]
    chance = rng.random()
    if chance < 0.1:
        return None
    if chance < 0.4:
        return random_move(deal(len(moment.step.public.players)), moment.seen(ask.seat), rng)
    while True:
        move = any_move(rng)
        if chance < 0.6 or isinstance(move, kinds):
            return move


def is_fine(moment: Moment, seat: int, move: Move | None) -> bool:
    try:
        if move is not None:
            rules.check(deal(3), moment.seen(seat), move)
    except IllegalMove:
        return False
    return True


def as_given(ask: Ask, move: Move | None) -> Move | None:
    """Without its sealed fields; a move that has none as it is, though no engine would pass it on."""
    try:
        given: Move | None = bared(GAME, ask, move)
    except (IllegalMove, Fault):
        return move
    return given


def test_apply_takes_what_is_legal_and_refuses_the_rest() -> None:
    terms, rng, seen = deal(3), random.Random("hostile"), Counter[tuple[str, str]]()
    for moment in itertools.chain(*(play_out(GAME, terms, random_move, random.Random(seed)) for seed in range(3))):
        pending = moment.step.pending
        for _ in range(6 if pending and pending[0].what != LINK else 0):
            moves = {ask.seat: answer(moment, ask, rng) for ask in pending}
            given = {ask.seat: as_given(ask, moves[ask.seat]) for ask in pending}
            fine = all(is_fine(moment, seat, move) for seat, move in moves.items())
            try:
                step = rules.apply(terms, moment.step.public, pending, given, Draws({}, rng, sealed=moves))
            except IllegalMove:
                assert not fine
                seen[pending[0].what, "refused"] += 1
                continue
            assert fine or pending[0].sealed, "what stays sealed cannot be judged"
            assert_step(terms, step.public, step.pending, step.result)
            seen[pending[0].what, "fine" if fine else "never shown"] += 1
    both = set(itertools.product(set(rules.ANSWERS) - {LINK}, ["fine", "refused"]))
    assert set(seen) == both | {("offer", "never shown"), ("bid", "never shown")}
    assert min(seen.values()) >= 5


@pytest.mark.parametrize(
    ("bids", "clause"),
    [
        ({1: Bid(31, "d1")}, "MK-10"),
        ({1: Bid(1, "d2")}, ""),
        ({1: Bid(1, None)}, "MK-10"),
        ({1: Bid(1, "d1")}, "MK-10"),
        ({1: Bid(1, "p1")}, "MK-10"),
        ({1: Bid(1, "d5")}, "MK-10"),
        ({1: Bid(2, "d2"), 2: Bid(1, None)}, ""),
        ({1: Bid(2, "d2"), 2: Bid(31, None)}, "MK-10"),
        ({1: Bid(0, "p9")}, ""),
    ],
)
def test_MK_10_apply_judges_every_amount_and_the_field_of_the_winner(bids: dict[int, Bid], clause: str) -> None:
    desk = Desk(offer=False).plant(1, d1="paper").roll("hammer", "glass")
    desk.draws.next_step(bids)
    answers = {seat: Bid() if seat in bids else None for seat in range(3)}
    if not clause:
        step = rules.apply(desk.terms, desk.now, desk.pending, answers, desk.draws)
        assert step.public.lot is None
        return
    with pytest.raises(IllegalMove) as caught:
        rules.apply(desk.terms, desk.now, desk.pending, answers, desk.draws)
    assert caught.value.clause == clause


def test_MK_14_apply_judges_the_offers_that_are_shown() -> None:
    desk = Desk().plant(0, d1="glass").plant(1, d1="glass").roll("hammer", "glass")
    for offers, fine in (({0: Offer("d1"), 1: Offer("p9")}, True), ({0: Offer(None), 1: Offer("p9")}, False)):
        desk.draws.next_step(offers)
        if fine:
            assert rules.apply(desk.terms, desk.now, desk.pending, {0: Offer(), 1: Offer()}, desk.draws).public.lot
            continue
        with pytest.raises(IllegalMove):
            rules.apply(desk.terms, desk.now, desk.pending, {0: Offer(), 1: Offer()}, desk.draws)
