"""Proofs about the numbers of a family of heuristics, by branch and bound over cones of weights.

`plyscope.houses` describes the dictionary. The method and its results are in docs/optima.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

PROOFS = {
    "optimum": "plyscope_optima.conflict:optimum_with_evidence",
    "unbeaten": "plyscope_optima.unbeaten:unbeaten",
    "games-lost": "plyscope_optima.optimum:games_lost_by",
    "conflicts": "plyscope_optima.conflict:conflicts",
}
__all__ = ["Conflicts", "conflicts"]

if TYPE_CHECKING:  # the same names for type checkers
    from plyscope_optima.conflict import Conflicts as Conflicts
    from plyscope_optima.conflict import conflicts as conflicts
else:

    def __getattr__(name: str) -> Any:
        """Import a public name on first use: it needs NumPy."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        from plyscope_optima import conflict

        return getattr(conflict, name)
