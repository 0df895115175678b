"""How many fewer games a decision takes because the games of a group have the same chance.

    python tests/bench/duplicates.py FOLDER...        # folders of tournaments that were played with `duplicate = true`

For two bots, what one takes from the other in a game, less the mean for their two seats, is r. If the games of a group
had chance of their own, the variance of a group's sum would be the mean of the sums of r squared; with the same chance
it is the mean of the squared sums of r. A test needs games in proportion to that variance, so the first over the second
is how many times as many it would need. The interval is a bootstrap over groups. Do not use tournaments that ended when
something was decided: where they end depends on r.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from referee.tournament import store
from referee.tournament.outcome import Outcome, groups
from referee.tournament.stage import load


def rests(outcomes: Sequence[Outcome], one: int, two: int) -> list[list[float]]:
    """Per group what was taken in each game, less the mean for these seats."""
    found: list[list[tuple[tuple[int, int], float]]] = []
    for group in groups(outcomes):
        met = [game for game in group if game.ranks and game.entrants.count(one) == game.entrants.count(two) == 1]
        taken = []
        for game in met:
            seats = game.entrants.index(one), game.entrants.index(two)
            mine, theirs = (game.ranks[seat] for seat in seats)
            taken.append((seats, 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0))
        if taken:
            found.append(taken)
    sums: dict[tuple[int, int], list[float]] = {}
    for taken in found:
        for seats, share in taken:
            sums.setdefault(seats, []).append(share)
    means = {seats: sum(shares) / len(shares) for seats, shares in sums.items()}
    return [[share - means[seats] for seats, share in taken] for taken in found]


def ratio(found: Sequence[Sequence[float]]) -> float | None:
    """Games needed with chance of their own over games needed with the same chance; None where nothing varies."""
    alone = sum(rest * rest for group in found for rest in group)
    together = sum(sum(group) ** 2 for group in found)
    return None if alone < 1e-9 else alone / max(together, 1e-9)


def interval(found: Sequence[Sequence[float]], seed: int = 0, times: int = 1000) -> tuple[float, float]:
    """The middle 95 of a hundred repetitions."""
    chance = Random(seed)
    drawn = sorted(filter(None, (ratio(chance.choices(found, k=len(found))) for _ in range(times))))
    return drawn[len(drawn) * 25 // 1000], drawn[len(drawn) * 975 // 1000]


def main() -> None:
    print(f"{'game':20} {'pair':32} {'groups':>6} {'games each':>10} {'times as many':>14} {'95%':>16}")
    for folder in sys.argv[1:]:
        names = load(folder).names
        outcomes = [kept.outcome for kept in store.lines(folder)]
        for game in sorted({outcome.game for outcome in outcomes}):
            mine = [outcome for outcome in outcomes if outcome.game == game]
            for one in range(len(names)):
                for two in range(one + 1, len(names)):
                    found = rests(mine, one, two)
                    value = ratio(found) if found else None
                    if value is not None:
                        low, high = interval(found)
                        each = sum(map(len, found)) / len(found)
                        pair = f"{names[one]} - {names[two]}"
                        print(f"{game:20} {pair:32} {len(found):6} {each:10.1f} {value:14.2f} {low:8.2f}{high:8.2f}")


if __name__ == "__main__":
    main()
