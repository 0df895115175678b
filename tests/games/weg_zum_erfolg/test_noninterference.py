"""Chips that lie face down and interventions that wait tell nobody anything: two worlds that differ only in them give a
player the same bytes. The search is the one of `tests/noninterference`; leaks planted here must be caught by it."""

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from referee.engine import view as engine_view
from referee.engine.player import consult
from referee.engine.rounds import who_is_asked
from referee.engine.turn import take_move
from referee.game import Choice, Step, ask_of, seen
from referee.games.weg_zum_erfolg.types import Intervene
from tests.noninterference.leaks import anybody, beside, change_game, change_steps, peeking
from tests.noninterference.worlds import (
    Record,
    choose_swaps,
    compare,
    facts,
    ideal,
    really_differ,
    sign,
    sit_down,
    snapshot,
)

GAME = "weg-zum-erfolg"
VARIANTS: dict[str, dict[str, bool]] = {
    "neue": {"neue_ziele": True},
    "neue-hinterlistig": {"neue_ziele": True, "hinterlistig": True},
    "zufall": {"zufallsziele": True},
    "zufall-hinterlistig": {"zufallsziele": True, "hinterlistig": True},
}


def other_chips(record: Record, seed: str, worlds: int) -> tuple[int, list[str]]:
    """Worlds in which other chips lie face down, or other cards lie in the piles: pairs compared, differences found."""
    rng, pairs = random.Random(seed), 0
    for number in range(worlds):
        seat = number % len(record.seated.keys)
        target = rng.randrange(1, len(record.rounds) + 1)
        swaps = choose_swaps(record, seat, target, rng, rng.choice((1, 1, 2, 5)))
        if not swaps:
            continue
        found = compare(record, seat, swaps, every=4)
        pairs += found.pairs
        if found.differences:
            return pairs, [f"seat {seat}, {swaps}: {one}" for one in found.differences]
    return pairs, []


def interventions(record: Record) -> Iterator[tuple[int, int, list[Any]]]:
    """Rounds in which several are asked to intervene: the round, one of them, and what that player may answer."""
    table = record.world.match.table
    for number, state in enumerate(record.states[:-1]):
        asked = who_is_asked(state)
        if state.witness or state.position is None or len(asked) < 2 or next(iter(asked.values())).what != "intervene":
            continue
        for seat in asked:
            moves = [choice.move for choice in table.game.legal(table.terms, seen(state.position, seat))]
            yield number, seat, [move for move in moves if move.standing is None]


def other_interventions(record: Record, seed: str, most: int) -> tuple[int, list[str]]:
    """One answer waits, sealed, and the round is not complete: nobody else can tell which card it is, or whether."""
    rng, pairs = random.Random(seed), 0
    found = list(interventions(record))
    for number, who, moves in rng.sample(found, min(most, len(found))):
        one, other = rng.sample(moves, 2)
        for seat in range(len(record.seated.keys)):
            if seat == who:
                continue
            got = [waiting(record, number, who, move, seat) for move in (one, other)]
            pairs += 1
            wrong = [name for name in got[0] if got[0][name] != got[1][name]]
            if wrong:
                return pairs, [f"round {number}, seat {seat}, {one} or {other} of {who}: {wrong}"]
    return pairs, []


def waiting(record: Record, number: int, who: int, move: Intervene, seat: int) -> dict[str, bytes]:
    """Everything this seat gets while the answer of another waits."""
    match = snapshot(record.world.match, record.states[number], number)
    verdict = take_move(match, sign(record.seated, match, who, move))
    assert verdict.code == "taken", verdict.error
    assert match.state.round == number, "the round is still open"
    return facts(record.seated, match, seat, record.pool, deep=False)


def hunt(variant: str, seats: int, *, late: float = 0.0, games: int = 1, worlds: int = 6) -> tuple[int, list[str]]:
    """The same search for honest and leaky variations."""
    pairs = 0
    for number in range(games):
        seed = f"{variant} {seats} {late} {number}"
        seated = sit_down(GAME, seats, seed, **VARIANTS[variant])
        with ideal(seated):
            record = Record(seated, seed, late=late, most=120)
            for search, most in ((other_chips, worlds), (other_interventions, 10)):
                found, wrong = search(record, seed, most)
                pairs += found
                if wrong:
                    return pairs, wrong
    return pairs, []


