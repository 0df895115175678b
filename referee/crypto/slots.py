"""Slots: which token lies where is fixed by the host's secret M before anybody knows which slot will be picked."""

import hmac
from collections.abc import Mapping, Sequence

from referee.crypto.codec import H, derive
from referee.crypto.stream import Stream


def leaf(seating: bytes, bag: str, generation: int, slot: int, salt: bytes, face: str) -> bytes:
    """The commitment to one slot."""
    return H("slot", seating, bag, generation, slot, salt, face)


def arrange(secret: bytes, seating: bytes, bag: str, generation: int, faces: Sequence[str]) -> list[str]:
    """The faces in slot order: sorted, then Fisher-Yates from the last down with a key of its own."""
    order = sorted(faces)
    stream = Stream(derive(secret, "shuffle", seating, bag, generation))
    for i in range(len(order) - 1, 0, -1):
        j = stream.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def salt(key: bytes, slot: int) -> bytes:
    """The salt of one slot; `key` is that of its generation."""
    return hmac.digest(key, slot.to_bytes(4, "big"), "sha256")


def leaves(secret: bytes, seating: bytes, bag: str, generation: int, order: Sequence[str]) -> list[bytes]:
    """The commitments of a whole generation, in slot order."""
    key = derive(secret, "salts", seating, bag, generation)
    return [leaf(seating, bag, generation, i, salt(key, i), face) for i, face in enumerate(order)]


def seal(
    secret: bytes, seating: bytes, bag: str, generation: int, faces: Sequence[str], chance: bytes = b""
) -> tuple[dict[str, str], tuple[str, ...]]:
    """A generation of a bag as M arranges it, or common chance: slot -> face, and the leaves in slot order."""
    order = arrange(*order_secret(secret, seating, chance), bag, generation, faces)
    placed = {slot_id(bag, generation, i): face for i, face in enumerate(order)}
    return placed, tuple(leaf.hex() for leaf in leaves(secret, seating, bag, generation, order))


def order_secret(secret: bytes, seating: bytes, chance: bytes) -> tuple[bytes, bytes]:
    """What decides the order of slots: M for this seating, or common chance for any seating."""
    return (chance, b"") if chance else (secret, seating)


def seal_all(
    secret: bytes, seating: bytes, bags: Mapping[str, Sequence[str]], chance: bytes = b""
) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """The same for every bag that a game starts with: slot -> face, and bag -> leaves."""
    sealed = {bag: seal(secret, seating, bag, 0, faces, chance) for bag, faces in bags.items()}
    placed = {slot: face for faces, _ in sealed.values() for slot, face in faces.items()}
    return placed, {bag: leaves for bag, (_, leaves) in sealed.items()}


def slot_id(bag: str, generation: int, slot: int) -> str:
    """How documents name a sealed slot: `bag.0.17`."""
    return f"{bag}.{generation}.{slot}"


def parse_slot(name: str) -> tuple[str, int, int]:
    """Bag, generation and number of a sealed slot."""
    bag, generation, slot = name.rsplit(".", 2)
    return bag, int(generation), int(slot)


def is_open(name: str) -> bool:
    """Whether a slot was filled openly (`bag+3`), so that it has no leaf."""
    return "+" in name
