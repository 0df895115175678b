"""A bot's process and its three pipes: nothing here waits longer than it is told, or keeps more than the limits say."""

import os
import select
import subprocess
import tempfile
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic

from referee.bots import confine
from referee.bots.players import KEPT_LINES, Kind, Limits
from referee.language import mark

GRACE = 1.0
"""Seconds in which a bot ends by itself after its last line."""
LOOK = 0.25
"""Seconds between looks at its memory."""
_CHUNK = 2**16
_SHOWN = 300
"""Characters of a line that a transcript shows."""


class Trouble(Exception):
    """Why no line came; `fatal` if none will."""

    def __init__(self, kind: Kind, why: str, *, fatal: bool = True) -> None:
        super().__init__(why)
        self.kind, self.why, self.fatal = kind, why, fatal


class Pipes:
    """A running bot."""

    def __init__(self, words: Sequence[str], limits: Limits) -> None:
        self._limits = limits
        self._home = tempfile.mkdtemp(prefix="referee-bot-")
        self._folder = os.path.join(self._home, "work")
        self._mark = os.path.basename(self._home)
        self._said: deque[str] = deque(maxlen=KEPT_LINES)
        self._errors = bytearray()
        self.memory = self.others = 0
        self._in, self._out, self._total, self._looked = bytearray(), bytearray(), 0, 0.0
        self._deaf = self._mute = self._quiet = False
        """It closed its standard input, output, error."""
        self._pipe = os.path.join(self._home, "in")
        self._stdin = -1
        try:
            self._stdout, self._ours = self._named_pipes(os.path.join(self._home, "out"))
            self._process = subprocess.Popen(
                confine.wrapped(words, (self._pipe, os.path.join(self._home, "out")), limits),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=self._folder,
                env=confine.environment(self._folder, self._mark),
                start_new_session=True,
                bufsize=0,
            )
        except OSError:
            confine.remove(self._home)
            raise
        assert self._process.stderr is not None
        self._stderr = self._process.stderr.fileno()
        os.set_blocking(self._stderr, False)

    def _named_pipes(self, out: str) -> tuple[int, int]:
        """Both ends of its output: ours keeps it from looking closed before the bot has opened it."""
        os.mkdir(self._folder)
        os.mkfifo(self._pipe, 0o600)
        os.mkfifo(out, 0o600)
        return os.open(out, os.O_RDONLY | os.O_NONBLOCK), os.open(out, os.O_WRONLY | os.O_NONBLOCK)

    def _connect(self) -> None:
        """Open its input as soon as somebody reads there; by then its output is open, too."""
        with suppress(OSError):
            self._stdin = os.open(self._pipe, os.O_WRONLY | os.O_NONBLOCK)
            self._ours = _closed(self._ours)

    def send(self, line: bytes) -> None:
        """A line for the bot; it is written while somebody waits."""
        self.note("<", line)
        self._out += line

    def note(self, sign: str, line: bytes) -> None:
        shown = _printable(line[: 4 * _SHOWN].rstrip(b"\n"))[:_SHOWN]
        self._said.append(f"{sign} {shown}" + (f"... ({len(line)} bytes)" if len(line) > 4 * _SHOWN else ""))

    def last_lines(self) -> list[str]:
        """What was said last, by whom: `<` to the bot, `>` from it, `!` on its standard error."""
        self._move_errors()
        return [*self._said, *(f"! {line[:_SHOWN]}" for line in self.errors_text().splitlines()[-3:])]

    def errors_text(self) -> str:
        """The end of its standard error."""
        return _printable(bytes(self._errors))

    def line(self, until: float) -> bytes:
        """The next line that comes before this time."""
        while b"\n" not in self._in:
            if len(self._in) > self._limits.line:
                self.note(">", bytes(self._in))
                raise Trouble("nonsense", f"it wrote a line of more than {self._limits.line} bytes")
            self._check_end()
            left = until - monotonic()
            if left <= 0:
                raise Trouble("timeout", "no answer came in time", fatal=False)
            self._move(min(left, LOOK))
            self._look()
        line, _, rest = bytes(self._in).partition(b"\n")
        self._in = bytearray(rest)
        self.note(">", line)
        return line

    def drip(self, line: bytes) -> None:
        """The same, in pieces that come one after the other."""
        self.note("<", line)
        size = len(line) // 5 + 1
        for at in range(0, len(line), size):
            self._out += line[at : at + size]
            self.pending(0.02)

    def pending(self, seconds: float = 0) -> bool:
        """Whether something comes that nobody waits for, now or within this time."""
        until = monotonic() + seconds
        self._move(0)
        while not self._in and not self.ended() and (left := until - monotonic()) > 0:
            self._move(left)
        return bool(self._in)

    def ended(self) -> bool:
        return self._process.poll() is not None

    def finish(self, line: bytes) -> str:
        """Say the last line, close the input, and wait a little for its end; in words, how it ended."""
        self._others()
        if line:
            self.send(line)
        until = monotonic() + GRACE
        while self._process.poll() is None and (left := until - monotonic()) > 0:
            if not self._out:
                self._close_input()
            with suppress(Trouble):
                self._move(min(left, 0.02))
            del self._in[:]
        status = self._process.poll()
        if status is None:
            return mark(f"it did not end by itself within {GRACE:g} s of the last line: it was killed")
        return _ended(status) if status else ""

    def end(self) -> int:
        """Nothing of it goes on after this; returns how many files it left in its folder."""
        self._move_errors()
        confine.end(self._process.pid, self._mark)
        self._process.wait()  # it was killed
        self._close_input()
        os.close(self._stdout)
        assert self._process.stderr is not None
        self._process.stderr.close()
        left = confine.left_in(self._folder)
        confine.remove(self._home)
        return left

    # --- what happens while waiting

    def _move(self, seconds: float) -> None:
        """Write and read whatever can be, and wait so long for it."""
        poll = select.poll()
        if self._ours >= 0:
            self._connect()
            seconds = min(seconds, 0.002) if self._ours >= 0 else seconds
        if self._out and self._stdin >= 0 and not self._deaf:
            poll.register(self._stdin, select.POLLOUT)
        if not self._mute:
            poll.register(self._stdout, select.POLLIN)
        if not self._quiet:
            poll.register(self._stderr, select.POLLIN)
        for number, _ in poll.poll(seconds * 1000):
            if number == self._stdin:
                self._write()
            elif number == self._stderr:
                self._move_errors()
            else:
                data = _read(self._stdout)
                self._mute = data == b""
                self._in += data or b""
                self._total += len(data or b"")
        if self._total > self._limits.output:
            raise Trouble("nonsense", f"it wrote more than {self._limits.output} bytes")

    def _write(self) -> None:
        try:
            del self._out[: os.write(self._stdin, self._out[:_CHUNK])]
        except BlockingIOError:
            pass
        except OSError:
            self._deaf = True

    def _move_errors(self) -> None:
        data = _read(self._stderr) if not self._quiet else b""
        self._quiet = self._quiet or data == b""
        self._errors += data or b""
        del self._errors[: -self._limits.errors]

    def _check_end(self) -> None:
        """Whether it ended, or nothing more can come from it, or go to it."""
        if (self._mute or self._deaf) and self._process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.2)  # a process that ends closes its pipes first
        status = self._process.poll()
        if status is not None:
            self._move(0)  # its last words may still be there
            if b"\n" not in self._in:
                raise Trouble("crash", _ended(status))
        elif self._mute or self._deaf:
            raise Trouble("crash", "it closed its standard output" if self._mute else "it closed its standard input")

    def _look(self) -> None:
        """Now and then: does it use more than it may?"""
        now = monotonic()
        if now - self._looked < LOOK:
            return
        self._looked = now
        used = self._others()
        if used > self._limits.memory:
            raise Trouble("crash", f"it used more than {self._limits.memory} bytes of memory")
        if self.others > confine.MOST_PROCESSES:
            raise Trouble("crash", f"it started more than {confine.MOST_PROCESSES} processes")

    def _others(self) -> int:
        """Look at all its processes: the bytes that they use."""
        found = confine.processes(self._process.pid, self._mark)
        self.others = max(0, len(found) - 1 - confine.walls().own)
        used = sum(one.memory for one in found)
        self.memory = max(self.memory, used)
        return used

    def _close_input(self) -> None:
        self._deaf, self._stdin, self._ours = True, _closed(self._stdin), _closed(self._ours)


def _ended(status: int) -> str:
    """How a process ended: a shell around it says 128 and the signal."""
    signal = -status if status < 0 else status - 128
    return mark(f"it ended with signal {signal}") if 0 < signal < 65 else mark(f"it ended with status {status}")


def _printable(data: bytes) -> str:
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in data.decode("utf-8", "replace"))


def _closed(number: int) -> int:
    """A file number, closed if it was open."""
    if number >= 0:
        os.close(number)
    return -1


def _read(number: int) -> bytes | None:
    """What is there; None: nothing yet; empty: the end."""
    try:
        return os.read(number, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
