"""Negamax."""

TEXT = """
negamax(node, depth):  # enter
    if node is a leaf or depth = 0:
        return its value for the side to move  # leaf
    best ← −∞
    for each child:
        score ← −negamax(child, depth − 1)
        best ← max(best, score)
    return best  # return
"""
