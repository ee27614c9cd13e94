"""SSS*."""

TEXT = """
OPEN ← the root, live, with merit ∞  # enter:root
repeat: take the state of the greatest merit h
    if it is the root, solved: its value is h
    solved child of MAX: its parent is solved with h  # return:max
    solved child of MIN: the next one comes in, or  # enter:next
        after the last its parent is solved with h  # return:min
    live leaf: solved with min(h, its value)  # leaf
    live MIN node: its first child comes in with h  # enter:first
    live MAX node: all children come in with h  # enter:all
"""
