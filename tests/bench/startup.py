"""Goals 1 and 2: what a command costs as a process, against the bare imports it cannot avoid."""

import os
import sys
import tempfile
from pathlib import Path

import common
import engine

from referee.crypto import keys
from referee.engine.turn import dump_match, take_move

PYTHON = sys.executable
REFEREE = str(Path(PYTHON).parent / "referee")
FLOOR = "import msgspec; from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey"


def main(rounds: int = 40) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _apply(Path(folder), rounds)
    times = common.interleave(
        {
            "python -c 'import typer'": lambda: common.run(PYTHON, "-c", "import typer"),
            "referee --help": lambda: common.run(REFEREE, "--help"),
            "referee apply --help": lambda: common.run(REFEREE, "apply", "--help"),
        },
        rounds,
    )
    goals = {"referee --help": 1.2, "referee apply --help": 1.2}
    common.table("2. help", times, "python -c 'import typer'", goals)


def _apply(folder: Path, rounds: int) -> None:
    _, _, moves = engine.play(4)
    match, _ = engine.start(4)
    for move in moves[:-1]:
        take_move(match, move)
    before = dump_match(match)
    game, move, key = folder / "game.json", folder / "move.json", folder / "key.json"
    move.write_bytes(moves[-1])
    key.write_bytes(keys.dump(match.key))
    command = [REFEREE, "apply", str(game), str(move), "--key", str(key)]
    env = dict(os.environ, REFEREE_HOME=str(folder))

    def fresh() -> None:
        """The last move of a whole game: the game file is put back first (a plain write, well under 1 ms)."""
        game.write_bytes(before)
        common.run(*command, env=env)

    times = common.interleave(
        {
            "python -c 'import msgspec, ed25519'": lambda: common.run(PYTHON, "-c", FLOOR),
            "referee apply (durable write, 4 views)": fresh,
            "referee apply (the same move again)": lambda: common.run(*command, env=env),
        },
        rounds,
    )
    goals = {"referee apply (durable write, 4 views)": 1.75}
    title = f"1. apply as a process, game file of {len(before) // 1000} kB"
    common.table(title, times, "python -c 'import msgspec, ed25519'", goals)


if __name__ == "__main__":
    main(*(int(text) for text in sys.argv[1:]))
