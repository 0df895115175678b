"""On a terminal a line says how far it is; elsewhere nothing does."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.world import environment

REFEREE = str(Path(sys.executable).with_name("referee"))
SPEC = """
name = "Seen"
[[games]]
game = "schwarzer-freitag"
seats = 2
[[bots]]
name = "sensible"
[[bots]]
name = "too"
run = "sensible"
"""


@pytest.mark.thorough
def test_a_line_on_a_terminal_with_games_a_second_and_the_standings(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(SPEC)
    command = [REFEREE, "tournament", "run", "cup.toml", "-o", "cup", "--seed", "x"]
    ours, theirs = pty.openpty()
    env = environment(tmp_path / "home") | {"COLUMNS": "100"}
    done = subprocess.run(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert "2/2 games; " in shown
    assert " a second; " in shown
    assert "sensible 0.50" in shown, "two equal bots with one deal, seats changed: it cannot be otherwise"
    assert b"sensible" in done.stdout
    again = subprocess.run([*command[:3], "-o", "cup"], cwd=tmp_path, env=env, capture_output=True, check=True)
    assert b"games;" not in again.stderr
