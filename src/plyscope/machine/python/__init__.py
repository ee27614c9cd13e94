"""People's Python, compiled: their heuristics, and the methods of their games."""
