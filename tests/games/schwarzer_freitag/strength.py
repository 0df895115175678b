"""How much better is `strong` than `sensible`? One `strong` seat, rotating, against `sensible` everywhere else.

python -m tests.games.schwarzer_freitag.strength --seats 4 --games 100 --seed 1
"""

# Last result, --games 40 --seed 5; five seats with the stages of rules 2:
#
#   seats  won   by chance  p      from each seat  CPU a decision
#   2      34.0  20.0       4e-06  18, 16          0.08 s
#   3      31.0  13.3       1e-08  13, 9, 9        0.12 s
#   4      29.0  10.0       4e-10  7, 8, 7, 7      0.18 s
#   5      17.0   8.0       1e-03  3, 4, 2, 3, 5   0.17 s

import argparse
import random
import time
from math import comb

from referee.games.schwarzer_freitag import GAME
from referee.games.schwarzer_freitag.types import Deal, Move, Sight
from tests.support.plain import play_out

from .build import deal


def wins(terms: Deal, strong: int, seed: str) -> tuple[float, int, float]:
    """The share of the win that the strong seat has, its decisions, and the time that they took."""
    decisions, took = 0, 0.0

    def choose(terms: Deal, view: Sight, rng: random.Random) -> Move:
        nonlocal decisions, took
        begun = time.process_time()
        move: Move = GAME.bots["strong" if view.seat == strong else "sensible"](terms, view, rng.randrange)
        if view.seat == strong:
            decisions, took = decisions + 1, took + time.process_time() - begun
        return move

    *_, last = play_out(GAME, terms, choose, random.Random(seed))
    result = last.step.result
    assert result is not None
    return (result.ranks[strong] == 1) / result.ranks.count(1), decisions, took


def chance_of(games: int, won: float, share: float) -> float:
    """How likely chance alone would win so many games, or more (exact; shared wins are rounded down)."""
    return sum(comb(games, k) * share**k * (1 - share) ** (games - k) for k in range(int(won), games + 1))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    played = []
    for game in range(args.games):
        played.append(wins(deal(args.seats), game % args.seats, f"{args.seed} {game}"))
        print(f"{game + 1}: {sum(share for share, _, _ in played):.1f}", end="\r", flush=True)
    won, decisions = sum(share for share, _, _ in played), sum(number for _, number, _ in played)
    chance = chance_of(args.games, won, 1 / args.seats)
    each = sum(took for _, _, took in played) / decisions
    expected = args.games / args.seats
    print(f"seats {args.seats}, games {args.games}: won {won:.1f}, by chance {expected:.1f}, p {chance:.1g}")
    by_seat = [sum(share for share, _, _ in played[seat :: args.seats]) for seat in range(args.seats)]
    print(f"won from each seat: {', '.join(f'{share:.1f}' for share in by_seat)}")
    print(f"{each:.2f} s of CPU for a decision")


if __name__ == "__main__":
    main()
