"""Goal 12: whole signed games with in-process bots beside the signatures they need, and beside runners that people use.

python -m tests.bench.tournament games [rounds [game ...]]      # ours, per game, against the bare calls
python -m tests.bench.tournament peers [seconds]                # OpenSpiel and RLCard, random players, where installed
python -m tests.bench.tournament scaling [games]                # one process and two; one dask worker and two
python -m tests.bench.tournament scale                          # what a million games need beside playing them
"""

import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from referee.bots import players
from referee.crypto import envelope, keys
from referee.crypto.codec import H
from referee.tournament import documents as d
from referee.tournament.check import Job, check_batch
from referee.tournament.entrants import make_bot
from referee.tournament.outcome import Outcome
from referee.tournament.playing import Finished, play_game, send_setting
from referee.tournament.run import play_batch
from referee.tournament.schedule import Plan, Tally, plans
from referee.tournament.seating import Setting
from referee.tournament.spec import GameLine, played
from referee.tournament.store import Store, StoredGame
from referee.tournament.summary import summarise
from referee.tournament.work import Cluster, Processes, Workers, each
from tests.tournament.world import setting_for

GAMES = ("schwarzer-freitag", "mark", "schwarzmarkt", "weg-zum-erfolg")


def setting(game: str, seats: int, *bots: str) -> Setting:
    """A stage of one game; every bot is an entrant."""
    made = {f"{bot}-{at}": make_bot([bot], program=False) for at, bot in enumerate(bots)}
    return setting_for([played(GameLine(game, seats))], made, H("id", "bench"))


@contextmanager
def counted(name: str, owner: Any) -> Iterator[list[float]]:
    """Count the calls of a function, and the seconds they took."""
    real, spent = getattr(owner, name), [0, 0.0]

    def call(*args: Any) -> Any:
        begin = time.process_time()
        try:
            return real(*args)
        finally:
            spent[0] += 1
            spent[1] += time.process_time() - begin

    setattr(owner, name, call)
    try:
        yield spent
    finally:
        setattr(owner, name, real)


def games(rounds: int = 7, *only: str) -> None:
    """Every game with four seats, once with `sensible` bots and once with `random` ones."""
    for game in only or GAMES:
        for bot in ("sensible", "random"):
            one, plan = setting(game, 4, *[bot] * 4), Plan(1, 0, 0, (0, 1, 2, 3))
            with counted("sign", keys.Key) as signs, counted("verify", envelope) as checks:
                found = play_game(one, plan)
            took, bare, alone = _measured(one, plan, rounds, int(signs[0]), int(checks[0]))
            print(
                f"{game:18} {bot:9} {found.outcome.rounds:4} rounds, {signs[0]:3.0f} signed, {checks[0]:3.0f} checked: "
                f"{took * 1e3:6.1f} ms / {bare * 1e3:5.1f} ms = {took / bare:4.2f}, without bots {alone / bare:4.2f} "
                f"(goal <= 1.7); {1 / took:5.1f} games a second, {len(found.packed):,} bytes packed"
            )


def _measured(one: Setting, plan: Plan, rounds: int, signs: int, checks: int) -> tuple[float, float, float]:
    """Seconds of a processor for the game, for the bare calls, and for the game without what its bots took."""
    key, message = keys.Key(bytes(32)), bytes(700)
    signature = key.sign(message)
    found: dict[str, list[float]] = {"game": [], "bare": [], "alone": []}
    for _ in range(rounds):
        begin = time.process_time()
        with counted("answer", players.LocalPlayer) as thought:
            play_game(one, plan)
        found["game"].append(time.process_time() - begin)
        found["alone"].append(found["game"][-1] - thought[1])
        begin = time.process_time()
        for _ in range(signs):
            key.sign(message)
        for _ in range(checks):
            keys.verify(key.public, signature, message)
        found["bare"].append(time.process_time() - begin)
    game, bare, alone = (statistics.median(found[name]) for name in ("game", "bare", "alone"))
    return game, bare, alone


# --- others -----------------------------------------------------------------------------------------------------------


def peers(seconds: float = 5.0) -> None:
    """Random games a second of a processor in this very run: ours with everything, theirs with what they do."""
    for game in GAMES:
        one = setting(game, 4, *["random"] * 4)
        at = iter(range(10**9))

        def ours(one: Setting = one, at: Iterator[int] = at) -> int:
            return play_game(one, Plan(next(at), 0, 0, (0, 1, 2, 3))).outcome.rounds

        _rate(f"pbem-referee {game}", ours, seconds, "every move signed, every draw committed to, provable")
    for name, make in (("OpenSpiel", _open_spiel), ("RLCard", _rlcard)):
        try:
            found = make()
        except ImportError:
            print(f"{name}: not installed here")
            continue
        for game, play in found.items():
            _rate(f"{name} {game}", play, seconds, "rules only: no signature, no commitment, no proof, no file")


