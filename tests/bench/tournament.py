"""Games of tournaments with in-process bots, without signatures and with, and beside runners that people use.

python -m tests.bench.tournament games [count [game ...]]       # playing, checking, bytes, per game
python -m tests.bench.tournament peers [seconds]                # OpenSpiel and RLCard, random players, where installed
python -m tests.bench.tournament scaling [games]                # one process and two; one dask worker and two
python -m tests.bench.tournament scale                          # what a million games need beside playing them
"""

import random
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from referee.bots import players
from referee.crypto.codec import H
from referee.engine.host import reveal
from referee.evidence.replay import open_transcript
from referee.tournament import documents as d
from referee.tournament.entrants import make_bot
from referee.tournament.outcome import Outcome
from referee.tournament.playing import play_again, play_game, send_setting, signed_game
from referee.tournament.records import read_record
from referee.tournament.run import play_batch
from referee.tournament.schedule import Plan, Tally, plans
from referee.tournament.seating import Setting
from referee.tournament.spec import GameLine, played
from referee.tournament.store import packed
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


TABLES = (("schwarzer-freitag", 2), ("mark", 2), ("schwarzmarkt", 3), ("weg-zum-erfolg", 2), ("weg-zum-erfolg", 4))


def games(count: int = 20, *only: str) -> None:
    """Every game with `sensible` bots, on one processor: played without signatures and with, checked from its record
    and from its transcript, and the bytes of each on disk."""
    for game, seats in TABLES:
        if only and game not in only:
            continue
        one, found = setting(game, seats, *["sensible"] * seats), dict[str, float]()
        rounds = [Plan(number, number, 0, tuple(range(seats))) for number in range(count)]
        play_game(one, rounds[0])
        with counted("answer", players.LocalPlayer) as thought:
            lines = _took(found, "played", lambda one=one, rounds=rounds: [play_game(one, plan) for plan in rounds])
        kept = [(plan, read_record(line)) for plan, line in zip(rounds, lines, strict=True)]
        signed = _took(found, "signed", lambda one=one, kept=kept: [reveal(signed_game(one, *each)) for each in kept])
        _took(found, "checked", lambda one=one, kept=kept: [play_again(one, *each) for each in kept])
        _took(found, "verified", lambda signed=signed: [open_transcript(data) for data in signed])
        ours, full = found["played"] / count, (found["signed"] + thought[1]) / count
        print(
            f"{game:18} {seats} seats: played {ours * 1e3:6.1f} ms, with signatures {full * 1e3:6.1f} ms "
            f"({full / ours:4.1f} times), bots {100 * thought[1] / found['played']:3.0f}%; "
            f"checked {found['checked'] / count * 1e3:5.1f} ms, {found['verified'] / count * 1e3:5.1f} ms "
            f"({found['verified'] / found['checked']:4.1f} times); "
            f"{len(packed(lines)) // count:,} bytes, {sum(len(packed([data])) for data in signed) // count:,} bytes"
        )


def _took(found: dict[str, float], name: str, work: Callable[[], Any]) -> Any:
    begin = time.process_time()
    result = work()
    found[name] = time.process_time() - begin
    return result


# --- others -----------------------------------------------------------------------------------------------------------


def peers(seconds: float = 5.0) -> None:
    """Random games a second of a processor in this very run: ours with everything, theirs with what they do."""
    for game in GAMES:
        one = setting(game, 4, *["random"] * 4)
        at = iter(range(10**9))

        def ours(one: Setting = one, at: Iterator[int] = at) -> int:
            return read_record(play_game(one, Plan(next(at), 0, 0, (0, 1, 2, 3)))).outcome.rounds

        _rate(f"pbem-referee {game}", ours, seconds, "rules, every draw from committed chance, a record")
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
    """What does not depend on the games: schedule and results; and whether memory grows with them."""
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


def main() -> None:
    what, *rest = sys.argv[1:] or ["games"]
    commands = {"games": games, "peers": peers, "scaling": scaling, "scale": scale}
    commands[what](*(int(text) if text.isdigit() else text for text in rest))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
