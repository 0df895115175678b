"""What must happen in games of M.A.R.K., and policies to try, for `tests.campaign`."""

from tests.games.selfplay import Bot

POLICIES: dict[str, Bot] = {}
"""Besides those that every game gets from `tests.campaign.exploits`."""

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

CLAUSES: dict[str, tuple[str, ...]] = {
    "MK-1": ("rolls",),
    "MK-2": ("processes",),
    "MK-3": ("sells",),
    "MK-4": ("starts",),
    "MK-5": ("stores",),
    "MK-6": ("takes",),
    "MK-7": ("move both",),
    "MK-8": ("names",),
    "MK-9": ("gives back",),
    "MK-10": ("wins",),
    "MK-11": ("full", "idle"),
    "MK-12": ("buys",),
    "MK-13": ("moves",),
    "MK-14": ("offers",),
    "MK-15": ("liquidated",),
    "MK-16": ("liquidated",),
    "MK-17": ("wins from",),
}
"""Clause -> counters, each of which shows that it comes up."""

UNCOUNTED: dict[str, str] = {
    "MK-18": "bots miss no deadline",
    "MK-19": "bots miss no deadline",
    "MK-20": "standing orders ask nothing, and are not told",
    "MK-21": "standing orders ask nothing, and are not told",
    "MK-22": "standing orders ask nothing, and are not told",
    "MK-23": "a bare link is asked for once in 2 to 30 games",
}
"""The other clauses, and why no counter shows them in games among bots."""
