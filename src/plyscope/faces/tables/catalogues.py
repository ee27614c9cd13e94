"""What there is, and how many positions a game has: `list`, `perft`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from plyscope.faces.tables import new_table, with_lines
from plyscope.faces.wording import number

if TYPE_CHECKING:
    from plyscope.rules.perft import PlyCount


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


def perft_table(name: str, rows: Sequence[PlyCount], is_cut: bool = False) -> RenderableType:
    """Return the counts ply by ply and their sums, which lack a part where the count `is_cut`."""
    has_classes = bool(rows) and rows[0].classes is not None
    counts = {
        "sequences": "sequences",
        "positions": "positions",
        **({"classes": "classes"} if has_classes else {}),
        "X wins": "first_wins",
        "O wins": "second_wins",
        "draws": "draws",
    }
    table = new_table(name, "ply", *counts)
    for row in rows:
        table.add_row(number(row.ply), *(number(getattr(row, key)) for key in counts.values()))
    table.add_section()
    sums = (sum(getattr(row, key) or 0 for row in rows) for key in counts.values())
    table.add_row("sum so far" if is_cut else "sum", *map(number, sums))
    games = f"{sum(row.games for row in rows):,} complete games"
    cut = f"interrupted in ply {len(rows)}: {games} before it, and the sums are cut"
    return with_lines(table, [cut if is_cut else games])
