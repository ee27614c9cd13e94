"""Runs a solver's kernel beside Python, so that Ctrl-C and a deadline reach it and progress can be told."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from time import perf_counter
from typing import Any

__all__ = ["OUT_OF_NODES", "Compiled", "Stopped", "run_beside"]

OUT_OF_NODES = "nodes"
GLANCE = 0.05
"""Seconds between two looks for Ctrl-C."""


class Stopped(Exception):
    """Raised when a solver was stopped before it had an answer; the text says by what."""


class Compiled:
    """A solver that runs kernels: `entries`, all that have to be compiled for it."""

    entries: tuple[Any, ...]

    @property
    def is_ready(self) -> bool:
        """Whether everything is compiled."""
        return all(kernel.is_ready for kernel in self.entries)

    def prepare(self) -> None:
        """Compile what is needed, or load it."""
        for kernel in self.entries:
            kernel.prepare()


def run_beside(call: Callable[[], Any], stop: Callable[[], None], deadline: float | None, glance: Callable[[], None]) -> Any:
    """Return `call()`, which runs in a thread of its own; at the deadline and on Ctrl-C tell it to `stop` and raise Stopped or
    KeyboardInterrupt. `glance` is called now and then."""
    found: list[Any] = []
    raised: list[BaseException] = []

    def work() -> None:
        try:
            found.append(call())
        except BaseException as error:
            raised.append(error)

    thread = Thread(target=work, daemon=True)
    thread.start()
    is_late = False
    try:
        while thread.is_alive():
            thread.join(GLANCE)
            glance()
            if deadline is not None and perf_counter() > deadline:
                is_late = True
                stop()
                thread.join()
    except KeyboardInterrupt:
        stop()
        thread.join()
        raise
    if raised:
        raise raised[0]
    if is_late:
        raise Stopped("seconds")
    return found[0]
