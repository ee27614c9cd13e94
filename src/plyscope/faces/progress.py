"""Progress on standard error for whatever takes longer than a second, and nothing for what does not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from time import perf_counter
from typing import Any

__all__ = ["counting", "searching", "thinking"]

PATIENCE = 1.0
"""Seconds before anything is shown, and between two lines."""


class _Line:
    """One line on standard error that rewrites itself; silent where standard error is no terminal."""

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
        yield lambda done: line.show(f"{done:,} {what} …")
    finally:
        line.clear()


@contextmanager
def thinking(text: str) -> Iterator[None]:
    """Show `text` when what is done takes longer than a second."""
    line = _Line()
    timer = Timer(PATIENCE * 1.05, line.show, (text,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        line.clear()


@contextmanager
def searching() -> Iterator[Callable[..., Any]]:
    """Give a `search` that shows its depth and nodes, and that Ctrl-C ends with what it has."""
    from plyscope.searching.driver import search
    from plyscope.searching.events import Enter, Event

    line = _Line()

    def shown(position: Any, **options: Any) -> Any:
        nodes = 0

        def watch(event: Event) -> None:
            nonlocal nodes
            if isinstance(event, Enter):
                nodes += 1
                if nodes % 2048 == 0:
                    line.show(f"{options.get('algorithm', 'search')}: {nodes:,} nodes … (Ctrl-C stops)")

        return search(position, keep_interrupted=True, watch=watch if sys.stderr.isatty() else None, **options)

    try:
        yield shown
    finally:
        line.clear()
