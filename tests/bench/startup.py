"""Goals 1, 2, 7 and 9: what a command costs as a process, against the bare imports it cannot avoid.

Run it with the Python of an environment that has the run-time dependencies only, and pass that one:
`python tests/bench/startup.py PATH/bin/python [rounds]`.

`python tests/bench/startup.py --against FOLDER [rounds]` compares the processor time of commands in this tree with that
in FOLDER, another one (`git worktree add FOLDER COMMIT`), in turn and with the same Python.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import common
import engine

from referee.engine import host
from referee.engine.rounds import asked
from referee.io import keyfile
from referee.io.gamefile import dump_match

HERE = Path(__file__).resolve().parents[2]
ROUND = 100
VIEW = f"view of round {ROUND}"
"""Stands for a view of a bots' game of M.A.R.K. in that round, made by the tree itself."""
COMMANDS = (
    ("--version",), ("--help",), ("games",), ("show", VIEW), ("rules", "mark"), ("mail", "--help"),
)  # fmt: skip
FLOOR = "import msgspec; from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey"


class Bench:
    """One program under test, in a folder of its own."""

    def __init__(self, python: str, folder: Path, rounds: int) -> None:
        self.python, self.folder, self.rounds = python, folder, rounds
        self.referee = str(Path(python).parent / "referee")
        self.env = dict(os.environ, REFEREE_HOME=str(folder / "home"))
        self.env.pop("PYTHONPATH", None)
        self.run("--version")

    def run(self, *words: str) -> None:
        subprocess.run([self.referee, *words], check=True, capture_output=True, env=self.env, cwd=self.folder)

    def bare(self, code: str) -> None:
        subprocess.run([self.python, "-c", code], check=True, capture_output=True, env=self.env, cwd=self.folder)

    def apply(self, game_id: str, length: int = 0) -> "tuple[int, object]":
        """`apply` of the move in the middle of a game, the game file put back first (a plain write)."""
        played = engine.Played(game_id)
        match, _ = played.start()
        for number, move in enumerate(played.moves):
            if number >= len(played.moves) * 3 // 4 and len(asked(match.state)) == 1:
                break
            host.take_move(match, move)
        if length:
            match.entries[:0] = [match.entries[-1]] * (length - len(match.entries))
        before = dump_match(match)
        game = self.folder / f"{game_id}-{length}.json"
        (self.folder / f"{game_id}.move.json").write_bytes(move)
        (self.folder / "key.json").write_bytes(keyfile.dump(match.key))

        def job() -> None:
            game.write_bytes(before)
            self.run("apply", game.name, f"{game_id}.move.json", "--key", "key.json", "--out", "out")

        job()
        return len(before), job

    def player(self, game_id: str) -> None:
        """A view of about 100 rounds, and the key and move to answer it."""
        played = engine.Played(game_id)
        match, _ = played.start()
        for move in played.moves:
            if match.state.round >= 100 and len(asked(match.state)) == 1 and not match.waiting:
                break
            host.take_move(match, move)
        (seat,) = list(asked(match.state))[:1]
        (self.folder / "view.json").write_bytes(host.make_view(match, seat))
        (self.folder / "player.json").write_bytes(keyfile.dump(played.players[seat]))


def main(python: str = sys.executable, rounds: int = 25) -> None:
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(python, Path(name), rounds)
        floor = "python -c 'import msgspec, ed25519'"
        jobs = {floor: lambda: bench.bare(FLOOR)}
        goals = {}
        for game_id in engine.GAMES:
            size, job = bench.apply(game_id)
            label = f"apply {game_id} ({size // 1000} kB)"
            jobs[label], goals[label] = job, 2.0
        common.table("1. apply as a process, durable write, 4 views", common.interleave(jobs, rounds), floor, goals)

        typer = "python -c 'import typer'"
        jobs = {typer: lambda: bench.bare("import typer"), "referee --help": lambda: bench.run("--help")}
        common.table("2. help", common.interleave(jobs, rounds), typer, {"referee --help": 1.2})

        jobs = {f"apply after {n:,} entries": bench.apply("schwarzmarkt", n)[1] for n in (100, 1000)}
        goals = {"apply after 1,000 entries": 1.15}
        common.table("7. growth of apply", common.interleave(jobs, rounds), "apply after 100 entries", goals)

        bench.player("mark")
        jobs = {
            floor: lambda: bench.bare(FLOOR),
            "audit, 100 rounds": lambda: bench.run("audit", "view.json"),
            "play --dry-run, 100 rounds": lambda: bench.run(
                "play", "view.json", "--key", "player.json", "--resign", "--dry-run"
            ),
        }
        goals = {"audit, 100 rounds": 3.0, "play --dry-run, 100 rounds": 3.0}
        common.table("9. a player's commands", common.interleave(jobs, rounds), floor, goals)


def processor_time(tree: Path, home: Path, words: tuple[str, ...]) -> float:
    """Milliseconds that a command of this tree takes as a process, in English, with byte code cached."""
    ours = ("PYTHON", "REFEREE_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    env |= {"PYTHONPATH": str(tree), "REFEREE_HOME": str(home), "REFEREE_LANGUAGE": "en"}
    own = [str(view_of(home)) if word == VIEW else word for word in words]
    code = [sys.executable, "-c", "from referee.cli import run; run()", *own]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(code, env=env, cwd=home, stdin=quiet, stdout=quiet, stderr=quiet)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{' '.join(words)} in {tree}: {process.returncode}"
    return 1000 * (used.ru_utime + used.ru_stime)


def view_of(home: Path) -> Path:
    """The first view of that round or a later one: rules differ between trees, and so do the games that are played."""
    views = sorted((home / "demo").glob("*/*-r*.view.json"), key=lambda path: path.name.split("-r")[1])
    return next(path for path in views if int(path.name.split("-r")[1][:3]) >= ROUND)


def against(other: Path, rounds: int = 12) -> None:
    """A first round that does not count compiles what is not compiled yet."""
    with tempfile.TemporaryDirectory() as name:
        homes = {tree: Path(name) / f"home-{number}" for number, tree in enumerate((other, HERE))}
        for home in homes.values():
            home.mkdir()
        for tree, home in homes.items():
            processor_time(tree, home, ("demo", "mark", "--seats", "2", "-o", "demo", "--seed", "bench"))
        print(f"{'processor time in ms, least and median':44} {'there':>13} {'here':>13}")
        for words in COMMANDS:
            times: dict[Path, list[float]] = {tree: [] for tree in homes}
            for number in range(rounds + 1):
                for tree in list(homes)[:: 1 if number % 2 else -1]:
                    used = processor_time(tree, homes[tree], words)
                    times[tree] += [used] if number else []
            told = (f"{min(some):6.0f} {statistics.median(some):6.0f}" for some in times.values())
            print(f"{' '.join(words):44}", *told)


if __name__ == "__main__" and sys.argv[1:2] == ["--against"]:
    against(Path(sys.argv[2]).resolve(), *map(int, sys.argv[3:]))
elif __name__ == "__main__":
    main(*(int(text) if text.isdigit() else text for text in sys.argv[1:]))  # type: ignore[arg-type]
