"""Line games: two sides take cells of a board, and completing a line decides the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, reduce
from itertools import groupby, pairwise
from math import prod
from operator import or_
from pathlib import Path
from typing import Unpack

from plyscope.errors import IllegalMoveError, NotationError, OptionError
from plyscope.rules import cells as names
from plyscope.rules.game import FIRST, SECOND, SIDES, Game, spoken
from plyscope.rules.lines import Directions, Line, bits, by_cell, count_lines, grid_lines, joined
from plyscope.rules.position import Position
from plyscope.rules.renju import Black, rays
from plyscope.rules.words import Variants, format_spec

MAX_CELLS = 1024
"""The greatest number of cells of a `LineGame`."""

MAX_LINE_CELLS = 300_000
"""The limit for the lengths of all straight lines of a board together."""


@dataclass(frozen=True, eq=False)
class LineGame(Game):
    """A board and its lines: whoever completes a line wins, and a full board is a draw.

    >>> LineGame.grid(7, 7, k=5).start().play("d4", "e5")
    <7,7,5: 7,7,5 ......./......./....O../...X.../......./......./.......>
    """

    name: str
    """The name that `parse` reads."""
    shape: tuple[int, ...]
    """(width, height, ...)"""
    given: tuple[Line, ...] | int
    """The lines, or k for all straight lines of k cells, which `lines` makes when first used."""
    gravity: bool = False
    """A stone falls to the lowest empty cell of its column; the second coordinate is the height."""
    misere: bool = False
    """The player who completes a line loses."""
    torus: bool | str = False
    """True joins all opposite edges; a text joins those of the named axes: `x` is a cylinder."""
    summary: str = ""
    """The rules in one line."""
    exactly: bool = False
    """A line counts only if its owner has no stone on the cells at its ends: no overlines."""
    holes: int = 0
    """The bitboard of the holes: no line contains one, and under gravity stones rest on it."""
    stones: int = 1
    """The number of stones that a side places in a turn."""
    first_stones: int = 1
    """The number of stones of the first turn of the game."""
    hexagonal: bool = False
    """Cells have six neighbours: each row is half a cell further right than the one above."""
    renju: bool = False
    """X completes a line only exactly, and must not make an overline, double four or double three
    (`rules.renju`). A side without a legal move draws."""
    caro: bool = False
    """A line does not count while the opponent has both cells at its ends."""
    of_file: str = ""
    """The file that the game was read from. Its name replaces that of the game in the texts of
    positions."""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not isinstance(self.shape, tuple):
            raise OptionError(
                f"a game called {self.name!r} of shape {self.shape!r}; "
                "expected a name and a tuple; parse_game('5,5,4') makes a game"
            )
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
            raise OptionError(f"hexagonal board of {self.name!r}; expected two dimensions")
        if self.renju or self.caro:
            self._check_tournament_rules()
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

    def _check_tournament_rules(self) -> None:
        """Raise OptionError if the rules of Renju or Caro do not go with the others."""
        word = "renju" if self.renju else "caro"
        others = ("gravity", "misere", "torus", "hexagonal")
        wrong = [other for other in others if getattr(self, other)]
        wrong += ["stones"] if not self.alternates else []
        wrong += [other for other in ("exactly", "caro") if self.renju and getattr(self, other)]
        if wrong:
            raise OptionError(f"{self.name!r} has {word!r} and {wrong[0]!r}; expected one of them")
        if len(self.shape) != 2 or not isinstance(self.given, int) or self.given < 3:
            raise OptionError(
                f"{word!r} in {self.name!r}; expected straight lines of 3 cells or more on a grid"
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

        By default lines run in the directions of all neighbours, on a hexagonal board of all six.
        The default name is the text that `parse` reads. Raises OptionError.
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
        """The rules without the name: games with equal rules differ at most in their names."""
        later = ((field, getattr(self, field)) for field in ADDED_FIELDS)
        return (
            *(self.shape, self.given, self.gravity, self.misere, self.torus),
            *(rule for rule in later if rule[1] != DEFAULTS[rule[0]]),
        )

    @property
    def digest(self) -> str:
        """The SHA-256 digest of the rules, which identifies the game in files."""
        import hashlib

        return hashlib.sha256(repr(self.rules).encode()).hexdigest()

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)

    @cached_property
    def variants(self) -> frozenset[str]:
        """The names of the rules that differ from the plain game: `torus` (of any axis), `gravity`,
        `misere`, `exactly`, `renju`, `caro`, `holes`, `stones` (several a turn).

        A solver accepts a game only if it supports all of them.
        """
        words = ("torus", "gravity", "misere", "exactly", "renju", "caro", "holes")
        chosen = {word for word in words if getattr(self, word)}
        return frozenset(chosen if self.alternates else chosen | {"stones"})

    @cached_property
    def alternates(self) -> bool:
        """Whether every turn is one stone."""
        return self.stones == self.first_stones == 1

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines in a fixed order: rows, columns, diagonals, then lines that leave a level."""
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
        """The number of rows of one level."""
        return self.shape[1] if len(self.shape) > 1 else 1

    @cached_property
    def board(self) -> int:
        """The bitboard of all cells except holes."""
        return (1 << self.size) - 1 & ~self.holes

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """The lines' bitboards, in the order of `lines`."""
        return tuple(line.mask for line in self.lines)

    @cached_property
    def longest_line(self) -> int:
        """The number of cells of the longest line, 1 if there is no line."""
        return max((mask.bit_count() for mask in self.masks), default=1)

    @cached_property
    def masks_through(self) -> tuple[tuple[int, ...], ...]:
        """The bitboards of the lines through each cell."""
        return by_cell(self.size, self.masks, self.masks)

    @cached_property
    def _lines_through(self) -> tuple[tuple[Line, ...], ...]:
        """The lines through each cell."""
        return by_cell(self.size, self.masks, self.lines)

    @cached_property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each column from the bottom up; columns left to right, level by level.

        A hole splits a column in two.
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
        """The bitboard of each column, in the order of `columns`; its lowest cell is its highest
        bit."""
        return tuple(sum(1 << cell for cell in column) for column in self.columns)

    @cached_property
    def above(self) -> tuple[int, ...]:
        """For each cell the bit of the cell above it under gravity, 0 if there is none."""
        above = [0] * self.size
        for column in self.columns if self.gravity else ():
            for below, cell in pairwise(column):
                above[below] = 1 << cell
        return tuple(above)

    def landing(self, taken: int) -> int:
        """Return the bitboard of the cells where a stone can be placed if `taken` are taken."""
        empty = self.board & ~taken
        if not self.gravity:
            return empty
        lowest = ((empty & column).bit_length() - 1 for column in self.column_masks)
        return sum(1 << cell for cell in lowest if cell >= 0)

    def start(self) -> Position:
        """Return the empty board, X to move."""
        return Position(self, 0, 0, FIRST, None)

    def position(self, first: int, second: int, side: int | None = None) -> Position:
        """Return the position with these stones; by default their number gives the side to move.

        Positions that no game reaches are accepted. Raises IllegalMoveError for two stones on a
        cell, for a stone in the air under gravity, and for the wrong side if a turn has several
        stones. If both sides have a complete line, the line of the side that moved last counts.
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
            if self.completed(stones[mover], stones[1 - mover], mover) is not None:
                return Position(self, first, second, side, self.winner_of(mover))
        return Position(self, first, second, side, None)

    def turn(self, first: int, second: int) -> int:
        """Return the side to move, which follows from the number of stones on the board."""
        if self.alternates:
            return SECOND if first.bit_count() > second.bit_count() else FIRST
        return self.turn_at((first | second).bit_count())

    def turn_at(self, stones: int) -> int:
        """Return the side to move after `stones` stones have been placed on the empty board."""
        if stones < self.first_stones:
            return FIRST
        return FIRST if (stones - self.first_stones) // self.stones % 2 else SECOND

    def _check_support(self, taken: int) -> None:
        """Raise IllegalMoveError if the cell below a stone is empty."""
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
        """Return the empty cells, row-major; under gravity the lowest empty cell of each column."""
        if position.winner is not None:
            return ()
        empty = self.board & ~(position.first | position.second)
        if self.renju and position.side == FIRST:
            return tuple(self._allowed(position))
        if not self.gravity:
            return tuple(bits(empty))
        return tuple(
            [(empty & column).bit_length() - 1 for column in self.column_masks if empty & column]
        )

    def play(self, position: Position, move: int) -> Position:
        """Return the position after `move`, a legal cell; unlike `Position.play`, do not check
        it."""
        _, first, second, side, winner = position
        if side:
            second |= 1 << move
            mine, theirs = second, first
        else:
            first |= 1 << move
            mine, theirs = first, second
        if self.completes(mine, move, theirs, side):
            winner = self.winner_of(side)
        following = 1 - side if self.alternates else self.turn(first, second)
        return Position(self, first, second, following, winner)

    def completes(self, stones: int, cell: int, theirs: int = 0, side: int = FIRST) -> bool:
        """Return whether the `stones` of `side` complete a line through `cell`.

        The opponent's stones and the side matter only with the rules `caro` and `renju`.
        """
        for mask in self.masks_through[cell]:
            if stones & mask == mask:
                return not self._has_conditions or self._counts_at(cell, stones, theirs, side)
        return False

    def _counts_at(self, cell: int, stones: int, theirs: int, side: int) -> bool:
        """Return whether a full line through `cell` counts."""
        return any(
            stones & line.mask == line.mask and self.counts(line, stones, theirs, side)
            for line in self._lines_through[cell]
        )

    @cached_property
    def _has_conditions(self) -> bool:
        """Whether a full line may not count."""
        return self.exactly or self.renju or self.caro

    def counts(self, line: Line, stones: int, theirs: int, side: int) -> bool:
        """Return whether a line full of the `stones` of `side` counts, by the cells at its ends."""
        if stones & line.ends:
            return not (self.exactly or (self.renju and side == FIRST))
        return not (self.caro and line.ends.bit_count() == 2 and not line.ends & ~theirs)

    def completed(self, stones: int, theirs: int = 0, side: int = FIRST) -> Line | None:
        """Return the first line that the `stones` of `side` complete, None if there is none."""
        return next(
            (
                line
                for line in self.lines
                if stones & line.mask == line.mask
                and (not self._has_conditions or self.counts(line, stones, theirs, side))
            ),
            None,
        )

    def foul(self, position: Position, cell: int) -> str:
        """Return why X must not take an empty cell by the rules of Renju, "" if it may."""
        k = self.longest_line
        near = (position.first & self._around[cell]).bit_count()
        if not self.renju or near < min(k - 1, 2 * (k - 3)):
            return ""
        around = rays(self.width, self.height, self.holes)
        return Black(around, k, position.first, position.second).foul(cell)

    def _allowed(self, position: Position) -> Iterator[int]:
        """Yield the empty cells that X may take by the rules of Renju."""
        return (cell for cell in bits(position.empty) if not self.foul(position, cell))

    @cached_property
    def _around(self) -> tuple[int, ...]:
        """The bitboard of the cells that share a line with each cell."""
        return tuple(reduce(or_, masks, 0) for masks in self.masks_through)

    def winner_of(self, side: int) -> int:
        """Return the side that wins when `side` completes a line."""
        return 1 - side if self.misere else side

    @property
    def value_of_line(self) -> int:
        """The result for a side that completes a line: 1, in misère −1."""
        return -1 if self.misere else 1

    def payoff(self, position: Position) -> int | None:
        """Return 1 if X has won, −1 if O has, 0 on a full board, None before the end."""
        if position.winner is not None:
            return -1 if position.winner else 1
        if position.first | position.second == self.board:
            return 0
        if self.renju and position.side == FIRST and next(self._allowed(position), None) is None:
            return 0
        return None

    def illegal(self, position: Position, cell: int, by_number: bool = False) -> IllegalMoveError:
        """Return the error for the illegal move `cell`, with the reason. `by_number` means that it
        was given as a number, which a user may mean as a column's."""
        if not 0 <= cell < self.size:
            return IllegalMoveError(f"no cell {cell} on {self.name}; expected 0 to {self.size - 1}")
        text = self.format_cell(cell)
        if position.is_over:
            return IllegalMoveError(f"{text!r} cannot be played: the game is over")
        is_taken = (position.first | position.second) >> cell & 1
        is_hole = self.holes >> cell & 1
        why = "is taken" if is_taken else "is a hole" if is_hole else "hangs in the air"
        if self.renju and not is_taken and not is_hole:
            why = f"is forbidden ({self.foul(position, cell)})"
        column = ""
        if by_number and self.speaks_of_columns:
            named = str(cell % self.width + 1)
            column = f"; the number {cell} is this cell, and the text {named!r} is its column"
        legal = self._legal_text(position)
        return IllegalMoveError(f"{text!r} {why}; expected one of {legal}{column}")

    def _legal_text(self, position: Position) -> str:
        texts = [spoken(self, self.format_cell(move)) for move in position.moves]
        return ", ".join(texts if len(texts) <= 16 else [*texts[:15], f"... ({len(texts)} in all)"])

    @cached_property
    def speaks_of_columns(self) -> bool:
        """Whether moves are named by their columns, such as `4`: on a board of two dimensions with
        gravity, at most nine columns and no holes."""
        return self.gravity and len(self.shape) == 2 and self.width <= 9 and not self.holes

    def format_cell(self, cell: int) -> str:
        """Return the name of `cell`, such as `b2` (`rules.cells`)."""
        return names.format_cell(self.shape, cell)

    def format_move(self, position: Position, move: int) -> str:
        """Return the name of the cell taken."""
        return self.format_cell(move)

    def parse_move(self, position: Position, text: str) -> int:
        """Return the legal cell that `text` names.

        The text is a cell such as `b2`, under gravity the number of a column, and on boards of at
        most nine cells a number from 1, row-major. Raises NotationError or IllegalMoveError.
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
                raise NotationError(f"column {text!r} is split by holes; expected {texts}")
            return legal[0]
        cell = names.parse_cell(self.shape, text)
        if cell not in self.moves(position):
            raise self.illegal(position, cell)
        return cell

    @cached_property
    def _column_cells(self) -> tuple[int, ...]:
        """The bitboard of each numbered column, its holes included."""
        plane = self.width * self.height
        rows = sum(1 << row * self.width for row in range(self.height))
        return tuple(
            rows << level * plane + column
            for level in range(self.size // plane)
            for column in range(self.width)
        )

    def format(self, position: Position) -> str:
        """Return the text of a position, which `parse` reads back as an equal position."""
        from plyscope.rules.notation import format_position

        return format_position(position)

    def __repr__(self) -> str:
        return f"<LineGame {self.name}: {'×'.join(map(str, self.shape))}, {len(self.lines)} lines>"

    def __reduce__(self) -> tuple[object, ...]:
        return LineGame, tuple(getattr(self, field.name) for field in fields(self))


HEXAGONAL = ((1, 0), (0, 1), (-1, 1))
"""The three directions of lines on a hexagonal board."""
ADDED_FIELDS = (*("exactly", "holes", "stones", "first_stones", "hexagonal", "renju", "caro"),)
"""Fields that enter `rules` only if they differ from their defaults, so that games without them
keep the digest that they had before these fields existed."""
DEFAULTS = {field.name: field.default for field in fields(LineGame)}


def _check_length(
    name: str, shape: tuple[int, ...], k: int, torus: bool | str, directions: Directions | None
) -> None:
    """Raise OptionError if k is less than 1, or the lines have too many cells together."""
    if k < 1:
        raise OptionError(f"{k} in a line; expected at least 1")
    if k * count_lines(shape, k, torus, directions) > MAX_LINE_CELLS:
        raise OptionError(
            f"the lines of {name!r} have too many cells; "
            f"expected at most {MAX_LINE_CELLS:,} together"
        )
