"""Principal variation search."""

TEXT = """
pvs(node, depth, α, β):  # enter
    if node is a leaf or depth = 0:
        return its value for the side to move  # leaf
    for each child:
        if it is the first:
            score ← −pvs(child, depth − 1, −β, −α)
        else:
            score ← −pvs(child, depth − 1, −α − 1, −α)
            if α < score < β:
                score ← −pvs(child, depth − 1, −β, −α)  # re-search
        best ← max(best, score); α ← max(α, score)  # bound
        if α ≥ β: stop here  # cutoff
    return {score}  # return
"""
