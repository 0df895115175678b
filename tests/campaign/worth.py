"""Does an option pay for a player who may use it? One seat plays as if it were off, the others use it as they like.

python -m tests.campaign.worth GAME OPTION ... --games 60 [--bot strong] [--seats 2 4] [--jobs 2]

The seat goes round the table. Each line says how many points more or fewer the seat without the option has than the
others on average, and its share of the wins, both with their 99 % intervals. An option pays if the first is below 0.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from statistics import mean, stdev

from referee.show.measured import Z99, wilson
from tests.campaign.series import Outcome, Plan, Run, runner
from tests.campaign.tactics import WITHOUT
from tests.games.selfplay import load


def plans(game_id: str, seats: int, bot: str, option: str, count: int) -> list[Plan]:
    """Games in which one seat, which goes round, does without."""
    found = []
    for number in range(count):
        bots = [bot] * seats
        bots[number % seats] += WITHOUT + option
        found.append(Plan(game_id, seats, {}, bots, f"worth {game_id} {seats} {number}"))
    return found


def behind(outcome: Outcome, seat: int) -> float:
    """How many points more a seat has than the others on average."""
    others = [points for other, points in enumerate(outcome.points) if other != seat]
    return outcome.points[seat] - mean(others)


def told(outcomes: Sequence[Outcome], option: str) -> str:
    """One line."""
    seats, number = len(outcomes[0].shares), len(outcomes)
    more = [behind(outcome, at % seats) for at, outcome in enumerate(outcomes)]
    half = Z99 * stdev(more) / number**0.5
    share = sum(outcome.shares[at % seats] for at, outcome in enumerate(outcomes)) / number
    low, high = wilson(share, number)
    points = f"{mean(more):+.1f} points ({mean(more) - half:+.1f} to {mean(more) + half:+.1f})"
    return f"without {option}, {seats} players: {points}, wins {share:.3f} ({low:.3f} to {high:.3f}) of {number} games"


def lines(game_id: str, options: Sequence[str], seats: Sequence[int], bot: str, count: int, run: Run) -> Iterator[str]:
    """A line for each number of players and each option."""
    for players in seats:
        for option in options:
            yield told(list(run(plans(game_id, players, bot, option, count))), option)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("option", nargs="+")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--bot", default="strong")
    parser.add_argument("--seats", type=int, nargs="+")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    low, high = load(given.game).seats
    with runner(given.jobs) as run:
        for line in lines(given.game, given.option, given.seats or range(low, high + 1), given.bot, given.games, run):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
