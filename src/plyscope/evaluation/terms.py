"""`TermSum`: a heuristic of several terms that add up, each a table.

    term      what it counts                                      what that is worth
    lines     each line, by the stones on it                      table[mine, theirs] × weight
    tempo     each line, by the stones of the side to move and    tempo[to move, waiting] × weight,
              of the side that waits                              to the side to move
    ends      each line on which one side alone has stones, by    ends[stones, empty ends] × weight
              the empty ones of the cells just beyond its ends
    cells     each stone, by its cell                             cells[name]
    threats   each empty cell with which a line of two cells or   threats[side, row odd or even]
              more is complete, once, whatever the lines
    mobility  each safe move                                      mobility

The weight is that of the line's kind. A kind may have tables of its own for lines and tempo, which
are added to those of all lines. What the other side has counts the opposite. A move is unsafe where
it loses at once: in misère it completes a line, else under gravity it lets the other side complete
one on top of it. Rows are numbered from the bottom; whether the game is over, and whose turn it is,
changes no term but tempo. The sum is brought within ±clamp.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from plyscope.errors import HeuristicError
from plyscope.evaluation.function import MAX_VALUE
from plyscope.evaluation.heuristic import Explanation, LineShare, PartShare, TermShare
from plyscope.evaluation.linetable import WHOLE, LineTable, Pairs, is_whole
from plyscope.rules import cells as names
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import Line, bits
from plyscope.rules.position import Position

TERMS = ("lines", "tempo", "ends", "cells", "threats", "mobility")
ODD, EVEN = 1, 0
MOST_ENDS = 2
"""Ends of a line."""
NO_LINES = LineTable("terms", {})


@dataclass(frozen=True)
class KindTable:
    """What lines of one kind count, beside what all lines do.

    >>> import plyscope as ps
    >>> open_rows = TermSum(kinds={"row": ps.KindTable({(2, 0): 5, (0, 2): -5})})
    >>> ps.evaluate("XX./O../O..", open_rows, side="x")
    5
    """

    values: Pairs = field(default_factory=dict)
    """By (mine, theirs), as in a `LineTable`."""
    tempo: Pairs = field(default_factory=dict)
    """By (to move, waiting), as in a `TermSum`."""

    def __hash__(self) -> int:
        return hash((frozenset(self.values.items()), frozenset(self.tempo.items())))


NO_KIND = KindTable()


@dataclass(frozen=True)
class TermSum:
    """A `LineTable`, and what it cannot say: who is to move, ends, cells, threats, mobility.

    >>> tempo = TermSum(tempo={(1, 0): 3, (0, 1): -1})
    >>> import plyscope as ps
    >>> ps.evaluate("X../.../...", tempo), ps.evaluate("X../.../...", tempo, side="x")
    (-3, 3)
    """

    table: LineTable = NO_LINES
    """Stones on a line. Its name, weights, clamp, summary and birth are those of the sum."""
    tempo: Pairs = field(default_factory=dict)
    """By (to move, waiting), stones on a line, in the view of the side to move."""
    ends: Pairs = field(default_factory=dict)
    """By (stones, empty ends) of a line that has stones of one side alone."""
    cells: Mapping[str, int] = field(default_factory=dict)
    """By the name of a cell."""
    threats: Pairs = field(default_factory=dict)
    """By (side, ODD or EVEN row)."""
    mobility: int = 0
    """Of a safe move."""
    kinds: Mapping[str, KindTable] = field(default_factory=dict)
    """By kind of line."""

    def __post_init__(self) -> None:
        tables = {term: getattr(self, term) for term in ("tempo", "ends", "cells", "threats")}
        for kind, of_kind in self.kinds.items():
            tables |= {f"{kind} values": of_kind.values, f"{kind} tempo": of_kind.tempo}
        for term, table in tables.items():
            for key, value in table.items():
                if not is_whole(value):
                    raise self._wrong(f"{term} of {key}", value, f"{WHOLE} within ±{MAX_VALUE:,}")
        if not is_whole(self.mobility):
            raise self._wrong("mobility", self.mobility, f"{WHOLE} within ±{MAX_VALUE:,}")
        of_kinds = [pairs for each in self.kinds.values() for pairs in (each.values, each.tempo)]
        for key in chain(self.tempo, self.ends, *of_kinds):
            if not _is_pair(key, 10**4, 10**4):
                raise self._wrong("key", key, "a pair of counts from 0")
        for key in self.ends:
            if not _is_pair(key, 10**4, MOST_ENDS) or key[0] < 1:
                raise self._wrong("key of ends", key, "(stones from 1, empty ends from 0 to 2)")
        for key in self.threats:
            if not _is_pair(key, 1, 1):
                raise self._wrong("key of threats", key, "(side, row), each 0 or 1")
        for cell in self.cells:
            if not isinstance(cell, str):
                raise self._wrong("key of cells", cell, "the name of a cell, such as 'b2'")

    def _wrong(self, what: str, value: object, expected: str) -> HeuristicError:
        return HeuristicError(
            f"{what} is {str(value)[:40]!r} in the table {self.name!r}; expected {expected}"
        )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        pairs = (self.tempo, self.ends, self.cells, self.threats)
        sets = (frozenset(each.items()) for each in (*pairs, self.kinds))
        return hash((self.table, *sets, self.mobility))

    @property
    def name(self) -> str:
        """What tables and messages call it."""
        return self.table.name

    @property
    def summary(self) -> str:
        """The heuristic in a line."""
        return self.table.summary

    @property
    def birth(self) -> Mapping[str, Any]:
        """The birth certificate, of a sum that was tuned."""
        return self.table.birth

    @property
    def weights(self) -> Mapping[str, int]:
        """By kind of line; absent kinds weigh 1."""
        return self.table.weights

    @property
    def clamp(self) -> int | None:
        """The greatest sum, whatever the sign; None for no bound."""
        return self.table.clamp

    # What a line, a cell, a threat are worth

    def line_terms(
        self, kind: str, mine: int, theirs: int, empty_ends: int, is_to_move: bool
    ) -> dict[str, int]:
        """Return by term what a line of a kind counts before its weight, in the view of `mine`.

        `is_to_move`: whether the side of `mine` is to move.
        """
        own = self.kinds.get(kind, NO_KIND)
        lines = self.table.value(mine, theirs) + own.values.get((mine, theirs), 0)
        by_mover = (mine, theirs) if is_to_move else (theirs, mine)
        tempo = self.tempo.get(by_mover, 0) + own.tempo.get(by_mover, 0)
        ends = 0
        if not (mine and theirs):
            ends = self.ends.get((mine, empty_ends), 0) - self.ends.get((theirs, empty_ends), 0)
        return {"lines": lines, "tempo": tempo if is_to_move else -tempo, "ends": ends}

    def line_value(
        self, kind: str, mine: int, theirs: int, empty_ends: int, is_to_move: bool
    ) -> int:
        """Return their sum."""
        return sum(self.line_terms(kind, mine, theirs, empty_ends, is_to_move).values())

    def own_kind(self, line: Line) -> str:
        """Return the line's kind where that has tables of its own, else ''."""
        return line.kind if line.kind in self.kinds else ""

    def weight(self, line: Line) -> int:
        """Return what the line's kind multiplies."""
        return self.weights.get(line.kind, 1)

    def cell_values(self, game: LineGame) -> list[int]:
        """Return by cell what a stone there is worth to its side."""
        return [self.cells.get(game.format_cell(cell), 0) for cell in range(game.size)]

    def threat_value(self, game: LineGame, cell: int, side: int) -> int:
        """Return what a cell that completes a line is worth to `side`."""
        return self.threats.get((side, row_parity(game, cell)), 0)

    # Evaluation

    def greatest(self, game: LineGame) -> int:
        """Return a bound of what it gives on any position of `game`, whatever the sign."""
        return self.greatest_sum(game) if self.clamp is None else self.clamp

    def greatest_sum(self, game: LineGame) -> int:
        """Return the same of the sum before the clamp."""
        return _greatest_sum(self, game)

    def evaluate(self, position: Position, side: int) -> int:
        """Return the sum of the terms for `side`, within ±clamp."""
        game, taken = position.game, position.first | position.second
        mine, theirs = position.stones(side), position.stones(1 - side)
        total = 0
        for mask, ends, values in _rows(self, game, position.side == side):
            by_stones = values[(ends & ~taken).bit_count()]
            total += by_stones[(mine & mask).bit_count()][(theirs & mask).bit_count()]
        if self.cells:
            by_cell = _cell_values(self, game)
            total += sum(by_cell[cell] for cell in bits(mine))
            total -= sum(by_cell[cell] for cell in bits(theirs))
        total += sum(value for _, _, value in self._threats(position, side))
        total += sum(value for _, _, value in self._mobility(position, side))
        return total if self.clamp is None else max(-self.clamp, min(self.clamp, total))

    def _threats(self, position: Position, side: int) -> Iterator[tuple[int, int, int]]:
        """Yield owner, cell and value for `side` of each cell that completes a line."""
        if not any(self.threats.values()):
            return
        for owner in (side, 1 - side):
            sign = 1 if owner == side else -1
            for cell in bits(threat_cells(position, owner)):
                yield owner, cell, sign * self.threat_value(position.game, cell, owner)

    def _mobility(self, position: Position, side: int) -> Iterator[tuple[int, int, int]]:
        """Yield owner, number and value for `side` of each side's safe moves."""
        if self.mobility:
            for owner in (side, 1 - side):
                count = safe_moves(position, owner).bit_count()
                yield owner, count, (1 if owner == side else -1) * count * self.mobility

    # Explanation

    @property
    def terms(self) -> tuple[str, ...]:
        """The names of the terms that say something."""
        kinds = self.kinds.values()
        numbers = (
            chain(self.table.values.values(), *(each.values.values() for each in kinds)),
            chain(self.tempo.values(), *(each.tempo.values() for each in kinds)),
            *(table.values() for table in (self.ends, self.cells, self.threats)),
            [self.mobility],
        )
        is_said = map(any, numbers)
        return tuple(term for term, says in zip(TERMS, is_said, strict=True) if says)

    def explain(self, position: Position, side: int) -> Explanation:
        """Return the evaluation term by term, and line by line what lines give."""
        game, taken = position.game, position.first | position.second
        mine, theirs = position.stones(side), position.stones(1 - side)
        shares = []
        sums = {"lines": 0, "tempo": 0, "ends": 0}
        for line in game.lines:
            own, other = (mine & line.mask).bit_count(), (theirs & line.mask).bit_count()
            empty_ends = (ends_of(line) & ~taken).bit_count()
            by_term = self.line_terms(line.kind, own, other, empty_ends, position.side == side)
            weight, value = self.weight(line), sum(by_term.values())
            for term in sums:
                sums[term] += by_term[term] * weight
            shares.append(
                LineShare(
                    cells=tuple(map(game.format_cell, line.cells())),
                    kind=line.kind,
                    mine=own,
                    theirs=other,
                    table=value,
                    weight=weight,
                    value=value * weight,
                )
            )
        parts: dict[str, list[tuple[str, int]]] = {term: [] for term in TERMS}
        by_cell = _cell_values(self, game)
        for stones, sign in ((mine, 1), (theirs, -1)):
            parts["cells"] += [
                (game.format_cell(cell), sign * by_cell[cell]) for cell in bits(stones)
            ]
        for owner, cell, value in self._threats(position, side):
            row = "odd" if row_parity(game, cell) == ODD else "even"
            whose = "mine" if owner == side else "theirs"
            parts["threats"].append((f"{game.format_cell(cell)}, {row} row, {whose}", value))
        for owner, count, value in self._mobility(position, side):
            whose = "mine" if owner == side else "theirs"
            parts["mobility"].append((f"{count} safe moves, {whose}", value))
        terms = tuple(
            TermShare(
                term=term,
                value=sums.get(term, 0) + sum(value for _, value in parts[term]),
                parts=tuple(
                    PartShare(what=what, value=value) for what, value in parts[term] if value
                ),
            )
            for term in self.terms
        )
        return Explanation(
            position=position,
            heuristic=self.name,
            side=side,
            lines=tuple(shares),
            terms=terms,
            total=self.evaluate(position, side),
        )

    @classmethod
    def read(cls, path: str | Path) -> TermSum:
        """Return the terms in a TOML or JSON file (`evaluation.tablefile`); raise NotationError."""
        from plyscope.evaluation.tablefile import read_table

        table = read_table(path)
        return table if isinstance(table, TermSum) else cls(table)

    def as_dict(self) -> dict[str, Any]:
        """Return the content of its file."""
        from plyscope.evaluation.tablefile import content_of

        return content_of(self)

    def write(self, path: str | Path) -> None:
        """Write it to a TOML or JSON file, which reads back as its equal; raise OptionError."""
        from plyscope.evaluation.tablefile import write_table

        write_table(self, path)


