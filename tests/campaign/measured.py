"""Writes `measured.json` of a game, which `referee games GAME` shows: who wins, what options change, what happens.

python -m tests.campaign.measured GAME ... [--games 600] [--strong 60] [--option-games 400] [--jobs 2]
python -m tests.campaign.measured GAME ... --only strong [--strong 60] [--seats 2 4]
python -m tests.campaign.measured GAME ... --estimate

Run it after a change of a game's rules or of its bots: `test_measured.py` plays some of the games again. `--estimate`
plays two games of each kind, and says how much CPU time all of it will take. `--only` plays the games of one bot again,
at these numbers of players, and leaves the rest of the file as it is.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from time import process_time
from typing import NamedTuple

import msgspec

from referee import games
from referee.show.measured import Z99, Around, Cell, Happened, Record, Setting, record
from tests.campaign.liveness import expected_of, means, named
from tests.campaign.series import Options, Outcome, Plan, Run, label, ours, run, runner, same, settings, wins
from tests.games.selfplay import load

FIRST = 3
"""Games of each cell whose winners are kept one by one."""
AT_TABLE = 4
"""Options are compared with this many players, or the most that can play."""
FOLDER = Path(games.__file__).parent


class Sizes(NamedTuple):
    """How many games are played."""

    sensible: int
    strong: int
    options: int


def path_of(game_id: str) -> Path:
    return FOLDER / game_id.replace("-", "_") / "measured.json"


def plans(game_id: str, seats: int, options: Options, bot: str, count: int) -> list[Plan]:
    """Always the same games, as many as are wanted."""
    return same(game_id, seats, options, bot, count, f"measured {game_id} {seats}")


def cell(bot: str, outcomes: Sequence[Outcome]) -> Cell:
    """Who won these games."""
    won, places = ([round(one, 3) for one in wins(outcomes, from_start=way)] for way in (False, True))
    return Cell(bot, len(won), len(outcomes), won, places, [winners(one) for one in outcomes[:FIRST]])


def winners(outcome: Outcome) -> str:
    return "+".join(str(seat) for seat, share in enumerate(outcome.shares) if share)


def setting(options: Options, bot: str, outcomes: Sequence[Outcome]) -> Setting:
    """How games with these options went."""
    rounds = [float(one.counts["rounds"]) for one in outcomes]
    points = [mean(one.points) for one in outcomes]
    start = round(wins(outcomes, from_start=True)[0], 3)
    players, name = len(outcomes[0].shares), label(options) if options else ""
    return Setting(name, bot, players, len(outcomes), around(rounds), around(points), start)


def around(values: Sequence[float]) -> Around:
    """A mean, and half the width of its 99 % interval."""
    return round(mean(values), 2), round(Z99 * stdev(values) / len(values) ** 0.5, 2)


def happened(game_id: str, bot: str, tables: Sequence[Sequence[Outcome]]) -> Happened:
    """How often actions, questions and events come up, and whatever else is expected."""
    found = [means(outcomes) for outcomes in tables]
    names = {name for table in found for name in table if " " not in name.removeprefix("move ").removeprefix("asked ")}
    names |= expected_of(game_id, {}).keys()
    rows = {
        name: [round(table[name].mean, 3) if name in table else 0.0 for table in found]
        for name in sorted(names)
        if not named(name) or name in expected_of(game_id, {})
    }
    return Happened(bot, min(map(len, tables)), [len(outcomes[0].shares) for outcomes in tables], rows)


def with_bot(found: Record, game_id: str, bot: str, tables: Mapping[int, Sequence[Outcome]]) -> Record:
    """The record with these games, by number of players, in place of those with this bot and as many players."""
    kept = [one for one in found.wins if one.bot != bot or one.players not in tables]
    fresh = [cell(bot, outcomes) for outcomes in tables.values()]
    cells = sorted(kept + fresh, key=lambda one: (one.bot == bot, one.players if one.bot == bot else 0))
    happens, least = happened(game_id, bot, list(tables.values())), min(one.games for one in cells if one.bot == bot)
    for one in found.happens:
        happens = beside(one, happens, least) if one.bot == bot else happens
    return Record(found.rules, cells, found.options, [one for one in found.happens if one.bot != bot] + [happens])


def beside(before: Happened, fresh: Happened, least: int) -> Happened:
    """Fresh means, and those of before with other numbers of players, of `least` games or more."""
    players = sorted({*before.players, *fresh.players})
    sources = [fresh if count in fresh.players else before for count in players]
    columns = [(one.means, one.players.index(count)) for count, one in zip(players, sources, strict=True)]
    rows = {
        name: [means[name][at] if name in means else 0.0 for means, at in columns]
        for name in sorted(fresh.means.keys() | (before.means.keys() if before in sources else set()))
    }
    return Happened(fresh.bot, least, players, rows)


def only(game_id: str, bot: str, seats: Sequence[int], count: int, run: Run) -> Record:
    """The record with other games of one bot."""
    found = record(game_id)
    assert found.rules == load(game_id).rules, "the rest was measured with other rules"
    return with_bot(found, game_id, bot, {at: list(run(plans(game_id, at, {}, bot, count))) for at in seats})


def measure(game_id: str, sizes: Sizes, run: Run) -> Record:
    """Everything that is shown about a game."""
    game = load(game_id)
    seats = range(game.seats[0], game.seats[1] + 1)
    tables = {count: list(run(plans(game_id, count, {}, "sensible", sizes.sensible))) for count in seats}
    cells = [cell("sensible", outcomes) for outcomes in tables.values()]
    happens = [happened(game_id, "sensible", list(tables.values()))]
    at = min(AT_TABLE, game.seats[1])
    rows = []
    for options in settings(game):
        games_of = plans(game_id, at, options, "sensible", sizes.options)
        outcomes = tables[at][: sizes.options] if not options else list(run(games_of))
        rows.append(setting(options, "sensible", outcomes))
    found = Record(game.rules, cells, rows, happens)
    if not sizes.strong:
        return found
    strong = {count: list(run(plans(game_id, count, {}, "strong", sizes.strong))) for count in seats}
    return with_bot(found, game_id, "strong", strong)


def written(record: Record) -> str:
    """JSON with one row on each line."""
    lines = [f' "rules": {_json(record.rules)}']
    for name in ("wins", "options"):
        rows = ",\n".join(f"  {_json(row)}" for row in getattr(record, name))
        lines.append(f' "{name}": [\n{rows}\n ]')
    tables = []
    for one in record.happens:
        rows = ",\n".join(f"    {_json(name)}: {_json(values)}" for name, values in one.means.items())
        tables.append(f'  {_json(one).partition(chr(34) + "means")[0]}"means": {{\n{rows}\n  }}}}')
    lines.append(' "happens": [\n' + ",\n".join(tables) + "\n ]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def estimate(game_id: str, sizes: Sizes) -> Iterator[str]:
    """How much CPU time each part would take, from two games of each."""
    game, whole = load(game_id), 0.0
    seats = range(game.seats[0], game.seats[1] + 1)
    at = min(AT_TABLE, game.seats[1])
    parts = [(plans(game_id, count, {}, "sensible", 2), sizes.sensible, f"sensible, {count}") for count in seats]
    if sizes.strong:
        parts += [(plans(game_id, count, {}, "strong", 2), sizes.strong, f"strong, {count}") for count in seats]
    for options in settings(game)[1:]:
        parts.append((plans(game_id, at, options, "sensible", 2), sizes.options, f"{label(options)}, {at}"))
    for games_of, number, told in parts:
        before = process_time()
        for plan in games_of:
            run(plan)
        each = (process_time() - before) / len(games_of)
        whole += each * number
        yield f"{game_id}: {told} players: {each:.3f} s a game, {each * number / 60:.1f} minutes for {number}"
    yield f"{game_id}: {whole / 60:.0f} minutes of CPU"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", default=ours())
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--strong", type=int, default=60)
    parser.add_argument("--option-games", type=int, default=400)
    parser.add_argument("--estimate", action="store_true")
    parser.add_argument("--only", choices=("sensible", "strong"))
    parser.add_argument("--seats", type=int, nargs="+", help="with --only; default: all")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    sizes = Sizes(given.games, given.strong, min(given.option_games, given.games))
    for game_id in given.game:
        if given.estimate:
            for line in estimate(game_id, sizes):
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()
            continue
        with runner(given.jobs) as games_of:
            if given.only:
                seats = given.seats or range(load(game_id).seats[0], load(game_id).seats[1] + 1)
                found = only(game_id, given.only, seats, getattr(sizes, given.only), games_of)
            else:
                found = measure(game_id, sizes, games_of)
            path_of(game_id).write_text(written(found))
        sys.stdout.write(f"{path_of(game_id)}\n")


if __name__ == "__main__":
    main()
