"""A control group for each bot, if cgroups v2 are delegated to this process: then the kernel enforces the limits of
memory and processes. Otherwise the referee watches the bot and ends it if it takes too much."""

import os
from contextlib import suppress
from functools import cache
from itertools import count
from typing import Literal

from referee.bots import t
from referee.bots.causes import Cause, cause
from referee.language import Text

ROOT = "/sys/fs/cgroup"
NEEDED = frozenset({"memory", "pids"})
OURS = "referee"
"""The group that this process moves into: a group that contains processes cannot have groups below it."""
_NUMBERS = count()


@cache
def delegated_folder() -> str:
    """The group below which bots get theirs; empty if none is delegated."""
    with suppress(OSError):
        with open("/proc/self/cgroup") as file:
            own = [line[3:].strip() for line in file if line.startswith("0::")]
        if own:
            return delegated(os.path.join(ROOT, own[0].lstrip("/")))
    return ""


def delegated(folder: str) -> str:
    """Prepare the group in this folder, which holds this process, for groups below it; empty if it is not ours."""
    if os.path.basename(folder) == OURS:
        folder = os.path.dirname(folder)
    if not _is_ours(folder) or not _words(folder, "cgroup.controllers") >= NEEDED:
        return ""
    if _words(folder, "cgroup.subtree_control") >= NEEDED:
        return folder
    inner = os.path.join(folder, OURS)
    os.makedirs(inner, exist_ok=True)
    _write(inner, "cgroup.procs", "0")
    try:
        _write(folder, "cgroup.subtree_control", " ".join(f"+{name}" for name in sorted(NEEDED)))
    except OSError:  # other processes are in it
        _write(folder, "cgroup.procs", "0")
        os.rmdir(inner)
        return ""
    return folder


def _is_ours(folder: str) -> bool:
    """Root may write to any group, so for root the group must be marked as delegated."""
    if os.geteuid() != 0:
        return os.access(folder, os.W_OK) and os.access(os.path.join(folder, "cgroup.procs"), os.W_OK)
    for name in ("user.delegate", "trusted.delegate"):
        with suppress(OSError):
            return os.getxattr(folder, name) == b"1"
    return False


def enforced_by() -> Literal["group", "watch"]:
    """What enforces the limits of memory and processes."""
    return "group" if delegated_folder() else "watch"


def limits_text() -> Text:
    """The same as a sentence."""
    if delegated_folder():
        return t("memory and processes are limited by a control group")
    return t("memory and processes are limited by checking four times a second: no control group is delegated here")


def make(memory: int, tasks: int) -> str:
    """Make a group with these limits; empty if there can be none."""
    if not delegated_folder():
        return ""
    folder = os.path.join(delegated_folder(), f"bot-{os.getpid()}-{next(_NUMBERS)}")
    os.mkdir(folder)
    for name, value in (("memory.max", memory), ("memory.swap.max", 0), ("memory.oom.group", 1), ("pids.max", tasks)):
        with suppress(FileNotFoundError):  # without swap there is no swap limit
            _write(folder, name, str(value))
    return folder


def enter(folder: str, pid: int) -> None:
    """Put a process into a group."""
    if folder:
        _write(folder, "cgroup.procs", str(pid))


def over(folder: str) -> Cause | None:
    """Which limit the processes of a group exceeded, if any."""
    with suppress(OSError, ValueError):
        if folder and _event(folder, "memory.events", "oom_kill"):
            return cause("memory-refused")
        if folder and _event(folder, "pids.events", "max"):
            return cause("processes-refused")
    return None


def remove(folder: str) -> None:
    """Remove a group whose processes have ended."""
    if folder:
        with suppress(OSError):
            os.rmdir(folder)


def _event(folder: str, name: str, what: str) -> int:
    with open(os.path.join(folder, name)) as file:
        return int(dict(line.split() for line in file).get(what, 0))


def _words(folder: str, name: str) -> frozenset[str]:
    with open(os.path.join(folder, name)) as file:
        return frozenset(file.read().split())


def _write(folder: str, name: str, value: str) -> None:
    with open(os.path.join(folder, name), "w") as file:
        file.write(value)
