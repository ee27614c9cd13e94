"""Line games: two sides take cells of a board, and what matters is a set of lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import groupby, pairwise
from math import prod
from pathlib import Path
from typing import Unpack

from plyscope.errors import IllegalMoveError, NotationError, OptionError
from plyscope.rules import cells as names
from plyscope.rules.game import FIRST, SECOND, SIDES, Game, spoken
from plyscope.rules.lines import Directions, Line, bits, count_lines, grid_lines, joined
from plyscope.rules.position import Position
from plyscope.rules.words import Variants, format_spec

MAX_CELLS = 1024
"""The largest board that `LineGame` accepts; searches are written for up to 256 cells."""

MAX_LINE_CELLS = 300_000
"""The most cells that the straight lines of a board may have together, cells on several lines
counted for each."""


@dataclass(frozen=True, eq=False)
class LineGame(Game):
    """A board, its lines, and what a full line means: who completes one wins; a full board draws.

    >>> LineGame.grid(7, 7, k=5).start().play("d4", "e5")
    <7,7,5: 7,7,5 ......./......./....O../...X.../......./......./.......>
    """

    name: str
    """What `parse` reads."""
    shape: tuple[int, ...]
    """(width, height, ...)"""
    given: tuple[Line, ...] | int
    """The lines; or k for every straight line of k cells, made when `lines` is asked for."""
    gravity: bool = False
    """A stone falls to the lowest empty cell of its column; the second coordinate is the height."""
    misere: bool = False
    """Who completes a line loses."""
    torus: bool | str = False
    """Opposite sides of the board are joined; or of the axes named alone, `x` a cylinder's."""
    summary: str = ""
    """The game in a line."""
    exactly: bool = False
    """A line counts only where the cells at its ends are not its owner's: no overline does."""
    holes: int = 0
    """The bitboard of cells that are none: no line has one, and under gravity it is a floor."""
    stones: int = 1
    """The stones that a side puts in its turn, one after the other."""
    first_stones: int = 1
    """The same for the very first turn."""
    hexagonal: bool = False
    """Each row is drawn half a cell further right than the one above: cells have six neighbours."""
    of_file: str = ""
    """The file that it is read from, by which its positions name it."""

    def __post_init__(self) -> None:
        if not self.shape or any(size < 1 for size in self.shape) or prod(self.shape) > MAX_CELLS:
            size = "×".join(map(str, self.shape)) or "no size"
            raise OptionError(
                f"board of {size}; expected sizes from 1 and at most {MAX_CELLS} cells"
            )
        if not 0 <= self.holes < (1 << self.size) - 1:
            raise OptionError(f"holes of {self.name!r} leave no cell; expected at least one")
        for stones in (self.stones, self.first_stones):
            if not 1 <= stones <= self.size:
                raise OptionError(
                    f"{stones} stones a turn in {self.name!r}; expected 1 to {self.size}"
                )
        if self.hexagonal and len(self.shape) != 2:
            raise OptionError(f"hexagonal board of {self.name!r}; expected rows and columns alone")
        if isinstance(self.torus, str):
            object.__setattr__(self, "torus", joined(len(self.shape), self.torus))
        if isinstance(self.given, int):
            _check_length(self.name, self.shape, self.given, self.torus, None)
            return
        for line in self.given:
            if not line.mask or line.mask & ~self.board or line.ends & ~self.board:
                raise OptionError(
                    f"line {line.cells()} of {self.name!r} leaves the board; "
                    f"expected cells from 0 to {self.size - 1}"
                )

    @classmethod
    def grid(
        cls,
        *shape: int,
        k: int,
        name: str = "",
        summary: str = "",
        directions: Directions | None = None,
        **variants: Unpack[Variants],
    ) -> LineGame:
        """Return the game of `k` in a line on a grid, with any of `Variants`.

        Lines run to all neighbours unless `directions` are given, on a hexagonal board to all six.
        Without a name it gets the text that `parse` reads. Raises OptionError.
        """
        name = name or format_spec(shape, k, {**variants, "directions": directions})
        if directions is None and variants.get("hexagonal") and len(shape) == 2:
            directions = HEXAGONAL
        given: int | tuple[Line, ...] = k
        if directions is not None:
            if any(len(steps) != len(shape) or not any(steps) for steps in directions):
                raise OptionError(
                    f"directions {str(directions)[:40]!r} of {name!r}; "
                    f"expected steps along {len(shape)} axes"
                )
            torus, holes = variants.get("torus", False), variants.get("holes", 0)
            _check_length(name, shape, k, torus, directions)
            given = grid_lines(shape, k, torus, directions, holes)
        return cls(name, shape, given, summary=summary, **variants)

    @classmethod
    def read(cls, path: str | Path) -> LineGame:
        """Return the game of a TOML or JSON file (`rules.gamefile`); raise NotationError."""
        from plyscope.pythonfile import version_of_file
        from plyscope.rules.gamefile import read_game

        return read_game(str(path), version_of_file(str(path)))

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
        later = ((field, getattr(self, field)) for field in LATER)
        return (
            *(self.shape, self.given, self.gravity, self.misere, self.torus),
            *(rule for rule in later if rule[1] != DEFAULTS[rule[0]]),
        )

    @property
    def digest(self) -> str:
        """The SHA-256 digest of the rules, by which files know their game."""
        import hashlib

        return hashlib.sha256(repr(self.rules).encode()).hexdigest()

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)

    @cached_property
    def variants(self) -> frozenset[str]:
        """What it adds to the plain rule: `torus` (of any axis), `gravity`, `misere`, `exactly`,
        `holes`, `stones` (of a turn).

        A solver plays a game whose variants are all known to it, and refuses any other.
        """
        words = ("torus", "gravity", "misere", "exactly", "holes")
        chosen = {word for word in words if getattr(self, word)}
        return frozenset(chosen if self.alternates else chosen | {"stones"})

    @cached_property
    def alternates(self) -> bool:
        """Whether a turn is one stone."""
        return self.stones == self.first_stones == 1

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines in a fixed order: rows, columns, diagonals, then those of more dimensions."""
        if isinstance(self.given, tuple):
            return self.given
        return grid_lines(self.shape, self.given, self.torus, holes=self.holes)

    @cached_property
    def size(self) -> int:
        """The number of cells, holes counted."""
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
        """The bitboard of all cells that are no holes."""
        return (1 << self.size) - 1 & ~self.holes

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
    def _spans_through(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each cell its lines as (the line with its ends, the line)."""
        through: list[list[tuple[int, int]]] = [[] for _ in range(self.size)]
        for line in self.lines:
            for cell in bits(line.mask):
                through[cell].append((line.mask | line.ends, line.mask))
        return tuple(map(tuple, through))

    @cached_property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """Each column's cells from the bottom up; columns left to right, level by level.

        A hole is the floor of a column of its own.
        """
        plane = self.width * self.height
        found = []
        for level in range(self.size // plane):
            for column in range(self.width):
                bottom = level * plane + plane - self.width + column
                cells = range(bottom, level * plane - 1, -self.width)
                for is_hole, run in groupby(cells, lambda cell: self.holes >> cell & 1):
                    found += [] if is_hole else [tuple(run)]
        return tuple(found)

    @cached_property
    def column_masks(self) -> tuple[int, ...]:
        """Each column's bitboard, in the order of `columns`; the lowest cell is the highest bit."""
        return tuple(sum(1 << cell for cell in column) for column in self.columns)

    @cached_property
    def above(self) -> tuple[int, ...]:
        """By cell the bit of the one that rests on it under gravity, 0 where there is none."""
        above = [0] * self.size
        for column in self.columns if self.gravity else ():
            for below, cell in pairwise(column):
                above[below] = 1 << cell
        return tuple(above)

    def landing(self, taken: int) -> int:
        """Return the cells on which a stone can come to lie when `taken` have one."""
        empty = self.board & ~taken
        if not self.gravity:
            return empty
        lowest = ((empty & column).bit_length() - 1 for column in self.column_masks)
        return sum(1 << cell for cell in lowest if cell >= 0)

    def start(self) -> Position:
        """Return the empty board, X to move."""
        return Position(self, 0, 0, FIRST, None)

    def position(self, first: int, second: int, side: int | None = None) -> Position:
        """Return the position with these stones; `side` follows from their number unless stated.

        Any arrangement is taken, also one that no game reaches, except two stones on a cell, stones
        in the air under gravity, and a side whose turn it is not where a turn is not one stone. If
        both sides have a full line, it is the side that moved last whose line counts. Raises
        IllegalMoveError.
        """
        if first & second or (first | second) & ~self.board:
            raise IllegalMoveError(
                f"stones of {self.name!r} overlap or leave the board; "
                "expected each cell at most once"
            )
        if self.gravity:
            self._check_support(first | second)
        usual = self.turn(first, second)
        if side is None:
            side = usual
        stones, count = (first, second), (first | second).bit_count()
        if side != usual and not self.alternates:
            raise IllegalMoveError(
                f"side {SIDES[side]!r} of {self.name!r} after {count} stones; "
                f"expected {SIDES[usual]!r}, whose turn it is"
            )
        last = 1 - side if self.alternates else self.turn_at(count - 1)
        for mover in (last, 1 - last):
            if self.completed(stones[mover]) is not None:
                return Position(self, first, second, side, self.winner_of(mover))
        return Position(self, first, second, side, None)

    def turn(self, first: int, second: int) -> int:
        """Return whose turn it is with these stones on the board, as far as their number tells."""
        if self.alternates:
            return SECOND if first.bit_count() > second.bit_count() else FIRST
        return self.turn_at((first | second).bit_count())

    def turn_at(self, stones: int) -> int:
        """Return whose turn it is once so many stones have been put on the empty board."""
        if stones < self.first_stones:
            return FIRST
        return FIRST if (stones - self.first_stones) // self.stones % 2 else SECOND

    def _check_support(self, taken: int) -> None:
        """Raise IllegalMoveError where a stone lies on an empty cell."""
        for column in self.columns:
            for below, cell in pairwise(column):
                if taken >> cell & 1 and not taken >> below & 1:
                    raise IllegalMoveError(
                        f"the stone at {self.format_cell(cell)} hangs in the air; "
                        f"expected a stone at {self.format_cell(below)} under it"
                    )

    def side(self, position: Position) -> int:
        """Return the side to move."""
        return position.side

    def moves(self, position: Position) -> Sequence[int]:
        """Return the empty cells, row-major; under gravity the landing cells, by column."""
        if position.winner is not None:
            return ()
        empty = self.board & ~(position.first | position.second)
        if not self.gravity:
            return tuple(bits(empty))
        return tuple(
            [(empty & column).bit_length() - 1 for column in self.column_masks if empty & column]
        )

    def play(self, position: Position, move: int) -> Position:
        """Return the position after `move`, a legal cell: not checked, as `Position.play` does."""
        _, first, second, side, winner = position
        if side:
            second |= 1 << move
            mine = second
        else:
            first |= 1 << move
            mine = first
        if self.completes(mine, move):
            winner = self.winner_of(side)
        following = 1 - side if self.alternates else self.turn(first, second)
        return Position(self, first, second, following, winner)

    def completes(self, stones: int, cell: int) -> bool:
        """Return whether a side's `stones` have a line through `cell`, one of them."""
        for mask in self.masks_through[cell]:
            if stones & mask == mask:
                return not self.exactly or self._completes_exactly(stones, cell)
        return False

    def _completes_exactly(self, stones: int, cell: int) -> bool:
        """Return whether a line through `cell` is full and its ends are not."""
        return any(stones & span == line for span, line in self._spans_through[cell])

    def completed(self, stones: int) -> Line | None:
        """Return the first line that a side's `stones` have, None if they have none."""
        return next(
            (
                line
                for line in self.lines
                if stones & line.mask == line.mask and not (self.exactly and stones & line.ends)
            ),
            None,
        )

    def winner_of(self, side: int) -> int:
        """Return who wins when `side` completes a line."""
        return 1 - side if self.misere else side

    @property
    def value_of_line(self) -> int:
        """What a completed line is worth to its side: 1, and −1 in misère."""
        return -1 if self.misere else 1

    def payoff(self, position: Position) -> int | None:
        """Return +1 when X has won, −1 when O has, 0 on a full board, None before the end."""
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
        is_taken = (position.first | position.second) >> cell & 1
        is_hole = self.holes >> cell & 1
        why = "is taken" if is_taken else "is a hole" if is_hole else "hangs in the air"
        return IllegalMoveError(f"{text!r} {why}; expected one of {self._legal_text(position)}")

    def _legal_text(self, position: Position) -> str:
        texts = [spoken(self, self.format_cell(move)) for move in position.moves]
        return ", ".join(texts if len(texts) <= 16 else [*texts[:15], f"... ({len(texts)} in all)"])

    @cached_property
    def speaks_of_columns(self) -> bool:
        """Whether people call a move by its column, `4`: on a plane of at most nine of them with
        gravity and no holes."""
        return self.gravity and len(self.shape) == 2 and self.width <= 9 and not self.holes

    def format_cell(self, cell: int) -> str:
        """Return the name of `cell`, such as `b2` (`rules.cells`)."""
        return names.format_cell(self.shape, cell)

    def format_move(self, position: Position, move: int) -> str:
        """Return the name of the cell taken."""
        return self.format_cell(move)

    def parse_move(self, position: Position, text: str) -> int:
        """Return the legal cell that `text` names.

        It is `b2`; a number from 1, row-major, on boards of at most 9 cells; a column's number
        under gravity. Raises NotationError or IllegalMoveError.
        """
        text = text.strip()
        if self.gravity and (len(text) == 1 or (text.isascii() and text.isdigit())):
            column = int(text) - 1 if text.isascii() and text.isdigit() and len(text) < 5 else -1
            if not 0 <= column < self.size // self.height:
                raise NotationError(
                    f"column {text[:12]!r}; expected 1 to {self.size // self.height}"
                )
            cells = self._column_cells[column]
            legal = [cell for cell in self.moves(position) if cells >> cell & 1]
            if position.is_over:
                raise IllegalMoveError(f"{text!r} cannot be played: the game is over")
            if not legal:
                raise IllegalMoveError(
                    f"column {text!r} is full; expected one of {self._legal_text(position)}"
                )
            if len(legal) > 1:
                texts = " or ".join(map(self.format_cell, legal))
                raise NotationError(f"column {text!r} is parted by holes; expected {texts}")
            return legal[0]
        cell = names.parse_cell(self.shape, text)
        if cell not in self.moves(position):
            raise self.illegal(position, cell)
        return cell

    @cached_property
    def _column_cells(self) -> tuple[int, ...]:
        """The bitboard of each column as people number them, holes or not."""
        plane = self.width * self.height
        rows = sum(1 << row * self.width for row in range(self.height))
        return tuple(
            rows << level * plane + column
            for level in range(self.size // plane)
            for column in range(self.width)
        )

    def format(self, position: Position) -> str:
        """Return the text that `parse` reads back as an equal position."""
        from plyscope.rules.notation import format_position

        return format_position(position)

    def __repr__(self) -> str:
        return f"<LineGame {self.name}: {'×'.join(map(str, self.shape))}, {len(self.lines)} lines>"

    def __reduce__(self) -> tuple[object, ...]:
        return LineGame, tuple(getattr(self, field.name) for field in fields(self))


HEXAGONAL = ((1, 0), (0, 1), (-1, 1))
"""The directions of a hexagonal board, whose rows are each drawn half a cell further right."""
LATER = ("exactly", "holes", "stones", "first_stones", "hexagonal")
"""Fields that are part of the rules where they differ from the plain rule: other games keep the
digest that they had before there were such fields."""
DEFAULTS = {field.name: field.default for field in fields(LineGame)}


def _check_length(
    name: str,
    shape: tuple[int, ...],
    k: int,
    torus: bool | str,
    directions: Directions | None,
) -> None:
    """Raise OptionError for `k` in a line on a board where that makes too many lines."""
    if k < 1:
        raise OptionError(f"{k} in a line; expected at least 1")
    if k * count_lines(shape, k, torus, directions) > MAX_LINE_CELLS:
        raise OptionError(
            f"the lines of {name!r} have too many cells; "
            f"expected at most {MAX_LINE_CELLS:,} together"
        )
