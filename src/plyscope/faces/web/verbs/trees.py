"""Searches step by step, and beside each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plyscope.errors import NotationError, OptionError
from plyscope.faces.diagrams.diff import compare_traces
from plyscope.faces.diagrams.narration import narrate, sentences
from plyscope.faces.diagrams.picture import (
    Path,
    PictureNode,
    TreeBuilder,
    TreePicture,
    draw_tree,
)
from plyscope.faces.web.requests import ConventionsInput, DifferRequest, TraceRequest
from plyscope.faces.web.verbs import Tell
from plyscope.faces.web.verbs.inputs import heuristic_of, subject_of
from plyscope.faces.web.verbs.present import tree_data
from plyscope.jsonable import by_name
from plyscope.rules.tree import ExplicitTree, TreePosition
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.conventions import CHOICES
from plyscope.searching.events import Cutoff, Enter, Leaf
from plyscope.searching.places import source_lines
from plyscope.searching.score import INFINITY
from plyscope.searching.trace import Trace
from plyscope.searching.trace import trace as trace_search

MOST_EVENTS = 20_000
MOST_NODES = 1_000
"""Nodes of a tree that is drawn."""
MOST_DIFFERENCES = 200
POSITION_DEPTH = 2
"""Plies that a position is searched where the request does not say how many."""
UCT_NODES = 400
"""Playouts of a search that is shown step by step."""


def trace(request: TraceRequest, tell: Tell) -> dict[str, Any]:
    """Return the tree, the steps that drew it, and the code that took them."""
    position = subject_of(request.position)
    _check_size(position.game)
    traced = _trace(position, request, request.algorithm, request.conventions)
    picture = draw_tree(traced, most=MOST_NODES, whole=True)
    numbers = {node.path: number for number, node in enumerate(picture.root.walk())}
    result = traced.result
    return {
        "caption": picture.caption,
        "value": result.value,
        "text": picture.score_text(picture.root),
        "nodes": _nodes(picture, position.game, numbers),
        "steps": list(_steps(traced, picture, numbers)),
        "code": _code(request.algorithm, traced),
        "sentences": sentences(traced),
        "leaves": result.leaves,
        "minimal": result.minimal,
        "given": isinstance(position.game, ExplicitTree),
    }


def differ(request: DifferRequest, tell: Tell) -> dict[str, Any]:
    """Return the nodes on which the two searches differ."""
    position, second = subject_of(request.position), request.second
    diff = compare_traces(
        _trace(position, request, request.algorithm, request.conventions),
        _trace(position, request, second.algorithm, second.conventions),
    )
    return by_name(diff, differences=diff.differences[:MOST_DIFFERENCES])


def _trace(
    position: Any, request: TraceRequest, algorithm: str, conventions: ConventionsInput
) -> Trace:
    """Return the search with its events; raise OptionError where they are too many to be shown."""
    if ALGORITHMS[algorithm].is_engine:
        raise OptionError(f"algorithm {algorithm!r} tells no events; expected another one")
    names = (*CHOICES, "seed")
    options: dict[str, Any] = {name: getattr(conventions, name) for name in names}
    low, high = conventions.alpha, conventions.beta
    if low is not None or high is not None:
        options["window"] = (
            -INFINITY if low is None else low,
            INFINITY if high is None else high,
        )
    if ALGORITHMS[algorithm].counts_playouts:
        options["nodes"] = UCT_NODES
    elif isinstance(position, TreePosition):
        options["depth"] = request.depth
    else:
        options["depth"] = request.depth or POSITION_DEPTH
    heuristic = heuristic_of(request.heuristic, position.game)
    return trace_search(position, algorithm, heuristic, most=MOST_EVENTS, **options)


def _check_size(game: Any) -> None:
    """Raise NotationError for an explicit tree that is too large to be drawn."""
    nodes = [game.root] if isinstance(game, ExplicitTree) else []
    for node in nodes:
        nodes.extend(node.children)
    if len(nodes) > MOST_NODES:
        raise NotationError(f"tree of {len(nodes):,} nodes; expected at most {MOST_NODES:,}")


def _nodes(picture: TreePicture, game: Any, numbers: dict[Path, int]) -> list[dict[str, Any]]:
    """Return the drawn nodes, parents by number, with the values written in an explicit tree."""
    is_written = isinstance(game, ExplicitTree)
    nodes = tree_data(picture)
    for drawn in picture.root.walk():
        path, node = drawn.path, nodes[drawn.path]
        node["pv"] = drawn.is_on_pv
        node["parent"] = numbers[path[:-1]] if path else None
        node["value"] = TreePosition(game, path).node.value if is_written else None
        board = picture.board(drawn)
        node["board"] = board and {"rows": board.rows, "grid": board.is_grid, "last": board.last}
    return list(nodes.values())


def _steps(
    traced: Trace, picture: TreePicture, numbers: dict[Path, int]
) -> Iterator[dict[str, Any]]:
    """Yield each step: what it says, the line that took it, how nodes look after it, the counts."""
    builder = TreeBuilder(traced.result)
    steps = zip(traced.events, narrate(traced), traced.places, strict=True)
    for event, text, place in steps:
        changed = builder.follow(event)
        yield {
            "kind": event.kind,
            "node": numbers[event.path],
            "say": text,
            "at": list(place),
            "changes": [[numbers[node.path], _look(picture, node)] for node in changed],
            "counts": [builder.counts[kind] for kind in (Enter, Leaf, Cutoff)],
        }


def _look(picture: TreePicture, node: PictureNode) -> dict[str, Any]:
    """Return how a node looks now."""
    return {
        "window": picture.window_text(node),
        "score": picture.score_text(node),
        "visits": node.visits,
        "cut": node.is_cut,
        "hit": node.is_table_hit,
    }


def _code(algorithm: str, traced: Trace) -> dict[str, Any]:
    """Return the algorithm's own file first, then the others that it went through."""
    home = getattr(ALGORITHMS[algorithm].reference, "__module__", "")
    return source_lines([home, *sorted({place.module for place in traced.places})])
