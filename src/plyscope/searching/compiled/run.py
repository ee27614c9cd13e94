"""Runs a kernel as one pass of a search: lays the board out, waits for the kernel beside it, and takes over what it found."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from time import perf_counter

from plyscope.evaluation.linetable import LineTable
from plyscope.rules.linegame import Position
from plyscope.searching.compiled import alphabeta, board, minimax, pvs
from plyscope.searching.compiled.board import CompiledBoard
from plyscope.searching.limit import SearchStopped
from plyscope.searching.walk import Counts, Walk

__all__ = ["KERNELS", "run"]

KERNELS: dict[str, Callable[[int, int, int, int], int]] = {
    "minimax": minimax.search,
    "negamax": minimax.search,
    "alphabeta": alphabeta.search,
    "pvs": pvs.search,
}
NO_LIMIT = 1 << 60
PATIENCE = 0.05
"""Seconds between two looks for Ctrl-C."""


def run(algorithm: str, walk: Walk) -> int:
    """Search as `walk` asks and return the value, what was found in the walk; raise SearchStopped or KeyboardInterrupt with what was found
    so far.

    The kernel runs in a thread of its own, so that the deadline and Ctrl-C reach it: it looks at its stop flag at every node.
    """
    position, heuristic = walk.root.position, walk.heuristic
    assert isinstance(position, Position)
    assert isinstance(heuristic, LineTable)
    budget = NO_LIMIT if walk.limit.nodes is None else walk.limit.nodes - walk.nodes
    laid = CompiledBoard(position, heuristic, walk.conventions, walk.depth, budget)
    found: list[int] = []
    alpha, beta = walk.conventions.window

    thread = Thread(target=lambda: found.append(KERNELS[algorithm](laid.base, walk.depth, alpha, beta)), daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            left = PATIENCE if walk.deadline is None else walk.deadline - perf_counter()
            if left <= 0:
                laid.stop()
            thread.join(min(PATIENCE, max(left, 0.001)))
    except KeyboardInterrupt:
        laid.stop()
        thread.join()
        _take_over(laid, walk)
        raise
    _take_over(laid, walk)
    if laid[board.STOP]:
        raise SearchStopped("nodes" if laid[board.STOP] == 2 else "seconds")
    return found[0]


def _take_over(laid: CompiledBoard, walk: Walk) -> None:
    """Write into the walk what the kernel has counted and found."""
    walk.nodes += laid[board.NODES]
    walk.researches, walk.horizon_leaves, walk.deepest = laid[board.RESEARCHES], laid[board.HORIZON], laid[board.DEEPEST]
    walk.pv = laid.line()
    for cell in walk.game.moves(walk.root.position):
        if laid.root(cell, board.ROOT_SEARCHED):
            score = laid.root(cell, board.ROOT_VALUE)
            walk.values[cell] = (score, walk.proves(score, laid.root(cell, board.ROOT_ALPHA), laid.root(cell, board.ROOT_BETA)))
            counts = walk.below[cell] = Counts()
            counts.nodes, counts.leaves = laid.root(cell, board.ROOT_NODES), laid.root(cell, board.ROOT_LEAVES)
            counts.cutoffs = laid.root(cell, board.ROOT_CUTOFFS)
    walk.at_root.nodes = laid[board.NODES] - sum(counts.nodes for counts in walk.below.values())
    walk.at_root.leaves = laid[board.LEAVES] - sum(counts.leaves for counts in walk.below.values())
    walk.at_root.cutoffs = laid[board.CUTOFFS] - sum(counts.cutoffs for counts in walk.below.values())
    for ply in range(laid.plies):
        if laid.ply(ply, board.GREATEST_WIDTH) >= 0:
            walk.widths.append({laid.ply(ply, board.LEAST_WIDTH), laid.ply(ply, board.GREATEST_WIDTH)})
        if laid.ply(ply, board.LEAVES_AT):
            walk.leaf_plies.add(ply)
