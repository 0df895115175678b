"""Chance that does what a test says, and knows what it was asked."""

import random


class Scripted(random.Random):
    """Chance with a script: a number below 1 is what `random` gives; `(n, k)` is number k (from 0) of n alternatives,
    and the test fails if there are not exactly n of them. A sample takes one such pair for each of its items, with one
    alternative less each time; so does shuffling, which settles the last place first."""

    def __init__(self, *script: float | tuple[int, int]) -> None:
        super().__init__(0)
        self.left = list(script)

    def random(self) -> float:
        found = self._next()
        assert isinstance(found, float), f"a share was asked for, not one of {found[0]}"
        return found

    def _randbelow(self, n: int) -> int:
        found = self._next()
        assert isinstance(found, tuple), "one of several was asked for, not a share"
        assert found[0] == n, f"one of {n} was asked for, not one of {found[0]}"
        return found[1]

    def _next(self) -> float | tuple[int, int]:
        assert self.left, "more chance was asked for than there is in the script"
        return self.left.pop(0)
