"""Both judges of `judges`, as implementations that `referee conform` can call:

python -m tests.independent.conforming ours|second verify|step FILE...
"""

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import tests.conftest  # noqa: F401  most vectors are of a toy game
from referee.engine import table
from referee.evidence.identify import document_kind

from . import judges
from .test_vectors import codes, single

Judge = Callable[[list[Path]], str]


def ours(paths: list[Path]) -> str:
    """What the program says."""
    return judges.program_says(_kind(paths), _data(paths), _beside(paths, "own.json"))


def second(paths: list[Path]) -> str:
    """What the second verifier says."""
    bags, own = _beside(paths, "bags.json"), _beside(paths, "own.json")
    return judges.second_says(_kind(paths), _data(paths), bags, own)


def step(name: str, paths: list[Path]) -> str:
    """The result of a single step, or what is wrong with a round."""
    given = json.loads(paths[0].read_text())
    if given["kind"] == "round":
        files, bags = [judges.canonical(given["given"])], _beside(paths, "bags.json")
        return judges.program_says("round", files) if name == "ours" else judges.second_says("round", files, bags)
    found: list[object] = []
    code = judges.code_of(lambda: found.append(single(name, given["kind"], given["given"])))
    return f"ok {json.dumps(found[0])}" if found else code


def _data(paths: list[Path]) -> list[bytes]:
    return [path.read_bytes() for path in paths]


def _kind(paths: list[Path]) -> str:
    """A file that is neither is judged as a view: both refuse it alike."""
    if len(paths) > 1:
        return "several"
    kind = document_kind(paths[0].read_bytes())
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
    return 0 if code.split()[0] == "ok" else 6


if __name__ == "__main__":
    # The rules count as those that the vectors were made with: other wording changes nothing they test.
    table.code_hash = lambda game: codes().get(game, "")
    name, verb, *files = sys.argv[1:]
    judges_of = {"verify": {"ours": ours, "second": second}[name], "step": partial(step, name)}
    sys.exit(main(judges_of[verb], files))
