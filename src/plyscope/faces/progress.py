"""Progress on standard error, for operations that take longer than a second."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from shutil import get_terminal_size
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any

from plyscope.progress import Count

if TYPE_CHECKING:
    from plyscope.searching.result import SearchResult

DELAY_SECONDS = 1.0
"""The delay before progress is shown; then it is updated four times in that time."""


class _Line:
    """A line on standard error that is overwritten, if this is a terminal. It is cut at the
    terminal's width, since a wrapped line cannot be overwritten."""

    def __init__(self) -> None:
        self.due = perf_counter() + DELAY_SECONDS
        self.is_shown = False

    def show(self, text: str) -> None:
        if perf_counter() >= self.due and sys.stderr.isatty():
            text = text[: get_terminal_size().columns - 1]
            print(f"\r\x1b[2K{text}", end="", file=sys.stderr, flush=True)
            self.due, self.is_shown = perf_counter() + DELAY_SECONDS / 4, True

    def clear(self) -> None:
        if self.is_shown:
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)


@contextmanager
def counting(what: str) -> Iterator[Count]:
    """Yield a function to be called with the number of items done so far."""
    line = _Line()
    try:
        yield lambda done: line.show(f"{done:,} {what} ...")
    finally:
        line.clear()


@contextmanager
def telling() -> Iterator[Callable[[str], None]]:
    """Yield a function to be called with a description of the progress."""
    line = _Line()
    try:
        yield line.show
    finally:
        line.clear()


@contextmanager
def thinking(text: str | Callable[[], str], compiled: str = "") -> Iterator[None]:
    """Show `text` and the elapsed seconds if the block takes longer than a second.

    While kernels of a search or solver are compiled, show that instead, with the name `compiled`.
    """
    line, began, is_done = _Line(), perf_counter(), Event()

    def tick() -> None:
        while not is_done.wait(DELAY_SECONDS / 4):
            now = text if isinstance(text, str) else text()
            store = sys.modules.get(
                "plyscope_fast.machine.store"
            )  # None if no kernel was ever used
            if compiled and bool(getattr(store, "compiling", ())):
                now = compiling_text(compiled)
            line.show(f"{now} ... {perf_counter() - began:.0f} s")

    ticker = Thread(target=tick, daemon=True)
    ticker.start()
    try:
        yield
    finally:
        is_done.set()
        ticker.join()
        line.clear()


def compiling_text(what: str) -> str:
    """Return the message while a search or a solver is compiled."""
    return f"compiling the {what}, this once"


def shown_search(position: Any, **options: Any) -> SearchResult:
    """Search while showing the depth and the time; return the partial result on Ctrl-C."""
    from plyscope.searching.search import search

    depths: list[str] = [""]

    def text() -> str:
        return f"{options.get('algorithm', 'search')}{depths[-1]} (Ctrl-C stops)"

    def finished(depth: Any) -> None:
        cost = f"{depth.nodes:,} nodes at {depth.speed:,.0f}/s"
        depths.append(f", depth {depth.depth} finished, {cost}")

    with thinking(text, compiled="search"):
        return search(position, keep_interrupted=True, progress=finished, **options)
