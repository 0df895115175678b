"""Ed25519 identities: signing, verifying, and refusing keys under which any signature would verify.

The cryptography library is loaded only when something is signed or verified.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from referee.errors import BadSignature
from referee.language import run, t

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_P = 2**255 - 19
# y coordinates of the points of order 1, 2, 4 and 8: OpenSSL accepts them, and one signature then fits any message.
_ORDER_8 = int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little")
_WEAK = {0, 1, _P - 1, _ORDER_8, _P - _ORDER_8}


class Key:
    """A secret key in memory. `seed` feeds the derivations of its owner's chain and salts."""

    __slots__ = ("_private", "name", "public", "seed")

    def __init__(self, seed: bytes, name: str = "") -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self.seed = seed
        self.name = name
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._private.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        return self._private.sign(message)


def verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether this key signed these bytes; R of small order is refused, as browsers do."""
    from cryptography.exceptions import InvalidSignature

    if _is_weak(signature[:32]):
        return False
    try:
        _public_key(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


@lru_cache(maxsize=256)
def _public_key(public: bytes) -> "Ed25519PublicKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return Ed25519PublicKey.from_public_bytes(public)


def _is_weak(point: bytes) -> bool:
    """Whether these 32 bytes are not a canonical point of large order."""
    y = int.from_bytes(point, "little") & (2**255 - 1)
    return y >= _P or y in _WEAK


def refuse_weak(public: bytes) -> None:
    """Refuse a public key that is not a canonical point of large order."""
    if _is_weak(public):
        advice = t("make a key with {run}", run=run("key", "new"))
        raise BadSignature(t("this public key is weak: anybody could sign with it"), advice, code="weak-key")
