"""The nouns of Schwarzer Freitag. A case is a briefcase: a share, or a marker on a strip; black ones are neither."""

from typing import Annotated, Literal

import msgspec

from referee.game import Refusals, Seen, Terms

illegal = Refusals("referee.games.schwarzer_freitag")

Colour = Literal["yellow", "blue", "red", "green", "orange"]
COLOURS: tuple[Colour, ...] = ("yellow", "blue", "red", "green", "orange")
"""Also the order in which prices are adjusted."""
BLACK = "black"
HAND = "hand"
"""The container `hand/SEAT` holds the cases whose colour only that seat knows."""
Card = Literal["pass", "sell", "silver", "buy"]
"""What a special card can be used for: PASS, SELL+1, SILVER+1, BUY+1."""

Count = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Money = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
Price = Annotated[int, msgspec.Meta(ge=1, le=999)]
Ten = Annotated[int, msgspec.Meta(ge=1, le=10)]
Twenty = Annotated[int, msgspec.Meta(ge=0, le=20)]
Full = Annotated[int, msgspec.Meta(ge=3, le=10)]
Black = Annotated[int, msgspec.Meta(ge=0, le=5)]
Cards = Annotated[
    tuple[Annotated[tuple[Card, ...], msgspec.Meta(min_length=1, max_length=4)], ...], msgspec.Meta(max_length=4)
]
"""The special cards of one player, each with what it can be used for."""


