"""Lines: sets of cells that win together, and the straight lines of a grid.

Cells are numbered row-major from the top left, level by level in more than two dimensions. Bit
`cell` of a bitboard represents that cell. For a 3×3 board:

    column    a b c
    row 3     0 1 2
    row 2     3 4 5
    row 1     6 7 8
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import gcd, lcm, prod
from operator import mul
from typing import NamedTuple, TypeVar

from plyscope.errors import OptionError

T = TypeVar("T")
LINE_KINDS = ("point", "row", "column", "diagonal", "pillar", "space-diagonal", "line")
"""The kinds of lines, in the order of `LineGame.lines`; *line* is the kind of lines that are not
straight."""


AXES = "xyzw"
"""The names of a board's axes: columns follow each other along x, rows along y, levels along z."""

Directions = tuple[tuple[int, ...], ...]


class Line(NamedTuple):
    """Cells that can win together.

    >>> import plyscope as ps
    >>> ps.GAMES["tictactoe"].lines[6]
    Line(mask=84, kind='diagonal')
    """

    mask: int
    """The bitboard of the cells."""
    kind: str
    """The kind, which selects the line's weight in heuristics: any word. Tables in files may use
    LINE_KINDS only."""
    ends: int = 0
    """The bitboard of the cells just beyond its two ends; an end at the edge of the board has
    none."""

    def cells(self) -> tuple[int, ...]:
        """Return the cells in increasing order."""
        return tuple(bits(self.mask))

    def __str__(self) -> str:
        return f"{self.kind} of cells {', '.join(map(str, self.cells()))}"

    def __repr__(self) -> str:
        ends = f", ends={self.ends}" if self.ends else ""
        return f"Line(mask={self.mask}, kind={self.kind!r}{ends})"


class Chain(NamedTuple):
    """A maximal straight run of cells."""

    direction: int
    """The index of its direction."""
    kind: str
    """The kind of its lines."""
    cells: tuple[int, ...]
    """The cells in order."""
    is_ring: bool
    """Whether the last cell is followed by the first."""


def bits(board: int) -> Iterator[int]:
    """Yield the cells of a bitboard in increasing order."""
    while board:
        low = board & -board
        yield low.bit_length() - 1
        board ^= low


def by_cell(size: int, boards: Iterable[int], items: Iterable[T]) -> tuple[tuple[T, ...], ...]:
    """Return for each cell the items whose bitboards in `boards` contain it."""
    found: list[list[T]] = [[] for _ in range(size)]
    for board, item in zip(boards, items, strict=False):
        for cell in bits(board):
            found[cell].append(item)
    return tuple(map(tuple, found))


def axes_of(shape: tuple[int, ...], torus: bool | str) -> tuple[bool, ...]:
    """Return for each axis whether its edges are joined. `torus` joins all, none, or the named
    axes."""
    if isinstance(torus, bool):
        return tuple(torus for _ in shape)
    return tuple(axis in torus for axis in AXES[: len(shape)].ljust(len(shape)))


def joined(dimensions: int, axes: str) -> bool | str:
    """Return the named axes in the order of AXES, or True if all are named; raise OptionError."""
    known = AXES[:dimensions]
    if not set(axes) <= set(known):
        raise OptionError(f"torus {axes[:40]!r}; expected axes of {known!r}")
    return len(set(axes)) == dimensions or "".join(axis for axis in known if axis in axes) or False


def count_lines(
    shape: tuple[int, ...], k: int, torus: bool | str = False, directions: Directions | None = None
) -> int:
    """Return the number of lines that `grid_lines` makes on a board without holes.

    On a torus it is an upper bound: a line that two directions share is counted twice.
    """
    size = prod(shape)
    wraps = axes_of(shape, torus)
    if directions is not None:
        return sum(
            prod(
                side if goes_round else max(side - (k - 1) * abs(step), 0)
                for side, step, goes_round in zip(shape, direction, wraps, strict=True)
            )
            for direction in directions
        )
    if k == 1:
        return size
    if not any(wraps):
        return (prod(side + 2 * max(side - k + 1, 0) for side in shape) - size) // 2
    total = 0
    axes = [(side, goes_round) for side, goes_round in zip(shape, wraps, strict=True) if side > 1]
    for chosen in product((False, True), repeat=len(axes)):
        moving = [axis for axis, moves in zip(axes, chosen, strict=True) if moves]
        is_closed = all(goes_round for _, goes_round in moving)
        period = lcm(*(side for side, _ in moving)) if is_closed else size
        if is_closed and period < k:
            continue
        starts = size
        for side, goes_round in moving:
            starts = starts if goes_round else starts // side * max(side - k + 1, 0)
        # on a joined axis of two cells both directions are the same
        turning = sum(side > 2 or not goes_round for side, goes_round in moving)
        total += 2 ** max(turning - 1, 0) * starts // (k if is_closed and period == k else 1)
    return total


