"""The terminal on which texts, tables and boards are printed, without styles.

`richterminal` prints the same lines with styles.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby, zip_longest
from typing import TextIO
from unicodedata import category, east_asian_width

from plyscope.faces.printed import Column, Grid, Printed, Table, Text
from plyscope.faces.signs import plain, shown

DEFAULT_COLUMNS, DEFAULT_LINES, MIN_COLUMN = 120, 24, 3
"""The size if the output is no terminal and COLUMNS is not set, and the least width of
a column with the spaces beside it."""
UNKNOWN_SIZE = 80, 24
"""The size of a terminal that does not tell it."""
CLEAR, BEGIN_SCREEN, END_SCREEN = (
    "\x1b[2J\x1b[H",
    "\x1b[?1049h\x1b[H\x1b[?25l",
    "\x1b[?1049l\x1b[?25h",
)
"""Control sequences; the screen is a second one, without a cursor."""


class Terminal:
    """A terminal or file that prints text literally, without control characters.

    Characters that the encoding of `file` lacks are replaced. The width is `width` if given, else
    COLUMNS if set, else that of the terminal, else DEFAULT_COLUMNS.
    """

    def __init__(self, file: TextIO, width: int | None = None) -> None:
        self.file, self._width = file, width

    @property
    def is_terminal(self) -> bool:
        """Whether the output is a terminal."""
        return self.file.isatty()

    @property
    def width(self) -> int:
        """The width in columns."""
        columns = os.environ.get("COLUMNS", "")
        if self._width is None and columns.isdecimal() and 0 < int(columns) < 100_000:
            return int(columns)
        return self._width or self._size().columns

    @property
    def height(self) -> int:
        """The height in lines."""
        return self._size().lines

    def _size(self) -> os.terminal_size:
        if not self.is_terminal:
            return os.terminal_size((DEFAULT_COLUMNS, DEFAULT_LINES))
        with suppress(OSError):
            columns, lines = os.get_terminal_size(self.file.fileno())
            if columns and lines:
                return os.terminal_size((columns, lines))
        return os.terminal_size(UNKNOWN_SIZE)  # a terminal may not know its size

    def print(self, printed: Printed = "", style: str = "", soft_wrap: bool = False) -> None:
        """Print, and end the line; with `soft_wrap`, do not wrap long lines."""
        lines = self._lines(printed, sys.maxsize if soft_wrap else self.width)
        self.file.write("".join(f"{line.rstrip(' ')}\n" for line in lines))
        self.file.flush()

    def clear(self) -> None:
        """Clear the screen."""
        self._control(CLEAR)

    @contextmanager
    def screen(self) -> Iterator[None]:
        """Print on a second screen, and restore the first one afterwards."""
        self._control(BEGIN_SCREEN)
        try:
            yield
        finally:
            self._control(END_SCREEN)

    def _control(self, sequence: str) -> None:
        if self.is_terminal and os.environ.get("TERM") != "dumb":
            self.file.write(sequence)
            self.file.flush()

    def carried(self, text: str) -> str:
        """Return a text with the characters that the encoding has."""
        encoding = getattr(self.file, "encoding", None) or "utf-8"
        lines = text.expandtabs().split("\n")
        return "\n".join(plain(shown(line), encoding) for line in lines)

    def _lines(self, printed: Printed, width: int) -> Iterator[str]:
        """Yield the lines of what is printed, with spaces at their ends."""
        if isinstance(printed, str):
            yield from _wrapped(self.carried(printed), width)
        elif isinstance(printed, Text):
            fitted = _cut if printed.is_cut else _wrapped
            yield from fitted(self.carried(printed.plain), width)
        elif isinstance(printed, Table):
            yield from self._table(printed, width)
        elif isinstance(printed, Grid):
            for begin in range(0, len(printed.texts), printed.per_row):
                row = printed.texts[begin : begin + printed.per_row]
                drawn = [self._lines(text, printed.width) for text in row]
                for line in zip_longest(*drawn, fillvalue=""):
                    yield (" " * printed.gap).join(_padded(each, printed.width) for each in line)
        else:
            for part in printed:
                yield from self._lines(part, width)

    def _table(self, table: Table, width: int) -> Iterator[str]:
        """Yield the title, the head above a rule, and the rows, between blank lines."""
        columns = table.columns
        head = [self.carried(column.name) for column in columns]
        rows = [[self.carried(cell) for cell in row.cells] for row in table.rows]
        widths, margins = column_widths(columns, [head, *rows], width), len(columns) + 1
        if table.title:
            yield from _wrapped(self.carried(table.title), sum(widths) + margins)
        yield ""
        rooms = [each - pad for each, pad in zip(widths, pads_of(columns), strict=True)]
        names = [_fitted(*each, True) for each in zip(columns, head, rooms, strict=True)]
        height = max(map(len, names))
        yield from _row(columns, [[""] * (height - len(each)) + each for each in names], rooms)
        yield f" {'─' * (sum(widths) + margins - 2)}"
        sections = (part for is_row, part in groupby(rows, bool) if is_row)
        for number, section in enumerate(sections):
            yield from [""] if number else []
            for row in section:
                cells = [_fitted(*each) for each in zip(columns, row, rooms, strict=False)]
                yield from _row(columns, cells, rooms)
        yield ""


def _row(
    columns: Sequence[Column], cells: Sequence[Sequence[str]], rooms: Sequence[int]
) -> Iterator[str]:
    """Yield the lines of a row of cells, each of them a list of lines."""
    for line in zip_longest(*cells, fillvalue=""):
        aligned = [
            _padded(text, room, column.is_left)
            for column, text, room in zip(columns, line, rooms, strict=False)
        ]
        yield f" {'   '.join(aligned)}"


def pads_of(columns: Sequence[Column]) -> list[int]:
    """Return the spaces beside the cells of each column: one at each side, none at the edges."""
    return [(at > 0) + (at < len(columns) - 1) for at in range(len(columns))]


def column_widths(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int
) -> list[int]:
    """Return the widths of columns with the spaces beside their cells, in a table of `width`.

    If there is too little room, the widest columns shrink, to their longest word; then they break
    words, and shrink to MIN_COLUMN; then the fixed ones.
    """
    room = max(width - len(columns) - 1, MIN_COLUMN * len(columns))
    widths = []
    for at, pad in enumerate(pads_of(columns)):
        lines = [line for row in rows for cell in row[at : at + 1] for line in cell.split("\n")]
        widths.append(max(1, min(room, max(map(count_columns, lines)) + pad)))
    longest = [max(MIN_COLUMN, least) for least in _least_widths(columns, rows)]
    leasts = [least + pad for least, pad in zip(longest, pads_of(columns), strict=True)]
    flexible = [at for at, column in enumerate(columns) if not column.is_fixed]
    while sum(widths) > room:
        wide = [at for at in flexible if widths[at] > leasts[at]]
        if not wide and max(leasts) > MIN_COLUMN:
            leasts = [MIN_COLUMN] * len(leasts)
            continue
        if not wide:
            return _reduced(widths, range(len(widths)), room, leasts)
        widest = max(widths[at] for at in wide)
        second = max((widths[at] for at in wide if widths[at] < widest), default=MIN_COLUMN)
        ends = [max(second, least) for least in leasts]
        widths = _reduced(widths, [at for at in wide if widths[at] == widest], room, ends)
    return widths


def _least_widths(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the width of the longest word of each column that is not broken: words of the head,
    which is the first row, and those of right-aligned columns, which are numbers."""
    least = []
    for at, column in enumerate(columns):
        texts = [cell for row in rows[: 1 if column.is_left else None] for cell in row[at : at + 1]]
        words = [word for text in texts for word in text.split()]
        least.append(max(map(count_columns, words), default=0))
    return least


