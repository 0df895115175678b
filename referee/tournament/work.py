"""Work in batches of about a second: here, in several processes, or on a dask cluster. Results come in the order of the
work, whoever did it and whenever, so the output does not depend on how it ran."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import islice
from signal import SIG_IGN, SIGINT, signal
from threading import Thread
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, TypeVar

from referee.errors import RefereeError, Usage
from referee.tournament import t

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

W = TypeVar("W")
R = TypeVar("R")

SECONDS = 1.0
"""How long a batch should take: handing it over costs a few thousandths of that."""
LARGEST = 500
"""Most items in a batch."""
AHEAD = 3
"""Batches per worker that are in progress or finished early: this bounds the memory used."""
TRIES = 3
"""How often a batch may kill its worker before the run stops."""
PATIENCE = 10
"""Seconds to wait for a dask scheduler to answer."""
SAFE = "PYTHONSAFEPATH"

Do = Callable[[bytes, Sequence[W]], list[R]]
"""The work on a batch; the first argument is shared by all batches."""
Done = tuple[list[R], float]
"""The results of a batch, and how many seconds it took."""


class WorkerLost(RefereeError):
    """A batch keeps killing its workers."""

    code = "worker-lost"


def timed(do: Do[W, R], shared: bytes, batch: Sequence[W]) -> Done[R]:
    """Run a batch and measure it, so that the next ones can be sized to take a second."""
    begin = perf_counter()
    return do(shared, batch), perf_counter() - begin


class Workers:
    """Does the work in this process; the subclasses use others."""

    count = 1

    def submit(self, do: Do[W, R], shared: bytes, batch: Sequence[W]) -> Callable[[], Done[R]]:
        """Hand a batch over; the returned function waits for the results, even if workers die meanwhile."""
        return lambda: timed(do, shared, batch)

    def close(self) -> None:
        """Stop all workers."""


def each(workers: Workers, do: Do[W, R], shared: bytes, work: Iterable[W]) -> Iterator[list[tuple[W, R]]]:
    """Every item of the work with its result, batch by batch, in order. Memory does not grow with the work."""
    waiting: deque[tuple[list[W], Callable[[], Done[R]]]] = deque()
    source, size = iter(work), 1
    while True:
        while len(waiting) < workers.count * AHEAD and (batch := list(islice(source, size))):
            waiting.append((batch, workers.submit(do, shared, batch)))
        if not waiting:
            return
        batch, result = waiting.popleft()
        found, took = result()
        size = max(1, min(LARGEST, 2 * size, round(SECONDS * len(batch) / max(took, 0.001))))
        yield list(zip(batch, found, strict=True))


class Processes(Workers):
    """Several processes on this machine. If one dies, the pool breaks, and its unfinished batches run again."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, do: Do[W, R], shared: bytes, batch: Sequence[W]) -> Callable[[], Done[R]]:
        from concurrent.futures.process import BrokenProcessPool

        job = self._start(do, shared, batch)

        def result() -> Done[R]:
            nonlocal job
            for _ in range(TRIES):
                try:
                    return job.result()
                except BrokenProcessPool:
                    job = self._start(do, shared, batch)
            raise _lost()

        return result

    def _start(self, do: Do[W, R], shared: bytes, batch: Sequence[W]) -> "Future[Done[R]]":
        from concurrent.futures import ProcessPoolExecutor
        from concurrent.futures.process import BrokenProcessPool

        for _ in range(2):
            with suppress(BrokenProcessPool), _without_working_directory():
                if self._pool is None:
                    self._pool = ProcessPoolExecutor(self.count, initializer=end_with_parent, initargs=(os.getpid(),))
                return self._pool.submit(timed, do, shared, batch)
            self._pool = None
        raise _lost()

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _without_working_directory() -> Iterator[None]:
    """New processes that are not forked would look for modules in the working directory first; prevent that."""
    before = {SAFE: os.environ[SAFE]} if SAFE in os.environ else {}
    os.environ[SAFE] = "1"
    try:
        yield
    finally:
        del os.environ[SAFE]
        os.environ.update(before)


def end_with_parent(parent: int) -> None:
    """End a worker whose parent was killed: it would wait for work forever. Interrupts are left to the parent, which
    knows what to do."""
    signal(SIGINT, SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            sleep(0.5)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _lost() -> WorkerLost:
    advice = t("look for a bot that kills its process; finished games are kept")
    return WorkerLost(t("these games keep killing their workers"), advice)


class Cluster(Workers):
    """A dask cluster, which gives the work of a dead worker to another one. It carries pickled data, all of it ours:
    scheduler and workers belong to whoever runs the command."""

    def __init__(self, address: str) -> None:
        from logging import CRITICAL, getLogger

        try:
            self._distributed: Any = import_module("distributed")
        except ImportError:
            why = t("the package `distributed` is not installed")
            raise Usage(why, t("pip install 'pbem-referee[dask]', or use --jobs"), code="no-dask") from None
        for name in ("distributed", "distributed.client"):  # a lost scheduler is reported below
            getLogger(name).setLevel(CRITICAL)
        try:
            self._client: Any = self._distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            why = t("there is no dask scheduler at that address ({name})", name=type(error).__name__)
            raise Usage(why, t("start one with `dask scheduler`, and give its address"), code="no-dask") from None
        with self._held():
            self.count = max(1, len(self._client.scheduler_info()["workers"]))

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Report a lost scheduler: batches handed to it never come back, even if another takes its place."""
        from concurrent.futures import CancelledError

        try:
            yield
        except RefereeError:
            raise
        except self._distributed.KilledWorker:
            raise _lost() from None
        except Exception as error:
            gone = CancelledError, TimeoutError, self._distributed.comm.CommClosedError
            if self._client.status == "running" and not isinstance(error, gone):
                raise
            advice = t("start it, and run the same command again; the tournament continues where it stopped")
            raise WorkerLost(t("the dask scheduler is gone"), advice) from None

    def submit(self, do: Do[W, R], shared: bytes, batch: Sequence[W]) -> Callable[[], Done[R]]:
        with self._held():
            job = self._client.submit(timed, do, shared, list(batch), pure=False, retries=TRIES)

        def result() -> Done[R]:
            with self._held():
                done: Done[R] = job.result()
                return done

        return result

    def close(self) -> None:
        with suppress(Exception):  # a lost cluster cannot be closed
            self._client.close()


def make_workers(jobs: int, dask: str | None) -> Workers:
    """The workers that the command line asks for."""
    if dask is not None:
        return Cluster(dask)
    return Processes(jobs) if jobs > 1 else Workers()