class Cases(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A number of cases of each colour."""

    yellow: Count = 0
    blue: Count = 0
    red: Count = 0
    green: Count = 0
    orange: Count = 0


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a host can choose in the offer."""

    special_cards: bool = True


class Stage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stage card: what one price must be to reach it, the most subsidies, units per action, and cases drawn."""

    price: Annotated[int, msgspec.Meta(ge=0, le=999)]
    subsidies: Annotated[int, msgspec.Meta(ge=1, le=20)]
    limit: Ten
    draw: Annotated[int, msgspec.Meta(ge=3, le=20)]


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The printed material: everything that a host who owns a different box may replace."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    prices: Annotated[
        tuple[Annotated[tuple[Price, ...], msgspec.Meta(min_length=3, max_length=8)], ...],
        msgspec.Meta(min_length=5, max_length=20),
    ]
    """Rows from the bottom up, columns from left to right."""
    start_field: tuple[Twenty, Twenty]
    """Row and column (from 0) on which all prices start."""
    silver_track: Annotated[tuple[Price, ...], msgspec.Meta(min_length=2, max_length=40)]
    stages: Annotated[tuple[Stage, ...], msgspec.Meta(min_length=5, max_length=15)]
    """Start first."""
    subsidy_pays: Annotated[int, msgspec.Meta(ge=1, le=200)]
    interest: Twenty
    cases: Annotated[int, msgspec.Meta(ge=1, le=60)]
    """Of each colour in the box."""
    sale_strip: Annotated[int, msgspec.Meta(ge=1, le=5)]
    """Cases of each colour on a sale strip."""
    sale_black: tuple[Black, Black, Black]
    """Black cases beside sale strips 1, 2, 3."""
    refill_black: Annotated[int, msgspec.Meta(ge=1, le=5)]
    """The most black cases that come back when strip 2 is refilled; without any, silver would stop rising."""
    market: tuple[Twenty, Twenty, Twenty, Twenty]
    """Cases of each colour in the market at the start, for 2, 3, 4, 5 players."""
    bag_base: Annotated[int, msgspec.Meta(ge=0, le=30)]
    """Cases of each colour in the bag: this plus the number of players."""
    hand: Twenty
    """Cases each player draws during set-up."""
    market_draw: Annotated[int, msgspec.Meta(ge=0, le=100)]
    """Cases drawn openly into the market during set-up."""
    strip_full: tuple[Full, Full, Full, Full]
    """Coloured cases on a strip that trigger a price change, for 2, 3, 4, 5 players."""
    sale_left: tuple[Twenty, Twenty, Twenty, Twenty]
    """Coloured cases left on the sale strip that trigger one, for 2, 3, 4, 5 players."""
    three: Ten
    """Cases of one colour on a strip that move its price."""
    silver_per_step: Annotated[int, msgspec.Meta(ge=1, le=6)]
    """Silver bars bought for one step of the silver price."""
    silver_per_gold: Annotated[int, msgspec.Meta(ge=1, le=20)]
    cards: tuple[Cards, Cards, Cards, Cards, Cards]
    """For each seat, with 3 to 5 players."""
    cards_for_two: tuple[Cards, Cards]
    """The same for the two seats of a two-player game."""


class Player(msgspec.Struct, frozen=True, gc=False):
    """What everybody knows about one player."""

    known: Cases = Cases()
    """Shares everybody knows this player to hold."""
    unknown: Count = 0
    """Shares whose colour only the owner knows."""
    money: Money = 0
    subsidies: Count = 0
    debt: Money = 0
    """Unpaid interest."""
    silver: Count = 0
    gold: Money = 0
    cards: tuple[tuple[Card, ...], ...] = ()
    """Special cards not yet used."""


class Public(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Everything on the table."""

    prices: tuple[tuple[Count, Count], ...]
    """Row and column of each colour's marker, in the order of COLOURS."""
    silver: Count
    """Index on the silver track."""
    players: tuple[Player, ...]
    market: Cases
    purchase: Cases
    """Purchase strip."""
    silver_strip: Cases
    sale: tuple[Cases, ...]
    """Sale strips 1, 2, 3."""
    sale_black: tuple[Count, ...]
    strip: Count = 0
    """Index of the current sale strip."""
    stage: Count = 0
    stage_black: Count = 0
    """Black cases still on the stage fields."""
    supply_black: Count = 0
    bag: Count = 0
    """Cases in the bag, and how many of them are black."""
    bag_black: Count = 0
    counter: Money = 0
    """Silver bars bought since the last price change."""
    passes: Count = 0
    """PASS actions in a row with an empty market."""
    since: Literal["nothing", "passes", "trades"] = "nothing"
    """Which actions there have been since the last price change, or since the start: none, only PASS, or others too."""
    start: Count = 0
    """Seat of the start player."""
    turn: Count = 0
    """Seat to move."""
    due: Money = 0
    """The debt with which the player to move started this turn, as long as it is not settled."""
    price_changes: Money = 0


Extra = Annotated[int, msgspec.Meta(ge=1, le=1000)] | Colour
"""What a turn may have besides its action: a number of subsidies, or the PASS card with the case that it places."""
Extras = Annotated[tuple[Extra, ...], msgspec.Meta(max_length=2)]
"""Subsidies, a card, or both, carried out in the order given."""


class _Move(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True):
    """Base of all moves."""


class _Action(_Move, frozen=True, kw_only=True):
    """A turn: the action, and what comes before and after it. With `hold`, the turn stays open for more extras."""

    before: Extras = ()
    after: Extras = ()
    hold: bool = False


class Buy(_Action, frozen=True, tag="buy"):
    """Buy shares; one more case goes on the purchase strip (`mark`; None: the market is then empty)."""

    shares: Cases
    mark: Colour | None = None


class Sell(_Action, frozen=True, tag="sell"):
    """Sell shares; `drop` falls one field, `mark` leaves the sale strip (None: the strip is empty)."""

    shares: Cases
    drop: Colour
    mark: Colour | None = None


class Silver(_Action, frozen=True, tag="silver"):
    """Buy silver bars; `mark` goes on the silver strip (None: the market is empty)."""

    bars: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    mark: Colour | None = None


class Pass(_Action, frozen=True, tag="pass"):
    """Only put the case `mark` on the silver strip (None: the market is empty)."""

    mark: Colour | None = None


class More(_Move, frozen=True, tag="more"):
    """Only extras: the action is still to come, or is done; then the turn ends, unless `hold` keeps it open."""

    extras: Extras = ()
    hold: bool = False


class Place(_Move, frozen=True, tag="place"):
    """With two players, before the first turn: put one market case on the purchase strip."""

    mark: Colour


Action = Buy | Sell | Silver | Pass
Move = Action | More | Place
Sight = Seen[Public]
Deal = Terms[Options, Edition]
