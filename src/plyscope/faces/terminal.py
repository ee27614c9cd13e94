"""The console that tables, boards and trees are printed on."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from itertools import accumulate
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Span, Text

from plyscope.faces.signs import plain, shown

NO_TERMINAL = 120
"""Columns where nothing says how wide the output is."""


class Terminal(Console):
    """A console on which text means itself: no markup, no emoji, no control characters.

    Signs are plain ones where the encoding needs that.
    """

    @property
    def encoding(self) -> str:
        """Always one that has the lines of tables, which the stream puts in plain signs."""
        return "utf-8"

    def print(self, *objects: Any, **options: Any) -> None:
        """Print; what is no terminal gets no blanks at the ends of lines."""
        if self.is_terminal:
            super().print(*objects, **options)
            return
        with self.capture() as printed:
            super().print(*objects, **options)
        self.file.write(re.sub(r" +(?=\n|$)", "", printed.get()))

    def on_broken_pipe(self) -> None:
        """Leave it to the command line."""
        raise BrokenPipeError

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Render a text as the stream can carry it."""
        return super().render(
            self._carried(renderable) if isinstance(renderable, Text) else renderable, options
        )

    def render_str(self, text: str, **options: Any) -> Text:
        """Return the text of a cell or a title as the stream can carry it."""
        return self._carried(
            super().render_str(
                text, **{**options, "markup": False, "emoji": False, "highlight": False}
            )
        )

    def _carried(self, text: Text) -> Text:
        """Return the text as the stream can carry it, each style on the letters it was on."""
        encoding = getattr(self.file, "encoding", None) or "utf-8"
        letters = [
            letter if letter in "\n\t" else plain(shown(letter), encoding) for letter in text.plain
        ]
        if "".join(letters) == text.plain:
            return text
        ends = [0, *accumulate(map(len, letters))]
        carried = text.blank_copy("".join(letters))
        carried.spans = [
            Span(ends[span.start], ends[min(span.end, len(letters))], span.style)
            for span in text.spans
        ]
        return carried


def terminal(stderr: bool = False) -> Terminal:
    """Return the console to print on: as wide as COLUMNS says, else as the terminal, 120 columns
    where there is none; NO_COLOR leaves no style at all."""
    stream = sys.stderr if stderr else sys.stdout
    columns = os.environ.get("COLUMNS", "")
    is_said = columns.isdecimal() and 0 < int(columns) < 100_000
    return Terminal(
        stderr=stderr,
        highlight=False,
        markup=False,
        emoji=False,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        width=int(columns) if is_said else None if stream.isatty() else NO_TERMINAL,
    )
