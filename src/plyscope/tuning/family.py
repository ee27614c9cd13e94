"""Families of heuristics: tables in which some weights are free, to be tuned.

A heuristic of a family is a fixed table plus, for each parameter, its weight times its *unit*: the
table with value 1 for that parameter. Evaluations are sums, so the unit's evaluation is the
parameter's feature, and the family is linear.

A weight that cannot change the choice of a move is not a parameter: one that has no effect on the
board, a linear combination of others, and that of the first cells, which is fixed at zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from plyscope.catalogue import Catalogue, nearest_name
from plyscope.errors import OptionError
from plyscope.evaluation.function import MAX_VALUE
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.linetable import KindTable, LineTable
from plyscope.evaluation.tablefile import ENDS, PATTERNS, ROWS
from plyscope.evaluation.terms import EVEN, ODD, ends_of, row_parity
from plyscope.rules.game import SIDES
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.rules.symmetry import symmetries
from plyscope.searching.score import MAX_PAIRED_SUM
from plyscope_fast.evaluation.features import LINE_TERMS, Whole, evaluations, values_of_lines
from plyscope_fast.evaluation.patterns import possible_patterns

TENS = [10**power for power in range(1, 10)]
PATTERN_TERMS = ("patterns", "pattern_tempo")
MIN_NORM = 1e-9
"""The relative norm below which a vector counts as a linear combination of others."""


@dataclass(frozen=True)
class Family:
    """The heuristics of a game that differ only in the weights of `parameters`.

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
    """Names of FAMILIES, joined by `+`."""
    game: LineGame
    parameters: tuple[str, ...]
    """Such as `mine[2]`, `to_move[3]`, `ends.both[2]`, `cells.b2`, `threats.x_odd`, `mobility`."""
    weights_of_start: tuple[int, ...]
    """The weights before tuning, in the order of the parameters."""
    fixed: LineTable = field(repr=False)
    """The terms that are not tuned, without finished lines."""
    units: tuple[LineTable, ...] = field(repr=False)
    """[parameter] the table with value 1 for it."""

    def heuristic(self, weights: Sequence[int], name: str, summary: str = "") -> LineTable:
        """Return the heuristic with these weights. Raises OptionError if they are too large.

        A finished line outweighs all other terms: its value is the least power of ten above twice
        their greatest sum. It is less if compiled searches would overflow, and negative in misère
        games. Only lines of the greatest length have it.
        """
        entries = _entries(self.fixed)
        for weight, unit in zip(weights, self.units, strict=True):
            for key, value in _entries(unit).items():
                entries[key] = entries.get(key, 0) + int(weight) * value
        longest = self.game.longest_line
        lists = {(key.term, key.kind) for key in entries if key.term in ("lines", "tempo")}
        for term, kind in lists | {("lines", "")}:
            for stones in range(longest):  # without gaps, in files too
                entries.setdefault(Key(term, (stones, 0), kind), 0)
                entries.setdefault(Key(term, (0, stones), kind), 0)
        summary = summary or f"{self.name} of {len(self.units)} numbers for {self.game.name}"
        finished = self._finished(_table_of(entries, name, summary, self.fixed.weights))
        entries |= {Key("lines", (longest, 0)): finished, Key("lines", (0, longest)): -finished}
        table = _table_of(entries, name, summary, self.fixed.weights)
        return table if table.kinds or not table.is_of_lines else table.table

    def _finished(self, table: LineTable) -> int:
        """Return the value of a finished line that outweighs the rest of the table."""
        rest = table.greatest_sum(self.game)
        lines = sum(abs(table.weight(line)) for line in self.game.lines)
        room = min((MAX_PAIRED_SUM - rest) // max(1, lines), MAX_VALUE)
        if room < 1:
            raise OptionError(
                f"the weights of {table.name!r} add up to {rest:,} on {self.game.name!r}; "
                f"expected less than {MAX_PAIRED_SUM - lines:,}"
            )
        value = min(next((ten for ten in TENS if ten > 2 * rest), room), room)
        return value if self.game.value_of_line > 0 else -value

    def features(self, positions: Sequence[Position], sides: Sequence[int]) -> Whole:
        """Return the feature of each parameter for each side in `sides`, [position, parameter].

        Without finished lines, `features @ weights + offset` is exactly the evaluation of
        `heuristic(weights)`.
        """
        return evaluations(self.units, positions, sides)

    def offset(self, positions: Sequence[Position], sides: Sequence[int]) -> Whole:
        """Return [position] the evaluation of the fixed terms, for each side in `sides`."""
        return evaluations([self.fixed], positions, sides)[:, 0]


# A table as numbers by term and key


class Key(NamedTuple):
    """The place of a number in the table of a heuristic."""

    term: str
    at: Any
    """The key within the term, such as (2, 0) for stones on a line; () for mobility."""
    kind: str = ""
    """The kind of line for which the number counts, '' for all kinds."""


Entries = dict[Key, int]


def _entries(table: LineTable) -> Entries:
    by_term: dict[tuple[str, str], Mapping[Any, int]] = {
        ("lines", ""): table.values,
        ("tempo", ""): table.tempo,
        ("ends", ""): table.ends,
        ("cells", ""): table.cells,
        ("threats", ""): table.threats,
        ("mobility", ""): {(): table.mobility} if table.mobility else {},
        ("patterns", ""): table.patterns,
        ("pattern_tempo", ""): table.pattern_tempo,
    }
    for kind, own in table.kinds.items():
        by_term |= {("lines", kind): own.values, ("tempo", kind): own.tempo}
    return {
        Key(term, at, kind): value
        for (term, kind), values in by_term.items()
        for at, value in values.items()
    }


def _table_of(entries: Entries, name: str, summary: str, weights: Mapping[str, int]) -> LineTable:
    values: dict[tuple[str, str], dict[Any, int]] = {}
    for (term, at, kind), value in entries.items():
        values.setdefault((term, kind), {})[at] = value

    def of(term: str, kind: str = "") -> dict[Any, int]:
        return values.get((term, kind), {})

    return LineTable(
        name,
        of("lines"),
        weights,
        summary=summary,
        tempo=of("tempo"),
        ends=of("ends"),
        cells=of("cells"),
        threats=of("threats"),
        mobility=of("mobility").get((), 0),
        patterns=of("patterns"),
        pattern_tempo=of("pattern_tempo"),
        kinds={
            kind: KindTable(of("lines", kind), of("tempo", kind))
            for kind in dict.fromkeys(kind for _, kind in values if kind)
        },
    )


# The parameters of each family


ALL_LINES = ("",)


class Parameter(NamedTuple):
    """A weight that may be tuned."""

    name: str
    unit: Entries
    """The entries of its unit table."""
    start: int
    """The weight before tuning."""


def _parameter(
    name: str, start: Entries, term: str, *ats: Any, kinds: Sequence[str] = ALL_LINES
) -> Parameter:
    """Return a parameter whose weight is the number at all these keys of a term."""
    keys = [Key(term, at, kind) for kind in kinds for at in ats]
    return Parameter(name, dict.fromkeys(keys, 1), start.get(keys[0], 0))


def _lines(start: Entries, game: LineGame) -> Iterator[Parameter]:
    """Yield a weight for each number of stones on a line; the opponent's is its negative."""
    for stones in range(1, game.longest_line):
        key, opposite = Key("lines", (stones, 0)), Key("lines", (0, stones))
        yield Parameter(f"mine[{stones}]", {key: 1, opposite: -1}, start.get(key, 0))


def _table(start: Entries, game: LineGame, kinds: Sequence[str] = ALL_LINES) -> Iterator[Parameter]:
    yield from _by_stones(("mine", "theirs"), "lines", start, game, kinds)


def _to_move(
    start: Entries, game: LineGame, kinds: Sequence[str] = ALL_LINES
) -> Iterator[Parameter]:
    yield from _by_stones(("to_move", "not_to_move"), "tempo", start, game, kinds)


def _by_stones(
    names: tuple[str, str], term: str, start: Entries, game: LineGame, kinds: Sequence[str]
) -> Iterator[Parameter]:
    """Yield a weight for each number of stones on a line, of one side and then of the other."""
    of = f"{kinds[0]}." if kinds[0] else ""
    for name in names:
        for stones in range(1, game.longest_line):
            at = (stones, 0) if name == names[0] else (0, stones)
            yield _parameter(f"{of}{name}[{stones}]", start, term, at, kinds=kinds)


def _kinds(start: Entries, game: LineGame) -> Iterator[Parameter]:
    for kinds in _kinds_of(game):
        yield from _table(start, game, kinds)


def _to_move_kinds(start: Entries, game: LineGame) -> Iterator[Parameter]:
    for kinds in _kinds_of(game):
        yield from _to_move(start, game, kinds)


def _kinds_of(game: LineGame) -> list[list[str]]:
    """Return the kinds of lines in groups that symmetries of the board exchange; [] if all are in
    one group."""
    of_mask = {line.mask: line.kind for line in game.lines}
    groups = [{kind} for kind in dict.fromkeys(of_mask.values())]
    for image in symmetries(game):
        for line in game.lines:
            to = of_mask[sum(1 << image[cell] for cell in bits(line.mask))]
            if to != line.kind:
                one, other = (next(g for g in groups if kind in g) for kind in (line.kind, to))
                if one is not other:
                    groups.remove(other)
                    one |= other
    order = list(dict.fromkeys(of_mask.values()))
    return [sorted(group, key=order.index) for group in groups] if len(groups) > 1 else []


def _ends(start: Entries, game: LineGame) -> Iterator[Parameter]:
    most = max((ends_of(line).bit_count() for line in game.lines), default=0)
    for empty in range(most, -1, -1) if most else ():
        for stones in range(1, game.longest_line):
            name = f"ends.{ENDS[empty]}[{stones}]"
            yield _parameter(name, start, "ends", (stones, empty))


def _cells(start: Entries, game: LineGame, is_each: bool = False) -> Iterator[Parameter]:
    """Yield a weight for each class of symmetric cells, or for each cell, except the first.

    The first is fixed at zero, since raising all cells alike would change no move."""
    images = [range(game.size)] if is_each else symmetries(game)
    orbits = dict.fromkeys(tuple(sorted(set(orbit))) for orbit in zip(*images, strict=True))
    of_board = [orbit for orbit in orbits if game.board >> orbit[0] & 1]
    for orbit in of_board[1:]:
        names = [game.format_cell(cell) for cell in orbit]
        yield _parameter(f"cells.{names[0]}", start, "cells", *names)


def _threats(start: Entries, game: LineGame) -> Iterator[Parameter]:
    """Yield a weight for each side, and under gravity for each row parity too."""
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


def _patterns(
    start: Entries, game: LineGame, terms: Sequence[str] = PATTERN_TERMS
) -> Iterator[Parameter]:
    """Yield a weight for each pattern that can occur, and one for the side to move.

    If no pattern can be open, yield none, since such patterns count the same as lines."""
    possible = possible_patterns(game)
    for term in terms if any(is_open for _, is_open in possible) else ():
        for stones, is_open in possible:
            name = f"{term}.{PATTERNS[is_open]}[{stones}]"
            yield _parameter(name, start, term, (stones, is_open))


def _all(start: Entries, game: LineGame) -> Iterator[Parameter]:
    for parameters in (_to_move, _ends, _cells, _threats, _mobility):
        yield from parameters(start, game)


def _own(start: Entries, game: LineGame) -> Iterator[Parameter]:
    """Yield the weights of the terms that occur in `start`."""
    used = {key: value for key, value in start.items() if value}
    is_fair = all(
        start.get(Key("lines", at[::-1]), 0) == -value
        for (term, at, kind), value in used.items()
        if term == "lines" and not kind and not all(at)
    )
    for term, kind in dict.fromkeys((key.term, key.kind) for key in used):
        if term == "lines":
            yield from _table(start, game, [kind]) if kind or not is_fair else _lines(start, game)
        elif term == "tempo":
            yield from _to_move(start, game, [kind])
    for term, at, kind in used:
        word = {"lines": "values", "tempo": "tempo"}.get(term)
        if word and all(at):
            name = f"{kind}.{word}" if kind else word
            yield _parameter(f"{name}[{at[0]},{at[1]}]", start, term, at, kinds=[kind])
    terms = {key.term for key in used}
    if "ends" in terms:
        yield from _ends(start, game)
    if "cells" in terms:
        by_orbit = list(_cells(start, game))
        is_fair = all(start.get(key, 0) == each.start for each in by_orbit for key in each.unit)
        yield from by_orbit if is_fair else _cells(start, game, is_each=True)
    if "threats" in terms:
        yield from _threats(start, game)
    if "mobility" in terms:
        yield from _mobility(start, game)
    yield from _patterns(start, game, [term for term in PATTERN_TERMS if term in terms])


@dataclass(frozen=True)
class FamilyEntry:
    """A family of the catalogue."""

    name: str
    """The name in options."""
    summary: str
    """One line on the free weights."""
    parameters: Callable[[Entries, LineGame], Iterable[Parameter]]
    """A function that yields the parameters for a table and a game, also those without effect."""


FAMILIES = Catalogue(
    "family",
    (
        FamilyEntry("lines", "stones on a line; theirs is −mine", _lines),
        FamilyEntry("table", "stones on a line, mine and theirs", _table),
        FamilyEntry("to-move", "stones on a line, of the side to move and of the other", _to_move),
        FamilyEntry("kinds", "a table for each kind of line; symmetric kinds share one", _kinds),
        FamilyEntry("to-move-kinds", "to-move for each kind of line", _to_move_kinds),
        FamilyEntry("cells", "a stone by its cell; symmetric cells share a weight", _cells),
        FamilyEntry("ends", "stones on a line, by its empty ends", _ends),
        FamilyEntry("threats", "cells that complete a line, by side and row", _threats),
        FamilyEntry("mobility", "safe moves", _mobility),
        FamilyEntry("patterns", "the pattern that a stone on an empty cell would make", _patterns),
        FamilyEntry("all", "to-move, ends, cells, threats and mobility", _all),
        FamilyEntry("own", "the terms that the heuristic has before tuning", _own),
    ),
)
"""The families. Their names may be joined by `+`."""
BY_SIDE = {"lines", "table", "kinds", "own"}
BY_MOVER = {"to-move", "to-move-kinds", "all", "own"}
"""Families with weights by stones on lines: by the evaluated side, and by the side to move."""
BY_KIND = {"kinds": ("lines", BY_SIDE), "to-move-kinds": ("tempo", BY_MOVER)}
"""Families with weights for each kind of line: the term, and the families for all lines."""


# A family around START


def families_of(game: LineGame) -> tuple[str, ...]:
    """Return the names of the families that have a weight to tune on `game`.

    >>> import plyscope as ps
    >>> families_of(ps.parse_game("tictactoe"))
    ('lines', 'table', 'to-move', 'kinds', 'to-move-kinds', 'cells', 'threats', 'all')
    """
    return tuple(
        name
        for name, entry in FAMILIES.items()
        if _independent([*entry.parameters({}, game)], game, {})
    )


def find_family(name: str, start: Any, game: LineGame, free: Sequence[str] | None = None) -> Family:
    """Return the family `name` of heuristics that differ from `start` in its free weights.

    `start` is a table, its file or its name. `free` lists parameters or the beginnings of their
    names (`cells`, `ends.both`); all others keep their weights. If only weights by the side to move
    are free, those of `start` by the evaluated side are converted. The family has no clamp. Raises
    OptionError and UnknownNameError.
    """
    table = find_heuristic(start, game)
    if not isinstance(table, LineTable):
        raise OptionError(
            f"heuristic {table.name!r} has no table; expected one, to tune the family {name!r}"
        )
    names = dict.fromkeys(part.strip() for part in name.split("+"))
    of_catalogue = [FAMILIES[each] for each in names]
    entries = _entries_of(names, _entries(table), game)
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


def _unit(parameter: Parameter, weights: Mapping[str, int]) -> LineTable:
    return _table_of(parameter.unit, parameter.name, "counts 1", weights)


def _entries_of(names: Iterable[str], entries: Entries, game: LineGame) -> Entries:
    """Return a table's entries in the terms of these families, without finished lines."""
    chosen = set(names)
    entries = {key: value for key, value in entries.items() if not _is_finished(key, game)}
    if chosen & BY_MOVER and not chosen & BY_SIDE:
        entries = _moved(entries, "lines", "tempo", ALL_LINES)
    for name, (term, others) in BY_KIND.items():
        if name in chosen and not chosen & (others - {name}):
            entries = _moved(entries, term, term, [*chain(*_kinds_of(game))] or ALL_LINES)
    return entries


def _is_finished(key: Key, game: LineGame) -> bool:
    counts = key.at[:1] if key.term == "ends" else key.at
    return key.term in LINE_TERMS and game.longest_line in counts


def _moved(entries: Entries, term: str, to: str, kinds: Sequence[str]) -> Entries:
    """Return the entries after moving those of `term` with stones of one side to the term `to`.

    Entries for all lines are copied to each of the `kinds`."""
    moved: Entries = {}
    for key, value in entries.items():
        places = [key]
        if key.term == term and any(key.at) and not all(key.at):
            of = [key.kind] if key.kind else kinds
            places = [Key(to, key.at, kind) for kind in of]
        for place in places:
            moved[place] = moved.get(place, 0) + value
    return moved


def _named(every: Mapping[str, Parameter], free: Sequence[str] | None, of: str) -> list[Parameter]:
    """Return the parameters whose names match the words of `free`, all without it."""
    if free is None:
        return list(every.values())
    chosen = set()
    for word in free:
        begins = f"{word}[", f"{word}."
        fitting = {
            name
            for name in every
            if word in (name, name.partition(".")[2])
            or name.startswith(begins)
            or name.partition(".")[2].startswith(begins)
        }
        if not fitting:
            known = dict.fromkeys(part for name in every for part in (name.split("[")[0], name))
            raise nearest_name(f"number of the family {of[:60]!r}", word, [*known])
        chosen |= fitting
    return [parameter for name, parameter in every.items() if name in chosen]


def _independent(
    parameters: Sequence[Parameter], game: LineGame, weights: Mapping[str, int]
) -> list[Parameter]:
    """Return the parameters that are linearly independent of those before them."""
    units = [_unit(parameter, weights) for parameter in parameters]
    columns = values_of_lines(units, game).T
    chosen: list[Parameter] = []
    basis = np.zeros((0, columns.shape[1]))
    terms: set[str] = set()
    for parameter, column in zip(parameters, columns, strict=True):
        (term,) = {key.term for key in parameter.unit}
        if term in LINE_TERMS:
            rest = column - (basis @ column) @ basis
            if np.linalg.norm(rest) <= MIN_NORM * np.linalg.norm(column):
                continue
            basis = np.vstack((basis, rest / np.linalg.norm(rest)))
        elif term == "mobility" and "threats" in terms and not game.gravity:
            continue  # only the moves that complete a line are unsafe
        terms.add(term)
        chosen.append(parameter)
    return chosen
