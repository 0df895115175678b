"""The third `Draws`: the draws of a game of common chance, to the token, without what proves them to others.

Slots, generations, tails and the order of equal faces decide which token is drawn next, so they are the same here as in
a signed game (PROTOCOL.md, section 7). Leaves, salts and records are left out. A container that was shuffled is put in
order when a place in it first counts: most hands are never drawn from by place.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from referee.crypto.codec import H, derive
from referee.crypto.slots import arrange, salt
from referee.crypto.stream import Stream
from referee.engine.book import MOST_TOKENS, Fault
from referee.errors import RulesFault
from referee.game import Seat
from referee.language import t

NOBODY = b""
"""Common chance decides the same for any seating."""


class Answered(NamedTuple):
    """An answer that is being played: the whole move, its open part, and the names of its sealed fields."""

    whole: Any
    open: Any
    sealed: tuple[str, ...]


class Token:
    """A token in a container. `told`: the seats that know it; None: everybody does, it was put there openly."""

    __slots__ = ("bag", "face", "generation", "number", "told")

    def __init__(self, face: str, told: tuple[Seat, ...] | None, bag: str = "", generation: int = 0, number: int = 0):
        self.face, self.told = face, told
        self.bag, self.generation, self.number = bag, generation, number


class Box:
    """A container. `shuffled` are the faces that its last shuffle found in it, until somebody asks for a place; `gone`
    those of them that left openly since."""

    __slots__ = ("generation", "gone", "name", "owner", "shuffled", "slots", "tail")

    def __init__(self, name: str, owner: Seat | None) -> None:
        self.name, self.owner = name, owner
        self.generation = -1
        self.slots: list[Token] = []
        self.tail: list[Token] = []
        self.shuffled: list[str] | None = None
        self.gone: list[str] = []

    def count(self) -> int:
        return len(self.slots) + len(self.tail) + (len(self.shuffled) - len(self.gone) if self.shuffled else 0)

    def left(self) -> list[str]:
        """The faces of its last shuffle that are still in it, if they are not in order yet."""
        found = list(self.shuffled or ())
        for face in self.gone:
            found.remove(face)
        return found

    def tokens(self) -> list[Token]:
        """What is in it beside those."""
        return [*self.slots, *self.tail]


class LightDraws:
    """All containers of a game. `begin` starts the draws of a round, `finish` ends them."""

    def __init__(self, chance: bytes, bags: Mapping[str, Sequence[str]], hands: Sequence[str], seats: int) -> None:
        self._chance = chance
        self._owners = {f"{hand}/{seat}": seat for hand in hands for seat in range(seats)}
        self._boxes: dict[str, Box] = {}
        self._orders: dict[tuple[str, int], bytes] = {}
        self.drawn: dict[str, int] = {}
        """How often each actor has drawn from each container or die so far."""
        self.begin("", {})
        for name in sorted(bags):
            box = self._box(name)
            box.generation, box.shuffled = 0, sorted(bags[name])

    def begin(self, actor: str, played: Mapping[Seat, Answered]) -> None:
        """A new round: `actor` is whose draws these are, a seat or `table`."""
        self._actor, self.played = actor, played
        self.sealed: set[str] = set()
        """Containers that were shuffled in this round: nothing can be drawn from them."""
        self.mixed: dict[str, None] = {}
        """Hands that must be shuffled at its end, in order."""

    def finish(self) -> None:
        """The end of the round: hands that received tokens face down are shuffled."""
        for bag in [*self.mixed]:
            self.shuffle(bag)

    def known(self, hands: Sequence[str], seat: Seat) -> dict[str, tuple[str, ...]]:
        """Container -> sorted faces that a seat knows in it."""
        found: dict[str, tuple[str, ...]] = {f"{hand}/{seat}": () for hand in hands}
        for name, box in self._boxes.items():
            inside = [one.face for one in box.tokens() if one.told is None or seat in one.told]
            if box.shuffled and box.owner == seat:
                inside += box.left()
            if inside:
                found[name] = tuple(sorted(inside))
        return found

    # The calls ----------------------------------------------------------------------------------------------------

    def die(self, sides: int) -> int:
        if not 1 <= sides <= 1_000_000:
            raise RulesFault(t("there is no die with {sides} sides", sides=sides))
        return self._below(f"die {sides}", sides) + 1

    def take(self, bag: str, count: int) -> tuple[str, ...]:
        return tuple(token.face for token in self._pick(bag, count))

    def deal(self, bag: str, count: int, into: str) -> None:
        if count < self.count(bag):
            self._refuse_recognised(bag)
        self._arrive(into, self._pick(bag, count))

    def lay_out(self, bag: str, faces: Sequence[str]) -> None:
        box = self._box(bag)
        for face in faces:
            if box.shuffled and not any(one.face == face for one in box.tokens()) and face in box.left():
                box.gone.append(face)
            else:
                self._find(box, (face,))

    def lay_out_all(self, bag: str, face: str | None = None) -> tuple[str, ...]:
        box = self._box(bag)
        found = [one.face for one in box.tokens()] + box.left()
        if face:
            found = [one for one in found if one == face]
            self.lay_out(bag, found)
        else:
            self._empty(box)
        return tuple(sorted(found))

    def give(self, seat: Seat, field: str, count: int, bag: str, into: str) -> None:
        self._refuse_recognised(bag)
        wanted = self._named(seat, field)
        if len(wanted) != count:
            numbers = {"seat": seat + 1, "wanted": len(wanted), "count": count}
            raise Fault("rule-broken", t("seat {seat} gives {wanted} tokens instead of {count}", **numbers))
        box = self._box(bag)
        self._settle(box)
        before = box.tokens()
        chosen = set(map(id, self._find(box, wanted)))
        # In the order of the container, as everywhere.
        self._arrive(into, [token for token in before if id(token) in chosen])

    def seek(self, seat: Seat, field: str, bag: str, into: str, fixed: Sequence[str]) -> None:
        self._refuse_recognised(bag)
        box = self._box(bag)
        self._settle(box)
        inside = box.tokens()
        if any(token.told is None for token in inside):
            raise RulesFault(t("a token in {bag} is known to everybody: shuffle before searching", bag=bag))
        ranking = self._named(seat, field) if seat in self.played else fixed
        held = {token.face for token in inside}
        self._arrive(into, self._find(box, [face for face in ranking if face in held][:1]))

    def put(self, bag: str, faces: Sequence[str]) -> None:
        if faces:
            self._fill(bag, self._box(bag).slots, faces)

    def under(self, bag: str, faces: Sequence[str]) -> None:
        if faces:
            self._fill(bag, self._box(bag).tail, faces)

    def shuffle(self, bag: str) -> None:
        box = self._box(bag)
        faces = sorted([*(one.face for one in box.tokens()), *box.left()])
        self._empty(box)
        box.generation, box.shuffled = box.generation + 1, faces
        self.sealed.add(bag)
        self.mixed.pop(bag, None)

    def count(self, bag: str) -> int:
        box = self._boxes.get(bag)
        return box.count() if box else 0

    def unseal(self, seat: Seat, *fields: str) -> Any:
        held = self.played.get(seat)
        if held is None or not fields or not set(fields) <= set(held.sealed):
            raise RulesFault(t("seat {seat} has no such sealed field", seat=seat + 1))
        return replace(held.open, **{name: getattr(held.whole, name) for name in fields})

    # Shared parts -------------------------------------------------------------------------------------------------

    def _box(self, name: str) -> Box:
        found = self._boxes.get(name)
        if found is None:
            found = self._boxes[name] = Box(name, self._owners.get(name))
        return found

    def _below(self, what: str, n: int) -> int:
        place = f"{what} {self._actor}"
        count = self.drawn.get(place, 0)
        self.drawn[place] = count + 1
        return 0 if n == 1 else Stream(H("common", self._chance, what, self._actor, count)).below(n)

    def _settle(self, box: Box) -> None:
        """Put what was shuffled in order, and take out what left since."""
        if box.shuffled is None:
            return
        told = () if box.owner is None else (box.owner,)
        faces = arrange(self._chance, NOBODY, box.name, box.generation, box.shuffled)
        found = [Token(face, told, box.name, box.generation, at) for at, face in enumerate(faces)]
        for face in box.gone:
            found.remove(min((one for one in found if one.face == face), key=self._order))
        box.slots[:0], box.shuffled, box.gone = found, None, []

    def _order(self, token: Token) -> bytes:
        """The order in which tokens of the same face are taken: those that everybody knows come first."""
        if token.told is None:
            return b""
        place = token.bag, token.generation
        key = self._orders.get(place)
        if key is None:
            key = self._orders[place] = derive(self._chance, "order", NOBODY, *place)
        return salt(key, token.number)

    def _pick(self, bag: str, count: int) -> list[Token]:
        if bag in self.sealed:
            raise RulesFault(t("{bag} was sealed in this entry: ask for a link before it is drawn from", bag=bag))
        box, held = self._box(bag), self.count(bag)
        if not 0 <= count <= held:
            why = t("{count} tokens are drawn from {name}, which holds {name2}", count=count, name=bag, name2=held)
            raise RulesFault(why)
        self._settle(box)
        left, below = box.slots, partial(self._below, bag)
        return [left.pop(below(len(left))) if left else box.tail.pop(0) for _ in range(count)]

    def _find(self, box: Box, faces: Iterable[str]) -> list[Token]:
        """Take tokens of these faces out."""
        self._settle(box)
        found = []
        for face in faces:
            fits = [token for token in box.tokens() if token.face == face]
            if not fits:
                raise Fault("rule-broken", t("{bag} does not hold what is taken out of it", bag=box.name))
            token = fits[0] if len(fits) == 1 else min(fits, key=self._order)
            (box.slots if token in box.slots else box.tail).remove(token)
            found.append(token)
        return found

    def _named(self, seat: Seat, field: str) -> Sequence[str]:
        """The faces that a sealed field names."""
        held = self.played.get(seat)
        if held is None or field not in held.sealed:
            raise RulesFault(t("seat {seat} has no such sealed field", seat=seat + 1))
        found = getattr(held.whole, field)
        faces = (found,) if isinstance(found, str) else found
        if not isinstance(faces, (list, tuple)) or not all(isinstance(face, str) for face in faces):
            raise Fault("rule-broken", t("a sealed field does not name tokens"))
        return faces

    def _refuse_recognised(self, bag: str) -> None:
        """What moves face down must not be recognised by anybody but its owner."""
        box = self._box(bag)
        for token in box.slots:
            if token.told is None or any(seat != box.owner for seat in token.told):
                why = t("a token in {bag} could be recognised: shuffle before anything leaves it face down", bag=bag)
                raise RulesFault(why)

    def _arrive(self, into: str, tokens: Sequence[Token]) -> None:
        box = self._box(into)
        before, owner = box.count(), box.owner
        box.slots += tokens
        self._refuse_overfull(box)
        if owner is None:
            return
        for token in tokens:
            if token.told is not None and owner not in token.told:
                token.told = (*token.told, owner)
        if tokens and (before or any(one.told is None or any(seat != owner for seat in one.told) for one in box.slots)):
            self.mixed[into] = None

    def _fill(self, bag: str, part: list[Token], faces: Sequence[str]) -> None:
        part += [Token(face, None) for face in faces]
        self._refuse_overfull(self._box(bag))

    def _refuse_overfull(self, box: Box) -> None:
        if box.count() > MOST_TOKENS:
            raise RulesFault(t("{name} holds more than {most_tokens} tokens", name=box.name, most_tokens=MOST_TOKENS))

    def _empty(self, box: Box) -> None:
        box.slots, box.tail, box.shuffled, box.gone = [], [], None, []
