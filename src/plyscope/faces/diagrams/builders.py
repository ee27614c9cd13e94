"""`draw_tree`: the picture of a search, made from its events by the builder of its algorithm."""

from __future__ import annotations

from plyscope.errors import OptionError
from plyscope.faces.diagrams.accumulating import AccumulatingTree
from plyscope.faces.diagrams.picture import TreeBuilder, TreePicture
from plyscope.faces.diagrams.playouts import PlayoutTree
from plyscope.faces.diagrams.proofs import ProofTree, TableProofTree
from plyscope.faces.diagrams.windowless import MeritTree, PlainTree
from plyscope.faces.wording import conventions_text
from plyscope.searching.events import Cutoff, Enter, Leaf
from plyscope.searching.result import SearchResult
from plyscope.searching.trace import Trace

MAX_DRAWN = 2000
"""The greatest number of nodes of a drawn tree."""

BUILDERS = {
    "minimax": PlainTree,
    "expectimax": PlainTree,
    "negamax": PlainTree,
    "sss": MeritTree,
    "pn": ProofTree,
    "dfpn": TableProofTree,
    "uct": PlayoutTree,
    "accumulating": AccumulatingTree,
}
"""The builders for algorithms whose nodes have other data than a window and a score."""


def builder_of(result: SearchResult) -> TreeBuilder:
    """Return a new builder for the tree of a search."""
    return BUILDERS.get(result.algorithm, TreeBuilder)(result)


def draw_tree(
    trace: Trace,
    step: int | None = None,
    most: int = MAX_DRAWN,
    whole: bool = False,
) -> TreePicture:
    """Return the tree after the first `step` events, by default after all of them.

    With `whole`, all nodes of an explicit tree are drawn, in the order of the tree. Raise
    OptionError if the tree has more than `most` nodes.
    """
    events = trace.events if step is None else trace.events[: max(0, step)]
    builder = builder_of(trace.result)
    if whole:
        builder.write_out()
    for event in events:
        builder.follow(event)
        if len(builder.by_path) > most:
            raise OptionError(f"the tree has more than {most:,} nodes; expected a smaller depth")
    result = trace.result
    if step is None or step >= len(trace.events):
        for end in range(len(result.pv) + 1):
            if result.pv[:end] in builder.by_path:
                builder.by_path[result.pv[:end]].is_on_pv = True
    elif events:
        at = events[-1].path
        while at not in builder.by_path:  # a playout may end below the drawn tree
            at = at[:-1]
        builder.by_path[at].is_current = True
    return TreePicture(
        root=builder.by_path[()],
        caption=f"{result.algorithm}, {result.heuristic}: {conventions_text(result)}",
        scoring=result.conventions.scoring,
        nodes=builder.counts[Enter],
        leaves=builder.counts[Leaf],
        cutoffs=builder.counts[Cutoff],
        game=builder.game,
    )
