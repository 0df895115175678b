"""Draws without any cryptography, and a way to play a whole game with them: for testing the rules of any game."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from referee.game import ALL, NOBODY, Position, Seat, Step, Terms, seen


class PlainDraws:
    """The `Draws` protocol on plain lists. Faces and dice in the script come next; after that chance decides.

    `calls` keeps what is public about every call: its name, the container and how many tokens, never a face.
    """

    def __init__(
        self,
        bags: Mapping[str, Sequence[str]],
        rng: random.Random,
        *,
        faces: Sequence[str] = (),
        dice: Sequence[int] = (),
    ) -> None:
        self.bags = {name: list(tokens) for name, tokens in bags.items()}
        self.tails: dict[str, list[str]] = {}
        self.rng = rng
        self.faces = list(faces)
        self.dice = list(dice)
        self.shown: list[Seat] = []
        self.calls: list[tuple[str, str, int]] = []

    def die(self, sides: int, label: str) -> int:
        self.calls.append(("die", label, sides))
        number = self.dice.pop(0) if self.dice else self.rng.randint(1, sides)
        assert 1 <= number <= sides, f"a die with {sides} sides cannot show {number}"
        return number

    def take(self, bag: str, count: int, to: int = ALL, into: str = "") -> tuple[str, ...]:
        self.calls.append(("take", bag, count))
        taken = tuple(self._next(bag) for _ in range(count))
        if into:
            self.bags.setdefault(into, []).extend(taken)
        return taken

    def _next(self, bag: str) -> str:
        sealed = self.bags.get(bag, [])
        if not sealed:
            assert self.tails.get(bag), f"{bag!r} is empty"
            return self.tails[bag].pop(0)
        face = self.faces.pop(0) if self.faces else self.rng.choice(sealed)
        sealed.remove(face)
        return face

    def put(self, bag: str, faces: Sequence[str]) -> None:
        self.calls.append(("put", bag, len(faces)))
        self.bags.setdefault(bag, []).extend(faces)

    def under(self, bag: str, faces: Sequence[str]) -> None:
        self.calls.append(("under", bag, len(faces)))
        self.tails.setdefault(bag, []).extend(faces)

    def open(self, bag: str, faces: Sequence[str]) -> None:
        self.calls.append(("open", bag, len(faces)))
        for face in faces:
            self.bags[bag].remove(face)

    def seal(self, bag: str, faces: Sequence[str], owner: int = NOBODY) -> None:
        self.calls.append(("seal", bag, len(faces)))
        self.bags[bag] = list(faces)
        self.tails.pop(bag, None)

    def count(self, bag: str) -> int:
        return len(self.bags.get(bag, ())) + len(self.tails.get(bag, ()))

    def contents(self, bag: str) -> tuple[str, ...]:
        return tuple(sorted([*self.bags.get(bag, ()), *self.tails.get(bag, ())]))

    def show(self, seat: Seat) -> None:
        self.calls.append(("show", str(seat), 0))
        self.shown.append(seat)


class Moment(NamedTuple):
    """A position on the way through a game, the answers that led to it (none: set-up) and what was told."""

    position: Position[Any, Any, Any]
    draws: PlainDraws
    answers: Mapping[Seat, Any]
    log: tuple[str, ...]


Choose = Callable[[Terms[Any, Any], Any, random.Random], Any]
"""Picks a move: terms, what the seat sees, chance."""


def play_out(
    game: Any, terms: Terms[Any, Any], choose: Choose, rng: random.Random, most: int = 20_000
) -> Iterator[Moment]:
    """Play a whole game through `check` and `apply`; the last moment is the one with a result.

    `game` is a `Game`, or anything with its `bags`, `setup`, `check` and `apply`.
    """
    draws = PlainDraws(game.bags(terms), rng)
    step: Step = game.setup(terms, draws)
    yield Moment(step.position, draws, {}, step.log)
    for _ in range(most):
        position = step.position
        if not position.pending:
            return
        answers = {}
        for ask in position.pending:
            view = seen(position, ask.seat)
            answers[ask.seat] = choose(terms, view, rng)
            game.check(terms, view, answers[ask.seat])
        step = game.apply(terms, position, answers, draws)
        yield Moment(step.position, draws, answers, step.log)
    raise AssertionError(f"no end after {most} rounds")
