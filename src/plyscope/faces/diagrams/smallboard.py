"""Small boards for the nodes of a tree: of a line game its cells, of any other game its text."""

from __future__ import annotations

from html import escape
from typing import Any, NamedTuple

from plyscope.rules.cells import coordinates
from plyscope.rules.game import SIDES
from plyscope.rules.linegame import LineGame
from plyscope.rules.tree import ExplicitTree

MOST_ROWS, MOST_COLUMNS = 16, 40
"""How much of a text is shown."""
WIDE = 72
"""A board's width on which its cells have no more than their greatest size."""
CELL, LEAST_CELL = 10, 4
LETTER, ROW, PAD = 5.0, 9.5, 4
"""The width of a letter, the height of a row, and the room round a text."""
STYLE = """
.board{fill:#fff;stroke:#8c959f;stroke-width:.8}.pv .board{stroke:#0550ae;stroke-width:2.4}
.current .board{fill:#ffe28a}.cells{fill:none;stroke:#8c959f;stroke-width:.6}
.taken{fill:#ffe28a;stroke:none}.x,.o{fill:none;stroke:#0550ae;stroke-width:1.4}.o{stroke:#9a4a00}
.letters{font:8px ui-monospace,Menlo,Consolas,monospace;text-anchor:start}
@media(prefers-color-scheme:dark){.board{fill:#161b22}.pv .board{stroke:#79c0ff}
.current .board,.taken{fill:#6b5300}.x{stroke:#79c0ff}.o{stroke:#ffb77c}}
"""


class SmallBoard(NamedTuple):
    """A position as rows of signs."""

    rows: tuple[str, ...]
    is_grid: bool
    """Whether each sign is a cell: x, o, `.` for an empty one, a space for none."""
    last: tuple[int, int] | None = None
    """The row and the column of the cell that was taken last."""

    @property
    def cell(self) -> int:
        """The width of a cell of a grid."""
        return max(LEAST_CELL, min(CELL, WIDE // max(1, self._columns)))

    @property
    def size(self) -> tuple[float, float]:
        """The width and the height of the drawing."""
        if self.is_grid:
            return self._columns * self.cell + 2, len(self.rows) * self.cell + 2
        return self._columns * LETTER + 2 * PAD, len(self.rows) * ROW + 2 * PAD

    @property
    def _columns(self) -> int:
        return max(map(len, self.rows))


def small_board(game: Any, position: Any, move: Any = None) -> SmallBoard | None:
    """Return the board after `move`; None for an explicit tree, whose nodes have names."""
    if isinstance(game, ExplicitTree):
        return None
    if isinstance(game, LineGame):
        return _grid(game, position, move)
    rows = str(game.format(position)).splitlines() or [""]
    shown = [row if len(row) <= MOST_COLUMNS else f"{row[: MOST_COLUMNS - 1]}…" for row in rows]
    return SmallBoard(tuple([*shown[: MOST_ROWS - 1], "…"] if rows[MOST_ROWS:] else shown), False)


def _grid(game: LineGame, position: Any, move: int | None) -> SmallBoard:
    """Return the cells of a line game; levels of a cube stand side by side."""
    plane = game.width * game.height
    owners = [position.owner(cell) for cell in range(game.size)]
    signs = "".join(
        SIDES[owner] if owner is not None else " " if game.holes >> cell & 1 else "."
        for cell, owner in enumerate(owners)
    )
    rows = tuple(
        " ".join(signs[at + row : at + row + game.width] for at in range(0, game.size, plane))
        for row in range(0, plane, game.width)
    )
    if move is None:
        return SmallBoard(rows, True)
    column, row = coordinates(game.shape, move)[:2]
    return SmallBoard(rows, True, (row, move // plane * (game.width + 1) + column))


def small_board_svg(board: SmallBoard, x: float, y: float) -> str:
    """Return the drawing, its middle above `x` and its top at `y`."""
    width, height = board.size
    left = x - width / 2
    frame = f'x="{left:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2"'
    drawing = _cells(board, left + 1, y + 1) if board.is_grid else _letters(board, left + PAD, y)
    return f'<rect class="board" {frame}/>{drawing}'


def _cells(board: SmallBoard, left: float, top: float) -> str:
    size, r = board.cell, board.cell * 0.3
    paths = {"taken": "", "cells": "", "x": "", "o": ""}
    for at_row, row in enumerate(board.rows):
        for at_column, sign in enumerate(row):
            x, y = left + at_column * size, top + at_row * size
            square = f"M{x:.1f} {y:.1f}h{size}v{size}h-{size}z"
            if sign != " ":
                paths["cells"] += square
            if (at_row, at_column) == board.last:
                paths["taken"] += square
            x, y = x + size / 2, y + size / 2
            if sign == "x":
                paths["x"] += f"M{x - r:.1f} {y - r:.1f}l{2 * r:.1f} {2 * r:.1f}"
                paths["x"] += f"m0 -{2 * r:.1f}l-{2 * r:.1f} {2 * r:.1f}"
            elif sign == "o":
                arc = f"a{r:.1f} {r:.1f} 0 1 0"
                paths["o"] += f"M{x - r:.1f} {y:.1f}{arc} {2 * r:.1f} 0{arc} -{2 * r:.1f} 0"
    return "".join(f'<path class="{name}" d="{path}"/>' for name, path in paths.items() if path)


def _letters(board: SmallBoard, left: float, top: float) -> str:
    rows = [escape(row.replace(" ", "\u00a0")) for row in board.rows]
    spans = "".join(
        f'<tspan x="{left:.1f}" y="{top + PAD + ROW * (number + 0.8):.1f}">{row}</tspan>'
        for number, row in enumerate(rows)
    )
    return f'<text class="letters">{spans}</text>'
