"""Tuning: the numbers of a heuristic fitted to exact values, and whether that made it better."""
