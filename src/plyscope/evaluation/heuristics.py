"""The catalogue of heuristics: those of the five source systems, and baselines.

Each is given for lines of any length k. On a misère game a line is a liability, so every table
changes its sign there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from inspect import Parameter, signature
from typing import Any

from plyscope.catalogue import Catalogue, nearest_name
from plyscope.errors import OptionError
from plyscope.evaluation.function import (
    EstimateHeuristic,
    FunctionHeuristic,
    RandomHeuristic,
    is_of_file,
    load_function,
)
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.evaluation.summed import table_of_sum
from plyscope.rules.game import Game
from plyscope.rules.linegame import LineGame
from plyscope.rules.tree import ExplicitTree

__all__ = ["HEURISTICS", "HeuristicEntry", "find_heuristic", "is_of_file"]

LONGEST_NAME = 400
"""Characters of a name, that of a file too: messages quote it whole."""


@dataclass(frozen=True)
class HeuristicEntry:
    """A catalogue entry: `build` makes the heuristic for a game; `general` says how it goes on
    beyond three in a line."""

    name: str
    summary: str
    general: str
    build: Callable[[LineGame], Heuristic]
    quick_cells: int | None = None
    """The cells of the largest board on which it answers within seconds, None for any board."""


def for_lines(table: Callable[[int], LineTable]) -> Callable[[LineGame], LineTable]:
    """Return what makes the heuristic for a game from `table(k)`: k is the length of its longest
    line, and misère turns the signs."""

    def build(game: LineGame) -> LineTable:
        made = table(game.longest_line)
        return (
            replace(made, values={stones: -value for stones, value in made.values.items()})
            if game.misere
            else made
        )

    return build


def open_lines(k: int) -> LineTable:
    """Return the lines open to me less those open to them: a line is open to a side when it holds
    no stone of the other."""
    return LineTable.one_sided("open-lines", (0, *[1] * k))


def weighted_lines(k: int) -> LineTable:
    """Return 10 to the power of the stones on an unmixed line: 10, 100, 1000, then 10,000, ..., up
    to 10⁸."""
    return LineTable.one_sided(
        "weighted-lines", (0, *(10 ** min(count, 8) for count in range(1, k + 1)))
    )


def counted_lines(k: int) -> LineTable:
    """Return 1, 3, 8, then 21, 55, ... for 1, 2, 3, ... stones on an unmixed line: every second
    Fibonacci number, a(i) = 3a(i−1) − a(i−2)."""
    values = [0, 1]
    while len(values) <= k:
        values.append(min(3 * values[-1] - values[-2], 100_000_000))
    return LineTable.one_sided("counted-lines", tuple(values[: k + 1]))


def diagonal_lines(k: int) -> LineTable:
    """Return 1, 3, then 9, 27, ... for 1, 2, 3, ... stones on an unmixed, unfinished line; a
    finished one counts 0, diagonals count twice."""
    values = (0, *(3 ** min(count - 1, 16) for count in range(1, k)), 0)
    return LineTable.one_sided(
        "diagonal-lines", values, weights={"diagonal": 2, "space-diagonal": 2}
    )


def result(k: int) -> LineTable:
    """Return ±10 for a finished game that is won, however many lines were completed, and 0 for
    every other position."""
    return LineTable.one_sided("result", (*[0] * k, 10), clamp=10)


def null(k: int) -> LineTable:
    """Return 0: no opinion at all, the baseline that shows what search alone does."""
    return LineTable("null", {})


def tablebase(game: LineGame) -> Heuristic:
    """Return what is true of every position of a small game."""
    from plyscope.evaluation.tablebase import TablebaseHeuristic  # and NumPy, which takes its time

    return TablebaseHeuristic()


HEURISTICS = Catalogue(
    "heuristic",
    (
        HeuristicEntry(
            "open-lines",
            "lines open to me less lines open to them",
            "every unmixed line with a stone counts 1",
            for_lines(open_lines),
        ),
        HeuristicEntry(
            "weighted-lines",
            "10, 100, 1000 for 1, 2, 3 stones on an unmixed line",
            "10 to the power of the stones",
            for_lines(weighted_lines),
        ),
        HeuristicEntry(
            "counted-lines",
            "1, 3, 8 for 1, 2, 3 stones on an unmixed line",
            "21, 55, ...: every second Fibonacci number",
            for_lines(counted_lines),
        ),
        HeuristicEntry(
            "diagonal-lines",
            "1, 3 for 1, 2 stones on an open line, diagonals twice",
            "9, 27, ...; a finished line counts 0",
            for_lines(diagonal_lines),
        ),
        HeuristicEntry("result", "±10 for a game that is won", "the same", for_lines(result)),
        HeuristicEntry(
            "random",
            "a value drawn for each position, the same every time",
            "the same; random:7 is another draw",
            lambda game: RandomHeuristic(),
        ),
        HeuristicEntry("null", "0 everywhere: what search alone does", "the same", for_lines(null)),
        HeuristicEntry(
            "tablebase",
            "the truth, on small boards: 1000 less the plies left",
            "games of at most 32 cells",
            tablebase,
            quick_cells=12,
        ),
    ),
)


@lru_cache(maxsize=256)
def _named(name: str, game: LineGame) -> Heuristic:
    drawn = re.fullmatch(r"random(?::(\d{1,18}))?", name)
    if drawn is not None:
        return RandomHeuristic(int(drawn[1] or 0), name)
    if name not in HEURISTICS:
        raise nearest_name("heuristic", name, [*HEURISTICS, "table.toml", "file.py:name"])
    return HEURISTICS[name].build(game)


def _of_function(heuristic: FunctionHeuristic, game: Game) -> Heuristic:
    """Return the table that a function over the stones on a line makes, or that one over all lines
    adds up, or the heuristic as it is."""
    try:
        parameters = signature(heuristic.function).parameters.values()
    except (TypeError, ValueError):  # builtins need not tell
        return heuristic
    if not isinstance(game, LineGame) or any(
        parameter.kind != Parameter.POSITIONAL_OR_KEYWORD for parameter in parameters
    ):
        return heuristic
    if len(parameters) == 2:
        return LineTable.of_function(
            heuristic.name, heuristic.function, game.longest_line, summary=heuristic.summary
        )
    return table_of_sum(heuristic.name, heuristic.function, game, heuristic.summary) or heuristic


def find_heuristic(spec: Any, game: Game) -> Heuristic:
    """Return the heuristic meant by `spec` for `game`: a name, `tablebase` (what a small game's
    solver knows), `table.toml`, `table.json`, `file.py:name`, a function, or a heuristic itself.

    On line games a function is `f(mine, theirs, lines)` over bitboards, or `f(mine, theirs)` over
    the stones on a line: a table. Explicit trees have one of their own, `estimate`; None means the
    game's usual one. Raises UnknownNameError, NotationError, OptionError.
    """
    if spec is None:
        spec = (
            "counted-lines"
            if isinstance(game, LineGame)
            else "estimate"
            if isinstance(game, ExplicitTree)
            else "null"
        )
    if hasattr(spec, "evaluate"):
        return spec  # type: ignore[no-any-return]
    if callable(spec):
        return _of_function(FunctionHeuristic(getattr(spec, "__name__", "function"), spec), game)
    if not isinstance(spec, str):
        raise OptionError(
            f"heuristic {str(spec)[:40]!r}; expected a name, a LineTable or a function"
        )
    if len(spec) > LONGEST_NAME:
        raise OptionError(
            f"heuristic {spec[:40]!r}... of {len(spec)} characters; expected at most {LONGEST_NAME}"
        )
    if is_of_file(spec):
        return _of_function(load_function(spec), game)
    if isinstance(game, LineGame):
        return LineTable.read(spec) if spec.endswith((".toml", ".json")) else _named(spec, game)
    if spec == "estimate" and isinstance(game, ExplicitTree):
        return EstimateHeuristic()
    if spec == "null":
        return FunctionHeuristic("null", lambda position: 0)
    raise OptionError(
        f"heuristic {spec[:40]!r} needs a line game and {game.name!r} is none; expected 'estimate', 'null' or a function f(position)"
    )
