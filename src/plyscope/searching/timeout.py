"""Timeouts for Python functions: a heuristic that does not come back is interrupted, and reported
with the position it was asked about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from plyscope.errors import HeuristicError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.evaluation.heuristic import Explanation
from plyscope.pythonfile import Overdue, interrupting
from plyscope.searching.limit import SearchStopped

LONGEST = 5.0
"""Seconds that one evaluation may take."""
GRACE = 0.04
"""Seconds that one evaluation may last beyond the deadline of its search."""


class _Watched:
    """A heuristic that notes what it is asked about and since when."""

    def __init__(self, heuristic: FunctionHeuristic, deadline: float | None) -> None:
        self.heuristic, self.name, self.summary = heuristic, heuristic.name, heuristic.summary
        self.deadline = deadline
        self.since: float | None = None
        self.position: Any = None

    def evaluate(self, position: Any, side: int) -> int:
        """Return the heuristic's answer; raise SearchStopped when it is asked after the
        deadline."""
        now = perf_counter()
        if self.deadline is not None and now >= self.deadline:
            raise SearchStopped("seconds")
        self.position, self.since = position, now
        answer = self.heuristic.evaluate(position, side)
        self.since = None  # not where it is interrupted: how long it took is told by this
        return answer

    def explain(self, position: Any, side: int) -> Explanation:
        """Return the heuristic's explanation."""
        return self.heuristic.explain(position, side)


@contextmanager
def time_limited(heuristic: Any, deadline: float | None) -> Iterator[Any]:
    """Give the heuristic to search with until `deadline`; raise HeuristicError when a Python
    function does not come back.

    The function is interrupted between two of its own instructions; one that waits inside the
    operating system cannot be.
    """
    if not isinstance(heuristic, FunctionHeuristic):
        yield heuristic
        return
    watched = _Watched(heuristic, deadline)

    def is_overdue() -> bool:
        since, now = watched.since, perf_counter()
        if since is None:
            return False
        is_late = deadline is not None and now > deadline + GRACE
        return now - since > (GRACE if is_late else LONGEST)

    began = perf_counter()
    try:
        with interrupting(is_overdue):
            yield watched
    except Overdue:
        began = max(began, watched.since or began)
        raise no_answer(heuristic.name, watched.position, perf_counter() - began) from None


def no_answer(name: str, position: Any, seconds: float) -> HeuristicError:
    """Return what to say of a heuristic that has not answered for some `seconds`."""
    return HeuristicError(
        f"heuristic {name!r} gave no answer within {seconds:.2g} s on '{position}'; "
        "expected a whole number"
    )
