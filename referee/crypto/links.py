"""Chains of links: sealed envelopes put on the table before the game, opened one a round.

`x[i-1] = H("link", public key, nonce, i, x[i])`; the tip `x[0]` is published, round n reveals `x[n]`.
"""

import hashlib
import struct
from collections.abc import Sequence

from referee.crypto.codec import items

LENGTH = 2048
"""Links in a chain: no game has more rounds."""
_INDEXES = [struct.pack(">IQI", 8, index, 32) for index in range(LENGTH + 1)]
"""What stands before a link in its hash."""
EVERY = 16
"""Distance of the checkpoints a chain keeps, so that one link costs at most this many hashes."""


class Chain:
    """Whose chain it is. Computes single links; the fixed prefix is absorbed once."""

    __slots__ = ("_prefix",)

    def __init__(self, public: bytes, nonce: bytes) -> None:
        self._prefix = hashlib.sha256(items("link", (public, nonce)))

    def back(self, index: int, link: bytes, to: int) -> bytes:
        """`x[to]` from `x[index]`: `index - to` hashes."""
        for before in _INDEXES[index:to:-1]:
            digest = self._prefix.copy()
            digest.update(before + link)
            link = digest.digest()
        return link

    def checkpoints(self, last: bytes) -> list[bytes]:
        """`x[0], x[EVERY], x[2*EVERY], ... x[LENGTH]` from `x[LENGTH]`."""
        marks = [last]
        for index in range(LENGTH, 0, -EVERY):
            marks.append(self.back(index, marks[-1], index - EVERY))
        return marks[::-1]

    def link(self, marks: Sequence[bytes], index: int) -> bytes:
        """`x[index]` from the checkpoints."""
        mark = -(-index // EVERY)
        return self.back(mark * EVERY, marks[mark], index)
