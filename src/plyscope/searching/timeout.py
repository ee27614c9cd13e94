"""Timeouts for Python functions: a heuristic that does not come back is interrupted, and reported
with the position it was asked about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_native_id
from time import perf_counter
from typing import Any

from plyscope.errors import HeuristicError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.evaluation.heuristic import Explanation
from plyscope.owntime import OwnTime
from plyscope.pythonfile import Overdue, interrupting
from plyscope.searching.limit import SearchStopped

LONGEST = 5.0
"""Seconds of its own time that one evaluation may take."""
GRACE = 0.04
"""Seconds of its own time that one evaluation may take once the deadline of its search is over."""
FAR_SLOWER = 10
"""Times the slowest answer so far, beyond which an evaluation at the deadline is taken to hang."""


class Answers:
    """What is known of a function's speed, from pass to pass of one search."""

    def __init__(self) -> None:
        self.slowest = 0.0
        """Wall seconds of its slowest answer."""

    def blames(self, seconds: float) -> bool:
        """Return whether a function that has not answered for `seconds` at the deadline hangs, and
        is not just as slow as before."""
        return seconds > max(GRACE, FAR_SLOWER * self.slowest)


class _Watched:
    """A heuristic that notes what it is asked about and since when."""

    def __init__(
        self, heuristic: FunctionHeuristic, deadline: float | None, answers: Answers
    ) -> None:
        self.heuristic, self.name, self.summary = heuristic, heuristic.name, heuristic.summary
        self.deadline, self.answers = deadline, answers
        self.since: float | None = None
        self.position: Any = None
        self.worker = get_native_id()
        self.spent: tuple[float, OwnTime] | None = None
        """Since when it has been asked, and its own time from soon after."""

    def evaluate(self, position: Any, side: int) -> int:
        """Return the heuristic's answer; raise SearchStopped when it is asked after the
        deadline."""
        now = perf_counter()
        if self.deadline is not None and now >= self.deadline:
            raise SearchStopped("seconds")
        self.position, self.since = position, now
        answer = self.heuristic.evaluate(position, side)
        self.since = None  # not where it is interrupted: how long it took is told by this
        seconds = perf_counter() - now
        if seconds > self.answers.slowest:
            self.answers.slowest = seconds
        return answer

    def explain(self, position: Any, side: int) -> Explanation:
        """Return the heuristic's explanation."""
        return self.heuristic.explain(position, side)

    def is_overdue(self) -> bool:
        """Return whether an evaluation has used up its own time; asked by another thread."""
        since, spent = self.since, self.spent
        if since is None:
            return False
        if spent is None or spent[0] != since:
            self.spent = since, OwnTime(f"self/task/{self.worker}")
            return False
        is_late = self.deadline is not None and perf_counter() > self.deadline + GRACE
        return spent[1].seconds() > (GRACE if is_late else LONGEST)

    def overdue(self) -> Exception:
        """Return what to raise for an evaluation that was interrupted."""
        assert self.spent is not None
        seconds = self.spent[1].seconds()
        is_late = self.deadline is not None and perf_counter() > self.deadline
        if is_late and (self.since is None or not self.answers.blames(seconds)):
            return SearchStopped("seconds")
        return no_answer(self.name, self.position, seconds)


@contextmanager
def time_limited(
    heuristic: Any, deadline: float | None, answers: Answers | None = None
) -> Iterator[Any]:
    """Give the heuristic to search with until `deadline`, of perf_counter; raise HeuristicError
    when a Python function hangs, SearchStopped when the deadline comes while it works.

    Its limits count its own time. The function is interrupted between two of its instructions; one
    that waits inside the operating system cannot be.
    """
    if not isinstance(heuristic, FunctionHeuristic):
        yield heuristic
        return
    watched = _Watched(heuristic, deadline, answers or Answers())
    try:
        with interrupting(watched.is_overdue):
            yield watched
    except Overdue:
        raise watched.overdue() from None


def no_answer(name: str, position: Any, seconds: float) -> HeuristicError:
    """Return what to say of a heuristic that has not answered for `seconds` of its own time."""
    return HeuristicError(
        f"heuristic {name!r} gave no answer within {seconds:.2g} s on '{position}'; "
        "expected a whole number"
    )
