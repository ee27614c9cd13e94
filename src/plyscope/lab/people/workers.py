"""Executors of `concurrent.futures`: processes of this machine, or the workers of a cluster."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from concurrent.futures import wait as wait_for
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from multiprocessing import get_context, parent_process
from threading import Lock, RLock, Thread, current_thread, main_thread
from time import perf_counter, sleep
from typing import Any, TypeVar

from plyscope.errors import OptionError
from plyscope.extras import load
from plyscope.owntime import state_of_task
from plyscope.processes import care_for, forget, usable_cores

SERIAL_SECONDS = 1.0
"""Seconds of work in this process before others are started."""
CONNECT_SECONDS = 15.0
AHEAD_ITEMS, CLUSTER_AHEAD_ITEMS = 16, 64
"""Numbers of items that are submitted before their results are read, local and on a cluster.

Locally there are at least two items for each process.
"""
POLL_SECONDS = 1.0
"""Seconds between two checks of the worker processes."""
MAX_RETRIES = 64
"""The number of items that may be submitted again after their processes were killed."""
MAX_FIRST_RETRIES = 3
"""The limit of these items before the first result, when the cause is probably systematic."""


class LocalWorkers(Executor):
    """An executor that runs work in this process for the first `alone` seconds, then in `jobs`
    processes.

    So short work does not wait for processes to start. By default there is one process for each
    core that is available. The processes ignore Ctrl-C; this process handles it.

    Each process has its own pool, which has one item at a time, so that a killed process loses only
    its own item. A pool of several processes could block forever: it may start a process while it
    shuts the others down.
    """

    def __init__(self, jobs: int | None = None, alone: float = SERIAL_SECONDS) -> None:
        self.jobs, self.began = jobs or usable_cores(), perf_counter()
        self.alone = alone
        self.pools: list[ProcessPoolExecutor] = []
        self._idle: list[ProcessPoolExecutor] = []
        self._left: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._open: set[Future[Any]] = set()
        """Futures that are not done."""
        self._lock = RLock()
        self.has_result = False
        """Whether a process has finished an item."""

    def submit(self, function: Callable[..., Any], /, *words: Any, **options: Any) -> Future[Any]:
        """Run the call now in this process, or submit it to another one."""
        future: Future[Any] = Future()
        if not self.pools and (self.jobs == 1 or perf_counter() - self.began < self.alone):
            try:
                future.set_result(function(*words, **options))
            except Exception as error:
                future.set_exception(error)
            return future
        with _interrupted_later():
            with self._lock:
                self._left.append((future, partial(function, *words, **options)))
                self._open.add(future)
            future.add_done_callback(self._open.discard)
            self._hand_out()
        return future

    def _hand_out(self) -> None:
        """Give waiting items to idle processes, and start processes while there are fewer than
        `jobs`."""
        with _interrupted_later(), self._lock:
            while self._left and (self._idle or len(self.pools) < self.jobs):
                future, work = self._left.popleft()
                if not future.set_running_or_notify_cancel():
                    continue
                try:
                    pool, inner = self._give(work)
                except Exception as error:  # no process could be started
                    future.set_exception(error)
                else:
                    inner.add_done_callback(partial(self._end, pool, future))

    def _give(self, work: Callable[[], Any]) -> tuple[ProcessPoolExecutor, Future[Any]]:
        """Start the work in an idle or a new process. Raises an error if no process starts."""
        while self._idle:
            pool = self._idle.pop()
            with suppress(BrokenProcessPool):  # its process was killed while idle
                return pool, _submitted(pool, work)
            self.pools.remove(pool)
        pool = ProcessPoolExecutor(1, get_context("spawn"), _begin)
        inner = _submitted(pool, work)
        _watch.add(pool)
        self.pools.append(pool)
        return pool, inner

    def _end(self, pool: ProcessPoolExecutor, future: Future[Any], inner: Future[Any]) -> None:
        """Set a result in its future, and give the process its next item."""
        error = inner.exception()
        is_lost = isinstance(error, BrokenProcessPool)
        if is_lost:
            _keep(pool)
        with self._lock:
            self.has_result |= not is_lost
            if pool in self.pools:
                if is_lost:
                    self.pools.remove(pool)
                else:
                    self._idle.append(pool)
        if error is None:
            future.set_result(inner.result())
        else:
            future.set_exception(error)
        self._hand_out()

    def abandon(self) -> None:
        """Kill the processes and drop their work; later work starts new processes."""
        with self._lock:
            pools, self.pools, self._idle = self.pools, [], []
            for future, _ in self._left:
                future.cancel()
            self._left.clear()
            self._open.clear()
        for pool in pools:
            _keep(pool)
            processes = list((pool._processes or {}).values())
            pool.shutdown(wait=False)
            for process in processes:
                process.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop the processes when they have finished their work."""
        with self._lock:
            for future, _ in self._left if cancel_futures else ():
                future.cancel()
            unfinished = list(self._open)
        if wait:
            wait_for(unfinished)
        for pool in self.pools:
            pool.shutdown(wait)
        _watch.check()


def _keep(pool: ProcessPoolExecutor) -> None:
    """Refer to a pool whose process is killed until the pool's own thread has ended.

    That thread must not drop the last reference: in Python 3.13 it then waits for a lock that it
    holds, and this process never exits.
    """
    for ended in [each for each, thread in [*_kept.items()] if not thread.is_alive()]:
        _kept.pop(ended, None)
    if pool._executor_manager_thread is not None:
        _kept[pool] = pool._executor_manager_thread


_kept: dict[ProcessPoolExecutor, Any] = {}
"""These pools, and their threads."""


