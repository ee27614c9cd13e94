"""What moves are worth, and which moves of a heuristic's searches lose value.

A population is all positions of a game (`whole`), or a sample of them (`sample`), with their exact
values. Its critical positions are those whose moves differ in value (`population`): there a search
is right or wrong, and of moves rated alike each counts in part. Searches of many positions to one
depth are worked out together, ply by ply (`graph`).
"""
