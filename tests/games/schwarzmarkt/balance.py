"""Who wins, what is used and how games end, among bots of one kind.

python -m tests.games.schwarzmarkt.balance --seats 4 --games 400 --bot sensible

Last result with `strong` at all four seats, only 16 games: 78.6 rounds, 228 luxury each; won by seat .31 .38 .06 .25,
too few to tell seats apart; every half ended by the last goods; every card comes up, from Spionage (.50 a game) to
Alte Rechnung (1.06); 48 goods cards traded at 18.9.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from statistics import mean

from referee.games.schwarzmarkt import GAME
from referee.games.schwarzmarkt.lookups import EVENTS
from tests.games.selfplay import play

from .build import deal


def lines(seats: int, games: int, bot: str, expert: bool) -> Iterator[str]:
    """The figures of so many games."""
    wins, cards, prices, ends = Counter[int](), Counter[str](), Counter[int](), Counter[str]()
    rounds, luxury, paid = [], [], Counter[str]()
    for number in range(games):
        played = play(GAME, deal(seats, expert), [bot] * seats, f"balance {number}")
        rounds.append(played.counts["rounds"])
        luxury += [player.luxury for player in played.step.public.players]
        for seat in range(seats):
            wins[seat] += played.share(seat)  # type: ignore[assignment]
        for note in played.story:
            if note.what == "play":
                cards[note.values["card"] if note.values["card"] in EVENTS else "an offer"] += 1
            elif note.what == "no effect":
                cards[f"{note.values['card']} without effect"] += 1
            elif note.what == "trade":
                prices[round(note.values["paid"] / len(note.values["goods"]))] += len(note.values["goods"])
                paid["cards"] += len(note.values["goods"])
                paid["luxury"] += note.values["paid"]
            elif note.what in ("last goods", "idle", "played"):
                ends[note.what] += 1
    yield f"{seats} seats, {games} games of {bot}: {mean(rounds):.1f} rounds, {mean(luxury):.0f} luxury each"
    yield "won by seat: " + ", ".join(f"{wins[seat] / games:.1%}" for seat in range(seats))
    yield "halves ended by: " + ", ".join(f"{what} {number}" for what, number in ends.most_common())
    yield "played a game: " + ", ".join(f"{card} {number / games:.2f}" for card, number in cards.most_common())
    yield f"traded in a game: {paid['cards'] / games:.1f} cards at {paid['luxury'] / paid['cards']:.1f}"
    yield "at: " + ", ".join(f"{price} {number / paid['cards']:.0%}" for price, number in sorted(prices.items()))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seats", type=int, default=4)
    options.add_argument("--games", type=int, default=400)
    options.add_argument("--bot", default="sensible")
    options.add_argument("--expert", action="store_true")
    chosen = options.parse_args()
    for line in lines(chosen.seats, chosen.games, chosen.bot, chosen.expert):
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
