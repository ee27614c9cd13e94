"""Progress on standard error for whatever takes longer than a second, and nothing for what does
not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import perf_counter
from typing import Any

__all__ = ["counting", "searching", "thinking"]

PATIENCE = 1.0
"""Seconds before anything is shown, and between two lines."""


class _Line:
    """One line on standard error that rewrites itself; silent where standard error is no
    terminal."""

    def __init__(self) -> None:
        self.due = perf_counter() + PATIENCE
        self.is_shown = False

    def show(self, text: str) -> None:
        if perf_counter() >= self.due and sys.stderr.isatty():
            print(f"\r\x1b[2K{text}", end="", file=sys.stderr, flush=True)
            self.due, self.is_shown = perf_counter() + PATIENCE / 4, True

    def clear(self) -> None:
        if self.is_shown:
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """Give a function to be called with the number of things done so far."""
    line = _Line()
    try:
        yield lambda done: line.show(f"{done:,} {what} ...")
    finally:
        line.clear()


@contextmanager
def thinking(text: str | Callable[[], str]) -> Iterator[None]:
    """Show `text` and the seconds spent while what is done takes longer than a second."""
    line, began, is_done = _Line(), perf_counter(), Event()

    def tick() -> None:
        while not is_done.wait(PATIENCE / 4):
            line.show(
                f"{text if isinstance(text, str) else text()} ... {perf_counter() - began:.0f} s"
            )

    ticker = Thread(target=tick, daemon=True)
    ticker.start()
    try:
        yield
    finally:
        is_done.set()
        ticker.join()
        line.clear()


@contextmanager
def searching() -> Iterator[Callable[..., Any]]:
    """Give a `search` that shows how deep it is and how long it has taken, and that Ctrl-C ends
    with what it has."""
    from plyscope.searching.search import search

    def shown(position: Any, **options: Any) -> Any:
        depths: list[str] = [""]

        def text() -> str:
            if getattr(sys.modules.get("plyscope.machine.store"), "compiling", ()):
                return "compiling the search, this once"
            return f"{options.get('algorithm', 'search')}{depths[-1]} (Ctrl-C stops)"

        def finished(done: Any) -> None:
            depths.append(
                f", depth {done.depth} finished, {done.nodes:,} nodes at {done.speed:,.0f}/s"
            )

        with thinking(text):
            return search(position, keep_interrupted=True, progress=finished, **options)

    yield shown
