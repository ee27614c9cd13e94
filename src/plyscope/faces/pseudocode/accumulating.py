"""The accumulating search."""

TEXT = """
accumulate(node, α, β):  # enter
    if somebody has won, the board is full, or depth = 0:
        return its value  # leaf
    best ← h(node)
    for each child:
        score ← accumulate(child, α, β)
        MAX: best ← max(best, score + h), raise α
        MIN: best ← min(best, score − h), lower β
        if β ≤ α: stop here  # cutoff
    return best
"""