def _submitted(pool: ProcessPoolExecutor, work: Callable[[], Any]) -> Future[Any]:
    """Submit work to an idle pool; raise BrokenProcessPool if its process has been killed."""
    future = pool.submit(work)
    if pool._broken and not future.done():  # a pool that breaks meanwhile may forget the future
        future = Future()
        future.set_exception(BrokenProcessPool(str(pool._broken)))
    return future


class _Watch:
    """Watches the worker processes.

    The guard process ends them when this process ends. A worker that stays stopped (SIGSTOP) is
    killed, so that its work can be submitted again.
    """

    def __init__(self) -> None:
        self.workers: dict[int, bool] = {}
        """By process id, whether the process was stopped at the last check."""
        self.lock = Lock()

    def add(self, pool: ProcessPoolExecutor) -> None:
        """Watch the processes of a pool, if the system has process groups and signals."""
        if not hasattr(os, "killpg"):
            return
        with self.lock:
            is_idle = not self.workers
            for pid in list(pool._processes or {}):
                if pid not in self.workers:
                    self.workers[pid] = False
                    care_for("process", pid)
            if is_idle and self.workers:
                Thread(target=self._check_forever, daemon=True).start()

    def _check_forever(self) -> None:
        while True:
            sleep(POLL_SECONDS)
            with self.lock:
                self._check()
                if not self.workers:
                    return

    def check(self) -> None:
        """Check the processes now, and forget those that have ended."""
        with self.lock:
            self._check()

    def _check(self) -> None:
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
    """Delay Ctrl-C and SIGTERM until the end of the block.

    An interrupt between the start of a process and the submission of its item would lose the item.
    """
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    held = {number: each for number, each in handlers.items() if callable(each)}
    if current_thread() is not main_thread() or not held:
        yield
        return
    came: list[int] = []
    for number in held:
        signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in held.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])


def _begin() -> None:
    """Set up a worker process: it ignores Ctrl-C, and exits when its parent has ended."""
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
    executor: Executor | None,
    function: Callable[[Item], Result],
    items: Iterable[Item],
    in_order: bool = True,
) -> Generator[tuple[Item, Result], None, None]:
    """Yield each item with its result, computed by an executor's workers.

    The items come in their order or, without `in_order`, as they are finished. Without an executor
    the function is called in this process. The item of a lost worker is submitted again. When the
    generator is closed early, unfinished items are abandoned.
    """
    if executor is None:
        yield from ((item, function(item)) for item in items)
        return
    left, lost = iter(items), 0
    ahead = CLUSTER_AHEAD_ITEMS
    if isinstance(executor, LocalWorkers):
        ahead = max(AHEAD_ITEMS, 2 * executor.jobs)
    waiting: list[tuple[Item, Future[Result]]] = []

    def ended() -> int | None:
        wanted = waiting[:1] if in_order else waiting
        return next((at for at, (_, future) in enumerate(wanted) if future.done()), None)

    try:
        while True:
            for item in islice(left, ahead - len(waiting)):
                waiting.append((item, executor.submit(function, item)))
                if ended() is not None:  # work that is done during submission goes one by one
                    break
            if not waiting:
                return
            if not in_order:
                wait_for([future for _, future in waiting], None, FIRST_COMPLETED)
            at = ended() or 0
            item, future = waiting[at]
            try:
                result = future.result()
            except (BrokenExecutor, ValueError) as error:
                if not _is_lost(error):
                    raise
                lost += 1
                check_lost(lost, executor)
                waiting[at] = item, executor.submit(function, item)
                continue
            del waiting[at]
            yield item, result
    finally:
        is_working = [future for _, future in waiting if not future.cancel() and not future.done()]
        if is_working and isinstance(executor, LocalWorkers):
            executor.abandon()


def _is_lost(error: BrokenExecutor | ValueError) -> bool:
    """Return whether the process that worked on it was killed. If it was killed after its work,
    before the result was fetched, the client of `distributed` fails to unpack the result."""
    return isinstance(error, BrokenExecutor) or "unpack (expected 3, got 2)" in str(error)


def check_lost(lost: int, executor: Executor) -> None:
    """Raise OptionError if too many processes were lost."""
    is_at_first = isinstance(executor, LocalWorkers) and not executor.has_result
    if lost > (MAX_FIRST_RETRIES if is_at_first else MAX_RETRIES):
        raise OptionError(
            f"{lost} processes ended unexpectedly; expected more memory, fewer of them (--jobs), "
            "or, in a script, `if __name__ == '__main__':` before the code that starts them"
        ) from None


@contextmanager
def workers(
    jobs: int | None, cluster: str | None, alone: float = SERIAL_SECONDS
) -> Iterator[Executor]:
    """Provide an executor of `jobs` local processes or of a cluster's workers.

    Raises OptionError if both are given.
    """
    if jobs is not None and cluster is not None:
        raise OptionError(f"--jobs {jobs} with --cluster {cluster!r}; expected one of them")
    with LocalWorkers(jobs, alone) if cluster is None else cluster_workers(cluster) as executor:
        yield executor


@contextmanager
def cluster_workers(address: str) -> Iterator[Executor]:
    """Provide an executor of the dask cluster whose scheduler has this address, such as
    tcp://10.0.0.1:8786.

    Another worker repeats the work of a lost one; its result counts once. Raises OptionError if
    dask is not installed, or if no scheduler answers.
    """
    distributed = load("distributed", f"cluster {address!r}", "cluster")
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TimeoutError) as error:
        raise OptionError(
            f"no cluster at {address!r}: {str(error)[:200]}; "
            "expected the address of a dask scheduler"
        ) from None
    with client, client.get_executor(pure=False, retries=3) as executor:
        yield executor
