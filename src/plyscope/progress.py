"""Progress: callbacks with which long computations report their progress."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""`progress(phase, done, total)`; the total is 0 where it is unknown."""
Count = Callable[[int], None]
"""`count(done)`, of a single phase."""


def silent(phase: str, done: int, total: int) -> None:
    """Ignore the progress."""


def counted(progress: Progress, phase: str, total: int = 0) -> Count:
    """Return a callback `count(done)` that reports one phase to `progress`."""
    return lambda done: progress(phase, done, total)
