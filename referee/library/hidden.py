"""Draws for practice: what lies where, face down, and which seat knows it. No cryptography, and nothing to prove.

It does what the engine's book and dealer do, so that bots and boards see in practice what they see in a signed game.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from referee.errors import RulesFault
from referee.game import Below, Game, Seat
from referee.library import t


class Token(msgspec.Struct, frozen=True, eq=False):
    """One token in a container. Two with the same face are two."""

    face: str
    told: frozenset[Seat] = frozenset()
    """Seats that know it."""
    open: bool = False
    """Everybody knows it."""


class Shelf(msgspec.Struct, frozen=True):
    """All containers at one moment: `slots` are picked from by chance, `tails` lie under them in order."""

    slots: Mapping[str, tuple[Token, ...]] = {}
    tails: Mapping[str, tuple[Token, ...]] = {}

    def tokens(self, hands: Sequence[str], seat: Seat) -> dict[str, tuple[str, ...]]:
        """Container -> the faces that a seat knows in it, sorted; its own hands are always there."""
        found: dict[str, tuple[str, ...]] = {f"{hand}/{seat}": () for hand in hands}
        for name in {**self.slots, **self.tails}:
            inside = (*self.slots.get(name, ()), *self.tails.get(name, ()))
            known = [token.face for token in inside if token.open or seat in token.told]
            if known:
                found[name] = tuple(sorted(known))
        return found


def first_shelf(bags: Mapping[str, Sequence[str]]) -> Shelf:
    """Before the first draw: everything lies face down."""
    return Shelf({name: tuple(map(Token, faces)) for name, faces in bags.items()})


class Hidden:
    """The `Draws` of one step. `answers` are the whole answers, sealed fields included; `sealed` names those fields."""

    def __init__(
        self,
        game: Game,
        seats: int,
        shelf: Shelf,
        below: Below,
        answers: Mapping[Seat, Any],
        sealed: Mapping[Seat, Sequence[str]],
    ) -> None:
        self._game, self._seats, self._below = game, seats, below
        self._answers, self._sealed = answers, sealed
        self._slots = {name: list(inside) for name, inside in shelf.slots.items()}
        self._tails = {name: list(inside) for name, inside in shelf.tails.items()}
        self._fresh: set[str] = set()
        self._mixed: dict[str, None] = {}

    def shelf(self) -> Shelf:
        """What lies where after this step: hands that got tokens unseen are mixed first."""
        for bag in [*self._mixed]:
            self.shuffle(bag)
        slots = {name: tuple(inside) for name, inside in self._slots.items() if inside}
        return Shelf(slots, {name: tuple(inside) for name, inside in self._tails.items() if inside})

    # The calls --------------------------------------------------------------------------------------------------------

    def die(self, sides: int) -> int:
        return self._below(sides) + 1

    def take(self, bag: str, count: int) -> tuple[str, ...]:
        return tuple(token.face for token in self._pick(bag, count))

    def deal(self, bag: str, count: int, into: str) -> None:
        if count < self.count(bag):
            self._refuse_recognised(bag)
        self._arrive(into, self._pick(bag, count))

    def lay_out(self, bag: str, faces: Sequence[str]) -> None:
        self._drop(bag, self._find(bag, faces))

    def lay_out_all(self, bag: str, face: str | None = None) -> tuple[str, ...]:
        found = [token for token in self._content(bag) if face in (None, token.face)]
        self._drop(bag, found)
        return tuple(sorted(token.face for token in found))

    def give(self, seat: Seat, field: str, count: int, bag: str, into: str) -> None:
        self._refuse_recognised(bag)
        faces = self._secret(seat, field)
        if len(faces) != count:
            why = t("{faces} tokens are named where {count} are due", faces=len(faces), count=count)
            raise RulesFault(why)
        self._pass(bag, self._find(bag, faces), into)

    def seek(self, seat: Seat, field: str, bag: str, into: str, fixed: Sequence[str]) -> None:
        self._refuse_recognised(bag)
        ranking = self._secret(seat, field) if seat in self._answers else fixed
        held = {token.face for token in self._content(bag)}
        self._pass(bag, self._find(bag, [face for face in ranking if face in held][:1]), into)

    def put(self, bag: str, faces: Sequence[str]) -> None:
        self._slots.setdefault(bag, []).extend(Token(face, open=True) for face in faces)

    def under(self, bag: str, faces: Sequence[str]) -> None:
        self._tails.setdefault(bag, []).extend(Token(face, open=True) for face in faces)

    def shuffle(self, bag: str) -> None:
        owner = self._owner(bag)
        told = frozenset() if owner is None else frozenset({owner})
        self._slots[bag] = [Token(token.face, told) for token in self._content(bag)]
        self._tails.pop(bag, None)
        self._fresh.add(bag)
        self._mixed.pop(bag, None)

    def count(self, bag: str) -> int:
        return len(self._content(bag))

    def unseal(self, seat: Seat, *fields: str) -> Any:
        hidden = set(self._sealed.get(seat, ())) - set(fields)
        if seat not in self._answers or not fields or not set(fields) <= set(self._sealed.get(seat, ())):
            raise RulesFault(t("seat {seat} has no such sealed field", seat=seat + 1))
        return without(self._game, self._answers[seat], hidden)

    # Their parts ------------------------------------------------------------------------------------------------------

    def _content(self, bag: str) -> list[Token]:
        return [*self._slots.get(bag, ()), *self._tails.get(bag, ())]

    def _owner(self, bag: str) -> Seat | None:
        """Whose hand a container is, if it is one."""
        stem, slash, number = bag.partition("/")
        if not slash or stem not in self._game.hands or not number.isdigit():
            return None
        return int(number) if int(number) < self._seats else None

    def _pick(self, bag: str, count: int) -> list[Token]:
        if bag in self._fresh:
            raise RulesFault(t("{bag} was shuffled in this step: ask for a link first", bag=bag))
        if not 0 <= count <= self.count(bag):
            raise RulesFault(t("{bag} holds fewer than {count} tokens", bag=bag, count=count))
        slots, tail = self._slots.get(bag, []), self._tails.get(bag, [])
        return [slots.pop(self._below(len(slots))) if slots else tail.pop(0) for _ in range(count)]

    def _secret(self, seat: Seat, field: str) -> tuple[str, ...]:
        """The faces that a sealed field names."""
        if seat not in self._answers:
            raise RulesFault(t("seat {seat} has no such sealed field", seat=seat + 1))
        value = getattr(self._answers[seat], field)
        return (value,) if isinstance(value, str) else tuple(value)

    def _find(self, bag: str, faces: Iterable[str]) -> list[Token]:
        """Tokens with these faces, those that everybody knows first."""
        inside, found = sorted(self._content(bag), key=lambda token: not token.open), list[Token]()
        for face in faces:
            token = next((one for one in inside if one.face == face), None)
            if token is None:
                raise RulesFault(t("{bag} does not hold what is taken out of it", bag=bag))
            inside.remove(token)
            found.append(token)
        return found

    def _drop(self, bag: str, gone: Sequence[Token]) -> None:
        for place in (self._slots, self._tails):
            if bag in place:
                place[bag] = [token for token in place[bag] if token not in gone]

    def _pass(self, bag: str, chosen: Sequence[Token], into: str) -> None:
        self._drop(bag, chosen)
        self._arrive(into, chosen)

    def _arrive(self, into: str, taken: Sequence[Token]) -> None:
        """Tokens go face down into a container; its owner, if it is a hand, is told them."""
        owner, before = self._owner(into), self.count(into)
        told = frozenset() if owner is None else frozenset({owner})
        inside = self._slots.setdefault(into, [])
        inside.extend(Token(token.face, token.told | told, token.open) for token in taken)
        if owner is not None and taken and (before or self._recognised(into)):
            self._mixed[into] = None

    def _recognised(self, bag: str) -> bool:
        """Whether somebody else than its owner knows a token that can be picked."""
        own = {self._owner(bag)}
        return any(token.open or token.told - own for token in self._slots.get(bag, ()))

    def _refuse_recognised(self, bag: str) -> None:
        if self._recognised(bag):
            raise RulesFault(t("a token in {bag} could be recognised: shuffle it first", bag=bag))


def without(game: Game, move: Any, hidden: Iterable[str]) -> Any:
    """A move as the rules get it: what is sealed has its default."""
    names = set(hidden)
    if not names or move is None:
        return move
    fields: dict[str, Any] = msgspec.to_builtins(move)
    return msgspec.convert({name: value for name, value in fields.items() if name not in names}, game.move)
