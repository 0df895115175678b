"""HPKE (RFC 9180) in plain Python, base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-128-GCM.

For checking and for making vectors, with an ephemeral key that is given: far too slow, and not safe against who can
measure times, for anything else. X25519 follows RFC 7748, AES FIPS 197, GCM NIST SP 800-38D.
"""

import hmac

P = 2**255 - 19
SUITE = b"HPKE" + bytes((0, 0x20, 0, 1, 0, 1))
KEM = b"KEM" + bytes((0, 0x20))


class BadBox(Exception):
    """What was sealed cannot be opened."""


# --- X25519 ----------------------------------------------------------------------------------------------------------


def x25519(scalar: bytes, point: bytes) -> bytes:
    k = int.from_bytes(scalar, "little") & ~7 & (2**254 - 1) | 2**254
    x1 = int.from_bytes(point, "little") & (2**255 - 1)
    x2, z2, x3, z3, swap = 1, 0, x1, 1, 0
    for bit in range(254, -1, -1):
        now = k >> bit & 1
        if swap != now:
            x2, z2, x3, z3 = x3, z3, x2, z2
        swap = now
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        da, cb, aa, bb = d * a % P, c * b % P, a * a % P, b * b % P
        x3, z3 = (da + cb) ** 2 % P, x1 * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, (aa - bb) * (aa + 121665 * (aa - bb)) % P
    if swap:
        x2, z2 = x3, z3
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


def public_key(private: bytes) -> bytes:
    return x25519(private, (9).to_bytes(32, "little"))


# --- AES-128-GCM -----------------------------------------------------------------------------------------------------


def _times_x(byte: int) -> int:
    return (byte << 1) ^ (0x11B if byte & 0x80 else 0)


def _sbox() -> bytes:
    """3 is a generator of the field: its powers, forwards and backwards, are a number and its inverse."""
    box, p, q = [0x63] * 256, 1, 1
    for _ in range(255):
        p ^= _times_x(p)
        for shift in (1, 2, 4):
            q ^= q << shift & 0xFF
        q ^= 0x09 if q & 0x80 else 0
        box[p] = 0x63 ^ q ^ (q << 1 | q >> 7) & 0xFF ^ (q << 2 | q >> 6) & 0xFF ^ (q << 3 | q >> 5) & 0xFF
        box[p] ^= (q << 4 | q >> 4) & 0xFF
    return bytes(box)


SBOX = _sbox()


def _round_keys(key: bytes) -> list[bytes]:
    words = [key[i : i + 4] for i in range(0, 16, 4)]
    constant = 1
    for i in range(4, 44):
        word = words[-1]
        if i % 4 == 0:
            word = (word[1:] + word[:1]).translate(SBOX)
            word = bytes((word[0] ^ constant, *word[1:]))
            constant = _times_x(constant)
        words.append(_xor(words[i - 4], word))
    return [b"".join(words[i : i + 4]) for i in range(0, 44, 4)]


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=False))


def _block(keys: list[bytes], data: bytes) -> bytes:
    state = _xor(data, keys[0])
    for number, key in enumerate(keys[1:], 1):
        state = state.translate(SBOX)
        state = bytes(state[(i + 4 * (i % 4)) % 16] for i in range(16))
        if number < 10:
            state = b"".join(_mixed(state[i : i + 4]) for i in range(0, 16, 4))
        state = _xor(state, key)
    return state


def _mixed(column: bytes) -> bytes:
    every = column[0] ^ column[1] ^ column[2] ^ column[3]
    return bytes(column[i] ^ every ^ _times_x(column[i] ^ column[(i + 1) % 4]) for i in range(4))


def _ghash(h: int, data: bytes) -> int:
    total = 0
    for at in range(0, len(data), 16):
        total ^= int.from_bytes(data[at : at + 16], "big")
        product, factor = 0, h
        for bit in range(127, -1, -1):
            if total >> bit & 1:
                product ^= factor
            factor = factor >> 1 ^ (0xE1 << 120 if factor & 1 else 0)
        total = product
    return total


def _gcm(key: bytes, nonce: bytes, text: bytes, *, opening: bool) -> tuple[bytes, bytes]:
    """The text turned into the other one, and the tag; there is no associated data."""
    keys = _round_keys(key)
    blocks = -(-len(text) // 16)
    stream = b"".join(_block(keys, nonce + (2 + i).to_bytes(4, "big")) for i in range(blocks))
    other = _xor(text, stream)
    closed = text if opening else other
    lengths = bytes(8) + (8 * len(closed)).to_bytes(8, "big")
    h = int.from_bytes(_block(keys, bytes(16)), "big")
    tag = _ghash(h, closed + bytes(-len(closed) % 16) + lengths).to_bytes(16, "big")
    return other, _xor(tag, _block(keys, nonce + (1).to_bytes(4, "big")))


# --- HPKE ------------------------------------------------------------------------------------------------------------


def _extract(suite: bytes, salt: bytes, label: bytes, material: bytes) -> bytes:
    return hmac.digest(salt or bytes(32), b"HPKE-v1" + suite + label + material, "sha256")


def _expand(suite: bytes, key: bytes, label: bytes, info: bytes, size: int) -> bytes:
    labelled = size.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return hmac.digest(key, labelled + b"\x01", "sha256")[:size]


def _schedule(shared: bytes, encapsulated: bytes, public: bytes, info: bytes) -> tuple[bytes, bytes]:
    """Key and nonce of the one message, from what both sides share."""
    secret = _expand(KEM, _extract(KEM, b"", b"eae_prk", shared), b"shared_secret", encapsulated + public, 32)
    context = b"\x00" + _extract(SUITE, b"", b"psk_id_hash", b"") + _extract(SUITE, b"", b"info_hash", info)
    key = _extract(SUITE, secret, b"secret", b"")
    return _expand(SUITE, key, b"key", context, 16), _expand(SUITE, key, b"base_nonce", context, 12)


def seal(ephemeral: bytes, public: bytes, info: bytes, text: bytes) -> bytes:
    """enc | ciphertext | tag, with this ephemeral private key."""
    enc = public_key(ephemeral)
    closed, tag = _gcm(*_schedule(x25519(ephemeral, public), enc, public, info), text, opening=False)
    return enc + closed + tag


def open_box(private: bytes, info: bytes, data: bytes) -> bytes:
    enc, closed, tag = data[:32], data[32:-16], data[-16:]
    if len(data) < 48:
        raise BadBox("too short")
    shared = x25519(private, enc)
    text, right = _gcm(*_schedule(shared, enc, public_key(private), info), closed, opening=True)
    if tag != right or shared == bytes(32):
        raise BadBox("it was damaged, or is for somebody else")
    return text
