"""Every call of `Draws`, once, for dealer and reader."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

import msgspec

from referee.crypto.codec import H, decoder, encode
from referee.crypto.stream import Stream
from referee.engine import records as r
from referee.engine.book import Book, Fault
from referee.errors import RulesFault
from referee.game import Game
from referee.language import t


class Source(NamedTuple):
    """What the draws of one entry come from."""

    game: Game
    game_id: str
    seating: bytes
    book: Book
    seed: bytes
    played: Mapping[int, r.Held]
    """The answers that are being played."""
    actor: str = ""
    """In a game of common chance: whose draws these are, a seat or `table`."""
    drawn: Mapping[str, int] = {}
    """How often each actor has drawn from each container or die so far."""


class Knowing(Protocol):
    """What differs between dealer and reader: how each learns tokens, leaves and sealed fields."""

    def _record(self, op: r.Op) -> None:
        """Record an operation that is fully determined."""

    def _tokens(self, kind: type[r.Take], bag: str, taken: Sequence[str]) -> tuple[r.Token, ...]:
        """These slots, opened."""

    def _named(self, bag: str, faces: Sequence[str]) -> tuple[r.Token, ...]:
        """Slots of a container with these faces, opened."""

    def _all_of(self, bag: str, face: str) -> tuple[r.Token, ...]:
        """All slots of a container, or all with this face, opened."""

    def _given(self, seat: int, field: str, bag: str, count: int) -> tuple[str, ...]:
        """The slots of a container that a sealed field names, in the order of the container."""

    def _sought(self, seat: int, field: str, bag: str, fixed: tuple[str, ...] | None) -> tuple[str, ...]:
        """The slot with the first face of a sealed ranking, or of the fixed one; none if there is none."""

    def _leaves(self, bag: str, size: int) -> tuple[str, ...]:
        """The leaves of a container's next generation."""

    def _secrets(self, seat: int, fields: Sequence[str]) -> r.Secrets:
        """Sealed fields of an answer, with their salts."""

    def _tell(self, seat: int, news: Sequence[str]) -> None:
        """A seat is told these slots."""

    def _resealed(self, bag: str, old: Sequence[str], new: Sequence[str]) -> None:
        """A container was resealed."""

    def _common(self, what: str, count: int, n: int) -> int:
        """A draw of common chance, the `count`-th (from 0) of its actor from that."""


