"""The twin of `reference/negamax`: that of minimax, whose values and counts it has."""

from plyscope.searching.compiled.minimax import ENTRIES as ENTRIES
from plyscope.searching.compiled.minimax import search as search
