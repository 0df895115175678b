"""Everything the next round needs, all of it public. Its hash stands in the entry."""

from typing import Annotated

import msgspec

from referee.crypto.codec import Hex32
from referee.engine.shapes import (
    NOTHING,
    BagName,
    Commit,
    Due,
    Empty32,
    Face,
    Json,
    Minutes,
    Name,
    Record,
    Round,
    Seat,
    Slot,
    Small,
)
from referee.game import Ask, Result


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
    """A seat that can be taken over: by whom its holder named at once, by others when it is out, after some time."""

    seat: Seat
    round: Round
    """The round in which its holder went out, resigned or named somebody."""
    entry: Empty32 = ""
    """Id of the entry of that round: known from the round after it on."""
    due: Due = ""
    """The time which that entry stated."""
    key: Empty32 = ""
    """Whom the holder named."""


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
    holders: tuple[Holder, ...] = ()
    """Everybody who ever took over a seat, in that order; the last of a seat holds it."""
    vacant: tuple[Vacancy, ...] = ()
    """Seats that can be taken over, in seat order."""
    linking: bool = False
    """Somebody took a seat or came back in the last round: the next one is played with a link of everybody."""
    bank: tuple[Minutes, ...] = ()
    """Per seat: the minutes that are left of its bank; empty if the offer has none."""
