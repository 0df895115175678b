"""Every game there is, with every number of seats; each yes-or-no option turned round with the fewest and the most.

Nothing here knows a game.
"""

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from referee import games
from referee.engine.records import BagName, Face
from referee.engine.table import make_terms, read_edition
from referee.game import ALL, NOBODY, Draws, Game, Position, Terms
from tests.support.plain import PlainDraws

IDS = games.game_ids()


class Case(NamedTuple):
    """One way to play one game."""

    game_id: str
    seats: int
    options: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return "-".join((self.game_id, str(self.seats), *(f"{name}={value}" for name, value in self.options)))

    @property
    def game(self) -> Game:
        return games.load(self.game_id)

    @property
    def terms(self) -> Terms[Any, Any]:
        return terms_of(self)

    @property
    def position(self) -> Any:
        return Position[self.game.public, self.game.own, self.game.hidden]  # type: ignore[name-defined]


@cache
def terms_of(case: Case) -> Terms[Any, Any]:
    edition = read_edition(case.game, games.edition_bytes(case.game_id))
    return make_terms(case.game, case.seats, case.game.options(**dict(case.options)), edition)


def flips(game: Game) -> Iterator[tuple[tuple[str, Any], ...]]:
    """The default options, and each boolean option turned round."""
    yield ()
    for field in msgspec.structs.fields(game.options):
        if isinstance(field.default, bool):
            yield ((field.name, not field.default),)


def cases() -> list[Case]:
    found = []
    for game_id in IDS:
        game = games.load(game_id)
        low, high = game.seats
        for seats in range(low, high + 1):
            found += [Case(game_id, seats, options) for options in flips(game) if not options or seats in (low, high)]
    return found


CASES = cases()


class StrictDraws(PlainDraws):
    """Plain draws that accept only what the engine could carry out and write down."""

    def __init__(self, bags: Any, rng: random.Random, seats: int) -> None:
        super().__init__(bags, rng)
        self.seats = seats
        for bag, faces in bags.items():
            self._named(bag, faces)

    def _named(self, bag: str, faces: Sequence[str] = ()) -> None:
        msgspec.convert(bag, BagName)
        msgspec.convert(list(faces), list[Face])

    def die(self, sides: int, label: str) -> int:
        assert 1 <= sides <= 1_000_000
        assert label.isprintable()
        return super().die(sides, label)

    def take(self, bag: str, count: int, to: int = ALL, into: str = "") -> tuple[str, ...]:
        self._named(into or bag)
        assert 0 <= count <= self.count(bag), f"{count} of {self.count(bag)} tokens taken out of {bag}"
        assert to in (ALL, NOBODY) or 0 <= to < self.seats
        return super().take(bag, count, to, into)

    def put(self, bag: str, faces: Sequence[str]) -> None:
        self._named(bag, faces)
        super().put(bag, faces)

    def under(self, bag: str, faces: Sequence[str]) -> None:
        self._named(bag, faces)
        super().under(bag, faces)

    def open(self, bag: str, faces: Sequence[str]) -> None:
        held = list(self.bags.get(bag, ()))
        for face in faces:
            assert face in held, f"{face} is opened, but {bag} holds {held}"
            held.remove(face)
        super().open(bag, faces)

    def seal(self, bag: str, faces: Sequence[str], owner: int = NOBODY) -> None:
        self._named(bag, faces)
        assert owner == NOBODY or 0 <= owner < self.seats
        super().seal(bag, faces, owner)

    def show(self, seat: int) -> None:
        assert 0 <= seat < self.seats
        super().show(seat)


def _is_draws(draws: StrictDraws) -> Draws:
    """For the type checker."""
    return draws


# --- values of any type ----------------------------------------------------------------------------------------------


def parts(kind: inspect.Type) -> Iterator[inspect.Type]:
    """The types directly inside a type."""
    if isinstance(kind, inspect.Metadata | inspect.ListType | inspect.VarTupleType | inspect.SetType):
        yield kind.type if isinstance(kind, inspect.Metadata) else kind.item_type
    elif isinstance(kind, inspect.UnionType):
        yield from kind.types
    elif isinstance(kind, inspect.TupleType):
        yield from kind.item_types
    elif isinstance(kind, inspect.DictType):
        yield from (kind.key_type, kind.value_type)
    elif isinstance(kind, inspect.StructType):
        yield from (field.type for field in kind.fields)


def everything(kind: Any) -> list[inspect.Type]:
    """All types reachable from one."""
    found: list[inspect.Type] = []
    structs: set[type] = set()
    stack = [inspect.type_info(kind)]
    while stack:
        here = stack.pop()
        if isinstance(here, inspect.StructType):
            if here.cls in structs:
                continue
            structs.add(here.cls)
        found.append(here)
        stack.extend(parts(here))
    return found


def any_value(kind: inspect.Type, rng: random.Random, words: Sequence[str]) -> Any:
    """A random value of a type, as plain JSON values; small numbers, and texts from `words` where they fit."""
    match kind:
        case inspect.Metadata():
            return any_value(kind.type, rng, words)
        case inspect.UnionType():
            return any_value(rng.choice(kind.types), rng, words)
        case inspect.NoneType():
            return None
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.IntType():
            low, high = kind.ge if kind.ge is not None else -5, kind.le if kind.le is not None else 2**53 - 1
            return rng.choice([low, min(low + 1, high), min(low + 2, high), high, rng.randint(low, min(low + 9, high))])
        case inspect.LiteralType():
            return rng.choice(kind.values)
        case inspect.StrType():
            long, short = kind.max_length or 2**20, kind.min_length or 0
            fitting = [word for word in words if short <= len(word) <= long]
            fitting = [word for word in fitting if kind.pattern is None or re.search(kind.pattern, word)]
            return rng.choice(fitting)
        case inspect.ListType() | inspect.VarTupleType():
            return [any_value(kind.item_type, rng, words) for _ in range(rng.randrange(4))]
        case inspect.TupleType():
            return [any_value(item, rng, words) for item in kind.item_types]
        case inspect.DictType():
            return {words[0]: any_value(kind.value_type, rng, words)}
        case inspect.StructType():
            chosen = [field for field in kind.fields if field.required or rng.random() < 0.6]
            made = {field.encode_name: any_value(field.type, rng, words) for field in chosen}
            return made | ({kind.tag_field: kind.tag} if kind.tag_field else {})
    raise AssertionError(f"no value of type {kind}")
