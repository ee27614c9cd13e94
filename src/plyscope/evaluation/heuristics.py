"""The catalogue of heuristics: those of the five source systems, baselines, and exact values.

Each is defined for lines of any length k. In misère completing a line loses, so every table changes
its sign there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, cast

from plyscope.catalogue import Catalogue, nearest_name
from plyscope.errors import OptionError
from plyscope.evaluation.function import (
    EstimateHeuristic,
    FunctionHeuristic,
    RandomHeuristic,
    load_function,
    of_function,
)
from plyscope.evaluation.heuristic import Heuristic, HeuristicLike
from plyscope.evaluation.linetable import KindTable, LineTable
from plyscope.evaluation.patterns import has_patterns
from plyscope.evaluation.signatures import OF_BITBOARDS, OF_COUNTS
from plyscope.evaluation.sums import table_of_sum
from plyscope.evaluation.tablefile import read_table
from plyscope.evaluation.terms import EVEN, ODD, pattern_of
from plyscope.extras import load
from plyscope.pythonfile import OF_FILE, is_of_file
from plyscope.rules.game import FIRST, Game
from plyscope.rules.linegame import LineGame
from plyscope.rules.tree import ExplicitTree

MAX_NAME_CHARS = 400
"""The longest name or file name; messages quote it in full."""


@dataclass(frozen=True)
class HeuristicEntry:
    """A heuristic of the catalogue."""

    name: str
    """The name that identifies it on the command line."""
    summary: str
    """A description of its values, in one line."""
    general: str
    """A description of its values for lines of more than three cells."""
    build: Callable[[LineGame], Heuristic]
    """Return the heuristic for a game."""
    quick_cells: int | None = None
    """The cells of the largest board on which it is ready within seconds, None for any board."""

    def __str__(self) -> str:
        return f"{self.name}: {self.summary}"


def _one_sided(name: str, game: LineGame, mine: tuple[int, ...], **more: Any) -> LineTable:
    """Return the table with value mine[i] for i stones of one side on a line; negated in misère."""
    table = LineTable.one_sided(name, mine, **more)
    return table if game.value_of_line > 0 else table.negated()


def open_lines(game: LineGame) -> LineTable:
    """Return the table of my open lines minus the opponent's; lines without a stone count 0."""
    return _one_sided("open-lines", game, (0, *[1] * game.longest_line))


def weighted_lines(game: LineGame) -> LineTable:
    """Return the table of 10ⁱ for i stones of one side on a line, at most 10⁸."""
    powers = (10 ** min(count, 8) for count in range(1, game.longest_line + 1))
    return _one_sided("weighted-lines", game, (0, *powers))


def counted_lines(game: LineGame) -> LineTable:
    """Return the table of 1, 3, 8, 21, 55, ... by stones of one side, every second Fibonacci.

    a(i) = 3a(i−1) − a(i−2), at most 10⁸.
    """
    values = [0, 1]
    while len(values) <= game.longest_line:
        values.append(min(3 * values[-1] - values[-2], 100_000_000))
    return _one_sided("counted-lines", game, tuple(values[: game.longest_line + 1]))


def diagonal_lines(game: LineGame) -> LineTable:
    """Return the table of 1, 3, 9, 27, ... by stones of one side; full lines 0, diagonals twice."""
    powers = (3 ** min(count - 1, 16) for count in range(1, game.longest_line))
    twice = {line.kind: 2 for line in game.lines if line.kind in ("diagonal", "space-diagonal")}
    return _one_sided("diagonal-lines", game, (0, *powers, 0), weights=twice)


