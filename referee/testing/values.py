"""Random values of the types that a game declares: what a stranger could send."""

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from msgspec import ValidationError, convert, inspect, to_builtins

from referee.defaults import kinds

BIGGEST = 2**53 - 1
WORDS = ("", "a", "0", "00", "01", "07", "99", "red", "black", "x" * 40, "é", "@1", "\x1b[31m", "-1", "1e9")
"""Texts to try, besides those of a game."""
TRIES = 20
"""To make a value that fits a pattern, or another condition of its type."""


def parts(kind: inspect.Type) -> Iterator[inspect.Type]:
    """The types directly inside a type."""
    for name in kind.__struct_fields__:
        value = getattr(kind, name)
        for one in value if isinstance(value, tuple) else (value,):
            inner = one.type if isinstance(one, inspect.Field) else one
            if isinstance(inner, inspect.Type):
                yield inner


@cache
def type_info(kind: object) -> inspect.Type:
    """The structure of a type."""
    return inspect.type_info(kind)


def everything(kind: object) -> list[inspect.Type]:
    """All types reachable from one."""
    found: list[inspect.Type] = []
    structs: set[type] = set()
    stack = [type_info(kind)]
    while stack:
        here = stack.pop()
        if isinstance(here, inspect.StructType):
            if here.cls in structs:
                continue
            structs.add(here.cls)
        found.append(here)
        stack.extend(parts(here))
    return found


