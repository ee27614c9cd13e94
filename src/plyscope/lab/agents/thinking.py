"""The player's choice of a move: the engine's search, checked by the solver of threats.

The engine has the first part of the time. Unless it finds a win itself, the solver then looks for a
win by threats, and for one of the opponent after the chosen move; a refuted move is replaced by the
engine's next best. So the player never passes by a win that the solver finds in this time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from plyscope.machine.run import Late
from plyscope.rules.position import Position
from plyscope.searching.limit import NO_LIMIT
from plyscope.searching.result import SearchResult
from plyscope.searching.score import MAX_EVALUATION
from plyscope.searching.search import search
from plyscope.solving.ask import Ask
from plyscope.solving.threats import FRESH_MEGABYTES, THREATS, threat_solver

SEARCH_SHARE, WIN_SHARE = 0.75, 0.15
"""The parts of a move's time for the engine, and for a win by threats; the rest is for the check of
the chosen move."""
NODES_SHARE = 0.01
"""The nodes of each question to the solver, as a part of the engine's if these are limited."""
MAX_TRIED = 5
"""The most moves that are checked."""


class Thought(NamedTuple):
    """The move that was chosen."""

    move: Any
    """None if the time was not enough for a move."""
    value: float
    """The engine's score."""
    depth: int
    nodes: int
    stopped: str | None
    """`interrupted` after Ctrl-C, else the engine's reason to stop."""
    reason: str = ""
    """`win` if the solver has found a win, `refuted` if it has refuted the engine's move."""


def think(position: Position, is_checked: bool = True, **options: Any) -> Thought:
    """Return the choice of the engine with `options`, checked by the solver of threats.

    Without `is_checked` the engine has all the time.

    Ctrl-C ends the search early with the best move so far.
    """
    seconds, nodes = options.pop("seconds", None), options.get("nodes")
    share = SEARCH_SHARE if is_checked else 1.0
    limit = {} if seconds is None else {"seconds": share * seconds}
    found = search(position, "engine", keep_interrupted=True, **limit, **options)
    thought = Thought(found.best_move, found.value, found.depth, found.nodes, found.stopped)
    is_settled = abs(found.value) > MAX_EVALUATION or found.complete or found.best_move is None
    is_checked = is_checked and not is_settled and THREATS.plays(position)
    if found.stopped == "interrupted" or not is_checked:
        return thought
    try:
        move, reason = _checked(position, found, seconds, nodes)
    except KeyboardInterrupt:
        return thought._replace(stopped="interrupted")
    return thought._replace(move=move, reason=reason)


def prepare(position: Position) -> None:
    """Load or compile the solver, which does not count against the time of a move."""
    if THREATS.plays(position):
        threat_solver(position.game, FRESH_MEGABYTES).prepare()


def _checked(
    position: Position, found: SearchResult, seconds: float | None, nodes: int | None
) -> tuple[Any, str]:
    """Return a winning move that the solver finds, or the engine's best move that it does not
    refute; and the reason for another move than the engine's."""
    solver = threat_solver(position.game, FRESH_MEGABYTES)
    limit = NO_LIMIT
    if nodes is not None:  # then earlier questions must not matter
        limit = max(1, int(NODES_SHARE * nodes))
        solver.forget()

    def asked(share: float) -> Ask:
        ask = Ask(position, seconds=None if seconds is None else share * seconds, limit=limit)
        ask.use(solver)
        return ask

    try:
        known = solver.wins(asked(WIN_SHARE), position.side)
        if known.wins and known.move is not None:
            return known.move, "" if known.move == found.best_move else "win"
    except Late:
        pass
    move, left = found.best_move, asked(1 - SEARCH_SHARE - WIN_SHARE)
    try:
        for move in _by_score(found):
            after = position.play(move)
            if after.is_over or not solver.wins(left.about(after, limit), after.side).wins:
                return move, "" if move == found.best_move else "refuted"
    except Late:
        return move, "" if move == found.best_move else "refuted"
    return found.best_move, ""  # all that were tried lose: the engine's holds out longest


def _by_score(found: SearchResult) -> Iterator[Any]:
    """Yield the engine's moves, the best first."""
    yield found.best_move
    scores = {item.move: item.value for item in found.moves if item.value is not None}
    scores.pop(found.best_move, None)
    yield from sorted(scores, key=scores.__getitem__, reverse=True)[: MAX_TRIED - 1]
