"""The front door: what it shows, what it costs, what it needs, and that what it says of itself is true."""

import doctest
import importlib
import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import referee
from referee.library import front

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("msgspec", "cryptography", "typer", "platformdirs", "typing")
PUBLIC = [
    "RefereeError", "__version__", "apply", "identify", "join", "judge", "list_games", "make_offer", "new_key",
    "open_view", "practice", "read_key", "reveal", "speaking", "start", "verify", "write_key",
]  # fmt: skip


def fresh(program: str, *words: str) -> str:
    """What a new interpreter prints that runs this program."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program, *words], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_dir_shows_exactly_the_public_names() -> None:
    assert dir(referee) == PUBLIC == sorted(referee.__all__)
    for name in PUBLIC:
        assert getattr(referee, name)
    with pytest.raises(AttributeError, match="no attribute 'open_veiw'"):
        getattr(referee, "open_veiw")  # noqa: B009


def test_no_public_name_is_that_of_a_module() -> None:
    modules = {path.stem for path in (ROOT / "referee").iterdir()}
    assert not modules & set(PUBLIC)


def test_import_loads_nothing() -> None:
    before = set(json.loads(fresh("import sys, os, json; print(json.dumps(list(sys.modules)))")))
    program = "import sys, os, json, referee; dir(referee); print(json.dumps(list(sys.modules)))"
    assert set(json.loads(fresh(program))) - before == {"referee"}


def test_a_name_loads_what_it_needs_and_no_more() -> None:
    program = "import sys, json, referee; referee.open_view, referee.apply; print(json.dumps(list(sys.modules)))"
    loaded = set(json.loads(fresh(program)))
    assert "referee.library.front" in loaded
    assert not {"cryptography", "typer", "referee.engine.player", "referee.cli"} & loaded


def test_every_public_function_is_documented_with_an_example() -> None:
    for name in PUBLIC:
        found = getattr(referee, name)
        if inspect.isfunction(found) and found.__module__ == front.__name__:
            assert ">>> " in (found.__doc__ or ""), name
    for name in PUBLIC[2:]:
        assert f"| `{name}(" in (referee.__doc__ or ""), name


@pytest.mark.parametrize("module", ["referee", "referee.library.front"])
def test_examples_in_docstrings(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = doctest.testmod(importlib.import_module(module))
    assert done.attempted > 5
    assert done.failed == 0


# --- msgspec alone ---------------------------------------------------------------------------------------------------

BLOCKED = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"cryptography", "typer", "platformdirs", "click", "rich", "keyring", "bcrypt"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
"""
ALONE = (
    BLOCKED
    + """
import referee

for game in referee.list_games():
    with referee.speaking("de"):
        played = referee.practice(game.id, seat=0, seed=3)
        for _ in range(5):
            if played.asked:
                lines = played.moves()
                single = [line for line in lines if line.single]
                played.play(str(single[0]) if single else lines[0].move)
        assert played.board(60) and played.story()
    print(game.id, referee.practice(game.id, seat=None, level="random", seed=3).result.ranks)
"""
)
UNSIGNED = (
    BLOCKED
    + """
import referee

key = object()
calls = {
    "new_key": lambda: referee.new_key("Anna"),
    "read_key": lambda: referee.read_key(b"{}"),
    "write_key": lambda: referee.write_key(key),
    "identify": lambda: referee.identify(b"{}"),
    "open_view": lambda: referee.open_view(b"{}"),
    "verify": lambda: referee.verify(b"{}"),
    "judge": lambda: referee.judge([b"{}"]),
    "make_offer": lambda: referee.make_offer("mark", key),
    "join": lambda: referee.join(b"{}", key),
    "start": lambda: referee.start(b"{}", [], key),
    "apply": lambda: referee.apply(b"{}", [], key),
    "reveal": lambda: referee.reveal(b"{}", key),
}
for name, call in calls.items():
    try:
        call()
    except referee.RefereeError as error:
        print(name, error.code, error.next)
"""
)


def test_practice_needs_msgspec_alone() -> None:
    lines = fresh(ALONE).splitlines()
    assert [line.split()[0] for line in lines] == ["mark", "schwarzer-freitag", "schwarzmarkt", "weg-zum-erfolg"]


def test_what_needs_signatures_says_what_to_install() -> None:
    lines = fresh(UNSIGNED).splitlines()
    needs = sorted(set(PUBLIC) - {"RefereeError", "__version__", "list_games", "practice", "speaking"})
    assert sorted(line.split()[0] for line in lines) == needs
    assert {line.partition(" ")[2] for line in lines} == {"no-extra run `pip install cryptography`"}


# --- whole programs --------------------------------------------------------------------------------------------------


def run_example(name: str) -> str:
    path = ROOT / "examples/library" / name
    return fresh("import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__')", str(path))


def test_the_example_plays_a_signed_game() -> None:
    source = (ROOT / "examples/library/play.py").read_text("utf-8")
    assert len(source.splitlines()) <= 30
    told, *ranks = run_example("play.py").splitlines()
    assert told.startswith("a whole game of")
    assert sorted(line.split()[1] for line in ranks) == ["Anna", "Bert", "Carla"]
    assert ranks[0].startswith("1. ")


def test_the_example_practises() -> None:
    last = run_example("practice.py").splitlines()[-1]
    ranks = json.loads(f"[{last.strip('()')}]")
    assert min(ranks) == 1
    assert len(ranks) == 3
