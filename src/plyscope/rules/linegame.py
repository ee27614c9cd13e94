"""Line games: two sides take cells of a board, and what matters is a set of lines.

Cells are numbered row-major from the top left; of a board with more than two dimensions, level by
level. Bit `cell` of a bitboard stands for that cell. For a 3×3 board:

    column    a b c
    row 3     0 1 2
    row 2     3 4 5
    row 1     6 7 8
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import lcm, prod
from operator import mul
from typing import NamedTuple

from plyscope.display import drawn
from plyscope.errors import IllegalMoveError, NotationError, OptionError
from plyscope.rules import cells as names
from plyscope.rules.game import FIRST, SECOND

__all__ = ["Line", "LineGame", "Position", "count_lines", "grid_lines"]

MAX_CELLS = 1024
"""The largest board that `LineGame` accepts; searches are written for up to 256 cells."""

MAX_LINE_CELLS = 300_000
"""The most cells that the straight lines of a board may have together, cells on several lines
counted for each."""

LINE_KINDS = ("point", "row", "column", "diagonal", "pillar", "space-diagonal", "line")


class Line(NamedTuple):
    """Cells that can win together: their bitboard, and the kind of line, by which a heuristic may
    weigh it."""

    mask: int
    kind: str

    def cells(self) -> tuple[int, ...]:
        """Return the cells in increasing order."""
        return tuple(bits(self.mask))


def bits(board: int) -> Iterator[int]:
    """Yield the cells of a bitboard in increasing order."""
    while board:
        low = board & -board
        yield low.bit_length() - 1
        board ^= low


class Position(NamedTuple):
    """A position of a line game: an immutable value that people hold.

    `first` and `second` are the two sides' stones as bitboards, `side` is to move, and `winner` is
    the side that has won, None if none has. Made by `LineGame.position`, by `play` and by `parse`,
    so that `winner` is always true to the stones.
    """

    game: LineGame
    first: int
    second: int
    side: int
    winner: int | None

    def stones(self, side: int) -> int:
        """Return the bitboard of `side`."""
        return self.second if side else self.first

    @property
    def is_over(self) -> bool:
        """Whether a side has won or no cell is left."""
        return self.game.payoff(self) is not None

    @property
    def moves(self) -> Sequence[int]:
        """The legal moves, as cells, in generated order."""
        return self.game.moves(self)

    def play(self, *moves: int | str) -> Position:
        """Return the position after `moves`, each a cell or its text; raise IllegalMoveError or
        NotationError at the first bad one."""
        position = self
        for move in moves:
            cell = position.game.parse_move(position, move) if isinstance(move, str) else move
            if cell not in position.moves:
                raise position.game.illegal(position, cell)
            position = position.game.play(position, cell)
        return position

    def winning_line(self) -> Line | None:
        """Return the first full line of the side that completed one, None if there is none (in
        misère that side lost)."""
        if self.winner is None:
            return None
        stones = self.stones(1 - self.winner if self.game.misere else self.winner)
        return next((line for line in self.game.lines if stones & line.mask == line.mask), None)

    def __str__(self) -> str:
        return self.game.format(self)

    def __repr__(self) -> str:
        return f"<{self.game.name}: {self}>"

    def _repr_html_(self) -> str:
        return drawn(self)


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
    """Return every straight line of `k` cells on a grid of `shape` (width, height, ...), rows
    first, then columns, then diagonals."""
    found: dict[int, str] = {}
    for direction in _directions(shape, k, torus):
        kind = _kind(direction, k)
        for mask in (_wrapped if torus else _straight)(shape, k, direction):
            found.setdefault(mask, kind)
    return tuple(
        sorted(
            (Line(mask, kind) for mask, kind in found.items()),
            key=lambda line: LINE_KINDS.index(line.kind),
        )
    )


def _directions(shape: tuple[int, ...], k: int, torus: bool) -> Iterator[tuple[int, ...]]:
    """Yield the directions in which there may be lines, those along one axis first, and of two with
    the same lines the first."""
    if k == 1:
        yield (1, *(0 for _ in shape[1:]))
        return
    steps = [(0, 1, -1) if side >= (2 if torus else k) else (0,) for side in shape]
    seen = set()
    for direction in sorted(product(*steps), key=lambda d: (sum(map(abs, d)), d[::-1])):
        if next((step for step in reversed(direction) if step), -1) < 0:
            continue  # its opposite has the same lines
        if torus:
            forth, back = (
                tuple(sign * step % side for step, side in zip(direction, shape, strict=True))
                for sign in (1, -1)
            )
            if (
                forth in seen
                or lcm(*(side for step, side in zip(direction, shape, strict=True) if step)) < k
            ):
                continue
            seen |= {forth, back}
        yield direction


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
    """Yield the lines of one direction on a torus, where a walk of at least `k` cells comes back to
    its start."""
    strides = [prod(shape[:axis]) for axis in range(len(shape))]
    following = [
        sum(
            (x + step) % side * stride
            for x, step, side, stride in zip(reversed(at), direction, shape, strides, strict=True)
        )
        for at in product(*(range(side) for side in reversed(shape)))
    ]
    is_round = lcm(*(side for step, side in zip(direction, shape, strict=True) if step)) == k
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


@dataclass(frozen=True, eq=False)
class LineGame:
    """A board of `shape` (width, height, ...), its lines, and what a full line means.

    `given` is the lines themselves, or k for every straight line of k cells, which are only made
    when `lines` is asked for. Whoever completes a line wins, in `misere` loses; a full board is a
    draw. With `gravity` a stone falls to the lowest empty cell of its column (the second coordinate
    is the height). `name` is what `parse` reads.
    """

    name: str
    shape: tuple[int, ...]
    given: tuple[Line, ...] | int
    gravity: bool = False
    misere: bool = False
    torus: bool = False
    summary: str = ""

    def __post_init__(self) -> None:
        if not self.shape or any(size < 1 for size in self.shape) or prod(self.shape) > MAX_CELLS:
            raise OptionError(
                f"board of {'×'.join(map(str, self.shape)) or 'no size'}; expected sizes from 1 and at most {MAX_CELLS} cells"
            )
        if isinstance(self.given, int) and self.given < 1:
            raise OptionError(f"{self.given} in a line; expected at least 1")
        if (
            isinstance(self.given, int)
            and self.given * count_lines(self.shape, self.given, self.torus) > MAX_LINE_CELLS
        ):
            raise OptionError(
                f"the lines of {self.name!r} have too many cells; expected at most {MAX_LINE_CELLS:,} together"
            )
        for line in self.given if isinstance(self.given, tuple) else ():
            if not 0 < line.mask <= self.board:
                raise OptionError(
                    f"line {line.cells()} of {self.name!r} leaves the board; expected cells from 0 to {self.size - 1}"
                )

    @classmethod
    def grid(
        cls,
        *shape: int,
        k: int,
        name: str = "",
        torus: bool = False,
        gravity: bool = False,
        misere: bool = False,
        summary: str = "",
    ) -> LineGame:
        """Return the game of `k` in a line on a grid; without a name it gets the text that `parse`
        reads."""
        from plyscope.rules.games import format_spec

        name = name or format_spec(shape, k, torus=torus, gravity=gravity, misere=misere)
        return cls(name, shape, k, gravity=gravity, misere=misere, torus=torus, summary=summary)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, LineGame) and self._key == other._key)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _key(self) -> tuple[object, ...]:
        return (self.name, *self.rules)

    @property
    def rules(self) -> tuple[object, ...]:
        """All but the name: games with equal rules are the same game under different names."""
        return (self.shape, self.given, self.gravity, self.misere, self.torus)

    @property
    def digest(self) -> str:
        """The SHA-256 digest of the rules, by which files know their game."""
        import hashlib

        return hashlib.sha256(repr(self.rules).encode()).hexdigest()

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines, in a fixed order: rows, columns, diagonals, then those of higher
        dimensions."""
        return (
            self.given
            if isinstance(self.given, tuple)
            else grid_lines(self.shape, self.given, self.torus)
        )

    @cached_property
    def size(self) -> int:
        """The number of cells."""
        return prod(self.shape)

    @cached_property
    def width(self) -> int:
        """The number of columns."""
        return self.shape[0]

    @cached_property
    def height(self) -> int:
        """The number of rows, of one level."""
        return self.shape[1] if len(self.shape) > 1 else 1

    @cached_property
    def board(self) -> int:
        """The bitboard of all cells."""
        return (1 << self.size) - 1

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """The lines' bitboards, in the order of `lines`."""
        return tuple(line.mask for line in self.lines)

    @cached_property
    def longest_line(self) -> int:
        """The cells of the longest line, 1 where there is none."""
        return max((mask.bit_count() for mask in self.masks), default=1)

    @cached_property
    def masks_through(self) -> tuple[tuple[int, ...], ...]:
        """For each cell the bitboards of the lines that hold it."""
        through: list[list[int]] = [[] for _ in range(self.size)]
        for mask in self.masks:
            for cell in bits(mask):
                through[cell].append(mask)
        return tuple(map(tuple, through))

    @cached_property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """Each column's cells from the bottom up, left to right, level by level: where stones fall
        under gravity."""
        plane = self.width * self.height
        return tuple(
            tuple(level * plane + row * self.width + column for row in reversed(range(self.height)))
            for level in range(self.size // plane)
            for column in range(self.width)
        )

    @cached_property
    def column_masks(self) -> tuple[int, ...]:
        """Each column's cells as a set, in the order of `columns`; the lower a cell, the greater
        its number."""
        return tuple(sum(1 << cell for cell in column) for column in self.columns)

    def start(self) -> Position:
        """Return the empty board, X to move."""
        return Position(self, 0, 0, FIRST, None)

    def position(self, first: int, second: int, side: int | None = None) -> Position:
        """Return the position with these stones; `side` to move follows from their number, X first,
        unless stated.

        Any arrangement is taken, also one that no game reaches, except two stones on a cell and
        stones in the air under gravity. If both sides have a full line, it is the side that moved
        last whose line counts. Raises IllegalMoveError.
        """
        if first & second or (first | second) & ~self.board:
            raise IllegalMoveError(
                f"stones of {self.name!r} overlap or leave the board; expected each cell at most once"
            )
        if self.gravity:
            for column in self.columns:
                empty_below = None
                for cell in column:
                    if not (first | second) >> cell & 1:
                        empty_below = cell
                    elif empty_below is not None:
                        raise IllegalMoveError(
                            f"the stone at {self.format_cell(cell)} hangs in the air; "
                            f"expected a stone at {self.format_cell(empty_below)} under it"
                        )
        if side is None:
            side = SECOND if first.bit_count() > second.bit_count() else FIRST
        stones = (first, second)
        for mover in (1 - side, side):
            if any(stones[mover] & mask == mask for mask in self.masks):
                return Position(self, first, second, side, 1 - mover if self.misere else mover)
        return Position(self, first, second, side, None)

    def side(self, position: Position) -> int:
        """Return the side to move."""
        return position.side

    def moves(self, position: Position) -> Sequence[int]:
        """Return the empty cells row-major from the top left; under gravity the landing cells,
        columns left to right."""
        if position.winner is not None:
            return ()
        empty = self.board & ~(position.first | position.second)
        if not self.gravity:
            return tuple(bits(empty))
        return tuple(
            [(empty & column).bit_length() - 1 for column in self.column_masks if empty & column]
        )

    def play(self, position: Position, move: int) -> Position:
        """Return the position after the side to move takes the cell `move`, which must be legal:
        not checked."""
        _, first, second, side, winner = position
        if side:
            second |= 1 << move
            mine = second
        else:
            first |= 1 << move
            mine = first
        for mask in self.masks_through[move]:
            if mine & mask == mask:
                winner = 1 - side if self.misere else side
                break
        return Position(self, first, second, 1 - side, winner)

    def payoff(self, position: Position) -> int | None:
        """Return +1 when X has won, −1 when O has, 0 on a full board, None while the game goes
        on."""
        if position.winner is not None:
            return -1 if position.winner else 1
        return 0 if position.first | position.second == self.board else None

    def illegal(self, position: Position, cell: int) -> IllegalMoveError:
        """Return the error that says why `cell` cannot be played in `position`."""
        if not 0 <= cell < self.size:
            return IllegalMoveError(f"no cell {cell} on {self.name}; expected 0 to {self.size - 1}")
        text = self.format_cell(cell)
        if position.is_over:
            return IllegalMoveError(f"{text!r} cannot be played: the game is over")
        if (position.first | position.second) >> cell & 1:
            return IllegalMoveError(
                f"{text!r} is taken; expected one of {self._legal_text(position)}"
            )
        return IllegalMoveError(
            f"{text!r} hangs in the air; expected one of {self._legal_text(position)}"
        )

    def _legal_text(self, position: Position) -> str:
        texts = [self.format_cell(move) for move in position.moves]
        return ", ".join(texts if len(texts) <= 16 else [*texts[:15], f"... ({len(texts)} in all)"])

    def format_cell(self, cell: int) -> str:
        """Return the name of `cell`: column letter from the left, row number from the bottom
        (`b2`), then the level's letter."""
        return names.format_cell(self.shape, cell)

    def format_move(self, position: Position, move: int) -> str:
        """Return the name of the cell taken."""
        return self.format_cell(move)

    def parse_move(self, position: Position, text: str) -> int:
        """Return the legal cell that `text` names: `b2`; 1 up, row-major, on boards of at most 9
        cells; a column's number under gravity."""
        text = text.strip()
        if self.gravity and (len(text) == 1 or (text.isascii() and text.isdigit())):
            column = int(text) - 1 if text.isascii() and text.isdigit() and len(text) < 5 else -1
            if not 0 <= column < len(self.columns):
                raise NotationError(f"column {text[:12]!r}; expected 1 to {len(self.columns)}")
            legal = [cell for cell in self.columns[column] if cell in self.moves(position)]
            if not legal:
                why = "the game is over" if position.is_over else f"column {text!r} is full"
                raise IllegalMoveError(
                    f"{why}; expected one of {self._legal_text(position) or 'no move'}"
                )
            return legal[0]
        cell = names.parse_cell(self.shape, text)
        if cell not in self.moves(position):
            raise self.illegal(position, cell)
        return cell

    def format(self, position: Position) -> str:
        """Return the text that `parse` reads back as an equal position."""
        from plyscope.rules.notation import format_position

        return format_position(position)

    def __repr__(self) -> str:
        return f"<LineGame {self.name}: {'×'.join(map(str, self.shape))}, {len(self.lines)} lines>"

    def __reduce__(self) -> tuple[object, ...]:
        return (
            LineGame,
            (
                self.name,
                self.shape,
                self.given,
                self.gravity,
                self.misere,
                self.torus,
                self.summary,
            ),
        )
