"""Alpha-beta. Hand in this file.

plyscope class check alphabeta.py     checks it and estimates its grade
python -m pytest                      runs the public tests
"""

from math import inf


def alphabeta(node, depth, alpha, beta):
    """Return the value of a node within the window, searched `depth` plies deep, fail-soft.

    Values, alpha and beta are in MAX's view. `node.children` is a list of nodes, empty at the end
    of the game. `node.is_max` says whether MAX moves. `node.value` is the value for MAX of a leaf,
    or the estimate of an inner node; return it at depth 0 and where there are no children.
    """
    children = node.children if depth > 0 else []
    if not children:
        return node.value
    # looks at all children, as minimax does: make it cut at alpha >= beta
    values = [alphabeta(child, depth - 1, alpha, beta) for child in children]
    return max(values) if node.is_max else min(values)


def ordered(node, depth):
    """Return the value of a node; visit fewer nodes by a better order of children."""
    return alphabeta(node, depth, -inf, inf)


def table(node, depth):
    """Return the value of a node; search equal positions, those of equal `node.key`, once."""
    return alphabeta(node, depth, -inf, inf)


def deepening(node, depth):
    """Return the value of a node by searches to depth 1, 2, ..., each ordered by the last one."""
    return alphabeta(node, depth, -inf, inf)
