"""Proofs about the numbers of a family of heuristics, by branch and bound over cones of weights.

`plyscope.houses` describes the dictionary. The method and its results are in docs/optima.md.
"""

from plyscope_optima.conflict import Conflicts as Conflicts
from plyscope_optima.conflict import conflicts as conflicts

PROOFS = {
    "optimum": "plyscope_optima.conflict:optimum_with_evidence",
    "unbeaten": "plyscope_optima.unbeaten:unbeaten",
    "games-lost": "plyscope_optima.optimum:games_lost_by",
    "conflicts": "plyscope_optima.conflict:conflicts",
}
