"""Lines: the sets of cells that win together, and all the straight ones of a grid.

Cells are numbered row-major from the top left; of a board with more than two dimensions, level by
level. Bit `cell` of a bitboard stands for that cell. For a 3×3 board:

    column    a b c
    row 3     0 1 2
    row 2     3 4 5
    row 1     6 7 8
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import lcm, prod
from operator import mul
from typing import NamedTuple

LINE_KINDS = ("point", "row", "column", "diagonal", "pillar", "space-diagonal", "line")
"""The kinds of a grid's lines, in the order of `LineGame.lines`; *line* is for lines of one's
own."""


class Line(NamedTuple):
    """Cells that can win together."""

    mask: int
    """The bitboard of the cells."""
    kind: str
    """What a heuristic weighs the line by: any word; a table in a file knows LINE_KINDS alone."""

    def cells(self) -> tuple[int, ...]:
        """Return the cells in increasing order."""
        return tuple(bits(self.mask))


def bits(board: int) -> Iterator[int]:
    """Yield the cells of a bitboard in increasing order."""
    while board:
        low = board & -board
        yield low.bit_length() - 1
        board ^= low


def count_lines(shape: tuple[int, ...], k: int, torus: bool = False) -> int:
    """Return how many lines `grid_lines` would give, without making one.

    A torus may have fewer: a line that two directions share is counted for each.
    """
    size = prod(shape)
    if k == 1:
        return size
    if not torus:
        return (prod(side + 2 * max(side - k + 1, 0) for side in shape) - size) // 2
    total = 0
    sides = [side for side in shape if side > 1]
    for chosen in product((False, True), repeat=len(sides)):
        moving = [side for side, moves in zip(sides, chosen, strict=True) if moves]
        period = lcm(*moving)
        if period >= k:
            turning = sum(side > 2 for side in moving)  # where there are two cells, forth is back
            total += 2 ** max(turning - 1, 0) * size // (k if period == k else 1)
    return total


def grid_lines(shape: tuple[int, ...], k: int, torus: bool = False) -> tuple[Line, ...]:
    """Return every straight line of `k` cells on a grid of `shape` (width, height, ...), by kind.

    >>> [line.cells() for line in grid_lines((3, 2), 3)]
    [(0, 1, 2), (3, 4, 5)]
    """
    kinds: dict[int, str] = {}
    for direction in _directions(shape, k, torus):
        kind = _kind(direction, k)
        for mask in (_wrapped if torus else _straight)(shape, k, direction):
            kinds.setdefault(mask, kind)
    lines = (Line(mask, kind) for mask, kind in kinds.items())
    return tuple(sorted(lines, key=lambda line: LINE_KINDS.index(line.kind)))


def _directions(shape: tuple[int, ...], k: int, torus: bool) -> Iterator[tuple[int, ...]]:
    """Yield the directions of lines, those along one axis first; of two with equal lines, one."""
    if k == 1:
        yield (1, *(0 for _ in shape[1:]))
        return
    steps = [(0, 1, -1) if side >= (2 if torus else k) else (0,) for side in shape]
    seen: set[tuple[int, ...]] = set()
    for direction in sorted(product(*steps), key=lambda d: (sum(map(abs, d)), d[::-1])):
        if next((step for step in reversed(direction) if step), -1) < 0:
            continue  # its opposite has the same lines
        if torus:
            forth, back = (
                tuple(sign * step % side for step, side in zip(direction, shape, strict=True))
                for sign in (1, -1)
            )
            if forth in seen or _period(shape, direction) < k:
                continue
            seen |= {forth, back}
        yield direction


def _period(shape: tuple[int, ...], direction: tuple[int, ...]) -> int:
    """Return after how many steps a walk on a torus comes back to its start."""
    return lcm(*(side for step, side in zip(direction, shape, strict=True) if step))


def _straight(shape: tuple[int, ...], k: int, direction: tuple[int, ...]) -> Iterator[int]:
    """Yield the lines of one direction on a plain board: one line, moved about."""
    strides = [prod(shape[:axis]) for axis in range(len(shape))]
    first = sum(1 << cell * sum(map(mul, direction, strides)) for cell in range(k))
    ends = [
        (0, side - k + 1) if step > 0 else (k - 1, side) if step else (0, side)
        for step, side in zip(direction, shape, strict=True)
    ]
    for start in product(*(range(*end) for end in reversed(ends))):
        yield first << sum(map(mul, reversed(start), strides))


def _wrapped(shape: tuple[int, ...], k: int, direction: tuple[int, ...]) -> Iterator[int]:
    """Yield the lines of one direction on a torus, whose walks return after `k` steps or more."""
    strides = [prod(shape[:axis]) for axis in range(len(shape))]
    following = [
        sum(
            (x + step) % side * stride
            for x, step, side, stride in zip(reversed(at), direction, shape, strides, strict=True)
        )
        for at in product(*(range(side) for side in reversed(shape)))
    ]
    is_round = _period(shape, direction) == k
    done: set[int] = set()
    for start in range(len(following)):
        if start in done:
            continue
        cells = [start]
        while len(cells) < k:
            cells.append(following[cells[-1]])
        if is_round:
            done.update(cells)  # each of its cells begins the same line
        yield sum(1 << cell for cell in cells)


def _kind(direction: tuple[int, ...], k: int) -> str:
    axes = [axis for axis, step in enumerate(direction) if step]
    if k == 1:
        return "point"
    if len(axes) == 1:
        return ("row", "column", "pillar")[min(axes[0], 2)]
    return "diagonal" if len(axes) == 2 else "space-diagonal"
