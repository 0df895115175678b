"""How strong is `strong`? One seat against `sensible` everywhere else, the seat going round. Run by hand:

python -m tests.games.weg_zum_erfolg.strength --seats 4 --games 100 --seed 1

Last results (fair is 1 / seats; p of the normal test, one-sided). The first two rows flatter it, because the moves that
`strong` tries out were chosen after looking at them (played with links after eight turns, by another script: this one
cannot repeat them); the last two are fresh. With 2 seats it is better than `sensible`; with 4 that is not shown (0.300
of all 140 games, z +1.37, p 0.086); 8 seats were not measured.

seats  games  seed  share of wins      z      p  CPU for a decision
    2     80     1          0.637  +2.46  0.007             0.062 s
    4     80     1          0.388  +2.84  0.002             0.052 s
    2     24    11          0.792  +2.86  0.002             0.045 s
    4     60    11          0.183  -1.19  0.884             0.040 s

Five laps, 5,000 turns and half the caution (0.21 s a decision) are no cure: 0.362 of 76 games with 4 seats (z +2.25;
the first 40 of them were looked at before), 0.450 of 40 with 2 (z -0.63).

If its candidates name the ways after a decision in advance, as `sensible` does, it is no better than `sensible`: 0.470
of 100 games with 2 seats (z -0.60), 0.281 of 80 with 4 (z +0.65).
"""

import sys
from argparse import ArgumentParser
from collections import Counter
from math import comb

from .build import deal
from .selfplay import play


def chance_of(games: int, wins: float, share: float) -> float:
    """How likely chance alone would win so many games, or more (exact; shared wins are rounded down)."""
    return sum(comb(games, k) * share**k * (1 - share) ** (games - k) for k in range(int(wins), games + 1))


def measure(seats: int, games: int, seed: int, bot: str, other: str) -> None:
    wins, counts = 0.0, Counter[str]()
    for number in range(games):
        seat = number % seats
        bots = [bot if at == seat else other for at in range(seats)]
        game = play(deal(seats), bots, f"{seed}/{number}")
        wins += game.share(seat)
        counts += game.counts
    fair = 1 / seats
    each = counts[f"microseconds of {bot}"] / max(1, counts[f"decisions of {bot}"])
    sys.stdout.write(
        f"{seats} seats, {games} games, seed {seed}: {bot} wins {wins:.1f} = {wins / games:.3f} (fair {fair:.3f}), "
        f"p {chance_of(games, wins, fair):.2g}; {each / 1e6:.3f} s of CPU for each of "
        f"{counts[f'decisions of {bot}'] / games:.0f} decisions\n"
    )


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default="strong")
    parser.add_argument("--other", default="sensible")
    given = parser.parse_args()
    measure(given.seats, given.games, given.seed, given.bot, given.other)
