"""Proof-number search."""

TEXT = """
for each test value, until the bounds meet:  # iteration
    until the root is answered:
        node ← the most proving leaf, from the root down
        expand node: each child begins with pn = dn = 1  # enter
            a leaf with value ≥ test: pn ← 0, dn ← ∞  # leaf:yes
            any other leaf: pn ← ∞, dn ← 0  # leaf:no
            a child that answers its parent: stop here  # cutoff
        on the way up to the root:
            MAX: pn ← least pn, dn ← sum of dn
            MIN: pn ← sum of pn, dn ← least dn
            pn = 0: value ≥ test; dn = 0: value < test  # return
"""
