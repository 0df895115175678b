"""Proof files: the signed parts that show one offence, and nothing else. See `schemas/PROTOCOL.md`, section 11."""

from typing import Annotated

import msgspec

from referee.crypto.codec import PROJECT, Hex32
from referee.crypto.envelope import Envelope
from referee.engine import records as r
from referee.language import NOTHING, Message

PROOF_FILE = PROJECT + "proof"


class Proof(r.Record, frozen=True, tag_field="shows"):
    """What all proofs have: the genesis, which names the key that is accused."""

    format: str
    genesis: Envelope


class BadGenesis(Proof, frozen=True, tag="genesis"):
    """A genesis that no honest host signs."""


class TwoGeneses(Proof, frozen=True, tag="geneses"):
    """Two games started from one offer."""

    other: Envelope


class TwoEntries(Proof, frozen=True, tag="entries"):
    """Two entries for one round."""

    entries: Annotated[tuple[Envelope, ...], msgspec.Meta(min_length=2, max_length=2)]


class _After(Proof, frozen=True):
    """A checkpoint of the game, from the entry that led to it; in round 1 there is none."""

    before: Envelope | None = None
    state: r.Json = r.NOTHING
    """What the entry before has the hash of."""
    public: r.Json = r.NOTHING
    """The position, likewise."""
    tokens: tuple[r.Token, ...] = ()
    """Hidden tokens that lie in containers at that checkpoint: each fits its leaf in the state."""
    sealed: tuple[r.SealedAnswer, ...] = ()
    """Sealed fields of answers, which fit what was committed to."""


class BadRound(_After, frozen=True, kw_only=True, tag="round"):
    """An entry that does not follow from the one before it; with what the host told players in that round, if that is
    what is false."""

    entry: Envelope
    privates: Annotated[tuple[Envelope, ...], msgspec.Meta(max_length=r.MOST_SEATS)] = ()


class Refusal(_After, frozen=True, kw_only=True, tag="refusal"):
    """A move that was legal, and the host's receipt that refuses it."""

    move: Envelope
    receipt: Envelope
    ephemeral: r.Empty32 = ""
    """The private key with which the sealed fields were encrypted, if the receipt says that they do not fit."""


class Receipts(Proof, frozen=True, tag="receipts"):
    """Receipts that contradict each other, or the entry of their round."""

    receipts: Annotated[tuple[Envelope, ...], msgspec.Meta(min_length=1, max_length=2)]
    entry: Envelope | None = None


class Extended(Proof, frozen=True, tag="extension"):
    """More time that the host promised a seat, and the entry of that round, which times the seat out before then."""

    extension: Envelope
    entry: Envelope


class Revealed(Proof, frozen=True, tag="transcript"):
    """What only M shows: the entries up to the false one, with the secrets of the game."""

    entries: Annotated[tuple[Envelope, ...], msgspec.Meta(max_length=2048)]
    secret: Hex32
    sealed: tuple[r.SealedAnswer, ...] = ()
    chance: r.Empty32 = ""


AnyProof = BadGenesis | TwoGeneses | TwoEntries | BadRound | Refusal | Receipts | Extended | Revealed


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What files show, in a word, a code and a sentence."""

    verdict: str
    """`proved`, `altered`, `undecided` or `consistent`."""
    code: str
    message: Message
    next: Message = NOTHING
    """What to do about it; for `undecided`: what would decide it."""
    game: str = ""
    key: str = ""
    """The key that is proved to have signed it. No file can say whose key that is."""
    round: int = 0


PROVED, ALTERED, UNDECIDED, CONSISTENT = "proved", "altered", "undecided", "consistent"
