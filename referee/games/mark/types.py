"""The nouns of M.A.R.K. Everything is open except the sealed fields of offers and bids."""

from collections.abc import Sequence
from typing import Annotated, Literal, Protocol, get_args

import msgspec

from referee.game import Refusals, Seen, Terms

illegal = Refusals("referee.games.mark")

Kind = Literal["glass", "plastic", "paper", "metal", "composite"]
KINDS: tuple[Kind, ...] = ("glass", "plastic", "paper", "metal", "composite")
"""Also the order of the faces 1 to 5 of both dice."""
Face = Literal["glass", "plastic", "paper", "metal", "composite", "hammer", "star"]

Count = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Money = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
Price = Annotated[int, msgspec.Meta(ge=0, le=99_999)]
"""A number printed in the box. What a game can pay out in all its rounds stays far below the limit of `Money`."""
Field = Literal[
    "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9"
]  # fmt: skip
"""A field of a plant: `d1` is the first of the delivery area, `p1` the first of the processing area behind it."""
FIELDS: tuple[Field, ...] = get_args(Field)
"""All the fields that an edition can have."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a host can choose in the offer: the four additions of 2003."""

    buy: bool = True
    """MK-12: buy a piece instead of rolling."""
    move: bool = True
    """MK-13: move a piece instead of rolling."""
    offer: bool = True
    """MK-14, MK-17: players may put a piece of their own up for auction."""
    liquidation: bool = True
    """MK-15, MK-16: the bank bids half the next market value."""


MarketRow = Annotated[tuple[Price, ...], msgspec.Meta(min_length=1, max_length=12)]
"""The values of a row; a picture has room for twelve."""


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The printed material: everything that a host who owns a different box may replace."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    market: Annotated[tuple[MarketRow, ...], msgspec.Meta(min_length=len(KINDS), max_length=len(KINDS))]
    """One row for each kind, from its lowest field up."""
    full_rows: Annotated[int, msgspec.Meta(ge=1, le=len(KINDS))]
    """This many full rows end the game."""
    idle_rounds: Annotated[int, msgspec.Meta(ge=1, le=60)]
    """This many full rounds in which no piece enters a row also end it."""
    pieces: Annotated[int, msgspec.Meta(ge=1, le=40)]
    """Of each kind."""
    area: Annotated[int, msgspec.Meta(ge=1, le=9)]
    """Fields of a delivery area, and of a processing area."""
    money: Price
    """What everybody starts with."""
    storage: Price
    """Cost of an area with `storage_from` pieces or more."""
    storage_from: Annotated[int, msgspec.Meta(ge=1, le=40)]
    buy_price: Price
    move_price: Price
    lowest_bid: Annotated[int, msgspec.Meta(ge=1, le=99_999)]
    """Where the liquidation value does not set it."""
    unplaced_value: Price
    """Liquidation value of a kind that is not in the market yet."""


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """A market row: the kind it is reserved for, and how many of its fields are covered."""

    kind: Kind | None = None
    pieces: Count = 0


class Player(msgspec.Struct, frozen=True):
    """One player: money, and what lies on each field of the plant."""

    money: Money
    delivery: tuple[Kind | None, ...]
    processing: tuple[Kind | None, ...]


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Standing orders of a player (MK-20 to MK-22): how these questions are answered without being asked."""

    roll: Literal["ask", "always"] = "ask"
    bid: Literal["ask", "nothing"] = "ask"
    offer: Literal["ask", "nothing"] = "ask"


class Lot(msgspec.Struct, frozen=True, omit_defaults=True):
    """The piece under the hammer. `owner` and `field` say whose it is and where it lies; None: it belongs to the bank.

    While players are asked for offers, only the kind is known.
    """

    kind: Kind
    owner: Count | None = None
    field: Field | None = None


class Public(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything on the table."""

    market: tuple[Row, ...]
    bank: tuple[Count, ...]
    """Pieces that the bank holds, in the order of KINDS."""
    players: tuple[Player, ...]
    standing: tuple[Words, ...]
    """The standing orders of each seat."""
    turn: Count = 0
    """Seat whose turn it is."""
    dice: tuple[Face, ...] = ()
    """What was rolled, while there is something to decide about it; the hammer can only come first, the star second."""
    lot: Lot | None = None
    """The auction in progress."""
    idle: Count = 1
    """Turns in a row without a piece entering the market, including the current one; extra turns do not count."""


class Position(Protocol):
    """What the rules look at: a `Public`, or the `Scratch` on which the next one is made."""

    @property
    def market(self) -> Sequence[Row]: ...
    @property
    def bank(self) -> Sequence[int]: ...
    @property
    def players(self) -> Sequence[Player]: ...
    @property
    def turn(self) -> int: ...
    @property
    def dice(self) -> tuple[Face, ...]: ...
    @property
    def lot(self) -> Lot | None: ...


class Roll(msgspec.Struct, frozen=True, tag="roll", tag_field="do", forbid_unknown_fields=True):
    """Asked "turn": roll both dice."""


class Buy(msgspec.Struct, frozen=True, tag="buy", tag_field="do", forbid_unknown_fields=True):
    """Asked "turn": a piece from the bank onto a free delivery field, for money."""

    kind: Kind
    field: Field


class Shift(msgspec.Struct, frozen=True, tag="move", tag_field="do", forbid_unknown_fields=True):
    """Asked "turn": a piece from a delivery field to an adjacent free processing field, for money."""

    source: Field
    target: Field


class Take(msgspec.Struct, frozen=True, tag="take", tag_field="do", forbid_unknown_fields=True):
    """Asked "act" or "again": a piece from the bank onto a free delivery field."""

    kind: Kind
    field: Field


class Process(msgspec.Struct, frozen=True, tag="process", tag_field="do", forbid_unknown_fields=True):
    """Asked "act" or "again": a piece from a delivery field to an adjacent free processing field."""

    source: Field
    target: Field


class Sell(msgspec.Struct, frozen=True, tag="sell", tag_field="do", forbid_unknown_fields=True, omit_defaults=True):
    """Asked "act" or "again": a processed piece to the market; the first of its kind chooses a row (from 0)."""

    source: Field
    row: Count | None = None


class Nothing(msgspec.Struct, frozen=True, tag="nothing", tag_field="do", forbid_unknown_fields=True):
    """Asked "act" or "again": no (further) action."""


class Both(msgspec.Struct, frozen=True, tag="both", tag_field="do", forbid_unknown_fields=True):
    """Asked "act" after a double: both actions at once; the second may be nothing."""

    first: Take | Process | Sell
    second: Take | Process | Sell | Nothing


class Name(msgspec.Struct, frozen=True, tag="name", tag_field="do", forbid_unknown_fields=True):
    """Asked "name" after hammer and star: the kind to be auctioned."""

    kind: Kind


class Offer(msgspec.Struct, frozen=True, tag="offer", tag_field="do", forbid_unknown_fields=True):
    """Asked "offer": the player's own piece to be auctioned, unless an earlier offer counts; or None."""

    field: Field | None = None


class Bid(msgspec.Struct, frozen=True, tag="bid", tag_field="do", forbid_unknown_fields=True):
    """Asked "bid": an amount (0: pass) and the field the piece would go to (None for a pass)."""

    amount: Money = 0
    field: Field | None = None


Action = Take | Process | Sell
Move = Roll | Buy | Shift | Take | Process | Sell | Nothing | Both | Name | Offer | Bid
Sight = Seen[Public]
Deal = Terms[Options, Edition]
