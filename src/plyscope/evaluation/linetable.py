"""`LineTable`: a heuristic as data, a value for each (my stones, their stones) on a line.

The evaluation is the sum over all lines of table[mine, theirs] × weight[kind of line], brought
within ±clamp if there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import Any

from plyscope.errors import HeuristicError, NotationError
from plyscope.evaluation.function import MAX_VALUE
from plyscope.evaluation.heuristic import Explanation, LineShare
from plyscope.pythonfile import OURS, in_one_line
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import Line
from plyscope.rules.position import Position

WHOLE = "a whole number"

Pairs = Mapping[tuple[int, int], int]
"""Values by two counts."""


@dataclass(frozen=True)
class LineTable:
    """A heuristic for line games: a value for each state of a line, a weight for each kind of line.

    >>> LineTable("mine", {(1, 0): 1, (2, 0): 5}, weights={"diagonal": 2}).value(2, 0)
    5
    """

    name: str
    """What tables and messages call it."""
    values: Pairs
    """By (mine, theirs), in the view of the side evaluated for; absent pairs count 0."""
    weights: Mapping[str, int] = field(default_factory=dict)
    """By kind of line (`rules.lines.LINE_KINDS`); absent kinds weigh 1."""
    clamp: int | None = None
    """The greatest sum, whatever the sign; None for no bound."""
    summary: str = "a table of values by stones on a line"
    """The heuristic in a line."""
    birth: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Its birth certificate, of a table that was tuned."""

    def __post_init__(self) -> None:
        if not isinstance(self.values, Mapping):
            expected = "{(mine, theirs): value}, by the stones on a line"
            raise self._wrong("values", self.values, "of", expected)
        for key, value in self.values.items():
            is_pair = isinstance(key, tuple) and len(key) == 2
            if not is_pair or not all(isinstance(count, int) and count >= 0 for count in key):
                raise self._wrong("key", key, "in", "(mine, theirs), stones from 0")
            if not is_whole(value):
                raise self._wrong("value", value, f"for {key} in", f"{WHOLE} within ±{MAX_VALUE:,}")
        for kind, weight in self.weights.items():
            if not is_whole(weight):
                where = f"of {kind!r} in"
                raise self._wrong("weight", weight, where, f"{WHOLE} within ±{MAX_VALUE:,}")
        if self.clamp is not None and not (is_whole(self.clamp) and self.clamp >= 0):
            raise self._wrong("clamp", self.clamp, "of", f"{WHOLE} from 0 to {MAX_VALUE:,}")

    def _wrong(self, what: str, value: object, where: str, expected: str) -> HeuristicError:
        return HeuristicError(
            f"{what} {str(value)[:40]!r} {where} the table {self.name!r}; expected {expected}"
        )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(
            (self.name, frozenset(self.values.items()), frozenset(self.weights.items()), self.clamp)
        )

    def value(self, mine: int, theirs: int) -> int:
        """Return what a line with these stones counts before its weight."""
        return self.values.get((mine, theirs), 0)

    def negated(self) -> LineTable:
        """Return the table to which every line is worth the opposite."""
        return replace(self, values={stones: -value for stones, value in self.values.items()})

    def greatest(self, game: LineGame) -> int:
        """Return a bound of what it gives on any position of `game`, whatever the sign."""
        return self.clamp if self.clamp is not None else _greatest_sum(self, game)

    def evaluate(self, position: Position, side: int) -> int:
        """Return the sum over the lines for `side`, within ±clamp."""
        mine, theirs = position.first, position.second
        if side:
            mine, theirs = theirs, mine
        return self._clamped(_sum(_weighted_rows(self, position.game), mine, theirs))

    def evaluate_moves(self, position: Position, side: int) -> dict[int, int]:
        """Return by move the evaluation after it, from the lines through its cell alone."""
        stones = position.stones(side), position.stones(1 - side)
        rows = _weighted_rows(self, position.game)
        total, through = _sum(rows, *stones), _rows_through(self, position.game)
        evaluations = {}
        for cell in position.moves:
            after = (
                (stones[0] | 1 << cell, stones[1])
                if position.side == side
                else (stones[0], stones[1] | 1 << cell)
            )
            evaluations[cell] = self._clamped(
                total + _sum(through[cell], *after) - _sum(through[cell], *stones)
            )
        return evaluations

    def _clamped(self, total: int) -> int:
        return total if self.clamp is None else max(-self.clamp, min(self.clamp, total))

    def explain(self, position: Position, side: int) -> Explanation:
        """Return the evaluation line by line, in the order of the game's lines."""
        mine, theirs = position.stones(side), position.stones(1 - side)
        names = [position.game.format_cell(cell) for cell in range(position.game.size)]

        def share(line: Line) -> LineShare:
            own, other = (mine & line.mask).bit_count(), (theirs & line.mask).bit_count()
            table, weight = self.value(own, other), self.weights.get(line.kind, 1)
            return LineShare(
                cells=tuple(names[cell] for cell in line.cells()),
                kind=line.kind,
                mine=own,
                theirs=other,
                table=table,
                weight=weight,
                value=table * weight,
            )

        shares = tuple(map(share, position.game.lines))
        total = self._clamped(sum(share.value for share in shares))
        return Explanation(
            position=position, heuristic=self.name, side=side, lines=shares, total=total
        )

    @classmethod
    def one_sided(cls, name: str, mine: tuple[int, ...], **more: Any) -> LineTable:
        """Return the table of unmixed lines: mine[i] for i stones of mine, −mine[i] for theirs."""
        theirs = {(0, count): -value for count, value in enumerate(mine)}
        return cls(name, theirs | {(count, 0): value for count, value in enumerate(mine)}, **more)

    @classmethod
    def of_function(
        cls, name: str, function: Callable[[int, int], int], longest: int, **more: Any
    ) -> LineTable:
        """Return the table of `function(mine, theirs)`, for lines of up to `longest` cells."""
        values = {}
        for mine, theirs in product(range(longest + 1), repeat=2):
            if mine + theirs > longest:
                continue
            pair = mine, theirs
            try:
                values[pair] = function(*pair)
            except (HeuristicError, *OURS):
                raise
            except BaseException as error:  # a stranger's: reported by name
                raise HeuristicError(
                    f"heuristic {name!r} raised {in_one_line(error)} "
                    f"for a line with (mine, theirs) = {pair}; expected a whole number "
                    f"(it was called as f(mine, theirs), the stones on a line; "
                    "call the first argument board for the rows)"
                ) from error
        return cls(name, values, **more)

    @classmethod
    def read(cls, path: str | Path) -> LineTable:
        """Return the table in a TOML or JSON file (`evaluation.tablefile`); raise NotationError.

        name = "mine"
        mine = [0, 1, 3, 8]          # by stones on a line that has no other
        theirs = [0, -1, -3, -8]     # −mine when left out
        weights = { diagonal = 2 }   # by kind of line
        clamp = 100
        [values]                     # single entries
        "1,1" = 5
        """
        from plyscope.evaluation.tablefile import read_table

        table = read_table(path)
        if not isinstance(table, LineTable):
            raise NotationError(
                f"{str(path)!r} has terms beside lines ({', '.join(table.terms)}); "
                "expected a table of lines alone (TermSum.read takes both)"
            )
        return table

    def as_dict(self) -> dict[str, Any]:
        """Return the content of its file."""
        from plyscope.evaluation.tablefile import content_of

        return content_of(self)

    def write(self, path: str | Path) -> None:
        """Write it to a TOML or JSON file, which reads back as its equal; raise OptionError."""
        from plyscope.evaluation.tablefile import write_table

        write_table(self, path)


