"""Runs `referee` in children of its own that die, or meet an error, at a chosen system call.

A server, so that each run costs a fork and not the start of Python: one JSON list of jobs per line on standard input,
one list of results per line back. The jobs of a line run at the same time. A job is `{"args", "cwd", "home"}` and, to
do harm, `"at"` (number of the call, from 1), `"after"` (let the call happen first) and `"error"` (an errno; without it
the process kills itself). With `"meanwhile"` it stops there instead, these jobs run one after the other, and it goes
on. With `"here"` a job runs unharmed in the server itself, so that what is made once in a process is there for all of
its children. `"patience"` is how many seconds it waits for a lock. A result is `[status, out, err, calls]`; status -9
is a kill. Every child is a real process.
"""

import builtins
import contextlib
import importlib
import io
import json
import os
import pkgutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

CALLS = ("open", "write", "fsync", "replace", "unlink", "close", "mkdir")


class Harm:
    """Counts the calls of a process and spoils one of them."""

    def __init__(self, at: int, after: bool, error: int, stop: bool) -> None:
        self.at, self.after, self.error, self.stop, self.made = at, after, error, stop, 0

    def spoil(self, call: Callable[..., Any], name: str) -> Callable[..., Any]:
        def spoiled(*args: Any, **more: Any) -> Any:
            self.made += 1
            if self.made != self.at:
                return call(*args, **more)
            if self.stop:
                os.kill(os.getpid(), signal.SIGSTOP)
                return call(*args, **more)
            if self.after:
                with contextlib.suppress(OSError):
                    result = call(*args, **more)
                    if self.error and name in ("open", "read"):
                        (result.close if name == "read" else lambda: close(result))()
            if not self.error:
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(self.error, os.strerror(self.error))

        close = os.close
        return spoiled


def child(job: dict[str, Any], report: int) -> None:
    """Run one job to its end, or to the harm done to it."""
    from referee.cli import main
    from referee.io import files

    os.chdir(job["cwd"])
    os.environ["REFEREE_HOME"] = job["home"]
    sys.argv = ["referee", *job["args"]]
    harm = Harm(job.get("at", 0), job.get("after", False), job.get("error", 0), "meanwhile" in job)
    files.PATIENCE = job.get("patience", files.PATIENCE)
    tell = os.write
    for name in CALLS:
        setattr(os, name, harm.spoil(getattr(os, name), name))
    builtins.open = harm.spoil(builtins.open, "read")
    status = 70
    try:
        main()
        status = 0
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        tell(report, str(harm.made).encode())
        os._exit(status)


def start(job: dict[str, Any], gate: int) -> tuple[int, int, Any, Any]:
    """A child that waits for its signal to start."""
    out, err = (tempfile.TemporaryFile() for _ in range(2))  # noqa: SIM115
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        os.read(gate, 1)
        child(job, write)
    os.close(write)
    return pid, read, out, err


def serve() -> None:
    import fcntl  # noqa: F401

    # What every child would have to load once more.
    for package in ("cli", "io", "engine", "crypto", "show", "mail", "games.schwarzer_freitag"):
        for module in pkgutil.iter_modules(importlib.import_module(f"referee.{package}").__path__):
            importlib.import_module(f"referee.{package}.{module.name}")

    sys.path.append(str(Path(__file__).parents[2]))
    importlib.import_module("tests.support.remembered").remember()
    for line in sys.stdin:
        jobs = json.loads(line)
        results = [here(job) for job in jobs if "here" in job] or together(jobs)
        sys.__stdout__.write(json.dumps(results) + "\n")  # type: ignore[union-attr]
        sys.__stdout__.flush()  # type: ignore[union-attr]


def here(job: dict[str, Any]) -> list[Any]:
    """Run one job in this process."""
    from referee.cli import main

    os.chdir(job["cwd"])
    os.environ["REFEREE_HOME"] = job["home"]
    sys.argv = ["referee", *job["args"]]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as stop:
            return [stop.code, out.getvalue(), err.getvalue(), -1]
    return [0, out.getvalue(), err.getvalue(), -1]


def together(jobs: list[dict[str, Any]]) -> list[list[Any]]:
    """Run these at the same time."""
    gate, open_gate = os.pipe()
    running = [start(job, gate) for job in jobs]
    os.write(open_gate, b"!" * len(running))
    results = []
    for job, (pid, read, out, err) in zip(jobs, running, strict=True):
        results.append([ended(pid, job.get("meanwhile", [])), said(out), said(err), int(os.read(read, 20) or b"-1")])
        os.close(read)
    os.close(gate)
    os.close(open_gate)
    return results


def ended(pid: int, meanwhile: list[dict[str, Any]]) -> int:
    """Wait for the end of a child. While it is stopped, others run."""
    status = os.waitpid(pid, os.WUNTRACED)[1]
    while os.WIFSTOPPED(status):
        for job in meanwhile:
            together([job])
        os.kill(pid, signal.SIGCONT)
        status = os.waitpid(pid, os.WUNTRACED)[1]
    return os.waitstatus_to_exitcode(status)


def said(file: Any) -> str:
    file.seek(0)
    return str(file.read().decode())


if __name__ == "__main__":
    serve()
