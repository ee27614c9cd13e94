"""Progress of compilation in this process, for a viewer such as the page, else for the log."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

Viewer = Callable[[str], None]
"""`viewer(text)`: shows the name of what is being compiled and the seconds; empty at the end."""
USUAL_SECONDS = 10
"""The time that most compilations need at most: those of plyscope take 2 to 9 seconds of a core of
2 GHz."""
LOG_SECONDS = 2.0
"""The seconds of compiling before the log has a line about it, without a viewer."""


@contextmanager
def viewed(viewer: Viewer) -> Iterator[None]:
    """Send the progress of compilation in the block to `viewer`."""
    _viewers.append(viewer)
    try:
        yield
    finally:
        _viewers.remove(viewer)


@contextmanager
def compiles(what: str) -> Iterator[None]:
    """Note that the block compiles `what`; `report` shows it meanwhile, from another thread."""
    job = (what, perf_counter())
    _jobs.append(job)
    try:
        yield
    finally:
        _jobs.remove(job)


def text() -> str:
    """Return the name of the current compilation, its seconds so far and the most that are usual;
    empty if there is none."""
    for what, began in _jobs[-1:]:
        return f"{_said(what)}, {perf_counter() - began:.0f} of some {USUAL_SECONDS} s"
    return ""


def report() -> None:
    """Show the current compilation to the last viewer; without one, log it once, after
    LOG_SECONDS."""
    if _viewers:
        if (now := text()) != _shown[0]:
            _shown[0] = now
            _viewers[-1](now)
        return
    for what, began in _jobs[-1:]:
        if perf_counter() - began >= LOG_SECONDS and (what, began) != _logged[0]:
            _logged[0] = (what, began)
            logging.getLogger("plyscope").warning("plyscope: %s", _said(what))


def _said(what: str) -> str:
    return f"compiling {what}, once on this machine"


_viewers: list[Viewer] = []
_jobs: list[tuple[str, float]] = []
"""The names of current compilations, and their start times."""
_shown, _logged = [""], [("", 0.0)]
"""The text last shown to a viewer, and the job last logged."""
