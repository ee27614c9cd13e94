"""Pseudocode: each algorithm in some ten lines, as it stands in textbooks."""
