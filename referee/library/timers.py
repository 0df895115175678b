"""What lets a machine run an office by itself, as a line for cron or a systemd timer. Nothing is installed that nobody
asked for."""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from typing import Literal

from msgspec import Struct

from referee.errors import FileTrouble
from referee.io import files
from referee.library import t

Kind = Literal["systemd", "cron"]
MINUTES = 10
LOG = "run.log"
"""Where cron writes what the runs say, within the office."""


class Timer(Struct, frozen=True):
    """A way to run an office every few minutes: what is written for it, and whether it is there already."""

    kind: Kind
    shown: str
    """The line for the crontab, or the names of the units."""
    units: tuple[tuple[str, str], ...] = ()
    """Path -> content, for systemd."""
    installed: bool = False


def timers(root: str) -> list[Timer]:
    """What this machine has to offer for an office."""
    found = []
    if _runs("systemctl", "--user", "show-environment"):
        found.append(_systemd(root))
    if shutil.which("crontab"):
        line = cron_line(root)
        found.append(Timer("cron", line, installed=_marker(root) in _crontab()))
    return found


def install(timer: Timer) -> None:
    """Install a timer. What else runs on this machine stays as it is."""
    if timer.kind == "cron":
        before = _crontab()
        end = "" if not before or before.endswith("\n") else "\n"
        _call("crontab", "-", said=f"{before}{end}{timer.shown}\n")
        return
    for path, text in timer.units:
        files.make_folder(os.path.dirname(path))
        files.write({path: text.encode()})
    _call("systemctl", "--user", "daemon-reload")
    _call("systemctl", "--user", "enable", "--now", f"{timer.shown}.timer")


def command(root: str) -> list[str]:
    """The words that run an office, wherever they are called."""
    ours = sys.argv[0] if os.path.basename(sys.argv[0]) == "referee" else ""
    program = os.path.abspath(ours) if os.path.isfile(ours) else shutil.which("referee")
    words = [program] if program else [sys.executable, "-m", "referee"]
    return [*words, "mail", "run", os.path.abspath(root)]


def _home() -> list[str]:
    """Games are guarded in this folder too when a timer runs them."""
    home = os.environ.get("REFEREE_HOME")
    return [f"REFEREE_HOME={os.path.abspath(home)}"] if home else []


def cron_line(root: str) -> str:
    """A line for a crontab, in which a % must be escaped."""
    words = " ".join(map(shlex.quote, [*(["env", *_home()] if _home() else []), *command(root)]))
    log = shlex.quote(os.path.join(os.path.abspath(root), LOG))
    return f"*/{MINUTES} * * * * {words} >> {log} 2>&1".replace("%", r"\%")


def _marker(root: str) -> str:
    return f" mail run {shlex.quote(os.path.abspath(root))} ".replace("%", r"\%")


def _systemd(root: str) -> Timer:
    name = f"referee-{hashlib.sha256(os.path.abspath(root).encode()).hexdigest()[:8]}"
    folder = os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"), "systemd", "user")
    run = " ".join(map(_unit_word, command(root)))
    home = "".join(f"Environment={_unit_word(one)}\n" for one in _home())
    service = f"[Unit]\nDescription=Games by mail\n\n[Service]\nType=oneshot\n{home}ExecStart={run}\n"
    when = f"[Timer]\nOnCalendar=*:0/{MINUTES}\nPersistent=true\n"
    timer = f"[Unit]\nDescription=Games by mail\n\n{when}\n[Install]\nWantedBy=timers.target\n"
    units = tuple(
        (os.path.join(folder, f"{name}.{kind}"), text) for kind, text in (("service", service), ("timer", timer))
    )
    there = _runs("systemctl", "--user", "is-enabled", "--quiet", f"{name}.timer")
    return Timer("systemd", name, units, installed=there)


def _unit_word(word: str) -> str:
    """A word as systemd reads it."""
    safe = word.replace("\\", r"\\").replace('"', r"\"").replace("%", "%%").replace("$", "$$")
    return f'"{safe}"'


def _runs(*words: str) -> bool:
    if not shutil.which(words[0]):
        return False
    return subprocess.run(words, capture_output=True, check=False, stdin=subprocess.DEVNULL).returncode == 0


def _crontab() -> str:
    """The crontab of this user; empty if there is none."""
    done = subprocess.run(["crontab", "-l"], capture_output=True, check=False, text=True, stdin=subprocess.DEVNULL)
    return done.stdout if done.returncode == 0 else ""


def _call(*words: str, said: str = "") -> None:
    done = subprocess.run(words, input=said, capture_output=True, check=False, text=True)
    if done.returncode:
        why = t(
            "{command} failed: {error}", command=" ".join(words[:2]), error=files.printable(done.stderr.strip()[:200])
        )
        raise FileTrouble(why, t("install it by hand, or run the office yourself"), code="no-timer")
