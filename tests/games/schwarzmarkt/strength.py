"""How much better `strong` plays than `sensible`: one strong seat, which goes round the table, against sensible ones.

python -m tests.games.schwarzmarkt.strength --seats 4 --games 100 --seed 1
"""

import argparse
import sys
import time
from math import erfc, sqrt

from referee.games.schwarzmarkt import GAME
from tests.games.selfplay import play

from .build import deal


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seats", type=int, default=4)
    options.add_argument("--games", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--bot", default="strong")
    chosen = options.parse_args()
    won, lead, begin = 0.0, 0, time.process_time()
    for number in range(chosen.games):
        seat = number % chosen.seats
        bots = [chosen.bot if at == seat else "sensible" for at in range(chosen.seats)]
        played = play(GAME, deal(chosen.seats), bots, f"{chosen.seed} {number}")
        luxury = [player.luxury for player in played.step.public.players]
        won += played.share(seat)
        lead += luxury[seat] - max(luxury[at] for at in range(chosen.seats) if at != seat)
        sys.stderr.write(f"{number + 1} games, {won:.1f} won\n")
    even, games = 1 / chosen.seats, chosen.games
    z = (won - games * even) / sqrt(games * even * (1 - even))
    told = (
        f"{chosen.seats} seats, {games} games: {chosen.bot} won {won:.1f}",
        f"{won / games:.0%} where {even:.0%} would be even",
        f"z = {z:.1f}, p = {erfc(z / sqrt(2)) / 2:.2g}",
        f"mean lead {lead / games:.0f}",
        f"{(time.process_time() - begin) / games:.1f} s a game",
    )
    sys.stdout.write("; ".join(told) + "\n")


if __name__ == "__main__":
    main()
