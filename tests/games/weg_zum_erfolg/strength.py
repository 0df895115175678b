"""How strong is `strong`? One seat against `sensible` everywhere else, the seat going round. Run by hand:

python -m tests.games.weg_zum_erfolg.strength --seats 4 --games 100 --seed 1

Last results, with seeds that nothing was tuned on (fair is 1 / seats; p is exact, one-sided):

seats  games  seed   wins  share of wins       p  CPU for a decision
    2    100  2026   71.0          0.710  0.00002             0.011 s
    4    200  2026   87.2          0.436    1e-08             0.007 s
    8    320  2026   61.7          0.193   0.0005             0.004 s

What misled its forerunner (0.183 of 60 games with 4 seats), which played every move on for a lap and judged by what
pieces of a level had brought `sensible`, in shares of wins with 4 seats, of games that it was tuned on:

- Cards are scarce (`sensible` ends with less than one), and a card that is saved helps later. `sensible` with only its
  heads decided anew, at a fixed price of a card of 0.15, 0.3, 0.5 and 0.7 points: 0.287, 0.287, 0.268 and 0.172 of 300
  (with 8 seats 0.132, 0.187, 0.134 and 0.074).
- A field is worth what a piece can make of it with the sweeps to come, not what `sensible` made of it. With all fields
  worked out (`bots_outlook`) and used for all decisions: 0.357 and 0.382 of 300, for prices of 0.15 and 0.5.
- Coming home sweeps the others too, and the price of a card depends on how many are left. With both: 0.463 of 300.
- Standing orders about heads take these decisions away: the same player with what bots then said 0.284 of 200,
  with words for one card only 0.342, with words only once four are home 0.468 of 300. So bots say none before that.

None of this is play-outs: without any it won 0.388 of 300 games with 4 seats, 0.657 of 200 with 2 and 0.204 of 300 with
8 (another seed). Whether they add anything to it was not shown; they are tried only where moves look nearly alike, and
believed only where they differ by two standard errors.
"""

import sys
from argparse import ArgumentParser
from collections import Counter
from math import comb

from referee.games.weg_zum_erfolg import GAME
from tests.games.selfplay import play

from .build import deal


def chance_of(games: int, wins: float, share: float) -> float:
    """How likely chance alone would win so many games, or more (exact; shared wins are rounded down)."""
    return sum(comb(games, k) * share**k * (1 - share) ** (games - k) for k in range(int(wins), games + 1))


def measure(seats: int, games: int, seed: int, bot: str, other: str) -> None:
    wins, counts = 0.0, Counter[str]()
    for number in range(games):
        seat = number % seats
        bots = [bot if at == seat else other for at in range(seats)]
        game = play(GAME, deal(seats), bots, f"{seed}/{number}")
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