def texts_in(value: object) -> Iterator[str]:
    """All texts inside plain JSON, the names of members left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts_in(inner)


def some_value(form: Any, rng: random.Random, words: Sequence[str]) -> Any:
    """A random value of a type; None if none was found that fits all of its conditions."""
    for _ in range(TRIES):
        try:
            return convert(any_value(type_info(form), rng, words), form)
        except ValidationError:
            continue
    return None


def any_value(kind: inspect.Type, rng: random.Random, words: Sequence[str]) -> object:
    """A random value of a type as plain JSON: small and extreme numbers, texts from `words` where they fit."""
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
            return _integer(kind, rng)
        case inspect.LiteralType() | inspect.EnumType():
            return rng.choice(kind.values if isinstance(kind, inspect.LiteralType) else [one.value for one in kind.cls])
        case inspect.StrType():
            return _text(kind, rng, words)
        case inspect.ListType() | inspect.VarTupleType():
            low, high = kind.min_length or 0, kind.max_length if kind.max_length is not None else 40
            size = rng.choice([low, min(high, low + 1), min(high, low + 3), min(high, 40)])
            return [any_value(kind.item_type, rng, words) for _ in range(size)]
        case inspect.TupleType():
            return [any_value(item, rng, words) for item in kind.item_types]
        case inspect.DictType():
            return {
                any_value(kind.key_type, rng, words): any_value(kind.value_type, rng, words)
                for _ in range(rng.randrange(3))
            }
        case inspect.StructType():
            chosen = [field for field in kind.fields if field.required or rng.random() < 0.6]
            made = {field.encode_name: any_value(field.type, rng, words) for field in chosen}
            return made | ({kind.tag_field: kind.tag} if kind.tag_field else {})
    raise AssertionError(f"no value can be made of the type {kind}: use numbers, texts, tuples and structs")


def _bounds(kind: inspect.IntType) -> tuple[int, int]:
    low = int(kind.ge) if kind.ge is not None else -BIGGEST if kind.gt is None else int(kind.gt) + 1
    high = int(kind.le) if kind.le is not None else BIGGEST if kind.lt is None else int(kind.lt) - 1
    return low, high


def _integer(kind: inspect.IntType, rng: random.Random) -> int:
    low, high = _bounds(kind)
    return rng.choice([low, min(low + 1, high), min(low + 2, high), high, rng.randint(low, min(low + 9, high))])


def _text(kind: inspect.StrType, rng: random.Random, words: Sequence[str]) -> str:
    short, long = kind.min_length or 0, kind.max_length if kind.max_length is not None else 2**20
    fitting = [word for word in words if short <= len(word) <= long]
    fitting = [word for word in fitting if kind.pattern is None or re.search(kind.pattern, word)]
    return rng.choice(fitting) if fitting else "a" * short


def with_other_fields(
    kind: object, move: object, kept: Sequence[str], words: Sequence[str], rng: random.Random
) -> dict[str, object]:
    """A struct as JSON with random values in one or two of its fields, except those that are kept."""
    (mine,) = (one for one in kinds(kind) if one.cls is type(move))
    free = [field for field in mine.fields if field.name not in kept]
    chosen = rng.sample(free, min(len(free), rng.randint(1, 2)))
    fields: dict[str, object] = to_builtins(move)
    return fields | {field.encode_name: any_value(field.type, rng, words) for field in chosen}


def at_a_bound(kind: inspect.Type, value: Any, share: float, rng: random.Random) -> object:
    """The same plain value with this share of its numbers at their lower or upper bounds."""
    match kind:
        case inspect.Metadata():
            return at_a_bound(kind.type, value, share, rng)
        case inspect.IntType() if rng.random() < share:
            return rng.choice(_bounds(kind))
        case inspect.ListType() | inspect.VarTupleType():
            return [at_a_bound(kind.item_type, item, share, rng) for item in value]
        case inspect.TupleType():
            pairs = zip(kind.item_types, value, strict=True)
            return [at_a_bound(item_kind, item, share, rng) for item_kind, item in pairs]
        case inspect.StructType():
            kinds = {field.encode_name: field.type for field in kind.fields}
            return {
                name: at_a_bound(kinds[name], item, share, rng) if name in kinds else item
                for name, item in value.items()
            }
    return value


def mutated(value: object, others: Sequence[object], rng: random.Random) -> object:
    """The same JSON with one or two small changes; some of the new parts come from other values."""
    for _ in range(rng.randint(1, 2)):
        value = _mutate(value, others, rng)
    return value


def _mutate(value: object, others: Sequence[object], rng: random.Random) -> object:
    match value:
        case dict() if value and rng.random() < 0.85:
            name = rng.choice(sorted(value))
            return value | {name: _mutate(value[name], _members_named(others, name), rng)}
        case dict():
            return _with_member_changed(value, others, rng)
        case list() if value and rng.random() < 0.5:
            at = rng.randrange(len(value))
            return [*value[:at], _mutate(value[at], [one for one in value if one != value[at]], rng), *value[at + 1 :]]
        case list():
            return _rearranged(value, others, rng)
        case bool():
            return not value
        case int() if rng.random() < 0.7:
            return value + rng.choice([-2, -1, 1, 2])
    return rng.choice(others) if others else value


def _members_named(others: Sequence[object], name: str) -> list[object]:
    """The members of this name in other objects."""
    return [one[name] for one in others if isinstance(one, dict) and name in one]


def _with_member_changed(value: dict[str, object], others: Sequence[object], rng: random.Random) -> dict[str, object]:
    """A member removed, or one added from another object."""
    more = [one for one in others if isinstance(one, dict) and one]
    if value and (not more or rng.random() < 0.5):
        gone = rng.choice(sorted(value))
        return {name: inner for name, inner in value.items() if name != gone}
    if not more:
        return value
    other = rng.choice(more)
    name = rng.choice(sorted(other))
    return value | {name: other[name]}


def _rearranged(value: list[object], others: Sequence[object], rng: random.Random) -> list[object]:
    """A list with one item more, one item less, or in another order."""
    more = [item for one in others if isinstance(one, list) for item in one] or value
    made = list(value)
    match rng.randrange(3):
        case 0 if made:
            del made[rng.randrange(len(made))]
        case 1:
            rng.shuffle(made)
        case _ if more:
            made.insert(rng.randint(0, len(made)), rng.choice(more))
    return made
