"""Chips that lie face down and interventions that are sealed tell nobody anything before the rules show them.

Two worlds that differ only in them give a player the same bytes: view, private part, picture, legal moves, verdicts,
error texts and receipts (`hidden.py`). Leaks are planted below, and the same searches must catch each of them.
"""

import random
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from msgspec.structs import replace

from referee.crypto.codec import encode
from referee.crypto.envelope import seal
from referee.engine import turn
from referee.engine import view as engine_view
from referee.errors import IllegalMove
from referee.game import Step
from referee.games.weg_zum_erfolg import cards, contests, rules, scratch
from referee.games.weg_zum_erfolg.types import Intervene
from tests.noninterference import leaks, worlds
from tests.noninterference.leaks import change_game, change_steps, peeking
from tests.noninterference.worlds import Record, World, ideal, sit_down

from .hidden import (
    GAME,
    Found,
    Sealed,
    choose,
    entry_of,
    every_answer,
    face_down,
    facts,
    lawful,
    may_intervene,
    other_faces,
    rounds_of_interventions,
)

VARIANTS: dict[str, dict[str, bool]] = {
    "base": {},
    "neue": {"neue_ziele": True},
    "neue-hinterlistig": {"neue_ziele": True, "hinterlistig": True},
    "zufall": {"zufallsziele": True},
    "zufall-hinterlistig": {"zufallsziele": True, "hinterlistig": True},
}
PILES = ("chance", "success")
LATE = 0.06
"""How often a deadline is missed in a game with missed deadlines."""


# --- chips that lie face down ----------------------------------------------------------------------------------------


