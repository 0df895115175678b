"""For bots with playouts, and for tests of rules: draws on plain lists without any cryptography, and what else several
bots share."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from math import sqrt
from operator import add
from typing import Any

from referee.errors import RulesFault
from referee.game import Below, Seat
from referee.language import t


def add_up(values: Iterable[float]) -> float:
    """The sum of fractions, one after the other. `sum` rounds differently from Python 3.12 on, and a bot must play the
    same everywhere, in a page too."""
    return reduce(add, values, 0.0)


class PlainDraws:
    """The `Draws` protocol. `bags` are the containers of one world, with the unknown tokens dealt in a possible way;
    `tails` lie under piles, in order; `sealed` are the whole answers of the current step."""

    def __init__(
        self,
        bags: Mapping[str, Sequence[str]],
        below: Below,
        *,
        tails: Mapping[str, Sequence[str]] | None = None,
        sealed: Mapping[Seat, Any] | None = None,
    ) -> None:
        self.bags = {name: list(tokens) for name, tokens in bags.items()}
        self.tails = {name: list(tokens) for name, tokens in (tails or {}).items()}
        self.below = below
        self.sealed: Mapping[Seat, Any] = sealed or {}
        self.fresh: set[str] = set()

    def next_step(self, sealed: Mapping[Seat, Any] | None = None) -> None:
        """Begin a new entry: shuffled containers can be drawn from again."""
        self.fresh, self.sealed = set(), sealed or {}

    def die(self, sides: int) -> int:
        return self.below(sides) + 1

    def take(self, bag: str, count: int) -> tuple[str, ...]:
        return tuple(self._next(bag) for _ in range(count))

    def deal(self, bag: str, count: int, into: str) -> None:
        self._arrive(bag, into, [self._next(bag) for _ in range(count)])

    def lay_out(self, bag: str, faces: Sequence[str]) -> None:
        for face in faces:
            self._remove(bag, face)

    def lay_out_all(self, bag: str, face: str | None = None) -> tuple[str, ...]:
        found = tuple(one for one in self.content(bag) if face is None or one == face)
        self.lay_out(bag, found)
        return found

    def give(self, seat: Seat, field: str, count: int, bag: str, into: str) -> None:
        value = getattr(self.sealed[seat], field)
        faces = (value,) if isinstance(value, str) else tuple(value)
        if len(faces) != count:
            raise RulesFault(t("{faces} tokens are named instead of {count}", faces=len(faces), count=count))
        for face in faces:
            self._remove(bag, face)
        self._arrive(bag, into, faces)

    def seek(self, seat: Seat, field: str, bag: str, into: str, fixed: Sequence[str]) -> None:
        if self.tails.get(bag):
            raise RulesFault(t("{bag} has a known tail: shuffle it first", bag=bag))
        held = self.bags.get(bag, [])
        ranking = getattr(self.sealed[seat], field) if seat in self.sealed else fixed
        for face in [face for face in ranking if face in held][:1]:
            held.remove(face)
            self._arrive(bag, into, [face])

    def put(self, bag: str, faces: Sequence[str]) -> None:
        self.bags.setdefault(bag, []).extend(faces)

    def under(self, bag: str, faces: Sequence[str]) -> None:
        self.tails.setdefault(bag, []).extend(faces)

    def shuffle(self, bag: str) -> None:
        self.bags[bag] = [*self.bags.get(bag, ()), *self.tails.pop(bag, ())]
        self.fresh.add(bag)

    def count(self, bag: str) -> int:
        return len(self.bags.get(bag, ())) + len(self.tails.get(bag, ()))

    def unseal(self, seat: Seat, *fields: str) -> Any:
        return self.sealed[seat]

    def content(self, bag: str) -> tuple[str, ...]:
        """Everything in a container, sorted."""
        return tuple(sorted([*self.bags.get(bag, ()), *self.tails.get(bag, ())]))

    def _next(self, bag: str) -> str:
        if bag in self.fresh:
            raise RulesFault(t("{bag} was shuffled in this step: ask for a link first", bag=bag))
        inside = self.bags.get(bag)
        if inside:
            return self._pick(inside)
        if not self.tails.get(bag):
            raise RulesFault(t("{bag} is empty", bag=bag))
        return self.tails[bag].pop(0)

    def _pick(self, inside: list[str]) -> str:
        return inside.pop(self.below(len(inside)))

    def _remove(self, bag: str, face: str) -> None:
        held = self.bags.get(bag, [])
        (held if face in held else self.tails[bag]).remove(face)

    def _arrive(self, bag: str, into: str, faces: Sequence[str]) -> None:
        self.bags.setdefault(into, []).extend(faces)


class Chance:
    """A random stream, the same for every move that is tried in one world; simple, but good enough for that."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed

    def __call__(self, number: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % number


def lead(these: Sequence[float], those: Sequence[float], doubt: float) -> float:
    """How much better outcomes are than others in the same worlds, less `doubt` standard errors."""
    ahead = [one - other for one, other in zip(these, those, strict=False)]
    number = max(len(ahead), 1)
    mean = add_up(ahead) / number
    return mean - doubt * sqrt(add_up((one - mean) ** 2 for one in ahead)) / number
