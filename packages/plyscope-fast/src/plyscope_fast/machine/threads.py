"""Calls in another thread, so that Ctrl-C, a deadline and progress reach machine code and NumPy.

KeyboardInterrupt may be raised between any two instructions of the waiting thread. So nothing
depends on that thread completing a step. A call owns its memory while it runs. `ThreadRunner.end`
repeats the request to stop until the call has ended, and callers use it before they start the next
call on the same memory. A call that is stopped before it begins never begins.

Compilation is not stopped: `uninterrupted` runs it to its end even if the waiting thread is
interrupted.

A browser has no threads. There a call runs in the thread of its caller, and stops itself: kernels
call `tick` every few milliseconds, which looks at the deadline and at Python's signals, and reports
progress. Stop is Ctrl-C there: the worker calls `pyodide.setInterruptBuffer` with a Uint8Array over
shared memory, and the page writes 2, the number of SIGINT, into its first byte. Python then raises
KeyboardInterrupt, also in searches in Python, and sets the byte to 0. A worker without shared
memory cannot be interrupted; there only deadlines stop a call.
"""

from __future__ import annotations

import signal
import sys
from _thread import allocate_lock, get_ident, start_new_thread
from collections.abc import Callable, MutableSequence
from threading import RLock
from time import perf_counter
from typing import Any, TypeVar

from plyscope.owntime import OwnTime, get_native_id
from plyscope.searching.limit import Late

POLL_SECONDS = 0.05
"""Seconds between checks for Ctrl-C."""
RETRY_SECONDS = 0.01
"""Seconds between two requests to a call to stop."""
HAS_THREADS = sys.platform != "emscripten"
"""Whether a thread can be started."""
TICK_SECONDS = 0.004
"""Seconds from one `tick` to the next, about."""
FIRST_COUNT, NO_TICK = 64, (1 << 31) - 1
"""Nodes before the first `tick` of a call, and a number of nodes that is never reached."""
T = TypeVar("T")
ABANDON_SECONDS = 0.15
"""Seconds to wait for a call that was requested to stop. Then the call is abandoned: it still runs,
and ends at its next check."""


class Abandoned(Late):
    """The deadline has passed; the call did not end within ABANDON_SECONDS and was abandoned."""


class ThreadRunner:
    """A runner of calls that share memory, one at a time, in another thread; `stop` requests the
    running call to end.

    Before a call, callers take the lock `alone` and call `end`, since an interrupted call may still
    run.
    """

    def __init__(self, stop: Callable[[], None]) -> None:
        self.alone = RLock()
        self._stop = stop
        self._running: _Call | None = None

    def run(
        self,
        call: Callable[[], Any],
        deadline: float | None = None,
        poll: Callable[[], None] | None = None,
    ) -> Any:
        """Run `call()` in another thread and return its result.

        `deadline` is a time of perf_counter. `poll` is called every POLL_SECONDS. Raises Late after
        the deadline, and the exceptions of the call, of a signal handler and of `poll`. After an
        exception of the last two kinds the call may still run, until `end` returns.
        """
        if not HAS_THREADS:
            return _Turn(self._stop, deadline, poll).run(call)
        running = self._running = _Call(call)
        try:
            running.start()
            while not running.has_ended_within(
                POLL_SECONDS if deadline is None else min(POLL_SECONDS, deadline - perf_counter())
            ):
                if poll is not None:
                    poll()
                if deadline is not None and perf_counter() >= deadline:
                    raise Late if self.end(ABANDON_SECONDS) else Abandoned
        except BaseException:
            self.end(ABANDON_SECONDS)
            raise
        if self._running is not running:
            raise RuntimeError(
                "a progress callback started another call on the same memory; "
                "expected one call at a time"
            )
        self._running = None
        return running.answer()

    def own_time(self) -> OwnTime | None:
        """Return a stopwatch of the running call's thread, None if no call runs yet."""
        thread = None if self._running is None else self._running.thread
        return None if thread is None else OwnTime(f"self/task/{thread}")

    def begin(self, call: Callable[[], Any]) -> None:
        """Start `call` in another thread without waiting for it; `end` stops it. Where there are no
        threads, nobody helps: the call is not started."""
        if not HAS_THREADS:
            return
        running = self._running = _Call(call)
        running.start()

    def end(self, seconds: float | None = None) -> bool:
        """Request the running call to stop, wait for it at most `seconds` (None for no limit), and
        return whether it has ended."""
        running = self._running
        if running is None or running.is_given_up():
            return True
        until = None if seconds is None else perf_counter() + seconds
        while True:
            self._stop()
            if running.has_ended_within(RETRY_SECONDS):
                return True
            if until is not None and perf_counter() >= until:
                return False


