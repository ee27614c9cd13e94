"""Small boards for the nodes of a tree: of a line game the board as it is drawn everywhere, without
coordinates; of any other game its text."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any, NamedTuple

from plyscope.faces.diagrams.board import drawing_style
from plyscope.faces.diagrams.ground import Ground, Place, ground_of, stones_of
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
COARSE = ("star", "beyond")
"""What is left out of a small board."""
STYLE = f"""
.board{{fill:#fff;stroke:#8c959f;stroke-width:.8}}.pv .board{{stroke:#0550ae;stroke-width:2.4}}
.current .board{{fill:#ffe28a}}.taken{{fill:#ffe28a;stroke:none}}
.letters{{font:8px ui-monospace,Menlo,Consolas,monospace;text-anchor:start}}
{drawing_style()}
@media(prefers-color-scheme:dark){{.board{{fill:#161b22}}.pv .board{{stroke:#79c0ff}}
.current .board,.taken{{fill:#6b5300}}}}
"""


Drawn = tuple[str, str, Place]
"""The class and the data of a path, and where it is moved."""


class SmallBoard(NamedTuple):
    """A position as rows of signs."""

    rows: tuple[str, ...]
    is_grid: bool
    """Whether each sign is a cell: x, o, `.` for an empty one, a space for none."""
    last: tuple[int, int] | None = None
    """The row and the column of the cell that was taken last."""
    ground: Ground | None = None
    """What the cells of a grid are drawn on."""

    @property
    def cell(self) -> int:
        """The width of a cell of a grid."""
        return max(LEAST_CELL, min(CELL, int(WIDE // max(1, self.extent[0]))))

    @property
    def extent(self) -> tuple[float, float]:
        """The width and the height of a grid, in cells: levels stand a cell apart."""
        if self.ground is None:
            return 0, 0
        levels, (_, _, width, height) = len(self.ground.levels), self.ground.box
        return levels * (width + 1) - 1, height

    @property
    def size(self) -> tuple[float, float]:
        """The width and the height of the drawing."""
        if self.is_grid:
            return self.extent[0] * self.cell + 2, self.extent[1] * self.cell + 2
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
        return SmallBoard(rows, True, None, ground_of(game))
    column, row = coordinates(game.shape, move)[:2]
    last = row, move // plane * (game.width + 1) + column
    return SmallBoard(rows, True, last, ground_of(game))


def small_board_svg(board: SmallBoard, x: float, y: float) -> str:
    """Return the drawing, its middle above `x` and its top at `y`."""
    width, height = board.size
    left = x - width / 2
    frame = f'x="{left:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2"'
    ground = board.ground
    if ground is None:
        drawing = _letters(board, left + PAD, y)
    else:
        paths = "".join(map(_path, _cells(board, ground)))
        scale = f"translate({left + 1:.1f} {y + 1:.1f}) scale({board.cell})"
        drawing = f'<g class="drawn little" transform="{scale}">{paths}</g>'
    return f'<rect class="board" {frame}/>{drawing}'


def _path(drawn: Drawn) -> str:
    kind, data, (x, y) = drawn
    moved = f' transform="translate({x:.3f} {y:.3f})"' if x or y else ""
    return f'<path class="{kind}" d="{data}"{moved}/>'


def _cells(board: SmallBoard, ground: Ground) -> Iterator[Drawn]:
    """Yield the levels, the cell that was taken, and of each kind of stone one path."""
    left, top, width, _ = ground.box
    for number, level in enumerate(ground.levels):
        for kind, data in (*level.ground, *level.front):
            if kind not in COARSE:
                yield kind, data, (number * (width + 1) - left, -top)
    stones: dict[str, str] = {}
    for row, signs in enumerate(board.rows):
        for column, sign in enumerate(signs):
            number, within = divmod(column, ground.columns + 1)
            x, y = ground.centre(row * ground.columns + within)
            place = f"M{x - left + number * (width + 1):.3f} {y - top:.3f}"
            if (row, column) == board.last:
                yield "taken", f"{place}m-.5-.5h1v1h-1z", (0, 0)
            for kind, data in stones_of(ground).get(sign, ()):
                stones[kind] = stones.get(kind, "") + place + data
    for kind in sorted(stones, key="engraved".__eq__):
        yield kind, stones[kind], (0, 0)


def _letters(board: SmallBoard, left: float, top: float) -> str:
    rows = [escape(row.replace(" ", "\u00a0")) for row in board.rows]
    spans = "".join(
        f'<tspan x="{left:.1f}" y="{top + PAD + ROW * (number + 0.8):.1f}">{row}</tspan>'
        for number, row in enumerate(rows)
    )
    return f'<text class="letters">{spans}</text>'
