"""Small lookups on the types: goods, cards, the price track, and who can be a target."""

from collections.abc import Sequence
from typing import get_args

from msgspec.structs import replace

from referee.game import Ask, Seen

from .types import GOODS, Amounts, Deal, Event, Facts, Good, Public, Sight

NONE = Amounts()
EVENTS: dict[str, Event] = {event: event for event in get_args(Event)}
STAYING: tuple[Event, ...] = ("waren-knapp", "limit", "verdorbene-ware")
"""Text cards that stay open for the next trade round (SM-10)."""
TASKS: dict[Event, str] = {
    "spionage": "spy",
    "schnelles-geschaeft": "quick",
    "zwangstausch": "swap",
    "razzia": "raid",
    "neue-ware": "find",
    "alte-rechnung": "collect",
}
"""What the player of a text card is then asked for."""


def count(amounts: Amounts, good: Good) -> int:
    """How many cards of one good."""
    number: int = getattr(amounts, good)
    return number


def total(a: Amounts) -> int:
    """How many cards of all goods."""
    return a.potatoes + a.coffee + a.flour + a.butter + a.sugar


def add(a: Amounts, b: Amounts) -> Amounts:
    """Both together."""
    return Amounts(
        a.potatoes + b.potatoes, a.coffee + b.coffee, a.flour + b.flour, a.butter + b.butter, a.sugar + b.sugar
    )


def sub(a: Amounts, b: Amounts) -> Amounts:
    """`a` without `b`, which must be part of it."""
    return Amounts(
        a.potatoes - b.potatoes, a.coffee - b.coffee, a.flour - b.flour, a.butter - b.butter, a.sugar - b.sugar
    )


def at_most(a: Amounts, b: Amounts) -> Amounts:
    """The smaller number of each good."""
    return Amounts(
        min(a.potatoes, b.potatoes),
        min(a.coffee, b.coffee),
        min(a.flour, b.flour),
        min(a.butter, b.butter),
        min(a.sugar, b.sugar),
    )


def within(a: Amounts, b: Amounts) -> bool:
    """Is `a` part of `b`?"""
    return (
        a.potatoes <= b.potatoes
        and a.coffee <= b.coffee
        and a.flour <= b.flour
        and a.butter <= b.butter
        and a.sugar <= b.sugar
    )


def amounts_of(faces: Sequence[str]) -> Amounts:
    """Count goods cards."""
    return Amounts(*map(faces.count, GOODS))


def held(seen: Sight) -> Amounts:
    """The goods cards in the player's own hand."""
    return amounts_of(seen.hand("goods"))


def faces_of(a: Amounts) -> tuple[Good, ...]:
    """The goods cards one by one, in the order of GOODS."""
    potatoes, coffee, flour, butter, sugar = GOODS
    return (
        *(potatoes,) * a.potatoes,
        *(coffee,) * a.coffee,
        *(flour,) * a.flour,
        *(butter,) * a.butter,
        *(sugar,) * a.sugar,
    )


def goods_in(amounts: Amounts) -> tuple[Good, ...]:
    """The goods of which there is at least one, in the order of GOODS."""
    return tuple(good for good in GOODS if count(amounts, good))


def goods_in_play(t: Deal) -> Amounts:
    """All goods cards of this game (SM-1)."""
    return t.edition.goods_expert if t.options.expert else t.edition.goods


def all_cards(t: Deal) -> tuple[str, ...]:
    """All black-market cards: the offers by number, then the text cards (SM-2)."""
    return (*(f"offer-{number}" for number in range(1, len(t.edition.offers) + 1)), *t.edition.events)


def is_card(t: Deal, card: str) -> bool:
    """Is there such a black-market card?"""
    if card in EVENTS:
        return card in t.edition.events
    number = card.removeprefix("offer-")
    # Written back, so that `offer-01` and the digits of other scripts are refused.
    return number.isdecimal() and 1 <= int(number) <= len(t.edition.offers) and card == f"offer-{int(number)}"


def is_offer(card: str) -> bool:
    """Is this card an offer, not a text card?"""
    return card not in EVENTS


