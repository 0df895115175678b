"""Bots of a tournament run in the sandbox, or the ledger and the report say that they do not."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.bots import cgroup, confine
from referee.tournament.stage import load
from tests.cli.world import Ran, run_here
from tests.tournament import world

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no bubblewrap elsewhere")
SPEC = """
name = "Walls"
[[games]]
game = "auction"
seats = 2
[[bots]]
name = "random"
[[bots]]
name = "thief"
run = {run}
[limits]
start = 60_000
answer = 60_000
"""
THIEF = """
import glob, json, os, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print('{"type":"ready","protocol":1}', flush=True)
    if said["type"] == "question":
        keys = [path for path in glob.glob(FOLDER + "/**", recursive=True) if path.endswith((".key", "ledger.jsonl"))]
        if keys:
            sys.exit("found " + " ".join(map(os.path.basename, keys)))
        print(json.dumps({"type": "answer", "id": said["id"], "move": said["moves"]["choices"][0]["move"]}), flush=True)
"""
SAID = "bots ran without a sandbox"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A spec with a program that ends at once if it sees a key or the ledger."""
    (tmp_path / "thief.py").write_text(THIEF.replace("FOLDER", repr(str(tmp_path))))
    (tmp_path / "cup.toml").write_text(SPEC.format(run=json.dumps([sys.executable, "thief.py"])))
    return tmp_path


def play(folder: Path, *more: str) -> Ran:
    return run_here("tournament", "run", *more, "-o", "cup", "--seed", "x", cwd=folder)


def lapses(folder: Path) -> list[str]:
    return [line for one in world.games_of(folder / "cup") for lapse in one.lapses for line in lapse.lines]


def test_a_bot_finds_neither_key_nor_ledger(folder: Path) -> None:
    ran = play(folder, "cup.toml")
    assert ran.exit == 0
    assert b"Memory and processes are limited by" in ran.err
    assert lapses(folder) == []
    start = load(str(folder / "cup")).last.start
    assert start is not None
    assert not start.unconfined
    kept = {"group": "processes of bots were limited by a control group", "watch": "processes of bots were watched"}
    assert start.limits == cgroup.enforced_by()
    said = (folder / "cup/report.html").read_text()
    assert [who for who, words in kept.items() if words in said] == [start.limits]
    assert json.loads((folder / "cup/results.json").read_bytes())["limits"] == [start.limits]
    assert b"unconfined" not in (folder / "cup/ledger.jsonl").read_bytes()
    assert SAID not in (folder / "cup/report.html").read_text()


def test_without_the_sandbox_it_finds_both_and_ledger_and_report_say_so(folder: Path) -> None:
    assert play(folder, "cup.toml", "--unconfined").exit == 0
    assert any("ledger.jsonl" in line for line in lapses(folder))
    assert b'"unconfined":true' in (folder / "cup/ledger.jsonl").read_bytes()
    assert SAID in (folder / "cup/report.html").read_text()
    found = json.loads((folder / "cup/results.json").read_bytes())
    assert (found["unconfined"], found["limits"]) == (True, [])


@pytest.mark.parametrize("first", [[], ["--unconfined"]], ids=["confined", "unconfined"])
def test_a_stage_continues_as_it_was_started(folder: Path, first: list[str]) -> None:
    home = {"cwd": folder}
    assert run_here("tournament", "next", "cup.toml", "-o", "cup", "--seed", "x", **home).exit == 0
    assert run_here("tournament", "next", "cup", **home).exit == 0
    assert run_here("tournament", "next", "cup", *first, **home).exit == 0
    other = [] if first else ["--unconfined"]
    refused = play(folder, *other)
    assert refused.exit == 2
    assert not (folder / "cup/games").exists()
    assert play(folder, *first).exit == 0


@pytest.fixture
def without_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    confine.working_sandbox.cache_clear()
    yield
    confine.working_sandbox.cache_clear()


@pytest.mark.usefixtures("without_bubblewrap")
def test_without_a_sandbox_only_built_in_bots_are_started(folder: Path) -> None:
    refused = play(folder, "cup.toml")
    assert refused.exit == 2
    assert b"--unconfined" in refused.err
    assert load(str(folder / "cup")).last.start is None
    (folder / "cup.toml").write_text(SPEC.format(run='"sensible"'))
    assert run_here("tournament", "run", "cup.toml", "-o", "own", "--seed", "x", cwd=folder).exit == 0
