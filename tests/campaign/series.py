"""What campaigns among bots share: many games, in several processes; the settings of a game's options; intervals."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from types import ModuleType
from typing import Any, Literal, NamedTuple, get_args, get_origin

import msgspec

from referee import games
from referee.game import Game, Seat
from tests.games.selfplay import Bot, load, play, terms_of

Options = Mapping[str, object]


class Plan(NamedTuple):
    """One game to play. A bot is one of the game's, or a policy: see `tests.campaign.exploits`."""

    game_id: str
    seats: int
    options: Options
    bots: Sequence[str]
    seed: str


class Outcome(NamedTuple):
    """What is kept of a game."""

    shares: tuple[float, ...]
    """What part of the win each seat has."""
    points: tuple[int, ...]
    start: Seat
    counts: Counter[str]


def run(plan: Plan) -> Outcome:
    """Play a game."""
    game = load(plan.game_id)
    bots: list[str | Bot] = []
    for name in plan.bots:
        policy = None if name in game.bots else import_module("tests.campaign.exploits").policy(plan.game_id, name)
        bots.append(policy or name)
    played = play(game, terms_of(plan.game_id, plan.seats, **plan.options), bots, plan.seed)
    assert played.step.result is not None
    points = tuple(score[0] for score in played.step.result.scores)
    shares = tuple(played.share(seat) for seat in range(plan.seats))
    return Outcome(shares, points, played.start, played.counts)


Run = Callable[[Iterable[Plan]], Iterator[Outcome]]


@contextmanager
def runner(jobs: int) -> Iterator[Run]:
    """Plays games, in order, in this many processes."""
    if jobs == 1:
        yield lambda plans: map(run, plans)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield lambda plans: pool.map(run, plans, chunksize=4)


def same(game_id: str, seats: int, options: Options, bot: str, count: int, seed: str) -> list[Plan]:
    """Games with the same bot at every seat."""
    return [Plan(game_id, seats, options, (bot,) * seats, f"{seed} {number}") for number in range(count)]


# --- options ----------------------------------------------------------------------------------------------------------


def settings(game: Game) -> list[Options]:
    """The default options, and each other value of each option alone."""
    found: list[Options] = [{}]
    for field in msgspec.structs.fields(game.options):
        found += [{field.name: value} for value in _values(field.type) if value != field.default]
    return found


def _values(kind: Any) -> Sequence[object]:
    """The values of an option, as far as its type lists them."""
    if kind is bool:
        return (False, True)
    if get_origin(kind) is Literal:
        return get_args(kind)
    info = msgspec.inspect.type_info(kind)
    if isinstance(info, msgspec.inspect.IntType) and info.ge is not None and info.le is not None:
        return range(info.ge, info.le + 1)
    return ()


def label(options: Options) -> str:
    """`expert=true`; `default` for the default options."""
    told = (f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in options.items())
    return " ".join(told) or "default"


# --- figures ----------------------------------------------------------------------------------------------------------


def wins(outcomes: Sequence[Outcome], *, from_start: bool) -> list[float]:
    """How many games each seat won, or each place in the order of play, beginning with the start player."""
    seats = len(outcomes[0].shares)
    return [sum(one.shares[(at + one.start) % seats if from_start else at] for one in outcomes) for at in range(seats)]


# --- what a game's tests say of it ------------------------------------------------------------------------------------


def notes(game_id: str) -> ModuleType | None:
    """`policies.py` beside the tests of a game: `POLICIES`, `EXPECTED`, `EXPECTED_WITH` and `CLAUSES`."""
    name = f"{game_id}.policies" if "." in game_id else f"tests.games.{game_id.replace('-', '_')}.policies"
    return import_module(name) if find_spec(name) else None


def ours() -> list[str]:
    """The games in this project."""
    return [game_id for game_id in games.game_ids() if find_spec(f"tests.games.{game_id.replace('-', '_')}")]
