"""What the solvers that run kernels share."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from plyscope.machine.run import Beside, Late
from plyscope.rules.linegame import LineGame

__all__ = ["KernelSolver", "raise_if_late"]


def raise_if_late(deadline: float | None) -> None:
    """Raise Late where the time, by `perf_counter`, is over."""
    if deadline is not None and perf_counter() >= deadline:
        raise Late


class KernelSolver:
    """What solvers that run kernels beside the interpreter share. They solve positions of one game,
    and what their tables hold stays true from one to the next."""

    entries: tuple[Any, ...]
    """All kernels that have to be compiled."""
    is_prepared = False
    """Whether these are loaded."""

    def __init__(self, game: LineGame) -> None:
        self.game = game
        self._beside = Beside(self._stop)

    @property
    def nodes(self) -> int:
        """The nodes visited so far, for all questions."""
        raise NotImplementedError

    @property
    def megabytes(self) -> float:
        """The memory of the tables that are used."""
        raise NotImplementedError

    def _stop(self) -> None:
        """Have the running kernel stop; called from another thread."""
        raise NotImplementedError

    @property
    def is_ready(self) -> bool:
        """Whether everything is compiled."""
        return all(kernel.is_ready for kernel in self.entries)

    def prepare(self) -> None:
        """Compile what is needed, or load it."""
        for kernel in self.entries:
            kernel.prepare()
        self.is_prepared = True
