"""Who sits at which table: follows from the seed and, for Swiss and knockout, from the games so far. Pure and lazy.

A *table* is a game and the entrants who meet in it. A *group* is one deal of a table, played once in every rotation of
the seats, so that everybody has every seat once: seats are balanced by construction. A *wave* is a set of groups that
can be played at the same time.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, islice
from itertools import count as naturals
from math import ceil, comb, log2

import msgspec

from referee.errors import Usage
from referee.language import Figures
from referee.tournament import t
from referee.tournament.derivation import mixed
from referee.tournament.documents import Schedule
from referee.tournament.outcome import Outcome, points
from referee.tournament.sprt import Deciding

MOST_TABLES = 20_000
"""Most tables of one game in a round robin."""


class Plan(msgspec.Struct, frozen=True):
    """One game to be played: its number, its group, which game of the stage, and which player sits at each seat."""

    number: int
    group: int
    game: int
    seats: tuple[int, ...]


class Tally:
    """What pairing needs to know of the games so far. Its size does not depend on how many there were."""

    def __init__(
        self,
        players: int,
        deciding: Deciding | None = None,
        first: tuple[int, int] = (0, 0),
        struck: Mapping[int, int] | None = None,
    ) -> None:
        self.deciding = deciding
        self.number, self.group = first
        """Of the next game."""
        self.struck = struck or {}
        """Player -> the number of the first game that it does not play."""
        self.games = [0] * players
        self.points = [Fraction(0)] * players
        self.met: dict[tuple[int, int], int] = {}
        self.wave: list[Fraction] = [Fraction(0)] * players
        """Points of this wave alone: they decide a knockout."""

    def add(self, plan: Plan, outcome: Outcome) -> None:
        """Add a game."""
        for player, share in zip(plan.seats, points(outcome.ranks), strict=False):  # a void game has no points
            self.points[player] += share
            self.wave[player] += share
        for seat, player in enumerate(plan.seats):
            self.games[player] += 1
            for other in plan.seats[:seat]:
                pair = min(player, other), max(player, other)
                self.met[pair] = self.met.get(pair, 0) + 1
        if self.deciding:
            self.deciding.add(plan.game, plan.seats, outcome)

    def mean(self, player: int) -> Fraction:
        return self.points[player] / self.games[player] if self.games[player] else Fraction(0)

    def plays(self, players: Sequence[int]) -> bool:
        """Whether none of these has been withdrawn."""
        return all(self.number < self.struck.get(player, self.number + 1) for player in players)


Table = tuple[int, ...]
Wave = Iterator[tuple[int, Table]]
"""Which game, and who."""


def plans(
    schedule: Schedule, seats: Sequence[int], names: Sequence[str], seed: bytes, tally: Tally
) -> Iterator[Iterator[Plan]]:
    """Wave after wave of games. Ask for the next one when all outcomes of the last are in the tally. `seats` has the
    number of seats of each game."""

    def games_of(wave: Wave) -> Iterator[Plan]:
        for game, table in wave:
            order = mixed(seed, "seats", tally.group, table)
            for turn in range(len(order)):
                sitting = tuple(order[turn:] + order[:turn])
                if tally.plays(sitting):
                    yield Plan(tally.number, tally.group, game, sitting)
                tally.number += 1
            tally.group += 1

    def alive() -> list[int]:
        return [player for player in range(len(names)) if tally.plays((player,))]

    if schedule.kind == "round-robin":
        every = [tables(range(len(names)), size) for size in seats]
        yield from map(games_of, _rounds(schedule, seats, seed, every, tally))
    elif schedule.kind == "gauntlet":
        champion = names.index(schedule.champion) if schedule.champion in names else -1
        if champion < 0:
            raise Usage(t("the champion of the gauntlet is not among the bots"), t("name one of them as champion"))
        rest = [player for player in range(len(names)) if player != champion]
        met = [[(champion, *table) for table in tables(rest, size - 1)] for size in seats]
        yield from map(games_of, _rounds(schedule, seats, seed, met, tally))
    elif schedule.kind == "swiss":
        for turn in range(schedule.rounds or max(1, ceil(log2(len(names))))):
            yield games_of(iter(_swiss(schedule, seats, seed, turn, tally, alive())))
    else:
        left = mixed(seed, "bracket", 0, alive())
        for turn in naturals():
            left = [player for player in left if player in alive()]
            if len(left) < 2:
                return
            tally.wave = [Fraction(0)] * len(names)
            sitting, free = _bracket(left, max(seats), turn)
            yield games_of(_deals(schedule, seats, sitting))
            left = [*free, *(player for table in sitting for player in _best_half(table, tally, left))]


def tables(players: Sequence[int], size: int) -> list[Table]:
    """Every table of this size. With fewer players than seats, the numbers of seats of any two differ by at most 1."""
    everybody, more = divmod(size, len(players)) if players else (0, size)
    if comb(len(players), more) > MOST_TABLES:
        why = t(
            "a round robin of {players} bots at {size} seats has more than {most_tables} tables",
            players=len(players), size=size, most_tables=Figures(f"{MOST_TABLES:,}"),
        )  # fmt: skip
        raise Usage(why, t("choose kind = 'swiss', or fewer bots"), code="too-many")
    return [tuple(sorted([*players] * everybody + list(extra))) for extra in combinations(players, more)]


def _rounds(
    schedule: Schedule, seats: Sequence[int], seed: bytes, every: Sequence[Sequence[Table]], tally: Tally
) -> Iterator[Wave]:
    """Pass after pass over all tables of each game, each in an order that the seed gives, the games taking turns: at
    any time the tables of a game have been played equally often, or once more. All of it is one wave. Where a stage
    plays until it is decided, each pass is a wave, and a game in which everything is decided has no further one."""
    share = ceil(schedule.games / len(seats))
    wanted = [ceil(share / size) if share else len(found) for size, found in zip(seats, every, strict=True)]
    streams = [islice(_passes(seed, game, found), wanted[game]) for game, found in enumerate(every)]
    if tally.deciding is None:
        yield _in_turn(dict(enumerate(streams)))
        return
    for turn in naturals():
        left = [game for game, found in enumerate(every) if turn * len(found) < wanted[game]]
        open_still = [game for game in left if not (turn and tally.deciding.done(game, tally.plays))]
        if not open_still:
            return
        yield _in_turn({game: islice(streams[game], len(every[game])) for game in open_still})


def _in_turn(streams: Mapping[int, Iterator[Table]]) -> Wave:
    """A table of each game in turn, until all streams have ended."""
    more = True
    while more:
        found = [(game, table) for game, stream in streams.items() for table in islice(stream, 1)]
        yield from found
        more = bool(found)


def _passes(seed: bytes, game: int, every: Sequence[Table]) -> Iterator[Table]:
    for turn in naturals():
        yield from mixed(seed, f"tables {game}", turn, every)


def _deals(schedule: Schedule, seats: Sequence[int], sitting: Sequence[Table]) -> Wave:
    """Each of these tables, in every way that fits the seats of each game, for as many deals as the schedule says."""
    for table in sitting:
        for game, size in enumerate(seats):
            for fitted in tables(sorted(table), size):
                yield from ((game, fitted) for _ in range(schedule.deals))


def _swiss(
    schedule: Schedule, seats: Sequence[int], seed: bytes, turn: int, tally: Tally, alive: Sequence[int]
) -> list[tuple[int, Table]]:
    """For each game: the strongest so far sit together, and meet somebody new if possible. Those left without a table
    sit out: the players with the most games, and among them the weakest. The list is complete before the first game of
    the wave is played."""
    found: list[tuple[int, Table]] = []
    for game, size in enumerate(seats):
        drawn = {player: at for at, player in enumerate(mixed(seed, f"swiss {game}", turn, alive))}
        if len(alive) < size:
            found += [(game, table) for table in tables(sorted(alive), size) for _ in range(schedule.deals)]
            continue
        rest = sorted(alive, key=lambda player: (tally.games[player], -tally.mean(player), drawn[player]))
        playing = rest[: len(rest) // size * size]
        playing.sort(key=lambda player: (-tally.mean(player), drawn[player]))
        while playing:
            table = [playing.pop(0)]
            while len(table) < size:
                met = [sum(_met(tally, player, other) for other in table) for player in playing]
                table.append(playing.pop(met.index(min(met))))
            found += [(game, tuple(table))] * schedule.deals
    return found


def _met(tally: Tally, one: int, other: int) -> int:
    return tally.met.get((min(one, other), max(one, other)), 0)


def _bracket(left: Sequence[int], size: int, turn: int) -> tuple[list[Table], list[int]]:
    """Tables of a knockout, and the players with a bye. If too few are left for a table, they share one."""
    if len(left) < size:
        return [tuple(left)], []
    free = len(left) % size
    byes = [left[(turn + at) % len(left)] for at in range(free)]
    rest = [player for player in left if player not in byes]
    return [tuple(rest[at : at + size]) for at in range(0, len(rest), size)], byes


def _best_half(table: Table, tally: Tally, order: Sequence[int]) -> list[int]:
    """Who goes on: half of a table, rounded down, at least one. Ties go to the player who is first in the bracket."""
    ranked = sorted(set(table), key=lambda player: (-tally.wave[player], order.index(player)))
    return ranked[: max(1, len(ranked) // 2)]
