"""Values of any type that a game declares: what a stranger could send."""

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from msgspec import inspect

BIGGEST = 2**53 - 1
WORDS = ("", "a", "0", "00", "01", "07", "99", "red", "black", "x" * 40, "é", "@1", "\x1b[31m", "-1", "1e9")
"""Texts to try, beside the faces of a game."""


def parts(kind: inspect.Type) -> Iterator[inspect.Type]:
    """The types directly inside a type."""
    if isinstance(kind, inspect.Metadata):
        yield kind.type
    elif isinstance(kind, inspect.ListType | inspect.VarTupleType | inspect.SetType | inspect.FrozenSetType):
        yield kind.item_type
    elif isinstance(kind, inspect.UnionType):
        yield from kind.types
    elif isinstance(kind, inspect.TupleType):
        yield from kind.item_types
    elif isinstance(kind, inspect.DictType):
        yield from (kind.key_type, kind.value_type)
    elif isinstance(kind, inspect.StructType):
        yield from (field.type for field in kind.fields)


@cache
def type_info(kind: Any) -> inspect.Type:
    """What a type is made of."""
    return inspect.type_info(kind)


def everything(kind: Any) -> list[inspect.Type]:
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


def structs_of(kind: Any) -> list[inspect.StructType]:
    """The kinds of move that there are."""
    info = type_info(kind)
    members = info.types if isinstance(info, inspect.UnionType) else (info,)
    return [one for one in members if isinstance(one, inspect.StructType)]


def any_value(kind: inspect.Type, rng: random.Random, words: Sequence[str]) -> Any:
    """A random value of a type, as plain JSON values: small and extreme numbers, texts from `words` where they fit."""
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


def _integer(kind: inspect.IntType, rng: random.Random) -> int:
    low = int(kind.ge) if kind.ge is not None else -BIGGEST if kind.gt is None else int(kind.gt) + 1
    high = int(kind.le) if kind.le is not None else BIGGEST if kind.lt is None else int(kind.lt) - 1
    return rng.choice([low, min(low + 1, high), min(low + 2, high), high, rng.randint(low, min(low + 9, high))])


def _text(kind: inspect.StrType, rng: random.Random, words: Sequence[str]) -> str:
    short, long = kind.min_length or 0, kind.max_length if kind.max_length is not None else 2**20
    fitting = [word for word in words if short <= len(word) <= long]
    fitting = [word for word in fitting if kind.pattern is None or re.search(kind.pattern, word)]
    return rng.choice(fitting) if fitting else "a" * short
