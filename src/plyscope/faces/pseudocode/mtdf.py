"""MTD(f)."""

TEXT = """
mtdf(root, guess):
    lower ← −∞, upper ← ∞
    while lower < upper:
        β ← guess + 1 if guess = lower, else guess  # iteration
        guess ← search(root, β − 1, β)
        if guess < β: upper ← guess, else lower ← guess
search(node, α, β):  # enter
    if the table answers: return what it knows  # table-hit
    if node is a leaf: return its value  # leaf
    for each child: score ← search(child, α, β)
        best, and α at MAX or β at MIN, follow score  # bound
        if α ≥ β: stop here  # cutoff
    keep best in the table and return it  # return
"""
