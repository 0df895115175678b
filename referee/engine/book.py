"""The book: what everybody knows of all containers. One for host, auditor and verifier, changed by operations only."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from referee.crypto import slots
from referee.engine.records import Bag, BookRecord, Token
from referee.errors import RulesFault
from referee.language import Message, quoted, t

_EMPTY = Bag()
MOST_TOKENS = 1000
"""In one container."""


class Fault(Exception):
    """A round that is wrong: a stable code, and a message. The caller knows who is to blame."""

    def __init__(self, code: str, message: Message) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Container:
    """A container that is being changed."""

    __slots__ = ("generation", "puts", "slots", "tail")

    def __init__(self, bag: Bag) -> None:
        self.generation, self.puts = bag.generation, bag.puts
        self.slots, self.tail = list(bag.slots), list(bag.tail)


class Book:
    """A working copy of the record. A container exists as soon as there is something in it."""

    __slots__ = ("_hands", "_old", "_seats", "_touched", "faces", "inside", "leaves", "told")

    def __init__(self, record: BookRecord, hands: Sequence[str], seats: int) -> None:
        self._old = record.bags
        self._touched: dict[str, Container] = {}
        self.leaves, self.faces = dict(record.leaves), dict(record.faces)
        self.told, self.inside = dict(record.told), dict(record.inside)
        self._hands, self._seats = hands, seats

    def record(self) -> BookRecord:
        """The book as it is now."""
        bags = dict(self._old)
        for name, bag in self._touched.items():
            bags[name] = Bag(bag.generation, tuple(bag.slots), tuple(bag.tail), bag.puts)
        return BookRecord(bags, self.leaves, self.faces, self.told, self.inside)

    def bag(self, name: str) -> Container:
        """A container to be changed."""
        found = self._touched.get(name)
        if found is None:
            found = self._touched[name] = Container(self._old.get(name, _EMPTY))
        return found

    def content(self, name: str) -> list[str]:
        """All slots of a container, its tail last."""
        bag = self._touched.get(name) or self._old.get(name, _EMPTY)
        return [*bag.slots, *bag.tail]

    def count(self, name: str) -> int:
        """How many tokens a container holds."""
        bag = self._touched.get(name) or self._old.get(name, _EMPTY)
        return len(bag.slots) + len(bag.tail)

    def owner(self, name: str) -> int | None:
        """Whose hand a container is, if it is one."""
        stem, slash, number = name.partition("/")
        if not slash or stem not in self._hands or not number.isdecimal():
            return None
        seat = int(number)
        return seat if seat < self._seats and str(seat) == number else None

    def pick(self, name: str, count: int, below: Callable[[int], int]) -> list[str]:
        """Take slots out as the seed says; once they are gone, the tail in order."""
        bag, held = self.bag(name), self.count(name)
        if not 0 <= count <= held:
            why = t("{count} tokens are drawn from {name}, which holds {name2}", count=count, name=name, name2=held)
            raise RulesFault(why)
        left = bag.slots
        return [left.pop(below(len(left))) if left else bag.tail.pop(0) for _ in range(count)]

    def drop(self, name: str, taken: Iterable[str], code: str) -> None:
        """Take these slots out of a container; a slot that is not there is a fault."""
        bag = self.bag(name)
        for slot in taken:
            if slot in bag.slots:
                bag.slots.remove(slot)
            elif slot in bag.tail:
                bag.tail.remove(slot)
            else:
                raise Fault(code, t("slot {slot} is not in {name}", slot=slot, name=name))

    def gone(self, slot: str, face: str) -> None:
        """A token left all containers openly: there is one less of its face."""
        left = self.inside.get(face, 0) - 1
        if left < 0:
            raise Fault("minted", t("more tokens {face} came out than were put in", face=quoted(face[:40])))
        self.inside[face] = left
        if not left:
            del self.inside[face]
        for known in (self.leaves, self.faces, self.told):
            known.pop(slot, None)

    def arrive(self, name: str, taken: Sequence[str]) -> list[str]:
        """Slots go face down into a container; returns those that its owner must be told."""
        bag = self.bag(name)
        bag.slots.extend(taken)
        self._full(name)
        owner = self.owner(name)
        if owner is None:
            return []
        news = [slot for slot in taken if slot not in self.faces and owner not in self.told.get(slot, ())]
        for slot in news:
            self.told[slot] = (*self.told.get(slot, ()), owner)
        return news

    def fill(self, name: str, faces: Sequence[str], *, under: bool) -> None:
        """Tokens go openly into a container: slots without a leaf."""
        bag = self.bag(name)
        names = [f"{name}+{bag.puts + i}" for i in range(len(faces))]
        bag.puts += len(names)
        (bag.tail if under else bag.slots).extend(names)
        self._full(name)
        for slot, face in zip(names, faces, strict=True):
            self.faces[slot] = face
            self.inside[face] = self.inside.get(face, 0) + 1

    def reseal(self, name: str, leaves: Sequence[str]) -> tuple[list[str], list[str]]:
        """Move the whole content to new slots; returns the old slots and the new ones."""
        bag = self.bag(name)
        old = [*bag.slots, *bag.tail]
        for slot in old:
            for known in (self.leaves, self.faces, self.told):
                known.pop(slot, None)
        bag.generation += 1
        new = [slots.slot_id(name, bag.generation, i) for i in range(len(old))]
        bag.slots, bag.tail = new, []
        self.leaves.update(zip(new, leaves, strict=True))
        owner = self.owner(name)
        if owner is not None:
            self.told.update(dict.fromkeys(new, (owner,)))
        return old, list(new)

    def recognised(self, name: str) -> bool:
        """Whether anybody but its owner could recognise a slot of a container: filled openly, or told."""
        owner = self.owner(name)
        return any(
            slot in self.faces or any(seat != owner for seat in self.told.get(slot, ()))
            for slot in self.bag(name).slots
        )

    def _full(self, name: str) -> None:
        if self.count(name) > MOST_TOKENS:
            raise RulesFault(t("{name} holds more than {most_tokens} tokens", name=name, most_tokens=MOST_TOKENS))


def fits_leaf(seating: bytes, leaves: Mapping[str, str], token: Token) -> bool:
    """Whether a sealed slot that lies in a container holds this token."""
    if slots.is_open(token.slot) or not token.salt:
        return False
    leaf = slots.leaf(seating, *slots.parse_slot(token.slot), bytes.fromhex(token.salt), token.face)
    return leaves.get(token.slot) == leaf.hex()


def known(book: BookRecord, hands: Sequence[str], seat: int, faces: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Container -> sorted faces that a seat knows in it; `faces` has at least the sealed ones that it knows."""
    found: dict[str, tuple[str, ...]] = {f"{hand}/{seat}": () for hand in hands}
    known = {slot: faces[slot] for slot, seats in book.told.items() if seat in seats} | book.faces
    for name, bag in book.bags.items():
        inside = [known[slot] for slot in (*bag.slots, *bag.tail) if slot in known]
        if inside:
            found[name] = tuple(sorted(inside))
    return found


def first_book(
    leaves: Mapping[str, Sequence[str]], bags: Mapping[str, Sequence[str]], hands: Sequence[str]
) -> BookRecord:
    """The book before round 1: every bag of the genesis sealed. `bags` has the faces that the rules put there."""
    book = Book(BookRecord(), hands, 0)
    for name, sealed in leaves.items():
        book.bag(name).slots = [""] * len(sealed)
        book.reseal(name, sealed)
    for faces in bags.values():
        for face in faces:
            book.inside[face] = book.inside.get(face, 0) + 1
    return book.record()
