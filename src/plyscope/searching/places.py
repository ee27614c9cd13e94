"""Places: the line of a reference algorithm that told each event.

The reference forms are short enough to be read beside the tree that they search, so what explains a
search can show the code that did it; a pseudocode of its own would have to be kept true by hand.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import NamedTuple

from plyscope.searching.events import Event, Watcher

REFERENCE = "plyscope.searching.reference."


class Place(NamedTuple):
    """A line of a module; the line is 0 where no algorithm told the event, but what drives it."""

    module: str
    line: int


def located(watch: Callable[[Event, Place], None]) -> Watcher:
    """Return a watcher that hands on each event with the line that told it, at some 0.3 µs each."""

    def watcher(event: Event) -> None:
        watch(event, _running_line())

    return watcher


def _running_line() -> Place:
    """Return the innermost line of a reference algorithm that is running in this thread."""
    frame = sys._getframe(2)
    while (module := frame.f_globals.get("__name__", "")) and not module.startswith(REFERENCE):
        if frame.f_back is None:
            return Place("", 0)
        frame = frame.f_back
    return Place(module, frame.f_lineno)


def source_lines(modules: Iterable[str]) -> dict[str, list[tuple[int, str]]]:
    """Return the algorithms of these modules as numbered lines, without docstrings and `search`.

    Modules that are no reference algorithms are left out.
    """
    shown = {}
    for name in dict.fromkeys(modules):
        if name.startswith(REFERENCE):
            source = inspect.getsource(import_module(name))
            lines = source.splitlines()
            shown[name] = [(number, lines[number - 1]) for number in _code_lines(source)]
    return shown


def _code_lines(source: str) -> Iterator[int]:
    """Yield the numbers of the lines of functions and classes but for their docstrings."""
    for item in ast.parse(source).body:
        if not isinstance(item, ast.FunctionDef | ast.ClassDef) or item.name == "search":
            continue
        hidden = range(0)
        if ast.get_docstring(item) is not None:
            hidden = range(item.body[0].lineno, (item.body[0].end_lineno or 0) + 1)
        end = item.end_lineno or item.lineno
        yield from (number for number in range(item.lineno, end + 1) if number not in hidden)
