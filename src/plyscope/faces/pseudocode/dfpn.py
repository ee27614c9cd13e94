"""df-pn."""

TEXT = """
for each test value: call(root, ∞, ∞)  # iteration
call(node, limit of pn, limit of dn):  # enter
    if node is a leaf: pn, dn ← 0, ∞ or ∞, 0  # leaf
    repeat:
        read the children's numbers from the table
        MAX: pn ← least, dn ← sum; MIN: the other way
        if pn = 0 or dn = 0: node is answered  # return
        if a limit is reached: keep pn, dn and go back
        call the most proving child, with limits at which
            a sibling would be more proving
"""
