"""How strong is `strong`? One seat against `sensible` everywhere else, the seat going round. Run by hand:

python -m tests.games.weg_zum_erfolg.strength --seats 4 --games 100 --seed 1
"""

import sys
from argparse import ArgumentParser
from collections import Counter
from math import erfc, sqrt

from .build import deal
from .selfplay import play


def measure(seats: int, games: int, seed: int, bot: str, other: str) -> None:
    wins, counts = 0.0, Counter[str]()
    for number in range(games):
        seat = number % seats
        bots = [bot if at == seat else other for at in range(seats)]
        game = play(deal(seats), bots, f"{seed}/{number}")
        wins += game.share(seat)
        counts += game.counts
    fair = 1 / seats
    z = (wins - games * fair) / sqrt(games * fair * (1 - fair))
    each = counts[f"microseconds of {bot}"] / max(1, counts[f"decisions of {bot}"])
    sys.stdout.write(
        f"{seats} seats, {games} games, seed {seed}: {bot} wins {wins:.1f} = {wins / games:.3f} (fair {fair:.3f}), "
        f"z {z:+.2f}, p {erfc(z / sqrt(2)) / 2:.4f}; {each / 1e6:.3f} s of CPU for each of "
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
