"""The algorithms as machine code: for each file of `reference` its twin, and the engine.

A twin has the same value, counts, bounds and principal variation. A kernel that has to stop
returns 0, and `board.stopped` says why.
"""
