"""Long runs: work in several processes, figures that add up, and what is known so far, printed on the way."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from typing import Any

Work = Callable[..., Counter[str]]


def gather(
    work: Work, tasks: Sequence[tuple[Any, ...]], jobs: int, seconds: float = float("inf"), every: int = 50
) -> Counter[str]:
    """The figures of all tasks together, printed after `every` few of them. The first that fails is printed as the call
    that repeats it."""
    figures: Counter[str] = Counter()
    start = time.monotonic()
    for number, found in enumerate(_done(work, tasks, jobs), 1):
        figures.update(found)
        if number % every == 0 or number == len(tasks):
            told = ", ".join(f"{name} {value:,}" for name, value in sorted(figures.items()))
            say(f"{number} of {len(tasks)}, {time.monotonic() - start:.0f} seconds: {told}")
        if time.monotonic() - start > seconds:
            break
    return figures


def _done(work: Work, tasks: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[Counter[str]]:
    if jobs < 2:
        yield from (_tried(work, task) for task in tasks)
        return
    with ProcessPoolExecutor(jobs) as pool:
        waiting: Iterable[tuple[Any, ...]] = iter(tasks)
        while some := list(islice(waiting, 4 * jobs)):  # not all at once: a run that is stopped early ends soon
            yield from pool.map(_tried, [work] * len(some), some)


def _tried(work: Work, task: tuple[Any, ...]) -> Counter[str]:
    try:
        return work(*task)
    except BaseException:
        say(f"failed: {work.__name__}{task!r}")
        raise


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def conclude(figures: Counter[str], verdict: str) -> None:
    """The table of all figures, and what they show."""
    for name, value in sorted(figures.items()):
        say(f"{name:24}{value:12,}")
    say(verdict)