def uninterrupted(call: Callable[[], T], poll: Callable[[], object] = bool) -> T:
    """Run `call()` to its end in another thread, and return its result; call `poll` meanwhile.

    An exception inside Numba can leave its internal tables half written, so that the process could
    never compile the same types again. Here Ctrl-C interrupts only the waiting thread: the call
    continues.
    """
    if get_ident() in _uninterrupted or not HAS_THREADS:
        return call()

    def whole() -> T:
        _uninterrupted.add(get_ident())
        try:
            return call()
        finally:
            _uninterrupted.discard(get_ident())

    running = _Call(whole)
    running.start()
    while not running.has_ended_within(POLL_SECONDS):
        poll()
    answer: T = running.answer()
    return answer


def uninterrupted_calls() -> int:
    """Return the number of calls that `uninterrupted` is running."""
    return len(_uninterrupted)


_uninterrupted: set[int] = set()
"""The identifiers of the threads that run calls of `uninterrupted`."""


class _Call:
    """A call and its result. The call runs in a thread of `_thread`, which starts faster than one
    of `threading`."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self._call = call
        self._found: list[Any] = []  # its result, once there is one
        self._raised: list[BaseException] = []  # its exception, if it raises one
        self._is_over = False
        self.thread: int | None = None  # the system's number of the thread, once it runs
        self._decided: dict[str, str] = {}  # by setdefault, which is atomic: begins, or given up
        self._running = allocate_lock()  # held until the call ends
        self._running.acquire()

    def start(self) -> None:
        """Start the call in another thread."""
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
        """Cancel the call if it has not begun; return whether it is cancelled or has ended."""
        return self._is_over or self._decided.setdefault("it", "given up") == "given up"

    def has_ended_within(self, seconds: float) -> bool:
        """Wait at most `seconds` for the end of the call, and return whether it has ended."""
        if not self._is_over:
            self._running.acquire(timeout=max(0.0, seconds))
        return self._is_over

    def answer(self) -> Any:
        """Return the result of the call, or raise its exception."""
        if self._raised:
            raise self._raised[0]
        return self._found[0]


class _Turn:
    """A call in the thread of its caller. `tick` stops it at the deadline, and on an exception of a
    signal handler or of `poll`, which is raised after the call has ended."""

    def __init__(
        self,
        stop: Callable[[], None],
        deadline: float | None,
        poll: Callable[[], None] | None,
    ) -> None:
        self._stop, self._deadline, self._poll = stop, deadline, poll
        self._raised: BaseException | None = None
        self._count, self._ticked = FIRST_COUNT, perf_counter()
        self._polled = self._ticked

    def run(self, call: Callable[[], Any]) -> Any:
        """Return the result of `call()`, or raise what stopped it.

        Kernels cannot pass on an exception of a signal handler, so the handler runs inside
        `_interrupt`.
        """
        before: Any = signal.getsignal(signal.SIGINT)
        self._handler = before if callable(before) else signal.default_int_handler
        signal.signal(signal.SIGINT, self._interrupt)
        _turns.append(self)
        node_count[0] = FIRST_COUNT
        try:
            return call()
        finally:
            _turns.pop()
            node_count[0] = FIRST_COUNT if _turns else NO_TICK
            signal.signal(signal.SIGINT, before)
            if self._raised is not None:
                raised, self._raised = self._raised, None
                try:
                    raise raised
                finally:
                    del raised  # it refers to this frame, which would keep tables in memory

    def _interrupt(self, *signal_and_frame: Any) -> None:
        try:
            self._handler(*signal_and_frame)
        except BaseException as error:
            self._raised = error

    def tick(self) -> None:
        """Stop the call if it has to stop, and set the number of nodes until the next tick."""
        import ctypes  # late, since the import is slow

        now = perf_counter()
        elapsed, self._ticked = max(now - self._ticked, 1e-6), now
        fitting = int(self._count * TICK_SECONDS / elapsed)
        self._count = max(1, min(2 * self._count, fitting, NO_TICK))
        ctypes.pythonapi.PyErr_CheckSignals()  # runs `_interrupt`
        if self._raised is None and self._deadline is not None and now >= self._deadline:
            self._raised = Late()
        if self._raised is None and self._poll is not None and now >= self._polled + POLL_SECONDS:
            self._polled = now
            try:
                self._poll()
            except BaseException as error:
                self._raised = error
        if self._raised is not None:
            self._stop()
        node_count[0] = self._count


_turns: list[_Turn] = []
"""The calls that run in this thread, where there are no others; the innermost is the last."""
node_count: MutableSequence[int] = [NO_TICK]
"""The nodes until a kernel calls `tick`, which it counts down. The library for a browser puts its
own word here."""


def tick() -> None:
    """Stop the innermost call that runs in the thread of its caller, if it has to stop."""
    if _turns:
        _turns[-1].tick()
