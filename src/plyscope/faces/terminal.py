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

DEFAULT_COLUMNS = 120
"""The width in columns if the output is no terminal and COLUMNS is not set."""


class Terminal(Console):
    """A console that prints text literally: no markup, no emoji codes, no control characters.

    Characters that the output's encoding lacks are replaced.
    """

    @property
    def encoding(self) -> str:
        """UTF-8, so that rich draws tables with lines; the output replaces them if necessary."""
        return "utf-8"

    def print(self, *objects: Any, **options: Any) -> None:
        """Print; if the output is no terminal, without spaces at the ends of lines."""
        if self.is_terminal:
            super().print(*objects, **options)
            return
        with self.capture() as printed:
            super().print(*objects, **options)
        self.file.write(re.sub(r" +(?=\n|$)", "", printed.get()))

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError, which the command line handles."""
        raise BrokenPipeError

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Render a text with the characters that the output's encoding has."""
        return super().render(
            self._carried(renderable) if isinstance(renderable, Text) else renderable, options
        )

    def render_str(self, text: str, **options: Any) -> Text:
        """Return the text of a cell or title with the characters that the encoding has."""
        return self._carried(
            super().render_str(
                text, **{**options, "markup": False, "emoji": False, "highlight": False}
            )
        )

    def _carried(self, text: Text) -> Text:
        """Return the text with the characters that the encoding has, and with the same styles."""
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
    """Return the console for standard output or standard error.

    Its width is COLUMNS if set, else that of the terminal, else DEFAULT_COLUMNS. NO_COLOR disables
    all styles.
    """
    stream = sys.stderr if stderr else sys.stdout
    columns = os.environ.get("COLUMNS", "")
    is_said = columns.isdecimal() and 0 < int(columns) < 100_000
    return Terminal(
        stderr=stderr,
        highlight=False,
        markup=False,
        emoji=False,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        width=int(columns) if is_said else None if stream.isatty() else DEFAULT_COLUMNS,
    )
