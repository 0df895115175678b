"""Every document of the protocol, as a type. The shapes are described in `schemas/PROTOCOL.md`, section 4."""

from typing import Annotated

import msgspec

from referee.crypto.codec import PROJECT, Hex32, Hex64
from referee.crypto.envelope import Envelope
from referee.game import Ask, Result

Json = msgspec.Raw | msgspec.UnsetType
"""An embedded value of the game's own, kept as it came; it may be left out."""
NOTHING = msgspec.UNSET
VIEW_FILE = PROJECT + "view"
TRANSCRIPT_FILE = PROJECT + "transcript"
MOST_SEATS = 16
LONGEST_WORD = 200
"""Most characters of what a player says to the host."""

_BAG = r"[a-z]{1,20}(/[0-9]{1,2})?"
Seat = Annotated[int, msgspec.Meta(ge=0, lt=MOST_SEATS)]
Round = Annotated[int, msgspec.Meta(ge=0, le=2048)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
BagName = Annotated[str, msgspec.Meta(pattern=rf"\A{_BAG}\Z")]
HandName = Annotated[str, msgspec.Meta(pattern=r"\A[a-z]{1,20}\Z")]
FieldName = Annotated[str, msgspec.Meta(pattern=r"\A[a-z_]{1,40}\Z")]
Slot = Annotated[str, msgspec.Meta(pattern=rf"\A{_BAG}(\.[0-9]{{1,6}}\.[0-9]{{1,6}}|\+[0-9]{{1,6}})\Z")]
Face = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Small = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Due = Annotated[str, msgspec.Meta(pattern=r"\A([0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]Z)?\Z")]
Empty32 = Annotated[str, msgspec.Meta(pattern=r"\A([0-9a-f]{64})?\Z")]
Minutes = Annotated[int, msgspec.Meta(ge=0, le=525_600)]
"""At most 365 days."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Base of all documents: unknown fields are refused, what has its default is left out. None is part of a cycle."""


# --- lobby -----------------------------------------------------------------------------------------------------------


class Offer(Record, frozen=True):
    """The host opens a game. The tip binds the host's secret M; `code` is the hash of the rule modules."""

    game: Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9-]{1,40}\Z")]
    rules: Name
    code: Hex32
    edition: msgspec.Raw
    options: msgspec.Raw
    seats: Annotated[int, msgspec.Meta(ge=1, le=MOST_SEATS)]
    nonce: Hex32
    key: Hex32
    tip: Hex32
    box: Hex32
    """Sealed fields are encrypted to this key (X25519)."""
    deadline: Minutes = 0
    """For each answer; 0: there are no deadlines."""
    grace: Minutes = 0
    """So much later than its deadline nobody is passed over yet."""
    chance: Empty32 = ""
    """Common chance: all draws come from a secret that this binds, not from links."""
    arbiter: Empty32 = ""
    """The key whose rulings bind everybody who joins."""


class Join(Record, frozen=True):
    """A player answers an offer."""

    offer: Hex32
    name: Name
    key: Hex32
    nonce: Hex32
    tip: Hex32
    kept: bool = False
    """The host keeps this key, and signs for a player who only writes words."""


class Genesis(Record, frozen=True):
    """Offer, joins in seat order, the leaves of every bag the game starts with, the names of the hands. Its id is the
    game's id."""

    offer: Envelope
    joins: tuple[Envelope, ...]
    leaves: dict[BagName, tuple[Hex32, ...]]
    hands: tuple[HandName, ...] = ()


# --- answers ---------------------------------------------------------------------------------------------------------

Commit = dict[FieldName, Hex32]


class Move(Record, frozen=True):
    """A player's answer in one round: a decision, a bare link, or leaving the game. Sealed fields are committed to."""

    game: Hex32
    round: Round
    asked: Hex32
    """Id of the entry that asked (round 1: the game's id)."""
    seat: Seat
    link: Hex32
    answer: Json = NOTHING
    commit: Commit = {}
    standing: Json = NOTHING
    """The game's standing words of this seat from now on; left out: as before."""
    resign: bool = False


