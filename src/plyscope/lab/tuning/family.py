"""Families of heuristics: tables of which some numbers are free, to be tuned.

A heuristic of a family is what is fixed, plus each parameter's number times its *unit*: the table
that counts 1 for it. Evaluations are sums, so a unit's evaluation is the parameter's feature, and a
family is linear by construction.

Numbers that change no choice are no parameters: those that count nothing on the game's board, those
that others of the family say together, and that of the first cells, beside which the others count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from plyscope.catalogue import Catalogue, nearest_name
from plyscope.errors import OptionError
from plyscope.evaluation.function import MAX_VALUE
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.evaluation.tablefile import ENDS, ROWS
from plyscope.evaluation.terms import EVEN, ODD, TERMS, TermSum, ends_of, row_parity
from plyscope.lab.tuning.features import LINE_TERMS, Whole, evaluations, values_of_lines
from plyscope.rules.game import SIDES
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.rules.symmetry import symmetries
from plyscope.searching.score import MOST_PAIRED

TENS = [10**power for power in range(1, 10)]
NOTHING = 1e-9
"""What is left of a vector of length 1 that others add up to."""


@dataclass(frozen=True)
class Family:
    """Heuristics for a game that differ in the numbers of `parameters` alone.

    >>> import plyscope as ps
    >>> family = find_family("table", "counted-lines", ps.parse_game("tictactoe"))
    >>> family.parameters, family.weights_of_start
    (('mine[1]', 'mine[2]', 'theirs[1]', 'theirs[2]'), (1, 3, -1, -3))
    >>> tuned = family.heuristic((2, 7, -1, -9), name="tuned")
    >>> tuned.as_dict()["mine"], tuned.as_dict()["theirs"]
    ([0, 2, 7, 1000], [0, -1, -9, -1000])
    >>> position = ps.parse("tictactoe b2 a1")
    >>> features, offset = family.features([position], [0]), family.offset([position], [0])
    >>> (features @ (2, 7, -1, -9) + offset).tolist(), tuned.evaluate(position, 0)
    ([4], 4)
    """

    name: str
    """What people type: names of FAMILIES, joined by `+`."""
    game: LineGame
    parameters: tuple[str, ...]
    """Such as `mine[2]`, `to_move[3]`, `ends.both[2]`, `cells.b2`, `threats.x_odd`, `mobility`."""
    weights_of_start: tuple[int, ...]
    """START's numbers, in the order of the parameters."""
    fixed: TermSum = field(repr=False)
    """What START says beside them, without finished lines."""
    units: tuple[TermSum, ...] = field(repr=False)
    """[parameter] what counts 1 for it."""

    def heuristic(
        self, weights: Sequence[int], name: str, summary: str = ""
    ) -> LineTable | TermSum:
        """Return the heuristic with these numbers; raise OptionError where they are too large.

        A finished line counts the least power of ten that is more than twice what all else on the
        board can add up to, and so outweighs it, whoever has what; where the sums of compiled
        searches have no room for that, the greatest number for which they have. In misère it counts
        as much less than nothing.
        """
        entries = _entries(self.fixed)
        for weight, unit in zip(weights, self.units, strict=True):
            for key, value in _entries(unit).items():
                entries[key] = entries.get(key, 0) + int(weight) * value
        longest = self.game.longest_line
        for term in {term for term, _ in entries} & {"lines", "tempo"} | {"lines"}:
            for stones in range(longest):  # lists without gaps, in files too
                entries.setdefault((term, (stones, 0)), 0)
                entries.setdefault((term, (0, stones)), 0)
        summary = summary or f"{self.name} of {len(self.units)} numbers for {self.game.name}"
        finished = self._finished(_table_of(entries, name, summary, self.fixed.weights))
        entries["lines", (longest, 0)] = finished
        entries["lines", (0, longest)] = -finished
        table = _table_of(entries, name, summary, self.fixed.weights)
        return table.table if set(table.terms) == {"lines"} else table

    def _finished(self, table: TermSum) -> int:
        """Return the value of a finished line that outweighs the rest of the table."""
        rest = table.greatest_sum(self.game)
        lines = sum(abs(table.weight(line)) for line in self.game.lines)
        room = min((MOST_PAIRED - rest) // max(1, lines), MAX_VALUE)
        if room < 1:
            raise OptionError(
                f"numbers of {table.name!r} that add up to {rest:,} on {self.game.name!r}; "
                f"expected less than {MOST_PAIRED - lines:,}"
            )
        value = min(next((ten for ten in TENS if ten > 2 * rest), room), room)
        return value if self.game.value_of_line > 0 else -value

    def features(self, positions: Sequence[Position], sides: Sequence[int]) -> Whole:
        """Return [position, parameter] what the parameter's number is multiplied by.

        In the view of `sides`. `features @ weights + offset` is what `heuristic(weights)` evaluates
        to, exactly, where no line is finished.
        """
        return evaluations(self.units, positions, sides)

    def offset(self, positions: Sequence[Position], sides: Sequence[int]) -> Whole:
        """Return [position] what the fixed terms add, in the view of `sides`."""
        return evaluations([self.fixed], positions, sides)[:, 0]


# A table as numbers by term and key

Entries = dict[tuple[str, Any], int]


def _entries(table: TermSum) -> Entries:
    """Return the numbers of a table by term and key."""
    by_term: dict[str, Mapping[Any, int]] = {
        "lines": table.table.values,
        "tempo": table.tempo,
        "ends": table.ends,
        "cells": table.cells,
        "threats": table.threats,
        "mobility": {(): table.mobility} if table.mobility else {},
    }
    return {(term, key): value for term in TERMS for key, value in by_term[term].items()}


def _table_of(entries: Entries, name: str, summary: str, weights: Mapping[str, int]) -> TermSum:
    """Return the table with these numbers."""
    by_term: dict[str, dict[Any, int]] = {term: {} for term in TERMS}
    for (term, key), value in entries.items():
        by_term[term][key] = value
    lines = LineTable(name, by_term.pop("lines"), weights, summary=summary)
    return TermSum(lines, mobility=by_term.pop("mobility").get((), 0), **by_term)


# What each family frees


class Parameter(NamedTuple):
    """A number that may be tuned."""

    name: str
    unit: Entries
    """What counts 1 for it."""
    start: int
    """What START says."""


def _parameter(name: str, start: Entries, term: str, *keys: Any) -> Parameter:
    """Return the parameter that all these keys of a term share."""
    unit = {(term, key): 1 for key in keys}
    return Parameter(name, unit, start.get((term, keys[0]), 0))


def _against(name: str, start: Entries, term: str, key: Any) -> Parameter:
    """Return the parameter of a key by two counts, which says the opposite of its mirror image."""
    unit = {(term, key): 1, (term, key[::-1]): -1}
    return Parameter(name, unit, start.get((term, key), 0))


def _lines(start: Entries, game: LineGame) -> Iterator[Parameter]:
    for stones in range(1, game.longest_line):
        yield _against(f"mine[{stones}]", start, "lines", (stones, 0))


def _table(start: Entries, game: LineGame) -> Iterator[Parameter]:
    for stones in range(1, game.longest_line):
        yield _parameter(f"mine[{stones}]", start, "lines", (stones, 0))
    for stones in range(1, game.longest_line):
        yield _parameter(f"theirs[{stones}]", start, "lines", (0, stones))


def _to_move(start: Entries, game: LineGame) -> Iterator[Parameter]:
    for stones in range(1, game.longest_line):
        yield _parameter(f"to_move[{stones}]", start, "tempo", (stones, 0))
    for stones in range(1, game.longest_line):
        yield _parameter(f"waiting[{stones}]", start, "tempo", (0, stones))


def _ends(start: Entries, game: LineGame) -> Iterator[Parameter]:
    most = max((ends_of(line).bit_count() for line in game.lines), default=0)
    for empty in range(most, -1, -1) if most else ():
        for stones in range(1, game.longest_line):
            name = f"ends.{ENDS[empty]}[{stones}]"
            yield _parameter(name, start, "ends", (stones, empty))


def _cells(start: Entries, game: LineGame) -> Iterator[Parameter]:
    """Yield a number for cells that mirror each other, but none for the first of the board: with
    one for every cell, all could be raised alike, and no choice would change."""
    images = zip(*symmetries(game), strict=True)
    orbits = dict.fromkeys(tuple(sorted(set(orbit))) for orbit in images)
    of_board = [orbit for orbit in orbits if game.board >> orbit[0] & 1]
    for orbit in of_board[1:]:
        names = [game.format_cell(cell) for cell in orbit]
        yield _parameter(f"cells.{names[0]}", start, "cells", *names)


def _each_cell(start: Entries, game: LineGame) -> Iterator[Parameter]:
    for cell in list(bits(game.board))[1:]:
        name = game.format_cell(cell)
        yield _parameter(f"cells.{name}", start, "cells", name)


def _threats(start: Entries, game: LineGame) -> Iterator[Parameter]:
    """Yield a number for each side; under gravity, where rows say who gets there, by row too."""
    cells = {cell for mask in game.masks if mask & (mask - 1) for cell in bits(mask)}
    parities = {row_parity(game, cell) for cell in cells}
    rows = {f"_{word}": [row] for word, row in ROWS.items() if row in parities}
    if not game.gravity:
        rows = {"": [ODD, EVEN]} if rows else {}
    for side, letter in enumerate(SIDES):
        for word, of_word in rows.items():
            keys = [(side, row) for row in of_word]
            yield _parameter(f"threats.{letter}{word}", start, "threats", *keys)


def _mobility(start: Entries, game: LineGame) -> Iterator[Parameter]:
    is_ever_unsafe = game.misere or (game.gravity and max(map(len, game.columns)) > 1)
    if is_ever_unsafe and game.longest_line > 1:
        yield _parameter("mobility", start, "mobility", ())


def _all(start: Entries, game: LineGame) -> Iterator[Parameter]:
    for parameters in (_to_move, _ends, _cells, _threats, _mobility):
        yield from parameters(start, game)


def _own(start: Entries, game: LineGame) -> Iterator[Parameter]:
    """Yield the numbers of the terms that START has."""
    terms = {term for (term, _), value in start.items() if value}
    lines = {key: value for (term, key), value in start.items() if term == "lines"}
    is_fair = all(lines.get(key[::-1], 0) == -value for key, value in lines.items())
    if "lines" in terms:
        yield from (_lines if is_fair else _table)(start, game)
        for mine, theirs in lines:
            name, key = f"values[{mine},{theirs}]", (mine, theirs)
            if mine and theirs and not is_fair:
                yield _parameter(name, start, "lines", key)
            elif mine > theirs > 0:
                yield _against(name, start, "lines", key)
    if "tempo" in terms:
        yield from _to_move(start, game)
        for term, key in start:
            if term == "tempo" and all(key):
                yield _parameter(f"tempo[{key[0]},{key[1]}]", start, "tempo", key)
    if "ends" in terms:
        yield from _ends(start, game)
    if "cells" in terms:
        by_orbit = list(_cells(start, game))
        is_fair = all(start.get(key, 0) == each.start for each in by_orbit for key in each.unit)
        yield from by_orbit if is_fair else _each_cell(start, game)
    if "threats" in terms:
        yield from _threats(start, game)
    if "mobility" in terms:
        yield from _mobility(start, game)


@dataclass(frozen=True)
class FamilyEntry:
    """A family of the catalogue."""

    name: str
    """What people type."""
    summary: str
    """What is free, in a line."""
    parameters: Callable[[Entries, LineGame], Iterable[Parameter]]
    """Yields them for START and a game, those too that say nothing there."""


FAMILIES = Catalogue(
    "family",
    (
        FamilyEntry("lines", "stones on a line; theirs is −mine", _lines),
        FamilyEntry("table", "stones on a line, mine and theirs", _table),
        FamilyEntry("to-move", "stones on a line, of the side to move and of the other", _to_move),
        FamilyEntry("cells", "a stone by its cell; cells that mirror each other alike", _cells),
        FamilyEntry("ends", "stones on a line, by its empty ends", _ends),
        FamilyEntry("threats", "cells that complete a line, by side and row", _threats),
        FamilyEntry("mobility", "safe moves", _mobility),
        FamilyEntry("all", "to-move, ends, cells, threats and mobility", _all),
        FamilyEntry("own", "the terms that START has", _own),
    ),
)
"""What can be free. Names are joined by `+`."""
BY_MOVER = {"to-move", "all"}
BY_SIDE = {"lines", "table", "own"}
"""Those that free stones on lines by who is to move, and by who is evaluated for."""


# A family around START


def families_of(game: LineGame) -> tuple[str, ...]:
    """Return the names of FAMILIES that have a number to tune on `game`, whatever START.

    >>> import plyscope as ps
    >>> families_of(ps.parse_game("tictactoe"))
    ('lines', 'table', 'to-move', 'cells', 'threats', 'all')
    """
    return tuple(
        name
        for name, entry in FAMILIES.items()
        if _independent([*entry.parameters({}, game)], game, {})
    )


def find_family(name: str, start: Any, game: LineGame, free: Sequence[str] | None = None) -> Family:
    """Return the family called `name` around START: a table, its file or its name.

    `free` names parameters, or what they begin with (`cells`, `ends.both`); the others keep what
    START says. Where stones on lines are free by who is to move alone, START's are read as if they
    were in the view of the side to move. Its clamp is left out. Raises OptionError and
    UnknownNameError.
    """
    table = find_heuristic(start, game)
    if isinstance(table, LineTable):
        table = TermSum(table)
    if not isinstance(table, TermSum):
        raise OptionError(f"heuristic {table.name!r} has no table; expected one, to tune {name!r}")
    names = dict.fromkeys(part.strip() for part in name.split("+"))
    of_catalogue = [FAMILIES[each] for each in names]
    entries = {
        (term, key): value
        for (term, key), value in _entries(table).items()
        if not (term in LINE_TERMS and game.longest_line in key[: 1 if term == "ends" else 2])
    }
    if BY_MOVER & set(names) and not BY_SIDE & set(names):
        entries = _in_view_of_mover(entries)
    every: dict[str, Parameter] = {}
    for entry in of_catalogue:
        for parameter in entry.parameters(entries, game):
            every.setdefault(parameter.name, parameter)
    chosen = _independent(_named(every, free, name), game, table.weights)
    if not chosen:
        raise OptionError(
            f"family {name[:60]!r} has no number to tune on {game.name!r}; "
            f"expected one of {', '.join(families_of(game)) or 'a game with longer lines'}"
        )
    freed = {key for parameter in chosen for key in parameter.unit}
    fixed = {key: value for key, value in entries.items() if key not in freed}
    return Family(
        name="+".join(names),
        game=game,
        parameters=tuple(parameter.name for parameter in chosen),
        weights_of_start=tuple(parameter.start for parameter in chosen),
        fixed=_table_of(fixed, table.name, table.summary, table.weights),
        units=tuple(_unit(parameter, table.weights) for parameter in chosen),
    )


def _unit(parameter: Parameter, weights: Mapping[str, int]) -> TermSum:
    return _table_of(parameter.unit, parameter.name, "counts 1", weights)


def _in_view_of_mover(entries: Entries) -> Entries:
    """Return the numbers with those of stones of one side on a line under who is to move."""
    moved: Entries = {}
    for (term, key), value in entries.items():
        under = "tempo" if term == "lines" and any(key) and not all(key) else term
        moved[under, key] = moved.get((under, key), 0) + value
    return moved


def _named(every: Mapping[str, Parameter], free: Sequence[str] | None, of: str) -> list[Parameter]:
    """Return the parameters that the words of `free` name."""
    if free is None:
        return list(every.values())
    chosen = set()
    for word in free:
        fitting = {
            name for name in every if name == word or name.startswith((f"{word}[", f"{word}."))
        }
        if not fitting:
            known = dict.fromkeys(part for name in every for part in (name.split("[")[0], name))
            raise nearest_name(f"number of the family {of[:60]!r}", word, [*known])
        chosen |= fitting
    return [parameter for name, parameter in every.items() if name in chosen]


def _independent(
    parameters: Sequence[Parameter], game: LineGame, weights: Mapping[str, int]
) -> list[Parameter]:
    """Return the parameters that say something which those before them do not say together."""
    units = [_unit(parameter, weights) for parameter in parameters]
    columns = values_of_lines(units, game).T
    chosen: list[Parameter] = []
    basis = np.zeros((0, columns.shape[1]))
    terms: set[str] = set()
    for parameter, column in zip(parameters, columns, strict=True):
        (term,) = {term for term, _ in parameter.unit}
        if term in LINE_TERMS:
            rest = column - (basis @ column) @ basis
            if np.linalg.norm(rest) <= NOTHING * np.linalg.norm(column):
                continue
            basis = np.vstack((basis, rest / np.linalg.norm(rest)))
        elif term == "mobility" and "threats" in terms and not game.gravity:
            continue  # the moves that complete a line, and these alone, are unsafe
        terms.add(term)
        chosen.append(parameter)
    return chosen