def five_numbers(game: LineGame) -> LineTable:
    """Return the smallest table with which a search of one ply never loses tic-tac-toe, of those
    for lines by kind, cells and threats.

    It counts 2 for my row or column that lacks one stone; −1 for one stone of theirs alone in a row
    or column, −2 in a diagonal; 1 for the centre; and 5 for each cell that completes a line of X.
    """
    longest = game.longest_line
    straight = (
        KindTable({(longest - 1, 0): 2, (0, 1): -1}, {}) if longest > 1 else KindTable({}, {})
    )
    slanted = KindTable({(0, 1): -2} if longest > 1 else {}, {})
    kinds = dict.fromkeys(line.kind for line in game.lines)
    centre = game.format_cell(game.size // 2)
    has_centre = game.size % 2 and game.board >> game.size // 2 & 1
    table = LineTable(
        "five-numbers",
        {(longest, 0): 1000, (0, longest): -1000},
        kinds={kind: slanted if "diagonal" in kind else straight for kind in kinds},
        cells={centre: 1} if has_centre else {},
        threats={(FIRST, ODD): 5, (FIRST, EVEN): 5},
    )
    return table if game.value_of_line > 0 else table.negated()


PATTERN_VALUES = (600, 180, 60, 60, 20, 18, 6, 2, 1)
"""The values of classes of patterns, the strongest first; weaker ones count 1."""


def patterns(game: LineGame) -> LineTable:
    """Return the table of patterns: 600 for a cell that completes a line, 180 for an open pattern
    with one stone less, then 60, 60, 20, ...; the side to move gets a sixth more.

    Games that have no patterns get `counted-lines`.
    """
    if not has_patterns(game):
        return replace(counted_lines(game), name="patterns")
    count = 2 * game.longest_line - 1
    values = [*PATTERN_VALUES, *[1] * count][:count]
    by_pattern = {pattern_of(count - at): value for at, value in enumerate(values)}
    sign = game.value_of_line
    return LineTable(
        "patterns",
        {},
        patterns={pattern: sign * value for pattern, value in by_pattern.items()},
        pattern_tempo={
            pattern: sign * (value // 6) for pattern, value in by_pattern.items() if value >= 6
        },
    )


def result(game: LineGame) -> LineTable:
    """Return the table of ±10 for a won game, and 0 for any other position."""
    return _one_sided("result", game, (*[0] * game.longest_line, 10), clamp=10)


def null(game: LineGame) -> LineTable:
    """Return the table whose values are all 0: the baseline of search without a heuristic."""
    return LineTable("null", {})


def tablebase(game: LineGame) -> Heuristic:
    """Return the heuristic that gives the exact values of a small game."""
    module = load("plyscope_fast.evaluation.tablebase", "the heuristic 'tablebase'", "fast")
    return cast(Heuristic, module.TablebaseHeuristic())


HEURISTICS = Catalogue(
    "heuristic",
    (
        HeuristicEntry(
            "open-lines",
            "my open lines minus the opponent's open lines",
            "a line with stones of one side counts 1",
            open_lines,
        ),
        HeuristicEntry(
            "weighted-lines",
            "10, 100, 1000 for 1, 2, 3 stones on an open line",
            "10 to the power of the stones",
            weighted_lines,
        ),
        HeuristicEntry(
            "counted-lines",
            "1, 3, 8 for 1, 2, 3 stones on an open line",
            "21, 55, ...: every second Fibonacci number",
            counted_lines,
        ),
        HeuristicEntry(
            "diagonal-lines",
            "1, 3 for 1, 2 stones on an open line, diagonals twice",
            "9, 27, ...; a finished line counts 0",
            diagonal_lines,
        ),
        HeuristicEntry(
            "patterns",
            "the patterns that a stone on an empty cell makes",
            "the same: 600 for a line, 180, 60, 60, ...",
            patterns,
        ),
        HeuristicEntry(
            "five-numbers",
            "five numbers that never lose tic-tac-toe one ply deep",
            "the same numbers, which prove nothing there",
            five_numbers,
        ),
        HeuristicEntry("result", "±10 for a game that is won", "the same", result),
        HeuristicEntry(
            "random",
            "a pseudorandom value of each position",
            "the same; random:7 uses the seed 7",
            lambda game: RandomHeuristic(),
        ),
        HeuristicEntry("null", "0 everywhere: search without a heuristic", "the same", null),
        HeuristicEntry(
            "tablebase",
            "exact value on small boards: 1000 minus the plies left",
            "games of at most 32 cells",
            tablebase,
            quick_cells=12,
        ),
    ),
)


@lru_cache(maxsize=256)
def _of_catalogue(name: str, game: LineGame) -> Heuristic:
    if name not in HEURISTICS:
        raise nearest_name("heuristic", name, list(HEURISTICS), ("table.toml", "file.py:name"))
    return HEURISTICS[name].build(game)


@lru_cache(maxsize=256)
def _of_seed(name: str, game: LineGame) -> Heuristic:
    return RandomHeuristic(int(name.partition(":")[2]), name)


TEXTS: tuple[tuple[str, re.Pattern[str], Callable[[str, LineGame], Heuristic]], ...] = (
    (
        "file.py:name",
        re.compile(rf"\A{OF_FILE.pattern}\Z", re.DOTALL),
        lambda text, game: _of_function(load_function(text), game),
    ),
    ("table.toml", re.compile(r"\.(toml|json)\Z"), lambda text, game: read_table(text)),
    ("random:7", re.compile(r"\Arandom:\d{1,18}\Z"), _of_seed),
    ("open-lines", re.compile(""), _of_catalogue),
)
"""The texts of heuristics for line games: an example, the pattern, and the function that reads it.
The first match counts."""


def find_heuristic(spec: HeuristicLike | None, game: Game) -> Heuristic:
    """Return the heuristic of `spec` for `game`: of a text (TEXTS), a function, or a heuristic.

    A function has one of SIGNATURES; `f(mine, theirs)`, which values the stones on a line, becomes
    a table. Explicit trees have the heuristic `estimate`. None is the default heuristic of the
    game. Raises UnknownNameError, NotationError or OptionError.
    """
    if spec is None and isinstance(game, LineGame):
        spec = "counted-lines"
    elif spec is None:
        spec = "estimate" if isinstance(game, ExplicitTree) else "null"
    if isinstance(spec, str):
        return _of_text(spec, game)
    if isinstance(spec, LineTable):  # before the protocol check, which takes 9 µs
        if not isinstance(game, LineGame):
            raise _needs_lines(spec.name, game)
        return spec
    if isinstance(spec, Heuristic):
        return spec
    if callable(spec):
        return _of_function(of_function(spec), game)
    raise OptionError(
        f"heuristic {str(spec)[:40]!r}; expected a name, a function, or a heuristic, "
        "which has name, evaluate and explain"
    )


def in_units(heuristic: Heuristic, game: Game) -> Heuristic:
    """Return a heuristic whose values are in the units of `game`: in a tree of fractions, a
    function's scale is that of the tree."""
    if not (isinstance(heuristic, FunctionHeuristic) and isinstance(game, ExplicitTree)):
        return heuristic
    if game.scale == 1:
        return heuristic
    return replace(heuristic, scale=(heuristic.scale or 1) * game.scale)


def _of_text(text: str, game: Game) -> Heuristic:
    """Return the heuristic that a text names for `game`; raise UnknownNameError, NotationError or
    OptionError."""
    if len(text) > MAX_NAME_CHARS:
        raise OptionError(
            f"heuristic {text[:40]!r}... of {len(text)} characters; "
            f"expected at most {MAX_NAME_CHARS}"
        )
    if isinstance(game, LineGame):
        return next(read(text, game) for _, form, read in TEXTS if form.search(text))
    if is_of_file(text):
        return _of_function(load_function(text), game)
    if text == "estimate" and isinstance(game, ExplicitTree):
        return EstimateHeuristic()
    if text == "null":
        return FunctionHeuristic("null", lambda position: 0)
    raise _needs_lines(text, game)


def _needs_lines(name: str, game: Game) -> OptionError:
    """Return the error for a heuristic of line games on another game."""
    known = "'estimate', 'null'" if isinstance(game, ExplicitTree) else "'null'"
    return OptionError(
        f"heuristic {name[:40]!r} needs a line game and {game.name!r} is none; "
        f"expected {known} or a function f(position)"
    )


def _of_function(heuristic: FunctionHeuristic, game: Game) -> Heuristic:
    """Return the table of a function that values one line, or adds up values of lines.

    Any other function is returned unchanged. Raises OptionError if the signature is none of
    SIGNATURES.
    """
    signature = heuristic.signature_on(game)
    if not isinstance(game, LineGame):
        return heuristic
    name, function, summary = heuristic.name, heuristic.function, heuristic.summary
    if signature is OF_COUNTS:
        return LineTable.of_function(
            name, partial(_scaled, heuristic), game.longest_line, summary=summary
        )
    if signature is not OF_BITBOARDS or heuristic.scale is not None or heuristic.form:
        return heuristic
    return table_of_sum(name, function, game, summary) or heuristic


def _scaled(heuristic: FunctionHeuristic, mine: int, theirs: int) -> Any:
    """Return the function's value for the stones of one line, scaled if a scale is declared."""
    answer = heuristic.function(mine, theirs)
    if heuristic.scale is None and isinstance(answer, int):
        return answer
    return heuristic.value_of(answer, lambda: f"for a line of (mine, theirs) = {(mine, theirs)}")