class Calls(Knowing):
    """One entry's draws: changes the book, and records an operation for every call."""

    def __init__(self, source: Source) -> None:
        self.game, self.game_id, self.seating, self.book, seed, self.played, self.actor, drawn = source
        self.drawn, self.draws = dict(drawn), 0
        self.ops: list[r.Op] = []
        self.sealed: set[str] = set()
        """Containers that were resealed in this entry: nothing can be drawn from them."""
        self.mixed: dict[str, None] = {}
        """Hands that must be resealed at the end of the entry, in order."""
        self._stream = Stream(seed)
        self.opened = 0
        """Tokens that left a container openly."""

    # The calls ----------------------------------------------------------------------------------------------------

    def die(self, sides: int) -> int:
        if not 1 <= sides <= 1_000_000:
            raise RulesFault(t("there is no die with {sides} sides", sides=sides))
        value, last = self._below(f"die {sides}", sides) + 1, self.ops[-1] if self.ops else None
        thrown: tuple[int, ...] = ()
        if isinstance(last, r.Die) and last.sides == sides:
            thrown = last.values
            self.ops.pop()
        self._record(r.Die(sides, (*thrown, value)))
        return value

    def take(self, bag: str, count: int) -> tuple[str, ...]:
        taken = self._pick(bag, count)
        tokens = self._tokens(r.Take, bag, taken)
        self._record(r.Take(bag, tokens))
        return self._leave(tokens)

    def deal(self, bag: str, count: int, into: str) -> None:
        if count < self.count(bag):
            self._refuse_recognised(bag)
        taken = self._pick(bag, count)
        self._record(r.Deal(bag, tuple(taken), into))
        self._arrive(into, taken)

    def lay_out(self, bag: str, faces: Sequence[str]) -> None:
        tokens = self._named(bag, faces)
        self.book.drop(bag, (token.slot for token in tokens), "bad-opening")
        self._record(r.LayOut(bag, tokens))
        self._leave(tokens)

    def lay_out_all(self, bag: str, face: str | None = None) -> tuple[str, ...]:
        tokens = self._all_of(bag, face or "")
        self.book.drop(bag, (token.slot for token in tokens), "bad-opening")
        self._record(r.LayOutAll(bag, tokens, face or ""))
        return tuple(sorted(self._leave(tokens)))

    def give(self, seat: int, field: str, count: int, bag: str, into: str) -> None:
        self._refuse_recognised(bag)
        chosen = self._given(seat, field, bag, count)
        self.book.drop(bag, chosen, "bad-ops")
        self._record(r.Give(seat, field, bag, chosen, into))
        self._arrive(into, chosen)

    def seek(self, seat: int, field: str, bag: str, into: str, fixed: Sequence[str]) -> None:
        self._refuse_recognised(bag)
        if any(slot in self.book.faces for slot in self.book.content(bag)):
            raise RulesFault(t("a token in {bag} is known to everybody: shuffle before searching", bag=bag))
        chosen = self._sought(seat, field, bag, None if seat in self.played else tuple(fixed))
        self.book.drop(bag, chosen, "bad-ops")
        self._record(r.Seek(seat, field, bag, into, chosen))
        self._arrive(into, chosen)

    def put(self, bag: str, faces: Sequence[str]) -> None:
        self._fill(bag, faces, under=False)

    def under(self, bag: str, faces: Sequence[str]) -> None:
        self._fill(bag, faces, under=True)

    def shuffle(self, bag: str) -> None:
        leaves = self._leaves(bag, self.count(bag))
        old, new = self.book.reseal(bag, leaves)
        self._record(r.Shuffle(bag, self.book.bag(bag).generation, leaves))
        owner = self.book.owner(bag)
        if owner is not None:
            self._tell(owner, new)
        self._resealed(bag, old, new)
        self.sealed.add(bag)
        self.mixed.pop(bag, None)

    def count(self, bag: str) -> int:
        return self.book.count(bag)

    def unseal(self, seat: int, *fields: str) -> Any:
        held = self.played.get(seat)
        if held is None or not fields or not set(fields) <= set(held.commit):
            raise RulesFault(t("seat {seat} has no such sealed field", seat=seat + 1))
        secrets = self._secrets(seat, sorted(fields))
        self._record(r.Unseal(held.round, seat, secrets))
        shown = {name: msgspec.Raw(secret.value) for name, secret in secrets.items()}
        return decoder(self.game.move).decode(encode(msgspec.json.decode(r.content(held.answer)) | shown))

    def finish(self) -> None:
        """The end of the entry: hands that received tokens face down are resealed."""
        for bag in [*self.mixed]:
            self.shuffle(bag)

    # Shared parts -------------------------------------------------------------------------------------------------

    def _refuse_recognised(self, bag: str) -> None:
        """What moves face down is named by its slot: only its owner may know what is in it."""
        if self.book.recognised(bag):
            why = t("a token in {bag} could be recognised: shuffle before anything leaves it face down", bag=bag)
            raise RulesFault(why)

    def _pick(self, bag: str, count: int) -> list[str]:
        if bag in self.sealed:
            raise RulesFault(t("{bag} was sealed in this entry: ask for a link before it is drawn from", bag=bag))
        return self.book.pick(bag, count, partial(self._below, bag))

    def _below(self, what: str, n: int) -> int:
        """The next draw, from a container or of a die: by the seed, or by common chance."""
        self.draws += 1
        if not self.actor:
            return self._stream.below(n)
        place = f"{what} {self.actor}"
        self.drawn[place] = self.drawn.get(place, 0) + 1
        return self._common(what, self.drawn[place] - 1, n)

    def _leave(self, tokens: Sequence[r.Token]) -> tuple[str, ...]:
        for token in tokens:
            self.book.gone(token.slot, token.face)
        self.opened += len(tokens)
        return tuple(token.face for token in tokens)

    def _arrive(self, into: str, taken: Sequence[str]) -> None:
        owner, before = self.book.owner(into), self.count(into)
        news = self.book.arrive(into, taken)
        if owner is None:
            return
        self._tell(owner, news)
        if taken and (before or self.book.recognised(into)):
            self.mixed[into] = None

    def _fill(self, bag: str, faces: Sequence[str], *, under: bool) -> None:
        if faces:
            self.book.fill(bag, faces, under=under)
            self._record(r.Put(bag, tuple(faces), under))


MakeDraws = Callable[[Source], Calls]
"""How the draws of an entry are made: by a dealer, or read from the entry."""


def commitment(game: str, round: int, seat: int, field: str, secret: r.Secret) -> str:
    """What a player signs instead of a sealed field."""
    parts = (bytes.fromhex(game), round, seat, field, bytes.fromhex(secret.salt), bytes(secret.value))
    return H("sealed", *parts).hex()


def commitments(game: str, round: int, seat: int, secrets: r.Secrets) -> r.Commit:
    """The same for all sealed fields of an answer."""
    return {name: commitment(game, round, seat, name, secret) for name, secret in secrets.items()}


def listed(value: bytes) -> tuple[str, ...]:
    """The faces that a sealed field names: a list of them, or a single one."""
    found = msgspec.json.decode(value)
    faces = (found,) if isinstance(found, str) else tuple(found) if isinstance(found, list) else ()
    if not all(isinstance(face, str) for face in faces):
        raise Fault("rule-broken", t("a sealed field does not name tokens"))
    return faces
