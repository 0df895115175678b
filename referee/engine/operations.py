"""What happened to dice, containers and sealed answers: the operations of an entry (PROTOCOL.md, section 7)."""

from typing import Annotated

import msgspec

from referee.crypto.codec import Hex32
from referee.engine.shapes import BagName, Face, FieldName, Record, Round, Seat, Slot, Small


class Secret(Record, frozen=True):
    """The value of one sealed field, with the salt of its commitment."""

    salt: Hex32
    value: msgspec.Raw


Secrets = dict[FieldName, Secret]


class Token(Record, frozen=True):
    """An opened slot: its face, and the salt of its leaf unless it was filled openly."""

    slot: Slot
    face: Face
    salt: Hex32 = ""


class Die(Record, frozen=True, tag="die", tag_field="op"):
    """Dice of one kind were thrown, one after the other."""

    sides: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    values: tuple[Small, ...]


class _Opened(Record, frozen=True):
    bag: BagName
    tokens: tuple[Token, ...]


class Take(_Opened, frozen=True, tag="take", tag_field="op"):
    """Tokens picked by the seed left a container openly."""


class Deal(Record, frozen=True, tag="deal", tag_field="op"):
    """Tokens picked by the seed went face down into another container."""

    bag: BagName
    slots: tuple[Slot, ...]
    into: BagName


class LayOut(_Opened, frozen=True, tag="lay-out", tag_field="op"):
    """Tokens that the rules named left a container openly."""


class LayOutAll(_Opened, frozen=True, tag="lay-out-all", tag_field="op"):
    """All tokens of a container, or all of one face, left it openly."""

    face: Annotated[str, msgspec.Meta(max_length=40)] = ""


class Give(Record, frozen=True, tag="give", tag_field="op"):
    """Tokens that a sealed field names went face down into another container."""

    seat: Seat
    field: FieldName
    bag: BagName
    slots: tuple[Slot, ...]
    into: BagName


class Seek(Record, frozen=True, tag="seek", tag_field="op"):
    """The first token of a sealed ranking went face down into another container; no slot: there was none."""

    seat: Seat
    field: FieldName
    bag: BagName
    into: BagName
    slots: tuple[Slot, ...] = ()


class Put(Record, frozen=True, tag="put", tag_field="op"):
    """Tokens went openly into a container, or under a pile."""

    bag: BagName
    faces: tuple[Face, ...]
    under: bool = False


class Shuffle(Record, frozen=True, tag="shuffle", tag_field="op"):
    """A container was sealed anew: its whole content lies in new slots now."""

    bag: BagName
    generation: Small
    leaves: tuple[Hex32, ...]


class SealedAnswer(Record, frozen=True):
    """Sealed fields of one answer."""

    round: Round
    seat: Seat
    fields: Secrets


class Unseal(SealedAnswer, frozen=True, tag="unseal", tag_field="op"):
    """Sealed fields of an answer of some round were shown."""


Op = Die | Take | Deal | LayOut | LayOutAll | Give | Seek | Put | Shuffle | Unseal
