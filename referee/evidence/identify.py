"""The kind of a file: one of our documents, by the format or type that it names, or something else that people mistake
for one. Nothing is checked here, and little is kept in memory."""

import re
from contextlib import suppress
from functools import cache

import msgspec

from referee.crypto.codec import PROJECT, T
from referee.errors import Malformed, Usage

DOCUMENTS = (
    "offer", "join", "view", "move", "receipt", "extension", "word", "transcript", "proof", "succession", "return",
    "ruling", "claim", "record", "game", "key", "player", "ticket", "guard", "entrant", "disclosure", "aid", "edition",
)  # fmt: skip
"""Kinds of files that are ours."""
OTHERS = (
    "ssh", "ssh-public", "mail", "html", "zip", "compressed", "pdf", "picture", "schema", "json", "",
)  # fmt: skip
"""Other kinds that are recognised; the last is everything else."""
EDITION_MOST = 1_000_000
"""Bytes of the largest edition."""
NAME_MOST = 60
"""Bytes of the longest format or type that a document can name, with some to spare."""
_NONE = msgspec.Raw(b'""')
_PROGRAM, VERSION, _ = PROJECT.split("/")
_NAMED = re.compile(rf"{_PROGRAM}/([0-9]{{1,9}})/([a-z-]{{1,30}})")
"""The format or type of our documents: version and kind."""
_STARTS = {
    b"PK\x03\x04": "zip", b"\x1f\x8b": "compressed", b"BZh": "compressed", b"7z\xbc\xaf": "compressed",
    b"\xfd7zXZ": "compressed", b"%PDF": "pdf", b"\x89PNG": "picture", b"\xff\xd8\xff": "picture", b"GIF8": "picture",
    b"-----BEGIN OPENSSH PRIVATE KEY": "ssh", b"ssh-": "ssh-public",
}  # fmt: skip
# Compiled when the first file that is not JSON is looked at: most commands get none.
_FIELD = rb"[A-Za-z][A-Za-z0-9-]{1,60}:"
_OF_MAILS = rb"(?im)^(?:from|to|subject|date|message-id|mime-version|received|content-type|delivered-to|return-path):"
_HEAD = 8_000
"""Bytes at the start that must have one of the header fields of mails."""


class _Kind(msgspec.Struct, frozen=True):
    """Just enough of a document to tell its kind. Nothing else is kept: a hostile document may be large."""

    format: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    type: msgspec.Raw = _NONE


def name_of(data: bytes) -> str:
    """The format or type of a document, `pbem-referee/1/view`; empty if it names none."""
    found = peek(data, _Kind)
    if found is None:
        from referee.crypto.raw_bodies import set_aside

        with suppress(Malformed):
            found = peek(set_aside(data)[0], _Kind)
    if found is None:
        return ""
    name = found.type if found.format is msgspec.UNSET else found.format
    return (peek(name, str) or "") if len(name) <= NAME_MOST else ""


def peek(data: bytes | msgspec.Raw, form: type[T]) -> T | None:
    """What this type takes of a JSON document, and nothing else of it; None if it does not fit."""
    try:
        return msgspec.json.decode(data, type=form)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None


def document_kind(data: bytes) -> str:
    """`transcript`, `view`, `game`, `receipt`, `move`, `offer`...; empty if it is not one of ours."""
    name = _NAMED.fullmatch(name_of(data))
    return name[2] if name and name[1] == VERSION else ""


def other_version(data: bytes) -> str:
    """The protocol version of a document, if that is not ours; otherwise empty."""
    name = _NAMED.fullmatch(name_of(data))
    return name[1] if name and name[1] != VERSION else ""


def kind_of(data: bytes) -> str:
    """One of `DOCUMENTS` or `OTHERS`, or the version of the protocol, if it is another one than ours."""
    found = document_kind(data)
    if found:
        return found if found in DOCUMENTS else "json"
    if version := other_version(data):
        return version
    head = data[:200].lstrip(b"\xef\xbb\xbf \t\r\n")
    for start, kind in _STARTS.items():
        if head.startswith(start):
            return kind
    if head.startswith(b"<"):
        return "html"
    return "mail" if is_mail(data) else _json_kind(data)


def is_mail(data: bytes) -> bool:
    """A quick look: whether a file begins as mails and mailboxes do."""
    head = data[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"From ") or bool(re.match(_FIELD, head) and re.search(_OF_MAILS, head))


class _Schema(msgspec.Struct, frozen=True):
    """Just enough of a JSON object to tell whether it is a schema."""

    schema: msgspec.Raw | msgspec.UnsetType = msgspec.field(name="$schema", default=msgspec.UNSET)


def _json_kind(data: bytes) -> str:
    found = peek(data, _Schema)
    if found is None:
        return "" if peek(data, msgspec.Raw) is None else "json"
    return "schema" if found.schema is not msgspec.UNSET else "edition" if edition_of(data) else "json"


def edition_of(data: bytes) -> str:
    """The game whose editions have the fields of this JSON object; empty if there is none."""
    from referee import games

    for game_id in games.game_ids() if len(data) <= EDITION_MOST else ():
        try:
            form = games.load(game_id).edition
        except Usage:  # a package that cannot be loaded is reported elsewhere
            continue
        if _has_fields_of(data, tuple(field.name for field in msgspec.structs.fields(form))):
            return game_id
    return ""


def _has_fields_of(data: bytes, names: tuple[str, ...]) -> bool:
    """Whether a JSON object has some of these fields and no other: it is read up to the first other one."""
    found = peek(data, _only(names))
    return found is not None and any(getattr(found, name) is not msgspec.UNSET for name in names)


@cache
def _only(names: tuple[str, ...]) -> type[msgspec.Struct]:
    fields = [(name, msgspec.Raw | msgspec.UnsetType, msgspec.UNSET) for name in names]
    return msgspec.defstruct("Only", fields, forbid_unknown_fields=True)


def looks_like(data: bytes, kind: str) -> bool:
    """A quick look that saves reading a valid file twice; what only looks right is refused by its decoder."""
    form, name = f'"format":"{PROJECT}'.encode(), f'{kind}"'.encode()
    first = data.find(form)  # the first: a ticket has a view inside
    if first >= 0:
        return data.startswith(name, first + len(form))
    return data.endswith(f'"type":"{PROJECT}{kind}"}}'.encode())
