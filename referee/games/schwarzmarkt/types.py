"""The nouns of Schwarzmarkt: goods are traded for luxury; black-market cards say what is wanted or change the rules."""

from collections.abc import Sequence
from typing import Annotated, Literal, Protocol

import msgspec

from referee.game import Refusals, Seen, Terms

illegal = Refusals("referee.games.schwarzmarkt")

Good = Literal["potatoes", "coffee", "flour", "butter", "sugar"]
GOODS: tuple[Good, ...] = ("potatoes", "coffee", "flour", "butter", "sugar")
Event = Literal[
    "waren-knapp",
    "spionage",
    "schnelles-geschaeft",
    "zwangstausch",
    "razzia",
    "neue-ware",
    "limit",
    "alte-rechnung",
    "verdorbene-ware",
]
"""The text cards. `waren-knapp`, `limit` and `verdorbene-ware` stay in force for the next trade round."""
CardName = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
"""`offer-1` to `offer-21`, or the name of a text card, of which an edition may have several copies."""
Count = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Luxury = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
Price = Annotated[int, msgspec.Meta(ge=1, le=50)]
Fee = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Hand = Annotated[int, msgspec.Meta(ge=1, le=20)]
Few = Annotated[int, msgspec.Meta(ge=1, le=5)]
Cards = Annotated[int, msgspec.Meta(ge=1, le=500)]


