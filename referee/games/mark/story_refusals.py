"""What the rules refuse, as sentences: by the reason that they give, what is wrong and what to do next."""

from referee.game import LINK
from referee.language import Catalogue, Value, either, mark

from .story import FACES

t = Catalogue("referee.games.mark")

REFUSALS = {
    "not-asked": (mark("it is not your turn"), mark("wait until you are asked")),
    "no-answer": (mark("that does not answer the question"), "{asked}"),
    # A player's own turn.
    "without-option": (mark("this game is played without that option"), mark("roll the dice")),
    "too-dear": (mark("that costs {cost}, but you have {money}"), mark("roll the dice")),
    "not-rolled": (mark("{kind} was not rolled"), mark("choose a piece of {dice}")),
    "no-double": (mark("only a double allows two actions"), mark("name one action")),
    "over-after-first": (mark("the game ends with the first action"), mark("name only the first")),
    "no-piece": (mark("there is no piece on {field} of your plant"), mark("name a field with a piece on it")),
    "field-not-free": (mark("{field} is not a free field for that piece"), mark("choose one of {free}")),
    "no-room": (
        mark("{field} is not a free field for that piece"),
        mark("choose something else: you have no room"),
    ),
    "bank-empty": (mark("the bank has no {kind} left"), mark("choose a kind that the bank holds")),
    "no-delivered-piece": (mark("{source} is not a delivery field with a piece"), mark("name one with a piece on it")),
    "not-adjacent": (
        mark("{target} is not next to {source}"),
        mark("choose the field straight or diagonally behind it"),
    ),
    "not-processed": (mark("only a processed piece can be sold"), mark("process it first")),
    "row-reserved": (mark("{kind} has its row already"), mark("name no row")),
    "row-not-free": (mark("the first piece of {kind} needs a free row"), mark("choose one of the rows {rows}")),
    # Auctions.
    "not-that-kind": (mark("there is no {kind} on {field} of your plant"), mark("name a field with {kind}, or none")),
    "pass-with-field": (mark("a pass needs no field"), mark("name no field, or bid")),
    "bid-too-low": (mark("the lowest bid is {lowest}"), mark("bid {lowest} or more, or 0 to pass")),
    "bid-too-high": (mark("you have only {money}"), mark("bid from {lowest} to {money}, or 0 to pass")),
    "bid-without-field": (mark("a bid needs a field for the piece"), mark("name a free field of your plant")),
    # Editions.
    "row-too-long": (mark("no market row may have more fields than there are pieces of a kind"), ""),
}
"""Reason -> what is wrong, and what to do next (empty: see what is legal)."""
ASKED = {
    "turn": t("roll, buy or move"),
    "act": t("take, process or sell a piece, or do nothing"),
    "again": t("take, process or sell another piece, or do nothing"),
    "name": t("name the kind to be auctioned"),
    "offer": t("offer a piece, or none"),
    "bid": t("bid, or pass"),
    LINK: t("send the confirmation that is asked for"),
}
"""What answers each question."""


def word(name: str, value: Value) -> Value:
    """A value; what the game has a word for is called by it."""
    if name == "asked":
        return ASKED[str(value)]
    if isinstance(value, tuple):
        words = [word("", one) for one in value]
        return either(words) if name == "dice" else tuple(words)
    return t(value) if isinstance(value, str) and value in FACES else value
