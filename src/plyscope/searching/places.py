"""Places: the source line of a reference algorithm that sent each event.

The reference forms are short enough to be shown next to the tree that they search, so no pseudocode
has to be kept in agreement with them by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

from plyscope.searching.events import Event, Watcher

REFERENCE = "plyscope.searching.reference."


class Place(NamedTuple):
    """A line of a module; 0 if the event was not sent by an algorithm but by its driver."""

    module: str
    line: int

    def __str__(self) -> str:
        return f"line {self.line} of {self.module}" if self.line else "the driver"


def located(watch: Callable[[Event, Place], None]) -> Watcher:
    """Return a watcher that passes on each event with the line that sent it, at about 0.3 µs."""

    def watcher(event: Event) -> None:
        watch(event, _running_line())

    return watcher


def _running_line() -> Place:
    """Return the innermost line of a reference algorithm in the stack of this thread."""
    frame = sys._getframe(2)
    while (module := frame.f_globals.get("__name__", "")) and not module.startswith(REFERENCE):
        if frame.f_back is None:
            return Place("", 0)
        frame = frame.f_back
    return Place(module, frame.f_lineno)
