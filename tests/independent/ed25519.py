"""Ed25519 (RFC 8032) in plain Python: fast enough to check a game, not fit for secrets (not constant time).

A signature R|S under the key A is good if S < L, R is the encoding of [S]B - [k]A, byte for byte (the equation without
the cofactor, which is what OpenSSL and most libraries check), and R is no point of small order.
"""

import hashlib
from functools import lru_cache

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_MINUS_1 = pow(2, (P - 1) // 4, P)
# The y coordinates of the points of order 1, 2, 4 and 8.
SMALL = {0, 1, P - 1} | {
    int.from_bytes(bytes.fromhex(y), "little")
    for y in (
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    )
}

# (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z
Point = tuple[int, int, int, int]
# A point with Z = 1, prepared for addition: (y - x, y + x, 2dxy)
Ready = tuple[int, int, int]

ZERO: Point = (0, 1, 1, 0)


def _add(p: Point, q: Ready) -> Point:
    x, y, z, t = p
    minus, plus, t2d = q
    a = (y - x) * minus % P
    b = (y + x) * plus % P
    c = t * t2d % P
    d = 2 * z
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _ready(points: list[Point]) -> list[Ready]:
    """Normalise points to Z = 1, all with one inversion."""
    products, product = [], 1
    for point in points:
        products.append(product)
        product = product * point[2] % P
    inverse = pow(product, -1, P)
    out: list[Ready] = []
    for (x, y, z, _), before in zip(reversed(points), reversed(products), strict=True):
        own = inverse * before % P
        inverse = inverse * z % P
        x, y = x * own % P, y * own % P
        out.append(((y - x) % P, (y + x) % P, 2 * D * x * y % P))
    return out[::-1]


def _table(x: int, y: int) -> list[list[Ready]]:
    """Row i holds 1, 2 ... 15 times 16^i times the point (x, y)."""
    rows = []
    base = _ready([(x, y, 1, x * y % P)])[0]
    for _ in range(64):
        multiples, point = [], ZERO
        for _ in range(16):
            point = _add(point, base)
            multiples.append(point)
        ready = _ready(multiples)
        rows.append(ready[:15])
        base = ready[15]
    return rows


def _times(scalar: int, table: list[list[Ready]], start: Point = ZERO) -> Point:
    point = start
    for row in table:
        digit = scalar & 15
        if digit:
            point = _add(point, row[digit - 1])
        scalar >>= 4
    return point


def _encode(point: Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _decode(data: bytes) -> tuple[int, int] | None:
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x - u) % P:
        x = x * SQRT_MINUS_1 % P
    if (v * x * x - u) % P or (x == 0 and sign):
        return None
    return (P - x if x & 1 != sign else x), y


@lru_cache(maxsize=1)
def _base() -> list[list[Ready]]:
    point = _decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    assert point is not None
    return _table(*point)


@lru_cache(maxsize=64)
def _minus_key(key: bytes) -> list[list[Ready]] | None:
    point = _decode(key)
    return None if point is None else _table(-point[0] % P, point[1])


def _hash(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    if len(key) != 32 or len(signature) != 64:
        return False
    table = _minus_key(key)
    s = int.from_bytes(signature[32:], "little")
    if table is None or s >= L or int.from_bytes(signature[:32], "little") & (2**255 - 1) in SMALL:
        return False
    k = _hash(signature[:32], key, message) % L
    return _encode(_times(k, table, _times(s, _base()))) == signature[:32]


def _expand(seed: bytes) -> tuple[int, bytes]:
    digest = hashlib.sha512(seed).digest()
    return int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254, digest[32:]


def public_key(seed: bytes) -> bytes:
    return _encode(_times(_expand(seed)[0], _base()))


def sign(seed: bytes, message: bytes) -> bytes:
    """For test documents only: the time it takes depends on the key."""
    scalar, prefix = _expand(seed)
    r = _hash(prefix, message) % L
    point = _encode(_times(r, _base()))
    k = _hash(point, public_key(seed), message) % L
    return point + ((r + k * scalar) % L).to_bytes(32, "little")
