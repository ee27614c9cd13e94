"""The source lines of reference algorithms, which are shown beside the tree that they search."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from importlib import import_module

from plyscope.searching.places import REFERENCE


def source_lines(modules: Iterable[str]) -> dict[str, list[tuple[int, str]]]:
    """Return the numbered source lines of reference algorithms, without docstrings and `search()`.

    Other modules are ignored.
    """
    shown = {}
    for name in dict.fromkeys(modules):
        if name.startswith(REFERENCE):
            source = inspect.getsource(import_module(name))
            lines = source.splitlines()
            shown[name] = [(number, lines[number - 1]) for number in _code_lines(source)]
    return shown


def _code_lines(source: str) -> Iterator[int]:
    """Yield the line numbers of functions and classes without their docstrings."""
    for item in ast.parse(source).body:
        if not isinstance(item, ast.FunctionDef | ast.ClassDef) or item.name == "search":
            continue
        hidden = range(0)
        if ast.get_docstring(item) is not None:
            hidden = range(item.body[0].lineno, (item.body[0].end_lineno or 0) + 1)
        end = item.end_lineno or item.lineno
        yield from (number for number in range(item.lineno, end + 1) if number not in hidden)
