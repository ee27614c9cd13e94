"""Compilation of users' Python: heuristics, and the methods of user-defined games."""
