"""What a node costs: the processor time of a search of the tuned heuristic, START's being 1.

Equal nodes are not equal time: a table with more terms takes longer for each node. Both heuristics
search the same positions in turn, in one run, so that whatever else the machine does slows both; of
several repetitions the least time counts, of the positions the median.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from time import process_time
from typing import Literal

from plyscope.evaluation.function import FunctionHeuristic
from plyscope.evaluation.heuristic import Heuristic
from plyscope.rules.position import Position
from plyscope.searching.search import search
from plyscope.tuning.result import NodeCost

NODES = {"compiled": 20_000, "reference": 1_000}
"""Nodes of one measured search, by form."""
POSITIONS, REPETITIONS = 6, 3

Form = Literal["compiled", "reference"]


def node_cost(start: Heuristic, tuned: Heuristic, positions: Sequence[Position]) -> NodeCost:
    """Return what a node of `tuned` costs relative to one of `start`, in each form.

    A Python function is measured in the reference form alone.
    """
    is_function = any(isinstance(each, FunctionHeuristic) for each in (start, tuned))
    compiled = None if is_function else measured(start, tuned, positions, "compiled")
    return NodeCost(compiled=compiled, reference=measured(start, tuned, positions, "reference"))


def measured(
    start: Heuristic, tuned: Heuristic, positions: Sequence[Position], form: Form
) -> float:
    """Return the median ratio of processor times for a node, in two digits."""
    ratios = []
    for position in positions[:POSITIONS]:
        least = [float("inf"), float("inf")]
        for _ in range(REPETITIONS):
            for which, heuristic in enumerate((start, tuned)):
                least[which] = min(least[which], _seconds_a_node(position, heuristic, form))
        ratios.append(least[1] / least[0])
    return float(f"{median(ratios):.2g}")


def _seconds_a_node(position: Position, heuristic: Heuristic, form: Form) -> float:
    began = process_time()
    result = search(
        position,
        "iterative-deepening",
        heuristic,
        nodes=NODES[form],
        scoring="result",
        form=form,
    )
    return max(process_time() - began, 1e-9) / result.nodes
