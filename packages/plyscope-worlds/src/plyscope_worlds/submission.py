"""An agent for Kaggle's ConnectX that needs only the standard library.

It uses alpha-beta with iterative deepening on bitboards, with a bit for each cell, row by row from
the top left. The evaluation of a position is the sum over its lines of a value for the stones on
the line. A win counts more than any evaluation, and an earlier win more than a later one. Kaggle
calls `agent`, the last function.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

# The heuristic
NAME = "counted-lines"
VALUES: Mapping[tuple[int, int], int] = {(1, 0): 1, (2, 0): 3, (3, 0): 8, (4, 0): 21}
WEIGHTS: Mapping[str, int] = {}
CLAMP: int | None = None
# The rest is the same for every heuristic

WIN = 1_000_000_000
MAX_EVALUATION = WIN - 10_001
CLOCK_NODES = 256
"""Nodes between two readings of the clock."""


def count(word: int) -> int:
    """Return the number of bits that are set."""
    return word.bit_count()


class OutOfTime(Exception):
    """Raised in a search when its time is over."""


class Board:
    """The lines of a board, each with its table of values by (my stones, their stones) on it."""

    def __init__(self, columns: int, rows: int, k: int) -> None:
        self.columns = [
            sum(1 << row * columns + at for row in range(rows)) for at in range(columns)
        ]
        self.full = (1 << columns * rows) - 1
        self.order = sorted(range(columns), key=lambda at: (abs(2 * at - columns + 1), at))
        self.lines: list[tuple[int, list[list[int]]]] = []
        for x, y, kind in (
            (1, 0, "row"),
            (0, 1, "column"),
            (1, 1, "diagonal"),
            (1, -1, "diagonal"),
        ):
            weight = WEIGHTS.get(kind, 1)
            sizes = range(k + 1)
            table = [[weight * VALUES.get((mine, theirs), 0) for theirs in sizes] for mine in sizes]
            for row in range(rows):
                for at in range(columns):
                    if at + x * (k - 1) < columns and 0 <= row + y * (k - 1) < rows:
                        cells = (1 << (row + y * i) * columns + at + x * i for i in range(k))
                        self.lines.append((sum(cells), table))
        self.through = [
            [line for line in self.lines if line[0] >> cell & 1] for cell in range(columns * rows)
        ]

    def total(self, mine: int, theirs: int) -> int:
        """Return the sum of the values of all lines."""
        return sum(table[count(mine & line)][count(theirs & line)] for line, table in self.lines)

    def cell(self, taken: int, column: int) -> int:
        """Return the cell to which a stone falls in a column, -1 if the column is full."""
        return (self.columns[column] & ~taken).bit_length() - 1

    def completes(self, stones: int, cell: int) -> bool:
        """Return whether these stones fill a line through the cell."""
        return any(stones & line == line for line, _ in self.through[cell])


class Search:
    """A search from one position, for the side to move."""

    def __init__(self, board: Board, mine: int, theirs: int, deadline: float | None = None) -> None:
        self.board, self.mine, self.theirs, self.deadline = board, mine, theirs, deadline
        self.nodes = 0
        self.scores: dict[tuple[int, int], tuple[int, int, int]] = {}
        """By position, for the current depth: the lower and upper bound of the value, and the best
        column."""
        self.best: dict[tuple[int, int], int] = {}
        """By position, the best column in the last search, which the next search tries first."""

    def run(self, depth: int) -> tuple[int, int]:
        """Return the value at this depth and the first best column, counted from the middle."""
        self.scores = {}
        total = self.board.total(self.mine, self.theirs)
        return self.negamax(self.mine, self.theirs, total, 0, depth, -WIN, WIN, 1)

    def negamax(
        self,
        own: int,
        other: int,
        total: int,
        ply: int,
        depth: int,
        alpha: int,
        beta: int,
        sign: int,
    ) -> tuple[int, int]:
        """Return the score for the side to move, whose stones are `own`, and its best column.

        `total` is the sum of the lines for the side to move at the root. `sign` is 1 if that side
        is to move here, else -1.
        """
        self.nodes += 1
        is_due = self.nodes % CLOCK_NODES == 0
        if is_due and self.deadline is not None and perf_counter() >= self.deadline:
            raise OutOfTime
        board, position, taken = self.board, (own, other), own | other
        low, high, known = self.scores.get(position, (-WIN, WIN, -1))
        if ply and (low >= beta or high <= alpha or low == high):
            return (low if low >= beta or low == high else high), known
        first, order = self.best.get(position), board.order
        if ply and first is not None:
            order = [first, *(column for column in order if column != first)]
        best, chosen, window = -WIN, -1, alpha
        for column in order:
            cell = board.cell(taken, column)
            if cell < 0:
                continue
            stones = own | 1 << cell
            if board.completes(stones, cell):
                score = WIN - ply - 1
            elif taken | 1 << cell == board.full:
                score = 0
            else:
                after = total + self.change(own, other, cell, sign)
                if depth > 1:
                    score = -self.negamax(
                        other, stones, after, ply + 1, depth - 1, -beta, -window, -sign
                    )[0]
                else:
                    score = sign * max(-MAX_EVALUATION, min(MAX_EVALUATION, self.clamped(after)))
            if score > best or chosen < 0:
                best, chosen = score, column
            window = max(window, score)
            if window >= beta:
                break
        self.best[position] = chosen
        if best < beta:
            high = best
        if best > alpha:
            low = best
        self.scores[position] = low, high, chosen
        return best, chosen

    def change(self, own: int, other: int, cell: int, sign: int) -> int:
        """Return the change of the total by a stone of the side to move."""
        mine, theirs = (own, other) if sign > 0 else (other, own)
        added = 0
        for line, table in self.board.through[cell]:
            row, at = count(mine & line), count(theirs & line)
            after = table[row + 1][at] if sign > 0 else table[row][at + 1]
            added += after - table[row][at]
        return added

    def clamped(self, total: int) -> int:
        """Return the total, limited to the range of the heuristic."""
        return total if CLAMP is None else max(-CLAMP, min(CLAMP, total))


def choose(board: Board, mine: int, theirs: int, seconds: float) -> int:
    """Return the best column of the deepest search that ends within the time."""
    left = count(board.full & ~(mine | theirs))
    search = Search(board, mine, theirs, perf_counter() + seconds)
    chosen = next(at for at in board.order if board.cell(mine | theirs, at) >= 0)
    try:
        for depth in range(1, left + 1):
            value, chosen = search.run(depth)
            if (
                abs(value) > MAX_EVALUATION
            ):  # a proved win or loss, which a deeper search cannot change
                break
    except OutOfTime:
        pass
    return chosen


def time_for(timeout: float, overage: float) -> float:
    """Return the seconds for a move: a part of `timeout`, less if little `overage` is left.

    The time of a move beyond `timeout` is taken from `overage`; when none is left, the game is
    lost.
    """
    return max(0.02, (0.75 if overage > 1 else 0.5) * timeout)


def read(source: Any, name: str, default: Any = None) -> Any:
    """Return an entry of an observation or a configuration, a dictionary or an object."""
    get = getattr(source, "get", None)
    found = get(name) if get is not None else getattr(source, name, None)
    return default if found is None else found


BOARDS: dict[tuple[int, ...], Board] = {}


def agent(observation: Any, configuration: Any) -> int:
    """Return the column to play, from 0."""
    began = perf_counter()
    columns, rows = read(configuration, "columns", 7), read(configuration, "rows", 6)
    size = columns, rows, read(configuration, "inarow", 4)
    if size not in BOARDS:
        BOARDS[size] = Board(*size)
    mark, cells = read(observation, "mark", 1), read(observation, "board")
    mine = sum(1 << at for at, stone in enumerate(cells) if stone == mark)
    theirs = sum(1 << at for at, stone in enumerate(cells) if stone not in (0, mark))
    timeout = read(configuration, "actTimeout") or read(configuration, "timeout", 2)
    seconds = time_for(timeout, read(observation, "remainingOverageTime", 60))
    return choose(BOARDS[size], mine, theirs, seconds - (perf_counter() - began))
