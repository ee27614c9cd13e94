"""What the solvers that run kernels share."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import addressof, c_char, memset
from mmap import mmap
from time import perf_counter
from typing import Any, Protocol, Self

from plyscope.machine.run import Beside, Late
from plyscope.rules.linegame import LineGame


def wipe(pages: mmap, begin: int = 0) -> None:
    """Set the bytes from `begin` on to 0, as new pages have them."""
    memset(addressof(c_char.from_buffer(pages, begin)), 0, len(pages) - begin)


def raise_if_late(deadline: float | None) -> None:
    """Raise Late where the time, by `perf_counter`, is over."""
    if deadline is not None and perf_counter() >= deadline:
        raise Late


class Table(Protocol):
    """A table, and the block that goes with it."""

    megabytes: float

    def forget(self) -> None:
        """Empty it."""

    @property
    def nodes(self) -> int:
        """The nodes visited with it so far."""

    def stop(self) -> None:
        """Have the kernel that works on it stop."""


class KernelSolver:
    """A solver of one game that runs kernels beside the interpreter.

    What its tables hold stays true from one position to the next.
    """

    entries: tuple[Any, ...]
    """All kernels that have to be compiled."""
    is_prepared = False
    """Whether these are loaded."""

    def __init__(self, game: LineGame, tables: Sequence[Table]) -> None:
        self.game, self._tables = game, tables
        self._beside = Beside(self._stop)

    def _stop(self) -> None:
        for table in self._tables:
            table.stop()

    def forget(self) -> None:
        """Empty the tables: what is asked next takes as long as if nothing had been asked."""
        with self._beside.alone:
            self._beside.end()
            for table in self._tables:
                table.forget()

    def emptied(self) -> Self:
        """Empty the tables and return the solver."""
        self.forget()
        return self

    @property
    def nodes(self) -> int:
        """The nodes visited so far, for all questions."""
        return sum(table.nodes for table in self._tables)

    @property
    def megabytes(self) -> float:
        """The memory of the tables that are used."""
        return sum(table.megabytes for table in self._tables if table.nodes)

    @property
    def is_ready(self) -> bool:
        """Whether everything is compiled."""
        return all(kernel.is_ready for kernel in self.entries)

    def prepare(self) -> None:
        """Compile what is needed, or load it."""
        for kernel in self.entries:
            kernel.prepare()
        self.is_prepared = True
