"""Costs: how many nodes a search takes, as far as can be foretold."""

from __future__ import annotations

from plyscope.rules.position import Position
from plyscope.searching.limit import Limit

DEFAULT_PLAYOUTS = 2000
"""Playouts of a search without a limit."""
ALPHABETA_POWER = 0.75
"""Alpha-beta in generated order visits about that power of minimax's nodes: 0.79 on Connect Four to
depth 8."""


def sequences(position: Position, depth: int | None) -> float:
    """Return a bound of the sequences of moves to `depth`: on a board moves only become fewer."""
    cells = position.empty.bit_count()
    width, bound = len(position.moves), 1.0
    for ply in range(min(cells, cells if depth is None else depth)):
        bound = min(1e300, bound * min(width, cells - ply))
    return bound


def minimax_nodes(position: Position, limit: Limit) -> float:
    """Return the nodes of a search that visits all of them."""
    return sequences(position, limit.depth)


def alphabeta_nodes(position: Position, limit: Limit) -> float:
    """Return the nodes of a search that cuts off what cannot matter."""
    return float(sequences(position, limit.depth) ** ALPHABETA_POWER)


def playout_nodes(position: Position, limit: Limit) -> float:
    """Return the moves of a search by playouts."""
    return float((limit.nodes or DEFAULT_PLAYOUTS) * position.game.size)
