"""Who wins, and what is used: run by hand, `python -m tests.games.mark.balance --seats 4 --games 200`.

Bots use their standing orders, so rounds and answers are those of a game by mail.

Last results, `sensible`, seed 1, 200 games each; all numbers are means of a game:

| seats | wins by seat        | rounds | answers | rolls | sales | offers | to the bank | won | bought | moved |
|-------|---------------------|--------|---------|-------|-------|--------|-------------|-----|--------|-------|
| 2     | 0.42 0.58           | 111.1  | 116.4   | 105.0 | 22.4  | 7.5    | 7.3         | 1.8 | 0      | 0     |
| 3     | 0.32 0.34 0.35      | 121.6  | 137.2   | 112.3 | 22.4  | 9.2    | 8.7         | 2.8 | 0      | 0     |
| 4     | 0.26 0.29 0.24 0.21 | 127.5  | 157.8   | 115.4 | 22.3  | 10.8   | 9.9         | 3.4 | 0      | 0     |

No seat is hopeless; only for two does one look better (p = 0.02 that both are equal; three and four: 0.9 and 0.4). All
games but 1 % of those for two end with full rows.
Buying and moving (MK-12, MK-13) are dead: fetching a piece is not worth 5, processing one not 10, at values up to 31.
A `sensible` that buys for up to 5 Mark more than that pays (in every sixth turn) wins 23 % of the games in which half
of the seats play so; one that moves for up to 6 Mark more hardly ever finds a piece, and wins half. Both prices are
stated (S), and so is the value 15 in the middle of the market. Other values for the rest of it, ours to choose, do not
cure it: with all other rows two, three and four times as dear (`--dearer 3 --games 40`) four players buy 0, 0.03 and
0.6 times a game and move 0.1, 1.1 and 3.2 times, and the middle row is then worth nothing beside them. So the edition
stays as it is.

`strong` at every seat, seed 9, only 24 games for two: 0.54 0.46; 116.6 rounds, 122.3 answers, 107.4 rolls, 22.0 sales,
7.8 offers, 1.2 won. It neither buys nor moves, and all these games end with full rows.
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
        return (advise(terms, view, bot) if words else None) or before

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
    parser.add_argument(
        "--dearer", type=float, default=1, help="so many times the values of all rows but the middle one"
    )
    given = parser.parse_args()
    dearer = [[round(value * given.dearer) for value in row] for row in EDITION.market]
    dearer[2] = list(EDITION.market[2])
    edition = replace(EDITION, market=tuple(map(tuple, dearer)))
    wins, total = Counter[int](), Counter[str]()
    for game in range(given.games):
        terms = Deal(given.seats, Options(), edition)
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
