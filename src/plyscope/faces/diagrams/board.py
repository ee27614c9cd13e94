"""A board as SVG, as on the page: the stones, a mark at the last move, and a stroke through the
winning line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path

from plyscope.faces.diagrams.ground import Ground, Label, ground_of, last_of, stones_of, strike_of
from plyscope.faces.diagrams.ground import Path as Drawn
from plyscope.faces.diagrams.markup import drawn_size, svg_head
from plyscope.faces.diagrams.values import CellValue
from plyscope.rules.game import SIDES
from plyscope.rules.position import Position

STYLES = Path(__file__).with_name("styles")
"""The style sheets of drawn boards, which the page uses too: rules, and tokens for colours."""
LEVELS_PER_ROW = 4
"""The number of levels of a cube side by side."""
BOARD_PX, MIN_CELL_PX, MAX_CELL_PX = 460, 28, 96
"""The preferred width of a drawing, and the least and greatest width of a cell, in pixels."""
TILE = "M-.17-.36h.34q.19 0 .19.19v.34q0 .19-.19.19h-.34q-.19 0-.19-.19v-.34q0-.19.19-.19z"
HOLE_TILE = "M-.42 0a.42.42 0 1 0 .84 0a.42.42 0 1 0-.84 0z"
SMALL_TILE = "M-.1-.1h.2v.2h-.2z"
RADIUS, SMALL_RADIUS = 0.35, 0.14
"""The marks of moves, in cells around the centre: tiles of proved values (the hole itself where
discs fall), circles of others."""
POINTERS = {"win": "M-.1-.34h.2l-.1-.1z", "loss": "M-.1.34h.2l-.1.1z"}
MIN_OPACITY, MAX_OPACITY = 0.14, 0.5
"""The opacity of the mark of an even move and of a win."""
MAX_EVEN_SHARE = 0.04
"""The share below which a move is even."""
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_TOKEN = re.compile(r"(--[\w-]+):\s*light-dark\(([^,]+),\s*([^)]+)\)")


@cache
def drawing_style() -> str:
    """Return the style of drawn boards: the page's style, with colours in place of its colour
    variables."""
    text = (STYLES / "drawing.css").read_text(encoding="utf-8")
    tokens = _TOKEN.findall((STYLES / "tokens.css").read_text(encoding="utf-8"))
    rules = [
        (" ".join(selector.split()).replace(".drawing", ".drawn"), declarations.strip())
        for selector, declarations in _RULE.findall(re.sub(r"/\*.*?\*/", "", text, flags=re.S))
    ]
    themes = [{name: values[theme] for name, *values in tokens} for theme in (0, 1)]
    light = "".join(f"{selector}{{{_inked(text, themes[0])}}}" for selector, text in rules)
    dark = "".join(
        f"{selector}{{{_inked(coloured, themes[1])}}}"
        for selector, text in rules
        if (coloured := ";".join(part.strip() for part in text.split(";") if "var(" in part))
    )
    return f"{light}@media(prefers-color-scheme:dark){{{dark}}}"


def _inked(declarations: str, colours: dict[str, str]) -> str:
    text = re.sub(r"var\((--[\w-]+)\)", lambda found: colours[found[1]], declarations)
    return re.sub(r"\s*([;:])\s*", r"\1", text).strip(";")


def board_svg(
    position: Position,
    values: Mapping[int, CellValue] | None = None,
    last: int | None = None,
    signs: Mapping[int, str] | None = None,
) -> str:
    """Return the drawing of a position; `values` are marked and written on empty cells, `signs` are
    written."""
    game, ground = position.game, ground_of(position.game)
    width, height = ground.extent(LEVELS_PER_ROW)
    unit = min(MAX_CELL_PX, max(MIN_CELL_PX, BOARD_PX // width))
    plane = game.width * game.height
    planes = [range(at, at + plane) for at in range(0, game.size, plane)]
    parts = [
        svg_head(width * unit, height * unit, f"{game.name}: {position}", drawing_style(), "drawn"),
        f'<g transform="scale({unit})">',
    ]
    for number, (level, cells) in enumerate(zip(ground.levels, planes, strict=True)):
        stones = (_stone(ground, position, cell) for cell in cells)
        marks = [
            _marked(ground, cell, value) for cell, value in (values or {}).items() if cell in cells
        ]
        marks += [
            _written(ground.centre(cell), text)
            for cell, text in (signs or {}).items()
            if cell in cells
        ]
        mark = ""
        if last is not None and last in cells:
            mark = _at(ground.centre(last), [last_of(ground)])
        parts += [
            '<g transform="translate({:.3f} {:.3f})">'.format(
                *ground.offset(number, LEVELS_PER_ROW)
            ),
            *(_paths(level.ground), *stones, _paths(level.front)),
            *(_label(label, ground.font) for label in level.labels),
            *(*marks, mark, "</g>"),
        ]
    return "".join([*parts, _strike(position), "</g></svg>"])


def legible(board: str, width: float, least: float) -> str:
    """Return a board's drawing with coordinates no smaller than `least` at the width `width`.

    Both numbers have the same unit, such as pixels or points.
    """
    scale = re.search(r'<g transform="scale\(([\d.]+)\)"', board)
    font = least * drawn_size(board)[0] / width / float(scale[1]) if scale else 0.0
    return re.sub(
        r'(?<=class="label" font-size=")[\d.]+',
        lambda size: f"{max(float(size[0]), font):.3f}",
        board,
    )


def _paths(paths: Iterable[Drawn]) -> str:
    return "".join(f'<path class="{kind}" d="{data}"/>' for kind, data in paths)


def _at(place: tuple[float, float], paths: Iterable[Drawn]) -> str:
    x, y = place
    return f'<g transform="translate({x:.3f} {y:.3f})">{_paths(paths)}</g>'


def _stone(ground: Ground, position: Position, cell: int) -> str:
    owner = position.owner(cell)
    return "" if owner is None else _at(ground.centre(cell), stones_of(ground)[SIDES[owner]])


def _label(label: Label, font: float) -> str:
    x, y, text = label
    return f'<text class="label" font-size="{font}" x="{x}" y="{y}">{escape(text)}</text>'


def _marked(ground: Ground, cell: int, value: CellValue) -> str:
    """Return the mark of a move with its value. The shape shows whether it is proved, searched or
    evaluated, as on the page."""
    x, y = ground.centre(cell)
    outcome = "draw" if abs(value.share) <= MAX_EVEN_SHARE else "win" if value.share > 0 else "loss"
    kinds = ["value-mark", value.knowledge, outcome]
    kinds += ["faded"] * value.is_faded + ["small"] * value.is_small
    opacity = MIN_OPACITY + (MAX_OPACITY - MIN_OPACITY) * abs(value.share)
    if value.is_faded and not value.is_small:
        opacity = 0
    if value.knowledge == "proved":
        tile = HOLE_TILE if ground.style == "frame" else TILE
        tile = SMALL_TILE if value.is_small else tile
        form = f'<path d="{tile}" fill-opacity="{opacity:.3f}"/>'
        if outcome in POINTERS and not (value.is_small or value.is_faded):
            form += f'<path class="pointer" d="{POINTERS[outcome]}"/>'
    else:
        radius = SMALL_RADIUS if value.is_small else RADIUS
        form = f'<circle r="{radius}" fill-opacity="{opacity:.3f}"/>'
    mark = f'<g class="{" ".join(kinds)}" transform="translate({x:.3f} {y:.3f})">{form}</g>'
    if value.is_small:
        return mark
    return mark + _written((x, y), value.text, " faded" if value.is_faded else "")


def _written(place: tuple[float, float], text: str, kind: str = "") -> str:
    """Return a text in the middle of a cell."""
    x, y = place
    size = min(0.3, 1.1 / max(1, len(text)))
    return (
        f'<text class="cell-label{kind}" font-size="{size:.2f}" x="{x:.3f}" '
        f'y="{y + 0.1:.3f}">{escape(text)}</text>'
    )


def _strike(position: Position) -> str:
    """Return the strokes through the winning line, from level to level of a cube."""
    line = position.winning_line()
    if line is None:
        return ""
    ground, data = ground_of(position.game), ""
    for stroke in strike_of(position.game, line.cells()):
        for number, (level, x, y) in enumerate(stroke):
            left, top = ground.offset(level, LEVELS_PER_ROW)
            data += f"{'L' if number else 'M'}{left + x:.3f} {top + y:.3f}"
    return _paths([("under", data), ("won", data)])
