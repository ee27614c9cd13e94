"""Proofs about the numbers of a family of heuristics, by branch and bound over cones of weights.

`plyscope.houses` describes the dictionary. The method and its results are in docs/optima.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyscope.houses import public

PROOFS = {
    "optimum": "plyscope_optima.conflict:optimum_with_evidence",
    "unbeaten": "plyscope_optima.unbeaten:unbeaten",
    "games-lost": "plyscope_optima.optimum:games_lost_by",
    "conflicts": "plyscope_optima.conflict:conflicts",
}

_MODULE_OF = {"Conflicts": "conflict", "conflicts": "conflict"}
"""The public names, each with its module."""
__all__ = sorted(_MODULE_OF)

if TYPE_CHECKING:  # the same names for type checkers
    from plyscope_optima.conflict import Conflicts as Conflicts
    from plyscope_optima.conflict import conflicts as conflicts
else:
    __getattr__ = public(__name__, _MODULE_OF)
