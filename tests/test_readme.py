"""The README is true: its session runs as it stands, and the game it starts can be played on, ended and verified."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli.app import build

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()
NAMES = ("anna", "bert", "carla")


def block(mark: str) -> str:
    found = re.search(rf"<!-- {mark} -->\n```sh\n(.*?)```", README, re.DOTALL)
    assert found, mark
    return found[1]


class Shell:
    """Runs `referee` commands as a user would, in one folder, with the tickets kept there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.env = dict(os.environ, PATH=path, REFEREE_HOME=str(folder / "home"))

    def run(self, *command: str, cwd: str = ".", check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder / cwd,
            env=self.env,
            check=check,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )


@pytest.mark.thorough
def test_the_session_of_the_readme_leads_to_a_whole_verified_game(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    shell.run("bash", "-euo", "pipefail", "-c", block("session"))
    assert (tmp_path / "host/outbox/bert.view.json").exists()

    status = json.loads(shell.run("referee", "status", "game.json", "--key", "key.json", "--json", cwd="host").stdout)
    assert [row["name"] for row in status["waiting_for"]] == ["Bert"]
    rounds = status["round"]
    while not status["end"]:
        name = status["waiting_for"][0]["name"].lower()
        view = f"../host/outbox/{name}.view.json"
        listed = json.loads(shell.run("referee", "moves", view, "--json", cwd=name).stdout)
        chosen = ("--resign",) if rounds > 12 else ("--move-json", json.dumps(listed[rounds % len(listed)]["move"]))
        shell.run("referee", "play", view, "--key", "key.json", *chosen, cwd=name)
        host = ("apply", "game.json", f"../{name}/move.json", "--key", "key.json", "--out", "outbox", "--json")
        status = json.loads(shell.run("referee", *host, cwd="host").stdout)
        assert status["round"] == rounds + 1
        rounds += 1
    assert status["end"] == "left"
    shell.run("referee", "reveal", "game.json", "--key", "key.json", "-o", "transcript.json", cwd="host")
    found = shell.run("referee", "verify", "host/transcript.json", *(f"host/outbox/{name}.view.json" for name in NAMES))
    assert f"{rounds} rounds" in found.stdout
    assert "4 good, 0 bad" in found.stdout


def test_every_command_is_in_the_readme() -> None:
    listed = README[README.index("### Commands") : README.index("### Late")]
    names = [command.name or command.callback.__name__ for command in build().registered_commands if command.callback]
    assert len(names) == 18
    for name in [*names, "key new", "key show"]:
        assert f"`{name}" in listed, name


def test_the_two_promised_commands_are_there() -> None:
    assert "pip install -q ." in block("demo-command")
    assert "referee demo" in block("demo-command")
    assert "pytest" in block("test-command")
