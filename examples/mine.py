"""A first heuristic: it counts the stones on lines that only one side can still complete."""

VALUES = (0, 1, 3, 9, 27)
"""By its stones there."""


def mine(mine, theirs, lines):
    """Return what the lines are worth to the side whose stones are `mine`."""
    total = 0
    for line in lines:
        own, other = (mine & line).bit_count(), (theirs & line).bit_count()
        if other == 0:
            total += VALUES[own]
        if own == 0:
            total -= VALUES[other]
    return total