def grid_lines(
    shape: tuple[int, ...],
    k: int,
    torus: bool | str = False,
    directions: Directions | None = None,
    holes: int = 0,
) -> tuple[Line, ...]:
    """Return all straight lines of `k` cells on a grid of `shape` (width, height, ...), by kind.

    `torus` gives the joined axes (`axes_of`). `directions` are the steps from cell to cell, by
    default to all neighbours. No line contains one of the `holes`.

    >>> [line.cells() for line in grid_lines((3, 2), 3)]
    [(0, 1, 2), (3, 4, 5)]
    """
    found: dict[int, Line] = {}
    wraps = axes_of(shape, torus)
    for direction in _neighbours(shape, k, wraps) if directions is None else directions:
        kind = _kind(direction, k)
        goes_round = _goes_round(direction, wraps)
        for mask, ends in (
            _wrapped(shape, k, direction, wraps) if goes_round else _straight(shape, k, direction)
        ):
            if not mask & holes:
                found.setdefault(mask, Line(mask, kind, ends & ~holes))
    return tuple(sorted(found.values(), key=lambda line: LINE_KINDS.index(line.kind)))


def named_directions(dimensions: int, kind: str) -> Directions:
    """Return the directions of a kind of line, one of each opposite pair; none for *line*."""
    return tuple(
        direction
        for direction in _one_way(dimensions)
        if any(direction) and _kind(direction, 2) == kind
    )


def _one_way(dimensions: int) -> Iterator[tuple[int, ...]]:
    """Yield the steps to neighbours, one of each opposite pair: the one whose last coordinate that
    is not 0 is positive."""
    for direction in product((0, 1, -1), repeat=dimensions):
        if next((step for step in direction if step), 1) > 0:
            yield direction[::-1]


def _neighbours(
    shape: tuple[int, ...], k: int, wraps: tuple[bool, ...]
) -> Iterator[tuple[int, ...]]:
    """Yield the directions of lines, those along one axis first. Of two directions with the same
    lines only one is yielded."""
    if k == 1:
        yield (1, *(0 for _ in shape[1:]))
        return
    steps = [
        (0, 1, -1) if side >= (2 if goes_round else k) else (0,)
        for side, goes_round in zip(shape, wraps, strict=True)
    ]
    seen: set[tuple[int, ...]] = set()
    for direction in sorted(product(*steps), key=lambda d: (sum(map(abs, d)), d[::-1])):
        if next((step for step in reversed(direction) if step), -1) < 0:
            continue  # the opposite direction has the same lines
        if _goes_round(direction, wraps):
            forth, back = (
                tuple(
                    sign * step % side if goes_round else sign * step
                    for step, side, goes_round in zip(direction, shape, wraps, strict=True)
                )
                for sign in (1, -1)
            )
            if forth in seen:
                continue
            seen |= {forth, back}
        yield direction


def _goes_round(direction: tuple[int, ...], wraps: tuple[bool, ...]) -> bool:
    """Return whether lines of this direction cross joined edges."""
    return any(step and goes_round for step, goes_round in zip(direction, wraps, strict=True))


def _straight(
    shape: tuple[int, ...], k: int, direction: tuple[int, ...]
) -> Iterator[tuple[int, int]]:
    """Yield the lines of a direction that crosses no joined edge, and their ends.

    Each line is the first one, shifted. A line has an end on each side on which it can be extended
    to `k` + 1 cells.
    """
    strides = [prod(shape[:axis]) for axis in range(len(shape))]
    step = sum(map(mul, direction, strides))
    low = min(0, step * (k - 1))
    line = sum(1 << cell * step - low for cell in range(k))
    longer = set(_starts(shape, k + 1, direction)) if k > 1 else ()
    for start in _starts(shape, k, direction):
        ends = 1 << start + step * k if start in longer else 0
        if start - step in longer:
            ends |= 1 << start - step
        yield line << start + low, ends


