"""Minimax."""

TEXT = """
minimax(node, depth):  # enter
    if node is a leaf or depth = 0:
        return its value  # leaf
    best ← −∞ at MAX, ∞ at MIN
    for each child:
        score ← minimax(child, depth − 1)
        best ← max(best, score) at MAX, min at MIN
    return best  # return
"""
