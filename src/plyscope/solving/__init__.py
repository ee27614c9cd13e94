"""Solving: exact values of positions, with proofs that others can check."""
