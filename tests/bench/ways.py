"""How far it is from what a person does to what comes of it: functions, files and depth of calls in `referee`.

`python -m tests.bench.ways` prints a table: a German move typed on a command line (`play --move`), one `apply`, one
mail with a move (`mail run`). Each runs once before, so that nothing counts that is done once in a process.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import referee
from referee import games
from tests.cli.world import World, run_here
from tests.mail.offices import playing, reply

PACKAGE = str(Path(referee.__file__).parent)


class Way:
    """What is called on the way."""

    def __init__(self, job: Callable[[], None]) -> None:
        self.functions: set[tuple[str, str, int]] = set()
        self.deepest = self._depth = 0
        sys.setprofile(self._seen)
        try:
            job()
        finally:
            sys.setprofile(None)

    def _seen(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event in ("call", "return") and code.co_filename.startswith(PACKAGE):
            self._depth += 1 if event == "call" else -1
            self.deepest = max(self.deepest, self._depth)
            if not code.co_name.startswith("<"):  # a comprehension is part of its function
                self.functions.add((code.co_filename, code.co_name, code.co_firstlineno))

    def __str__(self) -> str:
        return f"{len(self.functions):>9} {len({file for file, *_ in self.functions}):>5} {self.deepest:>5}"


GERMAN = {"REFEREE_LANGUAGE": "de"}


def typed(root: Path) -> Way:
    world = World(root / "typed", rounds=3)
    words = ("play", world.mover_view, "--move", "passe rot", "--yes", "-o", "-")

    def job() -> None:
        home = root / f"home-{len(list(root.iterdir()))}"
        home.mkdir()
        (home / "key.json").write_bytes((world.mover_home / "key.json").read_bytes())
        ran = run_here(*words, cwd=world.root, home=home, env=GERMAN)
        assert ran.exit == 0, ran.said

    job()
    return Way(job)


def applied(root: Path) -> Way:
    worlds = [World(root / f"applied-{number}") for number in range(2)]

    def job() -> None:
        world = worlds.pop()
        ran = run_here("apply", "game.json", "move.json", "--out", "out", cwd=world.root, home=world.host_home)
        assert ran.exit == 0, ran.said

    job()
    return Way(job)


def mailed(root: Path) -> Way:
    offices = [playing(root / f"office-{number}") for number in range(2)]

    def job() -> None:
        office = offices.pop()
        office.good("run", "--only", "in", "-", stdin=reply(office.turn("bert"), "bid 4"))
        office.good("run")

    job()
    return Way(job)


def main() -> None:
    print(f"{'':24} {'functions':>9} {'files':>5} {'depth':>5}")
    games.__path__.append(str(Path(__file__).parents[1] / "toys"))  # the office plays the toy auction
    with tempfile.TemporaryDirectory() as folder:
        for name, way in (("a typed German move", typed), ("one apply", applied), ("one mail", mailed)):
            print(f"{name:24} {way(Path(folder))}")


if __name__ == "__main__":
    main()
