"""The algorithms in their reference form, one file each, for any game."""
