"""Who sits at which table: from the seed, and for Swiss and knockout from the games so far. Pure and endless-safe.

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
from referee.tournament.outcome import Outcome
from referee.tournament.sprt import Deciding

MOST_TABLES = 20_000
"""Of one game in a round robin."""


class Plan(msgspec.Struct, frozen=True):
    """One game to be played: its number, its group, which game of the stage, and who sits at each seat."""

    number: int
    group: int
    game: int
    seats: tuple[int, ...]


class Tally:
    """What pairing needs to know of the games so far; it does not grow with them."""

    def __init__(self, players: int, deciding: Deciding | None = None) -> None:
        self.deciding = deciding
        self.games = [0] * players
        self.points = [Fraction(0)] * players
        self.met: dict[tuple[int, int], int] = {}
        self.wave: list[Fraction] = [Fraction(0)] * players
        """Points of this wave alone: what a knockout goes by."""

    def add(self, plan: Plan, outcome: Outcome) -> None:
        """One game more."""
        others = len(plan.seats) - 1
        for seat, player in enumerate(plan.seats):
            self.games[player] += 1
            if outcome.ranks:
                beaten = [Fraction((theirs > outcome.ranks[seat]) * 2 + (theirs == outcome.ranks[seat]), 2 * others)
                          for at, theirs in enumerate(outcome.ranks) if at != seat]  # fmt: skip
                self.points[player] += sum(beaten)
                self.wave[player] += sum(beaten)
            for other in plan.seats[:seat]:
                pair = min(player, other), max(player, other)
                self.met[pair] = self.met.get(pair, 0) + 1
        if self.deciding:
            self.deciding.add(plan.game, plan.seats, outcome)

    def mean(self, player: int) -> Fraction:
        return self.points[player] / self.games[player] if self.games[player] else Fraction(0)


class Count:
    """How far a schedule has come, and from which number on a player sits nowhere."""

    def __init__(self, number: int, group: int, struck: Mapping[int, int]) -> None:
        self.number, self.group, self.struck = number, group, struck

    def plays(self, players: Sequence[int]) -> bool:
        """Whether all of these may still sit down."""
        return all(self.number < self.struck.get(player, self.number + 1) for player in players)


Table = tuple[int, ...]
Wave = Iterator[tuple[int, Table]]
"""Which game, and who."""


def plans(
    schedule: Schedule, seats: Sequence[int], names: Sequence[str], seed: bytes, tally: Tally, count: Count
) -> Iterator[Iterator[Plan]]:
    """Wave after wave of games; the next one may be asked for when all outcomes of the last are in the tally. `seats`
    are those of each game."""

    def games_of(wave: Wave) -> Iterator[Plan]:
        for game, table in wave:
            order = mixed(seed, "seats", count.group, table)
            for turn in range(len(order)):
                sitting = tuple(order[turn:] + order[:turn])
                if count.plays(sitting):
                    yield Plan(count.number, count.group, game, sitting)
                count.number += 1
            count.group += 1

    def alive() -> list[int]:
        return [player for player in range(len(names)) if count.plays((player,))]

    if schedule.kind == "round-robin":
        every = [tables(range(len(names)), size) for size in seats]
        yield from map(games_of, _rounds(schedule, seats, seed, every, tally, count))
    elif schedule.kind == "gauntlet":
        champion = names.index(schedule.champion) if schedule.champion in names else -1
        if champion < 0:
            raise Usage(t("the champion of the gauntlet is not among the bots"), t("name one of them as champion"))
        rest = [player for player in range(len(names)) if player != champion]
        met = [[(champion, *table) for table in tables(rest, size - 1)] for size in seats]
        yield from map(games_of, _rounds(schedule, seats, seed, met, tally, count))
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
    """Every table of this size. With fewer players than seats everybody has as many seats as anybody, or one more."""
    everybody, more = divmod(size, len(players)) if players else (0, size)
    if comb(len(players), more) > MOST_TABLES:
        why = t(
            "a round robin of {players} bots at {size} seats has more than {most_tables} tables",
            players=len(players), size=size, most_tables=Figures(f"{MOST_TABLES:,}"),
        )  # fmt: skip
        raise Usage(why, t("choose kind = 'swiss', or fewer bots"), code="too-many")
    return [tuple(sorted([*players] * everybody + list(extra))) for extra in combinations(players, more)]


def _rounds(
    schedule: Schedule, seats: Sequence[int], seed: bytes, every: Sequence[Sequence[Table]], tally: Tally, count: Count
) -> Iterator[Wave]:
    """Every table of every game again and again, in an order that the seed gives each pass, one game after the other:
    after any number of groups all tables of a game were there equally often, or once more. All of it is one wave; where
    the games decide how many there are, each pass is, and a game in which all is decided has no further one."""
    share = ceil(schedule.games / len(seats))
    wanted = [ceil(share / size) if share else len(found) for size, found in zip(seats, every, strict=True)]
    streams = [islice(_passes(seed, game, found), wanted[game]) for game, found in enumerate(every)]
    if tally.deciding is None:
        yield _in_turn(dict(enumerate(streams)))
        return
    for turn in naturals():
        left = [game for game, found in enumerate(every) if turn * len(found) < wanted[game]]
        open_still = [game for game in left if not (turn and tally.deciding.done(game, count.plays))]
        if not open_still:
            return
        yield _in_turn({game: islice(streams[game], len(every[game])) for game in open_still})


def _in_turn(streams: Mapping[int, Iterator[Table]]) -> Wave:
    """A table of each game, again and again, to the end of all."""
    more = True
    while more:
        found = [(game, table) for game, stream in streams.items() for table in islice(stream, 1)]
        yield from found
        more = bool(found)


def _passes(seed: bytes, game: int, every: Sequence[Table]) -> Iterator[Table]:
    for turn in naturals():
        yield from mixed(seed, f"tables {game}", turn, every)


def _deals(schedule: Schedule, seats: Sequence[int], sitting: Sequence[Table]) -> Wave:
    """Each of these tables, in every way that fits the seats of each game, as often as the schedule says."""
    for table in sitting:
        for game, size in enumerate(seats):
            for fitted in tables(sorted(table), size):
                yield from ((game, fitted) for _ in range(schedule.deals))


def _swiss(
    schedule: Schedule, seats: Sequence[int], seed: bytes, turn: int, tally: Tally, alive: Sequence[int]
) -> list[tuple[int, Table]]:
    """For each game: the strongest so far sit together, and whoever can meets somebody new. Who finds no table sits
    out: those with the most games, and among them the weakest. All of it before the first game of the wave is in."""
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
    """Tables of a knockout, and who has a bye. Who is left when they are too few for a table sits down together."""
    if len(left) < size:
        return [tuple(left)], []
    free = len(left) % size
    byes = [left[(turn + at) % len(left)] for at in range(free)]
    rest = [player for player in left if player not in byes]
    return [tuple(rest[at : at + size]) for at in range(0, len(rest), size)], byes


def _best_half(table: Table, tally: Tally, order: Sequence[int]) -> list[int]:
    """Who goes on: half of a table, rounded down, at least one. Ties go to who stands first in the bracket."""
    ranked = sorted(set(table), key=lambda player: (-tally.wave[player], order.index(player)))
    return ranked[: max(1, len(ranked) // 2)]
