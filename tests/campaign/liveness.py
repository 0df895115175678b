"""Does everything happen? How often each action, card and question comes up in a game, by number of players.

python -m tests.campaign.liveness [GAME ...] --games 40 [--bot sensible] [--seats 2 4] [--options] [--all] [--jobs 2]

One line for each counter of `tests.games.selfplay`, with its mean number per game: `asked QUESTION`, `move TYPE`, `move
TYPE.FIELD VALUE`, words of the story, and words with the names in them. What a game can do but never did is listed.
`EXPECTED` in a game's `policies.py` says what must happen at the largest table, and how often; `CLAUSES` which counters
show that a clause comes up. The exit status is 1 if anything happens less often than expected, beyond chance.
`--options` plays each other value of each option too, and shows what it changes most. `--all` shows names too.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from tests.campaign.series import Options, Outcome, Run, label, notes, ours, runner, same, settings
from tests.games.selfplay import load, possible

DOUBT = 3.0
"""By how many standard errors a mean must differ before we believe it."""


class Mean(NamedTuple):
    """How often something happens in a game, and the variance of that."""

    mean: float
    variance: float


Means = Mapping[str, Mean]
NEVER = Mean(0.0, 0.0)


def means(outcomes: Sequence[Outcome]) -> dict[str, Mean]:
    """The mean of each counter."""
    number, total, squares = len(outcomes), Counter[str](), Counter[str]()
    for outcome in outcomes:
        total.update(outcome.counts)
        squares.update({name: count * count for name, count in outcome.counts.items()})
    return {name: Mean(total[name] / number, squares[name] / number - (total[name] / number) ** 2) for name in total}


def missing(expected: Mapping[str, float], found: Means, number: int) -> list[str]:
    """What happens less often than expected, beyond chance. Something rare that did not happen in few games is not
    missed: at least the variance of independent events is allowed for."""
    gone = []
    for name, least in expected.items():
        mean, variance = found.get(name, NEVER)
        if mean + DOUBT * sqrt(max(variance, least) / number) < least:
            gone.append(name)
    return gone


def changed(usual: Means, other: Means, number: int) -> list[tuple[float, str]]:
    """What an option changes: counters by how many standard errors they differ, the surest first."""
    found = []
    for name in usual.keys() | other.keys():
        one, two = usual.get(name, NEVER), other.get(name, NEVER)
        error = sqrt(max(one.variance + two.variance, 1 / number) / number)
        found.append((abs(two.mean - one.mean) / error, name))
    return sorted((row for row in found if row[0] > DOUBT), key=lambda row: (-row[0], row[1]))


def expected_of(game_id: str, options: Options) -> dict[str, float]:
    """What must happen with these options at the largest table."""
    said = notes(game_id)
    if not options:
        return dict(getattr(said, "EXPECTED", {}))
    return dict(getattr(said, "EXPECTED_WITH", {}).get(label(options), {}))


def clauses_of(game_id: str) -> dict[str, tuple[str, ...]]:
    """Clause -> counters, each of which shows that it comes up."""
    return dict(getattr(notes(game_id), "CLAUSES", {}))


def dead_clauses(clauses: Mapping[str, Sequence[str]], tables: Sequence[Means]) -> list[str]:
    """Clauses that no table showed."""
    return [clause for clause, names in clauses.items() if not any(name in table for table in tables for name in names)]


# --- the report -------------------------------------------------------------------------------------------------------


def named(name: str) -> bool:
    """Whether a counter is about a value or a name, which only `--all` shows."""
    return "." in name or (name[-1:].isdigit() and "-" in name)


def table(columns: Mapping[str, Means], expected: Mapping[str, float], *, every: bool) -> Iterator[str]:
    """The counters of several tables beside each other."""
    names = sorted({name for found in columns.values() for name in found} | expected.keys())
    shown = [name for name in names if every or name in expected or not named(name)]
    yield f"  {'':34}" + "".join(f"{column:>9}" for column in columns) + f"{'expected':>10}"
    for name in shown:
        cells = "".join(f"{found.get(name, NEVER).mean:9.2f}" for found in columns.values())
        yield f"  {name:34}{cells}" + (f"{expected[name]:10g}" if name in expected else "")


def report(game_id: str, seats: Sequence[int], bot: str, number: int, run: Run, *, every: bool) -> Iterator[str]:
    """The lines of one game; those that begin with `!` say that something is missing."""
    tables = {}
    for count in seats:
        tables[str(count)] = means(list(run(same(game_id, count, {}, bot, number, f"liveness {game_id} {count}"))))
    largest = load(game_id).seats[1]
    expected = expected_of(game_id, {}) if largest in seats else {}
    yield f"{game_id}, {number} games of {bot} for each number of players; means of a game"
    yield from table(tables, expected, every=every)
    met = set().union(*tables.values())
    never = [name for name in possible(load(game_id)) if name not in met]
    yield f"  never: {', '.join(never) or 'nothing'}"
    dead = dead_clauses(clauses_of(game_id), list(tables.values()))
    yield f"  clauses not seen: {', '.join(dead) or 'none'}"
    if expected:
        gone = missing(expected, tables[str(largest)], number)
        yield from (f"! {game_id}: {name} happens less often than {expected[name]:g} times a game" for name in gone)


def with_options(game_id: str, seats: int, bot: str, number: int, run: Run) -> Iterator[str]:
    """What each other value of each option changes."""
    usual: dict[str, Mean] = {}
    for options in settings(load(game_id)):
        found = means(list(run(same(game_id, seats, options, bot, number, f"liveness {game_id} {seats}"))))
        if not options:
            usual = found
            continue
        yield f"{game_id}, {label(options)}, {seats} players, {number} games of {bot}; before and after"
        differ = changed(usual, found, number)[:12]
        for _, name in differ:
            yield f"  {name:34}{usual.get(name, NEVER).mean:9.2f}{found.get(name, NEVER).mean:9.2f}"
        if not differ:
            yield "  nothing that so few games show"
        gone = missing(expected := expected_of(game_id, options), found, number)
        yield from (f"! {game_id}, {label(options)}: {name} happens under {expected[name]:g} times" for name in gone)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", default=ours())
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--bot", default="sensible")
    parser.add_argument("--seats", type=int, nargs="+")
    parser.add_argument("--options", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    wrong = 0
    with runner(given.jobs) as run:
        for game_id in given.game:
            low, high = load(game_id).seats
            seats = given.seats or range(low, high + 1)
            lines = [report(game_id, seats, given.bot, given.games, run, every=given.all)]
            if given.options:
                lines.append(with_options(game_id, max(seats), given.bot, given.games, run))
            for line in (line for part in lines for line in part):
                wrong += line.startswith("!")
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