def _reduced(
    widths: Sequence[int], places: Sequence[int], room: int, least: Sequence[int]
) -> list[int]:
    """Return widths reduced evenly at `places`, until they fit into `room` or are `least`."""
    reduced, excess = [*widths], sum(widths) - room
    for left, at in zip(range(len(places), 0, -1), places, strict=True):
        cut = max(0, min(widths[at] - least[at], round(excess / left)))
        reduced[at] -= cut
        excess -= cut
    return reduced


def _fitted(column: Column, text: str, room: int, is_head: bool = False) -> list[str]:
    """Return the lines of a cell."""
    if column.is_fixed:
        return _cut(text, room, "")
    return _cut(text, room) if column.is_cut and not is_head else _wrapped(text, room)


def _cut(text: str, width: int, end: str = "…") -> list[str]:
    """Return the lines of a text; of lines that are too long, the beginning and `end`."""
    return [
        line
        if count_columns(line) <= width
        else _padded(next(_chopped(line, width - len(end))), width - len(end)) + end
        for line in text.split("\n")
    ]


def _wrapped(text: str, width: int) -> list[str]:
    """Return the lines of a text, broken at spaces; words that are too long break anywhere."""
    lines = []
    for line in text.split("\n"):
        current = ""
        for word in re.findall(r"\s*\S+\s*", line):
            length = count_columns(word.rstrip())
            if count_columns(current) + length > width:
                lines += [current] if current else []
                *whole, current = _chopped(word, width) if length > width else (word,)
                lines += whole
            else:
                current += word
        lines.append(current)
    return [line.rstrip() for line in lines]


def _chopped(text: str, width: int) -> Iterator[str]:
    """Yield the pieces of a text that is cut wherever `width` is reached."""
    begin = 0
    while begin < len(text):
        end = begin + 1
        while end < len(text) and count_columns(text[begin : end + 1]) <= width:
            end += 1
        yield text[begin:end]
        begin = end


def _padded(text: str, width: int, is_left: bool = True) -> str:
    """Return a text with spaces after it, or before it, as many as `width` needs."""
    spaces = " " * (width - count_columns(text))
    return text + spaces if is_left else spaces + text


def count_columns(text: str) -> int:
    """Return the columns that a text without control characters takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        0 if category(letter) in ("Mn", "Me") else 1 + (east_asian_width(letter) in "WF")
        for letter in text
    )


def terminal(stderr: bool = False) -> Terminal:
    """Return the terminal for standard output or standard error.

    It prints styles if rich is installed, except into files and if NO_COLOR is set.
    """
    file = sys.stderr if stderr else sys.stdout
    if (file.isatty() or os.environ.get("FORCE_COLOR")) and not os.environ.get("NO_COLOR"):
        with suppress(ImportError):
            from plyscope.faces.richterminal import RichTerminal

            return RichTerminal(file)
    return Terminal(file)
