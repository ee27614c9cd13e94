"""SSS*."""

TEXT = """
OPEN ← the root, live, with merit ∞
repeat: take the state of the greatest merit h
    if it is the root, solved: its value is h
    solved child of MAX: its parent is solved with h
    solved child of MIN: the next one comes into OPEN,
        or its parent is solved with h after the last  # return
    live leaf: solved with min(h, its value)  # leaf
    live MIN node: its first child comes in with h
    live MAX node: all children come in with h  # enter
"""
