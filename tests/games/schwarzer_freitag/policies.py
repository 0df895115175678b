"""What must happen in games of Schwarzer Freitag, and policies to try, for `tests.campaign`."""

from collections.abc import Callable

from referee.game import Below
from referee.games.schwarzer_freitag.bots_sensible import ranked_turns, sensible_move
from referee.games.schwarzer_freitag.lookups import cases_of
from referee.games.schwarzer_freitag.scratch import Scratch
from referee.games.schwarzer_freitag.types import HAND, Action, Buy, Deal, Move, Pass, Sell, Sight, Silver
from tests.games.selfplay import Bot

COLOURS = ("yellow", "blue", "red", "green", "orange")


def prefers(wanted: Callable[[Action], bool]) -> Bot:
    """The best of the turns that are wanted; what `sensible` does if there is none."""

    def choose(terms: Deal, seen: Sight, below: Below) -> Move:
        if seen.ask is None or seen.ask.what != "turn":
            return sensible_move(terms, seen, below)
        plans = ranked_turns(Scratch(terms, seen.public, cases_of(seen.hand(HAND))))
        return next(filter(wanted, plans), plans[0])

    return choose


POLICIES: dict[str, Bot] = {
    "always passes": prefers(lambda turn: isinstance(turn, Pass)),
    "never passes": prefers(lambda turn: not isinstance(turn, Pass)),
    "never buys shares": prefers(lambda turn: not isinstance(turn, Buy)),
    "never sells before the end": prefers(lambda turn: not isinstance(turn, Sell)),
    "buys silver only at the end": prefers(lambda turn: not isinstance(turn, Silver)),
    "buys silver whenever it can": prefers(lambda turn: isinstance(turn, Silver)),
    "sells whenever it can": prefers(lambda turn: isinstance(turn, Sell)),
    "takes no subsidies": prefers(lambda turn: not turn.before),
    "keeps its PASS card": prefers(lambda turn: not turn.after),
}
"""Besides those that every game gets from `tests.campaign.exploits`."""

EXPECTED: dict[str, float] = {
    "move buy": 8,
    "move sell": 5,
    "move silver": 6,
    "move pass": 2,
    "subsidies": 8,
    "interest paid": 10,
    "interest owed": 2,
    "debt paid": 2,
    "price change": 4,
    "prices drawn": 4,
    "prices three": 2,
    "prices sold": 5,
    "prices missing": 1,
    "prices last": 4,
    "silver": 4,
    "stage": 2,
    "next strip": 0.8,
    "refill": 0.02,
    "starts": 1,
    "card": 1.5,
    "card pass": 0.5,
    "card buy": 0.3,
    "card silver": 0.15,
    "card sell": 0.05,
    "cash up": 5,
    **{f"buys {colour}": 1 for colour in COLOURS},
    **{f"sells {colour}": 0.5 for colour in COLOURS},
}
"""Counter -> least mean number in a game with the most players."""

EXPECTED_WITH: dict[str, dict[str, float]] = {
    "special_cards=false": {"move buy": 8, "move sell": 5, "price change": 4},
}
"""The same with another option."""

CLAUSES: dict[str, tuple[str, ...]] = {
    "SF-1": ("set-up",),
    "SF-2": ("prices",),
    "SF-3": ("silver",),
    "SF-4": ("interest paid",),
    "SF-5": ("stage",),
    "SF-6": ("set-up",),
    "SF-7": ("next strip",),
    "SF-8": ("stage",),
    "SF-9": ("set-up",),
    "SF-10": ("set-up",),
    "SF-11": ("set-up",),
    "SF-12": ("starts",),
    "SF-13": ("card pass",),
    "SF-14": ("asked place",),
    "SF-16": ("subsidies",),
    "SF-17": ("buys",),
    "SF-18": ("sells",),
    "SF-19": ("bars",),
    "SF-20": ("passes",),
    "SF-22": ("card pass", "card sell", "card silver", "card buy"),
    "SF-23": ("prices last",),
    "SF-24": ("prices three",),
    "SF-26": ("subsidies",),
    "SF-27": ("price change",),
    "SF-28": ("interest owed",),
    "SF-29": ("debt paid",),
    "SF-30": ("price change",),
    "SF-33": ("prices drawn",),
    "SF-34": ("next strip",),
    "SF-35": ("refill",),
    "SF-36": ("prices missing",),
    "SF-37": ("silver",),
    "SF-38": ("stage",),
    "SF-39": ("end",),
    "SF-40": ("cash up",),
}
"""Clause -> counters, each of which shows that it comes up."""

UNCOUNTED: dict[str, str] = {
    "SF-15": "who knows which shares is not told",
    "SF-21": "it says what does not happen",
    "SF-25": "edges are not told apart from other steps",
    "SF-31": "black cases are not told apart from other reasons why silver rises",
    "SF-32": "black cases are not told apart from other reasons why silver rises",
    "SF-41": "it says what does not happen",
    "SF-42": "all pass with an empty market once in some hundred games",
    "SF-43": "bots miss no deadline",
    "SF-44": "bots miss no deadline",
    "SF-45": "bots miss no deadline",
}
"""The other clauses, and why no counter shows them in games among bots."""
