"""Every document of the protocol, as a type. The shapes are described in `schemas/PROTOCOL.md`, section 4."""

from typing import Annotated, Any, Generic, TypeVar

import msgspec

from referee.crypto.codec import PROJECT, Hex32, Hex64
from referee.crypto.envelope import Envelope
from referee.crypto.slots import is_open
from referee.game import ALL, NOBODY, Ask, Result

Pos = TypeVar("Pos")

Json = msgspec.Raw | msgspec.UnsetType
"""An embedded value of the game's own, kept as it came; it may be left out."""
NOTHING = msgspec.UNSET
GAME = PROJECT + "game"
VIEW = PROJECT + "view"
TRANSCRIPT = PROJECT + "transcript"
ENDS = ("result", "void", "rests")
"""How a game can be over: by the rules, because the links ran out, because nobody is left to ask."""

Seat = Annotated[int, msgspec.Meta(ge=0, le=63)]
Round = Annotated[int, msgspec.Meta(ge=0, le=8192)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
BagName = Annotated[str, msgspec.Meta(pattern=r"\A[a-z]{1,20}(/[0-9]{1,2})?\Z")]
Slot = Annotated[str, msgspec.Meta(pattern=r"\A[a-z]{1,20}(/[0-9]{1,2})?(\.[0-9]{1,6}\.[0-9]{1,6}|\+[0-9]{1,6})\Z")]
Face = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Small = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Audience = Annotated[int, msgspec.Meta(ge=-2, le=63)]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of all documents: unknown fields are refused, empty lists are left out."""


# --- lobby -----------------------------------------------------------------------------------------------------------


class Offer(Record, frozen=True):
    """The host opens a game. `secret` commits to M."""

    game: str
    rules: str
    edition: msgspec.Raw
    edition_hash: Hex32
    options: msgspec.Raw
    seats: Annotated[int, msgspec.Meta(ge=1, le=63)]
    nonce: Hex32
    secret: Hex32
    key: Hex32
    tip: Hex32


class Join(Record, frozen=True):
    """A player answers an offer."""

    offer: Hex32
    name: Name
    key: Hex32
    nonce: Hex32
    tip: Hex32


class Genesis(Record, frozen=True):
    """Offer, joins in seat order, and the leaves of every bag the game starts with. Its id is the game's id."""

    offer: Envelope
    joins: tuple[Envelope, ...]
    leaves: dict[BagName, tuple[Hex32, ...]]


# --- rounds ----------------------------------------------------------------------------------------------------------


class Move(Record, frozen=True):
    """A player's answer in one round. An ack or a witness is a bare link; sealed fields are only committed to."""

    game: Hex32
    round: Round
    asked: Hex32
    """Id of the entry that asked (round 1: the game's id)."""
    seat: Seat
    link: Hex32
    answer: Json = NOTHING
    commit: Hex32 = ""


class Secret(Record, frozen=True):
    """The sealed fields of a move, with the salt of their commitment."""

    salt: Hex32
    fields: msgspec.Raw


class MoveFile(Record, frozen=True):
    """A move as it is sent: the envelope, and beside it what only the host may see."""

    body: msgspec.Raw
    sig: Hex64
    type: str
    secret: Secret | None = None


class Answer(Record, frozen=True, gc=False):
    """A move as an entry keeps it: what the entry says already is not stored twice."""

    seat: Seat
    link: Hex32
    sig: Hex64
    answer: Json = NOTHING
    commit: Hex32 = ""


class Token(Record, frozen=True):
    """A slot; opened, it also shows its face and (unless it was filled openly) the salt of its leaf."""

    slot: Slot
    face: Face = ""
    salt: Hex32 = ""

    @property
    def leafless(self) -> bool:
        return is_open(self.slot)


class Die(Record, frozen=True, tag="die", tag_field="op"):
    """A die was thrown."""

    sides: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    value: Small
    label: str


class Take(Record, frozen=True, tag="take", tag_field="op"):
    """Tokens picked by the seed left a bag; open to all, or seen by seat `to`, or by nobody."""

    bag: BagName
    tokens: tuple[Token, ...]
    to: Audience = ALL
    into: Annotated[str, msgspec.Meta(pattern=r"\A([a-z]{1,20}(/[0-9]{1,2})?)?\Z")] = ""


class Open(Record, frozen=True, tag="open", tag_field="op"):
    """Tokens of a hand were shown and left it."""

    bag: BagName
    tokens: tuple[Token, ...]


class Put(Record, frozen=True, tag="put", tag_field="op"):
    """Tokens went openly into a bag, or under a pile."""

    bag: BagName
    faces: tuple[Face, ...]
    under: bool = False


class Seal(Record, frozen=True, tag="seal", tag_field="op"):
    """A container was sealed anew: its whole content lies in new slots now."""

    bag: BagName
    generation: Small
    leaves: tuple[Hex32, ...]
    owner: Audience = NOBODY


class Show(Record, frozen=True, tag="show", tag_field="op"):
    """The sealed fields of a seat's answer of some round were shown."""

    round: Round
    seat: Seat
    salt: Hex32
    fields: msgspec.Raw


Op = Die | Take | Open | Put | Seal | Show


class Entry(Record, frozen=True):
    """One closed round: what came in, what was drawn, what it led to, who is asked next."""

    game: Hex32
    round: Round
    prev: Hex32
    answers: tuple[Answer, ...]
    link: Hex32
    """The host's link r[n]."""
    public: Hex32
    full: Hex32
    timeouts: tuple[Seat, ...] = ()
    ops: tuple[Op, ...] = ()
    log: tuple[str, ...] = ()
    ask: tuple[Ask, ...] = ()
    out: tuple[Seat, ...] = ()
    """Seats that are no longer asked."""
    witness: tuple[Seat, ...] = ()
    """If any: these are asked for a bare link, and only then does what waits go on."""
    result: Result | None = None
    end: str = ""


# --- what the host keeps ---------------------------------------------------------------------------------------------


class Bag(Record, frozen=True):
    """A container: its slots in the order the seed counts them, its open tail, its generation, its open fillings."""

    generation: Annotated[int, msgspec.Meta(ge=-1, le=1_000_000)] = -1
    """-1 until it is sealed for the first time."""
    slots: tuple[Slot, ...] = ()
    tail: tuple[Slot, ...] = ()
    puts: Small = 0


class Held(Record, frozen=True):
    """An answer of a round that a timeout closed, waiting for a seed; no `fields`: the fallback is played."""

    seat: Seat
    round: Round
    fields: Json = NOTHING
    secret: Secret | None = None


class State(Record, Generic[Pos], frozen=True):
    """Everything the next round needs. Known to the host only."""

    round: Round
    entry: Hex32
    acc: Hex32
    position: Pos | None = None
    bags: dict[BagName, Bag] = {}
    faces: dict[Slot, Face] = {}
    openings: tuple[tuple[Token, ...], ...] = ()
    """Per seat: every hidden opening it was given so far."""
    missed: tuple[Small, ...] = ()
    """Per seat: timeouts running."""
    links: tuple[tuple[Round, Hex32], ...] = ()
    """Per seat: the last link revealed, and its round."""
    ask: tuple[Ask, ...] = ()
    witness: tuple[Seat, ...] = ()
    silent: tuple[Seat, ...] = ()
    """Seats that timed out since an answer is held."""
    held: tuple[Held, ...] = ()
    end: str = ""


class Head(Record, frozen=True):
    """What the host vouches for in its own game file."""

    game: Hex32
    round: Round
    entry: Hex32
    file: Hex32


class GameFile(Record, frozen=True):
    """The host's file. It holds secrets: players get views, never this."""

    format: str
    keep_secret: str
    """A warning to the host who is about to mail it."""
    genesis: Envelope
    entries: tuple[msgspec.Raw, ...]
    state: msgspec.Raw
    head: Envelope
    marks: tuple[Hex32, ...]
    """Checkpoints of the host's chain."""
    waiting: tuple[MoveFile, ...] = ()
    late: tuple[Seat, ...] = ()
    """Seats whose deadline passed in the open round."""
    sealed: tuple[msgspec.Raw, ...] = ()
    """Sealed fields of past answers (`Sealed`)."""


class Sealed(Record, frozen=True):
    """Sealed fields as a transcript reveals them."""

    round: Round
    seat: Seat
    secret: Secret


# --- what is sent ----------------------------------------------------------------------------------------------------


class Private(Record, frozen=True):
    """The host-signed part of a view that is for one player only."""

    game: Hex32
    round: Round
    entry: Hex32
    seat: Seat
    own: Json = NOTHING
    openings: tuple[Token, ...] = ()
    ask: Ask | None = None
    legal: Json = NOTHING


class View(Record, frozen=True):
    """One player's file: the public entries, the public position, the private part. Enough to play and to audit."""

    format: str
    genesis: Envelope
    entries: tuple[msgspec.Raw, ...]
    private: Envelope
    public: Json = NOTHING


class Receipt(Record, frozen=True):
    """The host's word on one answer: `taken`, or the code of the refusal."""

    game: Hex32
    round: Round
    seat: Seat
    move: Hex32
    code: str


class Transcript(Record, frozen=True):
    """A finished game with all its secrets."""

    format: str
    genesis: Envelope
    entries: tuple[msgspec.Raw, ...]
    secret: Hex32
    sealed: tuple[msgspec.Raw, ...] = ()


def content(value: Json) -> bytes:
    """The bytes of an embedded value; empty if it was left out."""
    return b"" if value is NOTHING else bytes(value)


def asked(state: "State[Any] | Entry", out: tuple[int, ...]) -> dict[int, Ask]:
    """Who must answer now, and what."""
    if state.end:
        return {}
    if state.witness:
        return {seat: Ask(seat, "witness" if state.round else "ack") for seat in state.witness}
    return {ask.seat: ask for ask in state.ask if ask.seat not in out}
