"""Work in batches that take about a second: here, in several processes, or on a dask cluster. The results come in the
order of the work, whoever did it and whenever it was done, so they are the same however it ran."""

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
"""What a batch is worth: handing it over costs a few thousandths of that."""
LARGEST = 500
"""Most things in a batch."""
AHEAD = 3
"""Batches for each worker that are under way, or done before their turn: so much is in memory, and no more."""
TRIES = 3
"""So often a batch may take its worker with it."""
PATIENCE = 10
"""Seconds in which a dask scheduler answers."""
SAFE = "PYTHONSAFEPATH"

Do = Callable[[bytes, Sequence[W]], list[R]]
"""What is done with a batch; the first value is what all of them share."""
Done = tuple[list[R], float]
"""What came of a batch, and how many seconds it took."""


class WorkerLost(RefereeError):
    """Workers die of this batch."""

    code = "worker-lost"


def timed(do: Do[W, R], shared: bytes, batch: Sequence[W]) -> Done[R]:
    """A batch, and how long it took: so that the next ones take a second."""
    begin = perf_counter()
    return do(shared, batch), perf_counter() - begin


class Workers:
    """Whoever does the work: this process, and others in the classes below."""

    count = 1

    def submit(self, do: Do[W, R], shared: bytes, batch: Sequence[W]) -> Callable[[], Done[R]]:
        """Hand a batch over; what is returned waits for it, whoever dies meanwhile."""
        return lambda: timed(do, shared, batch)

    def close(self) -> None:
        """Let all of them go."""


def each(workers: Workers, do: Do[W, R], shared: bytes, work: Iterable[W]) -> Iterator[list[R]]:
    """The results of `do` for all of the work, batch by batch, in order. Memory does not grow with it."""
    waiting: deque[tuple[int, Callable[[], Done[R]]]] = deque()
    source, size = iter(work), 1
    while True:
        while len(waiting) < workers.count * AHEAD and (batch := list(islice(source, size))):
            waiting.append((len(batch), workers.submit(do, shared, batch)))
        if not waiting:
            return
        many, result = waiting.popleft()
        found, took = result()
        size = max(1, min(LARGEST, 2 * size, round(SECONDS * many / max(took, 0.001))))
        yield found


class Processes(Workers):
    """Several processes of this machine. One that dies takes the others of its pool with it: all is done again."""

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
            with suppress(BrokenProcessPool), _looking_nowhere():
                if self._pool is None:
                    self._pool = ProcessPoolExecutor(self.count, initializer=stay_beside, initargs=(os.getpid(),))
                return self._pool.submit(timed, do, shared, batch)
            self._pool = None
        raise _lost()

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _looking_nowhere() -> Iterator[None]:
    """New processes that do not come from a fork would look for modules in the working directory first."""
    before = {SAFE: os.environ[SAFE]} if SAFE in os.environ else {}
    os.environ[SAFE] = "1"
    try:
        yield
    finally:
        del os.environ[SAFE]
        os.environ.update(before)


def stay_beside(parent: int) -> None:
    """A worker whose parent was killed waits for work for ever: it ends instead. Who interrupts a command interrupts
    its parent, which knows what to do."""
    signal(SIGINT, SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            sleep(0.5)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _lost() -> WorkerLost:
    advice = t("look for a bot that takes its process with it; what is done is kept")
    return WorkerLost(t("workers die of these games"), advice)


class Cluster(Workers):
    """A dask cluster: it gives the work of a worker that dies to another one. What crosses it is pickled, and our own:
    scheduler and workers belong to whoever runs the command."""

    def __init__(self, address: str) -> None:
        from logging import CRITICAL, getLogger

        try:
            self._distributed: Any = import_module("distributed")
        except ImportError:
            why = t("the package `distributed` is not installed")
            raise Usage(why, t("pip install 'pbem-referee[dask]', or use --jobs"), code="no-dask") from None
        for name in ("distributed", "distributed.client"):  # what it has to say of a lost scheduler is said below
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
        """Nothing that was handed over comes back from a scheduler that is lost, even if another takes its place."""
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
            advice = t("start it, and run the same command again; a tournament goes on where it was")
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
        with suppress(Exception):  # of one that is lost nothing can be let go
            self._client.close()


def hire(jobs: int, dask: str | None) -> Workers:
    """Who does the work."""
    if dask is not None:
        return Cluster(dask)
    return Processes(jobs) if jobs > 1 else Workers()
