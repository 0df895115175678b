"""The nouns of Der Weg zum Erfolg: pieces climb five levels of a graph of fields to nine goals."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal, Protocol

import msgspec

from referee.game import Refusals, Seen, Terms

if TYPE_CHECKING:
    from .graph import Board

illegal = Refusals("referee.games.weg_zum_erfolg")

Level = Literal["yellow", "orange", "green", "red", "blue"]
LEVELS: tuple[Level, ...] = ("yellow", "orange", "green", "red", "blue")
"""From the lowest up."""
Kind = Literal["start", "small", "star", "question", "head", "chip", "goal"]
Heading = Literal["up", "down", "left", "right"]
Way = Literal["up", "left", "right"]
"""What is chosen at a junction."""
Effect = Literal["forward", "back", "again", "miss", "reserve", "decision", "swap", "lose", "nothing"]
FieldId = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9]{1,12}\Z")]
WayTo = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9]{0,12}\Z")]
"""The field to which a way leads, or nothing."""
CardName = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9-]{1,40}\Z")]
Text = Annotated[str, msgspec.Meta(max_length=200)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Value = Annotated[int, msgspec.Meta(ge=1, le=99)]
"""Of a playing card or a chip."""
Cards = Annotated[int, msgspec.Meta(ge=0, le=400)]
Pieces = Annotated[int, msgspec.Meta(ge=1, le=9)]
"""Of one player: each is named by one digit."""
Needed = Annotated[int, msgspec.Meta(ge=3, le=12)]
"""With two dice, so that success and failure can both happen."""
GOALS = 9

RESERVE = "reserve"
OUT = "out"
"""Places that are not fields: where a piece waits, and where it is after leaving the game."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a host can choose in the offer."""

    reserve_leaves: bool = False
    """Pieces in the reserve leave the game as if they were on the lowest level (LO-18)."""
    may_enter: bool = False
    """A player who throws a 6 need not bring in a piece with it (LO-7, LO-8)."""
    hinterlistig: bool = False
    neue_ziele: bool = False
    zufallsziele: bool = False


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One field and its ways out. A junction is a small (or star) field with a way up and a lane."""

    id: FieldId
    kind: Kind
    level: Level
    left: WayTo = ""
    right: WayTo = ""
    up: WayTo = ""
    down: WayTo = ""


class Chance(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A chance card, and how often it is in the pile."""

    id: CardName
    effect: Effect
    count: Cards
    text: Text
    steps: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    """How far forward or back."""


