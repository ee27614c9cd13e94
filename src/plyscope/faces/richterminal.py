"""The terminal that prints with styles, by rich."""

from __future__ import annotations

from typing import TextIO

from rich import box, table
from rich.console import Console, Group, RenderableType
from rich.text import Text as RichText

from plyscope.faces.printed import Grid, Printed, Table, Text
from plyscope.faces.terminal import Terminal, column_widths, pads_of


class _Console(Console):
    """A console that leaves errors of the output to the command line."""

    @property
    def encoding(self) -> str:
        """UTF-8, so that rich draws tables with lines; the output replaces them if necessary."""
        return "utf-8"

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError, which the command line handles."""
        raise BrokenPipeError


class RichTerminal(Terminal):
    """A terminal that prints the lines of `Terminal` with styles."""

    def __init__(self, file: TextIO, width: int | None = None) -> None:
        super().__init__(file, width)
        self._console = _Console(file=file, highlight=False, markup=False, emoji=False)

    def print(self, printed: Printed = "", style: str = "", soft_wrap: bool = False) -> None:
        """Print with styles."""
        self._console.width = self.width
        self._console.print(self._rich(printed), style=style or None, soft_wrap=soft_wrap)

    def _rich(self, printed: Printed) -> RenderableType:
        if isinstance(printed, str):
            return RichText(self.carried(printed))
        if isinstance(printed, Text):
            text = RichText(no_wrap=printed.is_cut, overflow="ellipsis" if printed.is_cut else None)
            for piece, style in printed.pieces:
                text.append(self.carried(piece), style)
            return text
        if isinstance(printed, Table):
            return self._rich_table(printed)
        if isinstance(printed, Grid):
            grid = table.Table.grid(padding=(0, printed.gap, 0, 0))
            for _ in printed.texts[: printed.per_row]:
                grid.add_column(width=printed.width, overflow="fold")
            for begin in range(0, len(printed.texts), printed.per_row):
                grid.add_row(*map(self._rich, printed.texts[begin : begin + printed.per_row]))
            return grid
        return Group(*map(self._rich, printed))

    def _rich_table(self, printed: Table) -> table.Table:
        drawn = table.Table(
            title=RichText(self.carried(printed.title)) if printed.title else None,
            title_justify="left",
            title_style="bold",
            box=box.SIMPLE_HEAD,
            pad_edge=False,
        )
        rows = [[column.name for column in printed.columns], *(row.cells for row in printed.rows)]
        cells = [[self.carried(cell) for cell in row] for row in rows]
        widths, pads = column_widths(printed.columns, cells, self.width), pads_of(printed.columns)
        for column, width, pad in zip(printed.columns, widths, pads, strict=True):
            drawn.add_column(
                self._rich(column.name),
                justify="left" if column.is_left else "right",
                overflow="fold",
                no_wrap=column.is_fixed,
                min_width=max(0, width - pad),
                max_width=max(1, width - pad),
            )
        for row in printed.rows:
            if not row.cells:
                drawn.add_section()
                continue
            placed = zip(printed.columns, row.cells, strict=False)
            drawn.add_row(
                *(self._rich(Text(cell, is_cut=column.is_cut)) for column, cell in placed),
                style=row.style,
            )
        return drawn
