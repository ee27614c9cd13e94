"""Compiled searches of games of one's own: the reference algorithms' own text, compiled by Numba
together with the game's methods."""
