"""The solvers that run as machine code: what they solve, and the doors to them.

Their programs are in `plyscope_fast.solving`, which is imported when a solver is used. Without the
packages that it needs, a solver accepts no position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from plyscope.extras import lacking_for_kernels, load, missing
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.solving.ask import Ask, Solver
from plyscope.solving.verdict import Verdict

if TYPE_CHECKING:
    from plyscope_fast.evaluation.tablebase import Tablebase
    from plyscope_fast.solving.connect import ConnectSolver

MAX_BITS = 64
"""The most bits of a board of the solver of gravity games, whose columns have one bit more than
cells."""
MAX_CELLS = 64
"""The most cells of a board of the solver of lines."""
MAX_WEIGHT = 1 << 62
"""The limit of the weights of all lines together, each 2 to the length of the longest line, so
that the sum fits in a word."""
MAX_TABLE_CELLS, QUICK_TABLE_CELLS = 32, 16
"""The most cells of a board that has a tablebase, and of one whose tablebase is made within
seconds."""
TABLE_RULES = {"torus", "gravity", "misere", "exactly", "holes", "stones"}
"""The rules of games that have a tablebase."""


def _module(name: str) -> Any:
    return load(f"plyscope_fast.solving.{name}", f"the solver {name!r}", "fast")


def _by(name: str, function: str = "solve") -> Callable[[Ask], Verdict | None]:
    """Return a function of a module of `plyscope_fast.solving`, which is imported when called."""
    return lambda ask: cast("Verdict | None", getattr(_module(name), function)(ask))


def _why_not_tablebase(position: Position) -> str:
    game = position.game
    if game.size <= MAX_TABLE_CELLS and game.variants <= TABLE_RULES:
        return ""
    return f"a game of at most {MAX_TABLE_CELLS} cells with supported rules"


TABLEBASE: Solver = Solver(
    name="tablebase",
    summary="every position of a small game, from a table that is made once and stored",
    why_not=_why_not_tablebase,
    solve=_by("tablebase"),
    lacking=lambda: (missing(("numpy",)), "fast"),
    has_distances=True,
    is_quick=lambda position: position.game.size <= QUICK_TABLE_CELLS and TABLEBASE.plays(position),
)


def _why_not_connect(position: Position) -> str:
    game = position.game
    is_plain = game.variants == {"gravity"} and len(game.shape) == 2
    has_length = isinstance(game.given, int) and game.given > 1
    if is_plain and has_length and game.width * (game.height + 1) <= MAX_BITS:
        return ""
    return f"k in a row with gravity on at most {MAX_BITS} bits"


CONNECT = Solver(
    name="connect",
    summary="k in a row with gravity, on boards of up to 64 bits: exact scores of any position",
    why_not=_why_not_connect,
    solve=_by("connect"),
    lacking=lacking_for_kernels,
    options=frozenset({"megabytes"}),
    has_distances=True,
    is_quick=lambda position: (
        (position.first | position.second).bit_count() >= position.game.size // 2
    ),
)


def _why_not_lines(position: Position) -> str:
    game = position.game
    is_known = game.variants - {"torus", "holes"} in (set(), {"misere"}, {"exactly"})
    if is_known and game.size <= MAX_CELLS and len(game.masks) << game.longest_line < MAX_WEIGHT:
        return ""
    return f"lines without gravity, on at most {MAX_CELLS} cells"


def _why_not_jobs(position: Position) -> str:
    if not position.game.variants & {"misere", "exactly"} and not _why_not_lines(position):
        return ""
    return f"lines that win, longer ones too, without gravity, on at most {MAX_CELLS} cells"


LINES = Solver(
    name="lines",
    summary="lines of any kind without gravity, on up to 64 cells, strong, weak, misère or exact:"
    " the value and a best move",
    why_not=_why_not_lines,
    solve=_by("lines"),
    lacking=lacking_for_kernels,
    options=frozenset({"maker_breaker", "megabytes", "checkpoint"}),
)
JOBS = replace(
    LINES,
    why_not=_why_not_jobs,
    solve=_by("jobs", "solve_in_jobs"),
    options=frozenset({"maker_breaker", "checkpoint", "jobs"}),
)
"""The solver of lines, in jobs, which need relevance zones; in misère there are none."""


def _why_not_blocking(position: Position) -> str:
    is_plain = position.game.variants <= {"torus", "holes", "exactly"}
    return "" if is_plain else "lines that win, without gravity"


BLOCKING = Solver(
    name="blocking",
    summary="lines without gravity on boards of any size: draws in which each side blocks all"
    " lines of the other",
    why_not=_why_not_blocking,
    solve=_by("blocking"),
    lacking=lacking_for_kernels,
)


def _why_not_threats(position: Position) -> str:
    game = position.game
    is_played = game.variants <= {"torus", "holes", "exactly"} and game.longest_line > 2
    return "" if is_played else "a game without gravity that lines win"


THREATS = Solver(
    name="threats",
    summary="wins by fours, threes and then quiet moves, without gravity, on boards of any size:"
    " the value and a winning move",
    why_not=_why_not_threats,
    solve=_by("threats"),
    lacking=lacking_for_kernels,
)
SEARCH = Solver(
    name="search",
    summary="the playing engine, to the end of the game: the value and a best move",
    why_not=lambda position: "" if position.game.alternates else "a game whose turns are one stone",
    solve=_by("search"),
    lacking=lacking_for_kernels,
)

SOLVER_NODES = {LINES.name: 2_000, THREATS.name: 200}
"""The limit of nodes, by solver, of `settle`, for the question whether one side can
win.

Each node of `threats` includes a search for a win by fours.
"""


# More than a verdict on one position


class Settled(NamedTuple):
    """The exact values of a position and of each of its moves, for the side to move."""

    value: int
    moves: tuple[int, ...]


def connect_solver(game: LineGame) -> ConnectSolver:
    """Return the solver of a gravity game, the same object each time: its tables stay valid."""
    return cast("ConnectSolver", _module("connect").connect_solver(game))


def tablebase(game: LineGame) -> Tablebase:
    """Return the tablebase of a small game: the one in memory or on disk, else a new one."""
    module = load("plyscope_fast.evaluation.tablebase", "a tablebase", "fast")
    return cast("Tablebase", module.tablebase(game))


def can_settle(game: LineGame) -> bool:
    """Return whether `settle` can solve positions of this game."""
    start = game.start()
    return LINES.plays(start) or THREATS.plays(start)


def settle(positions: Sequence[Position]) -> list[Settled | None]:
    """Return the exact values of each position and its moves that solvers find within a limit of
    nodes; None for a position that takes more (`plyscope_fast.solving.settling`)."""
    return cast("list[Settled | None]", _module("settling").settle(positions))
