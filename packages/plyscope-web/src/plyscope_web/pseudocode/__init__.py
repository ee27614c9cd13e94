"""Pseudocode: each algorithm in about ten lines, as in textbooks."""
