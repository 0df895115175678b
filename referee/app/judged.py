"""Stands in for the package `cryptography` in a page: whoever loads this program has judged every signature before, and
this one answers from what it was told. Whatever else is asked ends the call: a guess would be worse than no answer."""

import sys
from hashlib import sha256
from importlib.util import find_spec
from types import ModuleType

VERDICTS: dict[bytes, bool] = {}
"""Key, signature and SHA-256 of the message, one after the other -> whether the signature is valid."""


class NotJudged(BaseException):
    """Nobody said whether this signature is valid. It is no error of ours, so that nothing takes it for a bad one."""


class InvalidSignature(Exception):
    """Named as in `cryptography.exceptions`."""


class Ed25519PublicKey:
    """Named as in `cryptography`, and used in the same way."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    @classmethod
    def from_public_bytes(cls, data: bytes) -> "Ed25519PublicKey":
        return cls(data)

    def verify(self, signature: bytes, message: bytes) -> None:
        verdict = VERDICTS.get(self._key + signature + sha256(message).digest())
        if verdict is None:
            raise NotJudged
        if not verdict:
            raise InvalidSignature


def stand_in() -> None:
    """Take the place of the package, which cannot be loaded where this is used: where it can, it judges."""
    library = "cryptography.hazmat.primitives.asymmetric.ed25519"
    if find_spec("cryptography"):
        raise AssertionError("signatures can be judged here")
    names = library.split(".")
    for at in range(len(names)):
        sys.modules.setdefault(".".join(names[: at + 1]), ModuleType(names[at]))
    sys.modules.setdefault("cryptography.exceptions", ModuleType("exceptions"))
    sys.modules[library].Ed25519PublicKey = Ed25519PublicKey  # type: ignore[attr-defined]
    sys.modules["cryptography.exceptions"].InvalidSignature = InvalidSignature  # type: ignore[attr-defined]
