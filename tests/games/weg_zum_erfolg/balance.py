"""Balance and length: games among equal players. Run by hand:

python -m tests.games.weg_zum_erfolg.balance --seats 2 4 8 --games 50 --option reserve_leaves

Last results with `strong` at every seat, seed 9, means of a game; too few games to tell seats apart:

seats  games  turns  rounds  home   out  beats  heads  solved  cards left  wins from the start player on
    2     20    193     177   5.7   2.4    5.2     47      16         1.4  .58 .42
    4     20    440     218  11.8   4.2    8.3    103      33         1.2  .22 .27 .18 .33
    8     12    466     212  14.3   9.7   14.7    106      56         2.7  .08 .25 .04 .33 .21 .00 .08 .00

Every chance card and success card comes up, and with 4 and 8 seats every question of the base game is asked. Among
themselves `strong` players take longer than `sensible` ones, because nobody hurries home: with 4 seats the first piece
comes home in lap 34 and the fourth in lap 71, against 14 and 35 (12 games each), and meanwhile 57 % of their choices of
a piece are made with one on red or blue, against 37 %. At half to two thirds of the heads the target is not made.
"""

import sys
from argparse import ArgumentParser
from collections import Counter

from referee.games.weg_zum_erfolg import GAME
from tests.games.selfplay import play

from .build import deal

TOLD = ("rounds", "answers", "home", "out", "beats", "question", "contests", "head", "solves", "intervenes")


def measure(seats: int, games: int, seed: int, bot: str, options: list[str], words: bool) -> None:
    shares, counts, cards = [0.0] * seats, Counter[str](), 0
    for number in range(games):
        terms = deal(seats, **dict.fromkeys(options, True))
        game = play(GAME, terms, [bot] * seats, f"{seed}/{number}", words=words)
        start = game.step.public.start
        for seat in range(seats):
            shares[(seat - start) % seats] += game.share(seat) / games
        counts += game.counts
        counts.update(f"card {note.values['card']}" for note in game.story if note.what in ("chance", "success"))
        counts["turns"] += game.step.public.turns
        cards += sum(len(player.hand) for player in game.step.public.players)
    told = [f"{name} {counts[name] / games:.1f}" for name in TOLD]
    lines = [
        f"{seats} seats, {games} games of {bot}, options {options or 'none'}, words {words}, means of a game:",
        f"turns {counts['turns'] / games:.0f}, cards left to a player {cards / games / seats:.1f}, {', '.join(told)}",
        *(f"{kind}: {_parts(counts, kind, games)}" for kind in ("asked", "card")),
        "wins from the start player on: " + " ".join(f"{share:.2f}" for share in shares),
    ]
    sys.stdout.write("\n  ".join(lines) + "\n")


def _parts(counts: Counter[str], kind: str, games: int) -> str:
    return ", ".join(
        f"{name.removeprefix(kind)} {n / games:.1f}" for name, n in sorted(counts.items()) if name.startswith(kind)
    )


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, nargs="+", default=[4])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default="sensible")
    parser.add_argument("--option", nargs="*", default=[])
    parser.add_argument("--silent", action="store_true", help="nobody uses standing orders")
    given = parser.parse_args()
    for number in given.seats:
        measure(number, given.games, given.seed, given.bot, given.option, not given.silent)
