"""Renju's forbidden moves: what Black, the first side, must not play.

With n in a row as the aim, a move of Black is forbidden if it makes, and does not also complete a
row of exactly n,

    an overline    a row of more than n stones
    a double four  two fours: rows to which one stone makes exactly n. Both may lie in one line.
    a double three  two threes: rows to which one stone makes a straight four, which two different
                    stones complete. That stone must be allowed itself, by these same rules, and
                    must not complete a row elsewhere.

Source: the rules of the Renju International Federation, 9.2 and 9.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))
Rays = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]


@lru_cache(maxsize=32)
def rays(width: int, height: int, holes: int) -> tuple[Rays, ...]:
    """Return the cells on both sides of each cell in each direction, the nearest first, up to the
    edge or a hole [cell, direction]."""

    def ray(cell: int, dx: int, dy: int) -> Iterator[int]:
        x, y = cell % width + dx, cell // width + dy
        while 0 <= x < width and 0 <= y < height and not holes >> y * width + x & 1:
            yield y * width + x
            x, y = x + dx, y + dy

    return tuple(
        tuple((tuple(ray(cell, dx, dy)), tuple(ray(cell, -dx, -dy))) for dx, dy in STEPS)
        for cell in range(width * height)
    )


class Black:
    """The stones of both sides, for questions about a move of Black."""

    def __init__(self, around: tuple[Rays, ...], k: int, black: int, white: int) -> None:
        self.around, self.k, self.black, self.white = around, k, black, white

    def foul(self, cell: int) -> str:
        """Return `overline`, `double four` or `double three` if a move at `cell` is forbidden, ""
        if it is not."""
        after = Black(self.around, self.k, self.black | 1 << cell, self.white)
        rows = [after._row(cell, direction) for direction in range(len(STEPS))]
        if self.k in rows:
            return ""
        if max(rows) > self.k:
            return "overline"
        fours = [after._completing(cell, direction) for direction in range(len(STEPS))]
        straight = self.k - 1
        if (
            sum(
                1 if row == straight and ways else ways
                for row, ways in zip(rows, fours, strict=True)
            )
            > 1
        ):
            return "double four"
        threes = sum(after._is_three(cell, direction) for direction in range(len(STEPS)))
        return "double three" if threes > 1 else ""

    def _row(self, cell: int, direction: int) -> int:
        """Return the length of the row of stones through `cell`."""
        length = 1
        for ray in self.around[cell][direction]:
            for other in ray:
                if not self.black >> other & 1:
                    break
                length += 1
        return length

    def _extensions(self, cell: int, direction: int) -> Iterator[int]:
        """Yield the empty cells at the two ends of the row through `cell`."""
        for ray in self.around[cell][direction]:
            end = next((other for other in ray if not self.black >> other & 1), None)
            if end is not None and not self.white >> end & 1:
                yield end

    def _completing(self, cell: int, direction: int) -> int:
        """Return how many cells make the row through `cell` one of exactly k."""
        ends = self._extensions(cell, direction)
        return sum(self._row(end, direction) == self.k for end in ends)

    def _is_three(self, cell: int, direction: int) -> bool:
        """Return whether an allowed stone makes the row through `cell` a straight four."""
        for end in self._extensions(cell, direction):
            after = Black(self.around, self.k, self.black | 1 << end, self.white)
            if (
                after._row(end, direction) == self.k - 1
                and after._completing(end, direction) == 2
                and all(after._row(end, other) != self.k for other in range(len(STEPS)))
                and not self.foul(end)
            ):
                return True
        return False
