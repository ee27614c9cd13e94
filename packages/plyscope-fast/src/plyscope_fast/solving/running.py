"""The base class of solvers that run kernels."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import addressof, c_char, memset
from mmap import mmap
from time import perf_counter
from typing import Any, Protocol, Self

from plyscope.rules.linegame import LineGame
from plyscope.searching.limit import Late
from plyscope_fast.machine.threads import ThreadRunner


def wipe(pages: mmap, begin: int = 0) -> None:
    """Set the bytes from `begin` on to 0, as in new pages."""
    memset(addressof(c_char.from_buffer(pages, begin)), 0, len(pages) - begin)


def raise_if_late(deadline: float | None) -> None:
    """Raise Late after the deadline, given by `perf_counter`."""
    if deadline is not None and perf_counter() >= deadline:
        raise Late


class Table(Protocol):
    """A transposition table and the block of its kernel."""

    megabytes: float

    def forget(self) -> None:
        """Clear the table."""

    @property
    def nodes(self) -> int:
        """The nodes visited with the table so far."""

    def stop(self) -> None:
        """Stop the kernel that uses the table."""


class KernelSolver:
    """A solver of one game that runs kernels in a thread of its own.

    The entries of its tables stay valid from one position to the next.
    """

    entries: tuple[Any, ...]
    """All kernels that it calls."""
    is_prepared = False
    """Whether the kernels are loaded."""

    def __init__(self, game: LineGame, tables: Sequence[Table]) -> None:
        self.game, self._tables = game, tables
        self._thread_runner = ThreadRunner(self._stop)

    def _stop(self) -> None:
        for table in self._tables:
            table.stop()

    def forget(self) -> None:
        """Clear the tables."""
        with self._thread_runner.alone:
            self._thread_runner.end()
            for table in self._tables:
                table.forget()

    def emptied(self) -> Self:
        """Clear the tables and return the solver."""
        self.forget()
        return self

    @property
    def nodes(self) -> int:
        """The nodes visited so far, for all questions."""
        return sum(table.nodes for table in self._tables)

    @property
    def megabytes(self) -> float:
        """The memory of the tables in use."""
        return sum(table.megabytes for table in self._tables if table.nodes)

    @property
    def is_ready(self) -> bool:
        """Whether all kernels are compiled."""
        return all(kernel.is_ready for kernel in self.entries)

    def prepare(self) -> None:
        """Compile the kernels, or load them."""
        for kernel in self.entries:
            kernel.prepare()
        self.is_prepared = True
