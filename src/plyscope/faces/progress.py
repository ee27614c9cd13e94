"""Progress on standard error, for operations that take longer than a second. Where this is no
terminal, but a pipe or a notebook, one line is printed after five seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from math import inf
from shutil import get_terminal_size
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any

from plyscope.extras import why_no_kernels
from plyscope.progress import Count

if TYPE_CHECKING:
    from plyscope.searching.algorithm import SearchRequest
    from plyscope.searching.result import SearchResult

DELAY_SECONDS = 1.0
"""The delay before progress is shown; then it is updated four times in that time."""
PIPE_SECONDS = 5.0
"""The delay of the only line where standard error is no terminal."""
SLOW_SECONDS = 2.0
"""The seconds in plain Python after which a line says what would make it faster."""


class _Line:
    """A line on standard error that is overwritten, if this is a terminal. It is cut at the
    terminal's width, since a wrapped line cannot be overwritten."""

    def __init__(self) -> None:
        self.is_terminal = sys.stderr.isatty()
        self.due = perf_counter() + (DELAY_SECONDS if self.is_terminal else PIPE_SECONDS)
        self.is_shown = False

    def show(self, text: str) -> None:
        if perf_counter() < self.due:
            return
        if not self.is_terminal:
            self.due = inf
            print(f"plyscope: {text}", file=sys.stderr, flush=True)
            return
        text = text[: get_terminal_size().columns - 1]
        print(f"\r\x1b[2K{text}", end="", file=sys.stderr, flush=True)
        self.due, self.is_shown = perf_counter() + DELAY_SECONDS / 4, True

    def clear(self) -> None:
        if self.is_shown:
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)


@contextmanager
def counting(what: str) -> Iterator[Count]:
    """Yield a function to be called with the number of items done so far."""
    with telling() as tell:
        yield lambda done: tell(f"{done:,} {what} ...")


@contextmanager
def telling() -> Iterator[Callable[[str], None]]:
    """Yield a function to be called with a description of the progress; what is compiled meanwhile
    is shown too."""
    with _line() as line:
        yield line.show


@contextmanager
def _line() -> Iterator[_Line]:
    """Yield a line. On a terminal it also shows what is compiled; elsewhere the log has that."""
    line = _Line()
    try:
        with viewing_compiling(line.show) if line.is_terminal else nullcontext():
            yield line
    finally:
        line.clear()


def viewing_compiling(viewer: Callable[[str], None]) -> AbstractContextManager[None]:
    """Send what is compiled in the block to a viewer; without one, the log has a line about it."""
    try:
        from plyscope_fast.machine.compiling import viewed
    except ImportError:  # nothing is compiled
        return nullcontext()
    return viewed(viewer)


@contextmanager
def thinking(text: str | Callable[[], str]) -> Iterator[None]:
    """Show `text` and the elapsed seconds if the block takes longer than a second; while something
    is compiled, show that instead."""
    began, is_done = perf_counter(), Event()

    def tick(line: _Line) -> None:
        while not is_done.wait(DELAY_SECONDS / 4):
            compiling = sys.modules.get("plyscope_fast.machine.compiling")
            if not (compiling and compiling.text()):
                now = text if isinstance(text, str) else text()
                line.show(f"{now} ... {perf_counter() - began:.0f} s")

    if sys.platform == "emscripten":  # a browser has no threads
        yield
        return
    with _line() as line:
        ticker = Thread(target=tick, args=(line,), daemon=True)
        ticker.start()
        try:
            yield
        finally:
            is_done.set()
            ticker.join()


def shown_search(position: Any, **options: Any) -> SearchResult:
    """Search while showing the depth and the time; return the partial result on Ctrl-C."""
    from plyscope.searching.search import search

    depths: list[str] = [""]

    def text() -> str:
        return f"{options.get('algorithm', 'search')}{depths[-1]} (Ctrl-C stops)"

    def finished(depth: Any) -> None:
        cost = f"{depth.nodes:,} nodes at {depth.speed:,.0f}/s"
        depths.append(f", depth {depth.depth} finished, {cost}")

    with thinking(text):
        result = search(position, keep_interrupted=True, progress=finished, **options)
    if result.form == "reference":
        note_slow(result.seconds, lambda: remedy_of(result.request))
    return result


def remedy_of(request: SearchRequest) -> str:
    """Return what makes a search in the reference form faster the next time, empty if nothing."""
    from plyscope.rules.linegame import LineGame
    from plyscope.searching.accelerator import accelerator

    if request.form == "reference" or request.algorithm.compiled is None:
        return ""
    if why_not := why_no_kernels():
        return why_not
    if not isinstance(request.game, LineGame) or accelerator().refuses(request):
        return ""
    is_missing = accelerator().readiness(request).state == "missing"
    return "`plyscope warm` compiles the searches, once on this machine" if is_missing else ""


def note_slow(seconds: float, remedy: Callable[[], str]) -> None:
    """Add up the seconds of work in plain Python; after SLOW_SECONDS print once what would make it
    faster, if `remedy` returns something."""
    _slow.append(seconds)
    if sum(_slow) > SLOW_SECONDS >= sum(_slow[:-1]) and (said := remedy()):
        text = f"plain Python took {sum(_slow):.1f} s; machine code is faster: {said}"
        print(f"plyscope: note: {text}", file=sys.stderr)


_slow: list[float] = []
"""The seconds of work in plain Python so far."""
