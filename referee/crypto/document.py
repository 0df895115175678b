"""Files whose signed bodies are read later (PROTOCOL.md, section 2): a host answers for whatever JSON it signed."""

import re
from collections.abc import Generator, Iterator

import msgspec

from referee.crypto.codec import AS_SENT, T, check_plain, decode
from referee.crypto.envelope import LONGEST, Envelope
from referee.errors import Malformed
from referee.language import t

_RAW = {b'"before"': "before", b'"entries"': "entries", b'"entry"': "entry", b'"privates"': "privates"}
"""Fields of a file whose envelopes have raw bodies."""
NESTED = 100
"""How deep lists and objects may be nested in a document."""
_HEAD = b'{"body":'

_WS = rb"[ \t\r\n]*+"
_TEXT = rb'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
_NUMBER = rb"-?+(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+"
_EMPTY = rb"\[%b\]|\{%b\}" % (_WS, _WS)
_ATOM = rb"%b(?:%b|%b|true|false|null|%b)" % (_WS, _TEXT, _NUMBER, _EMPTY)
_NAME = rb"%b%b%b:" % (_WS, _TEXT, _WS)
_LIST = rb"%b\[(?!%b\])(?:%b%b,)*+" % (_WS, _WS, _ATOM, _WS)
_OBJECT = rb"%b\{(?:%b%b%b,)*+%b" % (_WS, _NAME, _ATOM, _WS, _NAME)
# Each pattern takes as much as it can at once: a Python loop over every token of a hostile file would take minutes.
# All quantifiers are possessive: backtracking over a long text would take memory for each of its letters.
_field = re.compile(rb"(?:%b%b%b,)*+(%b):" % (_NAME, _ATOM, _WS, _TEXT)).match
_opened = re.compile(rb"(?:%b|%b){0,1000}+" % (_LIST, _OBJECT)).match
_atom = re.compile(_ATOM).match
_not_opening = re.compile(rb'(?:%b|%b|[^\[{"]++)++' % (_TEXT, _EMPTY)).sub
_closed = re.compile(rb"%b([\]}]++)" % _WS).match
_SIDE_BY_SIDE = {
    ord("]"): (re.compile(rb"(?:%b,%b)*+" % (_WS, _ATOM)).match, re.compile(rb"%b," % _WS).match),
    ord("}"): (re.compile(rb"(?:%b,%b%b)*+" % (_WS, _NAME, _ATOM)).match, re.compile(rb"%b,%b" % (_WS, _NAME)).match),
}
"""What else is in a list or an object, by how it ends: more atoms, then what stands before a value that is not one."""
_ENDS = bytes.maketrans(b"[{", b"]}")


def read_file(data: bytes, form: type[T], what: str) -> T:
    """Decode a file, canonical but for its raw bodies."""
    try:
        value = decode(_text(data), form, what)
    except Malformed:
        # Only for a damaged file, or a body that the fast reader cannot skip: never for honest files.
        bare, bodies = set_aside(data)
        value = _whole(decode(bare, form, what), bodies)
    for name in _RAW.values():
        parts = getattr(value, name, None) or ()
        for one in (parts,) if isinstance(parts, Envelope) else parts:
            if len(one.body) > LONGEST:
                raise Malformed(t("{what} has a signed part that is too large", what=t(what)), AS_SENT)
    return value


def check_file(data: bytes, what: str) -> None:
    """A document of any kind is canonical but for its raw bodies."""
    check_plain(set_aside(data)[0], what, NESTED)


def check_body(envelope: Envelope, what: str, around: int = 2) -> None:
    """A body that is not a raw one is a canonical object, whatever is in it; so much of its file is `around` it."""
    if not isinstance(check_plain(bytes(envelope.body), what, NESTED - around), dict):
        raise Malformed(t("{what} has a body that is not an object", what=t(what)), AS_SENT)


def set_aside(data: bytes) -> tuple[bytes, dict[str, list[bytes]]]:
    """A file with 0 for each of its raw bodies, and these by their fields. Nothing else of the file is judged."""
    pieces: list[bytes] = []
    bodies: dict[str, list[bytes]] = {}
    done = 0
    for field, start, end in _places(_text(data)):
        pieces += (data[done:start], b"0")
        bodies.setdefault(field, []).append(data[start:end])
        done = end
    return b"".join((*pieces, data[done:])), bodies


def _text(data: bytes) -> bytes:
    try:
        return data if data.isascii() else data.decode().encode()
    except UnicodeDecodeError:
        raise _damaged() from None


def _places(data: bytes) -> Iterator[tuple[str, int, int]]:
    """Of each raw body its field, where it begins and where it ends."""
    at = int(data.startswith(b"{"))
    while at and (name := _field(data, at)):
        field, at = _RAW.get(name[1]), name.end()
        at = 1 + ((yield from _bodies(data, at, field)) if field else _end(data, at))


def _bodies(data: bytes, at: int, field: str) -> Generator[tuple[str, int, int], None, int]:
    """The bodies of the envelopes in a field; and where its value ends."""
    listed = data.startswith(b"[{", at)
    at += listed
    while data.startswith(b"{", at):
        start = at + len(_HEAD)
        if data.startswith(_HEAD, at) and data[start : start + 1] not in b" \t\r\n":
            end = _end(data, start)
            yield field, start, end
            at = _close(data, end, b"}")
        else:
            at = _end(data, at)
        if not listed:
            return at
        if not data.startswith(b",", at):
            return _close(data, at, b"]")
        at += 1
    return _close(data, _end(data, at), b"]" if listed else b"")


def _end(data: bytes, at: int) -> int:
    """Where the JSON value ends that begins here, however deep it is."""
    around, at = _open(data, at)
    return _close(data, at, around)


def _open(data: bytes, at: int) -> tuple[bytearray, int]:
    """The ends of all that is open around the first atom of a value that does not stand beside a deeper one, outermost
    first; and where that atom ends."""
    around = bytearray()
    while not (atom := _atom(data, at)):
        found = _opened(data, at)
        if not (found and found[0]):
            raise _damaged()
        around += _not_opening(b"", found[0]).translate(_ENDS)
        at = found.end()
    return around, atom.end()


def _close(data: bytes, at: int, around: bytes | bytearray) -> int:
    """Where the outermost of these lists and objects ends, in which a value ends here."""
    ends = bytearray(around)
    while ends:
        if found := _closed(data, at):
            count = min(len(found[1]), len(ends))
            if found[1][:count] != ends[-count:][::-1]:
                raise _damaged()
            del ends[-count:]
            at = found.start(1) + count
            continue
        atoms, deeper = _SIDE_BY_SIDE[ends[-1]]
        before, at = at, atoms(data, at).end()  # type: ignore[union-attr]
        if found := deeper(data, at):
            around, at = _open(data, found.end())
            ends += around
        elif at == before:
            raise _damaged()
    return at


def _whole(value: T, bodies: dict[str, list[bytes]]) -> T:
    """A document with its bodies back in their places."""
    parts: dict[str, Envelope | tuple[Envelope, ...]] = {}
    for name, some in bodies.items():
        old = getattr(value, name)
        new = [
            msgspec.structs.replace(one, body=msgspec.Raw(body))
            for one, body in zip((old,) if isinstance(old, Envelope) else old, some, strict=True)
        ]
        parts[name] = new[0] if isinstance(old, Envelope) else tuple(new)
    return msgspec.structs.replace(value, **parts)  # type: ignore[type-var]


def _damaged() -> Malformed:
    return Malformed(t("this file is damaged, or not JSON"), AS_SENT)
