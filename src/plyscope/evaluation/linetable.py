"""`LineTable`: a heuristic as data, a value for each (my stones, their stones) on a line.

The evaluation is the sum over all lines of table[mine, theirs] × weight[kind of line], brought
within ±clamp if there is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from plyscope.errors import HeuristicError, NotationError
from plyscope.evaluation.function import OURS, in_one_line
from plyscope.evaluation.heuristic import Explanation, LineShare
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import LINE_KINDS
from plyscope.rules.position import Position

__all__ = ["LineTable"]

MAX_VALUE = 1_000_000_000


@dataclass(frozen=True)
class LineTable:
    """A heuristic for line games. `values[mine, theirs]` in the view of the side evaluated for;
    pairs that are absent count 0.

    `weights` multiplies the lines of a kind (`row`, `column`, `diagonal`, `pillar`,
    `space-diagonal`, `line`); kinds that are absent weigh 1.
    """

    name: str
    values: Mapping[tuple[int, int], int]
    weights: Mapping[str, int] = field(default_factory=dict)
    clamp: int | None = None
    summary: str = "a table of values by stones on a line"

    def __post_init__(self) -> None:
        for key, value in self.values.items():
            if not (
                isinstance(key, tuple)
                and len(key) == 2
                and all(isinstance(stones, int) and stones >= 0 for stones in key)
            ):
                raise HeuristicError(
                    f"key {str(key)[:40]!r} in the table {self.name!r}; expected (mine, theirs), stones from 0"
                )
            if not _is_whole(value):
                raise HeuristicError(
                    f"value {str(value)[:40]!r} for {key} in the table {self.name!r}; expected a whole number within ±{MAX_VALUE:,}"
                )
        for kind, weight in self.weights.items():
            if not _is_whole(weight):
                raise HeuristicError(
                    f"weight {str(weight)[:40]!r} of {kind!r} in the table {self.name!r}; expected a whole number within ±{MAX_VALUE:,}"
                )
        if self.clamp is not None and not (_is_whole(self.clamp) and self.clamp >= 0):
            raise HeuristicError(
                f"clamp {str(self.clamp)[:40]!r} of the table {self.name!r}; expected a whole number from 0 to {MAX_VALUE:,}"
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

    def greatest(self, game: LineGame) -> int:
        """Return a bound of what it can give on any position of `game`, whatever the sign."""
        return self.clamp if self.clamp is not None else _greatest_sum(self, game)

    def evaluate(self, position: Position, side: int) -> int:
        """Return the sum over the lines for `side`, within ±clamp."""
        mine, theirs = (
            (position.second, position.first) if side else (position.first, position.second)
        )
        return self._clamped(_sum(_weighted_rows(self, position.game), mine, theirs))

    def evaluate_moves(self, position: Position, side: int) -> dict[int, int]:
        """Return for each move of `position` what `evaluate` says of the position after it, from
        the lines through its cell alone."""
        stones = (position.second, position.first) if side else (position.first, position.second)
        rows = _weighted_rows(self, position.game)
        total, through = _sum(rows, *stones), _rows_through(self, position.game)
        found = {}
        for cell in position.moves:
            after = (
                (stones[0] | 1 << cell, stones[1])
                if position.side == side
                else (stones[0], stones[1] | 1 << cell)
            )
            found[cell] = self._clamped(
                total + _sum(through[cell], *after) - _sum(through[cell], *stones)
            )
        return found

    def _clamped(self, total: int) -> int:
        return total if self.clamp is None else max(-self.clamp, min(self.clamp, total))

    def explain(self, position: Position, side: int) -> Explanation:
        """Return the evaluation line by line, in the order of the game's lines."""
        mine, theirs = position.stones(side), position.stones(1 - side)
        shares, names = [], [position.game.format_cell(cell) for cell in range(position.game.size)]
        for line in position.game.lines:
            stones = (mine & line.mask).bit_count(), (theirs & line.mask).bit_count()
            table, weight = self.value(*stones), self.weights.get(line.kind, 1)
            cells = tuple(names[cell] for cell in line.cells())
            shares.append(
                LineShare(
                    cells=cells,
                    kind=line.kind,
                    mine=stones[0],
                    theirs=stones[1],
                    table=table,
                    weight=weight,
                    value=table * weight,
                )
            )
        total = self._clamped(sum(share.value for share in shares))
        return Explanation(
            position=position, heuristic=self.name, side=side, lines=tuple(shares), total=total
        )

    @classmethod
    def one_sided(cls, name: str, mine: tuple[int, ...], **more: Any) -> LineTable:
        """Return the table in which a line with i stones of mine and none of theirs counts mine[i],
        the other way round −mine[i], a mixed one 0."""
        values = {(0, count): -value for count, value in enumerate(mine)} | {
            (count, 0): value for count, value in enumerate(mine)
        }
        return cls(name, values, **more)

    @classmethod
    def of_function(
        cls, name: str, function: Callable[[int, int], int], longest: int, **more: Any
    ) -> LineTable:
        """Return the table of what `function(mine, theirs)` answers for the stones on a line, up to
        lines of `longest` cells."""
        pairs = [
            (mine, theirs) for mine in range(longest + 1) for theirs in range(longest + 1 - mine)
        ]
        values = {}
        for pair in pairs:
            try:
                values[pair] = function(*pair)
            except OURS:
                raise
            except (
                BaseException
            ) as error:  # whatever a stranger's function raises is reported by name
                raise HeuristicError(
                    f"heuristic {name!r} raised {in_one_line(error)} for a line with (mine, theirs) = {pair}; expected a whole number"
                ) from error
        return cls(name, values, **more)

    @classmethod
    def read(cls, path: str | Path) -> LineTable:
        """Return the table in a small TOML or JSON file; raise NotationError that says which key is
        wrong.

        Keys: `name`; `mine` and `theirs`, lists by number of stones on a line that has no other (`theirs` is −`mine` when left out);
            `values`, single entries `"mine,theirs" = value`; `weights` by kind of line; `clamp`.
        """
        import json
        import tomllib

        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
            data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
        except (OSError, UnicodeDecodeError) as error:
            raise NotationError(
                f"cannot read the heuristic file {str(path)!r}: {getattr(error, 'strerror', None) or error}"
            ) from None
        except (ValueError, RecursionError) as error:
            raise NotationError(f"cannot read the heuristic file {str(path)!r}: {error}") from None
        return _from_data(cls, data, path)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and abs(value) <= MAX_VALUE


