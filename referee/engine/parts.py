"""What documents are made of (PROTOCOL.md, section 4): the fields that they share, operations, and the state."""

from typing import Annotated

import msgspec

from referee.crypto.codec import PROJECT, Hex32
from referee.game import Ask, Result

Json = msgspec.Raw | msgspec.UnsetType
"""An embedded value of the game's own, kept as it came; it may be left out."""
NOTHING = msgspec.UNSET
VIEW_FILE = PROJECT + "view"
TRANSCRIPT_FILE = PROJECT + "transcript"
MOST_SEATS = 16
MOST_TAKEOVERS = 100
LONGEST_WORD = 200
"""Most characters of a statement to the host."""

_BAG = r"[a-z]{1,20}(/[0-9]{1,2})?"
Seat = Annotated[int, msgspec.Meta(ge=0, lt=MOST_SEATS)]
Round = Annotated[int, msgspec.Meta(ge=0, le=2048)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
BagName = Annotated[str, msgspec.Meta(pattern=rf"\A{_BAG}\Z")]
HandName = Annotated[str, msgspec.Meta(pattern=r"\A[a-z]{1,20}\Z")]
FieldName = Annotated[str, msgspec.Meta(pattern=r"\A[a-z_]{1,40}\Z")]
Slot = Annotated[str, msgspec.Meta(pattern=rf"\A{_BAG}(\.[0-9]{{1,6}}\.[0-9]{{1,6}}|\+[0-9]{{1,6}})\Z")]
Commit = dict[FieldName, Hex32]
Face = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Small = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Due = Annotated[str, msgspec.Meta(pattern=r"\A([0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]Z)?\Z")]
Empty32 = Annotated[str, msgspec.Meta(pattern=r"\A([0-9a-f]{64})?\Z")]
Minutes = Annotated[int, msgspec.Meta(ge=0, le=525_600)]
"""At most 365 days."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Base of all documents: unknown fields are refused, defaults are left out. No instance is part of a reference
    cycle."""


# --- what happened to dice, containers and sealed answers: the operations of an entry (section 7) --------------------


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
    """A container was resealed: its whole content is in new slots now."""

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


# --- the state -------------------------------------------------------------------------------------------------------


class Bag(Record, frozen=True):
    """A container: its slots in the order the seed counts them, its tail, its generation, how often it was filled."""

    generation: Annotated[int, msgspec.Meta(ge=-1, le=1_000_000)] = -1
    """-1 until it is sealed for the first time."""
    slots: tuple[Slot, ...] = ()
    tail: tuple[Slot, ...] = ()
    puts: Small = 0


class BookRecord(Record, frozen=True):
    """What everybody knows of all containers."""

    bags: dict[BagName, Bag] = {}
    leaves: dict[Slot, Hex32] = {}
    """Of every sealed slot that lies in a container."""
    faces: dict[Slot, Face] = {}
    """Of every slot that was filled openly and lies in a container."""
    told: dict[Slot, tuple[Seat, ...]] = {}
    """Which seats were told a sealed slot."""
    inside: dict[Face, Small] = {}
    """How many tokens of each face lie in containers, all together."""


class Held(Record, frozen=True):
    """What a seat answered in a round that a timeout closed; it is played later."""

    seat: Seat
    round: Round
    answer: Json = NOTHING
    commit: Commit = {}


class Vacancy(Record, frozen=True):
    """A seat that can be taken over: at once by the player its holder named, by others some time after it is out."""

    seat: Seat
    round: Round
    """The round in which its holder went out, resigned or named somebody."""
    entry: Empty32 = ""
    """Id of the entry of that round: known from the round after it on."""
    due: Due = ""
    """The time which that entry stated."""
    key: Empty32 = ""
    """The key that the holder named."""


class Holder(Record, frozen=True):
    """Who took over a seat."""

    seat: Seat
    since: Round
    """The round after which it is this holder's."""
    name: Name
    key: Hex32
    nonce: Hex32
    tip: Hex32
    kept: bool = False


class State(Record, frozen=True):
    """Everything the next round needs, all of it public. The entry has its hash."""

    round: Round
    acc: Hex32
    book: BookRecord
    public: Empty32 = ""
    """Hash of the position; empty before the first."""
    pending: tuple[Ask, ...] = ()
    result: Result | None = None
    links: tuple[tuple[Round, Hex32], ...] = ()
    """Per seat: the last link revealed, and its round."""
    host_link: tuple[Round, Hex32] = (0, "")
    missed: tuple[Small, ...] = ()
    """Per seat: consecutive timeouts."""
    left: tuple[tuple[Seat, Round], ...] = ()
    """Seats that resigned, and when."""
    held: tuple[Held, ...] = ()
    holding: bool = False
    """A timeout closed the last round: nothing in it has been played yet."""
    end: str = ""
    due: Due = ""
    drawn: dict[str, Small] = {}
    """In a game of common chance: what was drawn from and by whom -> how often so far."""
    holders: tuple[Holder, ...] = ()
    """Everybody who ever took over a seat, in that order; the last of a seat holds it."""
    vacant: tuple[Vacancy, ...] = ()
    """Seats that can be taken over, in seat order."""
    linking: bool = False
    """Somebody took a seat or came back in the last round: the next one needs a link from everybody."""
    bank: tuple[Minutes, ...] = ()
    """Per seat: the minutes left in its bank; empty if the offer has none."""
