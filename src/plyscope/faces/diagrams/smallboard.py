"""Small boards for the nodes of a tree: the usual drawing of a line game without coordinates, or
the text of any other game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any, NamedTuple

from plyscope.faces.diagrams.board import drawing_style
from plyscope.faces.diagrams.ground import Path, Place, ground_of, stones_of
from plyscope.rules.cells import coordinates
from plyscope.rules.game import SIDES
from plyscope.rules.linegame import LineGame
from plyscope.rules.tree import ExplicitTree

MAX_ROWS, MAX_COLUMNS = 16, 40
"""The rows and columns of a text that are shown."""
MAX_BOARD_PX = 72
"""The board width in pixels above which cells become smaller."""
CELL_PX, MIN_CELL_PX = 10, 4
LETTER_PX, ROW_PX, PADDING_PX = 5.0, 9.5, 4
"""The width of a letter, the height of a row, and the padding of a text."""
OMITTED_PARTS = ("star", "beyond")
"""The parts of a board that a small board omits."""
STYLE = f"""
.board{{fill:#fff;stroke:#8c959f;stroke-width:.8}}.pv .board{{stroke:#0550ae;stroke-width:2.4}}
.current .board{{fill:#ffe28a}}.taken{{fill:#ffe28a;stroke:none}}
.letters{{font:8px ui-monospace,Menlo,Consolas,monospace;text-anchor:start}}
{drawing_style()}
@media(prefers-color-scheme:dark){{.board{{fill:#161b22}}.pv .board{{stroke:#79c0ff}}
.current .board,.taken{{fill:#6b5300}}}}
"""


Drawn = tuple[str, str, Place]
"""The class and the data of a path, and its offset."""


@dataclass(frozen=True, kw_only=True)
class SmallDrawing:
    """The background of the small boards of a game, for files and for the page."""

    cell: int
    """The side of a cell in pixels. Other lengths, except `size`, are in cells."""
    size: Place
    """The width and the height of the drawing, in pixels."""
    levels: tuple[tuple[float, float, tuple[Path, ...]], ...]
    """The offset of each level, and its paths."""
    places: tuple[tuple[str, ...], ...]
    """The beginning of a path in the middle of each cell, by the rows of a board."""
    stones: dict[str, tuple[Path, ...]]


@lru_cache(maxsize=64)
def small_drawing(game: LineGame) -> SmallDrawing:
    """Return the background of a game's small boards; levels are one cell apart."""
    ground = ground_of(game)
    left, top, width, height = ground.box
    across = len(ground.levels) * (width + 1) - 1
    cell = max(MIN_CELL_PX, min(CELL_PX, int(MAX_BOARD_PX // max(1, across))))
    levels = tuple(
        (
            round(number * (width + 1) - left, 3),
            round(-top, 3),
            tuple(path for path in (*level.ground, *level.front) if path[0] not in OMITTED_PARTS),
        )
        for number, level in enumerate(ground.levels)
    )

    def place(row: int, column: int) -> str:
        number, within = divmod(column, game.width + 1)
        x, y = ground.centre(row * game.width + within)
        return f"M{x - left + number * (width + 1):.3f} {y - top:.3f}"

    columns = range(len(ground.levels) * (game.width + 1) - 1)
    places = tuple(tuple(place(row, at) for at in columns) for row in range(game.height))
    size = round(across * cell + 2, 2), round(height * cell + 2, 2)
    return SmallDrawing(
        cell=cell, size=size, levels=levels, places=places, stones=stones_of(ground)
    )


class SmallBoard(NamedTuple):
    """A position as rows of characters."""

    rows: tuple[str, ...]
    is_grid: bool
    """Whether each character is a cell: x, o, `.` if empty, a space if there is no cell."""
    last: tuple[int, int] | None = None
    """The row and column of the last move's cell."""
    drawing: SmallDrawing | None = None
    """The background of a grid."""

    @property
    def size(self) -> Place:
        """The width and the height of the drawing."""
        if self.drawing is not None:
            return self.drawing.size
        return max(map(len, self.rows)) * LETTER_PX + 2 * PADDING_PX, len(
            self.rows
        ) * ROW_PX + 2 * PADDING_PX

    def as_dict(self) -> dict[str, Any]:
        """Return the board as JSON-ready data, without the background, which the page has."""
        return {"rows": self.rows, "grid": self.is_grid, "last": self.last}


def small_board(game: Any, position: Any, move: Any = None) -> SmallBoard | None:
    """Return the board of `position`, with `move` as the last; None for an explicit tree."""
    if isinstance(game, ExplicitTree):
        return None
    if isinstance(game, LineGame):
        return _grid(game, position, move)
    rows = str(game.format(position)).splitlines() or [""]
    shown = [row if len(row) <= MAX_COLUMNS else f"{row[: MAX_COLUMNS - 1]}…" for row in rows]
    return SmallBoard(tuple([*shown[: MAX_ROWS - 1], "…"] if rows[MAX_ROWS:] else shown), False)


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
        return SmallBoard(rows, True, None, small_drawing(game))
    column, row = coordinates(game.shape, move)[:2]
    last = row, move // plane * (game.width + 1) + column
    return SmallBoard(rows, True, last, small_drawing(game))


def small_board_svg(board: SmallBoard, x: float, y: float) -> str:
    """Return the drawing, centred at `x`, with its top at `y`."""
    width, height = board.size
    left = x - width / 2
    frame = f'x="{left:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2"'
    if board.drawing is None:
        drawing = _letters(board, left + PADDING_PX, y)
    else:
        paths = "".join(map(_path, _cells(board, board.drawing)))
        scale = f"translate({left + 1:.1f} {y + 1:.1f}) scale({board.drawing.cell})"
        drawing = f'<g class="drawn little" transform="{scale}">{paths}</g>'
    return f'<rect class="board" {frame}/>{drawing}'


def _path(drawn: Drawn) -> str:
    kind, data, (x, y) = drawn
    moved = f' transform="translate({x:.3f} {y:.3f})"' if x or y else ""
    return f'<path class="{kind}" d="{data}"{moved}/>'


def _cells(board: SmallBoard, drawing: SmallDrawing) -> Iterator[Drawn]:
    """Yield the levels, the cell of the last move, and one path for each kind of stone."""
    for x, y, paths in drawing.levels:
        yield from ((kind, data, (x, y)) for kind, data in paths)
    stones: dict[str, str] = {}
    for row, signs in enumerate(board.rows):
        for sign, place in zip(signs, drawing.places[row], strict=True):
            for kind, data in drawing.stones.get(sign, ()):
                stones[kind] = stones.get(kind, "") + place + data
    if board.last is not None:
        yield "taken", f"{drawing.places[board.last[0]][board.last[1]]}m-.5-.5h1v1h-1z", (0, 0)
    for kind in sorted(stones, key="engraved".__eq__):
        yield kind, stones[kind], (0, 0)


def _letters(board: SmallBoard, left: float, top: float) -> str:
    rows = [escape(row.replace(" ", "\u00a0")) for row in board.rows]
    spans = "".join(
        f'<tspan x="{left:.1f}" y="{top + PADDING_PX + ROW_PX * (number + 0.8):.1f}">{row}</tspan>'
        for number, row in enumerate(rows)
    )
    return f'<text class="letters">{spans}</text>'
