"""Every document of the protocol, as a type. The shapes are described in `schemas/PROTOCOL.md`, section 4."""
# ruff: noqa: F403, F405 - code that needs the documents needs their parts

from operator import attrgetter
from typing import Annotated

import msgspec

from referee.crypto.codec import Hex32, Hex64
from referee.crypto.envelope import Envelope
from referee.engine.parts import *
from referee.game import Ask, Result

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
    """Minutes after a deadline before anybody is timed out."""
    bank: Minutes = 0
    """Minutes that each seat can be late in total, over all its answers, before it is timed out."""
    chance: Empty32 = ""
    """Common chance: all draws come from a secret that this binds, not from links."""
    arbiter: Empty32 = ""
    """The key whose rulings bind everybody who joins."""
    stage: Empty32 = ""
    """The stage of a tournament that the game belongs to: for readers; the ledger is the authority."""
    takeovers: Annotated[int, msgspec.Meta(ge=0, le=MOST_TAKEOVERS)] = 0
    """How often seats can be taken over in this game at most; 0: never."""
    takeover: Minutes = 0
    """How long a seat stays vacant before anybody but the player its holder named can take it over."""


class Join(Record, frozen=True):
    """A player answers an offer."""

    offer: Hex32
    name: str
    """See `engine/names.py` for those allowed."""
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


class AnswerFields(Record, frozen=True, kw_only=True):
    """The content of an answer: in the move that is signed, and in the entry that keeps it."""

    answer: Json = NOTHING
    commit: Commit = {}
    standing: Json = NOTHING
    """The game's standing orders of this seat from now on; left out: as before."""
    resign: bool = False
    box: Empty32 = ""
    """Hash of the encrypted part; present if and only if something is sealed."""
    protest: Empty32 = ""
    """In the first answer after a timeout: the id of the move that this seat had signed for that round."""
    handover: Empty32 = ""
    """The key that may take over this seat from now on; the seat's own key withdraws that."""


class Move(AnswerFields, frozen=True):
    """A player's answer in one round: a decision, a confirmation, or leaving. Sealed fields are committed to."""

    game: Hex32
    round: Round
    asked: Hex32
    """Id of the entry that asked (round 1: the game's id)."""
    seat: Seat
    link: Hex32


class MoveFile(Record, frozen=True):
    """A move as it is sent: the envelope, and beside it, encrypted, what only the host may see."""

    body: msgspec.Raw
    sig: Hex64
    type: str
    sealed: str = ""
    """The encrypted part: `Secrets` in a box (`engine/sealing.py`), as base64."""


class Answer(AnswerFields, frozen=True):
    """A move as an entry keeps it: what the entry already says is not stored twice."""

    seat: Seat
    link: Hex32
    sig: Hex64


class Succession(Record, frozen=True):
    """Somebody takes over a vacant seat; signed by the new key. It names the vacancy, so it can be used once."""

    game: Hex32
    seat: Seat
    vacancy: Hex32
    """Id of the entry in which the seat became vacant."""
    name: Name
    key: Hex32
    nonce: Hex32
    tip: Hex32
    kept: bool = False


class Return(Record, frozen=True):
    """A player who is out because of timeouts comes back; signed by the key that holds the seat."""

    game: Hex32
    seat: Seat
    vacancy: Hex32


class Word(Record, frozen=True):
    """A player's statement to the host alone: `away until 2027-01-05`. It is not part of the game."""

    game: Hex32
    round: Round
    """The open round."""
    seat: Seat
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_WORD)]


# --- the chain -------------------------------------------------------------------------------------------------------


class Returned(Record, frozen=True):
    """A return as an entry keeps it: the rest of what was signed is in the state."""

    seat: Seat
    sig: Hex64


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
    """The deadline for the next round; present if and only if the offer has deadlines and the game goes on."""
    successions: tuple[Envelope, ...] = ()
    """Who takes over a seat after this round, in seat order."""
    returns: tuple[Returned, ...] = ()
    """Seats that were out because of timeouts and are asked again after this round, in seat order."""
    used: tuple[tuple[Seat, Minutes], ...] = ()
    """Seats whose answers came late, and the minutes that their banks pay for it."""


# --- what is sent ----------------------------------------------------------------------------------------------------


class Private(Record, frozen=True):
    """What one seat was told in one round, signed by the host."""

    game: Hex32
    round: Round
    entry: Hex32
    seat: Seat
    openings: tuple[Token, ...]
    sealed: tuple[SealedAnswer, ...] = ()
    """For a player who takes over the seat: what its last holder sealed in answers that are still to be played."""


class View(Record, frozen=True):
    """One player's file: the public entries, the position, and what this seat was told. Enough to play and to audit.
    Without a seat it is a public view: all that everybody may know."""

    format: str
    genesis: Envelope
    entries: tuple[Envelope, ...]
    privates: tuple[Envelope, ...] = ()
    public: Json = NOTHING
    seat: Seat | None = None


class Receipt(Record, frozen=True):
    """The host's signed verdict on one answer: `taken`, or the code of the refusal."""

    game: Hex32
    round: Round
    seat: Seat
    move: Hex32
    code: Annotated[str, msgspec.Meta(pattern=r"\A[a-z-]{1,40}\Z")]


class Abandonment(Record, frozen=True):
    """The host's signed statement that a game ends after this round, without a result."""

    game: Hex32
    round: Round
    entry: Hex32
    """Id of the last entry (round 0: the game's id)."""


class Transcript(Record, frozen=True):
    """A finished game with all its secrets."""

    format: str
    genesis: Envelope
    entries: tuple[Envelope, ...]
    secret: Hex32
    sealed: tuple[SealedAnswer, ...] = ()
    chance: Empty32 = ""
    abandoned: Envelope | None = None
    """If the host ended the game early."""


def content(value: Json) -> bytes:
    """The bytes of an embedded value; empty if it was left out."""
    return b"" if value is NOTHING else bytes(value)


def answer_of(move: Move, sig: str) -> Answer:
    """What an entry keeps of a move."""
    return Answer(move.seat, move.link, sig, **dict(zip(_SHARED, _field_values(move), strict=True)))


def move_of(game: str, round: int, prev: str, answer: Answer) -> Move:
    """The move that a player signed, from what an entry keeps of it."""
    return Move(game, round, prev, answer.seat, answer.link, **dict(zip(_SHARED, _field_values(answer), strict=True)))


_SHARED = AnswerFields.__struct_fields__
_field_values = attrgetter(*_SHARED)
