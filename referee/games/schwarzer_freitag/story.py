"""What happened, in sentences."""

from collections import Counter
from typing import Any

from referee.game import Note
from referee.language import Catalogue, Wording, mark

from .types import BLACK, Card, Deal

t, w = Catalogue("referee.games.schwarzer_freitag"), Wording("referee.games.schwarzer_freitag")

CALLED = {
    "yellow": t("yellow"), "blue": t("blue"), "red": t("red"), "green": t("green"), "orange": t("orange"),
    BLACK: t("black"), "buy": t("buy"), "sell": t("sell"), "silver": t("silver"), "pass": t("pass"),
    "subsidy": t("subsidy"), "card": t("card"), "mark": t("mark"), "drop": t("drop"), "hold": t("hold"),
    "end": t("end"), "place": t("place"),
}  # fmt: skip
"""Colours, and the words that a move begins with, as they can be typed."""
_CARDS = {
    "pass": t("PASS"), "sell": t("SELL+1"), "silver": t("SILVER+1"), "buy": t("BUY+1"),
}  # fmt: skip
SENTENCES = {
    "starts": mark("{who} is the start player"),
    "set-up": mark("every player secretly draws {hand} cases; drawn for the market: {cases}"),
    "all passed": mark("all players have passed"),
    "price change": mark("price change: drawn {cases}"),
    "prices": "{prices}",
    "prices last": mark("{prices}: the last one has left the market"),
    "prices three": mark("{prices}: {three} on the strip"),
    "prices missing": mark("{prices}: none in the market"),
    "silver": mark("silver {before} -> {after}"),
    "change ahead": mark("this sets off a price change"),
    "stage": mark("stage {number}"),
    "next strip": mark("sale strip {number} is next"),
    "refill": mark("sale strip 2 is refilled with {cases}"),
    "end": mark("the silver price has reached the end of its track: the game is over"),
    # What a player did.
    "places": mark("{who} places {mark} on the purchase strip"),
    "marks": mark("{who} marks {mark}"),
    "passes": mark("{who} passes"),
    "buys": mark("{who} buys {shares} for {amount}"),
    "sells": mark("{who} sells {shares} for {amount}"),
    "bars": mark("{who} buys {bars} silver for {amount}"),
    "card": mark("{who} plays the {card} card"),
    "card kept": mark("{who} keeps the PASS card: no {colour} is left in the market"),
    # What a player took, paid or owes, and the end of the game.
    "debt paid": mark("{who} pays the debt of {amount}"),
    "interest paid": mark("{who} pays {amount} interest"),
    "interest owed": mark("{who} owes {amount} interest"),
    "cash up": mark("{who} sells {shares}, takes subsidies: {subsidies}, buys silver: {bars}, has gold: {gold}"),
}


def called(colour: str) -> str:
    """A colour as it can be typed."""
    return str(CALLED[colour])


def card_name(use: Card) -> str:
    """A use of a special card, as it is printed."""
    return str(_CARDS[use])


def tell(terms: Deal, note: Note) -> str:
    """One line of the story; `@2` stands for the name of seat 2."""
    v, what = note.values, note.what
    values = {_CALLED.get(name, name): _shown(name, value) for name, value in v.items()}
    values |= {"who": f"@{v.get('seat')}", "three": terms.edition.three}
    if what == "subsidies":
        return w.plural(
            "{who} takes {n} subsidy for {amount}", "{who} takes {n} subsidies for {amount}", v["number"], **values
        )
    if what == "prices" and f"prices {v['why']}" in SENTENCES:
        what = f"prices {v['why']}"
    text = w(SENTENCES[what], **values)
    # Most actions move a case to a strip or from one, too.
    also = what in ("passes", "buys", "sells", "bars") and v["mark"]
    return w("{deed}, marks {mark}", deed=text, mark=values["mark"]) if also else text


_CALLED = {"moves": "prices", "drawn": "cases", "use": "card"}
"""What values are called in the sentences, where that is not what they are called in the log."""


def _shown(name: str, value: Any) -> object:
    """A value as it stands in a sentence."""
    match name:
        case "moves":
            return ", ".join(f"{called(colour)} {before} -> {after}" for colour, before, after in value)
        case "drawn":
            return ", ".join(f"{number} {called(colour)}" for colour, number in Counter(value).items()) or w("nothing")
        case "cases" | "shares":
            return ", ".join(map(called, value)) or w("nothing")
        case "mark" | "colour":
            return called(value) if value else ""
        case "use":
            return card_name(value)
    return value
