"""The reader: `Draws` for everybody else. Each call of the rules must be the next operation of the signed entry.

Picks are checked by the seed, openings by their leaves. With the openings that one seat was told it also checks what
only the owner can: nothing withheld, nothing exchanged, each token the one committed to.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from referee.engine import records as r
from referee.engine.book import Fault, fits_leaf, known
from referee.engine.draws import Calls, Source, commitment, listed
from referee.errors import RulesFault
from referee.language import Text, quoted, t


class Owner:
    """One seat's own knowledge: faces by slot, what it sealed itself, and the openings of the entry being read."""

    def __init__(self, seat: int, sealed: Mapping[int, r.Secrets]) -> None:
        self.seat = seat
        self.sealed = sealed
        """Round -> the owner's sealed fields, as far as their program kept them."""
        self.faces: dict[str, str] = {}
        self.openings: list[r.Token] = []
        self.opened = 0
        """How many openings were read so far."""


class Reader(Calls):
    """Reads the operations of one entry; `owner` is the seat whose view it is, if it belongs to a seat."""

    def __init__(self, source: Source, given: Sequence[r.Op], owner: Owner | None = None) -> None:
        super().__init__(source)
        self._script = given
        self._owner = owner
        self._told = {owner.seat: owner.openings} if owner is not None else {}
        """The openings of this entry that seats were told, as far as they are known."""

    def _next(self, kind: type[Any]) -> Any:
        """The operation that this call must match."""
        at = len(self.ops)
        if at >= len(self._script):
            why = t("operation {at} is missing: the rules ask for `{kind}`", at=at + 1, kind=_word(kind))
            raise Fault("bad-ops", why)
        op = self._script[at]
        if type(op) is not kind:
            words = {"op": _word(type(op)), "kind": _word(kind)}
            raise Fault("bad-ops", t("operation {at} is `{op}`, the rules ask for `{kind}`", at=at + 1, **words))
        return op

    def _record(self, op: r.Op) -> None:
        given = self._next(type(op))
        code = "" if given == op else "bad-ops"
        if code and isinstance(op, r.Deal) and (given.bag, given.into) == (op.bag, op.into):
            code = "bad-pick"
        if code and isinstance(op, r.Die) and given.sides == op.sides:
            # More dice of this kind may follow; `finish` checks that none is left over.
            thrown = given.values[: len(op.values)]
            code = "" if thrown == op.values else "bad-ops" if len(thrown) < len(op.values) else "bad-die"
        if code:
            at, word = len(self.ops) + 1, _word(type(op))
            raise Fault(code, t("operation {ops} (`{op}`) is not what the rules and the seed give", ops=at, op=word))
        self.ops.append(op)

    def _pick(self, bag: str, count: int) -> list[str]:
        op = self._script[len(self.ops)] if len(self.ops) < len(self._script) else None
        named = [token.slot for token in op.tokens] if isinstance(op, r.Take) else getattr(op, "slots", ())
        self._recorded = list(named)
        return super()._pick(bag, count)

    def _common(self, what: str, count: int, n: int) -> int:
        """As recorded: only whoever has the secret can tell whether it is right."""
        if what.startswith("die "):
            last = self.ops[-1] if self.ops else None
            thrown = len(last.values) if isinstance(last, r.Die) and last.sides == n else 0
            op = self._script[at] if (at := len(self.ops) - bool(thrown)) < len(self._script) else None
            values = op.values[thrown:] if isinstance(op, r.Die) and op.sides == n else ()
            if not values or not 1 <= values[0] <= n:
                why = t("a die with {n} sides cannot show what is recorded", n=n)
                raise Fault("bad-die" if values else "bad-ops", why)
            return values[0] - 1
        left, slot = self.book.bag(what).slots, self._recorded.pop(0) if self._recorded else ""
        if slot not in left:
            raise Fault("bad-pick", t("a slot was taken out of {what} that is not in it", what=what))
        return left.index(slot)

    def _check_leaf(self, token: r.Token) -> None:
        """A slot's face is the one committed to, or the one put in openly."""
        opened = not token.salt and self.book.faces.get(token.slot) == token.face
        if not opened and not fits_leaf(self.seating, self.book.leaves, token):
            face = quoted(token.face[:40])
            why = t("slot {slot} does not hold {face}: its leaf differs", slot=token.slot, face=face)
            raise Fault("bad-opening", why)

    def _tokens(self, kind: type[r.Take], bag: str, taken: Sequence[str]) -> tuple[r.Token, ...]:
        tokens: tuple[r.Token, ...] = self._next(kind).tokens
        if [token.slot for token in tokens] != list(taken):
            raise Fault("bad-pick", t("the slots taken out of {bag} are not those that the seed picks", bag=bag))
        for token in tokens:
            self._check_leaf(token)
        return tokens

    def _named(self, bag: str, faces: Sequence[str]) -> tuple[r.Token, ...]:
        tokens: tuple[r.Token, ...] = self._next(r.LayOut).tokens
        if [token.face for token in tokens] != list(faces):
            raise Fault("bad-ops", t("the tokens laid out from {bag} are not those the rules ask for", bag=bag))
        self._inside(bag, [token.slot for token in tokens], "bad-opening")
        known = [slot for slot in self.book.content(bag) if slot in self.book.faces]
        for token in tokens:
            self._check_leaf(token)
            first = next((slot for slot in known if self.book.faces[slot] == token.face), token.slot)
            if token.slot != first:
                why = t("a sealed token was laid out from {bag} before an open one", bag=bag)
                raise Fault("bad-ops", why)
            known = [slot for slot in known if slot != first]
        return tokens

    def _all_of(self, bag: str, face: str) -> tuple[r.Token, ...]:
        tokens: tuple[r.Token, ...] = self._next(r.LayOutAll).tokens
        out = [token.slot for token in tokens]
        self._inside(bag, out, "bad-opening")
        for token in tokens:
            self._check_leaf(token)
            if face and token.face != face:
                raise Fault("bad-ops", t("the tokens laid out from {bag} are not those the rules ask for", bag=bag))
        left = [slot for slot in self.book.content(bag) if slot not in out]
        faces = self.book.faces | self._faces
        if out != [slot for slot in self.book.content(bag) if slot in out]:
            raise Fault("bad-ops", t("tokens were laid out from {bag} in the wrong order", bag=bag))
        if (left and not face) or any(faces.get(slot) == face for slot in left if face):
            raise Fault("withheld", t("a token that had to be laid out stayed in {bag}", bag=bag))
        return tokens

    def _given(self, seat: int, field: str, bag: str, count: int) -> tuple[str, ...]:
        chosen: tuple[str, ...] = self._next(r.Give).slots
        if len(chosen) != count or list(chosen) != [slot for slot in self.book.content(bag) if slot in chosen]:
            raise Fault("bad-ops", t("the slots that leave {bag} face down are not named as they should be", bag=bag))
        own = self._own_field(seat, field)
        if own is not None:
            faces = self.book.faces | self._faces
            if Counter(faces[slot] for slot in chosen if slot in faces) - Counter(listed(own)):
                raise Fault("false-gift", t("the tokens given away are not those that you chose"))
        return chosen

    def _sought(self, seat: int, field: str, bag: str, fixed: tuple[str, ...] | None) -> tuple[str, ...]:
        chosen: tuple[str, ...] = self._next(r.Seek).slots
        own = self._own_field(seat, field) if fixed is None else None
        self._ranking = listed(own) if own is not None else fixed
        if len(chosen) > 1 or not set(chosen) <= set(self.book.content(bag)):
            raise Fault("bad-ops", t("the slots that leave {bag} face down are not named as they should be", bag=bag))
        return chosen

    def seek(self, seat: int, field: str, bag: str, into: str, fixed: Sequence[str]) -> None:
        super().seek(seat, field, bag, into, fixed)
        found = [self._faces[slot] for slot in self.ops[-1].slots if slot in self._faces]  # type: ignore[union-attr]
        if found and self._ranking is not None and found[0] not in self._ranking:
            raise Fault("false-gift", t("you were given a token that you did not ask for"))

    def _own_field(self, seat: int, field: str) -> bytes | None:
        """What was sealed in the field that is being used, if this reader knows it."""
        held = self.played.get(seat)
        if held is None or field not in held.commit:
            raise RulesFault(t("seat {seat} has no such sealed field", seat=seat + 1))
        kept = self._sealed(held.round, seat).get(field)
        # A player who signed twice may have kept a different value from the one that was accepted.
        if kept is None or commitment(self.game_id, held.round, seat, field, kept) != held.commit[field]:
            return None
        return bytes(kept.value)

    def _sealed(self, round: int, seat: int) -> r.Secrets:
        """What this reader knows of the sealed fields of an answer: the owner of its own."""
        own = self._owner
        return own.sealed.get(round, {}) if own is not None and own.seat == seat else {}

    @property
    def _faces(self) -> dict[str, str]:
        """What the owner knows of sealed slots."""
        return self._owner.faces if self._owner is not None else {}

    def _leaves(self, bag: str, size: int) -> tuple[str, ...]:
        leaves: tuple[str, ...] = self._next(r.Shuffle).leaves
        if len(leaves) != size:
            given = len(leaves)
            why = t("{bag} holds {size} tokens, but {leaves} were resealed", bag=bag, size=size, leaves=given)
            raise Fault("bad-shuffle", why)
        return leaves

    def _secrets(self, seat: int, fields: Sequence[str]) -> r.Secrets:
        shown: r.Secrets = self._next(r.Unseal).fields
        held = self.played[seat]
        if sorted(shown) != list(fields):
            raise Fault(
                "bad-ops",
                t("the fields shown of seat {seat} are not those the rules ask for", seat=seat + 1),
            )
        for name, secret in shown.items():
            if commitment(self.game_id, held.round, seat, name, secret) != held.commit[name]:
                why = t("what is shown of seat {seat}'s sealed answer is not what its player signed", seat=seat + 1)
                raise Fault("bad-shown", why)
        return shown

    def _tell(self, seat: int, news: Sequence[str]) -> None:
        """The next openings for a seat must be the slots that it got."""
        openings = self._told.get(seat)
        if openings is None:
            return
        told, openings[: len(news)] = openings[: len(news)], []
        if [token.slot for token in told] != list(news):
            raise Fault("missing-opening", self._untold(seat))
        for token in told:
            self._check_leaf(token)
            self._faces[token.slot] = token.face

    def _untold(self, seat: int) -> Text:
        """What is wrong if a seat was not told what it got."""
        return t("you were not told which hidden tokens you got")

    def _resealed(self, bag: str, old: Sequence[str], new: Sequence[str]) -> None:
        owner = self._owner
        if owner is not None and self.book.owner(bag) == owner.seat:
            before = Counter(self._opens.get(slot) or owner.faces.get(slot, "") for slot in old)
            if before != Counter(owner.faces[slot] for slot in new):
                why = t("your {bag} does not hold the same tokens after it was resealed", bag=bag)
                raise Fault("false-hand", why)

    def shuffle(self, bag: str) -> None:
        self._opens = {slot: face for slot in self.book.content(bag) if (face := self.book.faces.get(slot))}
        super().shuffle(bag)

    def _inside(self, bag: str, taken: Sequence[str], code: str) -> None:
        if not set(taken) <= set(self.book.content(bag)) or len(set(taken)) != len(taken):
            raise Fault(code, t("a token was laid out that is not in {bag}", bag=bag))

    def finish(self) -> None:
        super().finish()
        if tuple(self.ops) != tuple(self._script):
            raise Fault("bad-ops", t("there are operations that the rules do not call for"))
        for face, number in Counter(self._lying()).items():
            if number > self.book.inside.get(face, 0):
                raise Fault("minted", t("there are more tokens {face} than were put in", face=quoted(face[:40])))

    def _lying(self) -> Iterable[str]:
        """The faces that this reader knows to lie in containers."""
        owner = self._owner
        if owner is None or not self.ops:
            return ()
        return chain.from_iterable(known(self.book.record(), self.game.hands, owner.seat, owner.faces).values())


def _word(kind: type[Any]) -> str:
    return str(kind.__struct_config__.tag)