class Success(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A success card, and how often it is in the pile."""

    id: CardName
    again: bool
    """The piece must begin again."""
    count: Cards
    text: Text


class Thresholds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Success on a "?": this much or more with both white dice (LO-14)."""

    yellow: Needed
    orange: Needed
    green: Needed
    red: Needed
    blue: Needed


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The printed material."""

    name: Text
    pieces: Pieces
    """Of each player, with up to four players."""
    pieces_many: Pieces
    """... with five or more players."""
    suit: Annotated[tuple[Value, ...], msgspec.Meta(min_length=1, max_length=20)]
    """The values of the cards each player gets."""
    chips: Annotated[tuple[Value, ...], msgspec.Meta(min_length=GOALS, max_length=GOALS)]
    """From left to right."""
    thresholds: Thresholds
    chance: Annotated[tuple[Chance, ...], msgspec.Meta(max_length=100)]
    success: Annotated[tuple[Success, ...], msgspec.Meta(max_length=100)]
    fields: Annotated[tuple[Field, ...], msgspec.Meta(max_length=600)]
    """The board; goals from left to right."""

    @cached_property
    def board(self) -> "Board":
        """The fields as a graph, worked out once."""
        from .graph import Board

        return Board(self.fields)


class Piece(msgspec.Struct, frozen=True):
    """Where a piece is: a field, RESERVE or OUT."""

    at: FieldId
    heading: Heading
    """Where it goes next; on a decision field, how it arrived. Never `down`: a piece that stops going down goes up."""


class Player(msgspec.Struct, frozen=True):
    """Everything about one player except the chip dealt in Neue Ziele."""

    pieces: tuple[Piece, ...]
    hand: tuple[Value, ...]
    """Ascending."""
    points: Count
    misses: Count
    """Turns to miss."""


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Standing orders of a player (LO-25, LO-26)."""

    decline: bool = False
    """Play no card against others, unless all of the following is true:"""
    colours: Annotated[tuple[Level, ...], msgspec.Meta(max_length=5)] = ()
    """the head lies on one of these levels,"""
    players: Annotated[tuple[Count, ...], msgspec.Meta(max_length=16)] = ()
    """the mover is one of these seats,"""
    cards: Cards | None = None
    """and has at most this many cards. What is left empty is always true; if all is empty, there is no exception."""
    heads: Annotated[int, msgspec.Meta(ge=0, le=2)] | None = None
    """At a head: play the fewest cards that make the target, at most this many."""
    attempt: bool | None = None
    """Neue Ziele: always try for success, or never."""


class Chip(msgspec.Struct, frozen=True):
    """What lies on a chip field."""

    value: Value | None
    """None: face down."""
    slot: Count
    """A face-down chip is the token in the container `goal/SLOT`."""
    by: Count | None
    """The seat that laid it and knows it (Neue Ziele)."""


class Card(msgspec.Struct, frozen=True):
    """A card that an opponent put on the table."""

    seat: Count
    value: Value


class Task(msgspec.Struct, frozen=True):
    """The move that is being made."""

    piece: Count
    steps: Count
    """Fields still to go."""
    success: Way | None = None
    """What was said in advance for the coming decision: the way at the junction after success ..."""
    failure: Way | None = None
    """... and after failure,"""
    opponent: Count | None = None
    """the opponent in a contest,"""
    attempt: bool | None = None
    """and in Neue Ziele whether success is wanted at all."""
    leaving: Heading | None = None
    """The direction that the decision gave, while the way at the junction is asked for."""
    target: Count = 0
    """What the cards must make on a head field."""
    table: tuple[Card, ...] = ()


class Public(msgspec.Struct, frozen=True):
    """Everything on the table."""

    players: tuple[Player, ...]
    standing: tuple[Words, ...]
    start: Count
    """Seat of the start player."""
    turn: Count
    """Seat whose turn it is."""
    turns: Annotated[int, msgspec.Meta(ge=0, le=10**9)]
    """Turns begun so far."""
    home: Count
    """Pieces that have reached a goal for good."""
    throw: Count
    """The black die that a piece must use now; 0: none."""
    task: Task | None
    chips: tuple[Chip | None, ...]
    """Below each goal, from left to right; None before one is laid."""
    chance_pile: Count
    """Cards nobody has seen yet."""
    chance_under: tuple[CardName, ...]
    """Used cards under the pile, in order."""
    success_pile: Count
    success_under: tuple[CardName, ...]


class Position(Protocol):
    """What lookups need of a position, finished or in the making."""

    @property
    def players(self) -> Sequence[Player]: ...
    @property
    def standing(self) -> Sequence[Words]: ...
    @property
    def turn(self) -> int: ...
    @property
    def home(self) -> int: ...
    @property
    def throw(self) -> int: ...
    @property
    def task(self) -> Task | None: ...


class BaseMove(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", omit_defaults=True
):
    """Base of all moves."""


class Ahead(BaseMove, frozen=True, kw_only=True):
    """An answer before a decision may name the way at the junction after it, for both results (LO-11)."""

    success: Way | None = None
    failure: Way | None = None


class Go(Ahead, frozen=True, tag="go"):
    """`piece`: this piece uses the throw. What the next decision field will ask may be answered in advance."""

    piece: Count
    way: Way | None = None
    """At the junction of the first leg, if there is a choice."""
    opponent: Count | None = None
    """The seat to contest with on a "?"."""
    attempt: bool | None = None
    """Neue Ziele: whether to try for success."""


class Enter(BaseMove, frozen=True, tag="enter"):
    """`piece`: with a 6, put a piece from the reserve on the start field; what that asks may be answered in advance."""

    opponent: Count | None = None
    attempt: bool | None = None


class Wait(BaseMove, frozen=True, tag="wait"):
    """`piece`: do nothing with a 6 that need not bring in a piece, and has no other use."""


class Turn(BaseMove, frozen=True, tag="way"):
    """`way`: at the next junction."""

    way: Way


class Opponent(Ahead, frozen=True, tag="opponent"):
    """`opponent`: contest on a "?" with this seat."""

    seat: Count


class Try(Ahead, frozen=True, tag="try"):
    """`try`: whether to try for success (Neue Ziele)."""

    attempt: bool


class Intervene(BaseMove, frozen=True, tag="intervene"):
    """`intervene`: a card on the table, or None; the card is sealed until all have answered."""

    card: Value | None = None


class Solve(BaseMove, frozen=True, tag="solve"):
    """`solve`: an expression of one's own cards and all on the table, or None to give up. If those who may intervene
    are asked at the same time, it is sealed, and counts only if nobody does."""

    expression: Text | None = None
    way: Way | None = None
    """At the junction after it, if there is a choice."""


class Target(BaseMove, frozen=True, tag="target"):
    """`target`: swap places with this piece."""

    seat: Count
    piece: Count


class Lose(BaseMove, frozen=True, tag="lose"):
    """`lose`: a card of one's own."""

    card: Value


class Place(BaseMove, frozen=True, tag="place"):
    """`place`: lay the dealt chip below this goal (from 0, left to right)."""

    goal: Count


class SwapChip(BaseMove, frozen=True, tag="swap-chip"):
    """`swap-chip`: swap the chip just scored with the one below this goal, or None."""

    goal: Count | None = None


Move = Go | Enter | Wait | Turn | Opponent | Try | Intervene | Solve | Target | Lose | Place | SwapChip
Sight = Seen[Public]
Deal = Terms[Options, Edition]
