"""The model solution of the assignment on minimax. Keep it from students."""


def minimax(node, depth):
    """Return the minimax value of a node, searched `depth` plies deep."""
    children = node.children if depth > 0 else []
    if not children:
        return node.value
    values = [minimax(child, depth - 1) for child in children]
    return max(values) if node.is_max else min(values)
