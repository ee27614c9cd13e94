"""Iterative deepening."""

TEXT = """
for depth = 1, 2, 3, ...: search(root, depth, −∞, ∞)  # iteration
search(node, depth, α, β):  # enter
    if the table decides the window: return its score  # table-hit
    if node is a leaf or depth = 0: return its value  # leaf
    for each child, the table's move first:
        score ← −search(child, depth − 1, −β, −α)
        best ← max(best, score)
        α ← max(α, score)  # bound
        if α ≥ β: stop here  # cutoff
    keep best and its move in the table and return it  # return
"""
