"""What runs an office by itself: a line for cron, a systemd timer. Both are installed only on request."""

import os
import shlex
from pathlib import Path

import pytest

from referee.errors import FileTrouble
from referee.library import timers

SYSTEMCTL = """#!/bin/sh
# Notes how it is called; a timer is enabled once it was.
echo "$@" >> "$HOME/calls"
case "$*" in *is-enabled*) grep -q "enable --now" "$HOME/calls" ;; esac
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("REFEREE_HOME", str(tmp_path / "100% mine"))
    monkeypatch.setattr("sys.argv", ["pytest"])
    return tmp_path


def program(home: Path, name: str, text: str) -> None:
    (home / "bin" / name).write_text(text)
    (home / "bin" / name).chmod(0o755)


def test_a_systemd_timer(home: Path) -> None:
    program(home, "systemctl", SYSTEMCTL)
    (timer,) = [one for one in timers.timers(str(home / "my office")) if one.kind == "systemd"]
    assert not timer.installed
    assert not (home / ".config").exists()
    timers.install(timer)
    units = {Path(path).suffix: Path(path).read_text() for path, _ in timer.units}
    assert f'"{home / "my office"}"' in units[".service"]
    assert "100%% mine" in units[".service"]
    assert "OnCalendar=*:0/10" in units[".timer"]
    assert f"--user enable --now {timer.shown}.timer" in (home / "calls").read_text()
    assert [one.installed for one in timers.timers(str(home / "my office")) if one.kind == "systemd"] == [True]


def test_a_line_for_cron_is_one_command_whatever_the_names_are(home: Path) -> None:
    """As cron does it: the first % that is not escaped would end the line, and a shell reads the rest."""
    root = home / "it's 100% $HOME"
    line = timers.cron_line(str(root))
    minutes, job = line.split(maxsplit=5)[:5], line.split(maxsplit=5)[5]
    assert minutes == ["*/10", "*", "*", "*", "*"]
    assert "%" not in job.replace(r"\%", "")
    words = shlex.split(job.replace(r"\%", "%"))
    assert words[words.index("run") + 1] == str(root)
    assert f"REFEREE_HOME={home / '100% mine'}" in words
    assert words[-3:] == [">>", str(root / "run.log"), "2>&1"]


def test_a_crontab_that_cannot_be_written(home: Path) -> None:
    program(home, "crontab", '#!/bin/sh\ncase "$1" in -l) exit 1 ;; esac\necho "you are not allowed" >&2; exit 1\n')
    (timer,) = [one for one in timers.timers(str(home / "office")) if one.kind == "cron"]
    with pytest.raises(FileTrouble, match="you are not allowed"):
        timers.install(timer)


def test_a_machine_that_has_neither(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(home / "bin"))
    assert timers.timers(str(home / "office")) == []
    assert timers.command("office")[-3:] == ["mail", "run", os.path.abspath("office")]
