"""Alpha-beta."""

TEXT = """
alphabeta(node, depth, α, β):  # enter
    if node is a leaf or depth = 0:
        return its value  # leaf
    best ← −∞ at MAX, ∞ at MIN
    for each child:
        score ← alphabeta(child, depth − 1, α, β)
        best ← max(best, score) at MAX, min at MIN
        at MAX: α ← max(α, score)  # bound:alpha
        at MIN: β ← min(β, score)  # bound:beta
        if α {cut} β: stop here  # cutoff
    return {score}  # return
"""
