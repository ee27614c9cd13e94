"""The algorithms as machine code: the text of `reference` over another walk, UCT and the engine.

A compiled form has the same value, counts, bounds and principal variation. A kernel that has to
stop returns 0, and `board.stopped` says why.
"""
