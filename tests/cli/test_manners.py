"""Manners that hold for many commands: `--dry-run` writes nothing, `--json` can be read by programs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.bots.demo import run

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manners") / "demo"
    run("schwarzer-freitag", 2, str(folder), "manners", lambda text: None)
    return folder


def referee(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """With the host's home, except where a game is started that has already been played."""
    env = dict(os.environ, REFEREE_HOME=str(folder / ("home" if command[0] == "start" else "host")))
    script = str(Path(sys.executable).parent / "referee")
    return subprocess.run([script, *command], cwd=folder, env=env, capture_output=True, text=True, check=False)


def newest(folder: Path, pattern: str) -> str:
    """The last file of this form; names sort by round."""
    return str(max(folder.glob(pattern)).relative_to(folder))


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "command",
    [
        ["offer", "schwarzer-freitag", "--seats", "2", "-o", "new.json", "--key", "host/key.json"],
        ["join", "host/*.offer.json", "-o", "new.json", "--key", "anna/key.json"],
        ["start", "host/*.offer.json", "anna/*.join.json", "bert/*.join.json", "-o", "new/game.json",
         "--key", "host/key.json"],
        ["show", "host/game.json", "--view", "anna", "-o", "new.json", "--key", "host/key.json"],
        ["reveal", "host/game.json", "-o", "new.json", "--key", "host/key.json"],
        ["apply", "host/game.json", "*/*-r002-*.move.json", "--out", "new", "--key", "host/key.json"],
    ],
    ids=lambda command: command[0],
)  # fmt: skip
def test_dry_run_writes_nothing(played: Path, command: list[str]) -> None:
    before = tree(played)
    ran = referee(played, *(newest(played, word) if "*" in word else word for word in command), "--dry-run")
    assert ran.returncode == 0, ran.stderr
    assert "--dry-run" in ran.stderr.splitlines()[-1]
    after = {name: data for name, data in tree(played).items() if not name.endswith(".lock")}
    assert after == {name: data for name, data in before.items() if not name.endswith(".lock")}


def test_show_for_programs_says_what_the_view_holds(played: Path) -> None:
    early, *later = sorted(played.glob("anna/*-anna.view.json"))
    views = ((path, json.loads(path.read_text())) for path in later)
    path, view = next(one for one in views if any(ask["seat"] == 0 for ask in one[1]["entries"][-1]["body"]["ask"]))
    name = str(path.relative_to(played))
    shown = json.loads(referee(played, "show", name, "--json").stdout)
    assert shown["public"] == view["public"]
    told = [token["face"] for part in view["privates"] for token in part["body"]["openings"]]
    assert sorted(face for faces in shown["tokens"].values() for face in faces) == sorted(told)
    assert told
    asked = next(ask for ask in view["entries"][-1]["body"]["ask"] if ask["seat"] == 0)
    assert shown["ask"] == {**asked, "seat": 1}, "seats count from 1 where people see them"
    assert (shown["round"], shown["players"], shown["you"]) == (len(view["entries"]), ["Anna", "Bert"], 1)
    first = json.loads(referee(played, "show", str(early.relative_to(played)), "--json").stdout)
    assert (first["public"], first["tokens"], first["ask"]["what"]) == (None, {}, "ack")


def test_a_transcript_through_a_pipe_beside_a_view(played: Path) -> None:
    """Standard input is read once, whatever is looked up in it."""
    line = f"cat transcript.json | referee verify - {newest(played, 'anna/*.view.json')}"
    env = {**os.environ, "REFEREE_HOME": "home", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    ran = subprocess.run(["bash", "-c", line], cwd=played, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "2 good, 0 bad" in ran.stdout
    assert "this is proof" in ran.stderr


def test_only_a_transcript_is_called_proof(played: Path) -> None:
    last = newest(played, "anna/*.view.json")
    view = referee(played, "verify", last)
    both = referee(played, "verify", last, "transcript.json")
    assert (view.returncode, both.returncode) == (0, 0)
    assert "this is proof" not in view.stderr
    assert "ask for the transcript" in view.stderr
    assert "this is proof" in both.stderr
