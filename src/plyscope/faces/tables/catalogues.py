"""What there is: `list`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from plyscope.faces.tables import new_table


def catalogue_table(title: str, rows: Sequence[dict[str, Any]]) -> RenderableType:
    """Return a catalogue's rows; yes and no for what is true or false."""
    numbers = [key for key, value in rows[0].items() if type(value) is int]
    table = new_table(title, *rows[0], left=[key for key in rows[0] if key not in numbers])
    for row in rows:
        table.add_row(*map(_cell, row.values()))
    return table


def names_table(catalogues: Mapping[str, Sequence[dict[str, Any]]]) -> RenderableType:
    """Return the names in each catalogue, below what it is."""
    parts: list[RenderableType] = []
    for what, rows in catalogues.items():
        parts.append(Text(f"{what}:", style="bold"))
        parts.append(Padding(Text(", ".join(row["name"] for row in rows)), (0, 0, 0, 2)))
    return Group(*parts)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
