"""The contract suite can fail: each fault planted here is found by the test that is there for it."""

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.errors import IllegalMove, Malformed
from referee.game import Ask, Choice, Game, Result, Step

from . import test_play as suite
from .cases import Case

Fault = Callable[[Game], Game]


class Faulty(Case):
    """A case whose game has a fault."""

    fault: Fault = staticmethod(lambda game: game)

    @property
    def game(self) -> Game:
        return type(self).fault(super().game)


def faulty(fault: Fault) -> Faulty:
    kind = type("Planted", (Faulty,), {"fault": staticmethod(fault)})
    return kind("auction", 2)


def after(change: Callable[[Step], Step]) -> Fault:
    """What `apply` returns is changed."""
    return lambda game: replace(game, apply=lambda *args: change(game.apply(*args)))


def crash(*_: Any) -> None:
    raise KeyError("card")


def forgets(game: Game) -> Game:
    def apply(terms: Any, position: Any, answers: Any, draws: Any) -> Step:
        step = game.apply(terms, position, answers, draws)
        answers.clear()
        return step

    return replace(game, apply=apply)


def careless(game: Game) -> Game:
    """Something that no player sends reaches a dictionary."""

    def check(terms: Any, view: Any, move: Any) -> None:
        if getattr(move, "amount", 0) > 500:
            crash()
        game.check(terms, view, move)

    return replace(game, check=check)


def greedy(game: Game) -> Game:
    def setup(terms: Any, draws: Any) -> Step:
        step = game.setup(terms, draws)
        draws.take("pile", draws.count("pile") + 1)
        return step

    return replace(game, setup=setup)


def result_line(step: Step, change: Callable[[Result], Result]) -> Step:
    result = step.position.result
    return replace(step, position=replace(step.position, result=change(result))) if result else step


def asks_on(step: Step) -> Step:
    position = step.position
    return replace(step, position=replace(position, pending=position.pending or (Ask(0, "bid"),)))


def rich(game: Game) -> Any:
    """A bid that nobody can pay."""
    return msgspec.convert({"do": "bid", "amount": 999}, game.move)


class Half(msgspec.Struct, frozen=True):
    half: float = 0.5


FAULTS: dict[str, tuple[Fault, Callable[..., None], tuple[Any, ...]]] = {
    "a question after the end": (after(asks_on), suite.test_a_game_ends_with_a_result_and_only_then, ("random",)),
    "tokens out of nowhere": (greedy, suite.test_a_game_ends_with_a_result_and_only_then, ("random",)),
    "ranks upside down": (
        after(lambda step: result_line(step, lambda result: replace(result, ranks=result.ranks[::-1]))),
        suite.test_ranks_follow_from_scores, (),
    ),
    "a float in the position": (
        after(lambda step: replace(step, position=replace(step.position, hidden=Half()))),
        suite.test_everything_survives_being_written_down, (),
    ),
    "answers are used up": (forgets, suite.test_nothing_given_is_changed, ()),
    "an illegal move is listed": (
        lambda game: replace(game, legal=lambda t, v: [*game.legal(t, v), Choice("bid 999", rich(game))]),
        suite.test_legal_moves_are_legal_and_read_back, (),
    ),
    "an illegal fallback": (
        lambda game: replace(game, fallback=lambda t, v: rich(game)),
        suite.test_the_fallback_is_legal_and_ends_the_game, (),
    ),
    "text that does not read back": (
        lambda game: replace(game, text=lambda move: game.text(move) + "!"),
        suite.test_a_move_reads_back_from_its_text, (),
    ),
    "a crash on nonsense": (careless, suite.test_any_move_at_all_is_legal_or_refused, ()),
    "a crash on a strange text": (
        lambda game: replace(game, parse=lambda t, v, x: game.parse(t, v, x) if len(x) < 1000 else crash()),
        suite.test_any_text_at_all_is_a_move_or_refused, (),
    ),
    "a move for who is not asked": (
        lambda game: replace(game, legal=lambda t, v: game.legal(t, v) or [Choice("bid 0", None)]),
        suite.test_who_is_not_asked_has_no_moves, (),
    ),
    "a wide drawing": (
        lambda game: replace(game, draw=lambda *args: game.draw(*args) + "\n" + "漢" * 51),
        suite.test_drawings_fit_a_terminal, (),
    ),
    "an escape in a drawing": (
        lambda game: replace(game, draw=lambda *args: game.draw(*args) + "\n\x1b[2J"),
        suite.test_drawings_fit_a_terminal, (),
    ),
    "a bell in the log": (
        after(lambda step: replace(step, log=(*step.log, "ding\a"))),
        suite.test_log_lines_are_printable_and_name_real_seats, (),
    ),
    "a seat that is not there in the log": (
        after(lambda step: replace(step, log=(*step.log, "@3 smiles"))),
        suite.test_log_lines_are_printable_and_name_real_seats, (),
    ),
    "chance of its own": (
        after(lambda step: replace(step, log=(*step.log, f"luck {random.SystemRandom().random()}"))),
        suite.test_the_same_chance_gives_the_same_game, (),
    ),
    "a hand that is not there": (
        lambda game: replace(game, holds=lambda t, v: {f"hand/{v.seat}": ("01", "01")}),
        suite.test_hidden_containers_are_what_players_hold, (),
    ),
    "the engine's own word": (
        lambda game: replace(game, setup=lambda *args: _renamed(game.setup(*args))),
        suite.test_questions_are_short_and_name_fields_of_a_move, (),
    ),
}  # fmt: skip


def _renamed(step: Step) -> Step:
    asks = tuple(replace(ask, what="witness") for ask in step.position.pending)
    return replace(step, position=replace(step.position, pending=asks))


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name: str) -> None:
    fault, test, args = FAULTS[name]
    test(Case("auction", 2), *args)
    with pytest.raises((AssertionError, IllegalMove, Malformed, KeyError)):
        test(faulty(fault), *args)
