"""Integers from a seed: the same for the host who draws and for everybody who checks."""

import hmac
import struct


class Stream:
    """Numbered draws from one seed. Draw k reads the bytes of HMAC-SHA256(seed, u32 k | u32 i), i = 0, 1, 2..."""

    __slots__ = ("_seed", "count")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self.count = 0

    def below(self, n: int) -> int:
        """The next draw: uniform from 0 to n-1. n = 1 is a draw that reads nothing."""
        draw = self.count
        self.count += 1
        if n == 1:
            return 0
        bits = (n - 1).bit_length()
        size = (bits + 7) // 8
        mask = (1 << bits) - 1
        pool, block = b"", 0
        while True:
            while len(pool) < size:
                pool += hmac.digest(self._seed, struct.pack(">II", draw, block), "sha256")
                block += 1
            value, pool = int.from_bytes(pool[:size], "big") & mask, pool[size:]
            if value < n:
                return value
