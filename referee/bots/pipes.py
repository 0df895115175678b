"""A bot's process and its three pipes: nothing here waits longer than it is told, or stores more than the limits."""

import os
import select
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from threading import Event, Thread
from time import monotonic

from referee.bots import confine
from referee.bots.causes import Cause, cause
from referee.bots.players import KEPT_LINES, Kind, Limits
from referee.bots.visible import Program

GRACE = 1.0
"""Seconds that a bot has to end by itself after the last line."""
CLOSING = 1.0
"""Seconds to wait for a bot to end once its pipes are closed: an ending process closes its pipes first."""
LOOK = 0.25
"""Seconds between checks of its memory."""
GLANCE = 0.02
"""Seconds between checks of the number of its processes, which can grow quickly."""
_CHUNK = 2**16
_SHOWN = 300
"""Characters of a line that are shown."""


class PipeError(Exception):
    """Why no line came; `fatal` if none ever will."""

    def __init__(self, kind: Kind, why: Cause, *, fatal: bool = True) -> None:
        super().__init__(why)
        self.kind, self.why, self.fatal = kind, why, fatal


class Pipes:
    """A running bot. A thread watches what it uses, whoever's turn it is, and kills it if that is too much."""

    def __init__(self, program: Program, limits: Limits) -> None:
        self._limits = limits
        self._said: deque[str] = deque(maxlen=KEPT_LINES)
        self._errors = bytearray()
        self.memory = self.others = 0
        self._in, self._out, self._total = bytearray(), bytearray(), 0
        self._deaf = self._mute = self._quiet = False
        """It closed its standard input, output, error stream."""
        self._finishing = False
        self._bot = confine.start(program, limits)
        self._process, self.walls = self._bot.process, self._bot.walls
        self._stdin, self._stdout, self._stderr = map(_unblocked, _files(self._process))
        self._over = Event()
        self._excess: Cause | None = None
        """The limit that it exceeded."""
        self._watch = Thread(target=self._look_often, daemon=True)
        self._watch.start()

    def send(self, line: bytes) -> None:
        """Queue a line for the bot; it is written while waiting for an answer."""
        self.note("<", line)
        self._out += line

    def note(self, sign: str, line: bytes) -> None:
        shown = _printable(line[: 4 * _SHOWN].rstrip(b"\n"))[:_SHOWN]
        self._said.append(f"{sign} {shown}" + (f"... ({len(line)} bytes)" if len(line) > 4 * _SHOWN else ""))

    def last_lines(self) -> list[str]:
        """The last lines exchanged: `<` to the bot, `>` from it, `!` on its standard error."""
        self._move_errors()
        return [*self._said, *(f"! {line[:_SHOWN]}" for line in self.errors_text().splitlines()[-3:])]

    def errors_text(self) -> str:
        """The end of its standard error."""
        return _printable(bytes(self._errors))

    def line(self, until: float) -> bytes:
        """The next line, which must come before this time."""
        while b"\n" not in self._in:
            if len(self._in) > self._limits.line:
                self.note(">", bytes(self._in))
                raise PipeError("nonsense", cause("line-over", line=self._limits.line))
            self._check_end()
            left = until - monotonic()
            if left <= 0:
                if self._in:  # an incomplete line
                    self.note(">", bytes(self._in))
                raise PipeError("timeout", cause("no-answer"), fatal=False)
            self._move(min(left, LOOK))
        line, _, rest = bytes(self._in).partition(b"\n")
        self._in = bytearray(rest)
        self.note(">", line)
        return line

    def drip(self, line: bytes) -> None:
        """Send a line in pieces."""
        self.note("<", line)
        size = len(line) // 5 + 1
        for at in range(0, len(line), size):
            self._out += line[at : at + size]
            self.pending(0.02)

    def pending(self, seconds: float = 0) -> bool:
        """Whether unrequested output is there, or arrives within this time."""
        until = monotonic() + seconds
        self._move(0)
        while not self._in and not self.ended() and (left := until - monotonic()) > 0:
            self._move(left)
        return bool(self._in)

    def ended(self) -> bool:
        return self._process.poll() is not None

    def finish(self, line: bytes) -> Cause | None:
        """Send the last line, close the input, and wait a little for the bot to end; returns how it ended, if badly."""
        self._look()
        self._finishing = True  # processes it left behind end with it: later checks would not see them
        if line:
            self.send(line)
        until = monotonic() + GRACE
        while self._process.poll() is None and (left := until - monotonic()) > 0:
            if not self._out:
                self._close_input()
            with suppress(PipeError):
                self._move(min(left, 0.02))
            del self._in[:]
        status = self._process.poll()
        if status is None:
            return cause("killed", grace=f"{GRACE:g}")
        return self._excess or (_ended(status) if status else None)

    def end(self) -> None:
        """End everything."""
        self._over.set()
        self._watch.join()
        self._move_errors()
        self._bot.end()
        for file in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert file is not None
            file.close()

    # --- while waiting

    def _move(self, seconds: float) -> None:
        """Write and read whatever is possible, waiting at most this long."""
        poll = select.poll()
        if self._out and not self._deaf:
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
            raise PipeError("nonsense", cause("output-over", output=self._limits.output))

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
        """Raise if it has ended, or closed its input or output."""
        if (self._mute or self._deaf) and self._process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(CLOSING)
        status = self._process.poll()
        if status is not None:
            self._move(0)  # its last output may still be there
            if b"\n" not in self._in:
                raise PipeError("crash", self._excess or self._bot.over() or _ended(status))
        elif self._mute or self._deaf:
            closed = "output-closed" if self._mute else "input-closed"
            raise PipeError("crash", self._excess or self._bot.over() or cause(closed))

    def _look_often(self) -> None:
        looked = monotonic()
        while not self._over.wait(GLANCE):
            often = monotonic() - looked < LOOK
            self._excess = self._glance() if often else self._look()
            looked = looked if often else monotonic()
            if self._excess:
                self._bot.kill()
                return

    def _look(self) -> Cause | None:
        """Check what it uses; returns the limit that it exceeds."""
        used = self._bot.use()
        self.memory = max(self.memory, used.memory)
        self.others = self.others if self._finishing else used.processes
        if used.memory > self._limits.memory:
            return cause("memory-over", memory=self._limits.memory)
        if used.files > confine.MOST_FILES:
            return cause("files-over", most_files=confine.MOST_FILES)
        return self._glance()

    def _glance(self) -> Cause | None:
        if self._bot.crowd() > confine.MOST_PROCESSES:
            return cause("processes-over", most_processes=confine.MOST_PROCESSES)
        return None

    def _close_input(self) -> None:
        assert self._process.stdin is not None
        self._deaf = True
        self._process.stdin.close()


def _files(process: "subprocess.Popen[bytes]") -> Iterator[int]:
    for file in (process.stdin, process.stdout, process.stderr):
        assert file is not None
        yield file.fileno()


def _unblocked(number: int) -> int:
    os.set_blocking(number, False)
    return number


def _ended(status: int) -> Cause:
    """How a process ended; a shell reports a signal as 128 plus its number."""
    signal = -status if status < 0 else status - 128
    return cause("signal", signal=signal) if 0 < signal < 65 else cause("status", status=status)


def _printable(data: bytes) -> str:
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in data.decode("utf-8", "replace"))


def _read(number: int) -> bytes | None:
    """The available bytes; None: nothing yet; empty: end of file."""
    try:
        return os.read(number, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
