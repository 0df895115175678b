"""Plays a game of very many rounds, in a process of its own, so that no other test meets its toy: `python -m
tests.app.long_game ROUNDS FOLDER` writes the view of its first player, and the key."""

import sys
from pathlib import Path

import referee.games
from referee.io import keyfile
from tests.support.match import Sitting


def main(rounds: int, folder: Path) -> None:
    referee.games.__path__.append(str(Path(__file__).with_name("toys")))
    sitting = Sitting("walk", 2, seed="long").until(rounds)
    (folder / "long.view.json").write_bytes(sitting.view(0))
    (folder / "key.json").write_bytes(keyfile.dump(sitting.players[0]))


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
