"""Draws without any cryptography, and a way to play a whole game with them: for testing the rules of any game."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from referee import playout
from referee.engine.answers import decode_open, split
from referee.game import LINK, Ask, Seat, Seen, Step, Terms


class PlainDraws(playout.PlainDraws):
    """Faces and dice in the script come next; after that chance decides.

    `calls` records what is public about every call: its name, the container and how many tokens, never a hidden face.
    """

    def __init__(
        self,
        bags: Mapping[str, Sequence[str]],
        rng: random.Random,
        *,
        hands: Sequence[str] = (),
        faces: Sequence[str] = (),
        dice: Sequence[int] = (),
        sealed: Mapping[Seat, Any] | None = None,
    ) -> None:
        super().__init__(bags, lambda n: self.rng.randrange(n), sealed=sealed)
        self.rng = rng
        self.hands = hands
        self.faces = list(faces)
        self.dice = list(dice)
        self.shown: list[tuple[Seat, tuple[str, ...]]] = []
        self.calls: list[tuple[str, str, int]] = []
        self.placed: list[tuple[Seat, str, str]] = []
        """Seat, container, face: what somebody put face down into a container that is nobody's hand."""

    def die(self, sides: int) -> int:
        self.calls.append(("die", "", sides))
        number = self.dice.pop(0) if self.dice else super().die(sides)
        assert 1 <= number <= sides, f"a die with {sides} sides cannot show {number}"
        return number

    def take(self, bag: str, count: int) -> tuple[str, ...]:
        self.calls.append(("take", bag, count))
        return super().take(bag, count)

    def deal(self, bag: str, count: int, into: str) -> None:
        self.calls.append(("deal", bag, count))
        super().deal(bag, count, into)

    def lay_out(self, bag: str, faces: Sequence[str]) -> None:
        self.calls.append(("lay_out", bag, len(faces)))
        super().lay_out(bag, faces)

    def seek(self, seat: Seat, field: str, bag: str, into: str, fixed: Sequence[str]) -> None:
        self.calls.append(("seek", bag, 1))
        super().seek(seat, field, bag, into, fixed)

    def put(self, bag: str, faces: Sequence[str]) -> None:
        self.calls.append(("put", bag, len(faces)))
        super().put(bag, faces)

    def under(self, bag: str, faces: Sequence[str]) -> None:
        self.calls.append(("under", bag, len(faces)))
        super().under(bag, faces)

    def shuffle(self, bag: str) -> None:
        self.calls.append(("shuffle", bag, self.count(bag)))
        super().shuffle(bag)

    def unseal(self, seat: Seat, *fields: str) -> Any:
        self.calls.append(("unseal", str(seat), len(fields)))
        self.shown.append((seat, fields))
        return super().unseal(seat, *fields)

    def give(self, seat: Seat, field: str, count: int, bag: str, into: str) -> None:
        self.calls.append(("give", bag, count))
        super().give(seat, field, count, bag, into)

    def _pick(self, inside: list[str]) -> str:
        if not self.faces:
            return super()._pick(inside)
        inside.remove(self.faces[0])
        return self.faces.pop(0)

    def _arrive(self, bag: str, into: str, faces: Sequence[str]) -> None:
        stem, _, number = bag.partition("/")
        if stem in self.hands and number and into.partition("/")[0] not in self.hands:
            self.placed.extend((int(number), into, face) for face in faces)
        super()._arrive(bag, into, faces)

    def tokens(self, seat: Seat) -> dict[str, tuple[str, ...]]:
        """What a seat knows: its own hands, and what it put face down elsewhere."""
        known = {f"{hand}/{seat}": self.content(f"{hand}/{seat}") for hand in self.hands}
        for who, bag, face in self.placed:
            if who == seat and face in self.content(bag):
                known[bag] = tuple(sorted((*known.get(bag, ()), face)))
        return known


class Moment(NamedTuple):
    """A position on the way through a game, the answers that led to it (none: set-up) and what was told."""

    step: Step
    draws: PlainDraws
    answers: Mapping[Seat, Any]

    def seen(self, seat: Seat) -> Seen[Any]:
        return seen(self.step, self.draws, seat)


def seen(step: Step, draws: PlainDraws, seat: Seat) -> Seen[Any]:
    """What a seat may know after a step."""
    return Seen(seat, step.public, step.pending, draws.tokens(seat), step.result)


def bared(game: Any, ask: Ask, move: Any) -> Any:
    """A move as the rules get it: without the fields that its question seals."""
    return move if move is None else decode_open(game, split(move, ask.sealed)[0], ask.sealed)


Choose = Callable[[Terms[Any, Any], Any, random.Random], Any]
"""Picks a move: terms, what the seat sees, chance. None misses the deadline."""


def play_out(
    game: Any, terms: Terms[Any, Any], choose: Choose, rng: random.Random, most: int = 20_000
) -> Iterator[Moment]:
    """Play a whole game through `check` and `apply`; the last moment is the one with a result."""
    draws = PlainDraws(game.bags(terms), rng, hands=game.hands)
    words = [(game.standing.words(),) * terms.seats] if game.standing else []
    step: Step = game.setup(terms, draws, *words)
    yield Moment(step, draws, {})
    for _ in range(most):
        if not step.pending:
            return
        answers: dict[Seat, Any] = {}
        for ask in step.pending:
            view = seen(step, draws, ask.seat)
            answers[ask.seat] = None if ask.what == LINK else choose(terms, view, rng)
            if answers[ask.seat] is not None:
                game.check(terms, view, answers[ask.seat])
        draws.next_step({seat: move for seat, move in answers.items() if move is not None})
        open_answers = {ask.seat: bared(game, ask, answers[ask.seat]) for ask in step.pending}
        step = game.apply(terms, step.public, step.pending, open_answers, draws)
        yield Moment(step, draws, answers)
    raise AssertionError(f"no end after {most} rounds")
