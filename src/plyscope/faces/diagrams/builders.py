"""What follows the events of each algorithm, and draws its tree."""

from __future__ import annotations

from plyscope.faces.diagrams.accumulating import AccumulatingTree
from plyscope.faces.diagrams.picture import TreeBuilder
from plyscope.faces.diagrams.playouts import PlayoutTree
from plyscope.faces.diagrams.proofs import ProofTree, TableProofTree
from plyscope.faces.diagrams.windowless import MeritTree, PlainTree
from plyscope.searching.result import SearchResult

BUILDERS = {
    "minimax": PlainTree,
    "negamax": PlainTree,
    "sss": MeritTree,
    "pn": ProofTree,
    "dfpn": TableProofTree,
    "uct": PlayoutTree,
    "accumulating": AccumulatingTree,
}
"""By the algorithms that know something else of a node than a window and a score."""


def builder_of(result: SearchResult) -> TreeBuilder:
    """Return a new builder for the tree of a search."""
    return BUILDERS.get(result.algorithm, TreeBuilder)(result)
