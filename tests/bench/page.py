"""Long games through the JavaScript verifier under Node: `python -m tests.bench.page`."""

import subprocess
import sys
import tempfile
from pathlib import Path

from referee import games
from tests.support.match import Sitting

GAMES = ("schwarzer-freitag", "mark", "schwarzmarkt", "weg-zum-erfolg")


def long_game(game_id: str) -> Sitting:
    """A full table in which every second deadline is missed by somebody, so that it takes hundreds of rounds."""
    sitting = Sitting(game_id, games.load(game_id).seats[1], "long", deadline=60)
    while not sitting.over:
        sitting.step(*sitting.asked[-1:] if sitting.round % 2 else ())
    return sitting


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for game_id in GAMES:
            sitting = long_game(game_id)
            for kind, data in (("transcript", sitting.transcript()), ("view", sitting.view(0))):
                paths.append(Path(folder) / f"{game_id}.{kind}.json")
                paths[-1].write_bytes(data)
        return subprocess.run(["node", Path(__file__).with_suffix(".mjs"), *paths], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
