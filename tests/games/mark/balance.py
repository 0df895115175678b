"""Does it pay to buy and to move pieces for money? Games among bots with other values of the market (MK-3).

python -m tests.games.mark.balance --market steep --games 1000 [--bot sensible] [--seats 2] [--seed 1]

One seat, each in turn, plays as if it could not buy, or not move; the others use both. An option pays if that seat has
fewer points than the others on average.
"""

# Points more than the other's, and share of wins, of the one of two `sensible` players who does without; how often the
# other uses the option in a game; 6,000 games for each line, 99% intervals. All markets keep the 15 of the sources.
#
#   market       without buy                             without move
#   ours         0.8   +4.8 (-1.9 to +11.6)     .513     1.0   -2.7 (-9.5 to +4.0)     .492
#   steep        3.0   -5.3 (-13.8 to +3.3)     .486     0.7   +0.9 (-7.5 to +9.3)     .508
#   flat         0.0   +0.6 (-2.6 to +3.8)      .505     0.1   +1.3 (-2.0 to +4.5)     .509
#   double       3.2   -20.7 (-34.2 to -7.1)    .467     2.0   +0.2 (-13.6 to +13.9)   .497
#   fourfold     5.5   -127.0 (-154.8 to -99)   .430     2.0   -54.9 (-83.4 to -26)    .475
#
# So both pay where pieces are worth about four times as much: 5 and 10 Mark are little then. With ours neither is shown
# to pay. `strong`, other numbers of players, and what else changes with such values were not tried.

import argparse
from collections import Counter
from typing import Any

from msgspec.structs import replace

from tests.campaign.series import Outcome
from tests.campaign.tactics import WITHOUT, without
from tests.campaign.worth import told
from tests.games.selfplay import Bot, load, play, terms_of

GAME = "mark"
Market = tuple[tuple[int, ...], ...]
OURS: Market = (
    (20, 25, 30, 45, 65),
    (15, 25, 35, 55, 80),
    (5, 10, 15, 60, 100),
    (10, 25, 45, 75, 110),
    (5, 25, 55, 90, 130),
)


def times(factor: int) -> Market:
    """Ours with higher values, but for the one of the sources: the third of the middle row."""
    low = [[factor * value for value in row] for row in OURS]
    low[2][:3] = OURS[2][:3]
    return tuple(map(tuple, low))


MARKETS: dict[str, Market] = {
    "ours": OURS,
    "double": times(2),
    "fourfold": times(4),
    "steep": ((5, 9, 20, 60, 120), (5, 9, 25, 75, 140), (5, 10, 15, 80, 160), (5, 9, 30, 90, 180), (5, 9, 35, 99, 200)),
    "flat": (
        (35, 36, 37, 38, 39),
        (36, 38, 40, 42, 44),
        (13, 14, 15, 40, 45),
        (40, 44, 48, 52, 56),
        (45, 50, 55, 60, 65),
    ),
    "one rich row": (*(((5, 10, 15, 20, 25),) * 4), (50, 100, 150, 200, 250)),
    "small": ((6, 8, 10, 13, 16), (6, 9, 12, 15, 18), (8, 12, 15, 18, 22), (5, 9, 14, 20, 25), (4, 9, 15, 22, 30)),
}
"""Values of the market, each row from its first field on; the third of the middle row is from the sources."""


def game(terms: Any, bots: list[str | Bot], seed: str) -> Outcome:
    """One game."""
    played = play(load(GAME), terms, bots, seed)
    assert played.step.result is not None
    shares = tuple(played.share(seat) for seat in range(terms.seats))
    points = tuple(score[0] for score in played.step.result.scores)
    return Outcome(shares, points, played.start, played.counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--market", default="ours", choices=MARKETS)
    parser.add_argument("--bot", default="sensible")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    terms = terms_of(GAME, given.seats)
    terms = replace(terms, edition=replace(terms.edition, market=MARKETS[given.market]))
    for option in ("buy", "move"):
        lacks = without(load(GAME), given.bot + WITHOUT + option)
        outcomes, counts = list[Outcome](), Counter[str]()
        for number in range(given.games):
            bots: list[str | Bot] = [given.bot] * given.seats
            bots[number % given.seats] = lacks
            outcomes.append(game(terms, bots, f"{given.seed} {number}"))
            counts += outcomes[-1].counts
        often = counts["buys" if option == "buy" else "moves"] / given.games / (given.seats - 1)
        print(f"{given.market}: {often:.1f} times a game by each of the others; {told(outcomes, option)}")


if __name__ == "__main__":
    main()
