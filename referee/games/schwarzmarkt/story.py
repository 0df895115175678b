"""The story of a game in sentences, and what goods and cards are called in them."""

from collections.abc import Mapping
from typing import Any

from referee.game import Note
from referee.language import Wording, listed, mark

from .lookups import EVENTS, amounts_of, count, goods_in, wants
from .types import GOODS, Amounts, Deal, Event, Good

w = Wording("referee.games.schwarzmarkt")

GOOD_WORDS = (
    mark("potatoes"), mark("potato"), mark("coffee"), mark("flour"), mark("butter"), mark("sugar"),
)  # fmt: skip
SINGULAR: dict[Good, str] = {
    "potatoes": "potato", "coffee": "coffee", "flour": "flour", "butter": "butter", "sugar": "sugar",
}  # fmt: skip
"""What one card of a good is called."""
TITLES: dict[Event, str] = {
    "waren-knapp": "Waren knapp",
    "spionage": "Spionage",
    "schnelles-geschaeft": "Schnelles Geschäft",
    "zwangstausch": "Zwangstausch",
    "razzia": "Razzia",
    "neue-ware": "Neue Ware entdeckt",
    "limit": "Limit",
    "alte-rechnung": "Alte Rechnung",
    "verdorbene-ware": "Verdorbene Ware",
}


# --- what things are called


def one_of(good: Good) -> str:
    """One card of a good: `potato`."""
    return w(SINGULAR[good])


def named(good: Good, number: int) -> str:
    """So many cards of a good, as it can be typed: `1 potato`, `2 potatoes`."""
    return f"{number} {one_of(good) if number == 1 else w(good)}"


def described(amounts: Amounts) -> str:
    """For example `2 butter, 1 sugar`."""
    return ", ".join(named(good, count(amounts, good)) for good in goods_in(amounts))


def title(card: str) -> str:
    """A black-market card as players know it: `Razzia`, `offer 3`."""
    return TITLES[EVENTS[card]] if card in EVENTS else w("offer {number}", number=card.removeprefix("offer-"))


def called(face: str, number: int) -> str:
    """A card as players know it: `Razzia`, `offer 3`, `potato`, `2 potatoes`."""
    good = next((good for good in GOODS if good == face), None)
    return named(good, number).removeprefix("1 ") if good else title(face)


def played(terms: Deal, card: str) -> str:
    """A card that is played: `Razzia`, or `offer 3 (4 flour)`."""
    return title(card) + ("" if card in EVENTS else f" ({described(wants(terms, card))})")


# --- what happened


def tell(terms: Deal, note: Note) -> str:
    """One line of the story; `@2` stands for the name of seat 2."""
    v = note.values
    who = f"@{v['seat']}" if "seat" in v else ""
    told = _of_card(terms, note.what, v, who) or _of_trade(note.what, v, who) or _of_half(note.what, v)
    if not told:
        raise KeyError(note.what)
    return told


def _of_card(terms: Deal, what: str, v: Mapping[str, Any], who: str) -> str:
    match what:
        case "play":
            return w("{who} plays {card}", who=who, card=played(terms, v["card"]))
        case "no effect":
            return w("{card} has no effect", card=played(terms, v["card"]))
        case "spy":
            goods = described(amounts_of(v["goods"]))
            return w("{who} spies on {target}: {goods}", who=who, target=f"@{v['target']}", goods=goods)
        case "swap":
            return w.plural(
                "{who} swaps {n} goods card with {target}",
                "{who} swaps {n} goods cards with {target}",
                v["number"],
                who=who,
                target=f"@{v['target']}",
            )
        case "raid":
            raid = {"who": who, "target": f"@{v['target']}", "good": w(v["good"])}
            if not v["found"]:
                return w("{who} raids {target} for {good}: none found", **raid)
            return w("{who} raids {target} for {good}: {number} found", number=v["found"], **raid)
        case "find":
            return w("{who} takes a goods card from the pile for {cost}", who=who, cost=v["cost"])
        case "collect":
            return w("{who} takes a goods card from {target}", who=who, target=f"@{v['target']}")
    return ""


def _of_trade(what: str, v: Mapping[str, Any], who: str) -> str:
    match what:
        case "trade":
            goods = described(amounts_of(v["goods"]))
            return w("{who} trades {goods} for {paid}", who=who, goods=goods, paid=v["paid"])
        case "no trade":
            return w("{who} trades nothing", who=who)
        case "no goods":
            return w("{who} has no goods to trade", who=who)
        case "last goods":
            return w("{who} has traded in the last goods card", who=who)
        case "price":
            return w("{who} moves the price: {before} -> {now}", who=who, before=v["before"], now=v["now"])
        case "sits out":
            return w.plural(
                "{who} sits out the rest of the trade round, with 1 field a turn",
                "{who} sits out the rest of the trade round, with up to {n} fields a turn",
                v["steps"],
                who=who,
            )
        case "round over":
            return w("the trade round is over")
    return ""


def _of_half(what: str, v: Mapping[str, Any]) -> str:
    match what:
        case "dealt":
            return w(
                "every player is dealt {cards} black-market cards and {goods} goods cards; {start} starts",
                cards=v["cards"],
                goods=v["goods"],
                start="@0",
            )
        case "idle":
            return w("{cards} cards in a row were played without a goods card traded in", cards=v["cards"])
        case "played":
            return w("{cards} cards were played in this half", cards=v["cards"])
        case "half over":
            first = v["half"] == 1
            return w("the first half is over; the goods are shuffled") if first else w("the second half is over")
        case "filled":
            start = f"@{v['start']}"
            return w("hands are filled up to {goods} goods cards; {start} starts", goods=v["goods"], start=start)
        case "won":
            winners = listed(f"@{seat}" for seat in v["seats"])
            return w("the game is over; the most luxury: {winners} with {luxury}", winners=winners, luxury=v["luxury"])
    return ""
