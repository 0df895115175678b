"""What happened, in sentences."""

from collections import Counter
from collections.abc import Sequence

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
_PLAIN = {
    "all passed": t("all have passed"),
    "end": t("the silver price has reached the end of its track: the game is over"),
}
_WHY = {
    "last": mark("{prices}: the last one has left the market"),
    "three": mark("{prices}: {three} on the strip"),
    "missing": mark("{prices}: none in the market"),
}


def called(colour: str) -> str:
    """A colour as it can be typed."""
    return str(CALLED[colour])


def card_name(use: Card) -> str:
    """A use of a special card, as it is printed."""
    return str(_CARDS[use])


def tell(terms: Deal, note: Note) -> str:
    """One line of the story; `@2` stands for the name of seat 2."""
    v = note.values
    match note.what:
        case "all passed" | "end":
            return str(_PLAIN[note.what])
        case "prices":
            prices = ", ".join(f"{called(colour)} {before} -> {after}" for colour, before, after in v["moves"])
            return w(_WHY[v["why"]], prices=prices, three=terms.edition.three) if v["why"] in _WHY else prices
        case "price change":
            return w("price change: drawn {cases}", cases=_counted(v["drawn"]))
        case "set-up":
            return w(
                "every player draws {hand} cases unseen; drawn into the market: {cases}",
                hand=v["hand"],
                cases=_counted(v["drawn"]),
            )
        case "silver":
            return w("silver {before} -> {after}", before=v["before"], after=v["after"])
        case "stage":
            return w("stage {number}", number=v["number"])
        case "next strip":
            return w("sale strip {number} is next", number=v["number"])
        case "refill":
            return w("sale strip 2 is refilled with {cases}", cases=_listed(v["cases"]))
        case what:
            return _deed(what, note, f"@{v['seat']}")


def _deed(what: str, note: Note, who: str) -> str:
    """What a player did."""
    v = note.values
    match what:
        case "places":
            return w("{who} places {mark} on the purchase strip", who=who, mark=called(v["mark"]))
        case "marks":
            return w("{who} marks {mark}", who=who, mark=called(v["mark"]))
        case "passes":
            return _marking(note, w("{who} passes", who=who))
        case "buys":
            return _marking(
                note, w("{who} buys {shares} for {amount}", who=who, shares=_listed(v["shares"]), amount=v["amount"])
            )
        case "sells":
            return _marking(
                note, w("{who} sells {shares} for {amount}", who=who, shares=_listed(v["shares"]), amount=v["amount"])
            )
        case "bars":
            return _marking(
                note, w("{who} buys {bars} silver for {amount}", who=who, bars=v["bars"], amount=v["amount"])
            )
        case "card":
            return w("{who} plays the card {card}", who=who, card=card_name(v["use"]))
        case "card kept":
            return w(
                "{who} keeps the card PASS: no {colour} is left in the market", who=who, colour=called(v["colour"])
            )
        case _:
            return _money(what, note, who)


def _money(what: str, note: Note, who: str) -> str:
    """What a player took, paid or owes, and the end of the game."""
    v = note.values
    match what:
        case "subsidies":
            return w.plural(
                "{who} takes {n} subsidy for {amount}",
                "{who} takes {n} subsidies for {amount}",
                v["number"],
                who=who,
                amount=v["amount"],
            )
        case "debt paid":
            return w("{who} pays the debt of {amount}", who=who, amount=v["amount"])
        case "interest paid":
            return w("{who} pays {amount} interest", who=who, amount=v["amount"])
        case "interest owed":
            return w("{who} owes {amount} interest", who=who, amount=v["amount"])
        case "cash up":
            return w(
                "{who} sells {shares}, takes subsidies: {subsidies}, buys silver: {bars}, has gold: {gold}",
                who=who,
                shares=_listed(v["shares"]),
                subsidies=v["subsidies"],
                bars=v["bars"],
                gold=v["gold"],
            )
    raise KeyError(what)


def _marking(note: Note, deed: str) -> str:
    """What was done, and which case it moved to a strip or from one."""
    colour = note.values["mark"]
    return w("{deed}, marks {mark}", deed=deed, mark=called(colour)) if colour else deed


def _listed(cases: Sequence[str]) -> str:
    return ", ".join(map(called, cases)) or w("nothing")


def _counted(cases: Sequence[str]) -> str:
    return ", ".join(f"{number} {called(colour)}" for colour, number in Counter(cases).items()) or w("nothing")
