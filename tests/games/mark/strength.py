"""How much better one bot plays than another: run by hand, `python -m tests.games.mark.strength --seats 4 --games 100`.

One seat, which goes round, plays `strong`, all others `sensible`; a shared first place counts as a share of a win.
p is the chance of so many wins, or more, if both were equally good (normal approximation).

Last results, seed 1 (`--first` goes on where a run ended; two and three runs were put together):

| seats | games | wins | share | equal | p       | CPU a decision |
|-------|-------|------|-------|-------|---------|----------------|
| 2     | 60    | 46   | 0.767 | 0.500 | 0.00002 | 0.025 s        |
| 3     | 80    | 42   | 0.525 | 0.333 | 0.0001  | 0.025 s        |
| 4     | 80    | 36.5 | 0.456 | 0.250 | 0.00001 | 0.025 s        |

About half of the decisions are rolls, which take no time.
"""

import argparse
import random
import time
from math import erfc, sqrt

from referee.game import Result
from referee.games.mark import GAME
from referee.games.mark.types import Deal, Sight
from tests.support.plain import play_out

from .build import deal


def play(terms: Deal, bots: list[str], seed: str) -> tuple[Result, float, int]:
    """The result of a game between these bots; the time that `strong` took, and for how many decisions."""
    spent, asked = 0.0, 0

    def choose(terms: Deal, view: Sight, rng: random.Random) -> object:
        nonlocal spent, asked
        before = time.process_time()
        move = GAME.bots[bots[view.seat]](terms, view, rng.randrange)
        if bots[view.seat] == "strong":
            spent, asked = spent + time.process_time() - before, asked + 1
        return move

    *_, last = play_out(GAME, terms, choose, random.Random(seed))
    assert last.step.result is not None
    return last.step.result, spent, asked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    for name, number in (("seats", 4), ("games", 100), ("seed", 1), ("first", 0)):
        parser.add_argument(f"--{name}", type=int, default=number)
    given = parser.parse_args()
    wins, lead, spent, asked = 0.0, 0, 0.0, 0
    for game in range(given.first, given.first + given.games):
        seat = game % given.seats
        bots = ["strong" if at == seat else "sensible" for at in range(given.seats)]
        result, took, decisions = play(deal(given.seats), bots, f"{given.seed}/{given.seats}/{game}")
        wins += (result.ranks[seat] == 1) / result.ranks.count(1)
        lead += result.scores[seat][0] - max(score for at, (score,) in enumerate(result.scores) if at != seat)
        spent, asked = spent + took, asked + decisions
    fair = 1 / given.seats
    sigma = sqrt(given.games * fair * (1 - fair))
    p = erfc((wins - given.games * fair) / sigma / sqrt(2)) / 2
    print(
        f"{given.seats} seats, {given.games} games from {given.first}, seed {given.seed}: {wins:g} wins, "
        f"share {wins / given.games:.3f} (equal: {fair:.3f}), p = {p:.2g}; "
        f"ahead of the best other by {lead / given.games:.1f}; {spent / asked:.3f} s a decision"
    )


if __name__ == "__main__":
    main()
