"""Encryption for the host alone: HPKE (RFC 9180) to a key in the offer. See `schemas/PROTOCOL.md`, section 4.

The suite is DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-128-GCM. The library that opens such messages does not accept
an ephemeral key, but a player needs one: with it anybody can show later what was encrypted. The library is loaded only
when something is sealed or opened.
"""

from base64 import b64decode, b64encode
from hmac import digest

from referee.crypto.codec import H, derive, items
from referee.errors import BadSignature
from referee.language import t

BLOCK = 512
"""What is sealed is padded with blanks to a multiple of this, so that its length reveals nothing."""
_P = 2**255 - 19
_ORDER_8 = ("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157")  # fmt: skip
_WEAK = {0, 1, _P - 1, *(int.from_bytes(bytes.fromhex(point), "little") for point in _ORDER_8)}
_SUITE = b"HPKE" + bytes((0, 0x20, 0, 1, 0, 1))
_KEM = b"KEM" + bytes((0, 0x20))


def box_public(private: bytes) -> bytes:
    """The public half of a box key, which the offer names."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def refuse_weak_box(public: bytes) -> None:
    """Refuse a box key of small order: anybody could open what is sealed for it."""
    point = int.from_bytes(public, "little")
    if point >= _P or point in _WEAK:
        why = t("the host's box key in the offer is weak: anybody could open what is sealed with it")
        raise BadSignature(why, t("do not play this game; ask the host for another offer"), code="weak-box")


def filled(text: bytes) -> bytes:
    """A text with its padding."""
    return text.ljust(-(-len(text) // BLOCK) * BLOCK)


def ephemeral_key(seed: bytes, game: bytes, round: int, seat: int, text: bytes) -> bytes:
    """The private key with which a player encrypts this. The text is part of it: two answers of one round differ."""
    return derive(seed, "ephemeral", game, round, seat, filled(text))


def seal(ephemeral: bytes, public: bytes, beside: bytes, text: bytes) -> bytes:
    """Encrypt this for the owner of a box key; only beside this body (without its `box`) can it be opened."""
    return hpke_seal(ephemeral, public, _place(beside), filled(text))


def box_hash(data: bytes) -> str:
    """What a signed move says of its encrypted part."""
    return H("box-hash", data).hex()


def to_text(data: bytes) -> str:
    """An encrypted part as files have it."""
    return b64encode(data).decode()


def from_text(sealed: str) -> bytes | None:
    """The encrypted part in a file; None if it is not canonical base64."""
    try:
        data = b64decode(sealed, validate=True)
    except ValueError:
        return None
    return data if b64encode(data).decode() == sealed else None


def open_box(private: bytes, beside: bytes, data: bytes) -> bytes:
    """What was sealed beside this body."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
    from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

    suite = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.AES_128_GCM)
    try:
        whole: bytes = suite.decrypt(data, X25519PrivateKey.from_private_bytes(private), _place(beside))
        text = whole.rstrip(b" ")
        if filled(text) != whole:
            raise ValueError
    except (InvalidTag, ValueError):
        why = t("the sealed part of this move cannot be opened")
        raise BadSignature(why, t("sign the move again"), code="bad-commitment") from None
    return text


def _place(beside: bytes) -> bytes:
    return items("box", (H("boxed", beside),))


def hpke_seal(ephemeral: bytes, public: bytes, info: bytes, text: bytes, aad: bytes = b"") -> bytes:
    """The sender of HPKE, base mode, one message: enc | ciphertext for the owner of this public key, made with this
    ephemeral private key; `ValueError` if the public key has a small order."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    private = X25519PrivateKey.from_private_bytes(ephemeral)
    enc = private.public_key().public_bytes_raw()
    agreed = _extract(_KEM, b"", b"eae_prk", private.exchange(X25519PublicKey.from_public_bytes(public)))
    shared = _expand(_KEM, agreed, b"shared_secret", enc + public, 32)
    context = b"\x00" + _extract(_SUITE, b"", b"psk_id_hash", b"") + _extract(_SUITE, b"", b"info_hash", info)
    secret = _extract(_SUITE, shared, b"secret", b"")
    key, nonce = _expand(_SUITE, secret, b"key", context, 16), _expand(_SUITE, secret, b"base_nonce", context, 12)
    return enc + AESGCM(key).encrypt(nonce, text, aad)


def _extract(suite: bytes, salt: bytes, label: bytes, material: bytes) -> bytes:
    return digest(salt, b"HPKE-v1" + suite + label + material, "sha256")


def _expand(suite: bytes, key: bytes, label: bytes, info: bytes, size: int) -> bytes:
    """At most 32 bytes: the first block of HKDF."""
    return digest(key, size.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info + b"\x01", "sha256")[:size]
