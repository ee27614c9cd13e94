"""Exact values by short questions to the solvers, for reviews, hints and *why not?*.

A short question is limited by nodes, not by seconds, and starts with empty tables. So its answer
depends only on the position, and not on the load of the machine or on earlier questions; all
callers get the same one. Results of longer solves are passed as `Proofs`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from plyscope.identity import cached_while
from plyscope.rules.game import version_of
from plyscope.rules.position import Position
from plyscope.searching.limit import NO_LIMIT, SearchStopped
from plyscope.solving.accelerated import BLOCKING, CONNECT, LINES, SEARCH, TABLEBASE, THREATS
from plyscope.solving.ask import Ask
from plyscope.solving.book import BOOK
from plyscope.solving.exhaustive import EXHAUSTIVE
from plyscope.solving.proofnumber import PROOF_NUMBER
from plyscope.solving.retrograde import RETROGRADE
from plyscope.solving.solvers import plan_of
from plyscope.solving.verdict import Verdict, ended

Proofs = Mapping[Any, Verdict]
"""Verdicts by position."""
NOTHING: Proofs = MappingProxyType({})
NODE_LIMITS = {
    TABLEBASE.name: NO_LIMIT,
    BOOK.name: NO_LIMIT,
    CONNECT.name: 1_000_000,
    LINES.name: 100_000,
    BLOCKING.name: 3_000,
    THREATS.name: 1_000,
    SEARCH.name: 100_000,
    EXHAUSTIVE.name: 30_000,
    RETROGRADE.name: 20_000,
    PROOF_NUMBER.name: 3_000,
}
"""The node limit of a short question, by solver: at most a third of a second on an idle machine."""
MOVES_FACTOR = 3
"""The factor of the limit of the solver of lines if it also solves every move."""


def proof_of(position: Any, proofs: Proofs = NOTHING, effort: float = 1.0) -> Verdict | None:
    """Return the verdict on a position, None if it is not solved.

    It comes from `proofs`, or from a short question with `effort` times the usual nodes. A verdict
    may lack the values of moves, and the best moves. Raises KeyboardInterrupt.
    """
    if position.is_over:
        return ended(position)
    told = proofs.get(position)
    if told is not None and told.moves is not None:
        return told
    return _short_proof(position, effort) or told


@cached_while(lambda position, effort: version_of(position.game), maxsize=1024)
def _short_proof(position: Any, effort: float) -> Verdict | None:
    for turn in plan_of(position.game).turns:
        if not turn.solver.plays(position):
            continue
        nodes = int(min(NO_LIMIT, effort * NODE_LIMITS[turn.solver.name]))
        most = min(NO_LIMIT, nodes * MOVES_FACTOR) if turn.solver is LINES else nodes
        ask = Ask(position, limit=nodes, nodes=most, is_fresh=True)
        try:
            verdict = turn.solver.solve(ask)
        except SearchStopped:
            continue
        if verdict is not None and verdict.value is not None:
            return replace(verdict, stopped=None, **_at_once(verdict))
    return None


def _at_once(verdict: Verdict) -> dict[str, Any]:
    """Return the distance and the best moves of a win in one ply, if the verdict lacks them."""
    position = verdict.position
    if verdict.value != 1 or verdict.distance is not None or not isinstance(position, Position):
        return {}
    ends = tuple(move for move in position.moves if position.play(move).winner == position.side)
    return {"distance": 1, "best_moves": ends, "moves": None} if ends else {}


def value_after(verdict: Verdict, move: Any) -> int | None:
    """Return the value of a move, in the view of the side that plays it, according to `verdict`;
    None if the verdict lacks it."""
    for item in verdict.moves or ():
        if item.move == move:
            return item.value
    if move in verdict.best_moves or verdict.value == -1:
        return verdict.value
    return None
