"""The host's side of `Draws`: picks by the seed, keeps the faces, records every step so that others can check it."""

from collections.abc import Callable, Sequence

import msgspec

from referee.crypto import slots
from referee.crypto.draws import Stream
from referee.engine.records import Bag, Die, Op, Open, Put, Seal, Secret, Show, Take, Token
from referee.game import ALL, NOBODY


class NeedsSeed(Exception):
    """The rules asked for a draw in a round that may not draw."""


class Dealer:
    """One entry's draws. Without a seed every draw raises `NeedsSeed`."""

    def __init__(
        self, secret: bytes, table: bytes, bags: dict[str, Bag], faces: dict[str, str], seats: int, seed: bytes | None
    ) -> None:
        self._secret = secret
        self._table = table
        self._stream = Stream(seed) if seed is not None else None
        self._keys: dict[tuple[Callable[..., bytes], str, int], bytes] = {}
        self.bags = dict(bags)
        self.faces = dict(faces)
        self.ops: list[Op] = []
        self.openings: list[list[Token]] = [[] for _ in range(seats)]
        self.sealed: dict[int, tuple[int, Secret]] = {}
        """Seat -> round and sealed fields of the answer now being applied."""

    def snapshot(self) -> "Dealer":
        """A copy to fall back on if the next step cannot be played."""
        copy = Dealer(self._secret, self._table, self.bags, self.faces, len(self.openings), None)
        copy._stream = self._stream
        copy.ops = list(self.ops)
        copy.openings = [list(tokens) for tokens in self.openings]
        return copy

    def _below(self, n: int) -> int:
        if self._stream is None:
            raise NeedsSeed
        return self._stream.below(n)

    def _keyed(self, make: Callable[..., bytes], slot: str) -> bytes:
        """A value that M gives a sealed slot: its salt, or its place in the order of opening."""
        bag, generation, number = slots.parse_slot(slot)
        key = self._keys.get((make, bag, generation))
        if key is None:
            key = self._keys[make, bag, generation] = make(self._secret, self._table, bag, generation)
        return slots.salt(key, number)

    def _salt(self, slot: str) -> str:
        return self._keyed(slots.salts_key, slot).hex()

    def _place(self, slot: str) -> bytes:
        """Of equal faces the smallest is opened; what everybody knows comes first."""
        return b"" if slots.is_open(slot) else self._keyed(slots.order_key, slot)

    def _opened(self, slot: str) -> Token:
        return Token(slot, self.faces[slot], "" if slots.is_open(slot) else self._salt(slot))

    def die(self, sides: int, label: str) -> int:
        value = self._below(sides) + 1
        self.ops.append(Die(sides, value, label))
        return value

    def take(self, bag: str, count: int, to: int = ALL, into: str = "") -> tuple[str, ...]:
        if not count:
            return ()
        if self._stream is None:
            raise NeedsSeed
        source = self.bags[bag]
        left, tail = list(source.slots), list(source.tail)
        if count > len(left) + len(tail):
            raise ValueError(f"{bag} holds fewer than {count} tokens")
        taken = [left.pop(self._below(len(left))) if left else tail.pop(0) for _ in range(count)]
        self.bags[bag] = msgspec.structs.replace(source, slots=tuple(left), tail=tuple(tail))
        tokens = tuple(self._opened(slot) if to == ALL else Token(slot) for slot in taken)
        self.ops.append(Take(bag, tokens, to, into))
        if to >= 0:
            self._tell(to, taken)
        faces = tuple(self.faces[slot] for slot in taken)
        if into:
            target = self.bags.get(into, Bag())
            self.bags[into] = msgspec.structs.replace(target, slots=target.slots + tuple(taken))
        else:
            self._forget(taken)
        return faces

    def put(self, bag: str, faces: Sequence[str]) -> None:
        self._fill(bag, faces, under=False)

    def under(self, bag: str, faces: Sequence[str]) -> None:
        self._fill(bag, faces, under=True)

    def open(self, bag: str, faces: Sequence[str]) -> None:
        source = self.bags[bag]
        left = list(source.slots)
        tokens = []
        for face in faces:
            slot = min((slot for slot in left if self.faces[slot] == face), key=self._place)
            left.remove(slot)
            tokens.append(self._opened(slot))
        self.bags[bag] = msgspec.structs.replace(source, slots=tuple(left))
        self.ops.append(Open(bag, tuple(tokens)))
        self._forget([token.slot for token in tokens])

    def seal(self, bag: str, faces: Sequence[str], owner: int = NOBODY) -> None:
        old = self.bags.get(bag, Bag())
        generation = old.generation + 1
        order = slots.arrange(self._secret, self._table, bag, generation, faces)
        names = tuple(slots.slot_id(bag, generation, i) for i in range(len(order)))
        leaves = slots.leaves(self._secret, self._table, bag, generation, order)
        self._forget(old.slots + old.tail)
        self.faces.update(zip(names, order, strict=True))
        self.bags[bag] = Bag(generation, names, (), old.puts)
        self.ops.append(Seal(bag, generation, tuple(leaf.hex() for leaf in leaves), owner))
        if owner >= 0:
            self._tell(owner, names)

    def count(self, bag: str) -> int:
        held = self.bags.get(bag)
        return len(held.slots) + len(held.tail) if held else 0

    def contents(self, bag: str) -> tuple[str, ...]:
        held = self.bags.get(bag, Bag())
        return tuple(sorted(self.faces[slot] for slot in held.slots + held.tail))

    def show(self, seat: int) -> None:
        if seat in self.sealed:
            number, secret = self.sealed[seat]
            self.ops.append(Show(number, seat, secret.salt, secret.fields))

    def _fill(self, bag: str, faces: Sequence[str], *, under: bool) -> None:
        if not faces:
            return
        target = self.bags.get(bag, Bag())
        names = tuple(f"{bag}+{target.puts + i}" for i in range(len(faces)))
        self.faces.update(zip(names, faces, strict=True))
        grown = {"tail": target.tail + names} if under else {"slots": target.slots + names}
        self.bags[bag] = msgspec.structs.replace(target, puts=target.puts + len(faces), **grown)
        self.ops.append(Put(bag, tuple(faces), under))

    def _tell(self, seat: int, taken: Sequence[str]) -> None:
        self.openings[seat].extend(self._opened(slot) for slot in taken if not slots.is_open(slot))

    def _forget(self, taken: Sequence[str]) -> None:
        for slot in taken:
            del self.faces[slot]
