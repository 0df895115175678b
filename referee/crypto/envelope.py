"""One envelope for everything signed: the body stays readable JSON, the signature covers its exact bytes."""

import msgspec

from referee.crypto.codec import PROJECT, H, Hex64, T, decode, encode
from referee.crypto.keys import Key, verify
from referee.errors import BadSignature, Malformed


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """`body` is kept as the raw bytes that were signed."""

    body: msgspec.Raw
    sig: Hex64
    type: str


def signed_bytes(kind: str, body: bytes) -> bytes:
    """DSSE pre-authentication encoding of type and body."""
    full = PROJECT + kind
    return b"DSSEv1 %d %s %d %s" % (len(full), full.encode(), len(body), body)


def ident(kind: str, body: bytes) -> str:
    """The id of a signed thing: a hash of what was signed, never of the signature."""
    return H("id", PROJECT + kind, body).hex()


def seal(key: Key, kind: str, value: object) -> Envelope:
    """Sign a value."""
    body = encode(value)
    return Envelope(msgspec.Raw(body), key.sign(signed_bytes(kind, body)).hex(), PROJECT + kind)


def expect(envelope: Envelope, kind: str) -> bytes:
    """The body's bytes, if the envelope is of this kind; nothing is verified."""
    if envelope.type != PROJECT + kind:
        raise Malformed(f"this is not {a(kind)}", f"give {a(kind)} here")
    return bytes(envelope.body)


def check(public: bytes, sig: str, kind: str, body: bytes, code: str = "bad-signature") -> None:
    """Verify a signature over exact bytes."""
    if not verify(public, bytes.fromhex(sig), signed_bytes(kind, body)):
        raise BadSignature(f"the signature of the {kind} is wrong", "use the file exactly as it was sent", code=code)


def open_signed(envelope: Envelope, kind: str, public: bytes, form: type[T]) -> T:
    """Verify the bytes first, then decode exactly those bytes."""
    body = expect(envelope, kind)
    check(public, envelope.sig, kind, body)
    return decode(body, form, kind)


def a(kind: str) -> str:
    """`an offer`, `a join`."""
    return f"an {kind}" if kind[0] in "aeio" else f"a {kind}"
