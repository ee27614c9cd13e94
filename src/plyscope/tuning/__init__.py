"""Tuning: fits the numbers of a heuristic to exact values, and tests whether they are better."""
