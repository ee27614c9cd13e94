"""The solver that searches line games to their end with the playing engine."""

from __future__ import annotations

from time import perf_counter

from plyscope.searching.limit import NO_LIMIT, SearchStopped
from plyscope.searching.score import MAX_EVALUATION
from plyscope.searching.search import search
from plyscope.solving.accelerated import SEARCH
from plyscope.solving.ask import Ask
from plyscope.solving.verdict import Verdict, ended
from plyscope_fast.machine.memory import table_bytes

TABLE_MEGABYTES = 256
"""The size of the engine's table."""


def solve(ask: Ask) -> Verdict:
    """Return the verdict of a search to the end of the game; raise SearchStopped if it was stopped
    before it proved the value."""
    position, deadline = ask.position, ask.deadline
    if position.is_over:
        return ended(position)
    megabytes = table_bytes(TABLE_MEGABYTES) >> 20
    seconds = None if deadline is None else max(0.0, deadline - perf_counter())
    result = search(
        position,
        "engine",
        "null",
        megabytes=megabytes,
        keep_interrupted=True,
        progress=lambda depth: ask.report(f"depth {depth.depth}, {depth.nodes:,} nodes"),
        seconds=seconds,
        nodes=None if ask.nodes == NO_LIMIT else ask.nodes,
    )
    ask.spent.nodes, ask.spent.megabytes = result.nodes, megabytes
    is_won = abs(result.value) > MAX_EVALUATION
    if result.stopped == "interrupted" and not (is_won and ask.keep_interrupted):
        raise KeyboardInterrupt
    if not (result.complete or is_won):
        raise SearchStopped(result.stopped or "depth")
    return Verdict(
        position=position,
        value=0 if not is_won else 1 if result.value > 0 else -1,
        best_moves=result.best_moves[:1],
        method=SEARCH.name,
        proof=f"principal variation search, {result.depth} plies deep:"
        " every line that affects the value reaches the end of the game",
        nodes=result.nodes,
        seconds=result.seconds,
        megabytes=megabytes,
    )
