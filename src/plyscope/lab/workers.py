"""Who plays the games: this process, processes of this machine, or the workers of a cluster; each
is a `concurrent.futures.Executor`."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context, parent_process
from threading import Thread
from time import perf_counter
from typing import Any

from plyscope.errors import OptionError

__all__ = ["LocalWorkers", "cluster_workers", "workers"]

ALONE = 1.0
"""Seconds of work before other processes are worth starting."""
CONNECTING = 15.0


class LocalWorkers(Executor):
    """Works in this process for the first second, or as long as it is to be `alone`, then in `jobs`
    processes, by default as many as there are cores: what is soon done does not wait for them to
    start.

    Ctrl-C is left to this process, which lets the others finish what they have begun.
    """

    def __init__(self, jobs: int | None = None, alone: float = ALONE) -> None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        self.jobs, self.began = jobs or cores or 1, perf_counter()
        self.alone = alone
        self.pool: ProcessPoolExecutor | None = None

    def submit(self, function: Callable[..., Any], /, *words: Any, **options: Any) -> Future[Any]:
        """Do it, now or in another process."""
        if self.pool is None and (self.jobs == 1 or perf_counter() - self.began < self.alone):
            done: Future[Any] = Future()
            try:
                done.set_result(function(*words, **options))
            except Exception as error:
                done.set_exception(error)
            return done
        if self.pool is None:
            self.pool = ProcessPoolExecutor(self.jobs, get_context("spawn"), _begin)
        try:
            return self.pool.submit(function, *words, **options)
        except BrokenProcessPool:  # one was killed, and the others with it
            self.pool = None
            return self.submit(function, *words, **options)

    def abandon(self) -> None:
        """End the processes at once, whatever they are doing; others are started when there is more
        to do."""
        pool, self.pool = self.pool, None
        if pool is None:
            return
        processes = list((pool._processes or {}).values())
        for item in list(pool._pending_work_items.values()):
            if (
                item.future.cancelled()
            ):  # a pool whose processes end tells it to every question, and stumbles over those
                item.future = Future()
        pool.shutdown(wait=False)
        for process in processes:
            process.terminate()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the processes go."""
        if self.pool is not None:
            self.pool.shutdown(wait, cancel_futures=cancel_futures)


def _begin() -> None:
    """Begin in a worker: Ctrl-C is for its parent, and it is gone when that is, however that
    ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def workers(jobs: int | None, cluster: str | None, alone: float = ALONE) -> Iterator[Executor]:
    """Give `jobs` processes of this machine, or the workers of a `cluster`. Raises OptionError
    where both are asked for."""
    if jobs is not None and cluster is not None:
        raise OptionError(f"--jobs {jobs} with --cluster {cluster!r}; expected one of them")
    with LocalWorkers(jobs, alone) if cluster is None else cluster_workers(cluster) as executor:
        yield executor


@contextmanager
def cluster_workers(address: str) -> Iterator[Executor]:
    """Give the workers of the dask cluster whose scheduler is at `address`, such as
    tcp://10.0.0.1:8786. Raises OptionError.

    What a lost worker was doing is done again by another, and counted once.
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
            f"no cluster at {address!r}: {str(error)[:200]}; expected the address of a dask scheduler"
        ) from None
    with client, client.get_executor(pure=False, retries=3) as executor:
        yield executor
