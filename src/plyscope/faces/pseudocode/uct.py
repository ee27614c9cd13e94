"""UCT."""

TEXT = """
repeat:
    node ← root
    while all children of node have been tried:
        node ← child with the greatest UCB1:  # enter:again
            mean + sqrt(2 log(visits) / visits of child)
    node ← a new child of node  # enter
    play at random to the end: result  # leaf
    for each node on the way to the root:
        visits ← visits + 1; total ← total + result
best move: the one with the most visits
"""
