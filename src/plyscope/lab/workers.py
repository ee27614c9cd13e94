"""Executors of `concurrent.futures`: processes of this machine, or the workers of a cluster."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import islice
from multiprocessing import get_context, parent_process
from threading import Lock, Thread, current_thread, main_thread
from time import perf_counter, sleep
from typing import Any, TypeVar

from plyscope.errors import OptionError
from plyscope.owntime import state_of_task
from plyscope.processes import care_for, forget

ALONE = 1.0
"""Seconds of work before other processes are worth starting."""
CONNECTING = 15.0
AHEAD = 16
"""Items that are worked on or handed out at a time, where results are wanted in order."""
POLL_SECONDS = 1.0
"""Between two looks at the worker processes."""
MOST_LOST = 64
"""Items that may be given out again since the process that worked on them was killed."""


class LocalWorkers(Executor):
    """Works in this process for the first `alone` seconds, then in `jobs` processes.

    So what is soon done does not wait for processes to start; there are as many as cores, unless
    said. Ctrl-C is left to this process, which lets the others finish what they have begun.
    """

    def __init__(self, jobs: int | None = None, alone: float = ALONE) -> None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        self.jobs, self.began = jobs or cores or 1, perf_counter()
        self.alone = alone
        self.pool: ProcessPoolExecutor | None = None

    def submit(self, function: Callable[..., Any], /, *words: Any, **options: Any) -> Future[Any]:
        """Do it, now or in another process."""
        if self.pool is None and (self.jobs == 1 or perf_counter() - self.began < self.alone):
            future: Future[Any] = Future()
            try:
                future.set_result(function(*words, **options))
            except Exception as error:
                future.set_exception(error)
            return future
        if self.pool is None:
            self.pool = ProcessPoolExecutor(self.jobs, get_context("spawn"), _begin)
        try:
            with _interrupted_later():
                future = self.pool.submit(function, *words, **options)
                _watch.add(self.pool)
        except BrokenProcessPool:  # one was killed, and the others with it
            self.pool = None
            return self.submit(function, *words, **options)
        return future

    def abandon(self) -> None:
        """End the processes at once; others are started when there is more to do."""
        pool, self.pool = self.pool, None
        if pool is None:
            return
        processes = list((pool._processes or {}).values())
        for item in list(pool._pending_work_items.values()):
            # a pool whose processes end tells it to every future, and stumbles over these
            if item.future.cancelled():
                item.future = Future()
        pool.shutdown(wait=False)
        for process in processes:
            process.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the processes go."""
        if self.pool is not None:
            self.pool.shutdown(wait, cancel_futures=cancel_futures)
            _watch.look()


class _Watch:
    """Watches the worker processes: the guard ends them with this process, and one that somebody
    has stopped (SIGSTOP) is killed, so that its work is given out again."""

    def __init__(self) -> None:
        self.workers: dict[int, bool] = {}
        """By number, whether it was stopped when it was looked at last."""
        self.lock = Lock()

    def add(self, pool: ProcessPoolExecutor) -> None:
        """Watch the processes of a pool, where the system has groups and signals."""
        if not hasattr(os, "killpg"):
            return
        with self.lock:
            is_idle = not self.workers
            for pid in list(pool._processes or {}):
                if pid not in self.workers:
                    self.workers[pid] = False
                    care_for("process", pid)
            if is_idle and self.workers:
                Thread(target=self._keep_looking, daemon=True).start()

    def _keep_looking(self) -> None:
        while True:
            sleep(POLL_SECONDS)
            with self.lock:
                self._look()
                if not self.workers:
                    return

    def look(self) -> None:
        """Look now, and let those go that have ended."""
        with self.lock:
            self._look()

    def _look(self) -> None:
        for pid, was_stopped in list(self.workers.items()):
            state = state_of_task(str(pid))
            if _is_gone(pid, state):
                del self.workers[pid]
                forget("process", pid)
            elif state == "T" and was_stopped:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            else:
                self.workers[pid] = state == "T"


def _is_gone(pid: int, state: str) -> bool:
    if state:
        return state in "ZX"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


_watch = _Watch()


@contextmanager
def _interrupted_later() -> Iterator[None]:
    """Have Ctrl-C wait until a process is started: one that was told only half of what it needs
    would end with a traceback."""
    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or before is None:
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)


def _begin() -> None:
    """Begin in a worker: Ctrl-C is for its parent, and it ends with that, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


Item = TypeVar("Item")
Result = TypeVar("Result")


def mapped(
    executor: Executor | None, function: Callable[[Item], Result], items: Iterable[Item]
) -> Generator[tuple[Item, Result], None, None]:
    """Yield each item with its result, in their order, worked out by an executor's workers.

    Without one they are worked out here. A lost worker's item is given out again. In the end, those
    that are still worked on are given up.
    """
    if executor is None:
        yield from ((item, function(item)) for item in items)
        return
    left, lost = iter(items), 0
    waiting: deque[tuple[Item, Future[Result]]] = deque()
    try:
        while True:
            for item in islice(left, AHEAD - len(waiting)):
                waiting.append((item, executor.submit(function, item)))
            if not waiting:
                return
            item, future = waiting[0]
            try:
                result = future.result()
            except BrokenExecutor:  # the process that worked on it was killed
                lost += 1
                if lost > MOST_LOST:
                    raise too_many_lost(lost) from None
                waiting[0] = item, executor.submit(function, item)
                continue
            waiting.popleft()
            yield item, result
    finally:
        is_working = [future for _, future in waiting if not future.cancel() and not future.done()]
        if is_working and isinstance(executor, LocalWorkers):
            executor.abandon()


def too_many_lost(lost: int) -> OptionError:
    """Return the error for processes that end again and again."""
    return OptionError(
        f"{lost} processes were lost; expected more memory, or fewer of them by --jobs"
    )


@contextmanager
def workers(jobs: int | None, cluster: str | None, alone: float = ALONE) -> Iterator[Executor]:
    """Give `jobs` processes of this machine, or the workers of a cluster; OptionError for both."""
    if jobs is not None and cluster is not None:
        raise OptionError(f"--jobs {jobs} with --cluster {cluster!r}; expected one of them")
    with LocalWorkers(jobs, alone) if cluster is None else cluster_workers(cluster) as executor:
        yield executor


@contextmanager
def cluster_workers(address: str) -> Iterator[Executor]:
    """Give the workers of a dask cluster by its scheduler's address, such as tcp://10.0.0.1:8786.

    What a lost worker was doing is done again by another, and counted once. Raises OptionError.
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise OptionError(
            f"cluster {address!r} needs dask; expected `pip install 'plyscope[cluster]'`"
        ) from None
    try:
        client = distributed.Client(address, timeout=CONNECTING)
    except (OSError, ValueError, TimeoutError) as error:
        raise OptionError(
            f"no cluster at {address!r}: {str(error)[:200]}; "
            "expected the address of a dask scheduler"
        ) from None
    with client, client.get_executor(pure=False, retries=3) as executor:
        yield executor
