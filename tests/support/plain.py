"""Draws without any cryptography, and a way to play a whole game with them: for testing the rules of any game."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from referee.engine.answers import decode_open, split
from referee.errors import RulesFault
from referee.game import LINK, Ask, Seat, Seen, Step, Terms


class PlainDraws:
    """The `Draws` protocol on plain lists. Faces and dice in the script come next; after that chance decides.

    `calls` keeps what is public about every call: its name, the container and how many tokens, never a hidden face.
    `sealed` are the whole answers (seat -> move) whose sealed fields can be used in this step.
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
        self.bags = {name: list(tokens) for name, tokens in bags.items()}
        self.tails: dict[str, list[str]] = {}
        self.rng = rng
        self.hands = hands
        self.faces = list(faces)
        self.dice = list(dice)
        self.sealed: Mapping[Seat, Any] = sealed or {}
        self.shown: list[tuple[Seat, tuple[str, ...]]] = []
        self.calls: list[tuple[str, str, int]] = []
        self.fresh: set[str] = set()
        self.placed: list[tuple[Seat, str, str]] = []
        """Seat, container, face: what somebody put face down into a container that is nobody's hand."""

    def next_step(self, sealed: Mapping[Seat, Any] | None = None) -> None:
        """A new entry begins: what was shuffled can be drawn from again."""
        self.fresh, self.sealed = set(), sealed or {}

    def die(self, sides: int) -> int:
        self.calls.append(("die", "", sides))
        number = self.dice.pop(0) if self.dice else self.rng.randint(1, sides)
        assert 1 <= number <= sides, f"a die with {sides} sides cannot show {number}"
        return number

    def take(self, bag: str, count: int) -> tuple[str, ...]:
        self.calls.append(("take", bag, count))
        return tuple(self._next(bag) for _ in range(count))

    def deal(self, bag: str, count: int, into: str) -> None:
        self.calls.append(("deal", bag, count))
        self._arrive(bag, into, [self._next(bag) for _ in range(count)])

    def _arrive(self, bag: str, into: str, faces: Sequence[str]) -> None:
        stem, _, number = bag.partition("/")
        if stem in self.hands and number and into.partition("/")[0] not in self.hands:
            self.placed.extend((int(number), into, face) for face in faces)
        self.bags.setdefault(into, []).extend(faces)

    def _next(self, bag: str) -> str:
        if bag in self.fresh:
            raise RulesFault(f"{bag} was shuffled in this step: ask for a link first")
        sealed = self.bags.get(bag, [])
        if not sealed:
            if not self.tails.get(bag):
                raise RulesFault(f"{bag} is empty")
            return self.tails[bag].pop(0)
        face = self.faces.pop(0) if self.faces else self.rng.choice(sealed)
        sealed.remove(face)
        return face

    def lay_out(self, bag: str, faces: Sequence[str]) -> None:
        self.calls.append(("lay_out", bag, len(faces)))
        for face in faces:
            self._remove(bag, face)

    def _remove(self, bag: str, face: str) -> None:
        held = self.bags.get(bag, [])
        (held if face in held else self.tails[bag]).remove(face)

    def lay_out_all(self, bag: str, face: str | None = None) -> tuple[str, ...]:
        found = tuple(sorted(one for one in self.content(bag) if face is None or one == face))
        self.lay_out(bag, found)
        return found

    def give(self, seat: Seat, field: str, count: int, bag: str, into: str) -> None:
        value = getattr(self.sealed[seat], field)
        faces = (value,) if isinstance(value, str) else tuple(value)
        assert len(faces) == count, f"{len(faces)} tokens are named where {count} are due"
        self.calls.append(("give", bag, count))
        for face in faces:
            self._remove(bag, face)
        self._arrive(bag, into, faces)

    def seek(self, seat: Seat, field: str, bag: str, into: str, fixed: Sequence[str]) -> None:
        if self.tails.get(bag):
            raise RulesFault(f"{bag} has a known tail: shuffle it first")
        self.calls.append(("seek", bag, 1))
        held = self.bags.get(bag, [])
        ranking = getattr(self.sealed[seat], field) if seat in self.sealed else fixed
        for face in [face for face in ranking if face in held][:1]:
            held.remove(face)
            self._arrive(bag, into, [face])

    def put(self, bag: str, faces: Sequence[str]) -> None:
        self.calls.append(("put", bag, len(faces)))
        self.bags.setdefault(bag, []).extend(faces)

    def under(self, bag: str, faces: Sequence[str]) -> None:
        self.calls.append(("under", bag, len(faces)))
        self.tails.setdefault(bag, []).extend(faces)

    def shuffle(self, bag: str) -> None:
        self.calls.append(("shuffle", bag, self.count(bag)))
        self.bags[bag] = [*self.bags.get(bag, ()), *self.tails.pop(bag, ())]
        self.fresh.add(bag)

    def count(self, bag: str) -> int:
        return len(self.bags.get(bag, ())) + len(self.tails.get(bag, ()))

    def unseal(self, seat: Seat, *fields: str) -> Any:
        self.calls.append(("unseal", str(seat), len(fields)))
        self.shown.append((seat, fields))
        return self.sealed[seat]

    def content(self, bag: str) -> tuple[str, ...]:
        """For tests: everything in a container, sorted."""
        return tuple(sorted([*self.bags.get(bag, ()), *self.tails.get(bag, ())]))

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
    step: Step = game.setup(terms, draws)
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
