"""One envelope for everything signed: the body stays readable JSON, the signature covers its exact bytes."""

import msgspec

from referee.crypto.codec import AS_SENT, PROJECT, H, Hex64, T, decode, encode
from referee.crypto.keys import Key, verify
from referee.errors import BadSignature, Malformed
from referee.language import mark, t

LONGEST = 1_000_000
"""Most bytes of one signed body."""
KINDS = {
    mark("abandonment"): mark("an abandonment"), mark("amendment"): mark("an amendment"),
    mark("claim"): mark("a claim"), mark("closing"): mark("a closing"), mark("disclosure"): mark("a disclosure"),
    mark("ending"): mark("an ending"), mark("entrant"): mark("an entrant"), mark("entry"): mark("an entry"),
    mark("extension"): mark("an extension"), mark("genesis"): mark("a genesis"), mark("head"): mark("a head"),
    mark("join"): mark("a join"), mark("move"): mark("a move"), mark("offer"): mark("an offer"),
    mark("private"): mark("a private"), mark("receipt"): mark("a receipt"), mark("return"): mark("a return"),
    mark("ruling"): mark("a ruling"), mark("stage"): mark("a stage"), mark("start"): mark("a start"),
    mark("succession"): mark("a succession"), mark("withdrawal"): mark("a withdrawal"), mark("word"): mark("a word"),
}  # fmt: skip
"""The kinds of signed things, without and with an article."""


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """`body` is kept as the raw bytes that were signed. Typed items bound what a list of them can cost to read."""

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


def sign(key: Key, kind: str, value: object) -> Envelope:
    """Sign a value."""
    body = encode(value)
    if len(body) > LONGEST:
        sizes = {"body": len(body), "longest": LONGEST}
        why = t("this {kind} has {body} bytes; at most {longest} are allowed", kind=t(kind), **sizes)
        raise Malformed(why, t("make it smaller"))
    return Envelope(msgspec.Raw(body), key.sign(signed_bytes(kind, body)).hex(), PROJECT + kind)


def body_of(envelope: Envelope, kind: str) -> bytes:
    """The body's bytes, if the envelope is of this kind; nothing is verified."""
    if envelope.type != PROJECT + kind:
        wanted = t(KINDS[kind])
        raise Malformed(t("this is not {kind}", kind=wanted), t("give {kind} here", kind=wanted), code="wrong-kind")
    body = bytes(envelope.body)
    if len(body) > LONGEST:
        raise Malformed(t("this {kind} is larger than any {kind2}", kind=t(kind), kind2=t(kind)), AS_SENT)
    return body


def check(public: bytes, sig: str, kind: str, body: bytes) -> None:
    """Verify a signature over exact bytes."""
    if not verify(public, bytes.fromhex(sig), signed_bytes(kind, body)):
        raise BadSignature(t("the signature of the {kind} is wrong", kind=t(kind)), AS_SENT)


def read_signed(envelope: Envelope, kind: str, public: bytes, form: type[T]) -> T:
    """Verify the bytes first, then decode exactly those bytes."""
    body = body_of(envelope, kind)
    check(public, envelope.sig, kind, body)
    return decode(body, form, kind)
