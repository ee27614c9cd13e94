"""Positions, results and trees in a notebook."""
