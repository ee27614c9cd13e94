"""Runs the examples of the documents in a browser's worker, where the reader may change them.

An example is Python, as after the prompt `>>>` or in a cell of a notebook, or lines with commands
of plyscope. All examples of a page share their names and one folder, which has the files of
`plyscope examples`.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import shlex
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plyscope.errors import PlyscopeError

FILE = "<example>"
"""The name of an example in a traceback."""


class Examples:
    """The examples of one page.

    `folder` is made if it is not there; it becomes the current one of this process.
    """

    def __init__(self, folder: str) -> None:
        from plyscope.faces.cli import run

        Path(folder).mkdir(parents=True, exist_ok=True)
        os.chdir(folder)
        sys.path.insert(0, folder)
        with contextlib.redirect_stdout(io.StringIO()):
            run(["examples", "examples"])
        self.names: dict[str, Any] = {"__name__": "__main__"}

    def run(self, kind: str, text: str) -> str:
        """Run an example, and return what it shows as JSON: `[{"text": ...}, {"html": ...}, ...]`.

        A `pycon` example shows the value of each expression, as Python's prompt does; a `python`
        example that of its last line, as a notebook does; a `console` example has a command in
        each line, with or without `$ ` before it. Whatever fails is shown too, and ends it.
        """
        shown: list[dict[str, str]] = []
        printed = io.StringIO()

        def show_printed() -> None:
            if said := printed.getvalue():
                shown.append({"text": said})
            printed.seek(0)
            printed.truncate()

        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            for part in self._commands(text) if kind == "console" else self._values(kind, text):
                show_printed()
                shown.append(part)
        show_printed()
        return json.dumps(shown)

    def _commands(self, text: str) -> Iterator[dict[str, str]]:
        """Run the commands; yield the refusal of a line that is none."""
        from plyscope.faces.cli import run

        for line in filter(None, map(str.strip, text.splitlines())):
            try:
                words = shlex.split(line.removeprefix("$ "))
            except ValueError as error:
                yield {"text": f"{line!r}: {error}; expected a command of plyscope\n"}
                return
            if words[0] != "plyscope":
                yield {"text": f"{words[0]!r} does not run here; expected a command of plyscope\n"}
                return
            with contextlib.suppress(SystemExit):
                run(words[1:])

    def _values(self, kind: str, text: str) -> Iterator[dict[str, str]]:
        """Run the statements, and yield the values that are shown, and the error."""
        try:
            statements = ast.parse(text, FILE).body
            for statement in statements:
                if not isinstance(statement, ast.Expr):
                    module = ast.Module([statement], [])
                    exec(compile(module, FILE, "exec"), self.names)
                    continue
                value = eval(compile(ast.Expression(statement.value), FILE, "eval"), self.names)
                if value is None:
                    continue
                self.names["_"] = value
                if kind == "pycon":
                    yield {"text": f"{value!r}\n"}
                elif statement is statements[-1]:
                    yield _drawn(value)
        except PlyscopeError as error:
            yield {"text": f"{type(error).__name__}: {error}\n"}
        except Exception as error:
            yield {"text": "".join(_lines_of(error))}


def _drawn(value: Any) -> dict[str, str]:
    """Return a value as a notebook shows it."""
    draw = getattr(value, "_repr_html_", None)
    html = draw() if draw is not None else None
    return {"html": html} if html else {"text": f"{value!r}\n"}


def _lines_of(error: Exception) -> list[str]:
    """Return the lines of a traceback that begins in the example."""
    frames = traceback.extract_tb(error.__traceback__)
    first = next((n for n, frame in enumerate(frames) if frame.filename == FILE), len(frames))
    lines = traceback.format_list(frames[first:])
    head = ["Traceback (most recent call last):\n"] if lines else []
    return [*head, *lines, *traceback.format_exception_only(error)]
