"""`solve`: the value of a position, by the solver that suits its game."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from time import perf_counter
from typing import Any

from plyscope.errors import OptionError
from plyscope.rules.linegame import LineGame, Position
from plyscope.searching.driver import as_position, search
from plyscope.searching.limit import Limit
from plyscope.searching.score import MAX_EVALUATION
from plyscope.solving.book import GAME, PLIES, book_verdict, in_book
from plyscope.solving.connect import ConnectSolver, can_connect, connect_solver
from plyscope.solving.jobs import solve_in_jobs
from plyscope.solving.lines import MEGABYTES, LinesSolver, can_fill_lines, lines_solver
from plyscope.solving.running import OUT_OF_NODES, Compiled, Stopped
from plyscope.solving.tablebase import tablebase
from plyscope.solving.threats import can_threaten, threat_solver
from plyscope.solving.verdict import Verdict, connect_score

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
"""Nodes for which wins by threats are looked for, in half of the time at the most, before the engine searches."""
LINES_FIRST, LINES_PER_THREAT = 100_000, 10
"""Nodes of the first turn of the solver of lines, and how many of them take as long as one of threats."""


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

    `method` is one of METHODS, or `auto` for the one that suits. After `seconds`, or Ctrl-C with `keep_interrupted`, the verdict's value is
    None and it says what stopped it. `progress` is called with what there is to tell.

    `weak` asks for the weak game (Maker–Breaker) of X against O. With a `checkpoint`, a file, the solver of lines keeps what it knows there
    and goes on from what it finds. `megabytes` is the size of its table, or of that of the solver of gravity games. With an `executor` it
    works in at most so many `jobs` at a time (`solving/jobs`). Raises OptionError.
    """
    if isinstance(position, LineGame):
        position = position.start()
    asked = as_position(position)
    if not isinstance(asked, Position):
        raise OptionError(f"{str(position)[:60]!r} is no line game; expected a board, or a game such as '4,4,4'")
    if method != "auto" and method not in METHODS:
        raise OptionError(f"method {method[:40]!r}; expected auto, {', '.join(METHODS)}")
    Limit(seconds=seconds)
    began = perf_counter()
    deadline = None if seconds is None else began + seconds
    tell = progress or (lambda text: None)
    is_of_lines = weak or checkpoint is not None or executor is not None
    if is_of_lines and method not in ("auto", "lines"):
        raise OptionError(f"method {method!r} with weak, checkpoint or jobs; expected lines, which alone has them")
    if megabytes is not None and method not in ("auto", "lines", "connect"):
        raise OptionError(f"method {method!r} with megabytes; expected lines or connect, whose tables can have any size")
    if method != "auto":
        chosen = method
    elif is_of_lines or megabytes is not None:
        chosen = "connect" if can_connect(asked.game) and not is_of_lines else "lines"
    else:
        chosen = _suited(asked.game)
    try:
        if chosen == "tablebase":
            found = _by_table(asked, tell, with_moves)
            if found is not None:
                return found
            if method == "tablebase":
                raise OptionError(f"'{asked}' is in no tablebase: play does not reach it; expected a position that it does")
            chosen = "search"
        if (chosen == "connect" and method == "auto" and megabytes is None) or chosen == "book":
            if in_book(asked):
                return book_verdict(asked)
            if chosen == "book":
                raise OptionError(f"'{asked}' is not in the book; expected a position of {GAME} of fewer than {PLIES} plies")
        if chosen == "connect":
            solver = connect_solver(asked.game) if megabytes is None else ConnectSolver(asked.game, megabytes)
            return solver.solve(
                asked,
                with_moves,
                _deadline(solver, seconds, tell),
                lambda nodes, low, high: tell(f"{nodes:,} nodes, the score lies in {low} to {high}"),
                keep_interrupted,
            )
        if chosen == "lines":
            if executor is not None and megabytes is not None:
                raise OptionError(f"megabytes {megabytes} with jobs, whose workers have tables of their own; expected one of them")
            file = None if checkpoint is None else Path(checkpoint)
            if executor is not None:
                return solve_in_jobs(
                    asked,
                    executor,
                    jobs,
                    weak=weak,
                    journal=file,
                    deadline=deadline,
                    progress=lambda nodes, done: tell(f"{nodes:,} nodes in {done:,} jobs"),
                )
            is_usual = file is None and megabytes is None
            filler = lines_solver(asked.game, weak) if is_usual else LinesSolver(asked.game, weak, megabytes or MEGABYTES, file)
            if method == "auto" and is_usual and not weak:
                return _by_turns(asked, filler, with_moves, seconds, tell)
            return filler.solve(asked, with_moves, _deadline(filler, seconds, tell), _lines_told(tell))
        if chosen == "threats" or (method == "auto" and can_threaten(asked.game)):
            threats, is_alone = threat_solver(asked.game), chosen == "threats"
            deadline = _deadline(threats, seconds, tell)
            own = deadline if is_alone or deadline is None or seconds is None else deadline - seconds / 2
            try:
                found = threats.solve(asked, own, _threats_told(tell), None if is_alone else THREATS_FIRST)
            except Stopped:  # the engine has the other half of the time
                if is_alone:
                    raise
                found = None
            if found is not None:
                return found
        return _by_search(asked, deadline, tell)
    except Stopped as error:
        return _unsolved(asked, chosen, str(error), began)
    except KeyboardInterrupt:
        if not keep_interrupted:
            raise
        return _unsolved(asked, chosen, "interrupted", began)


