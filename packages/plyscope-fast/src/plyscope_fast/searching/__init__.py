"""The algorithms as machine code: reference algorithms compiled with another class of walks, and
the kernel of the engine.

A compiled form has the same value, counts, bounds and principal variation as the reference. A
kernel that has to stop returns 0; `board.stopped` is the reason.
"""
