"""Own time of a process or thread: CPU and sleep time, without scheduling delay.

Limits for users' functions, files and programs count own time, so that a busy machine does not make
them late. Linux reports the scheduling delay of a task (`schedstat`); on other systems own time is
wall time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from math import fsum, inf
from time import perf_counter
from typing import NamedTuple

# In a browser no task has an account.
get_native_id: Callable[[], int] = getattr(threading, "get_native_id", threading.get_ident)
thread_time: Callable[[], float] = getattr(time, "thread_time", time.process_time)

MAX_DELAY_FACTOR = 20
"""The greatest ratio of wall time to own time: a second of delay counts as 1/20 s."""


def state_of_task(task: str) -> str:
    """Return the kernel's letter for the state of a task: R is running or ready, S sleeps, T was
    stopped by a signal, Z has ended. It is empty if unknown."""
    try:
        with open(f"/proc/{task}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0].decode()
    except (OSError, IndexError):
        return ""


def busy_seconds(task: str) -> tuple[float, float]:
    """Return how long a task has run, and how long it was ready to run; 0 for both if unknown."""
    try:
        with open(f"/proc/{task}/schedstat", encoding="ascii") as file:
            ran, delayed, _ = file.read().split()
    except (OSError, ValueError):
        return 0.0, 0.0
    return int(ran) / 1e9, int(delayed) / 1e9


class Scheduling(NamedTuple):
    """The kernel's account of a task at one moment, in seconds."""

    now: float
    """The time by perf_counter."""
    ran: float
    delayed: float
    """The time that the task was ready and did not run."""
    is_runnable: bool
    """Whether the task is running or ready."""


class OwnTime:
    """A stopwatch for a task: a process such as `1234`, or a thread such as `self/task/1235`.

    At most `longest` seconds count between two readings: in a longer interval the reading process
    was not running either. `servers` are tasks for which the task waits: the time in which they run
    or are ready to run is not its own, except where it runs itself, and where they run for more
    than `most_served` seconds.
    """

    def __init__(
        self,
        task: str,
        longest: float = inf,
        servers: Iterable[str] = (),
        most_served: float = inf,
    ) -> None:
        self._task, self._longest = task, longest
        self._servers, self._most_served = tuple(servers), most_served
        self._at_first = self._busy()
        self._account = 0.0, 0.0
        self._began = self._seen = self._look()
        self._missed = self._last = 0.0

    @classmethod
    def of_this_thread(cls) -> OwnTime:
        """Return a stopwatch for the calling thread."""
        return cls(f"self/task/{get_native_id()}")

    @classmethod
    def of_process(cls) -> OwnTime:
        """Return a stopwatch for the main thread of this process, counted from its start."""
        watch = cls("self")
        began = watch._began
        watch._began = watch._seen = began._replace(
            now=began.now - began.ran - began.delayed, ran=0.0, delayed=0.0
        )
        return watch

    def seconds(self) -> float:
        """Return the own time of the task since the stopwatch was made."""
        look, seen = self._look(), self._seen
        if not look.is_runnable or (look.ran, look.delayed) != (seen.ran, seen.delayed):
            self._seen = look
        # the account lacks a delay that has not ended; it began when the account last changed
        delay = look.delayed - self._began.delayed + look.now - self._seen.now
        counted = look.now - self._began.now - delay * (1 - 1 / MAX_DELAY_FACTOR)
        self._missed += max(0.0, counted - self._last - self._longest)
        self._last = counted
        own = counted - self._missed
        if not self._servers:
            return own
        # servers may run or be delayed at the same time as each other and as the task
        ran, delayed = (
            now - before for now, before in zip(self._busy(), self._at_first, strict=True)
        )
        served = min(ran, self._most_served) + delayed
        return max(own - served, min(own, look.ran - self._began.ran))

    def _busy(self) -> tuple[float, float]:
        """Return how long the servers have run, and how long they were ready to run."""
        found = [busy_seconds(each) for each in self._servers]
        return fsum(ran for ran, _ in found), fsum(delayed for _, delayed in found)

    def load(self) -> float:
        """Return the ratio of wall time to own time since the stopwatch was made."""
        return max(1.0, (perf_counter() - self._began.now) / max(1e-3, self.seconds()))

    def _look(self) -> Scheduling:
        try:
            with open(f"/proc/{self._task}/schedstat", encoding="ascii") as file:
                ran, delayed, _ = file.read().split()
            self._account = int(ran) / 1e9, int(delayed) / 1e9
            is_runnable = state_of_task(self._task) == "R"
        except (OSError, ValueError):  # the task has ended, or the kernel keeps no account
            is_runnable = False
        return Scheduling(perf_counter(), *self._account, is_runnable)
