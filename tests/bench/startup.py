"""Goals 1, 2, 7 and 9: what a command costs as a process, against the bare imports it cannot avoid.

Run it with the Python of an environment that has the run-time dependencies only, and pass that one:
`python tests/bench/startup.py PATH/bin/python [rounds]`.
"""

import os
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


if __name__ == "__main__":
    main(*(int(text) if text.isdigit() else text for text in sys.argv[1:]))  # type: ignore[arg-type]
