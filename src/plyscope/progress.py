"""Progress: how a long computation reports how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""`progress(phase, done, total)`; the total is 0 where it is unknown."""
Count = Callable[[int], None]
"""`count(done)`, of a single phase."""


def silent(phase: str, done: int, total: int) -> None:
    """Report nothing."""


def counted(progress: Progress, phase: str, total: int = 0) -> Count:
    """Return the count of one phase."""
    return lambda done: progress(phase, done, total)