def _rate(name: str, play: Callable[[], int], seconds: float, does: str) -> None:
    count, moves, begin = 0, 0, time.process_time()
    while (took := time.process_time() - begin) < seconds:
        moves += play()
        count += 1
    print(f"{name:32} {count / took:9.1f} games a second {moves / took:10.0f} rounds or moves a second   ({does})")


def _open_spiel() -> dict[str, Callable[[], int]]:
    import pyspiel

    def play(name: str) -> int:
        state, moves = pyspiel.load_game(name).new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, weights)[0])
            elif state.is_simultaneous_node():
                state.apply_actions([random.choice(state.legal_actions(p)) for p in range(state.num_players())])
            else:
                state.apply_action(random.choice(state.legal_actions()))
                moves += 1
        return moves

    return {name: (lambda name=name: play(name)) for name in ("hearts", "gin_rummy")}


def _rlcard() -> dict[str, Callable[[], int]]:
    import rlcard
    from rlcard.agents import RandomAgent

    def made(name: str) -> Callable[[], int]:
        env = rlcard.make(name)
        env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
        return lambda: sum(len(path) // 2 for path in env.run(is_training=False)[0])

    return {name: made(name) for name in ("uno", "mahjong", "gin-rummy")}


# --- workers ----------------------------------------------------------------------------------------------------------


def scaling(count: int = 60) -> None:
    """The same games by one worker and by two, processes and dask."""
    one = setting("schwarzer-freitag", 3, "sensible", "sensible", "sensible")
    plans = [Plan(number, number // 3, 0, (0, 1, 2)) for number in range(count)]

    def took(workers: Workers) -> float:
        for _ in each(workers, play_batch, send_setting(one), plans[: 2 * workers.count]):
            pass
        begin = time.perf_counter()
        assert sum(len(found) for found in each(workers, play_batch, send_setting(one), plans)) == count
        seconds = time.perf_counter() - begin
        workers.close()
        return seconds

    print(f"{count} games in this process: {took(Workers()):.1f} s")
    for name, hire in (("processes", Processes), ("dask workers", _cluster)):
        single, double = took(hire(1)), took(hire(2))
        print(f"{name}: one {single:.1f} s, two {double:.1f} s: {single / double:.2f} times (goal >= 1.8)")


def _cluster(count: int) -> Workers:
    from distributed import LocalCluster

    local = LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=":0", processes=True)

    class Local(Cluster):
        def close(self) -> None:
            super().close()
            local.close()

    return Local(local.scheduler_address)


# --- a million games --------------------------------------------------------------------------------------------------


def scale(count: int = 100_000) -> None:
    """What does not depend on the games: schedule, lines, results; and whether memory grows with them."""
    schedule, names = d.Schedule("round-robin", games=count), [f"bot-{at}" for at in range(8)]
    begin = time.process_time()
    waves = plans(schedule, [4], names, bytes(32), Tally(8))
    every = [plan for wave in waves for plan in wave]
    print(f"schedule: {len(every):,} games in {time.process_time() - begin:.1f} s")
    chance = random.Random(1)

    def outcomes(many: int) -> Iterator[Outcome]:
        for plan in every[:many]:
            order = chance.sample(range(1, 5), 4)
            scores = tuple((10 - rank,) for rank in order)
            yield Outcome(plan.number, plan.group, "game", plan.seats, tuple(order), scores, chance.randrange(50, 90))

    for many in (count // 10, count):
        before, begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        summarise(outcomes(many), names)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(f"results: {many:,} games in {time.process_time() - begin:.1f} s, {grown / 1024:.0f} MB more")
    made = setting("schwarzer-freitag", 4, *["sensible"] * 4)
    finished = play_game(made, Plan(0, 0, 0, (0, 1, 2, 3)))
    with tempfile.TemporaryDirectory() as folder:
        begin, kept = time.perf_counter(), Store(folder)
        batch: list[Finished] = []
        for outcome in outcomes(2_000):
            batch.append(msgspec.structs.replace(finished, outcome=outcome))
            if len(batch) == 20:
                kept.add(batch)
                batch = []
        kept.close()
        took = time.perf_counter() - begin
        size = os.path.getsize(os.path.join(folder, "games.jsonl")) / 2_000
        print(f"kept: 2,000 games in batches of 20, synced, in {took:.1f} s; {size:.0f} bytes a line")
    setup = send_setting(made)
    job = Job(Plan(0, 0, 0, (0, 1, 2, 3)), StoredGame(finished.outcome, finished.hash, 0, 0), finished.packed)
    begin = time.process_time()
    for _ in range(20):
        (verdict,) = check_batch(setup, [job])
        assert verdict.differs is None
    print(f"check: a game of schwarzer-freitag in {(time.process_time() - begin) / 20 * 1e3:.0f} ms")


def main() -> None:
    what, *rest = sys.argv[1:] or ["games"]
    commands = {"games": games, "peers": peers, "scaling": scaling, "scale": scale}
    commands[what](*(int(text) if text.isdigit() else text for text in rest))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
