"""All other values of the same shape: what a host could have signed instead."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from referee.crypto.codec import encode
from referee.crypto.envelope import sign
from referee.crypto.keys import Key
from referee.engine import records as r
from referee.game import Result

_HEX = re.compile(r"\A([0-9a-f]{64}|[0-9a-f]{128})\Z")
_NUMBERED = re.compile(r"[0-9]+\Z")

_LATER = {"name": "Xara", "key": "55" * 32, "nonce": "66" * 32, "tip": "77" * 32}
_NOBODY: dict[str, Any] = {
    "successions": sign(Key(bytes(32), ""), "succession", r.Succession("00" * 32, 1, "00" * 32, **_LATER)),
    "returns": r.Returned(1, "00" * 64),
    "holders": r.Holder(1, 1, **_LATER),
    "vacant": r.Vacancy(1, 1),
}
"""One of each, where there is none."""

Variant = tuple[str, Any]
"""Where it differs (field names joined by dots), and the whole value with that difference."""


def variants(value: Any) -> Iterator[Variant]:
    """All single changes of a document: every field, every item, every key of it, at every depth."""
    if isinstance(value, msgspec.Struct):
        for field in msgspec.structs.fields(value):
            for path, other in _field(value, field.name):
                yield f"{field.name}.{path}".rstrip("."), msgspec.structs.replace(value, **{field.name: other})
    elif isinstance(value, msgspec.Raw):
        for path, other in variants(msgspec.json.decode(value)):
            yield path, msgspec.Raw(encode(other))
    elif isinstance(value, bool):
        yield "", not value
    elif isinstance(value, int):
        yield "", value + 1
        if value > 0:
            yield "", value - 1
    elif isinstance(value, str):
        yield "", _text(value)
    elif isinstance(value, tuple | list):
        yield from _list(value)
    elif isinstance(value, dict):
        yield from _object(value)


def _field(value: msgspec.Struct, name: str) -> Iterator[Variant]:
    here = getattr(value, name)
    if name == "end":
        yield from (("", end) for end in ("", "void", "left", "result") if end != here)
    elif name == "result" and here is None:
        yield "", Result((1,) * 3, ((0,),) * 3)
    elif name == "due":
        yield "", "2030-01-01T00:00Z" if here != "2030-01-01T00:00Z" else ""
    elif (
        name in ("chance", "arbiter", "stage", "box", "ephemeral", "protest", "handover", "entry", "key") and here == ""
    ):
        yield "", "55" * 32
    elif name in _NOBODY and here == ():
        yield "", (_NOBODY[name],)
    elif name == "used" and not here:
        yield "", ((0, 1),)
    elif name == "timeouts" and not here:
        yield "", (0,)
    elif name == "commit" and not here:
        yield "", {"amount": "00" * 32}
    elif name == "salt" and not here:
        yield "", "00" * 32
    elif name == "sealed" and here == ():
        yield "", (r.SealedAnswer(1, value.seat, {}),) if isinstance(value, r.Private) else ("amount",)
    elif here is msgspec.UNSET:
        yield "", msgspec.Raw(b'{"do":"nothing"}')
    else:
        yield from variants(here)


def _text(value: str) -> str:
    if _HEX.match(value):
        return ("1" if value[0] == "0" else "0") + value[1:]
    number = _NUMBERED.search(value)
    if number:
        return value[: number.start()] + str((int(number[0]) + 1) % 10 ** len(number[0])).zfill(len(number[0]))
    return value[:-1] + ("x" if value[-1:] != "x" else "y")


def _list(value: Any) -> Iterator[Variant]:
    kind = type(value)
    if value:
        yield "", kind(value[:-1])
        yield "", kind([*value, value[0]])
    if len(value) > 1 and value[0] != value[-1]:
        yield "", kind(value[::-1])
    for at in sorted({0, len(value) // 2, len(value) - 1}) if value else ():
        for path, other in variants(value[at]):
            yield path, kind([*value[:at], other, *value[at + 1 :]])


def _object(value: dict[str, Any]) -> Iterator[Variant]:
    for key in sorted(value)[:3]:
        rest = {name: one for name, one in value.items() if name != key}
        yield "", rest
        yield "", rest | {_text(key): value[key]}
        for path, other in variants(value[key]):
            yield path, rest | {key: other}
