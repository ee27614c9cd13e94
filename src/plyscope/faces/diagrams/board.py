"""A board as SVG: crosses and rings, or discs under gravity; the last move is dotted, the winning
line struck through; levels side by side."""

from __future__ import annotations

from html import escape

from plyscope.rules.cells import coordinates, letters
from plyscope.rules.game import FIRST, SIDES
from plyscope.rules.linegame import Position

__all__ = ["board_svg"]

CELL, MARGIN, GAP = 40, 22, 26
STYLE = """
.grid{fill:none;stroke:#8c959f}.x{stroke:#0550ae;stroke-width:5;fill:none;stroke-linecap:round}.o{stroke:#9a4a00;stroke-width:5;fill:none}
.disc.x{fill:#0550ae}.disc.o{fill:#fff0dd}.label{font:12px system-ui,sans-serif;text-anchor:middle;fill:#57606a}
.won{stroke:#1a7f37;stroke-width:4;opacity:.75}.last{fill:#1a7f37}.cell-label{font:12px
system-ui,sans-serif;text-anchor:middle;fill:#57606a}
@media(prefers-color-scheme:dark){.x{stroke:#79c0ff}.o{stroke:#ffb77c}.disc.x{fill:#79c0ff}.disc.o{fill:#4a2b0a}.label,.cell-label{fill:#9da7b1}
.won{stroke:#56d364}.last{fill:#56d364}}
"""


def board_svg(
    position: Position, labels: dict[int, str] | None = None, last: int | None = None
) -> str:
    """Return the drawing of a position; `labels` writes a short text on empty cells, by cell."""
    game = position.game
    plane = game.width * game.height
    level_width = MARGIN + game.width * CELL + GAP
    width, height = level_width * (game.size // plane), game.height * CELL + 2 * MARGIN
    title = escape(f"{game.name}: {position}")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"'
        f' aria-label="{title}"><title>{title}</title><style>{STYLE}</style>'
    ]
    for level in range(game.size // plane):
        parts.append(
            _grid(position, MARGIN + level * level_width, level if game.size > plane else None)
        )
    for cell in range(game.size):
        parts.append(
            _cell(
                position,
                cell,
                *_center(position, cell, level_width),
                (labels or {}).get(cell),
                cell == last,
            )
        )
    line = position.winning_line()
    if line is not None:
        points = " ".join(
            f"{x},{y}" for x, y in (_center(position, cell, level_width) for cell in line.cells())
        )
        parts.append(f'<polyline class="won" fill="none" points="{points}"/>')
    return "".join([*parts, "</svg>"])


def _center(position: Position, cell: int, level_width: int) -> tuple[int, int]:
    game = position.game
    column, row = coordinates(game.shape, cell)[:2]
    level = cell // (game.width * game.height)
    return MARGIN + level * level_width + column * CELL + CELL // 2, MARGIN + row * CELL + CELL // 2


def _grid(position: Position, left: int, level: int | None) -> str:
    game = position.game
    right, bottom = left + game.width * CELL, MARGIN + game.height * CELL
    path = "".join(f"M{left} {MARGIN + row * CELL}H{right}" for row in range(game.height + 1))
    path += "".join(
        f"M{left + column * CELL} {MARGIN}V{bottom}" for column in range(game.width + 1)
    )
    parts = [f'<path class="grid" d="{path}"/>']
    for column in range(game.width):
        name = str(column + 1) if game.gravity else letters(column)
        parts.append(
            f'<text class="label" x="{left + column * CELL + CELL // 2}" y="{bottom + 16}">{name}</text>'
        )
    for row in range(game.height):
        parts.append(
            f'<text class="label" x="{left - 12}" y="{MARGIN + row * CELL + CELL // 2 + 4}">{game.height - row}</text>'
        )
    if level is not None:
        parts.append(
            f'<text class="label" x="{(left + right) // 2}" y="14">level {letters(level)}</text>'
        )
    return "".join(parts)


def _cell(position: Position, cell: int, x: int, y: int, label: str | None, is_last: bool) -> str:
    r = CELL // 2 - 9
    owner = position.owner(cell)
    dot = f'<circle class="last" cx="{x}" cy="{y}" r="4"/>' if is_last and owner is not None else ""
    if owner is None:
        return (
            ""
            if label is None
            else f'<text class="cell-label" x="{x}" y="{y + 4}">{escape(label)}</text>'
        )
    if position.game.gravity:
        return f'<circle class="disc {SIDES[owner]}" cx="{x}" cy="{y}" r="{r + 3}"/>{dot}'
    if owner == FIRST:
        return f'<path class="x" d="M{x - r} {y - r}l{2 * r} {2 * r}M{x + r} {y - r}l{-2 * r} {2 * r}"/>{dot}'
    return f'<circle class="o" cx="{x}" cy="{y}" r="{r}"/>{dot}'
