"""Minimax. Hand in this file.

plyscope class check minimax.py     checks it and estimates its grade
python -m pytest                    runs the public tests
"""


def minimax(node, depth):
    """Return the minimax value of a node, searched `depth` plies deep.

    `node.children` is a list of nodes, empty at the end of the game. `node.is_max` says whether MAX
    moves. `node.value` is the value for MAX of a leaf, or the estimate of an inner node; return it
    at depth 0 and where there are no children.
    """
    children = node.children if depth > 0 else []
    if not children:
        return node.value
    return minimax(children[0], depth - 1)  # looks at the first child only: change this
