"""What follows from the disclosed nonces and the organiser's secret, so that nobody chose it (TOURNAMENT.md, 3)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from referee.crypto.codec import H, derive
from referee.crypto.keys import Key
from referee.crypto.stream import Stream

T = TypeVar("T")


def seed_of(secret: bytes, start: str, nonces: Sequence[str]) -> bytes:
    """The seed of a stage. Without the secret nobody knows it before the end."""
    return H("tournament-seed", secret, bytes.fromhex(start), *map(bytes.fromhex, nonces))


@lru_cache(maxsize=4)
def host_key(seed: bytes) -> Key:
    """The key that hosts all tables of a stage."""
    return Key(derive(seed, "tournament-host"), "organiser")


@lru_cache(maxsize=1024)
def seat_key(seed: bytes, entrant: str, copy: int) -> Key:
    """The key of an entrant's seat; a bot with two seats at a table has two."""
    return Key(derive(seed, "tournament-seat", bytes.fromhex(entrant), copy))


def offer_nonce(seed: bytes, number: int) -> bytes:
    return derive(seed, "tournament-offer", number)


def join_nonce(seed: bytes, number: int, seat: int) -> bytes:
    return derive(seed, "tournament-join", number, seat)


def deal(seed: bytes, group: int) -> bytes:
    """The common chance of a duplicate group."""
    return derive(seed, "tournament-deal", group)


def single(seed: bytes, number: int) -> bytes:
    """The common chance of a game of its own, where the games of a group have different ones."""
    return derive(seed, "tournament-single", number)


def bot_chance(seed: bytes, number: int, seat: int) -> bytes:
    """The seed that a bot gets for one game."""
    return derive(seed, "tournament-bot", number, seat)


def mixed(seed: bytes, what: str, number: int, things: Sequence[T]) -> list[T]:
    """Shuffle with the seed: Fisher-Yates from the last down."""
    order, stream = list(things), Stream(derive(seed, "tournament-order", what, number))
    for i in range(len(order) - 1, 0, -1):
        j = stream.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def leaf(start: str, number: int, chance: bytes, record: bytes) -> bytes:
    """What stands for a game in the tree of its pack. The chance of a game can be shown without the seed."""
    return H("tournament-record", bytes.fromhex(start), number, H("chance", chance), record)


def root(leaves: Sequence[bytes]) -> bytes:
    """The root of a tree of leaves, split as in RFC 6962: the left side has the largest power of two below their
    number."""
    if len(leaves) == 1:
        return leaves[0]
    half = _half(len(leaves))
    return H("tournament-node", root(leaves[:half]), root(leaves[half:]))


def path(leaves: Sequence[bytes], at: int) -> list[bytes]:
    """What is beside the way from a leaf to the root, from the leaf up."""
    if len(leaves) == 1:
        return []
    half = _half(len(leaves))
    if at < half:
        return [*path(leaves[:half], at), root(leaves[half:])]
    return [*path(leaves[half:], at - half), root(leaves[:half])]


def climb(leaf: bytes, at: int, count: int, beside: Sequence[bytes]) -> bytes:
    """The root that a leaf at this place leads to; `ValueError` if the path has another length."""
    turns = []
    while count > 1:
        half = _half(count)
        turns.append(at < half)
        at, count = (at, half) if at < half else (at - half, count - half)
    for left, other in zip(reversed(turns), beside, strict=True):
        leaf = H("tournament-node", leaf, other) if left else H("tournament-node", other, leaf)
    return leaf


def _half(count: int) -> int:
    """The largest power of two below a number."""
    return 1 << (count - 1).bit_length() - 1
