"""Policies that might be too good, each built on `sensible`, and what should happen in games among sensible bots."""

from collections.abc import Callable

from referee.game import Below
from referee.games.schwarzmarkt.bots import sensible_move, sensible_play
from referee.games.schwarzmarkt.lookups import (
    EVENTS,
    NONE,
    after_play,
    at_end,
    goods_in,
    held,
    is_offer,
    most_steps,
    most_traded,
    price,
    total,
    tradable,
)
from referee.games.schwarzmarkt.types import Amounts, Deal, Move, Play, Sight, Trade
from referee.games.schwarzmarkt.words import in_order
from tests.games.selfplay import Bot

Sell = Callable[[Deal, Sight, Amounts], Amounts]
"""Which of the goods that could be traded are traded."""
DEAR = 25
CHEAP = 5


def _turn(terms: Deal, seen: Sight, goods: Amounts, steps: int = 1) -> Trade:
    """A turn that trades these goods, or moves the marker this far."""
    return Trade(goods, 0 if goods != NONE else min(steps, most_steps(terms, seen.public)))


def _trading(sell: Sell, steps: int = 1) -> Bot:
    """Plays cards as `sensible` does, and trades by a rule of its own."""

    def turn(terms: Deal, seen: Sight) -> Trade:
        able = tradable(seen.public, held(seen))
        goods = sell(terms, seen, able) if able != NONE else NONE
        if total(goods) > most_traded(seen.public):
            goods = Amounts(**{goods_in(goods)[0]: 1})
        return _turn(terms, seen, goods, steps)

    def policy(terms: Deal, seen: Sight, below: Below) -> Move:
        move = sensible_move(terms, seen, below)
        if isinstance(move, Trade):
            return turn(terms, seen)
        if isinstance(move, Play) and is_offer(move.card):
            return Play(move.card, turn(terms, after_play(terms, seen, move.card)))
        return move

    return policy


def _from_price(least: int) -> Sell:
    """Trades all it can at this price or above, and on the last turn."""
    return lambda terms, seen, able: able if price(terms, seen.public) >= least or at_end(terms, seen.public) else NONE


def _far(terms: Deal, seen: Sight, below: Below) -> Move:
    """Moves the marker as far as it may whenever it trades nothing."""
    move = sensible_move(terms, seen, below)
    if isinstance(move, Trade) and move.goods == NONE:
        return Trade(NONE, most_steps(terms, seen.public))
    return move


def _sits_out(terms: Deal, seen: Sight, below: Below) -> Move:
    """Takes one turn in a trade round and no other."""
    move = sensible_move(terms, seen, below)
    if isinstance(move, Trade) and most_steps(terms, seen.public):
        return Trade(move.goods, move.steps, 1)
    return move


def _plays_first(text: bool) -> Bot:
    """Plays text cards before offers, or offers before text cards."""

    def policy(terms: Deal, seen: Sight, below: Below) -> Move:
        move = sensible_move(terms, seen, below)
        cards = [card for card in in_order(terms, seen.hand("cards")) if (card in EVENTS) == text]
        if isinstance(move, Play) and (move.card in EVENTS) != text and cards:
            return sensible_play(terms, seen, cards[0])
        return move

    return policy


POLICIES: dict[str, Bot] = {
    "never trades": _trading(lambda terms, seen, able: NONE),
    "trades all it can at once": _trading(lambda terms, seen, able: able),
    "trades one card at a time": _trading(lambda terms, seen, able: Amounts(**{goods_in(able)[0]: 1})),
    "empties its hand from 5 on": _trading(_from_price(CHEAP)),
    "hoards until 25": _trading(_from_price(DEAR)),
    "hoards until 25 and hurries": _trading(_from_price(DEAR), 50),
    "moves as far as it may": _far,
    "takes one turn a trade round": _sits_out,
    "text cards first": _plays_first(True),
    "offers first": _plays_first(False),
}

EXPECTED: dict[str, float] = {
    "asked play": 10,
    "asked trade": 20,
    "trade": 12,
    "no trade": 0.1,
    "round over": 6,
    "sits out": 5,
    "half over": 2,
    "last goods": 0.5,
    "filled": 1,
    "find": 0.4,
    "spy": 0.15,
    "swap": 0.2,
    "raid": 0.4,
    "collect": 0.4,
    "move quick": 0.4,
    "play waren-knapp": 0.25,
    "play spionage": 0.15,
    "play schnelles-geschaeft": 0.4,
    "play zwangstausch": 0.2,
    "play razzia": 0.4,
    "play neue-ware": 0.4,
    "play limit": 0.2,
    "play alte-rechnung": 0.4,
    "play verdorbene-ware": 0.2,
    **{f"play offer-{number}": 0.1 for number in range(1, 22)},
}
"""Counter -> least mean number in a game with the most players."""

EXPECTED_WITH: dict[str, dict[str, float]] = {"expert=true": {"trade": 12, "half over": 2}}
"""The same with another option."""

CLAUSES: dict[str, tuple[str, ...]] = {
    "SM-1": ("dealt",),
    "SM-2": ("play",),
    "SM-3": ("price",),
    "SM-4": ("dealt",),
    "SM-5": ("asked play",),
    "SM-6": ("trade",),
    "SM-7": ("price",),
    "SM-8": ("round over",),
    "SM-9": ("round over",),
    "SM-10": ("play",),
    "SM-11": ("filled",),
    "SM-12": ("won",),
    "SM-13": ("play waren-knapp",),
    "SM-14": ("spy",),
    "SM-15": ("move quick",),
    "SM-16": ("swap",),
    "SM-17": ("raid",),
    "SM-18": ("find",),
    "SM-19": ("play limit",),
    "SM-20": ("collect",),
    "SM-21": ("play verdorbene-ware",),
    "SM-23": ("asked trade",),
    "SM-26": ("sits out",),
}
"""Clause -> counters, each of which shows that it comes up."""

UNCOUNTED: dict[str, str] = {
    "SM-22": "who knows which cards is not told",
    "SM-24": "bots miss no deadline",
    "SM-25": "moves in one answer are counted as if each came alone",
    "SM-27": "standing orders ask nothing, and are not told",
}
"""The other clauses, and why no counter shows them in games among bots."""
