"""A progress line on a terminal; elsewhere nothing."""

import sys
from collections.abc import Sequence
from shutil import get_terminal_size
from time import monotonic
from types import TracebackType
from typing import Any

from referee.language import localised_number, w

EVERY = 0.3
"""Seconds between two of them."""


class Bar:
    """Games done, games a second, an estimate, and the standings so far."""

    def __init__(self, total: int, names: Sequence[str]) -> None:
        self._total, self._names = total, names
        self._shown = sys.stderr.isatty()
        self._begin, self._last, self._first = monotonic(), 0.0, -1
        self._width = 0

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()

    def tell(self, done: int, tally: Any) -> None:
        """How many are done, and the standings."""
        means = sorted(((float(tally.mean(at)), name) for at, name in enumerate(self._names)), reverse=True)
        self._show(done, ", ".join(f"{name} {localised_number(f'{mean:.2f}')}" for mean, name in means[:4]))

    def count(self, done: int) -> None:
        """How many are done."""
        self._show(done, "")

    def _show(self, done: int, more: str) -> None:
        now = monotonic()
        if self._first < 0:
            self._first = done
        if not self._shown or (now - self._last < EVERY and done < self._total):
            return
        self._last = now
        rate = (done - self._first) / max(now - self._begin, 0.001)
        left = _time((self._total - done) / rate) if rate and done < self._total else ""
        parts = (
            w("{done}/{all} games", done=done, all=self._total),
            w("{rate} a second", rate=localised_number(f"{rate:.1f}")),
            left and w("{time} left", time=left),
            more,
        )
        line = "; ".join(part for part in parts if part)[: get_terminal_size().columns - 1]
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)


def _time(seconds: float) -> str:
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{round(seconds)} s"
    return f"{minutes} min" if minutes < 90 else localised_number(f"{minutes / 60:.1f} h")
