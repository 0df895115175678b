"""What must happen in games of M.A.R.K., and policies to try, for `tests.campaign`."""

from tests.games.selfplay import Bot

POLICIES: dict[str, Bot] = {}
"""Beside those that every game gets from `tests.campaign.exploits`."""

EXPECTED: dict[str, float] = {
    "asked act": 40,
    "asked bid": 10,
    "asked name": 1,
    "asked offer": 8,
    "buys": 0.6,
    "moves": 1,
    "move both": 4,
    "move process": 12,
    "move sell": 10,
    "move take": 15,
    "names": 1,
    "offers": 4,
    "wins": 0.8,
    "wins from": 0.6,
    "liquidated": 3,
    "unsold": 1.5,
    "no offer": 1,
    "gives back": 0.5,
    "rests": 5,
    "full": 0.8,
    **{f"sells {kind}": 1 for kind in ("glass", "plastic", "paper", "metal", "composite")},
    **{f"takes {kind}": 2 for kind in ("glass", "plastic", "paper", "metal", "composite")},
}
"""Counter -> least mean number in a game with the most players."""
