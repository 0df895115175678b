"""The dealer: `Draws` for whoever has M. It keeps the faces, carries out sealed choices, and records every step."""

from collections.abc import Iterator, Mapping, Sequence

from referee.crypto import slots
from referee.crypto.codec import H, derive
from referee.crypto.stream import Stream
from referee.engine import records as r
from referee.engine.book import Fault
from referee.engine.draws import Calls, Source, listed
from referee.engine.rounds import Closed
from referee.engine.seats import inherited_answers
from referee.errors import RulesFault
from referee.language import t

SealedAnswers = Mapping[tuple[int, int], r.Secrets]
"""Round and seat -> the sealed fields of that answer."""


class Dealer(Calls):
    """`faces` are those of all sealed slots, `secrets` the sealed fields of the answers that are being played, `chance`
    the secret of common chance, if the game has that."""

    def __init__(
        self, source: Source, secret: bytes, faces: Mapping[str, str], secrets: SealedAnswers, chance: bytes = b""
    ) -> None:
        super().__init__(source)
        self._chance = chance
        self.faces = dict(faces)
        self.openings: dict[int, list[r.Token]] = {}
        """What each seat was told in this entry."""
        self._secret = secret
        self._answers = secrets
        self._keys: dict[tuple[str, str, int], bytes] = {}

    def _record(self, op: r.Op) -> None:
        self.ops.append(op)

    def _tokens(self, kind: type[r.Take], bag: str, taken: Sequence[str]) -> tuple[r.Token, ...]:
        return tuple(self._token(slot, forget=True) for slot in taken)

    def _named(self, bag: str, faces: Sequence[str]) -> tuple[r.Token, ...]:
        return tuple(self._token(slot, forget=True) for slot in self._find(bag, faces))

    def _all_of(self, bag: str, face: str) -> tuple[r.Token, ...]:
        inside = self.book.content(bag)
        return tuple(self._token(slot, forget=True) for slot in inside if not face or self._face(slot) == face)

    def _given(self, seat: int, field: str, bag: str, count: int) -> tuple[str, ...]:
        wanted = listed(bytes(self._secrets(seat, (field,))[field].value))
        if len(wanted) != count:
            numbers = {"seat": seat + 1, "wanted": len(wanted), "count": count}
            raise Fault("rule-broken", t("seat {seat} gives {wanted} tokens instead of {count}", **numbers))
        chosen = set(self._find(bag, wanted))
        # In the order of the container: the order of the faces would tell something about them.
        return tuple(slot for slot in self.book.content(bag) if slot in chosen)

    def _sought(self, seat: int, field: str, bag: str, fixed: tuple[str, ...] | None) -> tuple[str, ...]:
        ranking = listed(bytes(self._secrets(seat, (field,))[field].value)) if fixed is None else fixed
        held = {self._face(slot) for slot in self.book.content(bag)}
        return tuple(self._find(bag, [face for face in ranking if face in held][:1]))

    def _leaves(self, bag: str, size: int) -> tuple[str, ...]:
        generation = self.book.bag(bag).generation + 1
        faces = [self._face(slot) for slot in self.book.content(bag)]
        placed, leaves = slots.seal(self._secret, self.seating, bag, generation, faces, self._chance)
        self.faces |= placed
        return leaves

    def _common(self, what: str, count: int, n: int) -> int:
        return Stream(H("common", self._chance, what, self.actor, count)).below(n)

    def _secrets(self, seat: int, fields: Sequence[str]) -> r.Secrets:
        held = self.played.get(seat)
        known = self._answers.get((held.round, seat), {}) if held is not None else {}
        if not set(fields) <= set(known):
            raise RulesFault(t("seat {seat} has no such sealed field", seat=seat + 1))
        return {name: known[name] for name in fields}

    def _tell(self, seat: int, news: Sequence[str]) -> None:
        if news:
            self.openings.setdefault(seat, []).extend(self._token(slot) for slot in news)

    def _resealed(self, bag: str, old: Sequence[str], new: Sequence[str]) -> None:
        for slot in old:
            self.faces.pop(slot, None)

    def _face(self, slot: str) -> str:
        return self.book.faces.get(slot) or self.faces[slot]

    def _token(self, slot: str, *, forget: bool = False) -> r.Token:
        face = self._face(slot)
        if slots.is_open(slot):
            return r.Token(slot, face)
        if forget:
            del self.faces[slot]
        return r.Token(slot, face, self._keyed("salts", slot).hex())

    def _find(self, bag: str, faces: Sequence[str]) -> list[str]:
        """Slots with these faces. Among equal faces, slots that everybody knows come first, then an order that only M
        gives, so that the choice reveals nothing."""
        inside, found = self.book.content(bag), []
        for face in faces:
            fits = [slot for slot in inside if self._face(slot) == face]
            if not fits:
                raise Fault("rule-broken", t("{bag} does not hold what is taken out of it", bag=bag))
            slot = min(fits, key=lambda slot: b"" if slots.is_open(slot) else self._keyed("order", slot))
            inside.remove(slot)
            found.append(slot)
        return found

    def _keyed(self, label: str, slot: str) -> bytes:
        """A value that M gives a sealed slot: its salt (`salts`), or its place in the order in which equal faces are
        opened (`order`). That is never published: a salt that was chosen because it is the smallest would reveal how
        many it was chosen from."""
        bag, generation, number = slots.parse_slot(slot)
        key = self._keys.get((label, bag, generation))
        if key is None:
            secret, seating = slots.order_secret(self._secret, self.seating, self._chance if label == "order" else b"")
            key = self._keys[label, bag, generation] = derive(secret, label, seating, bag, generation)
        return slots.salt(key, number)


def dealt(calls: Calls | None, faces: Mapping[str, str]) -> tuple[Mapping[str, str], Mapping[int, Sequence[r.Token]]]:
    """The faces of all sealed slots after a round that a dealer played, and what seats were told in it; if nothing was
    played, `faces` stay as they were."""
    return (calls.faces, calls.openings) if isinstance(calls, Dealer) else (faces, {})


def private_parts(
    closed: Closed, openings: Mapping[int, Sequence[r.Token]], sealed: SealedAnswers
) -> Iterator[tuple[int, r.Private]]:
    """What each seat is told after a round: the tokens that it got and, if it was taken over, what is sealed for it."""
    entry, after = closed.entry, closed.checkpoint
    for seat in range(len(after.state.missed)):
        left = tuple(
            r.SealedAnswer(held.round, seat, sealed[held.round, seat])
            for held in inherited_answers(after.state, seat)
            if (held.round, seat) in sealed
        )
        if openings.get(seat) or left:
            yield seat, r.Private(entry.game, entry.round, after.head, seat, tuple(openings.get(seat, ())), left)
