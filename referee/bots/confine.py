"""A bot's processes: in a bubblewrap sandbox, or without one if the user asked for that.

In the sandbox a bot has the system and its own files, read-only, a home and a /tmp in memory, and no other process,
network or device. When its first process ends, all others end; and it ends when the referee's process ends."""

import os
import select
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import NamedTuple

import msgspec

from referee.bots import cgroup, seccomp, t
from referee.bots.causes import Cause
from referee.bots.players import Limits
from referee.bots.visible import SYSTEM, Program, etc
from referee.errors import Usage
from referee.language import NOTHING, Text

PATIENCE = 60.0
"""Seconds to wait until a killed process is gone."""
MOST_PROCESSES = 64
MOST_TASKS = 512
"""Most processes and threads, if the kernel counts those of a bot separately."""
MOST_FILES = 10_000
HOME = "/home/bot"
SPACES = (HOME, "/tmp", "/dev/shm")
"""Everything that a bot can write to: each is in memory, and limited in size."""
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_WALLS = (
    "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
    "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv", "--hostname", "bot",
    "--uid", "1000", "--gid", "1000",
)  # fmt: skip
_OUTER = 'exec "$@" 8<&0 9>&1 </dev/null >/dev/null'
_INNER = 'exec "$@" <&8 >&9 8<&- 9>&-'
"""bubblewrap's own processes keep descriptors 0 to 2 open, so the bot's pipes bypass them and belong to it alone."""
_FREE = '{ ulimit -c 0; ulimit -f "$1"; ulimit -d "$2"; } 2>/dev/null; shift 2; exec "$@"'


class Resources(NamedTuple):
    """What a bot is using: bytes of memory, processes besides its first, files."""

    memory: int = 0
    processes: int = 0
    files: int = 0


class Sandbox(NamedTuple):
    """How the sandbox is made on this system, and notes about it for the user."""

    words: tuple[str, ...]
    filter: bytes
    notes: tuple[Text, ...]


# --- in the sandbox --------------------------------------------------------------------------------------------------


@cache
def working_sandbox() -> Sandbox:
    """The sandbox that works on this system, tried once; raises if none does."""
    tool = shutil.which("bwrap")
    why: Text | str = t("bubblewrap is not installed")
    for more in (("--disable-userns",), ()) if tool else ():
        for filter in dict.fromkeys((seccomp.program(), b"")):
            lacking = () if filter else (t("system calls are not filtered on this kind of machine"),)
            tried = Sandbox((str(tool), *_WALLS, *more), filter, (*lacking, cgroup.limits_text()))
            why = _failure(tried)
            if not why:
                return tried
    advice = t("install bubblewrap 0.8 or later, or add --unconfined if you trust the bot with your account")
    raise Usage(t("no sandbox for bots works here: {why}", why=why), advice, code="no-sandbox")