def is_quickly_solved(position: Position) -> bool:
    """Return whether `solve` has this position's value at once, so that games can be decided by it."""
    if _suited(position.game) == "tablebase":
        return True
    return can_connect(position.game) and (position.first | position.second).bit_count() >= position.game.size // 2


def has_distances(game: LineGame) -> bool:
    """Return whether `solve` finds how long a game's wins take, and every move's worth with no more work."""
    return _suited(game) in ("tablebase", "connect")


def _deadline(solver: Compiled, seconds: float | None, tell: Callable[[str], None]) -> float | None:
    """Return when the time is over, which begins when the solver is compiled."""
    if not solver.is_ready:
        tell("compiling the solver, this once")
    solver.prepare()
    return None if seconds is None else perf_counter() + seconds


def _suited(game: LineGame) -> str:
    """Return the method that suits a game."""
    if game.size <= TABLEBASE_CELLS:
        return "tablebase"
    if can_connect(game):
        return "connect"
    return "lines" if can_fill_lines(game) else "search"


def _by_table(position: Position, tell: Callable[[str], None], with_moves: bool) -> Verdict | None:
    began = perf_counter()
    table = tablebase(position.game, lambda what, count: tell(f"making the tablebase: {count:,} {what}"))
    probed, moves = table.probe(position), table.moves(position)
    if probed is None or moves is None:
        return None
    value, distance = probed
    return Verdict(
        position=position,
        value=value,
        distance=distance,
        score=connect_score(position, value, distance or 0) if can_connect(position.game) else None,
        best_moves=tuple(item.move for item in moves if (item.value, item.distance) == (value, distance)) if with_moves else (),
        moves=moves if with_moves else None,
        method="tablebase",
        proof=f"looked up among all {table.classes:,} positions that play reaches, valued from the last ply to the first",
        nodes=0,
        seconds=perf_counter() - began,
        megabytes=table.megabytes,
    )


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


def _by_turns(position: Position, filler: LinesSolver, with_moves: bool, seconds: float | None, tell: Callable[[str], None]) -> Verdict:
    """Ask the solver of lines, which is good at draws, and that of threats, which is good at wins, in turn, each for ten times as long."""
    threats = threat_solver(position.game) if can_threaten(position.game) else None
    deadline = _deadline(filler, seconds, tell)
    nodes = LINES_FIRST
    while threats is not None:
        try:
            return filler.solve(position, with_moves, deadline, _lines_told(tell), nodes)
        except Stopped as error:
            if str(error) != OUT_OF_NODES:
                raise
        compiling = perf_counter()
        _deadline(threats, None, tell)
        deadline = None if deadline is None else deadline + perf_counter() - compiling
        found = threats.solve(position, deadline, _threats_told(tell), nodes // LINES_PER_THREAT)
        if found is not None:
            return found
        nodes *= 10
    return filler.solve(position, with_moves, deadline, _lines_told(tell))


def _lines_told(tell: Callable[[str], None]) -> Callable[[int, float], None]:
    return lambda nodes, done: tell(f"{nodes:,} nodes, {done:.1%} of the first moves searched")


def _threats_told(tell: Callable[[str], None]) -> Callable[[int, str], None]:
    return lambda nodes, what: tell(f"{nodes:,} nodes, {what}")


def _by_search(position: Position, deadline: float | None, tell: Callable[[str], None]) -> Verdict:
    if position.is_over:
        return _ended(position)
    left = {} if deadline is None else {"seconds": max(0.0, deadline - perf_counter())}
    options: dict[str, Any] = {"heuristic": "null", "megabytes": SEARCH_MEGABYTES, **left}
    found = search(position, "engine", progress=lambda done: tell(f"depth {done.depth}, {done.nodes:,} nodes"), **options)
    is_won = abs(found.value) > MAX_EVALUATION
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


def _unsolved(position: Position, method: str, stopped: str, began: float) -> Verdict:
    return Verdict(
        position=position,
        value=None,
        distance=None,
        score=None,
        best_moves=(),
        moves=None,
        method=method,
        proof="stopped before it was proved",
        nodes=0,
        seconds=perf_counter() - began,
        megabytes=0.0,
        stopped=stopped,
    )
