"""`LineTable`: a heuristic as data, the sum of seven terms, each a table that may be empty.

    term      counts                                              value
    lines     each line, by the stones on it                      values[mine, theirs] × weight
    tempo     each line, by the stones of the side to move and    tempo[to move, not] × weight,
              of its opponent                                     for the side to move
    ends      each line with stones of one side only, by its      ends[stones, empty ends] × weight
              stones and the empty cells just beyond its ends
    cells     each stone, by its cell                             cells[name]
    threats   each empty cell that completes a line of two or     threats[side, row odd or even]
              more cells, counted once
    mobility  each safe move                                      mobility
    patterns  each empty cell in each direction, by what a        patterns[stones, open], and
              stone there would make                         pattern_tempo of the side to move

The weight depends on the kind of the line. A kind may also have its own tables for lines and tempo,
which are added to those of all lines. Ends, cells, threats and moves of the opponent count
negatively. A move is unsafe if it loses at once: in misère by completing a line, under gravity by
letting the opponent complete a line above it. Rows are numbered from the bottom. Only tempo depends
on the side to move, and no term depends on whether the game is over. The sum is limited to ±clamp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from itertools import chain, product
from pathlib import Path
from typing import Any

from plyscope.errors import HeuristicError
from plyscope.evaluation.function import MAX_VALUE
from plyscope.evaluation.heuristic import Explanation, LineShare, PartShare, TermShare
from plyscope.evaluation.patterns import counting
from plyscope.evaluation.terms import (
    MAX_ENDS,
    ODD,
    ONLY_PATTERNS,
    ends_of,
    pattern_name,
    pattern_of,
    row_parity,
    safe_moves,
    threat_cells,
)
from plyscope.pythonfile import INTERRUPTS, in_one_line
from plyscope.rules.game import FIRST, SECOND
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import Line, bits
from plyscope.rules.position import Position

WHOLE_NUMBER = "a whole number"
TERMS = ("lines", "tempo", "ends", "cells", "threats", "mobility", "patterns")
COUNTS = range(10**4 + 1)
"""Numbers of stones that a key may have."""
PATTERN_KEY = "(stones from 1, 1 if open, else 0)"
KEYS: Mapping[str, tuple[tuple[range, ...], str]] = {
    "values": ((COUNTS, COUNTS), "(mine, theirs), stones from 0"),
    "tempo": ((COUNTS, COUNTS), "(to move, not to move), stones from 0"),
    "ends": ((COUNTS[1:], range(MAX_ENDS + 1)), "(stones from 1, empty ends from 0 to 2)"),
    "cells": ((), "the name of a cell, such as 'b2'"),
    "threats": ((range(2), range(2)), "(side, row), each 0 or 1"),
    "weights": ((), "a kind of line, such as 'row'"),
    "patterns": ((COUNTS[1:], range(2)), PATTERN_KEY),
    "pattern_tempo": ((COUNTS[1:], range(2)), PATTERN_KEY),
}
"""For each table the ranges of its keys, empty for texts, and a description of them."""

Pairs = Mapping[tuple[int, int], int]
"""Values by pairs of counts."""
Row = tuple[int, list[list[int]]]
"""The bitboard of a line and its weighted values [mine, theirs]."""


@dataclass(frozen=True)
class KindTable:
    """Values for lines of one kind, added to those of all lines.

    >>> import plyscope as ps
    >>> open_rows = ps.TermSum(kinds={"row": KindTable({(2, 0): 5, (0, 2): -5})})
    >>> ps.evaluate("XX./O../O..", open_rows, side="x")
    5
    """

    values: Pairs = field(default_factory=dict)
    """Values by (mine, theirs), as in a `LineTable`."""
    tempo: Pairs = field(default_factory=dict)
    """Values by (stones of the side to move, stones of its opponent), as in a `LineTable`."""

    def __str__(self) -> str:
        terms = {"mine and theirs": self.values, "tempo": self.tempo}
        return "; ".join(f"{term} {dict(pairs)}" for term, pairs in terms.items() if pairs)

    def __hash__(self) -> int:
        return hash((frozenset(self.values.items()), frozenset(self.tempo.items())))


NO_KIND = KindTable()


@dataclass(frozen=True)
class LineTable:
    """A heuristic for line games: values by the stones on a line, and a weight for each kind.

    Further terms count the side to move, ends, cells, threats and mobility.

    >>> LineTable("mine", {(1, 0): 1, (2, 0): 5}, weights={"diagonal": 2}).value(2, 0)
    5
    >>> import plyscope as ps
    >>> tempo = LineTable("tempo", {}, tempo={(1, 0): 3, (0, 1): -1})
    >>> ps.evaluate("X../.../...", tempo), ps.evaluate("X../.../...", tempo, side="x")
    (-3, 3)
    """

    name: str
    """The name in tables and messages."""
    values: Pairs
    """Values by (mine, theirs), in the view of the side evaluated for; absent pairs count 0."""
    weights: Mapping[str, int] = field(default_factory=dict)
    """Weights by kind of line (`rules.lines.LINE_KINDS`); absent kinds have weight 1."""
    clamp: int | None = None
    """The greatest absolute value of an evaluation; None for no limit."""
    summary: str = "a table of values by stones on a line"
    """The heuristic in one line."""
    provenance: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """How `tune` found the numbers; empty for other tables."""
    tempo: Pairs = field(default_factory=dict)
    """Values by (stones of the side to move, stones of its opponent) on a line, in the view of the
    side to move."""
    ends: Pairs = field(default_factory=dict)
    """Values by (stones, empty ends) of a line with stones of one side only."""
    cells: Mapping[str, int] = field(default_factory=dict)
    """Values by the name of a cell."""
    threats: Pairs = field(default_factory=dict)
    """Values by (side, ODD or EVEN row)."""
    mobility: int = 0
    """The value of a safe move."""
    kinds: Mapping[str, KindTable] = field(default_factory=dict)
    """Tables added for single kinds of line."""
    patterns: Pairs = field(default_factory=dict)
    """Values by (stones, open) of the pattern that a stone on an empty cell would make; (k, 0)
    completes a line."""
    pattern_tempo: Pairs = field(default_factory=dict)
    """Values added for the patterns of the side to move."""

    def __post_init__(self) -> None:
        tables = {term: (getattr(self, term), *KEYS[term]) for term in KEYS}
        for kind, own in self.kinds.items():
            if not isinstance(own, KindTable):
                raise self._wrong(f"kinds of {kind!r}", own, "a KindTable")
            tables[f"{kind} values"] = own.values, *KEYS["values"]
            tables[f"{kind} tempo"] = own.tempo, *KEYS["tempo"]
        for term, (table, spans, expected) in tables.items():
            if not isinstance(table, Mapping):
                raise self._wrong(term, table, f"{{key: value}}, the key {expected}")
            for key, value in table.items():
                if not _is_key(key, spans):
                    raise self._wrong(f"key of {term}", key, expected)
                if not is_whole(value):
                    raise self._wrong(
                        f"{term} of {key}", value, f"{WHOLE_NUMBER} within ±{MAX_VALUE:,}"
                    )
        if not is_whole(self.mobility):
            raise self._wrong("mobility", self.mobility, f"{WHOLE_NUMBER} within ±{MAX_VALUE:,}")
        if self.clamp is not None and not (is_whole(self.clamp) and self.clamp >= 0):
            raise self._wrong("clamp", self.clamp, f"{WHOLE_NUMBER} from 0 to {MAX_VALUE:,}")

    def _wrong(self, what: str, value: object, expected: str) -> HeuristicError:
        return HeuristicError(
            f"{what} is {str(value)[:40]!r} in the table {self.name!r}; expected {expected}"
        )

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return f"{self.name}: {self.summary}"

    @cached_property
    def _hash(self) -> int:
        pairs = self.values, self.weights, self.tempo, self.ends, self.cells, self.threats
        more = self.kinds, self.patterns, self.pattern_tempo
        sets = (frozenset(each.items()) for each in (*pairs, *more))
        return hash((self.name, self.clamp, self.mobility, *sets))

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields without the cached hash, which differs between processes."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The names of the terms that have a value other than 0."""
        kinds = self.kinds.values()
        numbers = (
            chain(self.values.values(), *(each.values.values() for each in kinds)),
            chain(self.tempo.values(), *(each.tempo.values() for each in kinds)),
            *(table.values() for table in (self.ends, self.cells, self.threats)),
            [self.mobility],
            chain(self.patterns.values(), self.pattern_tempo.values()),
        )
        is_said = map(any, numbers)
        return tuple(term for term, says in zip(TERMS, is_said, strict=True) if says)

    @cached_property
    def is_of_lines(self) -> bool:
        """Whether `lines` is the only term with values."""
        return self.terms in ((), ("lines",))

    @property
    def table(self) -> LineTable:
        """The table reduced to the values of all lines, their weights and the clamp."""
        return LineTable(
            self.name, self.values, self.weights, self.clamp, self.summary, self.provenance
        )

    def negated(self) -> LineTable:
        """Return the table with negated `values`; other terms are unchanged."""
        return replace(self, values={stones: -value for stones, value in self.values.items()})

    # Values of a line, a cell, a threat

    def value(self, mine: int, theirs: int) -> int:
        """Return the value of a line with these stones, without weight, tempo and ends."""
        return self.values.get((mine, theirs), 0)

    def line_terms(
        self, kind: str, mine: int, theirs: int, empty_ends: int, is_to_move: bool
    ) -> dict[str, int]:
        """Return the value of a line of a kind by term, without weight, in the view of `mine`.

        `is_to_move` is true if the side of `mine` is to move.
        """
        own = self.kinds.get(kind, NO_KIND)
        lines = self.value(mine, theirs) + own.values.get((mine, theirs), 0)
        by_mover = (mine, theirs) if is_to_move else (theirs, mine)
        tempo = self.tempo.get(by_mover, 0) + own.tempo.get(by_mover, 0)
        ends = 0
        if not (mine and theirs):
            ends = self.ends.get((mine, empty_ends), 0) - self.ends.get((theirs, empty_ends), 0)
        return {"lines": lines, "tempo": tempo if is_to_move else -tempo, "ends": ends}

    def line_value(
        self, kind: str, mine: int, theirs: int, empty_ends: int, is_to_move: bool
    ) -> int:
        """Return the sum of `line_terms`."""
        return sum(self.line_terms(kind, mine, theirs, empty_ends, is_to_move).values())

    def own_kind(self, line: Line) -> str:
        """Return the line's kind if `kinds` has a table for it, else ''."""
        return line.kind if line.kind in self.kinds else ""

    def weight(self, line: Line) -> int:
        """Return the weight of the line's kind."""
        return self.weights.get(line.kind, 1)

    def cell_values(self, game: LineGame) -> list[int]:
        """Return for each cell the value of a stone there, in the view of the stone's side."""
        return [self.cells.get(game.format_cell(cell), 0) for cell in range(game.size)]

    def threat_value(self, game: LineGame, cell: int, side: int) -> int:
        """Return the value of a threat: a cell that completes a line of `side`."""
        return self.threats.get((side, row_parity(game, cell)), 0)

    # Evaluation

    def greatest(self, game: LineGame) -> int:
        """Return an upper bound of the absolute value of its evaluations of `game`."""
        return self.greatest_sum(game) if self.clamp is None else self.clamp

    def greatest_sum(self, game: LineGame) -> int:
        """Return an upper bound of the absolute value of the sum before the clamp."""
        return _greatest_sum(self, game)

    def evaluate(self, position: Position, side: int) -> int:
        """Return the sum of the terms for `side`, within ±clamp."""
        game, mine, theirs = position.game, position.first, position.second
        if side:
            mine, theirs = theirs, mine
        if self.is_of_lines:
            return self._clamped(_sum(_rows(self, game, True), mine, theirs))
        return self._clamped(self._sum_of_terms(position, side, mine, theirs))

    def _sum_of_terms(self, position: Position, side: int, mine: int, theirs: int) -> int:
        """Return the sum of all terms for `side`, whose stones are `mine`."""
        game = position.game
        free, by_ends = ~(mine | theirs), _rows_by_ends(self, game, position.side == side)
        total = _sum([rows[(ends & free).bit_count()] for ends, rows in by_ends], mine, theirs)
        if self.cells:
            by_cell = _cell_values(self, game)
            total += sum(by_cell[cell] for cell in bits(mine))
            total -= sum(by_cell[cell] for cell in bits(theirs))
        total += sum(value for _, _, value in self._threats(position, side))
        total += sum(value for _, _, value in self._mobility(position, side))
        if "patterns" in self.terms:
            total += self._pattern_sum(position, side)
        return total

    def evaluate_moves(self, position: Position, side: int) -> dict[int, int]:
        """Return the evaluation after each move.

        If only lines count, it is updated from the lines through the cell of the move, and if only
        patterns and cells do, from the patterns around it.
        """
        game = position.game
        if {"patterns"} <= set(self.terms) <= ONLY_PATTERNS:
            return self._evaluate_by_patterns(position, side)
        if not self.is_of_lines:
            return {move: self.evaluate(game.play(position, move), side) for move in position.moves}
        stones, is_own = (position.stones(side), position.stones(1 - side)), position.side == side
        total, through = _sum(_rows(self, game, True), *stones), _rows_through(self, game)
        evaluations = {}
        for cell in position.moves:
            stone = 1 << cell
            after = (stones[0] | stone, stones[1]) if is_own else (stones[0], stones[1] | stone)
            change = _sum(through[cell], *after) - _sum(through[cell], *stones)
            evaluations[cell] = self._clamped(total + change)
        return evaluations

    def _clamped(self, total: int) -> int:
        return total if self.clamp is None else max(-self.clamp, min(self.clamp, total))

    def _threats(self, position: Position, side: int) -> Iterator[tuple[int, int, int]]:
        """Yield owner, cell and value of each threat, in the view of `side`."""
        if "threats" not in self.terms:
            return
        for owner in (side, 1 - side):
            sign = 1 if owner == side else -1
            for cell in bits(threat_cells(position, owner)):
                yield owner, cell, sign * self.threat_value(position.game, cell, owner)

    def _mobility(self, position: Position, side: int) -> Iterator[tuple[int, int, int]]:
        """Yield owner, number and value of each side's safe moves, in the view of `side`."""
        if self.mobility:
            for owner in (side, 1 - side):
                count = safe_moves(position, owner).bit_count()
                yield owner, count, (1 if owner == side else -1) * count * self.mobility

    def pattern_value(self, number: int, is_to_move: bool) -> int:
        """Return the value of a pattern of class `number` (`plyscope_fast.evaluation.patterns`), in
        the view of its side."""
        pattern = pattern_of(number)
        more = self.pattern_tempo.get(pattern, 0) if is_to_move else 0
        return self.patterns.get(pattern, 0) + more

    def _pattern_sum(self, position: Position, side: int) -> int:
        """Return the sum of the values of all patterns, in the view of `side`."""
        total = 0
        for owner, counts in enumerate(counting().pattern_counts(position)):
            values = pattern_values(self, position.game, owner == position.side)
            of_owner = sum(count * value for count, value in zip(counts, values, strict=False))
            total += of_owner if owner == side else -of_owner
        return total

    def _evaluate_by_patterns(self, position: Position, side: int) -> dict[int, int]:
        """Return the evaluation after each move of a table of patterns and cells."""
        game, moves = position.game, position.moves
        if not moves:
            return {}
        mover = game.play(position, moves[0]).side  # the same after each move
        values = [pattern_values(self, game, owner == mover) for owner in (FIRST, SECOND)]
        sums, by_cell = counting().sums_after_moves(position, values), _cell_values(self, game)
        of_cells = sum(by_cell[cell] for cell in bits(position.first))
        of_cells -= sum(by_cell[cell] for cell in bits(position.second))
        sign, of_move = (1, -1)[side], (1, -1)[position.side]
        return {
            move: self._clamped(sign * (sums[move] + of_cells + of_move * by_cell[move]))
            for move in moves
        }

    def _patterns(self, position: Position, side: int) -> Iterator[tuple[int, int, str, int, int]]:
        """Yield owner, cell, kind of line, class and value of each pattern that has a value, in
        the view of `side`."""
        if "patterns" not in self.terms:
            return
        for owner, cell, kind, number in counting().patterns_of(position):
            if value := self.pattern_value(number, owner == position.side):
                yield owner, cell, kind, number, value if owner == side else -value

    def explain(self, position: Position, side: int) -> Explanation:
        """Return the evaluation line by line, and term by term if other terms than lines count."""
        game, taken = position.game, position.first | position.second
        mine, theirs = position.stones(side), position.stones(1 - side)
        names = [game.format_cell(cell) for cell in range(game.size)]
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
                    cells=tuple(names[cell] for cell in line.cells()),
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
            parts["cells"] += [(names[cell], sign * by_cell[cell]) for cell in bits(stones)]
        for owner, cell, value in self._threats(position, side):
            row = "odd" if row_parity(game, cell) == ODD else "even"
            whose = "mine" if owner == side else "theirs"
            parts["threats"].append((f"{names[cell]}, {row} row, {whose}", value))
        for owner, count, value in self._mobility(position, side):
            whose = "mine" if owner == side else "theirs"
            parts["mobility"].append((f"{count} safe moves, {whose}", value))
        strongest_first = sorted(self._patterns(position, side), key=lambda found: -found[3])
        for owner, cell, kind, number, value in strongest_first:
            whose, what = "mine" if owner == side else "theirs", pattern_name(number)
            parts["patterns"].append((f"{names[cell]}, {what} on a {kind}, {whose}", value))
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
            terms=() if self.is_of_lines else terms,
            total=self.evaluate(position, side),
        )

    # Making, reading and writing

    @classmethod
    def one_sided(cls, name: str, mine: tuple[int, ...], **more: Any) -> LineTable:
        """Return a table for lines with stones of one side only.

        The value is mine[i] for i own stones, and −mine[i] for i stones of the opponent.
        """
        theirs = {(0, count): -value for count, value in enumerate(mine)}
        values = theirs | {(count, 0): value for count, value in enumerate(mine)}
        return LineTable(name, values, **more)

    @classmethod
    def of_function(
        cls, name: str, function: Callable[[int, int], int], longest: int, **more: Any
    ) -> LineTable:
        """Return the table of the values of `function(mine, theirs)`, for lines of up to `longest`
        cells."""
        values = {}
        for mine, theirs in product(range(longest + 1), repeat=2):
            if mine + theirs > longest:
                continue
            pair = mine, theirs
            try:
                values[pair] = function(*pair)
            except (HeuristicError, *INTERRUPTS):
                raise
            except BaseException as error:  # user code: reported by name
                raise HeuristicError(
                    f"heuristic {name!r} raised {in_one_line(error)} "
                    f"for a line with (mine, theirs) = {pair}; expected a whole number "
                    f"(it was called as f(mine, theirs), the stones on a line; "
                    "call the first argument board for the rows)"
                ) from error
        return LineTable(name, values, **more)

    @classmethod
    def read(cls, path: str | Path) -> LineTable:
        """Return the table of a TOML or JSON file (`evaluation.tablefile`); raise NotationError."""
        from plyscope.evaluation.tablefile import read_table

        return read_table(path)

    def as_dict(self) -> dict[str, Any]:
        """Return the content of the table's file."""
        from plyscope.evaluation.tablefile import content_of

        return content_of(self)

    def write(self, path: str | Path) -> None:
        """Write the table to a TOML or JSON file, which `read` reads back; raise OptionError."""
        from plyscope.evaluation.tablefile import write_table

        write_table(self, path)