def _starts(shape: tuple[int, ...], k: int, direction: tuple[int, ...]) -> Iterator[int]:
    """Yield the first cells of the lines of a direction, in increasing order."""
    places = [
        range(max(-step * (k - 1), 0) * stride, (side - max(step * (k - 1), 0)) * stride, stride)
        for axis, (step, side) in enumerate(zip(direction, shape, strict=True))
        for stride in (prod(shape[:axis]),)
    ]
    yield from map(sum, product(*reversed(places)))


def _wrapped(
    shape: tuple[int, ...], k: int, direction: tuple[int, ...], wraps: tuple[bool, ...]
) -> Iterator[tuple[int, int]]:
    """Yield the lines of a direction that crosses joined edges, and their ends."""
    moving = [axis for axis, step in enumerate(direction) if step]
    period = lcm(*(shape[axis] // gcd(shape[axis], direction[axis]) for axis in moving))
    if period < k and all(wraps[axis] for axis in moving):
        return  # a walk returns to its start after fewer than k cells
    following, before = (neighbour_cells(shape, direction, wraps, sign) for sign in (1, -1))
    done: set[int] = set()
    for start in range(len(following)):
        if start in done:
            continue
        cells = [start]
        while len(cells) < k and following[cells[-1]] >= 0:
            cells.append(following[cells[-1]])
        mask = 0
        for cell in cells:
            mask |= 1 << cell
        if mask.bit_count() < k:
            continue
        if following[cells[-1]] == start:
            done.update(cells)  # each of these cells begins the same line
        beyond = {following[cells[-1]], before[start]} - {-1, *cells} if k > 1 else ()
        yield mask, sum(1 << cell for cell in beyond)


def neighbour_cells(
    shape: tuple[int, ...], direction: tuple[int, ...], wraps: tuple[bool, ...], sign: int
) -> list[int]:
    """Return for each cell the next one forward (`sign` 1) or backward (−1), −1 beyond the
    board."""
    strides = [prod(shape[:axis]) for axis in range(len(shape))]
    found = []
    for cell in range(prod(shape)):
        there = 0
        for side, stride, step, goes_round in zip(shape, strides, direction, wraps, strict=True):
            x = cell // stride % side + sign * step
            if not (goes_round or 0 <= x < side):
                there = -1
                break
            there += x % side * stride
        found.append(there)
    return found


def chains(
    shape: tuple[int, ...], k: int, torus: bool | str = False, holes: int = 0
) -> Iterator[Chain]:
    """Yield the longest straight runs of at least `k` cells between edges and holes.

    The lines of the grid are the runs of `k` successive cells on these chains.

    >>> [chain.cells for chain in chains((3, 2), 3)]
    [(0, 1, 2), (3, 4, 5)]
    """
    wraps = axes_of(shape, torus)
    for number, direction in enumerate(_neighbours(shape, k, wraps)):
        following, before = (
            [-1 if cell < 0 or holes >> cell & 1 else cell for cell in cells]
            for cells in (neighbour_cells(shape, direction, wraps, sign) for sign in (1, -1))
        )
        left = {cell for cell in range(prod(shape)) if not holes >> cell & 1}
        for begins in [cell for cell in sorted(left) if before[cell] < 0] + sorted(left):
            if begins not in left:
                continue
            cells = [begins]
            while (after := following[cells[-1]]) >= 0 and after != begins:
                cells.append(after)
            left.difference_update(cells)
            if len(cells) >= k:
                yield Chain(number, _kind(direction, k), tuple(cells), after == begins)


def _kind(direction: tuple[int, ...], k: int) -> str:
    axes = [axis for axis, step in enumerate(direction) if step]
    if k == 1:
        return "point"
    if any(abs(step) > 1 for step in direction):
        return "line"
    if len(axes) == 1:
        return ("row", "column", "pillar")[min(axes[0], 2)]
    return "diagonal" if len(axes) == 2 else "space-diagonal"