def _is_pair(key: object, *most: int) -> bool:
    return (
        isinstance(key, tuple)
        and len(key) == len(most)
        and all(isinstance(at, int) and 0 <= at <= end for at, end in zip(key, most, strict=True))
    )


def ends_of(line: Line) -> int:
    """Return the cells just beyond the two ends of a line; one that is beyond both is one cell."""
    ends: int = line.ends & ~line.mask
    return ends


def row_parity(game: LineGame, cell: int) -> int:
    """Return whether the row of a cell, numbered from the bottom, is ODD or EVEN."""
    return (game.height - names.coordinates(game.shape, cell)[1]) % 2


def threat_cells(position: Position, side: int) -> int:
    """Return the empty cells with which a line of `side` is complete, of two cells or more."""
    stones, other = position.stones(side), position.stones(1 - side)
    found = 0
    for mask in position.game.masks:
        missing = mask & ~stones
        if missing & (missing - 1) == 0 and missing != mask and not missing & other:
            found |= missing
    return found


def safe_moves(position: Position, side: int) -> int:
    """Return the cells that `side` could take, on its turn, without losing at once."""
    game, taken = position.game, position.first | position.second
    playable = game.board & ~taken
    if game.gravity:
        rising = (
            next((cell for cell in column if not taken >> cell & 1), None)
            for column in game.columns
        )
        playable = sum(1 << cell for cell in rising if cell is not None)
    if game.misere:
        return playable & ~threat_cells(position, side)
    if not game.gravity:
        return playable
    threatened = threat_cells(position, 1 - side)
    above = {under: cell for column in game.columns for under, cell in pairwise(column)}
    return sum(
        1 << cell for cell in bits(playable) if not threatened >> above.get(cell, game.size) & 1
    )


