"""Exact values of moves, and the wrong moves of searches with a heuristic.

A population is all positions of a game (`whole`), or a sample of them (`sample`), with exact
values. In its critical positions (`population`) some moves lose value and others do not, so a
search can be wrong there. If a search rates several moves best, each counts in proportion. Searches
of many positions to one depth are computed together, ply by ply (`graph`). `tactics` classifies
positions, such as those with a forced block.
"""
