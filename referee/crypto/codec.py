"""One canonical form and one hash. See `schemas/PROTOCOL.md`, sections 1 and 2."""

import hashlib
import hmac
import re
import struct
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, TypeVar

import msgspec

from referee.errors import Malformed
from referee.language import NOTHING, Text, mark, t
from referee.misfits import why

T = TypeVar("T")

PROJECT = "pbem-referee/1/"
BIGGEST = 2**53 - 1
"""No integer in any document is larger: every JSON reader agrees on it."""
DEEPEST = 64
"""How deep lists and objects may be nested in an embedded value."""

Hex32 = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Hex64 = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{128}\Z")]

_SUSPECT = re.compile(rb"[0-9](?:[.eE]|[0-9]{15})").search
"""Finds every float and every huge integer, and some texts."""
_LENGTH = struct.Struct(">I").pack
_INTEGER = struct.Struct(">IQ").pack
_encoder = msgspec.json.Encoder(order="sorted")
encode = _encoder.encode
"""Canonical JSON of a typed value."""
AS_SENT = t("use the file exactly as it was sent")
WORDS = (
    mark("answer"), mark("document"), mark("edition"), mark("game"), mark("game file"), mark("guard"),
    mark("key file"), mark("line"), mark("options"), mark("player's file"), mark("position"),
    mark("proof"), mark("state"), mark("transcript"), mark("view"), mark("words"), mark("a sealed value"),
    mark("a value"), mark("the move"), mark("the position"), mark("the sealed part"), mark("the state"),
    mark("this file"), mark("ticket"), mark("the standing orders"),
)  # fmt: skip
"""What is decoded here, besides what is signed (`envelope.KINDS`): every `what` is one of these."""


@cache
def decoder(kind: Any) -> "msgspec.json.Decoder[Any]":
    """The decoder of a type, made once: for a union that costs more than decoding."""
    return msgspec.json.Decoder(kind)


def decode(data: bytes, kind: type[T], what: str) -> T:
    """Decode canonical JSON; any other spelling of the same value is refused."""
    value = read(data, kind, what)
    if encode(value) != data:
        raise Malformed(t("{what} is not in canonical form", what=t(what)), AS_SENT)
    return value


def read(data: bytes, kind: type[T], what: str) -> T:
    """Decode JSON that people may have written by hand (an edition): the spelling is free, the types are not."""
    try:
        value: T = decoder(kind).decode(data)  # type: ignore[arg-type]
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        reason = why(error) if isinstance(error, msgspec.ValidationError) else t("it is damaged, or not JSON")
        message = t("{what} cannot be read: {reason}", what=t(what), reason=reason)
        raise Malformed(message, t("check that it is the right file, unchanged")) from None
    return value


def check_plain(data: bytes, what: str, deepest: int = DEEPEST) -> Any:
    """Decode an embedded value, kept as raw bytes: canonical, no floats, no huge integers, ASCII keys, not too deep."""
    value: Any = decode(data, Any, what)
    if _SUSPECT(data) or not data.isascii() or data.count(b"[") + data.count(b"{") > deepest:
        wrong = _unportable(value, t(what), deepest)
        if wrong:
            raise Malformed(wrong, AS_SENT)
    return value


def _unportable(value: object, what: Text, deepest: int) -> Text:
    """Why not every reader would agree on a value, if so."""
    level: list[Iterable[object]] = [[value]]
    depth = 0
    while level:
        depth += 1
        if depth > deepest + 1:
            return t("{what} is nested more than {deepest} deep", what=what, deepest=deepest)
        inner: list[Iterable[object]] = []
        for items in level:
            for item in items:
                if isinstance(item, dict):
                    inner.append(item.values())
                    if not all(key.isascii() for key in item):
                        return t("{what} has a key that is not ASCII", what=what)
                elif isinstance(item, list):
                    inner.append(item)
                elif isinstance(item, float) or (isinstance(item, int) and not -BIGGEST <= item <= BIGGEST):
                    return t("{what} has a number out of range", what=what)
        level = inner
    return NOTHING


def raw(value: object) -> msgspec.Raw:
    """Canonical JSON of a value, to be embedded as it is."""
    return msgspec.Raw(encode(value))


@cache
def _label(label: str) -> bytes:
    text = (PROJECT + label).encode()
    return len(text).to_bytes(4, "big") + text


def items(label: str, parts: "tuple[bytes | str | int, ...]") -> bytes:
    """The length-prefixed list that is hashed: label first, integers as u64, strings as UTF-8."""
    out = [_label(label)]
    for part in parts:
        if type(part) is int:
            out.append(_INTEGER(8, part))
        else:
            data: bytes = part if type(part) is bytes else part.encode()  # type: ignore[union-attr]
            out += (_LENGTH(len(data)), data)
    return b"".join(out)


def H(label: str, *parts: "bytes | str | int") -> bytes:  # noqa: N802
    """The one hash. A label serves one purpose only."""
    return hashlib.sha256(items(label, parts)).digest()


def derive(secret: bytes, label: str, *parts: "bytes | str | int") -> bytes:
    """The one derivation: HKDF-SHA256 with an empty salt, 32 bytes; the list of label and parts is the info."""
    prk = hmac.digest(bytes(32), secret, "sha256")
    return hmac.digest(prk, items(label, parts) + b"\x01", "sha256")