@pytest.mark.parametrize(("seats", "late"), [(2, 0.0), (3, 0.05), (5, 0.0)], ids=["2", "3-late", "5"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_hidden_changes_nobodys_bytes(variant: str, seats: int, late: float) -> None:
    pairs, wrong = hunt(variant, seats, late=late)
    assert not wrong
    assert pairs >= 250, "a dozen times this is 3,000 pairs"


def test_the_worlds_really_differ() -> None:
    """The comparison above is not one of a game with itself."""
    seated = sit_down(GAME, 3, "differ", neue_ziele=True)
    with ideal(seated):
        record = Record(seated, "differ", most=30)
        swaps = choose_swaps(record, 0, 5, random.Random(1), 1)
        (one, other), *_ = swaps
        faces = record.world.faces()
        assert faces[one] != faces[other]
        assert compare(record, 0, swaps).pairs > 0
        assert any(list(interventions(record))) or len(record.rounds) < 10
        assert not really_differ(record.states[3], record.states[3])


# --- planted leaks ---------------------------------------------------------------------------------------------------

Leak = Callable[[ExitStack], None]
LEAKS: dict[str, tuple[str, Leak]] = {}


def plant(variant: str) -> Callable[[Leak], Leak]:
    def keep(leak: Leak) -> Leak:
        LEAKS[leak.__name__] = variant, leak
        return leak

    return keep


def hidden_chips(step: Step, draws: Any) -> list[str]:
    """What really lies below the goals."""
    chips = step.position.public.chips
    return [draws.contents(f"goal/{chip.slot}")[0] for chip in chips if chip is not None and chip.value is None]


@plant("zufall")
def log_tells_a_chip(stack: ExitStack) -> None:
    def change(step: Step, draws: Any) -> Step:
        return replace(step, log=(*step.log, f"the left one is {''.join(hidden_chips(step, draws)[:1])}"))

    change_steps(stack, change)


@plant("zufall")
def a_public_number_depends_on_chips(stack: ExitStack) -> None:
    """Of chips that nobody knows."""

    def change(step: Step, draws: Any) -> Step:
        chips = hidden_chips(step, draws)
        turns = step.position.public.turns // 2 * 2 + (len(chips) > 1 and chips[0] < chips[1])
        return replace(step, position=replace(step.position, public=replace(step.position.public, turns=turns)))

    change_steps(stack, change)


@plant("zufall")
def dice_depend_on_a_chip(stack: ExitStack) -> None:
    def wrap(real: Any) -> Any:
        def apply(terms: Any, position: Any, answers: Any, draws: Any) -> Step:
            for face in hidden_chips(Step(position), draws)[:1]:
                draws.die(2 + int(face), "chip")
            step: Step = real(terms, position, answers, draws)
            return step

        return apply

    change_game(stack, apply=wrap)


@plant("neue")
def legal_moves_show_the_neighbours_chip(stack: ExitStack) -> None:
    last = peeking(stack, engine_view)

    def wrap(real: Any) -> Any:
        return lambda terms, view: (*real(terms, view), Choice("decline", None, beside(last[-1], view.seat)))

    change_game(stack, legal=wrap)


@plant("neue")
def legal_moves_in_an_order_that_tells(stack: ExitStack) -> None:
    last = peeking(stack, engine_view)

    def wrap(real: Any) -> Any:
        return lambda terms, view: tuple(real(terms, view))[:: 1 if anybody(last[-1]) % 2 else -1]

    change_game(stack, legal=wrap)


@plant("neue")
def log_adds_up_the_chips_dealt(stack: ExitStack) -> None:
    def change(step: Step, draws: Any) -> Step:
        dealt = sum(own.chip or 0 for own in step.position.own)
        return replace(step, log=(*step.log, f"all chips in hand make {dealt}"))

    change_steps(stack, change)


@plant("neue-hinterlistig")
def picture_depends_on_what_others_hold(stack: ExitStack) -> None:
    """The picture, and nothing else."""
    last = peeking(stack, engine_view)

    def peek(opened: Any, rule: Any, *args: Any) -> Any:
        return f"{consult(opened, rule, *args)} {anybody(last[-1]) if last else ''}"

    stack.enter_context(patch("referee.show.terminal.consult", peek))


def _waiting_cards(match: Any) -> list[int]:
    """The cards in answers that wait."""
    fields = [bytes(file.secret.fields) for file in match.waiting.values() if file.secret is not None]
    return [sum(data) for data in fields]


@plant("zufall")
def waiting_card_makes_a_view_longer(stack: ExitStack) -> None:
    real = engine_view.make_view

    def make_view(match: Any, seat: int) -> bytes:
        return real(match, seat) + b"\n" * (sum(_waiting_cards(match)) % 7)

    stack.enter_context(patch("tests.noninterference.worlds.make_view", make_view))


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_caught(name: str) -> None:
    variant, leak = LEAKS[name]
    with ExitStack() as stack:
        leak(stack)
        pairs, wrong = hunt(variant, 3, games=2)
    assert wrong, f"{pairs} pairs compared, none differed"


def test_the_interventions_are_sealed() -> None:
    seated = sit_down(GAME, 3, "sealed")
    record = Record(seated, "sealed", most=60)
    asks = [ask_of(state.ask, seat) for state in record.states for seat in who_is_asked(state)]
    assert {ask.sealed for ask in asks if ask is not None and ask.what == "intervene"} == {("card",)}