class Amounts(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A number of cards of each good."""

    potatoes: Count = 0
    coffee: Count = 0
    flour: Count = 0
    butter: Count = 0
    sugar: Count = 0


class Options(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a host can choose in the offer."""

    expert: bool = False
    """All goods cards in the box, not only those of the base game."""
    refill: Literal["full", "traded"] = "full"
    """What players get after the first half: a full hand, or as many cards as they traded in (SM-11)."""


class Edition(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The printed material, and the numbers that keep a game from going on forever."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    goods: Amounts
    """Goods cards of the base game."""
    goods_expert: Amounts
    offers: Annotated[tuple[Amounts, ...], msgspec.Meta(min_length=1, max_length=400)]
    """What each offer card wants: `offer-1` is the first."""
    events: Annotated[tuple[Event, ...], msgspec.Meta(max_length=400)]
    """The text cards, each listed as often as it is in the pile."""
    track: Annotated[tuple[Price, ...], msgspec.Meta(min_length=2, max_length=50)]
    """Values of the price track: starts at 1, rises, contains the limit, ends at 50."""
    steps: Annotated[tuple[Annotated[int, msgspec.Meta(ge=0, le=50)], ...], msgspec.Meta(max_length=50)]
    """Die symbol of each field: the most the marker may move from it; 0 on the last."""
    limit: Price
    """Where a trade round ends with Limit (25)."""
    hand_goods: Hand
    hand_cards: Hand
    quick_deal: Fee
    """What Schnelles Geschäft pays (20)."""
    find_cost: Fee
    """What Neue Ware entdeckt costs (5)."""
    spy_cards: Few
    swap_cards: Few
    idle_cards: Cards
    """This many cards played in a row without a goods card traded in end a half (15)."""
    half_cards: Cards
    """This many cards played in one half end it (100)."""


class Words(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Standing orders of a player (SM-27)."""

    asked_from: Count = 0
    """In trade rounds this player is asked only from this price on."""
    steps: Count = 1
    """How far the marker is moved for this player below that price."""


class Player(msgspec.Struct, frozen=True, gc=False):
    """What everybody knows about one player."""

    luxury: Luxury
    goods: Count
    """Goods cards in hand, and black-market cards in hand."""
    cards: Count
    traded_in: Count
    """Goods cards traded in so far in this half."""


class Public(msgspec.Struct, frozen=True, gc=False):
    """Everything on the table."""

    players: tuple[Player, ...]
    half: Count
    """1 or 2."""
    start: Count
    """Seat of the start player of this trade round."""
    turn: Count
    """Seat that decides now."""
    marker: Count
    """Index on the price track."""
    offer: CardName | None
    """The offer that is being traded, or the text card that is being carried out."""
    wanted: Amounts
    """What the offer still wants."""
    in_force: tuple[Event, ...]
    """Open text cards for the next or current trade round, in the order played."""
    spoiled: bool
    """Whether the next goods card traded pays half."""
    traded: tuple[Good, ...]
    """Goods traded in this round, in the order traded; they go under the pile at its end."""
    sitting_out: tuple[Count, ...]
    """For each seat: how far it moves the marker unasked for the rest of this trade round; 0 if it is asked."""
    standing: tuple[Words, ...]
    """The standing orders of each seat."""
    goods_pile: Count
    """Face-down goods cards whose place nobody knows."""
    goods_under: tuple[Good, ...]
    """Goods cards put openly under the pile since it was last shuffled."""
    card_pile: Count
    card_under: tuple[CardName, ...]
    played: Count
    """Black-market cards played in this half."""
    idle: Count
    """... in a row without a goods card traded in."""
    finisher: Count | None
    """Seat that ended the first half by trading in its last goods card."""


class Trade(
    msgspec.Struct, frozen=True, gc=False, tag="trade", tag_field="kind", forbid_unknown_fields=True, omit_defaults=True
):
    """Trade wanted goods (the marker then moves by itself), or none and move the marker."""

    goods: Amounts
    steps: Count = 0
    sit_out: Count = 0
    """If not 0: after this turn, trade nothing more in this trade round, and move the marker this far each time."""


class Spy(msgspec.Struct, frozen=True, gc=False, tag="spy", tag_field="kind", forbid_unknown_fields=True):
    """Spionage."""

    target: Count


class Quick(msgspec.Struct, frozen=True, gc=False, tag="quick", tag_field="kind", forbid_unknown_fields=True):
    """Schnelles Geschäft."""

    good: Good


class Swap(msgspec.Struct, frozen=True, gc=False, tag="swap", tag_field="kind", forbid_unknown_fields=True):
    """Zwangstausch: target and number are open, the cards given are sealed."""

    target: Count
    number: Count
    give: Annotated[tuple[Good, ...], msgspec.Meta(max_length=5)] = ()
    """In the order of GOODS."""


class Raid(msgspec.Struct, frozen=True, gc=False, tag="razzia", tag_field="kind", forbid_unknown_fields=True):
    """Razzia."""

    target: Count
    good: Good


class Find(msgspec.Struct, frozen=True, gc=False, tag="find", tag_field="kind", forbid_unknown_fields=True):
    """Neue Ware entdeckt: all five kinds, best first; sealed, and never shown."""

    ranking: Annotated[tuple[Good, ...], msgspec.Meta(max_length=5)] = ()


class Collect(msgspec.Struct, frozen=True, gc=False, tag="collect", tag_field="kind", forbid_unknown_fields=True):
    """Alte Rechnung."""

    target: Count


FollowUp = Trade | Spy | Quick | Raid | Collect
"""Open decisions, which can be sent together with the card from which they follow."""


class Play(
    msgspec.Struct, frozen=True, gc=False, tag="play", tag_field="kind", forbid_unknown_fields=True, omit_defaults=True
):
    """The start player plays a black-market card, and may decide at once what follows from it."""

    card: CardName
    then: FollowUp | None = None


Move = Play | Trade | Spy | Quick | Swap | Raid | Find | Collect
Sight = Seen[Public]
Deal = Terms[Options, Edition]


class Facts(Protocol):
    """What questions about a position look at: the position, or the working copy on which a move is played."""

    @property
    def players(self) -> Sequence[Player]: ...
    @property
    def marker(self) -> int: ...
    @property
    def wanted(self) -> Amounts: ...
    @property
    def in_force(self) -> tuple[Event, ...]: ...
    @property
    def spoiled(self) -> bool: ...
    @property
    def goods_pile(self) -> int: ...
    @property
    def goods_under(self) -> tuple[Good, ...]: ...
    @property
    def finisher(self) -> int | None: ...
