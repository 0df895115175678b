"""The host's file, as types: it is read and written by the host alone."""

import msgspec

from referee.crypto.codec import PROJECT, Hex32
from referee.crypto.envelope import Envelope
from referee.engine.records import NOTHING, Face, Json, MoveFile, Record, Round, SealedAnswer, Slot

GAME_FILE = PROJECT + "game"


class Vault(Record, frozen=True):
    """What only the host knows: the faces of all sealed slots, and sealed answers."""

    faces: dict[Slot, Face] = {}
    sealed: tuple[SealedAnswer, ...] = ()


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
    entries: tuple[Envelope, ...]
    privates: tuple[tuple[Envelope, ...], ...]
    """Per seat."""
    state: msgspec.Raw
    vault: msgspec.Raw
    head: Envelope
    marks: tuple[Hex32, ...]
    """Checkpoints of the host's chain."""
    public: Json = NOTHING
    waiting: tuple[MoveFile, ...] = ()
    late: Json = NOTHING
    """Seats whose deadline passed in the open round."""
    revealed: bool = False
    """The transcript was written: nothing is played on."""
