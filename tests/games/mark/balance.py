"""Who wins, and what is used: run by hand, `python -m tests.games.mark.balance --seats 4 --games 200`.

Bots use their standing words, so rounds and answers are those of a game by mail.

Last results, `sensible`, seed 1, 200 games each; all numbers are means of a game:

| seats | wins by seat        | rounds | answers | rolls | sales | offers | to the bank | won | bought | moved |
|-------|---------------------|--------|---------|-------|-------|--------|-------------|-----|--------|-------|
| 2     | 0.44 0.56           | 111.5  | 116.8   | 105.5 | 22.4  | 7.5    | 7.3         | 1.8 | 0      | 0     |
| 3     | 0.31 0.34 0.35      | 121.8  | 137.3   | 112.6 | 22.5  | 9.3    | 8.7         | 2.7 | 0      | 0     |
| 4     | 0.28 0.32 0.22 0.18 | 128.3  | 158.7   | 116.3 | 22.4  | 10.9   | 10.0        | 3.4 | 0      | 0     |

No seat is hopeless (four seats: p = 0.03 that all are equal). All games but 1 % of those for two end with full rows.
Buying and moving (MK-12, MK-13) are dead: fetching a piece is not worth 5, processing one not 10, at values up to 31.
A `sensible` that buys for up to 5 Mark more than that pays (in every sixth turn) wins 23 % of the games in which half
of the seats play so; one that moves for up to 6 Mark more hardly ever finds a piece, and wins half. Both prices are
stated (S), and so is the value 15 in the middle of the market: only other rows, much dearer than it, could change that.
"""

import argparse
import random
from collections import Counter
from typing import Any

from msgspec.structs import replace

from referee.game import LINK, Seen, Step
from referee.games.mark import GAME
from referee.games.mark.bots import advise
from referee.games.mark.types import Deal, Options, Words
from referee.playout import PlainDraws
from tests.support.plain import bared

from .build import EDITION


def play(terms: Deal, bot: str, seed: str, words: bool) -> tuple[Step, Counter[str]]:
    """The last step of a game, and what happened on the way."""
    rng, seen = random.Random(seed), Counter[str]()
    draws = PlainDraws({}, rng.randrange)

    def said(view: Seen[Any], before: Words) -> Words:
        return (advise(terms, view) if words else None) or before

    step = GAME.setup(terms, draws, tuple(said(Seen(seat, None, (), {}), Words()) for seat in range(terms.seats)))
    while step.pending:
        seen["rounds"] += 1
        seen["answers"] += len(step.pending)
        seen[f"asked {step.pending[0].what}"] += 1
        views = {ask.seat: Seen(ask.seat, step.public, step.pending, {}) for ask in step.pending}
        asked = {ask.seat for ask in step.pending if ask.what != LINK}
        moves = {
            seat: GAME.bots[bot](terms, view, rng.randrange) if seat in asked else None for seat, view in views.items()
        }
        standing = tuple(
            said(views[seat], before) if seat in views else before for seat, before in enumerate(step.public.standing)
        )
        draws.next_step(moves)
        answers = {ask.seat: bared(GAME, ask, moves[ask.seat]) for ask in step.pending}
        step = GAME.apply(terms, replace(step.public, standing=standing), step.pending, answers, draws)
        seen.update(note.what for note in step.log)
    return step, seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    for name, number in (("seats", 4), ("games", 200), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--bot", default="sensible")
    parser.add_argument("--no-words", action="store_true", help="everybody is asked everything")
    given = parser.parse_args()
    wins, total = Counter[int](), Counter[str]()
    for game in range(given.games):
        terms = Deal(given.seats, Options(), EDITION)
        step, seen = play(terms, given.bot, f"{given.seed}/{game}", not given.no_words)
        assert step.result is not None
        for seat, rank in enumerate(step.result.ranks):
            wins[seat] += (rank == 1) / step.result.ranks.count(1)  # type: ignore[assignment]
            total["money"] += step.result.scores[seat][0]
        total += seen
    print(f"{given.seats} seats, {given.games} games of {given.bot}, seed {given.seed}")
    print("  wins by seat:", " ".join(f"{wins[seat] / given.games:.3f}" for seat in range(given.seats)))
    for what, number in sorted(total.items()):
        print(f"  {what}: {number / given.games:.2f}")


if __name__ == "__main__":
    main()
