"""The twin of `reference/negamax`: that of minimax, whose values and counts it has."""

from plyscope.searching.compiled.minimax import ENTRIES, search

__all__ = ["ENTRIES", "search"]
