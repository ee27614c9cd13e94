"""Compiled searches of user-defined games: the reference algorithms' own text, compiled by Numba
together with the game's methods."""
