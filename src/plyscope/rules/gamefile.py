"""Line games in files, TOML or JSON:

    summary = "four in a line on a cylinder with a hole"
    board = '''
    . . . . .
    . . # . .
    . . . . .
    '''
    k = 4
    torus = "x"

`board` is a drawing or a list of sizes. In a drawing `.` is a cell, `#` a hole, and an empty line
separates levels. At least one of these keys gives the winning lines: `k` (cells in a row, in the
`directions`), `lines` (lists of cells) and `shapes` (drawings, with all rotations and reflections).
Every word of `rules.words` is a key too. On a `hexagonal` board each row is drawn half a cell to
the right or to the left of the one above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from plyscope.datafile import read_data
from plyscope.errors import NotationError, PlyscopeError
from plyscope.rules.cells import parse_cell
from plyscope.rules.linegame import MAX_CELLS, MAX_LINE_CELLS, LineGame
from plyscope.rules.lines import LINE_KINDS, Line, axes_of
from plyscope.rules.words import WORDS, read_word

Shape = tuple[int, ...]
Spots = frozenset[tuple[int, int]]
"""Cells (x, y) of a drawing; y counts from the top."""

NAMES = ("name", "summary")
LINE_SOURCES = ("k", "lines", "shapes")
KEYS = (*NAMES, "board", *LINE_SOURCES, *WORDS)
EXPECTED_KEYS = (
    f"'board' (sizes or a drawing), at least one of {', '.join(LINE_SOURCES)}, and any of "
    f"{', '.join((*WORDS, *NAMES))}"
)


def is_game_file(text: str) -> bool:
    """Return whether a text is the name of a game file."""
    return text.endswith((".toml", ".json"))


SAVED_KEYS = {"game", "start", "moves"}
"""The keys of a game that `plyscope play` or the page saved, or `play --json` printed."""


def other_text(text: str) -> str:
    """Return the same as `other_file` of a text; empty for one that is no JSON."""
    if '"' not in text or text.lstrip()[:1] not in ("{", "["):
        return ""
    import json

    try:
        return other_file(json.loads(text), "")
    except (ValueError, RecursionError):
        return ""


def other_file(data: Any, path: str) -> str:
    """Return what JSON data are that plyscope wrote and that hold no rules of a game, and which
    command reads them; empty for anything else. They are in the file `path`, or in a text."""
    name, file = (repr(path), path) if path else ("the text", "FILE")
    first = data[0] if isinstance(data, list) and data else data
    if not isinstance(first, dict):
        return ""
    if set(first) >= SAVED_KEYS:
        return (
            f"{name} is a saved game; expected a position or the rules of a game: "
            f"`plyscope review {file}` judges its moves, `plyscope play {file}` continues it"
        )
    if "plyscope" not in first:
        return ""
    said = f"{name} is a result printed with --json, which no command reads back"
    if isinstance(position := first.get("position"), str):
        return f"{said}; expected its position {position[:80]!r}, perhaps with --game"
    return f"{said}; expected a position or a game (`match --record` keeps games that are read)"


@lru_cache(maxsize=64)
def read_game(path: str, version: object) -> LineGame:
    """Return the game of a file; a new `version` of the file is read again.

    Raises NotationError, which names the key.
    """
    return _GameFile(read_data(Path(path), "game"), path).game()


class _GameFile:
    """The content of a game file, checked key by key."""

    def __init__(self, data: Any, path: str) -> None:
        self.data, self.path, self.place = data, path, repr(path)
        if other := other_file(data, path):
            raise NotationError(other)
        if not isinstance(data, dict):
            raise self._wrong("content", data, EXPECTED_KEYS)
        if unknown := set(data) - set(KEYS):
            raise NotationError(
                f"unknown key {min(unknown)[:40]!r} in {self.place}; expected {EXPECTED_KEYS}"
            )
        for missing in (("board",), LINE_SOURCES):
            if not set(missing) & set(data):
                raise NotationError(
                    f"no key {' or '.join(map(repr, missing))} in {self.place}; "
                    f"expected {EXPECTED_KEYS}"
                )
        self.hexagonal = data.get("hexagonal") is True
        self.shape, drawn = self._board(data["board"])
        self.variants: dict[str, Any] = {}
        for name in WORDS:
            if name in data:
                field, value = read_word(name, data[name], self.shape, self.place)
                self.variants[field] = value
        self.variants["of_file"] = path
        self.holes = self.variants["holes"] = self.variants.get("holes", 0) | drawn
        self.wraps = axes_of(self.shape, self.variants.get("torus", False))

    def game(self) -> LineGame:
        """Return the game that the file describes."""
        name = self.data.get("name", Path(self.path).stem)
        if not isinstance(name, str) or not re.fullmatch(r"[\w.,+=-]{1,40}", name):
            raise self._wrong("name", name, "a word of at most 40 letters, digits and hyphens")
        summary = self.data.get("summary", f"the game of {Path(self.path).name}")
        if not isinstance(summary, str):
            raise self._wrong("summary", summary, "a text")
        try:
            return self._game(name, " ".join(summary.split()))
        except NotationError:
            raise
        except PlyscopeError as error:
            raise NotationError(f"{error} (in {self.place})") from None

    def _game(self, name: str, summary: str) -> LineGame:
        """Return the game with the lines of all keys: `k`, `lines` and `shapes`."""
        variants = dict(self.variants)
        directions = variants.pop("directions", None)
        found: dict[int, Line] = {}
        if "k" in self.data:
            k = self.data["k"]
            if type(k) is not int or not 1 <= k <= MAX_CELLS:
                raise self._wrong("k", k, f"a whole number from 1 to {MAX_CELLS}")
            given = LineGame.grid(
                *self.shape, k=k, name=name, summary=summary, directions=directions, **variants
            )
            if not {"lines", "shapes"} & set(self.data):
                return given
            found = {line.mask: line for line in given.lines}
        elif directions is not None:
            raise self._wrong("directions", directions, "the key 'k' too")
        cells = sum(mask.bit_count() for mask in found)
        for mask in (*self._listed(), *self._placed()):
            cells += mask.bit_count()
            if cells > MAX_LINE_CELLS:
                raise NotationError(
                    f"the lines of the game in {self.place} have too many cells; "
                    f"expected at most {MAX_LINE_CELLS:,} together"
                )
            known = found.setdefault(mask, Line(mask, LINE_KINDS[-1]))
            if variants.get("exactly"):  # a listed line has no ends
                found[mask] = Line(mask, known.kind)
        lines = sorted(found.values(), key=lambda line: LINE_KINDS.index(line.kind))
        return LineGame(name, self.shape, tuple(lines), summary=summary, **variants)

    # The board

    def _board(self, board: Any) -> tuple[Shape, int]:
        """Return the sizes of the board, and its holes."""
        if isinstance(board, list) and board and all(type(size) is int for size in board):
            if min(board) < 1 or prod(board) > MAX_CELLS:
                raise self._wrong("board", board, f"sizes of at most {MAX_CELLS} cells together")
            return tuple(board), 0
        levels = self._levels("board", board)
        if len(levels) > 1 and self.hexagonal:
            raise self._wrong("board", board, "one level of a hexagonal board")
        marks = [self._drawn("board", rows, ".#") for rows in levels]
        spots = [frozenset(level) for level in marks]
        width, height = (1 + max(at[axis] for at in spots[0]) for axis in (0, 1))
        for number, level in enumerate(spots, 1):
            size = tuple(1 + max(at[axis] for at in level) for axis in (0, 1))
            if size != (width, height):
                raise self._wrong(
                    f"level {number} of the board", "×".join(map(str, size)), f"{width}×{height}"
                )
        shape = (width, height) if len(levels) == 1 else (width, height, len(levels))
        if prod(shape) > MAX_CELLS:
            raise self._wrong("board", "×".join(map(str, shape)), f"at most {MAX_CELLS} cells")
        holes = 0
        for z, cells in enumerate(marks):
            for x, y in product(range(width), range(height)):
                if cells.get((x, y), "#") == "#":
                    holes |= 1 << x + width * (y + height * z)
        return shape, holes

    def _levels(self, key: str, drawing: Any) -> list[list[str]]:
        """Return the rows of each level of a drawing: a text, or a list of rows."""
        if isinstance(drawing, list) and all(isinstance(row, str) for row in drawing):
            drawing = "\n".join(drawing)
        if not isinstance(drawing, str) or not drawing.strip():
            expected = "a list of sizes, or rows of '.' and '#'"
            raise self._wrong(key, drawing, expected if key == "board" else "rows of 'X' and '.'")
        rows = re.sub("[/\r]", "\n", drawing).expandtabs().split("\n")
        levels: list[list[str]] = [[]]
        for row in rows:
            if row.strip():
                levels[-1].append(row.rstrip())
            elif levels[-1]:
                levels.append([])
        return [level for level in levels if level]

    def _drawn(self, key: str, rows: list[str], known: str) -> dict[tuple[int, int], str]:
        """Return the marks of a drawing by place; on a hexagonal board columns are slanted.

        . .          a row that begins half a cell further right begins in the same column as the
         . .         row above; one that begins half a cell further left, one column to the left
        """
        marks: dict[tuple[int, int], str] = {}
        for y, row in enumerate(rows):
            for x, mark in enumerate(row if self.hexagonal else "".join(row.split())):
                if mark == " ":
                    continue
                if mark not in known:
                    where = f"{key}, row {y + 1}, place {x + 1},"
                    raise self._wrong(where, mark, " or ".join(map(repr, known)))
                marks[x, y] = mark
        if not self.hexagonal:
            widths = [sum(place[1] == y for place in marks) for y in range(len(rows))]
            for y, width in enumerate(widths):
                if width != widths[0] and key == "board":
                    raise self._wrong(f"{key}, row {y + 1},", rows[y], f"{widths[0]} cells")
            return marks
        least = min(x - y for x, y in marks)
        for x, y in marks:
            if (x - y - least) % 2:
                expected = "cells two places apart, each between two of the row above"
                raise self._wrong(f"{key}, row {y + 1},", rows[y], expected)
        return {((x - y - least) // 2, y): mark for (x, y), mark in marks.items()}

    # The winning lines

    def _listed(self) -> Iterator[int]:
        """Yield the bitboards of the listed lines; raise NotationError for a wrong cell."""
        lines = self.data.get("lines", [])
        if not isinstance(lines, list):
            raise self._wrong("lines", lines, "a list of lines, each the names of its cells")
        for number, names in enumerate(lines, 1):
            names = names.split() if isinstance(names, str) else names
            key, mask = f"line {number}", 0
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise self._wrong(key, names, "the names of its cells, such as 'a1 b2'")
            for name in names:
                try:
                    cell = parse_cell(self.shape, name)
                except NotationError as error:
                    raise NotationError(f"{key} in {self.place}: {error}") from None
                if (mask | self.holes) >> cell & 1:
                    raise self._wrong(f"cell of {key}", name, "each cell once, and no hole")
                mask |= 1 << cell
            if not mask:
                raise self._wrong(key, names, "at least one cell")
            yield mask

    def _placed(self) -> Iterator[int]:
        """Yield the lines that the shapes make on the board."""
        shapes = self.data.get("shapes", [])
        if not isinstance(shapes, list) or (shapes and len(self.shape) != 2):
            expected = "a list of drawings, on a board of rows and columns"
            raise self._wrong("shapes", shapes, expected)
        for number, drawing in enumerate(shapes, 1):
            key = f"shape {number}"
            levels = self._levels(key, drawing)
            if len(levels) > 1:
                raise self._wrong(key, drawing, "rows without an empty line between them")
            marks = self._drawn(key, levels[0], "X.")
            spots = frozenset(place for place, mark in marks.items() if mark == "X")
            if not spots:
                raise self._wrong(key, drawing, "at least one 'X'")
            masks = {
                mask for image in images(spots, self.hexagonal) for mask in self._places(image)
            }
            yield from sorted(masks)

    def _places(self, spots: Spots) -> Iterator[int]:
        """Yield the bitboards of all translations of a shape that fit on the board."""
        width, height = self.shape
        lefts, tops = (
            range(side if goes_round else side - max(spot[axis] for spot in spots))
            for axis, (side, goes_round) in enumerate(zip(self.shape, self.wraps, strict=True))
        )
        for left, top in product(lefts, tops):
            cells = {(left + x) % width + (top + y) % height * width for x, y in spots}
            mask = sum(1 << cell for cell in cells)
            if len(cells) == len(spots) and not mask & self.holes:
                yield mask

    def _wrong(self, key: str, value: object, expected: str) -> NotationError:
        return NotationError(f"{key} is {str(value)[:40]!r} in {self.place}; expected {expected}")


def images(spots: Iterable[tuple[int, int]], hexagonal: bool = False) -> set[Spots]:
    """Return the rotations and reflections of a shape, each moved to the top left.

    A quarter turn maps (x, y) to (−y, x). With slanted columns, a sixth of a turn maps it to
    (−y, x + y).
    """
    found = set()
    current = list(spots)
    for _ in range(6 if hexagonal else 4):
        current = [(-y, x + y if hexagonal else x) for x, y in current]
        for image in (current, [(y, x) for x, y in current]):
            left, top = (min(place[axis] for place in image) for axis in (0, 1))
            found.add(frozenset((x - left, y - top) for x, y in image))
    return found
