"""Files whose signed bodies are read later (PROTOCOL.md, section 2): a host answers for whatever JSON it signed."""

import msgspec

from referee.crypto.codec import AS_SENT, T, check_plain, decode
from referee.crypto.envelope import LONGEST, Envelope
from referee.errors import Malformed
from referee.language import t

RAW = {b'"before"': "before", b'"entries"': "entries", b'"entry"': "entry", b'"privates"': "privates"}
"""Fields of a file whose envelopes have raw bodies."""
NESTED = 100
"""How deep lists and objects may be nested in a document."""


def read_file(data: bytes, form: type[T], what: str) -> T:
    """Decode a file, canonical but for its raw bodies."""
    try:
        value = decode(as_text(data), form, what)
    except Malformed:
        # Only for a damaged file, or a body that the fast reader cannot skip: never for honest files.
        from referee.crypto.raw_bodies import set_aside

        bare, bodies = set_aside(data)
        value = _with_bodies(decode(bare, form, what), bodies)
    for name in RAW.values():
        parts = getattr(value, name, None) or ()
        for one in (parts,) if isinstance(parts, Envelope) else parts:
            if len(one.body) > LONGEST:
                raise Malformed(t("{what} has a signed part that is too large", what=t(what)), AS_SENT)
    return value


def check_file(data: bytes, what: str) -> None:
    """A document of any kind is canonical but for its raw bodies."""
    from referee.crypto.raw_bodies import set_aside

    check_plain(set_aside(data)[0], what, NESTED)


def check_body(envelope: Envelope, what: str, around: int = 2) -> None:
    """A body that is not a raw one is a canonical object, whatever is in it; so much of its file is `around` it."""
    if not isinstance(check_plain(bytes(envelope.body), what, NESTED - around), dict):
        raise Malformed(t("{what} has a body that is not an object", what=t(what)), AS_SENT)


def as_text(data: bytes) -> bytes:
    """The bytes of a file, if they are text at all."""
    try:
        return data if data.isascii() else data.decode().encode()
    except UnicodeDecodeError:
        raise damaged() from None


def _with_bodies(value: T, bodies: dict[str, list[bytes]]) -> T:
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


def damaged() -> Malformed:
    """What is neither whole nor JSON."""
    return Malformed(t("this file is damaged, or not JSON"), AS_SENT)
