"""Timeouts for Python functions: a heuristic that does not return is interrupted, and reported with
its position."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from plyscope.errors import HeuristicError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.evaluation.heuristic import Explanation
from plyscope.owntime import OwnTime, get_native_id
from plyscope.pythonfile import Overdue, interrupting
from plyscope.searching.limit import SearchStopped

CALL_SECONDS = 5.0
"""The limit of CPU and sleep time of one evaluation."""
GRACE_SECONDS = 0.04
"""The same limit after the deadline of the search."""
HANG_FACTOR = 10
"""An evaluation at the deadline hangs if it takes this many times the slowest one so far."""


class CallTimes:
    """The speed of a function in all passes of one search."""

    def __init__(self) -> None:
        self.slowest = 0.0
        """The wall time of its slowest call, in seconds."""

    def is_hanging(self, seconds: float) -> bool:
        """Return whether a call that has taken `seconds` at the deadline hangs: it is much slower
        than earlier calls."""
        return seconds > max(GRACE_SECONDS, HANG_FACTOR * self.slowest)


class _Watched:
    """A heuristic that records the position of the current call, and its beginning."""

    def __init__(
        self, heuristic: FunctionHeuristic, deadline: float | None, call_times: CallTimes
    ) -> None:
        self.heuristic, self.name, self.summary = heuristic, heuristic.name, heuristic.summary
        self.deadline, self.call_times = deadline, call_times
        self.since: float | None = None
        self.position: Any = None
        self.worker = get_native_id()
        self.spent: tuple[float, OwnTime] | None = None
        """The beginning of the current call, and a stopwatch of own time started soon after."""
        self.seconds = 0.0
        """The own time that `is_overdue` last read; a later reading may be a little shorter."""

    def evaluate(self, position: Any, side: int) -> int:
        """Return the evaluation; raise SearchStopped after the deadline."""
        now = perf_counter()
        if self.deadline is not None and now >= self.deadline:
            raise SearchStopped("seconds")
        self.position, self.since = position, now
        answer = self.heuristic.evaluate(position, side)
        self.since = None  # not reached after an interrupt, so that `overdue` sees it
        seconds = perf_counter() - now
        if seconds > self.call_times.slowest:
            self.call_times.slowest = seconds
        return answer

    def explain(self, position: Any, side: int) -> Explanation:
        """Return the heuristic's explanation."""
        return self.heuristic.explain(position, side)

    def is_overdue(self) -> bool:
        """Return whether the evaluation has used up its own time; called by another thread."""
        since, spent = self.since, self.spent
        if since is None:
            return False
        if spent is None or spent[0] != since:
            self.spent = since, OwnTime(f"self/task/{self.worker}")
            return False
        is_late = self.deadline is not None and perf_counter() > self.deadline + GRACE_SECONDS
        self.seconds = spent[1].seconds()
        return self.seconds > (GRACE_SECONDS if is_late else CALL_SECONDS)

    def overdue(self) -> Exception:
        """Return the exception for an interrupted evaluation."""
        is_late = self.deadline is not None and perf_counter() > self.deadline
        if is_late and (self.since is None or not self.call_times.is_hanging(self.seconds)):
            return SearchStopped("seconds")
        return no_answer(self.name, self.position, self.seconds)


@contextmanager
def time_limited(
    heuristic: Any, deadline: float | None, call_times: CallTimes | None = None
) -> Iterator[Any]:
    """Yield the heuristic to search with until `deadline`, given by perf_counter.

    Raises HeuristicError if a Python function hangs, SearchStopped at the deadline. The limits
    count own time. The function is interrupted between two Python instructions, so one that waits
    inside the operating system cannot be interrupted.
    """
    if not isinstance(heuristic, FunctionHeuristic):
        yield heuristic
        return
    watched = _Watched(heuristic, deadline, call_times or CallTimes())
    try:
        with interrupting(watched.is_overdue):
            yield watched
    except Overdue:
        raise watched.overdue() from None


def no_answer(name: str, position: Any, seconds: float) -> HeuristicError:
    """Return the error for a heuristic that has not answered for `seconds` of own time."""
    return HeuristicError(
        f"heuristic {name!r} gave no answer within {seconds:.2g} s on '{position}'; "
        "expected a whole number"
    )
