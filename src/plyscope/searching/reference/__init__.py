"""The algorithms in their readable form, one file each, over any game."""
