"""Boards as text, with brackets around the last move and asterisks around the winning line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plyscope.faces.printed import Text
from plyscope.faces.wording import side_name
from plyscope.rules.cells import MAX_NUMBERED, letters
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position

STYLES = ("bold cyan", "bold yellow")
GAP = "    "
ROW_SHIFT_COLUMNS = 2
"""The indent of each row of a hexagonal board relative to the row above, in characters."""


def draw_board(
    position: Any,
    last: Any = None,
    width: int = 80,
    is_numbered: bool = True,
    marks: Mapping[int, str] = {},
) -> Text:
    """Return the board; levels of a cube are side by side as far as `width` columns allow.

    With `is_numbered`, empty cells show their numbers on boards of at most nine cells; under
    gravity columns are numbered. `marks` are shown on empty cells, by cell number, where cells do
    not show their numbers. A user-defined game is drawn by its own text.
    """
    if not isinstance(position, Position):
        return Text(str(position))
    game = position.game
    winning = position.winning_line()
    won = winning.mask if winning is not None else 0
    levels = [
        _draw_level(position, level, last, won, is_numbered, marks)
        for level in range(game.size // (game.width * game.height))
    ]
    per_row = max(1, (width + len(GAP)) // (len(levels[0][0].plain) + len(GAP)))
    text = Text()
    for begin in range(0, len(levels), per_row):
        for lines in zip(*levels[begin : begin + per_row], strict=True):
            for number, line in enumerate(lines):
                text.append(GAP if number else "").append(line)
            text.append("\n")
    return text.rstrip()


def _draw_level(
    position: Position,
    level: int,
    last: int | None,
    won: int,
    is_numbered: bool,
    marks: Mapping[int, str],
) -> list[Text]:
    """Return the lines of one level, all of one length; if there are several levels, its letter is
    on top."""
    game = position.game
    is_flat = len(game.shape) == 2 and not game.hexagonal and not game.gravity
    if is_numbered and is_flat and game.size <= MAX_NUMBERED:
        return _draw_numbered(position, last, won)
    if game.hexagonal:
        return _draw_slanted(position, last, won)
    cell_width = max(3, len(_column_name(game, game.width - 1)) + 2)
    margin = len(str(game.height)) + 1
    lines = []
    if game.size > game.width * game.height:
        lines.append(Text(f"level {letters(level)}".center(margin + cell_width * game.width)))
    for row in range(game.height):
        line = Text(f"{game.height - row:>{margin - 1}} ", style="dim")
        for column in range(game.width):
            cell = level * game.width * game.height + row * game.width + column
            mark = marks.get(cell, "·")
            line.append(_draw_cell(position, cell, cell_width, last, won, mark))
        lines.append(line)
    names = "".join(_column_name(game, column).center(cell_width) for column in range(game.width))
    lines.append(Text(" " * margin + names, style="dim"))
    return lines


def _draw_numbered(position: Position, last: int | None, won: int) -> list[Text]:
    """Return the lines of a small board: a grid whose empty cells show their numbers."""
    game = position.game
    rows = []
    for row in range(game.height):
        if row:
            rows.append(Text("┼".join(["───"] * game.width), style="dim"))
        cells = range(row * game.width, (row + 1) * game.width)
        line = Text()
        for cell in cells:
            line.append("│" if len(line) else "", "dim")
            line.append(_draw_cell(position, cell, 3, last, won, str(cell + 1)))
        rows.append(line)
    return rows


def _draw_slanted(position: Position, last: int | None, won: int) -> list[Text]:
    """Return the lines of a hexagonal board; a column's letter is below its lowest cell, half a
    cell further right."""
    game = position.game
    places = {(x, y): y * game.width + x for y in range(game.height) for x in range(game.width)}
    places = {at: cell for at, cell in places.items() if game.board >> cell & 1}
    lowest = dict(sorted(places, key=lambda at: at[1]))
    left = min(2 * x + y for x, y in places)
    margin = len(str(game.height)) + 1
    lines = []
    for row in range(game.height + 1):
        name = game.height - row
        line = Text(f"{name if name else '':>{margin - 1}} ", style="dim")
        for x in range(game.width):
            begin = margin + ROW_SHIFT_COLUMNS * (2 * x + row - left)
            if (x, row) in places:
                line.append(" " * (begin - len(line)))
                line.append(_draw_cell(position, places[x, row], 3, last, won))
            elif lowest.get(x) == row - 1:
                line.append(" " * (begin - len(line)) + f" {letters(x)} ", style="dim")
        lines.append(line)
    width = max(map(len, lines))
    for line in lines:
        line.append(" " * (width - len(line)))
    return lines


def _draw_cell(
    position: Position,
    cell: int,
    width: int,
    last: int | None,
    won: int,
    empty: str = "·",
) -> Text:
    side = position.owner(cell)
    mark = "*" if won >> cell & 1 else "[" if cell == last else " "
    if position.game.holes >> cell & 1:
        return Text(" " * width)
    if side is None:
        return Text(empty.center(width), style="dim")
    return Text(
        f"{mark}{side_name(side)}{']' if mark == '[' else mark}".center(width),
        style=STYLES[side] + (" reverse" if mark == "*" else ""),
    )


def _column_name(game: LineGame, column: int) -> str:
    return str(column + 1) if game.gravity and game.width <= 9 else letters(column)
