"""What is proved of a position, as far as short questions to the solvers tell it.

A short question is limited by nodes and not by seconds, and its tables are empty at first. So its
answer depends on the position alone: not on how busy the machine is, nor on what was asked before.
Whatever says of a position what it is worth (a review, a hint, the answer to *why not?*) asks here,
so that no two of them differ. What a longer solve has proved is handed on as `Proofs`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from plyscope.rules.position import Position
from plyscope.searching.limit import NO_LIMIT, SearchStopped
from plyscope.solving.ask import Ask
from plyscope.solving.book import BOOK
from plyscope.solving.connect import CONNECT
from plyscope.solving.exhaustive import EXHAUSTIVE
from plyscope.solving.lines import LINES
from plyscope.solving.proofnumber import PROOF_NUMBER
from plyscope.solving.search import SEARCH
from plyscope.solving.solvers import plan_of
from plyscope.solving.tablebase import TABLEBASE
from plyscope.solving.threats import THREATS
from plyscope.solving.verdict import Verdict, ended

Proofs = Mapping[Any, Verdict]
"""Verdicts by their positions, each with its value."""
NOTHING: Proofs = MappingProxyType({})
NODES = {
    TABLEBASE.name: NO_LIMIT,
    BOOK.name: NO_LIMIT,
    CONNECT.name: 1_000_000,
    LINES.name: 100_000,
    THREATS.name: 1_000,
    SEARCH.name: 100_000,
    EXHAUSTIVE.name: 30_000,
    PROOF_NUMBER.name: 3_000,
}
"""Nodes of a short question, by solver: a third of a second on an idle machine, at the most."""
MOVES_FACTOR = 3
"""How many times its nodes a solver of lines may take where it tells the value of every move."""


def proof_of(position: Any, proofs: Proofs = NOTHING, effort: float = 1.0) -> Verdict | None:
    """Return what is proved of a position, None where nothing is.

    That is what `proofs` have, or what a short question proves, which may take `effort` times its
    usual nodes. A verdict may lack the values of the moves, and its best moves. Raises
    KeyboardInterrupt.
    """
    if position.is_over:
        return ended(position)
    told = proofs.get(position)
    if told is not None and told.moves is not None:
        return told
    return _short_proof(position, effort) or told


@lru_cache(maxsize=1024)
def _short_proof(position: Any, effort: float) -> Verdict | None:
    for turn in plan_of(position.game).turns:
        if not turn.solver.plays(position):
            continue
        nodes = int(min(NO_LIMIT, effort * NODES[turn.solver.name]))
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
    """Return what a solver that tells no distance leaves out of a win by the next move."""
    position = verdict.position
    if verdict.value != 1 or verdict.distance is not None or not isinstance(position, Position):
        return {}
    ends = tuple(move for move in position.moves if position.play(move).winner == position.side)
    return {"distance": 1, "best_moves": ends, "moves": None} if ends else {}


def value_after(verdict: Verdict, move: Any) -> int | None:
    """Return what a verdict proves of a move, to the side that plays it; None where it does not."""
    for item in verdict.moves or ():
        if item.move == move:
            return item.value
    if move in verdict.best_moves or verdict.value == -1:
        return verdict.value
    return None