def wants(t: Deal, offer: str) -> Amounts:
    """What an offer card asks for."""
    return t.edition.offers[int(offer.removeprefix("offer-")) - 1]


def price(t: Deal, public: Facts) -> int:
    """What one goods card pays now, if it is not spoiled."""
    return t.edition.track[public.marker]


def pays(t: Deal, public: Facts, number: int) -> int:
    """What this many goods cards pay together; if goods are spoiled, the first pays half, rounded down (SM-21)."""
    value = price(t, public)
    return value * number - ((value + 1) // 2 if public.spoiled and number else 0)


def end_field(t: Deal, public: Facts) -> int:
    """Where the marker stops: the last field of the track, or the limit (SM-19)."""
    return t.edition.track.index(t.edition.limit) if "limit" in public.in_force else len(t.edition.track) - 1


def at_end(t: Deal, public: Facts) -> bool:
    """Is this the last turn of the trade round (SM-8)?"""
    return public.marker >= end_field(t, public)


def most_steps(t: Deal, public: Facts) -> int:
    """How far a player who trades nothing may move the marker (SM-7); 0 on the end field."""
    return min(t.edition.steps[public.marker], end_field(t, public) - public.marker)


def most_traded(public: Facts) -> int:
    """How many goods cards one turn may trade: what is wanted, or one (SM-13)."""
    number = total(public.wanted)
    return min(number, 1) if "waren-knapp" in public.in_force else number


def tradable(public: Facts, held: Amounts) -> Amounts:
    """The goods held that are still wanted."""
    return at_most(public.wanted, held)


def clockwise(public: Facts, seat: int) -> tuple[int, ...]:
    """All other seats, the next in turn first."""
    seats = len(public.players)
    return tuple((seat + i) % seats for i in range(1, seats))


def targets(public: Facts, seat: int, least: int = 1) -> tuple[int, ...]:
    """The other seats that hold at least this many goods cards, clockwise."""
    return tuple(other for other in clockwise(public, seat) if public.players[other].goods >= least)


def new_goods(t: Deal, public: Facts, seat: int) -> int:
    """How many goods cards a seat should get after the first half (SM-11)."""
    player, full = public.players[seat], t.edition.hand_goods
    if t.options.refill == "full":
        return max(0, full - player.goods)
    return full if seat == public.finisher else player.traded_in


def longest_step(t: Deal) -> int:
    """The largest die symbol of the track: how far the marker can ever be moved at once."""
    return max(t.edition.steps)


def follow_up(t: Deal, public: Facts, seat: int, card: str) -> str:
    """What the player of a card is asked for next, if anything: a trade, or how a text card is carried out."""
    event = EVENTS.get(card)
    if event is None:
        return "trade"
    return TASKS.get(event, "") if can_carry_out(t, public, seat, event) else ""


def opened(t: Deal, public: Public, card: str) -> Public:
    """The position in which the start player who has played this card decides what follows from it (SM-25)."""
    if not is_offer(card):
        return replace(public, offer=card)
    return replace(public, offer=card, wanted=wants(t, card), spoiled="verdorbene-ware" in public.in_force)


def after_play(t: Deal, seen: Sight, card: str) -> Sight:
    """What the start player sees when deciding, together with a card, what follows from it."""
    what = follow_up(t, seen.public, seen.seat, card)
    return Seen(seen.seat, opened(t, seen.public, card), (Ask(seen.seat, what),), seen.tokens)


def can_carry_out(t: Deal, public: Facts, seat: int, event: Event) -> bool:
    """Can this seat carry out a text card, as far as everybody can tell (SM-10)?"""
    me = public.players[seat]
    match event:
        case "spionage" | "alte-rechnung":
            return bool(targets(public, seat))
        case "schnelles-geschaeft":
            return me.goods > 0
        case "zwangstausch":
            return me.goods > 0 and bool(targets(public, seat))
        case "neue-ware":
            return me.luxury >= t.edition.find_cost and public.goods_pile + len(public.goods_under) > 0
        case _:
            return True
