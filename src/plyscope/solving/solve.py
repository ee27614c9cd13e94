"""`solve`: the value of a position, by the solver that suits its game."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from time import perf_counter
from typing import Any

from plyscope.errors import OptionError
from plyscope.evaluation.tablebase import Tablebase, tablebase
from plyscope.machine.run import Late
from plyscope.rules.linegame import LineGame, Position
from plyscope.searching.driver import as_position, search
from plyscope.searching.limit import Limit
from plyscope.searching.score import MAX_EVALUATION
from plyscope.solving.book import GAME, PLIES, book_verdict, in_book
from plyscope.solving.connect import ConnectSolver, can_connect, connect_solver
from plyscope.solving.jobs import solve_in_jobs
from plyscope.solving.lines import MEGABYTES, LinesSolver, can_fill_lines, lines_solver
from plyscope.solving.running import OUT_OF_NODES, OUT_OF_TIME, Stopped
from plyscope.solving.threats import ThreatSolver, can_threaten, threat_solver
from plyscope.solving.verdict import MoveVerdict, Verdict, connect_score

__all__ = ["METHODS", "has_distances", "is_quickly_solved", "solve"]

METHODS = {
    "tablebase": "every position of a small game, from a table that is made once and kept",
    "book": "the first plies of Connect Four, solved beforehand: scores",
    "connect": "k in a row with gravity, on boards of up to 64 bits: exact scores of any position",
    "lines": "lines of any kind without gravity, on up to 64 cells, strong or weak: the value and a best move",
    "threats": "wins by fours, threes and then quiet moves, without gravity, on boards of any size: the value and a winning move",
    "search": "the playing engine, to the end of the game: the value and a best move",
}
TABLEBASE_CELLS = 16
"""Games of so many cells have their tablebase within seconds."""
SEARCH_MEGABYTES = 256
THREATS_FIRST = 30_000
"""Nodes for which wins by threats are looked for, in half of the time at the most, before the
engine searches."""
Solver = LinesSolver | ThreatSolver | ConnectSolver
LINES_FIRST, LINES_PER_THREAT = 100_000, 10
"""Nodes of the first turn of the solver of lines, and how many of them take as long as one of
threats."""


def solve(
    position: Position | LineGame | str,
    method: str = "auto",
    *,
    seconds: float | None = None,
    with_moves: bool = True,
    progress: Callable[[str], None] | None = None,
    keep_interrupted: bool = False,
    weak: bool = False,
    checkpoint: str | Path | None = None,
    megabytes: int | None = None,
    executor: Executor | None = None,
    jobs: int = 1,
) -> Verdict:
    """Return what a position, or the start of a game, is worth, and by which moves.

    `method` is one of METHODS, or `auto` for the one that suits. After `seconds`, or Ctrl-C with
    `keep_interrupted`, the verdict's value is None and it says what stopped it. `progress` is
    called with what there is to tell.

    `weak` asks for the weak game (Maker–Breaker) of X against O. With a `checkpoint`, a file, the
    solver of lines keeps what it knows there and goes on from what it finds. `megabytes` is the
    size of its table, or of that of the solver of gravity games. With an `executor` it works in at
    most so many `jobs` at a time (`solving/jobs`). Raises OptionError.
    """
    began = perf_counter()
    if isinstance(position, LineGame):
        position = position.start()
    asked = as_position(position)
    if not isinstance(asked, Position):
        raise OptionError(
            f"{str(position)[:60]!r} is no line game; expected a board, or a game such as '4,4,4'"
        )
    Limit(seconds=seconds)
    is_of_lines = weak or checkpoint is not None or executor is not None
    chosen = _chosen(asked.game, method, is_of_lines, megabytes)
    if executor is not None and megabytes is not None:
        raise OptionError(
            f"megabytes {megabytes} with jobs, whose workers have tables of their own; expected one of them"
        )
    asking = _Asking(asked, chosen, began, seconds, progress, with_moves, keep_interrupted, weak)
    try:
        if chosen == "connect":
            solver = (
                connect_solver(asked.game)
                if megabytes is None
                else ConnectSolver(asked.game, megabytes)
            )
            is_early = method == "auto" and megabytes is None and in_book(asked)
            return book_verdict(asked) if is_early else _by_connect(asking, solver)
        if chosen != "lines":
            return _by_table_or_search(asking, chosen, method)
        file = None if checkpoint is None else Path(checkpoint)
        if executor is not None:
            told = asking.tell_of_jobs
            return solve_in_jobs(
                asked,
                executor,
                jobs,
                weak=weak,
                journal=file,
                deadline=asking.deadline,
                progress=told,
            )
        is_usual = file is None and megabytes is None
        filler = (
            lines_solver(asked.game, weak)
            if is_usual
            else LinesSolver(asked.game, weak, megabytes or MEGABYTES, file)
        )
        return (
            _by_turns(asking, filler)
            if method == "auto" and is_usual and not weak
            else _by_lines(asking, filler)
        )
    except Stopped as error:
        return asking.unsolved(str(error))
    except KeyboardInterrupt:
        if not keep_interrupted:
            raise
        return asking.unsolved("interrupted")


def _chosen(game: LineGame, method: str, is_of_lines: bool, megabytes: int | None) -> str:
    """Return the method that is asked for, or suits; raise OptionError for one that cannot do what
    is asked."""
    if method != "auto" and method not in METHODS:
        raise OptionError(f"method {method[:40]!r}; expected auto, {', '.join(METHODS)}")
    if is_of_lines and method not in ("auto", "lines"):
        raise OptionError(
            f"method {method!r} with weak, checkpoint or jobs; expected lines, which alone has them"
        )
    if megabytes is not None and method not in ("auto", "lines", "connect"):
        raise OptionError(
            f"method {method!r} with megabytes; expected lines or connect, whose tables can have any size"
        )
    if method != "auto":
        return method
    if is_of_lines or megabytes is not None:
        return "connect" if can_connect(game) and not is_of_lines else "lines"
    return _suited(game)


def _by_table_or_search(asking: _Asking, chosen: str, method: str) -> Verdict:
    """Look the position up, or search it: for wins by threats first, unless the search was asked
    for."""
    position = asking.position
    if chosen == "book":
        if not in_book(position):
            raise OptionError(
                f"'{position}' is not in the book; expected a position of {GAME} of fewer than {PLIES} plies"
            )
        return book_verdict(position)
    found = _by_table(asking) if chosen == "tablebase" else None
    if found is None and method == "tablebase":
        raise OptionError(
            f"'{position}' is in no tablebase: play does not reach it; expected a position that it does"
        )
    if found is None and (
        chosen == "threats" or (method == "auto" and can_threaten(position.game))
    ):
        found = _by_threats(asking, is_alone=chosen == "threats")
    return found or _by_search(asking)


class _Asking:
    """A position that is being solved: how long that may take, and what has worked on it."""

    def __init__(
        self,
        position: Position,
        method: str,
        began: float,
        seconds: float | None,
        tell: Callable[[str], None] | None,
        with_moves: bool,
        keep_interrupted: bool,
        weak: bool,
    ) -> None:
        self.position, self.method, self.began = position, method, began
        self.deadline = None if seconds is None else began + seconds
        self.tell = tell or (lambda text: None)
        self.with_moves, self.keep_interrupted, self.weak = with_moves, keep_interrupted, weak
        self.nodes, self.megabytes = 0, 0.0
        self.used: dict[Solver, int] = {}

    def use(self, solver: Solver, method: str) -> None:
        """Make a solver ready, and note that its nodes count. Its compiling, this once, does not
        come off the time."""
        self.method = method
        if solver not in self.used:
            self.used[solver] = solver.nodes
        if solver.is_prepared:
            return
        is_ready, began = solver.is_ready, perf_counter()
        if not is_ready:
            self.tell("compiling the solver, this once")
        solver.prepare()
        if not is_ready:
            compiling = perf_counter() - began
            self.began += compiling
            self.deadline = None if self.deadline is None else self.deadline + compiling

    def tell_of_jobs(self, nodes: int, jobs: int) -> None:
        """Note the nodes of jobs, and tell."""
        self.nodes = nodes
        self.tell(f"{nodes:,} nodes in {jobs:,} jobs")

    def unsolved(self, stopped: str) -> Verdict:
        """Return what there is to say where the value is not known."""
        return Verdict(
            position=self.position,
            value=None,
            distance=None,
            score=None,
            best_moves=(),
            moves=None,
            method=self.method,
            proof="stopped before it was proved",
            nodes=self.nodes + sum(solver.nodes - before for solver, before in self.used.items()),
            seconds=perf_counter() - self.began,
            megabytes=self.megabytes + sum(solver.megabytes for solver in self.used),
            stopped=stopped,
            weak=self.weak,
        )


def is_quickly_solved(position: Position) -> bool:
    """Return whether `solve` has this position's value at once, so that games can be decided by
    it."""
    if _suited(position.game) == "tablebase":
        return True
    return (
        can_connect(position.game)
        and (position.first | position.second).bit_count() >= position.game.size // 2
    )


def has_distances(game: LineGame) -> bool:
    """Return whether `solve` finds how long a game's wins take, and every move's worth with no more
    work."""
    return _suited(game) in ("tablebase", "connect")


def _suited(game: LineGame) -> str:
    """Return the method that suits a game."""
    if game.size <= TABLEBASE_CELLS:
        return "tablebase"
    if can_connect(game):
        return "connect"
    return "lines" if can_fill_lines(game) else "search"


def _by_table(asking: _Asking) -> Verdict | None:
    position, with_moves, began = asking.position, asking.with_moves, perf_counter()
    try:
        table = tablebase(
            position.game,
            lambda what, count: asking.tell(f"making the tablebase: {count:,} {what}"),
            asking.deadline,
        )
    except Late:
        raise Stopped(OUT_OF_TIME) from None
    probed = table.probe(position)
    if probed is None:
        return None
    (value, distance), moves = probed, _moves_by_table(table, position)
    return Verdict(
        position=position,
        value=value,
        distance=distance,
        score=connect_score(position, value, distance or 0) if can_connect(position.game) else None,
        best_moves=tuple(
            item.move for item in moves if (item.value, item.distance) == (value, distance)
        )
        if with_moves
        else (),
        moves=moves if with_moves else None,
        method="tablebase",
        proof=f"looked up among all {table.classes:,} positions that play reaches, valued from the last ply to the first",
        nodes=0,
        seconds=perf_counter() - began,
        megabytes=table.megabytes,
    )


def _moves_by_table(table: Tablebase, position: Position) -> tuple[MoveVerdict, ...]:
    """Return what each move is worth to the side that plays it; play reaches `position`."""
    found = []
    for move in position.moves:
        probed = table.probe(position.play(move))
        assert probed is not None
        value, distance = probed
        found.append(
            MoveVerdict(
                move=move,
                text=position.game.format_move(position, move),
                value=-value,
                distance=None if distance is None else distance + 1,
            )
        )
    return tuple(found)


def _ended(position: Position) -> Verdict:
    """Return the verdict on a game that is over."""
    value = 0 if position.winner is None else 1 if position.winner == position.side else -1
    return Verdict(
        position=position,
        value=value,
        distance=0 if value else None,
        score=None,
        best_moves=(),
        moves=(),
        method="search",
        proof="the game is over",
        nodes=1,
        seconds=0.0,
        megabytes=0.0,
    )


def _by_connect(asking: _Asking, solver: ConnectSolver) -> Verdict:
    asking.use(solver, "connect")

    def told(nodes: int, low: int, high: int) -> None:
        asking.tell(f"{nodes:,} nodes, the score lies in {low} to {high}")

    return solver.solve(
        asking.position, asking.with_moves, asking.deadline, told, asking.keep_interrupted
    )


def _by_lines(asking: _Asking, filler: LinesSolver, limit: int | None = None) -> Verdict:
    asking.use(filler, "lines")

    def told(nodes: int, done: float) -> None:
        asking.tell(f"{nodes:,} nodes, {done:.1%} of the first moves searched")

    return filler.solve(
        asking.position, asking.with_moves, asking.deadline, told, limit, asking.keep_interrupted
    )


def _by_turns(asking: _Asking, filler: LinesSolver) -> Verdict:
    """Ask the solver of lines, which is good at draws, and that of threats, which is good at wins,
    in turn, each for ten times as long."""
    nodes = LINES_FIRST
    while can_threaten(asking.position.game):
        try:
            return _by_lines(asking, filler, nodes)
        except Stopped as error:
            if str(error) != OUT_OF_NODES:
                raise
        found = _asked_of_threats(asking, asking.deadline, nodes // LINES_PER_THREAT)
        if found is not None:
            return found
        nodes *= 10
    return _by_lines(asking, filler)


def _by_threats(asking: _Asking, is_alone: bool) -> Verdict | None:
    """Ask the solver of threats, for all of the time, or for some nodes and at most half of what is
    left of it."""
    if is_alone:
        return _asked_of_threats(asking, asking.deadline, None)
    asking.use(threat_solver(asking.position.game), "threats")
    half = None if asking.deadline is None else (perf_counter() + asking.deadline) / 2
    try:
        return _asked_of_threats(asking, half, THREATS_FIRST)
    except Stopped:  # the engine has the other half of the time
        return None


def _asked_of_threats(asking: _Asking, deadline: float | None, most: int | None) -> Verdict | None:
    solver = threat_solver(asking.position.game)
    asking.use(solver, "threats")

    def told(nodes: int, what: str) -> None:
        asking.tell(f"{nodes:,} nodes, {what}")

    return solver.solve(asking.position, deadline, told, most, asking.keep_interrupted)


def _by_search(asking: _Asking) -> Verdict:
    position, asking.method = asking.position, "search"
    if position.is_over:
        return _ended(position)
    left = (
        {} if asking.deadline is None else {"seconds": max(0.0, asking.deadline - perf_counter())}
    )
    options: dict[str, Any] = {
        "heuristic": "null",
        "megabytes": SEARCH_MEGABYTES,
        "keep_interrupted": True,
        **left,
    }
    found = search(
        position,
        "engine",
        progress=lambda done: asking.tell(f"depth {done.depth}, {done.nodes:,} nodes"),
        **options,
    )
    asking.nodes, asking.megabytes = found.nodes, SEARCH_MEGABYTES
    is_won = abs(found.value) > MAX_EVALUATION
    if found.stopped == "interrupted" and not (is_won and asking.keep_interrupted):
        raise KeyboardInterrupt
    if not (found.complete or is_won):
        raise Stopped(found.stopped or "depth")
    value = 0 if not is_won else 1 if found.value > 0 else -1
    return Verdict(
        position=position,
        value=value,
        distance=None,
        score=None,
        best_moves=found.best_moves[:1],
        moves=None,
        method="search",
        proof=f"principal variation search, {found.depth} plies deep, in which no line that counts ended at the horizon",
        nodes=found.nodes,
        seconds=found.seconds,
        megabytes=SEARCH_MEGABYTES,
    )
