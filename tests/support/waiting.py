"""Waiting for events: tests wait for what must happen, and only what hangs reaches the limit.

A test never sleeps and never asserts a time, so a busy machine makes it slow, and never wrong.
"""

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import IO, Any, TypeVar

Found = TypeVar("Found")
LIMIT = 300.0
"""Seconds after which something hangs, however busy the machine is."""
PAUSE = 0.01
TRIES = 20


class Stuck(AssertionError):
    """What was waited for did not happen."""


def until(look: Callable[[], Found], why: Callable[[], object] = lambda: "") -> Found:
    """What `look` finds, as soon as it finds something. `why` says what there is instead."""
    end = time.monotonic() + LIMIT
    while not (found := look()):
        if time.monotonic() > end:
            raise Stuck(f"waited {LIMIT:.0f} s in vain: {why()}")
        time.sleep(PAUSE)
    return found


def limit() -> float:
    """The moment, on the clock that deadlines of the program go by, when something hangs."""
    return time.monotonic() + LIMIT


def arrives(handle: int | IO[Any], why: Callable[[], object] = lambda: "") -> None:
    """Until there is something to read, be it the end."""
    if not select.select([handle], [], [], LIMIT)[0]:
        raise Stuck(f"nothing came for {LIMIT:.0f} s: {why()}")


def ended(process: "subprocess.Popen[Any]") -> int:
    """The exit status of a program that ends by itself, or was told to."""
    try:
        return process.wait(LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise Stuck(f"it does not end: {process.args!r}") from None


def opened(process: "subprocess.Popen[Any]", path: Path) -> None:
    """Until a program has a file open."""

    def look() -> bool:
        assert process.poll() is None, f"it ended without {path}"
        with contextlib.suppress(OSError):
            handles = Path(f"/proc/{process.pid}/fd")
            return any(os.path.samefile(one, path) for one in handles.iterdir() if one.exists())
        return False

    until(look, lambda: f"{process.args!r} does not open {path}")


def tries(process: "subprocess.Popen[Any]", lock: Path) -> None:
    """Until a program has tried again and again to take a lock. It goes to sleep in between, which the system counts;
    one that does not care about the lock would end instead."""

    def slept() -> int:
        assert process.poll() is None, f"it did not wait for {lock}"
        status = Path(f"/proc/{process.pid}/status").read_text()
        return int(status.partition("\nvoluntary_ctxt_switches:")[2].split()[0])

    opened(process, lock)
    before = slept()
    until(lambda: slept() >= before + TRIES, lambda: f"it does not try {lock} again")


def asleep(process: "subprocess.Popen[Any]") -> bool:
    """Whether a program waits for something, or has ended."""
    if process.poll() is not None:
        return True
    return Path(f"/proc/{process.pid}/stat").read_text().rpartition(") ")[2].startswith("S")


@contextlib.contextmanager
def within() -> Iterator[None]:
    """What happens here, in this process, does not hang."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stuck(f"it takes more than {LIMIT:.0f} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
