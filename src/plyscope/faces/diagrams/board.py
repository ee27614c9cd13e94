"""A board as SVG: crosses and rings, or discs under gravity; levels side by side.

The last move is dotted, the winning line struck through.
"""

from __future__ import annotations

from html import escape

from plyscope.faces.diagrams.markup import svg_head
from plyscope.rules.cells import coordinates, letters
from plyscope.rules.game import FIRST, SIDES
from plyscope.rules.position import Position

CELL, MARGIN, GAP = 40, 22, 26
STYLE = """
.grid{fill:none;stroke:#8c959f}.x{stroke:#0550ae;stroke-width:5;fill:none;stroke-linecap:round}
.o{stroke:#9a4a00;stroke-width:5;fill:none}.disc.x{fill:#0550ae}.disc.o{fill:#fff0dd}
.label,.cell-label{font:12px system-ui,sans-serif;text-anchor:middle;fill:#57606a}
.won{stroke:#1a7f37;stroke-width:4;opacity:.75}.last{fill:#1a7f37}
@media(prefers-color-scheme:dark){
.x{stroke:#79c0ff}.o{stroke:#ffb77c}.disc.x{fill:#79c0ff}.disc.o{fill:#4a2b0a}
.label,.cell-label{fill:#9da7b1}.won{stroke:#56d364}.last{fill:#56d364}}
"""


def board_svg(
    position: Position, labels: dict[int, str] | None = None, last: int | None = None
) -> str:
    """Return the drawing of a position; `labels` writes a short text on empty cells, by cell."""
    game, labels = position.game, labels or {}
    level_width = MARGIN + game.width * CELL + GAP
    levels = game.size // (game.width * game.height)
    width, height = level_width * levels, game.height * CELL + 2 * MARGIN
    if game.hexagonal:
        width += game.height * CELL // 2
    parts = [svg_head(width, height, f"{game.name}: {position}", STYLE)]
    for level in range(levels):
        left = MARGIN + level * level_width
        parts.append(_grid(position, left, level if levels > 1 else None))
    centers = [_center(position, cell, level_width) for cell in range(game.size)]
    for cell, center in enumerate(centers):
        parts.append(_cell(position, cell, *center, labels.get(cell), cell == last))
    line = position.winning_line()
    if line is not None:
        points = " ".join("{},{}".format(*centers[cell]) for cell in line.cells())
        parts.append(f'<polyline class="won" fill="none" points="{points}"/>')
    return "".join([*parts, "</svg>"])


def _center(position: Position, cell: int, level_width: int) -> tuple[int, int]:
    game = position.game
    column, row = coordinates(game.shape, cell)[:2]
    left = MARGIN + cell // (game.width * game.height) * level_width
    if game.hexagonal:
        left += row * CELL // 2
    return left + column * CELL + CELL // 2, MARGIN + row * CELL + CELL // 2


def _grid(position: Position, left: int, level: int | None) -> str:
    game = position.game
    right, bottom = left + game.width * CELL, MARGIN + game.height * CELL
    if game.holes or game.hexagonal:
        path = _squares(position, left, level or 0)
    else:
        path = "".join(f"M{left} {MARGIN + row * CELL}H{right}" for row in range(game.height + 1))
        path += "".join(
            f"M{left + column * CELL} {MARGIN}V{bottom}" for column in range(game.width + 1)
        )
    parts = [f'<path class="grid" d="{path}"/>']
    slant = game.height * CELL // 2 if game.hexagonal else 0
    for column in range(game.width):
        name = str(column + 1) if game.gravity else letters(column)
        parts.append(_label(left + slant + column * CELL + CELL // 2, bottom + 16, name))
    for row in range(game.height):
        parts.append(_label(left - 12, MARGIN + row * CELL + CELL // 2 + 4, f"{game.height - row}"))
    if level is not None:
        parts.append(_label((left + right) // 2, 14, f"level {letters(level)}"))
    return "".join(parts)


def _squares(position: Position, left: int, level: int) -> str:
    """Return the outlines of the cells of a level that are no holes; rows of a hexagonal board are
    laid like bricks."""
    game, half = position.game, CELL // 2
    plane = game.width * game.height
    centers = [
        _center(position, cell % plane, 0)
        for cell in range(level * plane, (level + 1) * plane)
        if game.board >> cell & 1
    ]
    return "".join(
        f"M{x - MARGIN + left - half} {y - half}h{CELL}v{CELL}h-{CELL}z" for x, y in centers
    )


def _label(x: int, y: int, text: str, kind: str = "label") -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{escape(text)}</text>'


def _cell(position: Position, cell: int, x: int, y: int, label: str | None, is_last: bool) -> str:
    """Return what is drawn in a cell whose middle is (x, y): its stone, or its label."""
    owner, r = position.owner(cell), CELL // 2 - 9
    if owner is None:
        return "" if label is None else _label(x, y + 4, label, "cell-label")
    dot = f'<circle class="last" cx="{x}" cy="{y}" r="4"/>' if is_last else ""
    if position.game.gravity:
        return f'<circle class="disc {SIDES[owner]}" cx="{x}" cy="{y}" r="{r + 3}"/>{dot}'
    if owner == FIRST:
        strokes = f"M{x - r} {y - r}l{2 * r} {2 * r}M{x + r} {y - r}l{-2 * r} {2 * r}"
        return f'<path class="x" d="{strokes}"/>{dot}'
    return f'<circle class="o" cx="{x}" cy="{y}" r="{r}"/>{dot}'
