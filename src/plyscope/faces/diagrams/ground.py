"""The drawing of a line game's board, in units of a cell: one geometry for page, notebook and
paper.

A board has a style: lines drawn with a pen on small boards, a frame with holes under gravity,
crossings with star points on large boards, hexagons, or else squares. Cells form a lattice: the
next column is at (1, 0), the next row at `row`. Levels of a cube are drawn side by side, each with
its coordinates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import sqrt
from typing import Any, Literal

from plyscope.rules.cells import coordinates, letters
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import axes_of, bits

Place = tuple[float, float]
Path = tuple[str, str]
"""The CSS class and the data of an SVG path."""
Label = tuple[float, float, str]
Style = Literal["pen", "squares", "crossings", "frame", "hexagons"]

PEN_SIZE, CROSSINGS_SIZE = 5, 9
"""In cells: the greatest side of a board in the style "pen", and the least side of one in the style
"crossings"."""
FAR_STARS, MIDDLE_STARS = 13, 19
"""The least board sizes with star points on the fourth line, and in the middle of each side."""
FRAME, HOLE, DISC = 0.1, 0.42, 0.45
"""The frame's margin, and the radii of its holes and of the discs behind them."""
TILE = 0.03
"""The distance of a square from the edge of its cell."""
HEXAGON = 1 / sqrt(3)
"""The side of a hexagon of width 1."""
EXTENSION = 0.3
"""The length by which lines extend beyond joined sides, as on a torus."""
BOARD_PADDING, LEVEL_GAP = 0.06, 0.6
STROKE_EXCESS = 0.3
"""The length by which the stroke through a winning line extends beyond its first and last cells."""
MAX_LINES = 500
"""The greatest number of a cube's lines that the page receives, to highlight them."""


@dataclass(frozen=True, kw_only=True)
class Level:
    """The paths of a level below and above the stones, and the labels of its coordinates."""

    ground: tuple[Path, ...]
    front: tuple[Path, ...]
    labels: tuple[Label, ...]


