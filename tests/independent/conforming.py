"""Both judges of `judges`, as implementations that `referee conform` can call:

python -m tests.independent.conforming ours|second verify FILE...
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import tests.conftest  # noqa: F401  most vectors are of a toy game
from referee.engine import table
from referee.evidence.files import kind_of

from . import judges
from .test_vectors import codes

Judge = Callable[[list[Path]], str]


def ours(paths: list[Path]) -> str:
    """What the program says."""
    return judges.program_says(_kind(paths), _data(paths), _beside(paths, "own.json"))


def second(paths: list[Path]) -> str:
    """What the second verifier says."""
    bags, own = _beside(paths, "bags.json"), _beside(paths, "own.json")
    return judges.second_says(_kind(paths), _data(paths), bags, own)


def _data(paths: list[Path]) -> list[bytes]:
    return [path.read_bytes() for path in paths]


def _kind(paths: list[Path]) -> str:
    """A file that is neither is judged as a view: both refuse it in the same way."""
    if len(paths) > 1:
        return "several"
    kind = kind_of(paths[0].read_bytes())
    return kind if kind in ("transcript", "proof", "claim", "ruling") else "view"


def _beside(paths: list[Path], name: str) -> object:
    path = paths[0].with_name(name)
    return json.loads(path.read_text()) if path.exists() else None


def main(judge: Judge, words: list[str]) -> int:
    if words == ["-"]:
        for line in sys.stdin:
            sys.stdout.write(judge([Path(name) for name in line.rstrip("\n").split("\t")]) + "\n")
        return 0
    code = judge([Path(word) for word in words])
    sys.stdout.write(code + "\n")
    return 0 if code == "ok" else 6


if __name__ == "__main__":
    # The rules count as those that the vectors were made with: other wording changes nothing they test.
    table.code_hash = lambda game: codes().get(game, "")
    name, verb, *files = sys.argv[1:]
    assert verb == "verify"
    sys.exit(main({"ours": ours, "second": second}[name], files))
