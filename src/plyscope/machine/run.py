"""Calls that run beside the interpreter, so that Ctrl-C, a deadline and whoever shows progress
reach them: machine code, and work in NumPy.

KeyboardInterrupt may be raised between any two instructions of the thread that waits. So nothing
rests on that thread's coming to an end of what it does: the call holds its own memory as long as it
runs, it is told to stop again and again until it has, and before the next call on the same memory
it has ended. A call that was stopped before it began never begins.

Compiling is not stopped: `uninterrupted` runs it to its end, whatever becomes of the thread that
waits for it.
"""

from __future__ import annotations

from _thread import allocate_lock, get_ident, start_new_thread
from collections.abc import Callable
from threading import RLock, get_native_id
from time import perf_counter
from typing import Any, TypeVar

from plyscope.owntime import OwnTime

GLANCE = 0.05
"""Seconds between two looks for Ctrl-C."""
AGAIN = 0.01
"""Seconds between two words to a call that it is to stop."""
T = TypeVar("T")
LEFT = 0.15
"""Seconds after which a call that has been told to stop is left to itself: it ends as soon as it
looks."""


class Late(Exception):
    """Raised at the deadline, when the call has ended."""


class Left(Late):
    """Raised at the deadline, when the call has not ended soon after."""


class Beside:
    """Runs calls that work on one piece of memory, one at a time; `stop` tells the running one to
    end, from another thread.

    Who asks holds `alone`, so that another thread waits, and first calls `end`: an interrupted call
    may still be ending."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self.alone = RLock()
        self._stop = stop
        self._running: _Call | None = None

    def run(
        self,
        call: Callable[[], Any],
        deadline: float | None = None,
        glance: Callable[[], None] | None = None,
    ) -> Any:
        """Return `call()`, which runs in a thread of its own; raise Late at the deadline (of
        perf_counter), and whatever `glance`, which is called now and then, or a signal raises. The
        call has then been told to stop; `end` waits for it, before the next."""
        running = self._running = _Call(call)
        try:
            running.start()
            while not running.has_ended_within(
                GLANCE if deadline is None else min(GLANCE, deadline - perf_counter())
            ):
                if glance is not None:
                    glance()
                if deadline is not None and perf_counter() >= deadline:
                    raise Late if self.end(LEFT) else Left
        except BaseException:
            self.end(LEFT)
            raise
        if self._running is not running:
            raise RuntimeError(
                "another question was asked of the same memory by what shows progress; "
                "expected one at a time"
            )
        self._running = None
        return running.answer()

    def own_time(self) -> OwnTime | None:
        """Return a stopwatch for the thread of the running call, None before it runs."""
        thread = None if self._running is None else self._running.thread
        return None if thread is None else OwnTime(f"self/task/{thread}")

    def begin(self, call: Callable[[], Any]) -> None:
        """Have `call` run in a thread of its own until it is over or told to `end`."""
        running = self._running = _Call(call)
        running.start()

    def end(self, seconds: float | None = None) -> bool:
        """Stop what still runs, wait for it, or at most so many seconds, and return whether it has
        ended."""
        running = self._running
        if running is None or running.is_given_up():
            return True
        until = None if seconds is None else perf_counter() + seconds
        while True:
            self._stop()
            if running.has_ended_within(AGAIN):
                return True
            if until is not None and perf_counter() >= until:
                return False


def uninterrupted(call: Callable[[], T]) -> T:
    """Return `call()`, which runs to its end in a thread of its own.

    An exception in the midst of Numba leaves its tables half written, so that the process can never
    compile the same types again. Here only the thread that waits is interrupted: the call goes on,
    and whoever needs its result later waits for the rest of it.
    """
    if get_ident() in _uninterrupted:
        return call()

    def whole() -> T:
        _uninterrupted.add(get_ident())
        try:
            return call()
        finally:
            _uninterrupted.discard(get_ident())

    running = _Call(whole)
    running.start()
    while not running.has_ended_within(GLANCE):
        pass
    answer: T = running.answer()
    return answer


def uninterrupted_calls() -> int:
    """Return how many calls run in threads of their own that nothing stops."""
    return len(_uninterrupted)


_uninterrupted: set[int] = set()
"""The threads of `uninterrupted`."""


class _Call:
    """A call and what came of it. The thread is a bare one, which starts in less time than one of
    `threading`."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self._call = call
        self._found: list[Any] = []
        self._raised: list[BaseException] = []
        self._is_over = False
        self.thread: int | None = None
        self._decided: dict[str, str] = {}
        self._running = allocate_lock()
        self._running.acquire()

    def start(self) -> None:
        """Begin in another thread."""
        start_new_thread(self._work, ())

    def _work(self) -> None:
        self.thread = get_native_id()
        if self._decided.setdefault("it", "begins") != "begins":
            return
        try:
            self._found.append(self._call())
        except BaseException as error:
            self._raised.append(error)
        finally:
            self._is_over = True
            self._running.release()

    def is_given_up(self) -> bool:
        """Return whether it is over, or had not begun and now never will."""
        return self._is_over or self._decided.setdefault("it", "given up") == "given up"

    def has_ended_within(self, seconds: float) -> bool:
        """Wait for the end, at most so many seconds, and return whether it has come."""
        if not self._is_over:
            self._running.acquire(timeout=max(0.0, seconds))
        return self._is_over

    def answer(self) -> Any:
        """Return what the call returned, or raise what it raised."""
        if self._raised:
            raise self._raised[0]
        return self._found[0]