def is_whole(value: object) -> bool:
    """Return whether a value may stand in a table."""
    return isinstance(value, int) and abs(value) <= MAX_VALUE


@lru_cache(maxsize=64)
def _weighted_rows(table: LineTable, game: LineGame) -> Rows:
    """Return by line that can count its bitboard and its weighted values [mine, theirs]."""
    rows = []
    for line in game.lines:
        length = line.mask.bit_count() + 1
        weight = table.weights.get(line.kind, 1)
        by_stones = [
            [table.value(mine, theirs) * weight for theirs in range(length)]
            for mine in range(length)
        ]
        if any(any(row) for row in by_stones):
            rows.append((line.mask, by_stones))
    return tuple(rows)


Rows = tuple[tuple[int, list[list[int]]], ...]


def _sum(rows: Rows, mine: int, theirs: int) -> int:
    total = 0
    for mask, by_stones in rows:
        total += by_stones[(mine & mask).bit_count()][(theirs & mask).bit_count()]
    return total


@lru_cache(maxsize=64)
def _rows_through(table: LineTable, game: LineGame) -> list[Rows]:
    """Return for each cell those of its lines that can count."""
    rows = _weighted_rows(table, game)
    return [tuple(row for row in rows if row[0] >> cell & 1) for cell in range(game.size)]


@lru_cache(maxsize=64)
def _greatest_sum(table: LineTable, game: LineGame) -> int:
    return sum(
        max(abs(value) for row in by_stones for value in row)
        for _, by_stones in _weighted_rows(table, game)
    )