Row = tuple[int, int, list[list[list[int]]]]


@lru_cache(maxsize=64)
def _rows(table: TermSum, game: LineGame, is_to_move: bool) -> tuple[Row, ...]:
    """Return by line that can count its bitboard, its ends and [empty ends][mine][theirs]."""
    if not {"lines", "tempo", "ends"} & set(table.terms):
        return ()
    made: dict[tuple[str, int, int], list[list[list[int]]]] = {}
    rows = []
    for line in game.lines:
        shape = table.own_kind(line), table.weight(line), line.mask.bit_count()
        if shape not in made:
            kind, weight, length = shape
            stones = range(length + 1)
            made[shape] = [
                [
                    [
                        weight * table.line_value(kind, mine, theirs, empty, is_to_move)
                        for theirs in stones
                    ]
                    for mine in stones
                ]
                for empty in range(MOST_ENDS + 1)
            ]
        rows.append((line.mask, ends_of(line), made[shape]))
    return tuple(rows)


@lru_cache(maxsize=64)
def _cell_values(table: TermSum, game: LineGame) -> list[int]:
    return table.cell_values(game)


@lru_cache(maxsize=64)
def _greatest_sum(table: TermSum, game: LineGame) -> int:
    greatest = sum(map(abs, _cell_values(table, game)))
    for rows in zip(_rows(table, game, True), _rows(table, game, False), strict=True):
        greatest += max(
            abs(value)
            for _, _, values in rows
            for by_mine in values
            for by_theirs in by_mine
            for value in by_theirs
        )
    most = max(map(abs, table.threats.values()), default=0)
    moves = len(game.columns) if game.gravity else game.size
    return greatest + 2 * most * game.size + abs(table.mobility) * moves
