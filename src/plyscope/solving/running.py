"""What the solvers share: kernels that are compiled for them, and the exception that stops them."""

from __future__ import annotations

from typing import Any

__all__ = ["OUT_OF_NODES", "OUT_OF_TIME", "Compiled", "Stopped"]

OUT_OF_NODES, OUT_OF_TIME = "nodes", "seconds"


class Stopped(Exception):
    """Raised when a solver was stopped before it had an answer; the text says by what."""


class Compiled:
    """A solver that runs kernels: `entries`, all that have to be compiled for it."""

    entries: tuple[Any, ...]
    is_prepared = False
    """Whether everything is loaded."""

    @property
    def is_ready(self) -> bool:
        """Whether everything is compiled."""
        return all(kernel.is_ready for kernel in self.entries)

    def prepare(self) -> None:
        """Compile what is needed, or load it."""
        for kernel in self.entries:
            kernel.prepare()
        self.is_prepared = True
