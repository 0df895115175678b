"""What the rules refuse, as sentences: by the reason that they give, what is wrong and what to do next."""

from collections.abc import Sequence

from referee.game import LINK
from referee.language import Catalogue, Value, mark

from .lookups import EVENTS
from .story import SINGULAR, TITLES
from .types import GOODS

t = Catalogue("referee.games.schwarzmarkt")

REFUSALS = {
    "not-asked": (mark("it is not your turn"), mark("wait until you are asked")),
    "no-answer": (mark("that does not answer the question"), "{asked}"),
    # Playing a card.
    "card-not-held": (mark("you do not hold that card"), mark("play one of: {cards}")),
    "no-such-card": (mark("there is no such card"), mark("play one of your black-market cards")),
    "nothing-follows": (mark("there is nothing to decide after that card"), mark("play the card alone")),
    "secret-follows": (mark("what follows that card is secret and asked for separately"), mark("play the card alone")),
    # Trading.
    "goods-not-held": (mark("you do not hold all these goods"), mark("you hold: {held}")),
    "not-wanted": (mark("that is more than is still wanted"), mark("still wanted: {wanted}")),
    "goods-are-scarce": (mark("under Waren knapp a turn trades at most one card"), mark("trade one card or none")),
    "steps-after-trade": (mark("after a trade the marker moves by itself"), mark("leave the steps out")),
    "marker-at-end": (mark("the marker has reached the end"), mark("trade, or leave the steps out to trade nothing")),
    "marker-must-move": (mark("without a trade you must move the marker"), mark("move it {fields}, or trade")),
    "no-turn-left": (mark("no turn is left to sit out"), mark("leave `sit out` out")),
    "no-field-so-far": (mark("no field lets the marker move so far"), mark("sit out with 1 to {most} fields")),
    # What text cards ask for.
    "good-not-held": (mark("you hold no {good}"), mark("you hold: {held}")),
    "cannot-swap-so-many": (mark("{number} cards cannot be swapped"), mark("swap 1 to {most} cards")),
    "other-number-given": (mark("you must give {number} cards"), mark("name them in the order {goods}")),
    "gift-not-held": (mark("you do not hold the cards given"), mark("you hold: {held}")),
    "not-every-good": (mark("the ranking must name every good once"), mark("rank {goods}, best first")),
    "no-other-player": (mark("the target must be another player"), mark("name another player")),
    "target-has-too-few": (
        mark("the target holds {goods} of the {least} goods cards needed"),
        mark("name another player"),
    ),
    # Editions.
    "other-seats": (mark("the game is for 3 to 5 players, not {seats}"), ""),
    "other-types": ("{error}", ""),
    "track-must-rise": (mark("track must start at 1, rise and end at 50"), ""),
    "limit-off-track": (mark("limit must be a value of the track, more than 1"), ""),
    "steps-unlike-track": (
        mark("steps needs one number for each field of the track: 1 or more, and 0 on the last"),
        "",
    ),
    "empty-offer": (mark("each of the offers must want something"), ""),
    "number-of-goods": (mark("too few goods cards for all hands, or more than {most_cards}"), ""),
    "number-of-cards": (mark("too few black-market cards for all hands and the pile, or more than {most_cards}"), ""),
    "half-cards-too-many": (mark("half_cards can be at most {turns} with this track, these goods and offers"), ""),
}
"""Reason -> what is wrong, and what to do next (empty: see what is legal)."""
ASKED = {
    "play": t("play one of your black-market cards"),
    "trade": t("trade goods that are wanted, or move the marker"),
    "spy": t("name the player whose goods are shown"),
    "quick": t("name the good you trade"),
    "swap": t("name a player and the cards you give"),
    "raid": t("name a player and a good"),
    "find": t("rank the goods, best first"),
    "collect": t("name the player you take a card from"),
    LINK: t("wait until the goods are dealt"),
}
"""What answers each question."""


def word(name: str, value: Value) -> Value:
    """A value; what the game has a word for is called by it."""
    match name, value:
        case "asked", str(asked):
            return ASKED[asked]
        case "cards", tuple(cards):
            return tuple(_card(str(card)) for card in cards)
        case "good", str(good):
            return t(good)
        case "goods", tuple(goods):
            return tuple(t(str(good)) for good in goods)
        case "held" | "wanted", tuple(goods):
            return _counted(goods)
        case "fields", int(far):
            return t("1 field") if far == 1 else t("1 to {far} fields", far=far)
    return value


def _card(card: str) -> Value:
    """A black-market card as players know it: `Razzia`, `offer 3`."""
    return TITLES[EVENTS[card]] if card in EVENTS else t("offer {number}", number=card.removeprefix("offer-"))


def _counted(goods: Sequence[Value]) -> Value:
    """For example `2 butter, 1 sugar`."""
    numbers = [(good, goods.count(good)) for good in GOODS if good in goods]
    return tuple(t("{n} {good}", n=n, good=t(SINGULAR[good] if n == 1 else good)) for good, n in numbers) or t("none")
