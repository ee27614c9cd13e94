"""Estimates of the number of nodes of a search."""

from __future__ import annotations

from plyscope.rules.position import Position
from plyscope.searching.limit import Limit

ALPHABETA_POWER = 0.75
"""The exponent of an estimate: alpha-beta in generated order visits about n**ALPHABETA_POWER nodes
where minimax visits n. Measured: 0.79 on Connect Four to depth 8."""


def sequences(position: Position, depth: int | None) -> float:
    """Return an upper bound of the number of move sequences to `depth`."""
    cells = position.empty.bit_count()
    width, bound = len(position.moves), 1.0
    for ply in range(min(cells, cells if depth is None else depth)):
        bound = min(1e300, bound * min(width, cells - ply))
    return bound


def minimax_nodes(position: Position, limit: Limit) -> float:
    """Return an upper bound of the nodes of minimax."""
    return sequences(position, limit.depth)


def alphabeta_nodes(position: Position, limit: Limit) -> float:
    """Return an estimate of the nodes of alpha-beta."""
    return float(sequences(position, limit.depth) ** ALPHABETA_POWER)
