"""What is for the host alone: HPKE (RFC 9180) to a key in the offer. See `schemas/PROTOCOL.md`, section 4.

The library that does it is loaded only by who seals or opens something.
"""

from base64 import b64decode, b64encode
from typing import Any

from referee.crypto.codec import items
from referee.errors import BadSignature

BLOCK = 512
"""What is sealed is filled up with blanks to a multiple of this, so that its length tells nothing."""


def box_public(private: bytes) -> bytes:
    """The public half of a box key, which the offer names."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def seal(public: bytes, move: str, text: bytes) -> str:
    """Seal this for the owner of a box key; only beside the move with this id can it be opened."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

    key = X25519PublicKey.from_public_bytes(public)
    try:
        return b64encode(_suite().encrypt(_filled(text), key, _place(move))).decode()
    except ValueError:
        why = "the host's box key in the offer is weak: anybody could open what is sealed with it"
        raise BadSignature(why, "do not play this game; ask the host for another offer", code="weak-key") from None


def open_box(private: bytes, move: str, sealed: str) -> bytes:
    """What was sealed beside the move with this id."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    try:
        data = b64decode(sealed, validate=True)
        filled: bytes = _suite().decrypt(data, X25519PrivateKey.from_private_bytes(private), _place(move))
        text = filled.rstrip(b" ")
        if b64encode(data).decode() != sealed or _filled(text) != filled:
            raise ValueError
    except (InvalidTag, ValueError):
        why = "the sealed part of this move cannot be opened"
        raise BadSignature(why, "sign the move again", code="bad-commitment") from None
    return text


def _suite() -> Any:
    from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

    return Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.AES_128_GCM)


def _filled(text: bytes) -> bytes:
    return text.ljust(-(-len(text) // BLOCK) * BLOCK)


def _place(move: str) -> bytes:
    return items("box", (bytes.fromhex(move),))
