"""Files whose signed bodies are read later (PROTOCOL.md, section 2): whatever JSON a host signed is the host's word."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from referee.crypto.codec import T, check_plain, decode
from referee.crypto.envelope import LONGEST, Envelope
from referee.errors import Malformed

_RAW = {b'"before"': "before", b'"entries"': "entries", b'"entry"': "entry", b'"privates"': "privates"}
"""Fields of a file whose envelopes have raw bodies."""
NESTED = 100
"""So many lists and objects may lie within each other in a document."""
_DEEP = LONGEST + NESTED
"""What is nested deeper than this is nested too deep, or a body over its limit."""
_HEAD = b'{"body":'
_TOKEN = re.compile(
    rb'[ \t\r\n]*+([{}\[\],:]|"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
    rb"|-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null)"
)
"""Possessive throughout: going back over a long text would take memory for each of its letters."""


def read_file(data: bytes, form: type[T], what: str) -> T:
    """Decode a file, canonical but for its raw bodies."""
    try:
        value = decode(_text(data), form, what)
    except Malformed:
        # Nobody honest gets here: a body that the fast reader cannot pass over, or a damaged file.
        bare, bodies = set_aside(data)
        value = _whole(decode(bare, form, what), bodies)
    for name in _RAW.values():
        parts = getattr(value, name, None) or ()
        for one in (parts,) if isinstance(parts, Envelope) else parts:
            if len(one.body) > LONGEST:
                raise Malformed(f"{what} has a signed part that is too large", "use the file exactly as it was sent")
    return value


def check_file(data: bytes, what: str) -> None:
    """A document of any kind is canonical but for its raw bodies."""
    check_plain(set_aside(data)[0], what, NESTED)


def check_body(envelope: Envelope, what: str, around: int = 2) -> None:
    """A body that is not a raw one is a canonical object, whatever is in it; so much of its file is `around` it."""
    if not isinstance(check_plain(bytes(envelope.body), what, NESTED - around), dict):
        raise Malformed(f"{what} has a body that is not an object", "use the file exactly as it was sent")


def set_aside(data: bytes) -> tuple[bytes, dict[str, list[bytes]]]:
    """A file with 0 for each of its raw bodies, and these by their fields. Nothing else of the file is judged."""
    pieces: list[bytes] = []
    bodies: dict[str, list[bytes]] = {}
    at, done = 1, 0
    last = len(_text(data)) - 1 if data.startswith(b"{") else 0
    while at < last:
        start = _end(data, at) + 1
        field, at = _RAW.get(data[at : start - 1]), _end(data, start) + 1
        for place in _envelopes(data, start) if field else ():
            end = _end(data, place + len(_HEAD))
            pieces += (data[done : place + len(_HEAD)], b"0")
            bodies.setdefault(field or "", []).append(data[place + len(_HEAD) : end])
            done = end
    return b"".join((*pieces, data[done:])), bodies


def _text(data: bytes) -> bytes:
    try:
        return data if data.isascii() else data.decode().encode()
    except UnicodeDecodeError:
        raise _damaged() from None


def _envelopes(data: bytes, at: int) -> Iterator[int]:
    """Where the envelopes of a field begin whose bodies are set aside."""
    listed = data.startswith(b"[", at)
    at += listed
    while data.startswith(b"{", at):
        after = at + len(_HEAD)
        if data.startswith(_HEAD, at) and data[after : after + 1] not in b" \t\r\n":
            yield at
        at = _end(data, at) + 1 if listed else len(data)


def _end(data: bytes, at: int) -> int:
    """Where the JSON value ends that begins here, however deep it is."""
    open_ = bytearray()  # one byte for each: a file may be nothing but brackets
    state = "value"
    while True:
        token = _TOKEN.match(data, at)
        at, mark = (token.end(), token[1][:1]) if token else (at, b":")
        scalar = mark not in (b"{", b"}", b"[", b"]", b",", b":")
        if state in ("first", "name?", "more") and mark == open_[-1:]:
            open_.pop()
            state = "more"
        elif state in ("name", "name?") and mark == b'"':
            state = "colon"
        elif token and state == "colon" and mark == b":":
            state = "value"
        elif state == "more" and mark == b",":
            state = "name" if open_.endswith(b"}") else "value"
        elif state in ("value", "first") and (scalar or mark in (b"{", b"[")):
            state = {b"{": "name?", b"[": "first"}.get(mark, "more")
            open_ += b"" if scalar else b"}" if mark == b"{" else b"]"
        else:
            raise _damaged()
        if len(open_) > _DEEP:
            raise _damaged()
        if not open_:
            return at


def _whole(value: Any, bodies: dict[str, list[bytes]]) -> Any:
    """A document with its bodies back in their places."""
    parts: dict[str, Any] = {}
    for name, some in bodies.items():
        old = getattr(value, name)
        new = [
            msgspec.structs.replace(one, body=msgspec.Raw(body))
            for one, body in zip((old,) if isinstance(old, Envelope) else old, some, strict=True)
        ]
        parts[name] = new[0] if isinstance(old, Envelope) else tuple(new)
    return msgspec.structs.replace(value, **parts)


def _damaged() -> Malformed:
    return Malformed("this file is damaged, or no JSON", "use the file exactly as it was sent")
