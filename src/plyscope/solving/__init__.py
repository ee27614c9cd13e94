"""Solving: the truth about line games, with proofs that others can check."""
