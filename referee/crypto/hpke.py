"""The sender of HPKE (RFC 9180), base mode, one message: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-128-GCM.

The library that opens such messages takes no ephemeral key. A player has to: whoever has that key can show later what
was encrypted.
"""

from hmac import digest

_SUITE = b"HPKE" + bytes((0, 0x20, 0, 1, 0, 1))
_KEM = b"KEM" + bytes((0, 0x20))


def seal(ephemeral: bytes, public: bytes, info: bytes, text: bytes, aad: bytes = b"") -> bytes:
    """enc | ciphertext for the owner of this public key, made with this ephemeral private key; `ValueError` if the
    public key has a small order."""
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
