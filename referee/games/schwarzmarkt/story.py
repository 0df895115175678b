"""The story of a game in sentences, and what goods and cards are called in them."""

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
    """A number of cards of a good, as it can be typed: `1 potato`, `2 potatoes`."""
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


SENTENCES = {
    "play": mark("{who} plays {card}"),
    "no effect": mark("{card} has no effect"),
    "spy": mark("{who} spies on {target}: {goods}"),
    "raid": mark("{who} raids {target} for {good}: {number} found"),
    "raid in vain": mark("{who} raids {target} for {good}: none found"),
    "find": mark("{who} takes a goods card from the pile for {cost}"),
    "collect": mark("{who} takes a goods card from {target}"),
    "trade": mark("{who} trades {goods} for {paid}"),
    "no trade": mark("{who} trades nothing"),
    "no goods": mark("{who} has no goods to trade"),
    "last goods": mark("{who} has traded in their last goods card"),
    "price": mark("{who} moves the price: {before} -> {now}"),
    "round over": mark("the trade round is over"),
    "dealt": mark("every player is dealt {cards} black-market cards and {goods} goods cards; {start} starts"),
    "idle": mark("{cards} cards in a row were played without a trade"),
    "played": mark("{cards} cards were played in this half"),
    "half 1 over": mark("the first half is over; the goods are shuffled"),
    "half 2 over": mark("the second half is over"),
    "replaced": mark("everybody is dealt as many new goods cards as they traded in; {start} starts"),
    "filled": mark("hands are filled up to {goods} goods cards; {start} starts"),
    "won": mark("the game is over; the most luxury: {winners} with {luxury}"),
}


def tell(terms: Deal, note: Note) -> str:
    """One line of the story; `@2` stands for the name of seat 2."""
    v, what = note.values, note.what
    values = {name: _shown(terms, name, value) for name, value in v.items()}
    values |= {"who": f"@{v.get('seat')}", "start": f"@{v.get('start')}"}
    match what:
        case "swap":
            return w.plural(
                "{who} swaps {n} goods card with {target}",
                "{who} swaps {n} goods cards with {target}",
                v["number"],
                **values,
            )
        case "sits out":
            return w.plural(
                "{who} sits out the rest of the trade round, with 1 field a turn",
                "{who} sits out the rest of the trade round, with up to {n} fields a turn",
                v["steps"],
                **values,
            )
        case "raid":
            values["number"] = v["found"]
            what = "raid" if v["found"] else "raid in vain"
        case "half over":
            what = f"half {v['half']} over"
        case "won":
            values["winners"] = listed(f"@{seat}" for seat in v["seats"])
    return w(SENTENCES[what], **values)


def _shown(terms: Deal, name: str, value: Any) -> object:
    """A value as it stands in a sentence."""
    match name, value:
        case "card", str(card):
            return played(terms, card)
        case "good", str(good):
            return w(good)
        case "target", int(seat):
            return f"@{seat}"
        case "goods", list() | tuple():
            return described(amounts_of(value))
    return value