def _from_data(cls: type[LineTable], data: Any, path: Path) -> LineTable:
    def wrong(key: str, found: object, expected: str) -> NotationError:
        return NotationError(f"{key} is {str(found)[:40]!r} in {str(path)!r}; expected {expected}")

    def whole(key: str, value: Any) -> int:
        if not _is_whole(value) or isinstance(value, bool):
            raise wrong(key, value, f"a whole number within ±{MAX_VALUE:,}")
        return int(value)

    known = {"name", "summary", "mine", "theirs", "values", "weights", "clamp"}
    if not isinstance(data, dict) or not {"mine", "theirs", "values"} & set(data):
        raise wrong(
            "content", data, "keys 'mine' (a list by stones) or 'values' ('mine,theirs' = value)"
        )
    if unknown := set(data) - known:
        raise NotationError(
            f"unknown key {min(unknown)[:40]!r} in {str(path)!r}; expected {', '.join(sorted(known))}"
        )
    values: dict[tuple[int, int], int] = {}
    mine = data.get("mine", [])
    if mine is None:
        raise wrong("mine", mine, "a list of whole numbers, by stones from 0")
    for key, listed in (("mine", mine), ("theirs", data.get("theirs"))):
        if listed is None:
            listed = [-value for value in mine]
        if not isinstance(listed, list):
            raise wrong(key, listed, "a list of whole numbers, by stones from 0")
        for count, value in enumerate(listed):
            values[(count, 0) if key == "mine" else (0, count)] = whole(f"{key}[{count}]", value)
    if mine:
        values[0, 0] = mine[0]
    for key in ("values", "weights"):
        if not isinstance(data.get(key, {}), dict):
            raise wrong(key, data[key], "a table of names and whole numbers")
    for pair, value in data.get("values", {}).items():
        match = re.fullmatch(r"\s*(\d{1,4})\s*,\s*(\d{1,4})\s*", pair)
        if match is None:
            raise wrong("key in values", pair, "'mine,theirs' such as '2,0'")
        values[int(match[1]), int(match[2])] = whole(f"values[{pair[:40]!r}]", value)
    for kind, weight in data.get("weights", {}).items():
        if kind not in LINE_KINDS:
            raise wrong("kind in weights", kind, f"one of {', '.join(LINE_KINDS)}")
        whole(f"weights[{kind!r}]", weight)
    clamp = None if data.get("clamp") is None else abs(whole("clamp", data["clamp"]))
    return cls(
        str(data.get("name", path.stem)),
        values,
        dict(data.get("weights", {})),
        clamp,
        str(data.get("summary", f"the table of {path.name}")),
    )


@lru_cache(maxsize=64)
def _weighted_rows(table: LineTable, game: LineGame) -> Rows:
    """Return for each line that can count its bitboard and its values, weight included, by
    [mine][theirs]."""
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
