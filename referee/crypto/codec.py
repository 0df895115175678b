"""One canonical form and one hash. See `schemas/PROTOCOL.md`, sections 1 and 2."""

import hashlib
import hmac
from functools import cache
from typing import Annotated, Any, TypeVar

import msgspec

from referee.errors import Malformed

T = TypeVar("T")

PROJECT = "pbem-referee/1/"
BIGGEST = 2**53 - 1
"""No integer in any document is larger: every JSON reader agrees on it."""

Hex32 = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Hex64 = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{128}\Z")]

_encoder = msgspec.json.Encoder(order="sorted")
encode = _encoder.encode
"""Canonical JSON of a typed value."""


@cache
def _decoder(kind: Any) -> "msgspec.json.Decoder[Any]":
    return msgspec.json.Decoder(kind)


def decode(data: bytes, kind: type[T], what: str) -> T:
    """Decode canonical JSON; any other spelling of the same value is refused."""
    value = read(data, kind, what)
    if encode(value) != data:
        raise Malformed(f"{what} is not in canonical form", "use the file exactly as it was sent")
    return value


def read(data: bytes, kind: type[T], what: str) -> T:
    """Decode JSON that people may have written by hand (an edition): spelling is free, types are not."""
    try:
        value: T = _decoder(kind).decode(data)  # type: ignore[arg-type]
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        reason = _plain(str(error)) if isinstance(error, msgspec.ValidationError) else "it is damaged, or no JSON"
        raise Malformed(f"{what} cannot be read: {reason}", "check that it is the right file, unchanged") from None
    return value


def _plain(text: str) -> str:
    """Validation messages can quote the input: keep printable ASCII, and little of it."""
    return "".join(c for c in text if " " <= c <= "~")[:160]


def check_fields(data: bytes, what: str) -> None:
    """Refuse embedded fields, kept as raw bytes, that are no object in canonical form."""
    check_plain(decode(data, dict, what), what)


def check_plain(value: Any, what: str) -> None:
    """Refuse what typed decoding would: floats, huge integers, keys outside ASCII, anywhere in an untyped value."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if not all(key.isascii() for key in item):
                raise Malformed(f"{what} has a key that is not ASCII", "use the file exactly as it was sent")
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, float) or (isinstance(item, int) and not -BIGGEST <= item <= BIGGEST):
            raise Malformed(f"{what} has a number out of range", "use the file exactly as it was sent")


def raw(value: Any) -> msgspec.Raw:
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
        if isinstance(part, int):
            out.append(b"\0\0\0\x08" + part.to_bytes(8, "big"))
        else:
            data = part if isinstance(part, bytes) else part.encode()
            out += (len(data).to_bytes(4, "big"), data)
    return b"".join(out)


def H(label: str, *parts: "bytes | str | int") -> bytes:  # noqa: N802
    """The one hash. A label serves one purpose only."""
    return hashlib.sha256(items(label, parts)).digest()


def derive(secret: bytes, label: str, *parts: "bytes | str | int") -> bytes:
    """The one derivation: HKDF-SHA256 with an empty salt, 32 bytes; the list of label and parts is the info."""
    prk = hmac.digest(bytes(32), secret, "sha256")
    return hmac.digest(prk, items(label, parts) + b"\x01", "sha256")
