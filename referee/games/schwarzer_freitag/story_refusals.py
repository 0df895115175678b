"""Why a move or an edition is refused, in sentences."""

from referee.language import Value, either, mark

from .story import CALLED

REFUSALS: dict[str, tuple[str, str]] = {
    "not-asked": (mark("it is not your turn"), mark("wait until you are asked")),
    "place-first": (
        mark("before the first turn each player places one case"),
        mark("name the colour of a market case"),
    ),
    "no-case-to-place": (mark("the market holds no {mark}"), mark("place a colour that the market holds")),
    "placing-over": (mark("no more cases are placed; this is a normal turn"), mark("choose buy, sell, silver or pass")),
    "no-action": (mark("a turn needs an action"), mark("choose buy, sell, silver or pass")),
    "open-anyway": (
        mark("subsidies and the PASS card without an action keep the turn open anyway"),
        mark("leave out hold"),
    ),
    "nothing-before-hold": (
        mark("hold needs something before it"),
        mark("take subsidies, use the PASS card, or end the turn"),
    ),
    "action-done": (
        mark("the action of this turn is done"),
        mark("only subsidies or the PASS card can follow, or nothing"),
    ),
    "card-changes-prices": (
        mark("the PASS card triggers a price change"),
        mark("send the card alone, then the action"),
    ),
    "two-pass-cards": (mark("two PASS cards follow each other"), mark("send one of them alone")),
    "subsidies-apart": (mark("two numbers of subsidies follow each other"), mark("write them as one number")),
    "too-many-subsidies": (mark("the stage allows {limit} subsidies in all"), mark("take {left} or fewer")),
    "no-case-for-card": (mark("the market holds no {colour} for the PASS card"), mark("choose a colour it holds")),
    "no-pass-card": (mark("you have no PASS card left"), mark("play without the card")),
    "no-card": (mark("you have no card for {use} left"), mark("play without the card")),
    "not-in-market": (mark("the market does not hold all these shares"), mark("buy only what the market holds")),
    "not-held": (mark("you do not hold all these shares"), mark("sell only what you hold")),
    "drop-not-sold": (mark("{drop} cannot drop: you do not sell it"), mark("drop one of the colours you sell")),
    "no-units": (mark("{use} trades at least one unit"), mark("name what you trade, or pass")),
    "too-many-units": (
        mark("{units} units are more than the {most} you may {use}"),
        mark("trade {most} or fewer"),
    ),
    "too-expensive": (mark("it costs {cost}, you have {money}"), mark("raise {short} more, or buy less")),
    "none-to-mark": (mark("{mark} cannot be marked: no case is left"), mark("leave the mark out")),
    "nothing-marked": (mark("no case is marked"), mark("mark {allowed}")),
    "not-markable": (mark("{mark} cannot be marked here"), mark("mark {allowed}")),
    "must-sell": (mark("you owe {debt} interest, more than subsidies can cover"), mark("sell shares")),
    "needed-for-debt": (
        mark("it costs {cost}, but your debt of {debt} leaves you only {most} to spend"),
        mark("spend {most} or less"),
    ),
    "sale-too-small": (
        mark("the sale brings {proceeds}, but the debt needs {need}"),
        mark("sell for {need} or more"),
    ),
    "seats": (mark("the game is for 2 to 5 players, not {seats}"), ""),
    "prices": (
        mark("all rows of prices need the same number of columns, and prices rise to the right and upwards"),
        "",
    ),
    "start-field": (mark("start_field is not on the price table"), ""),
    "silver-track": (mark("the prices on silver_track must rise"), ""),
    "stage-prices": (mark("the prices of the stages must rise and not exceed the highest price"), ""),
    "stage-limits": (mark("the subsidies and limits of the stages must not fall"), ""),
    "first-subsidies": (mark("the first subsidies do not pay for a silver bar"), ""),
    "too-few-cases": (mark("strips, market and bag need more cases than there are"), ""),
    "small-bag": (mark("the bag holds too few cases for hands and market"), ""),
    "small-market": (mark("the market starts with fewer cases than there are players"), ""),
    "sale-left": (mark("sale_left must be less than a sale strip holds"), ""),
    "too-few-black": (mark("there are fewer than three black cases beside the sale strips"), ""),
    "too-long": (
        mark("a game takes too long: the silver track is too long, or too few cases are drawn from too full a bag"),
        "",
    ),
}
"""Reason -> the message, and what to do next; nothing: look at what is legal."""


def word(name: str, value: Value) -> Value:
    """A value as it stands in a sentence: colours and actions as they are called."""
    if isinstance(value, tuple):
        return either(word(name, one) for one in value)
    return CALLED.get(value, value) if isinstance(value, str) else value
