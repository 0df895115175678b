"""Who wins from which seat, what is played how often, how long it takes: figures of games among bots.

python -m tests.games.schwarzer_freitag.balance --bot sensible --seats 4 --games 400 --seed 1
"""

# Last result, sensible, --games 400 --seed 1 (actions a game):
#
#   seats  wins by seat         rounds  price changes  bars each  buy   silver  sell  pass
#   2      .59 .41              59      11.2           24.4       11.7  13.6     8.5  23.2
#   3      .49 .29 .23          56      10.6           18.9       18.2  14.6    11.0  11.8
#   4      .33 .23 .23 .21      55      10.6           15.9       20.4  15.3    11.8   7.8
#   5      .22 .17 .16 .17 .28  60       9.4           15.6       22.0  17.4    12.2   8.3

import argparse
import random
from collections import Counter

from referee.games.schwarzer_freitag import GAME
from referee.games.schwarzer_freitag.types import Deal, Move, Sight
from tests.support.plain import play_out

from .build import deal


class Figures:
    """What a number of games came to."""

    def __init__(self, seats: int) -> None:
        self.wins = [0.0] * seats
        self.actions: Counter[str] = Counter()
        self.cards: Counter[str] = Counter()
        self.rounds: list[int] = []
        self.changes: list[int] = []
        self.bars: list[float] = []
        self.idle = 0

    def add(self, terms: Deal, bot: str, seed: str) -> None:
        """Play a game and enter it."""

        def choose(terms: Deal, view: Sight, rng: random.Random) -> Move:
            move: Move = GAME.bots[bot](terms, view, rng.randrange)
            self.actions[type(move).__name__] += 1
            return move

        rounds, idle = 0, 0
        for moment in play_out(GAME, terms, choose, random.Random(seed)):
            rounds += 1
            idle = idle + 1 if moment.step.public.passes else 0
            self.idle = max(self.idle, idle)
            self.cards.update(
                f"{note.values['seat']} {note.values['use']}" for note in moment.step.log if note.what == "card"
            )
        result, public = moment.step.result, moment.step.public
        assert result is not None
        for seat, rank in enumerate(result.ranks):
            self.wins[seat] += (rank == 1) / result.ranks.count(1)
        self.rounds.append(rounds - 1)
        self.changes.append(public.price_changes)
        per_gold = terms.edition.silver_per_gold
        self.bars.append(sum(player.gold * per_gold + player.silver for player in public.players) / terms.seats)

    def show(self, games: int) -> None:
        print("wins by seat", [round(won / games, 3) for won in self.wins])
        for name, numbers in (("rounds", self.rounds), ("price changes", self.changes), ("bars each", self.bars)):
            print(name, f"{sum(numbers) / games:.1f}", "from", f"{min(numbers):.0f}", "to", f"{max(numbers):.0f}")
        print("actions a game", {name: round(number / games, 1) for name, number in self.actions.most_common()})
        print("cards a game", {name: round(number / games, 2) for name, number in sorted(self.cards.items())})
        print("longest row of passes with an empty market", self.idle)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bot", default="sensible")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    figures = Figures(args.seats)
    for game in range(args.games):
        figures.add(deal(args.seats), args.bot, f"{args.seed} {game}")
    figures.show(args.games)


if __name__ == "__main__":
    main()
