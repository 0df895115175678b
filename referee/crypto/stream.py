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
        pool = b""
        block = at = 0
        while True:
            while len(pool) - at < size:
                pool = pool[at:] + hmac.digest(self._seed, struct.pack(">II", draw, block), "sha256")
                block += 1
                at = 0
            value = int.from_bytes(pool[at : at + size], "big") & mask
            at += size
            if value < n:
                return value
