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


def digest_start(start: str) -> bytes:
    """The hash before the first game."""
    return H("tournament-games", bytes.fromhex(start))


def digest_next(digest: bytes, number: int, game: bytes) -> bytes:
    """The hash after one more game; `game` is the SHA-256 of its transcript."""
    return H("tournament-game", digest, number, game)