class TermSum(LineTable):
    """An older constructor of `LineTable`: a table of values, and the other terms.

    >>> values = LineTable("mine", {(1, 0): 1})
    >>> TermSum(values, mobility=2) == LineTable("mine", {(1, 0): 1}, mobility=2)
    True
    """

    def __new__(  # type: ignore[misc]
        cls, table: LineTable | None = None, *terms: Any, **named: Any
    ) -> LineTable:
        """Return `table` with `terms` added, in the order of TERMS and `kinds`, or by name."""
        names = (*TERMS[1:], "kinds")
        table = LineTable("terms", {}) if table is None else table
        if not isinstance(table, LineTable) or len(terms) > len(names):
            raise TypeError(f"TermSum takes a LineTable and up to {len(names)} terms")
        return replace(table, **dict(zip(names, terms, strict=False)), **named)


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number within ±MAX_VALUE."""
    return isinstance(value, int) and abs(value) <= MAX_VALUE


def _is_key(key: object, spans: tuple[range, ...]) -> bool:
    if not spans:
        return isinstance(key, str)
    if not isinstance(key, tuple) or len(key) != len(spans):
        return False
    return all(isinstance(at, int) and at in span for at, span in zip(key, spans, strict=True))


@lru_cache(maxsize=256)
def _rows(
    table: LineTable, game: LineGame, is_to_move: bool, empty_ends: int = 0
) -> tuple[Row, ...]:
    """Return for each line its bitboard and its weighted values [mine, theirs]."""
    if not {"lines", "tempo", "ends"} & set(table.terms):
        return ()
    made: dict[tuple[str, int, int], list[list[int]]] = {}
    rows = []
    for line in game.lines:
        shape = table.own_kind(line), table.weight(line), line.mask.bit_count()
        if shape not in made:
            kind, weight, length = shape
            stones = range(length + 1)
            made[shape] = [
                [
                    weight * table.line_value(kind, mine, theirs, empty_ends, is_to_move)
                    for theirs in stones
                ]
                for mine in stones
            ]
        rows.append((line.mask, made[shape]))
    return tuple(rows)


@lru_cache(maxsize=128)
def _rows_by_ends(
    table: LineTable, game: LineGame, is_to_move: bool
) -> list[tuple[int, tuple[Row, ...]]]:
    """Return for each line the cells beyond its ends (0 if they do not count) and its rows, indexed
    by the number of these cells that are empty."""
    has_ends = "ends" in table.terms
    levels = [_rows(table, game, is_to_move, empty) for empty in range(1 + MAX_ENDS * has_ends)]
    by_line = zip(game.lines, zip(*levels, strict=True), strict=False)  # no rows without line terms
    return [(ends_of(line) if has_ends else 0, rows) for line, rows in by_line]


def _sum(rows: Iterable[Row], mine: int, theirs: int) -> int:
    total = 0
    for mask, by_stones in rows:
        total += by_stones[(mine & mask).bit_count()][(theirs & mask).bit_count()]
    return total


@lru_cache(maxsize=64)
def _rows_through(table: LineTable, game: LineGame) -> list[tuple[Row, ...]]:
    """Return for each cell the rows of the lines through it."""
    rows = _rows(table, game, True)
    return [tuple(row for row in rows if row[0] >> cell & 1) for cell in range(game.size)]


@lru_cache(maxsize=128)
def pattern_values(table: LineTable, game: LineGame, is_to_move: bool) -> list[int]:
    """Return the values of patterns by class; class 0 counts 0."""
    numbers = range(1, 2 * game.longest_line)
    return [0, *(table.pattern_value(number, is_to_move) for number in numbers)]


@lru_cache(maxsize=64)
def _cell_values(table: LineTable, game: LineGame) -> list[int]:
    return table.cell_values(game)


@lru_cache(maxsize=64)
def _greatest_sum(table: LineTable, game: LineGame) -> int:
    """Return an upper bound of the absolute value of evaluations before the clamp: the sum of the
    bounds of all terms."""
    greatest = sum(map(abs, _cell_values(table, game)))
    both = (_rows_by_ends(table, game, is_to_move) for is_to_move in (True, False))
    for (_, waiting), (_, to_move) in zip(*both, strict=True):
        rows = (row for _, by_stones in (*waiting, *to_move) for row in by_stones)
        greatest += max(abs(value) for row in rows for value in row)
    if "patterns" in table.terms:
        by_pattern = *pattern_values(table, game, False), *pattern_values(table, game, True)
        directions = (3 ** len(game.shape) - 1) // 2
        greatest += 2 * game.size * directions * max(map(abs, by_pattern))
    most = max(map(abs, table.threats.values()), default=0)
    moves = len(game.columns) if game.gravity else game.size
    return greatest + 2 * most * game.size + abs(table.mobility) * moves