class Secret(Record, frozen=True):
    """The value of one sealed field, with the salt of its commitment."""

    salt: Hex32
    value: msgspec.Raw


Secrets = dict[FieldName, Secret]


class MoveFile(Record, frozen=True):
    """A move as it is sent: the envelope, and beside it, encrypted, what only the host may see."""

    body: msgspec.Raw
    sig: Hex64
    type: str
    sealed: str = ""
    """`Secrets` in a box (`crypto/box.py`), as base64."""


class Answer(Record, frozen=True):
    """A move as an entry keeps it: what the entry says already is not stored twice."""

    seat: Seat
    link: Hex32
    sig: Hex64
    answer: Json = NOTHING
    commit: Commit = {}
    standing: Json = NOTHING
    resign: bool = False


class Word(Record, frozen=True):
    """What a player says about himself, to the host alone: `away until 2027-01-05`. It is no part of the game."""

    game: Hex32
    round: Round
    """The open round, in which it is said."""
    seat: Seat
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_WORD)]


# --- operations ------------------------------------------------------------------------------------------------------


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


# --- the chain -------------------------------------------------------------------------------------------------------


class Entry(Record, frozen=True):
    """One closed round: what came in, what was drawn, what it led to, who is asked next."""

    game: Hex32
    round: Round
    prev: Hex32
    answers: tuple[Answer, ...]
    link: Hex32
    """The host's link r[n]."""
    public: Hex32
    """Hash of the position."""
    state: Hex32
    """Hash of everything the next round needs."""
    timeouts: tuple[Seat, ...] = ()
    ops: tuple[Op, ...] = ()
    ask: tuple[Ask, ...] = ()
    result: Result | None = None
    end: str = ""
    """`result`, `left` (one seat is left) or `void` (the links ran out)."""
    due: Due = ""
    """The deadline for the next round; there exactly if the offer has deadlines and the game goes on."""


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


class State(Record, frozen=True):
    """Everything the next round needs, all of it public. Its hash stands in the entry."""

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
    """Per seat: timeouts running."""
    left: tuple[tuple[Seat, Round], ...] = ()
    """Seats that resigned, and when."""
    held: tuple[Held, ...] = ()
    holding: bool = False
    """A timeout closed the last round: nothing of it is played yet."""
    end: str = ""
    due: Due = ""
    drawn: dict[str, Small] = {}
    """In a game of common chance: what was drawn from and by whom -> how often so far."""


# --- what is sent ----------------------------------------------------------------------------------------------------


class Private(Record, frozen=True):
    """What one seat was told in one round, signed by the host."""

    game: Hex32
    round: Round
    entry: Hex32
    seat: Seat
    openings: Annotated[tuple[Token, ...], msgspec.Meta(min_length=1)]


class View(Record, frozen=True):
    """One player's file: the public entries, the position, and what this seat was told. Enough to play and to audit."""

    format: str
    seat: Seat
    genesis: Envelope
    entries: tuple[Envelope, ...]
    privates: tuple[Envelope, ...] = ()
    public: Json = NOTHING


class Receipt(Record, frozen=True):
    """The host's word on one answer: `taken`, or the code of the refusal."""

    game: Hex32
    round: Round
    seat: Seat
    move: Hex32
    code: Annotated[str, msgspec.Meta(pattern=r"\A[a-z-]{1,40}\Z")]


class Transcript(Record, frozen=True):
    """A finished game with all its secrets."""

    format: str
    genesis: Envelope
    entries: tuple[Envelope, ...]
    secret: Hex32
    sealed: tuple[SealedAnswer, ...] = ()
    chance: Empty32 = ""


def content(value: Json) -> bytes:
    """The bytes of an embedded value; empty if it was left out."""
    return b"" if value is NOTHING else bytes(value)


def rebuilt(game: str, round: int, prev: str, answer: Answer) -> Move:
    """The move that a player signed, from what an entry keeps of it."""
    a = answer
    return Move(game, round, prev, a.seat, a.link, a.answer, a.commit, a.standing, a.resign)