def other_worlds(variant: str, seats: int, late: float, bags: Sequence[str] = ("chips",), every: int = 16) -> Found:
    """One game, and four worlds in which other faces lie face down; the watching players are not the same, if possible.

    In two of the worlds these faces may be turned up before the game is over; then the comparison ends.
    """
    found, seed = Found(), f"{variant} {seats} {late}"
    seated, rng = sit_down(GAME, seats, seed, **VARIANTS[variant]), random.Random(seed)
    with ideal(seated):
        record = Record(seated, seed, late=late, most=160)
        rounds, watching = len(record.rounds), rng.sample(range(seats), seats) * 2
        for seat, last in zip(watching[:4], (rounds, rounds // 2, rounds, 1), strict=True):
            swaps = choose(record, seat, last, bags, rng) or choose(record, seat, rounds // 3, bags, rng)
            other_faces(found, record, seat, swaps, bags, every)
            if found.wrong:
                break
    return found


CHIPS = [
    ("neue", 2, 0.0),
    ("neue", 5, 0.0),
    ("neue", 8, LATE),
    ("neue-hinterlistig", 3, LATE),
    ("neue-hinterlistig", 4, 0.0),
    ("neue-hinterlistig", 6, 0.0),
    ("zufall", 2, LATE),
    ("zufall", 4, 0.0),
    ("zufall", 8, 0.0),
    ("zufall-hinterlistig", 3, 0.0),
    ("zufall-hinterlistig", 5, LATE),
    ("zufall-hinterlistig", 7, 0.0),
]
"""Variant, seats, and how often somebody is late."""
MANY = 250
"""So many moments are compared in each case at least."""


@pytest.mark.parametrize(("variant", "seats", "late"), CHIPS)
def test_chips_that_lie_face_down_change_nobodys_bytes(variant: str, seats: int, late: float) -> None:
    found = other_worlds(variant, seats, late)
    assert not found.wrong, found.where
    assert found.moments.total() >= MANY
    assert found.among["deep"] >= MANY // 20, "pictures, errors and receipts too"
    assert found.ends.total() == 4
    assert bool(found.moments["place"]) == ("neue" in variant)
    assert bool(found.moments["witness"]) == bool(late)
    if seats <= 4 or "hinterlistig" not in variant:  # in larger games it may be too late for an exchange
        assert bool(found.among["moved"]) == ("hinterlistig" in variant), "face-down chips were swapped before"


@pytest.mark.parametrize(("variant", "seats", "late"), [("base", 3, LATE), ("zufall", 4, 0.0)])
def test_the_order_of_the_piles_changes_nobodys_bytes(variant: str, seats: int, late: float) -> None:
    found = other_worlds(variant, seats, late, PILES)
    assert not found.wrong, found.where
    assert found.moments.total() >= MANY // 2
    assert found.ends.total() == 4
    assert found.ends["shown"], "some cards were drawn"


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "base"])
def test_the_worlds_really_differ(variant: str) -> None:
    """At each moment counted above other chips lie face down, and yet the watching player was told the same of them."""
    seated = sit_down(GAME, 3, variant, **VARIANTS[variant])
    with ideal(seated):
        record = Record(seated, variant, most=100)
        swaps = choose(record, 1, len(record.rounds), ("chips",), random.Random(1))
        found, b = Found(), World(seated, swaps, twin=record.world)
        other_faces(found, record, 1, swaps, ("chips",), 1000)
        apart = 0
        for (answers,), a in zip(record.rounds, record.states[1:], strict=True):
            assert [b.take(data).code for _, _, data in answers] == ["taken"] * len(answers)
            mine = [(state.openings[1], state.position.own[1]) for state in (a, b.match.state)]
            here, there = (face_down(state, ("chips",)) for state in (a, b.match.state))
            assert here.keys() == there.keys()
            apart += here != there and mine[0] == mine[1] and sorted(here.values()) == sorted(there.values())
    assert apart == found.moments.total() == len(record.rounds) >= 80
    assert len(swaps) >= 1


def test_a_chip_that_the_player_knows_makes_a_difference() -> None:
    """The same comparison with a chip that the player was dealt ends at once: it is not blind."""
    seated = sit_down(GAME, 3, "mine", neue_ziele=True)
    with ideal(seated):
        record = Record(seated, "mine", most=5)
        (mine,), (other, *_) = ([*lawful(record, 1, seat)] for seat in (0, 1))
        found = Found()
        other_faces(found, record, 0, [(mine, other)], ("chips",), 1)
        assert (found.moments.total(), found.ends["shown"]) == (0, 1)
        b = World(seated, [(mine, other)], twin=record.world)
        for _, _, data in record.rounds[0].answers:
            b.take(data)
        expected, got = (facts(seated, match, 0, record.pool, deep=True) for match in (record.at(1), b.match))
        assert not found.compare("own", "", expected, got)
        assert found.wrong == {"own", "openings"}


# --- sealed interventions --------------------------------------------------------------------------------------------


def some_answers(hand: Sequence[int]) -> list[Intervene]:
    """No card; the lowest, and no more questions; the highest, and more questions."""
    return [Intervene(), Intervene(hand[0], standing=True), Intervene(hand[-1], standing=False)]


@pytest.mark.parametrize("who", [0, 1, 2])
def test_LO_16_a_sealed_intervention_changes_nobodys_bytes(who: int) -> None:
    """Three are asked: every answer of one, in every order, with every part of the round still open or missed."""
    seated, found = sit_down(GAME, 4, "heads 0"), Found()
    with ideal(seated):
        record = Record(seated, "heads 0", most=5)
        number = next(rounds_of_interventions(record, 3))
        hand = record.states[number].position.public.players[who].hand
        round = Sealed(found, record, number, who)
        assert round.asked == [0, 1, 2]
        assert len(every_answer(hand)) == 33, "ten values or none, with three words each"
        round.play(every_answer(hand), deep=False)
        round.play(some_answers(hand), deep=True)
    assert not found.wrong, found.where
    others, deep = 32 * 3, 2 * 3
    """Other answers than the first, and so many players who watch: each of them in 9 open and 18 held rounds."""
    assert found.moments == {
        "open": 9 * others,
        "held": 18 * others,
        "open, deep": 9 * deep,
        "held, deep": 18 * deep,
        "one witness, deep": 18 * deep,
        "a late witness, deep": 18 * deep,
        "same answer, another order": 3 * (4 + 15) + 3 * (4 + 3 * 15),
    }
    assert found.among["shown"] == 6 * 33 + (6 + 18) * 3
    assert len(round.endings) == 33 + 3 * 3, "every answer makes a difference at last, and no order does"


HEADS = [
    ("neue-hinterlistig", "neue-hinterlistig 5", 5, 4, 0, 200),
    ("base", "late 29", 4, 3, 1, 500),
    ("zufall", "zufall 8", 8, 7, 0, 800),
]
"""Variant, seed, seats, how many are asked, how many have just missed a deadline, and how much is compared at least."""


@pytest.mark.parametrize(("variant", "seed", "seats", "asked", "missed", "least"), HEADS)
def test_LO_16_sealed_interventions_in_other_games(
    variant: str, seed: str, seats: int, asked: int, missed: int, least: int
) -> None:
    """Some orders for each answer, or all. Whoever misses a second deadline here is out, and is no longer asked."""
    seated, found, deep = sit_down(GAME, seats, seed, **VARIANTS[variant]), Found(), asked < 5
    with ideal(seated):
        record = Record(seated, seed, late=missed * 0.1, most=40)
        *_, number = rounds_of_interventions(record, asked, missed)
        for who in may_intervene(record.states[number].position.public)[::3]:
            hand = record.states[number].position.public.players[who].hand
            Sealed(found, record, number, who).play(some_answers(hand), deep=deep, orders=0 if missed else 5)
    assert not found.wrong, found.where
    kinds = ["open, deep", "held, deep", "one witness, deep", "a late witness, deep"] if deep else ["open", "held"]
    assert all(found.moments[kind] for kind in kinds)
    assert found.moments.total() >= least
    assert found.among["shown"]
    assert bool(found.among["out"]) == bool(missed)


def test_LO_16_the_card_and_the_standing_refusal_are_sealed() -> None:
    seated = sit_down(GAME, 3, "sealed")
    record = Record(seated, "sealed", most=60)
    asks = [ask for state in record.states for ask in state.ask]
    assert {ask.sealed for ask in asks if ask.what == "intervene"} == {("card", "standing")}
    assert {ask.sealed for ask in asks if ask.what != "intervene"} == {()}
    for state in record.states:
        if state.position and state.ask and state.ask[0].what == "intervene":
            assert [ask.seat for ask in state.ask] == may_intervene(state.position.public)


# --- planted leaks ---------------------------------------------------------------------------------------------------
#
# Not planted, because they are impossible by construction:
# `draw`, `parse`, `text` and `holds` run on the player's side, and have nothing but the view that is compared already.
# `legal`, `check` and `fallback` get a `Seen`, in which Zufallsziele has no chip at all: its chips are with the draws.
# `contents` of a pile is sorted, and what is left in it is public: rules that keep to `Draws` do not know its order.
# `apply` runs when all have answered or missed: what tells of an answer while others think is planted in the engine.

Leak = Callable[[ExitStack], None]
CHIP_LEAKS: dict[str, tuple[Leak, str, set[str]]] = {}
"""Name -> what plants it, the variant, and the parts of what a player gets that differ."""
SEALED_LEAKS: dict[str, tuple[Leak, set[str]]] = {}


def chip_leak(variant: str, *parts: str) -> Callable[[Leak], Leak]:
    def keep(leak: Leak) -> Leak:
        CHIP_LEAKS[leak.__name__] = leak, variant, {*parts}
        return leak

    return keep


def sealed_leak(*parts: str) -> Callable[[Leak], Leak]:
    def keep(leak: Leak) -> Leak:
        SEALED_LEAKS[leak.__name__] = leak, {*parts}
        return leak

    return keep


def lowest_hidden(position: Any, draws: Any) -> int:
    """What lies face down below the leftmost goal that has such a chip; 0 if none has."""
    slots = [chip.slot for chip in position.public.chips if chip is not None and chip.value is None]
    return int(draws.contents(f"goal/{slots[0]}")[0]) if slots else 0


def neighbours_chip(position: Any, seat: int) -> int:
    return position.own[(seat + 1) % len(position.own)].chip or 0


# --- ... of chips


@chip_leak("zufall", "log")
def log_tells_a_chip(stack: ExitStack) -> None:
    def change(step: Step, draws: Any) -> Step:
        return replace(step, log=(*step.log, f"on the left lies {lowest_hidden(step.position, draws)}"))

    change_steps(stack, change)


@chip_leak("neue", "log")
def log_compares_two_hands(stack: ExitStack) -> None:
    def change(step: Step, draws: Any) -> Step:
        one, other = (neighbours_chip(step.position, seat) for seat in (0, 1))
        return replace(step, log=(*step.log, f"chips {abs(one - other)} apart"))

    change_steps(stack, change)


@chip_leak("zufall", "public")
def public_number_depends_on_a_chip(stack: ExitStack) -> None:
    def change(step: Step, draws: Any) -> Step:
        turns = 10 * step.position.public.turns + lowest_hidden(step.position, draws)
        public = replace(step.position.public, turns=turns % 10**6)
        return replace(step, position=replace(step.position, public=public))

    change_steps(stack, change)


@chip_leak("zufall-hinterlistig", "draws")
def number_of_draws_depends_on_a_chip(stack: ExitStack) -> None:
    def change(step: Step, draws: Any) -> Step:
        for _ in range(lowest_hidden(step.position, draws)):
            draws.die(6, "white 1")
        return step

    change_steps(stack, change)


@chip_leak("neue", "draws")
def range_of_a_draw_depends_on_a_chip(stack: ExitStack) -> None:
    def change(step: Step, draws: Any) -> Step:
        draws.die(6 + sum(seat * neighbours_chip(step.position, seat) for seat in range(3)), "black")
        return step

    change_steps(stack, change)


@chip_leak("neue", "own")
def players_get_the_chip_of_the_next(stack: ExitStack) -> None:
    def wrap(real: Any) -> Any:
        def setup(terms: Any, draws: Any) -> Step:
            step = real(terms, draws)
            own = step.position.own
            return replace(step, position=replace(step.position, own=(*own[1:], own[0])))

        return setup

    change_game(stack, setup=wrap)


@chip_leak("zufall", "openings")
def one_player_sees_the_chips_being_laid(stack: ExitStack) -> None:
    stack.enter_context(patch.object(cards, "NOBODY", 1))


@chip_leak("zufall-hinterlistig", "draws", "public")
def an_exchanged_chip_is_turned_up(stack: ExitStack) -> None:
    """LO-21: it must stay face down."""
    real = rules.swap_chip

    def swap_chip(s: Any, move: Any) -> Any:
        if move.goal is not None:
            cards.turn_up(s, move.goal)
        return real(s, move)

    stack.enter_context(patch.object(rules, "swap_chip", swap_chip))


@chip_leak("neue", "draws")
def chips_are_laid_face_up(stack: ExitStack) -> None:
    stack.enter_context(leaks.planted("hidden_take_shows_the_face"))


@chip_leak("neue", "legal")
def order_of_legal_moves_depends_on_a_chip(stack: ExitStack) -> None:
    """The engine lets `legal` see the whole position."""
    last = peeking(stack, engine_view)

    def wrap(real: Any) -> Any:
        def legal(terms: Any, view: Any) -> Any:
            found = tuple(real(terms, view))
            first = neighbours_chip(last[-1], view.seat) % (len(found) or 1)
            return found[first:] + found[:first]

        return legal

    change_game(stack, legal=wrap)


@chip_leak("neue-hinterlistig", "errors")
def error_names_a_chip(stack: ExitStack) -> None:
    """The engine lets `check` see the whole position."""
    last = peeking(stack, turn)

    def wrap(real: Any) -> Any:
        def check(terms: Any, view: Any, move: Any) -> None:
            try:
                real(terms, view, move)
            except IllegalMove as error:
                raise IllegalMove(error.clause, f"no: {neighbours_chip(last[-1], view.seat)}") from None

        return check

    change_game(stack, check=wrap)


@pytest.mark.parametrize("name", CHIP_LEAKS)
def test_a_planted_leak_of_chips_is_caught(name: str) -> None:
    """By the search that honest games pass above."""
    leak, variant, parts = CHIP_LEAKS[name]
    with ExitStack() as stack:
        leak(stack)
        found = other_worlds(*next(case for case in CHIPS if case[0] == variant and not case[2]))
    assert found.wrong == parts, f"{found.moments} compared; {found.where}"


def test_a_planted_leak_of_a_pile_is_caught() -> None:
    """By rules that do not keep to `Draws`, and look into the engine's own memory."""

    def change(step: Step, draws: Any) -> Step:
        return replace(step, log=(*step.log, " ".join(draws.faces[slot] for slot in draws.bags["chance"].slots)))

    with ExitStack() as stack:
        change_steps(stack, change)
        found = other_worlds("zufall", 4, 0.0, PILES)
    assert found.wrong == {"log"}, found.where


# --- ... of sealed interventions


def remembered(stack: ExitStack, **changes: Callable[[Any, dict[int, Any]], Any]) -> None:
    """Rules that are not pure: `check` keeps the cards it has seen, and other functions may use them."""
    cards_seen: dict[int, Any] = {}

    def watch(real: Any) -> Any:
        def check(terms: Any, view: Any, move: Any) -> None:
            real(terms, view, move)
            if isinstance(move, Intervene):
                cards_seen[view.seat] = move.card

        return check

    change_game(stack, check=watch)
    change_game(stack, **{name: lambda real, wrap=wrap: wrap(real, cards_seen) for name, wrap in changes.items()})


def of_others(cards_seen: dict[int, Any], seat: int) -> str:
    return str(sorted((who, card) for who, card in cards_seen.items() if who != seat))


@sealed_leak("legal")
def note_in_the_legal_list_tells_the_others_cards(stack: ExitStack) -> None:
    def wrap(real: Any, cards_seen: dict[int, Any]) -> Any:
        def legal(terms: Any, view: Any) -> Any:
            return [replace(choice, note=of_others(cards_seen, view.seat)) for choice in real(terms, view)]

        return legal

    remembered(stack, legal=wrap)


@sealed_leak("errors")
def error_tells_the_others_cards(stack: ExitStack) -> None:
    def wrap(real: Any, cards_seen: dict[int, Any]) -> Any:
        def check(terms: Any, view: Any, move: Any) -> None:
            try:
                real(terms, view, move)
            except IllegalMove as error:
                raise IllegalMove(error.clause, of_others(cards_seen, view.seat)) from None

        return check

    remembered(stack, check=wrap)


@sealed_leak("answers")
def the_card_is_not_sealed(stack: ExitStack) -> None:
    stack.enter_context(patch.dict(scratch.SEALED, intervene=("standing",)))


@sealed_leak("answers")
def the_standing_refusal_is_not_sealed(stack: ExitStack) -> None:
    stack.enter_context(patch.dict(scratch.SEALED, intervene=("card",)))


@sealed_leak("draws", "log", "public")
def interventions_are_asked_and_shown_one_by_one(stack: ExitStack) -> None:
    interveners, intervene = contests.interveners, rules.intervene

    def one_more(s: Any, answers: Any) -> Any:
        stage = intervene(s, answers)
        left = [seat for seat in interveners(s.public) if seat > max(answers)]
        if not left:
            return stage
        s.ask("intervene", left[0])
        return None

    stack.enter_context(patch.object(contests, "interveners", lambda public: interveners(public)[:1]))
    stack.enter_context(patch.object(rules, "intervene", one_more))


@sealed_leak("shown")
def only_cards_are_shown(stack: ExitStack) -> None:
    """Nothing is told too early; but whoever declined shows nothing, and could have answered anything."""

    def wrap(real: Any) -> Any:
        def apply(terms: Any, position: Any, answers: Any, draws: Any) -> Step:
            show = draws.show
            with patch.object(draws, "show", lambda seat: show(seat) if answers[seat].card else None):
                return real(terms, position, answers, draws)

        return apply

    change_game(stack, apply=wrap)


def change_closing(stack: ExitStack, change: Callable[..., Any]) -> None:
    """The engine closes its rounds in another way: `change(real, table, secret, state, answers, secrets, ...)`."""
    real = turn.close_round
    stack.enter_context(patch.object(turn, "close_round", lambda *args: change(real, *args)))


@sealed_leak("log")
def log_tells_cards_that_are_held(stack: ExitStack) -> None:
    """A deadline was missed, and nothing may be shown yet."""

    def change(real: Any, *args: Any) -> Any:
        entry, state = real(*args)
        held = [bytes(one.secret.fields).decode() for one in state.held if one.secret]
        return replace(entry, log=(*entry.log, *held)), state

    change_closing(stack, change)


@sealed_leak("answers")
def answers_are_kept_in_the_order_of_the_cards(stack: ExitStack) -> None:
    def change(real: Any, table: Any, secret: Any, state: Any, answers: Any, secrets: Any, *more: Any) -> Any:
        fields = {seat: bytes(one.fields) for seat, one in secrets.items()}
        answers = sorted(answers, key=lambda answer: fields.get(answer.seat, b""))
        return real(table, secret, state, answers, secrets, *more)

    change_closing(stack, change)


@sealed_leak("draws", "log", "public")
def cards_are_held_only_if_something_must_be_drawn(stack: ExitStack) -> None:
    """A deadline was missed: whether the cards lead on to a throw would tell which cards they are."""

    def change(real: Any, table: Any, secret: Any, state: Any, *more: Any) -> Any:
        asks = tuple(replace(ask, sealed=()) for ask in state.ask)
        return real(table, secret, replace(state, ask=asks), *more)

    change_closing(stack, change)


@sealed_leak("answers")
def commitments_without_salt(stack: ExitStack) -> None:
    stack.enter_context(leaks.planted("commitment_without_salt"))


@sealed_leak("log")
def log_tells_a_card_that_waits(stack: ExitStack) -> None:
    """The newest entry is signed again whenever an answer comes in."""
    real = turn._close_if_complete

    def close(match: Any) -> bool:
        if real(match) or not match.entries:
            return bool(match.entries)
        entry = entry_of(match.entries[-1])
        fields = [bytes(file.secret.fields).decode() for file in match.waiting.values() if file.secret]
        again = seal(match.key, "entry", replace(entry, log=(*entry.log, *fields)))
        match.entries = [*match.entries[:-1], msgspec.Raw(encode(again))]
        return False

    stack.enter_context(patch.object(turn, "_close_if_complete", close))


def waiting_card(match: Any) -> int:
    """A number that depends on the answers that wait."""
    return sum(sum(bytes(file.secret.fields)) for file in match.waiting.values() if file.secret) % 7


@sealed_leak("view")
def size_of_a_view_tells(stack: ExitStack) -> None:
    real = worlds.make_view

    def make_view(match: Any, seat: int) -> bytes:
        return real(match, seat) + b"\n" * waiting_card(match)

    stack.enter_context(patch.object(worlds, "make_view", make_view))


@sealed_leak("receipts")
def receipt_tells(stack: ExitStack) -> None:
    real = turn._receipt

    def receipt(match: Any, move: Any, name: str, code: str) -> Any:
        return real(match, move, name, f"{code} {waiting_card(match)}")

    stack.enter_context(patch.object(turn, "_receipt", receipt))


def hunt_interventions() -> Found:
    """All orders, some answers."""
    seated, found = sit_down(GAME, 4, "heads 0"), Found()
    with ideal(seated):
        record = Record(seated, "heads 0", most=5)
        number = next(rounds_of_interventions(record, 3))
        public = record.states[number].position.public
        for who in may_intervene(public):
            if not found.wrong:
                Sealed(found, record, number, who).play(some_answers(public.players[who].hand), deep=True)
    return found


@pytest.mark.parametrize("name", SEALED_LEAKS)
def test_a_planted_leak_of_sealed_answers_is_caught(name: str) -> None:
    """By a part of the search that the honest game passes above."""
    leak, parts = SEALED_LEAKS[name]
    with ExitStack() as stack:
        leak(stack)
        found = hunt_interventions()
    assert found.wrong == parts, f"{found.moments} compared; {found.where}"
