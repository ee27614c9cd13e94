"""Searches of trees with unknown leaves, such as `[[3,5],[2,x]]`: whether they matter.

A search that does not visit an unknown leaf has the same course whatever its value is. If it visits
one, it is run twice, with all unknown leaves below every other leaf, and above. Every node's value
grows with the values of the leaves, so what both runs prove holds for all values between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from plyscope.errors import OptionError
from plyscope.rules.tree import TreePosition
from plyscope.searching.algorithm import SearchRequest
from plyscope.searching.events import Enter, Event, Leaf, Watcher
from plyscope.searching.result import RootMove, SearchResult
from plyscope.searching.score import INFINITY, WIN, Bound, format_score

Run = Callable[[SearchRequest, Watcher | None], SearchResult]
AT_LEAST = (Bound.EXACT, Bound.LOWER)
AT_MOST = (Bound.EXACT, Bound.UPPER)


def search_unknown(request: SearchRequest, watch: Watcher | None, run: Run) -> SearchResult:
    """Return the result of a search of a tree with unknown leaves, whose `unknown` says whether
    they matter; `run` carries out a request.

    Raises OptionError if the value depends on them.
    """
    position: TreePosition = request.position
    tree, start = position.game, position.path
    is_max = tree.side(position) == request.view
    visited: dict[str, None] = {}
    order_reads = request.conventions.order in ("best", "worst")

    def watcher(event: Event) -> None:
        path = (*start, *event.path)
        if isinstance(event, Leaf) and path in tree.unknown:
            visited[tree.unknown[path]] = None
        elif isinstance(event, Enter) and order_reads:
            children = ((*path, at) for at in range(len(tree.node_at(path).children)))
            visited.update(
                (tree.unknown[child], None) for child in children if child in tree.unknown
            )
        if watch is not None:
            watch(event)

    shown = run(_with_assumption(request, -WIN if is_max else WIN), watcher)
    if not visited:
        below = [name for path, name in tree.unknown.items() if path[: len(start)] == start]
        if not below:
            return shown
        names = _names(below)
        said = f"the search does not visit {names}: the result is the same whatever {names} is"
        return replace(shown, unknown=said)
    other = run(_with_assumption(request, WIN if is_max else -WIN), None)
    low, high = (shown, other) if is_max else (other, shown)
    names = _names(list(visited))
    if shown.stopped or other.stopped:
        raise OptionError(
            f"the search stopped ({shown.stopped or other.stopped}) after it had visited {names}, "
            "whose value is unknown; expected a greater limit, or a number"
        )
    if (low.value, low.bound) != (high.value, high.bound):
        raise OptionError(_dependence(low, high, names))
    moves = tuple(
        _merged(of_low, of_high, is_max)
        for of_low, of_high in zip(low.moves, high.moves, strict=True)
    )
    assumed = "below" if is_max else "above"
    return replace(
        shown,
        moves=moves,
        pv=shown.pv if shown.pv == other.pv else shown.best_moves[:1],
        unknown=f"the value is the same whatever {names} is; nodes, leaves and cutoffs are for "
        f"{names} {assumed} all other values",
    )


def _with_assumption(request: SearchRequest, units: int) -> SearchRequest:
    position: TreePosition = request.position
    tree = replace(position.game, assumed=units)
    return replace(request, game=tree, position=position._replace(game=tree))


def _names(names: list[str]) -> str:
    distinct = list(dict.fromkeys(names))
    if len(distinct) == 1:
        return distinct[0]
    return f"{', '.join(distinct[:-1])} and {distinct[-1]}"


def _dependence(low: SearchResult, high: SearchResult, names: str) -> str:
    """Return the message that the value depends on the unknown leaves, with its ends."""
    least = low.value if low.bound in AT_LEAST else -INFINITY
    greatest = high.value if high.bound in AT_MOST else INFINITY
    ends = [
        f"{word} {format_score(end)}"
        for word, end in (("at least", least), ("at most", greatest))
        if abs(end) < INFINITY
    ]
    within = f": it is {' and '.join(ends)}" if ends else ""
    return (
        f"the value of the tree depends on {names}, which {low.algorithm} visits{within}; "
        "expected a number there"
    )


def _merged(low: RootMove, high: RootMove, is_max: bool) -> RootMove:
    """Return what the results of a root move with low and with high values of the unknown leaves
    prove for all values: its value, or a bound, that of `high` first at a MAX node."""
    shown = low if is_max else high
    if low.evaluation != high.evaluation:
        shown = replace(shown, evaluation=None)
    if (low.value, low.bound) == (high.value, high.bound):
        return shown
    least = low.value if low.bound in AT_LEAST else None
    greatest = high.value if high.bound in AT_MOST else None
    if least is not None and least == greatest:
        return replace(shown, value=least, bound=Bound.EXACT)
    proven: list[tuple[Any, Bound]] = [(greatest, Bound.UPPER), (least, Bound.LOWER)]
    for value, bound in proven if is_max else reversed(proven):
        if value is not None and abs(value) < INFINITY:
            return replace(shown, value=value, bound=bound)
    return replace(shown, value=None, bound=None)
