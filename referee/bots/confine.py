"""What keeps a bot's process within bounds, as far as the system has it; what it has not is said.

On Linux a bot gets namespaces of its own where that is allowed: no network, and processes that all end with it. Where
that is refused, its processes are found by group, family and a mark in their environment; elsewhere by group alone.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from time import monotonic, sleep
from typing import NamedTuple

from referee.bots.players import Limits
from referee.language import mark

MOST_PROCESSES = 64
PATIENCE = 5.0
"""Seconds in which processes that were ended must be gone."""
MARK = "REFEREE_BOT"
"""Every process of a bot has this in its environment, with a text that is its own."""
_FLAGS = (("-npf", "--kill-child"), ("-rnpf", "--kill-child"), ("-n",), ("-rn",))
"""Own network and processes, as root or as a user; or the network alone."""
_SCRIPT = '{ ulimit -c 0; ulimit -f "$3"; ulimit -d "$4"; } 2>/dev/null; exec 3>&2 2>/dev/null; i=$1 o=$2; shift 4; '
_RUN = 'exec "$@" >"$o" <"$i" 2>&3 3>&-'
"""Both pipes have names, so that nobody but the bot holds them open; the shell says nothing of its own."""
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Walls(NamedTuple):
    """The words that start a command within walls, how many processes they add, and what they cannot keep out."""

    words: tuple[str, ...]
    own: int
    missing: tuple[str, ...]


@cache
def walls() -> Walls:
    """What this system has; tried out once."""
    tool = shutil.which("unshare")
    unwatched = mark("on this system memory and number of processes are not watched: there is no /proc")
    lacking = () if _has_proc() else (unwatched,)
    for flags in _FLAGS if tool else ():
        words = (str(tool), *flags)
        with suppress(OSError, subprocess.TimeoutExpired):
            if subprocess.run([*words, "true"], capture_output=True, timeout=10).returncode == 0:
                if len(flags) > 1:
                    return Walls(words, 2, lacking)
                return Walls(words, 0, (_no_processes(), *lacking))
    network = mark("on this system the network is not taken away: unshare is missing or refused")
    return Walls((), 0, (network, _no_processes(), *lacking))


def _no_processes() -> str:
    if _has_proc():
        return mark("on this system processes that leave the bot's group are found by a mark that they could remove")
    return mark("on this system processes that leave the bot's group are not found")


def _has_proc() -> bool:
    return os.path.exists("/proc/self/stat")


def wrapped(words: Sequence[str], pipes: tuple[str, str], limits: Limits) -> list[str]:
    """The command within walls and limits, with these as its input and output. Where processes are walled in, a shell
    stays as their first: signals mean what they always mean, and with it they all end."""
    around = walls()
    script = _SCRIPT + (f"({_RUN}); exit $?" if around.own else _RUN)
    return [
        *around.words,
        "sh",
        "-c",
        script,
        "bot",
        *pipes,
        str(limits.output // 512),
        str(limits.memory // 1024),
        *words,
    ]


def environment(folder: str, mark: str) -> dict[str, str]:
    """All that a bot finds in its environment."""
    path = os.environ.get("PATH", os.defpath)
    return {"PATH": path, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "HOME": folder, "TMPDIR": folder, MARK: mark}


# --- its processes ---------------------------------------------------------------------------------------------------


class Process(NamedTuple):
    """A line of /proc: who it is, whose child, in which session, how many bytes it has in memory."""

    pid: int
    parent: int
    session: int
    memory: int


def processes(pid: int, mark: str) -> list[Process]:
    """A bot's processes: those that descend from its first, are in its session, or have its mark where no wall keeps
    them together. Where nobody can tell, none."""
    found = {one.pid: one for one in map(_process, _pids()) if one is not None}
    mine = {one.pid for one in found.values() if pid in (one.pid, one.session)}
    if not walls().own:
        mine.update(one for one in found if _marked(one, mark))
    while more := {one.pid for one in found.values() if one.parent in mine and one.pid not in mine}:
        mine |= more
    return [found[one] for one in sorted(mine)]


def _pids() -> Iterable[int]:
    with suppress(OSError):
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return ()


def _process(pid: int) -> Process | None:
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/stat", "rb") as file:
        # The second field is a name in brackets, and can hold anything.
        fields = file.read().rpartition(b")")[2].split()
        if fields[0] not in (b"Z", b"X"):
            return Process(pid, int(fields[1]), int(fields[3]), int(fields[21]) * _PAGE)
    return None


def _marked(pid: int, mark: str) -> bool:
    """Whether a process carries this mark in its environment, whoever its parent is by now."""
    with suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
        return f"{MARK}={mark}".encode() in file.read().split(b"\0")
    return False


def end(pid: int, mark: str) -> None:
    """End a bot and all its processes, and wait a little until the last of them is gone."""
    with suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    until = monotonic() + PATIENCE
    # Whoever forks faster than it is ended comes up again in the next look.
    while (left := [one for one in _pids() if _marked(one, mark)]) and monotonic() < until:
        for one in left:
            with suppress(OSError):
                os.kill(one, signal.SIGKILL)
        sleep(0.002)


# --- its folder ------------------------------------------------------------------------------------------------------


def left_in(folder: str) -> int:
    """How many files lie in a folder; a thousand are enough."""
    count = 0
    for _, _, names in os.walk(folder):
        count += len(names)
        if count >= 1000:
            break
    return count


def remove(folder: str) -> None:
    """Take a folder away, whatever rights were taken from what lies in it."""
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.exists(folder):
        os.chmod(folder, 0o700)
        for place, folders, _ in os.walk(folder):
            for path in (os.path.join(place, name) for name in folders):
                if not os.path.islink(path):
                    os.chmod(path, 0o700)
        shutil.rmtree(folder, ignore_errors=True)