def _failure(tried: Sandbox) -> Text | str:
    """Why this sandbox does not work; empty if it does."""
    with _filter(tried.filter) as (words, numbers):
        line = [*tried.words, *_places(Program(()), Limits()), *words, "--", "true"]
        try:
            ran = subprocess.run(line, capture_output=True, timeout=30, pass_fds=numbers, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return type(error).__name__
    lines = ran.stderr.decode("ascii", "replace").strip().splitlines()[-1:]
    if ran.returncode == 0:
        return NOTHING
    return "".join(lines)[:160] or t("bwrap ended with status {status}", status=ran.returncode)


def _places(program: Program, limits: Limits) -> list[str]:
    """What the bot sees."""
    words: list[str] = []
    for folder in SYSTEM:
        if os.path.islink(folder):
            words += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            words += ["--ro-bind", folder, folder]
    for path in etc():
        words += ["--ro-bind", path, path]
    # A root process may write to /proc/sys without any capability, so all of /proc is read-only.
    words += ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"]
    for space in SPACES:
        words += ["--size", str(limits.output), "--tmpfs", space]
    for path in program.shown:
        if not any(path.startswith(f"{folder}/") for folder in SYSTEM):
            words += ["--ro-bind", path, path]
    for name, value in environment(HOME, os.pathsep.join(program.path)).items():
        words += ["--setenv", name, value]
    return [*words, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", HOME]


@contextmanager
def _filter(program: bytes) -> Iterator[tuple[list[str], tuple[int, ...]]]:
    """The arguments that pass the system call filter, and the file descriptor it is in."""
    if not program:
        yield [], ()
        return
    with tempfile.TemporaryFile() as file:
        file.write(program)
        file.seek(0)
        number = _high(os.dup(file.fileno()))
        try:
            yield ["--seccomp", str(number)], (number,)
        finally:
            os.close(number)


def _high(number: int) -> int:
    """The same file under a descriptor of at least 10: lower ones are used to pass the bot's pipes."""
    from fcntl import F_DUPFD_CLOEXEC, fcntl

    made = fcntl(number, F_DUPFD_CLOEXEC, 10)
    os.close(number)
    return made


def environment(folder: str, path: str) -> dict[str, str]:
    """The environment variables of a bot."""
    return {"PATH": path, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "HOME": folder, "TMPDIR": folder}


class Confined:
    """A running bot in the sandbox. It starts only after its limits are set."""

    def __init__(self, program: Program, limits: Limits) -> None:
        around = working_sandbox()
        self.walls = around.notes
        self._group = cgroup.make(limits.memory, MOST_TASKS)
        info, tells, waits, goes = map(_high, (*os.pipe(), *os.pipe()))
        try:
            with _filter(around.filter) as (words, numbers):
                signals = ["--info-fd", str(tells), "--block-fd", str(waits)]
                outside = [*around.words, *_places(program, limits), *words, *signals, "--"]
                self.process = subprocess.Popen(
                    ["sh", "-c", _OUTER, "bot", *outside, "sh", "-c", _INNER, "bot", *program.words],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    pass_fds=(*numbers, tells, waits), bufsize=0, start_new_session=True,
                )  # fmt: skip
        except OSError:
            cgroup.remove(self._group)
            os.close(info)
            os.close(goes)
            raise
        finally:
            os.close(tells)
            os.close(waits)
        try:
            self._first, self._handle = self._limited(info, limits)
        finally:
            os.close(goes)  # now it starts

    def _limited(self, info: int, limits: Limits) -> tuple[int, int]:
        """Its first process, and a handle that can never refer to another process; (0, -1) if it did not start."""
        import resource

        with open(info, "rb") as file:
            said = file.read()
        try:
            first = int(msgspec.json.decode(said)["child-pid"])
            handle = os.pidfd_open(first)
        except (msgspec.MsgspecError, OSError):
            return 0, -1
        bounds = {
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: limits.output,
            resource.RLIMIT_DATA: limits.memory,
            **({resource.RLIMIT_NPROC: MOST_TASKS} if _counts_tasks() else {}),
        }
        with suppress(OSError):  # it ended at once
            for kind, most in bounds.items():
                resource.prlimit(first, kind, (most, most))
            cgroup.enter(self._group, first)
        return first, handle

    def use(self) -> Resources:
        """What it is using now, read from its /proc and its file systems, as seen from here."""
        root = self._root()
        if not root:
            return Resources()
        found = [process for process in map(_process, _folders(f"{root}/proc")) if process is not None]
        memory, files = sum(one.memory for one in found), 0
        for space in SPACES:
            with suppress(OSError):
                held = os.statvfs(root + space)
                memory += (held.f_blocks - held.f_bfree) * held.f_frsize
                files += held.f_files - held.f_ffree
        return Resources(memory, max(0, len(found) - 2), files)

    def crowd(self) -> int:
        """How many processes it has besides its first, dead ones included: this costs next to nothing."""
        return sum(1 for _ in _folders(f"{root}/proc")) - 2 if (root := self._root()) else 0

    def _root(self) -> str:
        """Its root directory, as seen from here; empty while that is still our own root, which has all processes and
        files, not just its own."""
        root = f"/proc/{self._first}/root"
        with suppress(OSError):
            if os.stat(f"{root}/proc").st_dev != os.stat("/proc").st_dev:
                return root
        return ""

    def over(self) -> Cause | None:
        """Which limit of its control group it exceeded; None if none, or if there is no group."""
        return cgroup.over(self._group)

    def kill(self) -> None:
        """Kill its first process, and with it all others."""
        if self._handle >= 0:
            with suppress(OSError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        else:
            self.process.kill()

    def end(self) -> None:
        """End all of it. The outer process may be gone earlier; the first one inside is gone after all others."""
        self.kill()
        if self._handle >= 0:
            gone = select.poll()
            gone.register(self._handle, select.POLLIN)
            gone.poll(PATIENCE * 1000)
            os.close(self._handle)
        self.process.wait()
        cgroup.remove(self._group)


def _counts_tasks() -> bool:
    """Since Linux 5.14 the processes of a user namespace are counted separately; before, with all of the user's."""
    release = os.uname().release.split(".")
    with suppress(ValueError, IndexError):
        return (int(release[0]), int(release[1].split("-")[0])) >= (5, 14)
    return False


# --- without a sandbox -----------------------------------------------------------------------------------------------


class Unconfined:
    """A bot that runs like any other program of this user, with only its own folder and session."""

    walls = (t("the bot runs without a sandbox: it can do everything that you can"),)

    def __init__(self, program: Program, limits: Limits) -> None:
        self._folder = tempfile.mkdtemp(prefix="referee-bot-")
        bounds = str(limits.output // 512), str(limits.memory // 1024)
        try:
            self.process = subprocess.Popen(
                ["sh", "-c", _FREE, "bot", *bounds, *program.words],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                cwd=self._folder, env=environment(self._folder, os.environ.get("PATH", os.defpath)), bufsize=0,
                start_new_session=True,
            )  # fmt: skip
        except OSError:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def _processes(self) -> "list[Process]":
        """The descendants of its first process, and those in its session; none if there is no /proc."""
        found = {one.pid: one for one in map(_process, _folders("/proc")) if one is not None}
        mine = {one.pid for one in found.values() if self.process.pid in (one.pid, one.session)}
        while more := {one.pid for one in found.values() if one.parent in mine and one.pid not in mine}:
            mine |= more
        return [found[one] for one in sorted(mine)]

    def use(self) -> Resources:
        found = self._processes()
        return Resources(sum(one.memory for one in found), max(0, len(found) - 1))

    def crowd(self) -> int:
        return 0

    def over(self) -> Cause | None:
        return None

    def kill(self) -> None:
        """Kill its process group, and all its descendants."""
        left = [one.pid for one in self._processes()]
        with suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for pid in left:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)

    def end(self) -> None:
        self.kill()
        self.process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def confinement_notes(confined: bool) -> tuple[Text, ...]:
    """How bots are confined here."""
    return working_sandbox().notes if confined else Unconfined.walls


def start(program: Program, limits: Limits) -> Confined | Unconfined:
    """Start a bot; `OSError` if it cannot be."""
    return Confined(program, limits) if program.confined else Unconfined(program, limits)


# --- processes -------------------------------------------------------------------------------------------------------


class Process(NamedTuple):
    """A process from /proc: its id, parent, session, and bytes of memory."""

    pid: int
    parent: int
    session: int
    memory: int


def _folders(proc: str) -> Iterable[str]:
    with suppress(OSError):
        return [f"{proc}/{name}" for name in os.listdir(proc) if name.isdigit()]
    return ()


def _process(folder: str) -> Process | None:
    with suppress(OSError, ValueError, IndexError), open(f"{folder}/stat", "rb") as file:
        # The second field is a name in parentheses, and can contain anything.
        fields = file.read().rpartition(b")")[2].split()
        if fields[0] not in (b"Z", b"X"):
            pid = int(os.path.basename(folder))
            return Process(pid, int(fields[1]), int(fields[3]), int(fields[21]) * _PAGE)
    return None