@dataclass(frozen=True, kw_only=True)
class Ground:
    """The drawing of a game's board; all levels have the same size, including coordinates."""

    style: Style
    columns: int
    rows: int
    size: Place
    origin: Place
    """The centre of the first cell."""
    box: tuple[float, float, float, float]
    """The rectangle of the cells: left, top, width and height."""
    row: Place
    """The offset from a cell to the one below it."""
    gap: float
    """The distance between two levels."""
    font: float
    """The font size of the coordinates."""
    room: float
    """The side of the square in a cell that is free for text."""
    levels: tuple[Level, ...]

    def centre(self, cell: int) -> Place:
        """Return the centre of a cell, relative to its level."""
        row, column = divmod(cell % (self.columns * self.rows), self.columns)
        return (
            self.origin[0] + column + row * self.row[0],
            self.origin[1] + row * self.row[1],
        )

    def offset(self, level: int, abreast: int) -> Place:
        """Return the position of a level, with `abreast` levels side by side."""
        down, across = divmod(level, abreast)
        return across * (self.size[0] + self.gap), down * (self.size[1] + self.gap)

    def extent(self, abreast: int) -> Place:
        """Return the size of all levels, with `abreast` of them side by side."""
        across, down = min(abreast, len(self.levels)), -(-len(self.levels) // abreast)
        return (
            across * (self.size[0] + self.gap) - self.gap,
            down * (self.size[1] + self.gap) - self.gap,
        )


def _circle(radius: float, place: Place | None = None) -> str:
    """Return a circle around `place`, or around the current point of the path without one."""
    arc = f"a{_n(radius)} {_n(radius)} 0 1 0"
    begin = f"m{_n(-radius)} 0" if place is None else f"M{_pair((place[0] - radius, place[1]))}"
    return f"{begin}{arc} {_n(2 * radius)} 0{arc} {_n(-2 * radius)} 0z"


def _n(number: float) -> str:
    text = f"{round(number, 3) + 0:.3f}".rstrip("0").rstrip(".")
    return re.sub(r"^(-?)0\.", r"\1.", text)


def _pair(place: Place) -> str:
    return f"{_n(place[0])} {_n(place[1])}"


SIGNS: dict[str, tuple[Path, ...]] = {
    "x": (("stone x", "m-.27-.28q.29.3.55.55m-.01-.55q-.29.3-.55.55"),),
    "o": (("stone o", _circle(0.29)),),
}
DISCS: dict[str, tuple[Path, ...]] = {
    "x": (("disc x", _circle(DISC)), ("engraved", "m-.15-.15l.3.3m0-.3l-.3.3")),
    "o": (("disc o", _circle(DISC)), ("engraved", _circle(0.17))),
}
LAST = "".join(
    f"M{_n(x * 0.47)} {_n(y * 0.29)}V{_n(y * 0.47)}H{_n(x * 0.29)}"
    for x, y in product((-1, 1), (-1, 1))
)
"""The corners around the last stone."""


def stones_of(ground: Ground) -> dict[str, tuple[Path, ...]]:
    """Return the paths of both sides' stones, relative to the centre of a stone.

    Stones are discs in the styles "frame" and "crossings", otherwise the signs X and O.
    """
    return DISCS if ground.style in ("frame", "crossings") else SIGNS


def last_of(ground: Ground) -> Path:
    """Return the mark of the last stone; its lines are thin unless stones are discs."""
    return ("last" if stones_of(ground) is DISCS else "last fine"), LAST


@lru_cache(maxsize=64)
def ground_of(game: LineGame) -> Ground:
    """Return the drawing of a game's board."""
    return _Draft(game).ground()


def style_of(game: LineGame) -> Style:
    """Return the drawing style of a game's board."""
    if game.hexagonal:
        return "hexagons"
    if game.gravity:
        return "frame"
    if min(game.width, game.height) >= CROSSINGS_SIZE:
        return "crossings"
    return "pen" if max(game.width, game.height) <= PEN_SIZE and not game.holes else "squares"


class _Draft:
    """The construction of a board. Cells, except hexagons, have centres (column + ½, row + ½)."""

    def __init__(self, game: LineGame) -> None:
        self.game, self.style = game, style_of(game)
        self.columns, self.rows = game.width, game.height
        self.plane = game.width * game.height
        self.count = game.size // self.plane
        span = max(self.columns, self.rows, 3.5)
        self.font = min(0.5, span * (0.027 if self.count == 1 else 0.075))
        wraps = axes_of(game.shape, game.torus) if game.torus else (False,) * len(game.shape)
        self.wraps = (*wraps, False)[:2] if self.style != "hexagons" else (False, False)
        self.row = (0.5, 1.5 * HEXAGON) if self.style == "hexagons" else (0.0, 1.0)

    def ground(self) -> Ground:
        """Return the drawing of the board: cells, margins and coordinates."""
        left, top, right, bottom = self._bounds()
        edge = FRAME + BOARD_PADDING / 2 if self.style == "frame" else BOARD_PADDING
        out = [EXTENSION if wraps else edge for wraps in self.wraps]
        above = 1.7 * self.font if self.count > 1 else 0
        x, y = 1.9 * self.font + out[0] - left, above + out[1] - top
        size = (x + right + out[0], y + bottom + out[1] + 1.7 * self.font)
        levels = tuple(self._level(number, x, y, size) for number in range(self.count))
        return Ground(
            style=self.style,
            columns=self.columns,
            rows=self.rows,
            size=_places(size),
            origin=_places((x + 0.5, y + 0.5)),
            box=(x + left, y + top, right - left, bottom - top),
            row=self.row,
            gap=LEVEL_GAP,
            font=round(self.font, 3),
            room={"frame": 0.76, "hexagons": 0.8}.get(self.style, 0.9),
            levels=levels,
        )

    def _bounds(self) -> tuple[float, float, float, float]:
        """Return the bounds of the cells of all levels; a hexagonal board may lack corners."""
        if self.style != "hexagons":
            return 0, 0, self.columns, self.rows
        middles = [self._middle(cell) for cell in bits(self.game.board)]
        xs, ys = zip(*middles, strict=True)
        return min(xs) - 0.5, min(ys) - HEXAGON, max(xs) + 0.5, max(ys) + HEXAGON

    def _middle(self, cell: int) -> Place:
        row, column = divmod(cell % self.plane, self.columns)
        return column + row * self.row[0] + 0.5, row * self.row[1] + 0.5

    def _level(self, level: int, x: float, y: float, size: Place) -> Level:
        board = self.game.board >> level * self.plane & (1 << self.plane) - 1
        cells = [(cell % self.columns, cell // self.columns) for cell in bits(board)]
        ground, front = getattr(self, f"_{self.style}")(cells, x, y)
        return Level(
            ground=(*ground, *self._beyond(x, y)),
            front=tuple(front),
            labels=tuple(self._labels(level, cells, x, y, size)),
        )

    def _pen(self, cells: Any, x: float, y: float) -> tuple[list[Path], list[Path]]:
        """Return slightly bent lines between the cells, as drawn by hand, without a border."""
        width, height, path = self.columns, self.rows, ""
        for at in range(1, width):
            bend, left = 0.03 if at % 2 else -0.03, x + at
            middle, end = (left + bend, y + height / 2), (left, y + height)
            path += f"M{_n(left)} {_n(y)}Q{_pair(middle)} {_pair(end)}"
        for at in range(1, height):
            bend, top = 0.03 if at % 2 else -0.03, y + at
            middle, end = (x + width / 2, top - bend), (x + width, top)
            path += f"M{_n(x)} {_n(top)}Q{_pair(middle)} {_pair(end)}"
        return [("pen", path)] if path else [("pen", _box(x, y, width, height))], []

    def _squares(self, cells: Any, x: float, y: float) -> tuple[list[Path], list[Path]]:
        side = 1 - 2 * TILE
        tiles = (_box(x + column + TILE, y + row + TILE, side, side, 0.08) for column, row in cells)
        return [("tile", "".join(tiles))], []

    def _hexagons(self, cells: Any, x: float, y: float) -> tuple[list[Path], list[Path]]:
        side, half = _n(HEXAGON), _n(HEXAGON / 2)
        path = ""
        for column, row in cells:
            at, top = x + column + row * 0.5 + 0.5, y + row * self.row[1] + 0.5 - HEXAGON
            path += f"M{_n(at)} {_n(top)}l.5 {half}v{side}l-.5 {half}l-.5-{half}v-{side}z"
        return [("tile", path)], []

    def _frame(self, cells: Any, x: float, y: float) -> tuple[list[Path], list[Path]]:
        """Return a frame in front of the discs, without an opening where the board has a hole."""
        box = x - FRAME, y - FRAME, self.columns + 2 * FRAME, self.rows + 2 * FRAME
        holes = "".join(_circle(HOLE, (x + column + 0.5, y + row + 0.5)) for column, row in cells)
        return [("well", _box(*box, 0.2))], [("frame", _box(*box, 0.2) + holes)]

    def _crossings(self, cells: Any, x: float, y: float) -> tuple[list[Path], list[Path]]:
        """Return lines from crossing to crossing, and star points."""
        known, path = set(cells), ""
        for begin, (across, down) in self._runs(known):
            path += f"M{_n(x + begin[0] + 0.5)} {_n(y + begin[1] + 0.5)}"
            path += f"h{_n(across)}" if across else f"v{_n(down)}"
        stars = [
            _circle(0.1, (x + column + 0.5, y + row + 0.5))
            for column, row in self._stars()
            if (column, row) in known
        ]
        wood = _box(x, y, self.columns, self.rows, 0.15)
        return [("wood", wood), ("crossings", path), ("star", "".join(stars))], []

    def _runs(
        self, known: set[tuple[int, int]]
    ) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Yield the start and the extent of each grid line; holes interrupt lines."""
        for step_x, step_y in ((1, 0), (0, 1)):
            for column, row in sorted(known):
                if (column - step_x, row - step_y) in known:
                    continue
                length = 0
                while (column + (length + 1) * step_x, row + (length + 1) * step_y) in known:
                    length += 1
                if length:
                    yield (column, row), (length * step_x, length * step_y)

    def _stars(self) -> Iterator[tuple[int, int]]:
        """Yield the column and row of each star point, as on a board for Go or Renju of this
        size."""
        sides = []
        for side in (self.columns, self.rows):
            edge = 3 if side >= FAR_STARS else 2
            sides.append((edge, side // 2 if side % 2 else None, side - 1 - edge))
        for (a, column), (b, row) in product(*map(enumerate, sides)):
            is_middle, is_side = a == b == 1, 1 in (a, b)
            if (
                column is not None
                and row is not None
                and (is_middle or not is_side or min(self.columns, self.rows) >= MIDDLE_STARS)
            ):
                yield column, row

    def _beyond(self, x: float, y: float) -> Iterator[Path]:
        """Yield the dashed lines that extend beyond joined sides."""
        width, height = self.columns, self.rows
        first, inset = (0.5, 0.5) if self.style in ("frame", "crossings") else (0.0, 0.0)
        if self.style == "pen":
            first = 1.0
        edge = inset if self.style == "crossings" else -FRAME if self.style == "frame" else 0.0

        def rows(size: int) -> Iterator[float]:
            at = first
            while at <= size - first:
                yield at
                at += 1

        path = ""
        if self.wraps[0]:
            for at in rows(height):
                path += f"M{_n(x + edge)} {_n(y + at)}H{_n(x - EXTENSION)}"
                path += f"M{_n(x + width - edge)} {_n(y + at)}H{_n(x + width + EXTENSION)}"
        if self.wraps[1]:
            for at in rows(width):
                path += f"M{_n(x + at)} {_n(y + edge)}V{_n(y - EXTENSION)}"
                path += f"M{_n(x + at)} {_n(y + height - edge)}V{_n(y + height + EXTENSION)}"
        if path:
            yield "beyond", path

    def _labels(
        self, level: int, cells: Sequence[tuple[int, int]], x: float, y: float, size: Place
    ) -> Iterator[Label]:
        """Yield the coordinates; under gravity, the numbers of columns, which name moves."""
        game, drop = self.game, 0.36 * self.font
        lowest = size[1] - 0.85 * self.font + drop
        bottoms = dict(sorted(cells, key=lambda cell: cell[1]))
        starts = {row: column for column, row in sorted(cells, reverse=True)}
        is_hexagonal = self.style == "hexagons"
        for column in range(self.columns):
            number = level * self.columns + column
            name = str(number + 1) if game.gravity else letters(column)
            if is_hexagonal and column in bottoms:
                at, top = self._middle(bottoms[column] * self.columns + column)
                yield _label(x + at + 0.3, y + top + HEXAGON + drop + 0.35 * self.font, name)
            elif not is_hexagonal:
                yield _label(x + column + 0.5, lowest, name)
        for row in range(self.rows):
            at, middle = self._middle(row * self.columns)
            left = 0.95 * self.font
            if is_hexagonal and row in starts:
                left = x + at + starts[row] - 0.5 - 0.75 * self.font
            elif is_hexagonal:
                continue
            yield _label(left, y + middle + drop, str(self.rows - row))
        if self.count > 1:
            cell = game.format_cell(
                level * self.plane
            )  # its end is `c`, or `b1` in four dimensions
            name = cell.lstrip("abcdefghijklmnopqrstuvwxyz").lstrip("0123456789")
            yield _label(x + self.columns / 2, 0.9 * self.font + drop, f"level {name}")


def _box(x: float, y: float, width: float, height: float, round_by: float = 0) -> str:
    if not round_by:
        return f"M{_n(x)} {_n(y)}h{_n(width)}v{_n(height)}h{_n(-width)}z"
    r, across, down = _n(round_by), _n(width - 2 * round_by), _n(height - 2 * round_by)
    arc = f"a{r} {r} 0 0 1"
    return (
        f"M{_n(x + round_by)} {_n(y)}h{across}{arc} {r} {r}v{down}{arc}-{r} {r}"
        f"h-{across}{arc}-{r}-{r}v-{down}{arc} {r}-{r}z"
    )


def _label(x: float, y: float, text: str) -> Label:
    return round(x, 3), round(y, 3), text


def _places(place: Place) -> Place:
    return round(place[0], 3), round(place[1], 3)


def strike_of(game: LineGame, cells: Sequence[int]) -> list[list[tuple[int, float, float]]]:
    """Return the strokes through a line, each as a list of points (level, x, y).

    A stroke goes a little beyond the first and last cells. At a side that is joined to the opposite
    one, the line continues with another stroke.
    """
    ground, plane = ground_of(game), game.width * game.height
    walked, direction = _walk(game, cells)
    strokes: list[list[tuple[int, float, float]]] = [[]]
    across = direction[0] + ground.row[0] * direction[1]
    down = ground.row[1] * direction[1]
    is_flat = not any(direction[2:]) and any(direction)
    for number, (cell, wraps) in enumerate(walked):
        x, y = ground.centre(cell)
        level = cell // plane
        if is_flat and (not number or wraps):
            reach = 0.5 if wraps else STROKE_EXCESS
            if wraps:
                before = ground.centre(walked[number - 1][0])
                strokes[-1].append((level, before[0] + reach * across, before[1] + reach * down))
                strokes.append([])
            strokes[-1].append((level, x - reach * across, y - reach * down))
        strokes[-1].append((level, x, y))
        if is_flat and number == len(walked) - 1:
            strokes[-1].append((level, x + STROKE_EXCESS * across, y + STROKE_EXCESS * down))
    return [[(level, round(x, 3), round(y, 3)) for level, x, y in stroke] for stroke in strokes]


def _walk(game: LineGame, cells: Sequence[int]) -> tuple[list[tuple[int, bool]], tuple[int, ...]]:
    """Return the cells in the order of a straight walk, each with whether it is beyond a joined
    side, and the step. If no straight walk exists, return them in increasing order, without a
    step."""
    shape = game.shape if len(game.shape) > 1 else (*game.shape, 1)
    joins = axes_of(shape, game.torus) if game.torus else (False,) * len(shape)
    places = {coordinates(game.shape, cell): cell for cell in cells}
    found: list[tuple[int, list[tuple[int, bool]], tuple[int, ...]]] = []
    for start, step in product(places, product((0, 1, -1), repeat=len(shape))):
        walked, at = [(places[start], False)], start
        while any(step):
            free = tuple(x + by for x, by in zip(at, step, strict=True))
            at = tuple(
                x % size if joins_here else x
                for x, size, joins_here in zip(free, shape, joins, strict=True)
            )
            if at not in places or at == start or len(walked) == len(cells):
                break
            walked.append((places[at], at != free))
        if len(walked) == len(cells):
            found.append((sum(wraps for _, wraps in walked), walked, step))
    if not found:
        return [(cell, False) for cell in cells], (0,) * len(shape)
    _, walked, step = min(found, key=lambda each: each[0])
    return walked, step
