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
from collections import Counter

from msgspec.structs import replace

from referee.games.mark import GAME
from referee.games.mark.types import Deal, Options
from tests.games.selfplay import play

from .build import EDITION


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
        played = play(GAME, terms, [given.bot] * given.seats, f"{given.seed}/{game}", words=not given.no_words)
        for seat, player in enumerate(played.step.public.players):
            wins[seat] += played.share(seat)  # type: ignore[assignment]
            total["money"] += player.money
        total += played.counts
    print(f"{given.seats} seats, {given.games} games of {given.bot}, seed {given.seed}")
    print("  wins by seat:", " ".join(f"{wins[seat] / given.games:.3f}" for seat in range(given.seats)))
    for what, number in sorted(total.items()):
        print(f"  {what}: {number / given.games:.2f}")


if __name__ == "__main__":
    main()
