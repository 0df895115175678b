"""Finds the raw bodies in a file that the fast reader refuses: damaged, or made to be hard to read. Few commands meet
one, so only then are these patterns compiled."""

import re
from collections.abc import Generator, Iterator

from referee.crypto.document import RAW, as_text, damaged

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


def set_aside(data: bytes) -> tuple[bytes, dict[str, list[bytes]]]:
    """A file with 0 for each of its raw bodies, and these by their fields. Nothing else of the file is judged."""
    pieces: list[bytes] = []
    bodies: dict[str, list[bytes]] = {}
    done = 0
    for field, start, end in _places(as_text(data)):
        pieces += (data[done:start], b"0")
        bodies.setdefault(field, []).append(data[start:end])
        done = end
    return b"".join((*pieces, data[done:])), bodies


def _places(data: bytes) -> Iterator[tuple[str, int, int]]:
    """Of each raw body its field, where it begins and where it ends."""
    at = int(data.startswith(b"{"))
    while at and (name := _field(data, at)):
        field, at = RAW.get(name[1]), name.end()
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
            raise damaged()
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
                raise damaged()
            del ends[-count:]
            at = found.start(1) + count
            continue
        atoms, deeper = _SIDE_BY_SIDE[ends[-1]]
        before, at = at, atoms(data, at).end()  # type: ignore[union-attr]
        if found := deeper(data, at):
            around, at = _open(data, found.end())
            ends += around
        elif at == before:
            raise damaged()
    return at
