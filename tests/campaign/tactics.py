"""Policies for any game, made of its legal moves and its bot `sensible`: never or always a kind of move, the lowest or
highest numbers, nothing, the first or last of the list; and `sensible` with other weights."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from math import exp
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from referee.errors import IllegalMove
from referee.forms import Amounts, Choice, Number, build, drawn, number, sample
from referee.game import AnySeen, AnyTerms, Below, Game, Later
from tests.games.selfplay import Bot, load

WITHOUT = " without "
SAMPLES = 8
"""This many moves of each family are tried, besides its ends."""


class Question(NamedTuple):
    """What a seat decides: what it may do, and what `sensible` would do."""

    game: Game
    terms: AnyTerms
    seen: AnySeen
    below: Below
    usual: Any

    def legal(self) -> Sequence[Choice]:
        return self.game.legal(self.terms, self.seen)

    def fits(self, move: Any) -> bool:
        try:
            self.game.check(self.terms, self.seen, move)
        except IllegalMove:
            return False
        return True


Chooser = Callable[[Question], Iterable[Any]]
"""The moves to make instead, the best first; none: as usual."""


def instead(game: Game, choose: Chooser) -> Bot:
    """`sensible`, except for the moves that `choose` prefers, as far as they are legal."""

    def bot(terms: AnyTerms, seen: AnySeen, below: Below) -> Any:
        usual = game.bots["sensible"](terms, seen, below)
        question = Question(game, terms, seen, below, usual)
        return next((move for move in choose(question) if question.fits(move)), usual)

    return bot


def tag(kind: type) -> str:
    return str(kind.__struct_config__.tag or kind.__name__.lower())  # type: ignore[attr-defined]


def kinds(move: Any) -> set[str]:
    """What a move is, and what the moves in it are."""
    inner = (getattr(move, field) for field in move.__struct_fields__)
    found = [kinds(one) for one in inner if isinstance(one, msgspec.Struct) and one.__struct_config__.tag]
    return {tag(type(move))}.union(*found)


def types(game: Game) -> list[type]:
    """All kinds of moves."""
    info = msgspec.inspect.type_info(game.move)
    return [one.cls for one in getattr(info, "types", (info,))]


# --- what is chosen ---------------------------------------------------------------------------------------------------


def never(kind: str) -> Chooser:
    def choose(q: Question) -> Iterable[Any]:
        if kind in kinds(q.usual):
            yield from (choice.move for choice in q.legal() if kind not in kinds(choice.move))

    return choose


def always(kind: str) -> Chooser:
    def choose(q: Question) -> Iterable[Any]:
        if kind in kinds(q.usual):
            return
        found = [choice for choice in q.legal() if kind in kinds(choice.move)]
        if found:
            choice = found[q.below(len(found))]
            yield from (drawn(choice, q.game.move, q.below), choice.move)

    return choose


def lowest(q: Question) -> Iterable[Any]:
    """The smallest numbers for the move that `sensible` makes."""
    return [move for _, move in sorted(_sized(q), key=itemgetter(0))]


def highest(q: Question) -> Iterable[Any]:
    return [move for _, move in sorted(_sized(q), key=itemgetter(0), reverse=True)]


def _sized(q: Question) -> Iterator[tuple[int, Any]]:
    """Moves of the kind that `sensible` makes, with the sum of the numbers in them."""
    for choice in q.legal():
        parts = [part.name for part in choice.parts if isinstance(part, Number | Amounts)]
        if parts and type(choice.move) is type(q.usual):
            tries = [sample(choice, lambda n: 0, 1), sample(choice, lambda n: n - 1, 1)]
            for values in (*tries, *(sample(choice, q.below, 5) for _ in range(SAMPLES))):
                if values is not None:
                    move = msgspec.convert(build(choice, values), q.game.move)
                    yield sum(number(values, part) for part in parts), move


def nothing(q: Question) -> Iterable[Any]:
    """A move that says nothing: all its fields have their defaults. First of the kind that `sensible` makes."""
    for kind in (type(q.usual), *types(q.game)):
        if not any(field.required for field in msgspec.structs.fields(kind)):
            yield kind()


def first(q: Question) -> Iterable[Any]:
    return [choice.move for choice in q.legal()]


def last(q: Question) -> Iterable[Any]:
    return [choice.move for choice in reversed(q.legal())]


PLAIN: dict[str, Chooser] = {
    "lowest": lowest,
    "highest": highest,
    "nothing": nothing,
    "first": first,
    "last": last,
}


def generic(game: Game) -> dict[str, Chooser]:
    """The policies that every game has. If all moves are of one kind, it cannot be left out."""
    names = [tag(kind) for kind in types(game)]
    if len(names) == 1:
        return PLAIN
    return PLAIN | {f"never {name}": never(name) for name in names} | {f"always {name}": always(name) for name in names}


def without(game: Game, name: str) -> Bot:
    """`strong without buy`: a bot that plays as if an option of the game were off."""
    bot, _, option = name.partition(WITHOUT)

    def play(terms: AnyTerms, seen: AnySeen, below: Below) -> Any:
        options = msgspec.structs.replace(terms.options, **{option: False})
        return game.bots[bot](msgspec.structs.replace(terms, options=options), seen, below)

    return play


# --- other weights ----------------------------------------------------------------------------------------------------

WEIGHTS = "weights "


def weights(game: Game) -> dict[str, float]:
    """The named numbers in the module of `sensible`."""
    values = vars(_module(game)).items()
    return {name: value for name, value in values if name.isupper() and type(value) in (int, float)}


def spelled(found: dict[str, float]) -> str:
    """A policy with these weights."""
    return WEIGHTS + " ".join(f"{name}={value:.4g}" for name, value in found.items())


def weighted(game_id: str, name: str) -> Bot:
    """`sensible` with the weights that `spelled` wrote: its module once more, with these numbers. Where they would have
    it break a rule, it plays as usual."""
    game = load(game_id)
    here = _module(game)
    spec = find_spec(here.__name__)
    assert spec is not None
    assert spec.loader is not None
    other = module_from_spec(spec)
    spec.loader.exec_module(other)
    for said in name.removeprefix(WEIGHTS).split():
        key, _, value = said.partition("=")
        setattr(other, key, type(getattr(here, key))(float(value)))
    bot: Bot = getattr(other, _function(game).__name__)
    return instead(game, lambda q: [bot(q.terms, q.seen, q.below)])


def mutated(found: dict[str, float], rng: random.Random) -> dict[str, float]:
    """About half of the weights up to several times as large or small; a number of things stays at least 1."""

    def other(value: float) -> float:
        new = value * exp(rng.gauss(0, 1))
        return max(1, int(new + rng.random())) if type(value) is int else new

    return {name: other(value) if rng.random() < 0.5 else value for name, value in found.items()}


def _function(game: Game) -> Any:
    bot = game.bots["sensible"]
    return bot.find() if isinstance(bot, Later) else bot


def _module(game: Game) -> Any:
    return import_module(_function(game).__module__)
