"""The time that a process or a thread uses: what it runs and sleeps, without scheduling delay.

Limits on other people's functions, files and programs count this time, so that a busy machine makes
nobody late. Linux says how long a task was ready to run and did not (`schedstat`); elsewhere wall
time is counted.
"""

from __future__ import annotations

from math import inf
from threading import get_native_id
from time import perf_counter
from typing import NamedTuple

MAX_DELAY_FACTOR = 20
"""Times its limit that something may take on a busy machine: a second of delay counts as 1/20 s."""


def state_of_task(task: str) -> str:
    """Return the kernel's letter for the state of a process or thread: R runs or waits for a
    processor, S sleeps, T was stopped by a signal, Z has ended. It is empty where nobody says."""
    try:
        with open(f"/proc/{task}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0].decode()
    except (OSError, IndexError):
        return ""


class Scheduling(NamedTuple):
    """What the kernel says of a task at a moment, in seconds."""

    now: float
    """By perf_counter."""
    ran: float
    delayed: float
    """It was ready to run and did not."""
    is_runnable: bool
    """It runs or is ready to run."""


class OwnTime:
    """A stopwatch for a task, such as `1234`, a process, or `self/task/1235`, a thread.

    Between two looks at it at most `longest` seconds count: in more time, whoever looks did not run
    either.
    """

    def __init__(self, task: str, longest: float = inf) -> None:
        self._task, self._longest = task, longest
        self._account = 0.0, 0.0
        self._began = self._seen = self._look()
        self._missed = self._last = 0.0

    @classmethod
    def of_this_thread(cls) -> OwnTime:
        """Return a stopwatch for the thread that calls this."""
        return cls(f"self/task/{get_native_id()}")

    @classmethod
    def of_process(cls) -> OwnTime:
        """Return the stopwatch of this process's main thread since that was started."""
        watch = cls("self")
        began = watch._began
        watch._began = watch._seen = began._replace(
            now=began.now - began.ran - began.delayed, ran=0.0, delayed=0.0
        )
        return watch

    def seconds(self) -> float:
        """Return the seconds that the task has run or slept since the stopwatch was made."""
        look, seen = self._look(), self._seen
        if not look.is_runnable or (look.ran, look.delayed) != (seen.ran, seen.delayed):
            self._seen = look
        # a delay that has not ended is in no account yet: it has lasted since the account changed
        delay = look.delayed - self._began.delayed + look.now - self._seen.now
        counted = look.now - self._began.now - delay * (1 - 1 / MAX_DELAY_FACTOR)
        self._missed += max(0.0, counted - self._last - self._longest)
        self._last = counted
        return counted - self._missed

    def load(self) -> float:
        """Return how many seconds pass, since the stopwatch was made, for one of its own."""
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
