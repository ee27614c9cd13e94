"""Results as tables for the terminal, a file for the commands of one subject."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

__all__ = ["cut", "new_table", "with_lines"]


def new_table(title: str, *columns: str, left: Sequence[str] = ()) -> Table:
    """Return a table without rows; the `left` columns hold text, the others numbers."""
    table = Table(
        title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False
    )
    for column in columns:
        table.add_column(column, justify="left" if column in left else "right", overflow="fold")
    return table


def cut(name: str) -> Text:
    """Return a cell that stays on one line, cut where the table is too wide for the output."""
    return Text(name, no_wrap=True, overflow="ellipsis")


def with_lines(table: RenderableType, lines: Iterable[str]) -> RenderableType:
    """Return the table with lines of text below it."""
    return Group(table, *map(Text, lines))
