"""Compiled searches of user-defined games: Numba compiles the source of the reference algorithms
together with the game's methods."""
