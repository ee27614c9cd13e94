"""The endpoints that show a search step by step and compare two searches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from plyscope.display import times
from plyscope.errors import OptionError
from plyscope.faces.diagrams.builders import builder_of, draw_tree
from plyscope.faces.diagrams.diff import MAX_COMPARED, compare_traces
from plyscope.faces.diagrams.narration import narrate, sentences
from plyscope.faces.diagrams.picture import Path, PictureNode, TreePicture, short_score
from plyscope.faces.diagrams.smallboard import small_drawing
from plyscope.faces.wording import bounded, dotted
from plyscope.jsonable import by_name, jsonable
from plyscope.rules.linegame import LineGame
from plyscope.rules.tree import ExplicitTree, TreePosition
from plyscope.rules.treetext import exact_value
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.conventions import CHOICES
from plyscope.searching.events import Cutoff, Enter, Event, Iteration, Leaf
from plyscope.searching.limit import SearchStopped
from plyscope.searching.places import Place, located
from plyscope.searching.result import SearchResult, line_text
from plyscope.searching.score import INFINITY, Bound
from plyscope.searching.search import search
from plyscope.searching.trace import Trace
from plyscope_web.endpoints import Tell
from plyscope_web.endpoints.inputs import check_tree, heuristic_of, subject_of
from plyscope_web.pseudocode.catalogue import pseudocode_of
from plyscope_web.pseudocode.code import Pseudocode
from plyscope_web.pseudocode.lines import source_lines
from plyscope_web.requests import (
    MAX_DRAWN,
    ConventionsInput,
    DifferRequest,
    TraceRequest,
)

MAX_STEPS = 50_000
MAX_SECONDS = 10.0
"""The time limit of a search."""
PROGRESS_NODES = 4_096
"""Events between two progress messages."""
MAX_DIFFERENCES = 10_000
POSITION_DEPTH = 2
"""The default depth of a search from a position, in plies."""
UCT_NODES = 400
"""Playouts of a search by playouts."""
COUNTED = (Enter, Leaf, Cutoff)
"""The events that are counted, one for each node, leaf and cutoff."""


class Recorder:
    """Records the events of a search until its tree has `most` nodes, and counts all events.

    Without `is_counting`, the search is stopped at the first event that is not recorded.
    """

    def __init__(self, most: float, is_counting: bool, tell: Tell) -> None:
        self.most, self.is_counting, self.tell = most, is_counting, tell
        self.events: list[Event] = []
        self.places: list[Place] = []
        self.counts: Counter[type[Event]] = Counter()
        self.is_whole = True
        """Whether every event has been recorded."""
        self._drawn: set[Path] = set()
        self._number = 0
        self._began = perf_counter()

    def __call__(self, event: Event, place: Place) -> None:
        """Record or count an event; raise SearchStopped at a limit of nodes or time."""
        self._number += 1
        if self._number % PROGRESS_NODES == 0:
            self.tell({"text": f"{times(self.counts[Enter], 'node')} searched so far"})
            if perf_counter() - self._began > MAX_SECONDS:
                raise SearchStopped("seconds")
        if self.is_whole and not self._fits(event):
            self.is_whole = False
            if not self.is_counting:
                raise SearchStopped("nodes")
        if self.is_whole:
            self.events.append(event)
            self.places.append(place)
        self.counts[type(event)] += 1

    def _fits(self, event: Event) -> bool:
        """Return whether an event's nodes fit into the drawing; if so, count them as drawn."""
        drawn = {event.path} if isinstance(event, Enter) else set()
        if isinstance(event, Cutoff):
            drawn = {(*event.path, move) for move in event.skipped}
        new = drawn - self._drawn
        if len(self._drawn) + len(new) > self.most or len(self.events) >= MAX_STEPS:
            return False
        self._drawn |= new
        return True


def trace(request: TraceRequest, tell: Tell) -> dict[str, Any]:
    """Return the tree of a search, its steps, and the algorithm's source code."""
    traced, recorder = _search(request, request.algorithm, request.conventions, tell)
    result = traced.result
    picture = draw_tree(traced, most=MAX_DRAWN, whole=True)
    numbers = {node.path: number for number, node in enumerate(picture.root.walk())}
    places = list(dict.fromkeys(traced.places))
    home = getattr(ALGORITHMS[request.algorithm].reference, "__module__", "")
    cuts = {at: each for at, each in enumerate(traced.events, 1) if isinstance(each, Cutoff)}
    code = pseudocode_of(request.algorithm, result.conventions)
    is_comparable = recorder.is_whole and not ALGORITHMS[request.algorithm].counts_playouts
    steps = list(_steps(traced, picture, numbers, code))
    for step, place in zip(steps, traced.places, strict=True):
        step["at"] = places.index(place)
    return {
        "caption": picture.caption,
        "value": result.value,
        "text": picture.score_text(picture.root),
        "nodes": _nodes(picture, result.game, numbers, recorder.is_whole),
        "steps": steps,
        "places": [list(place) for place in places],
        "code": source_lines([home, *sorted({place.module for place in traced.places})]),
        "pseudocode": list(code.lines),
        "remark": code.remark,
        "cuts": code.cuts,
        "found": _found(result, recorder.is_whole),
        "pruned": None if result.pruned is None else f"In the tree: {result.pruned}",
        "sentences": list(zip(cuts, sentences(traced), strict=True)),
        "idle": [step for step, event in cuts.items() if not event.skipped],
        "passes": [
            [number, step["say"]]
            for number, (step, event) in enumerate(zip(steps, traced.events, strict=True), 1)
            if isinstance(event, Iteration)
        ],
        "leaves": result.leaves,
        "minimal": result.minimal if is_comparable else None,
        "given": isinstance(result.game, ExplicitTree),
        "drawing": (
            by_name(small_drawing(result.game)) if isinstance(result.game, LineGame) else None
        ),
        "whole": recorder.is_whole,
        "left": _left_out(traced, recorder),
    }


def differ(request: DifferRequest, tell: Tell) -> dict[str, Any]:
    """Return the nodes at which two searches differ, and the first step at which they differ."""
    second = request.second
    traces = [
        _search(request, algorithm, conventions, tell, MAX_COMPARED)
        for algorithm, conventions in (
            (request.algorithm, request.conventions),
            (second.algorithm, second.conventions),
        )
    ]
    for traced, recorder in traces:
        if not recorder.is_whole:
            raise OptionError(
                f"{traced.result.algorithm} visits more than {recorder.counts[Enter]:,} nodes; "
                "expected a smaller depth for a comparison"
            )
    one, other = (traced for traced, _ in traces)
    diff = compare_traces(one, other)
    pairs = enumerate(zip(one.events, other.events, strict=False))
    parting = next((number for number, (left, right) in pairs if left != right), None)
    return {
        **by_name(diff, "first", "second", "counts", "values"),
        "count": len(diff.differences),
        "differences": [
            {**by_name(found, "name", "first", "second"), "path": dotted(found.path)}
            for found in diff.differences[:MAX_DIFFERENCES]
        ],
        "parting": parting,
    }


def _search(
    request: TraceRequest,
    algorithm: str,
    conventions: ConventionsInput,
    tell: Tell,
    most: int | None = None,
) -> tuple[Trace, Recorder]:
    """Return the trace with the recorded events, and the recorder that counted all events.

    Without `most`, an explicit tree is recorded up to MAX_DRAWN nodes and another one up to the
    request's limit. With `most`, the search stops after `most` nodes.
    """
    if ALGORITHMS[algorithm].is_engine:
        raise OptionError(f"algorithm {algorithm!r} reports no events; expected another one")
    position = subject_of(request.position)
    check_tree(position.game, MAX_DRAWN)
    options: dict[str, Any] = {name: getattr(conventions, name) for name in (*CHOICES, "seed")}
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
    is_drawn_whole = isinstance(position, TreePosition) and most is None
    drawn = MAX_DRAWN if is_drawn_whole else request.most if most is None else most
    recorder = Recorder(drawn, most is None, tell)
    result = search(position, algorithm, heuristic, watch=located(recorder), **options)
    return Trace(result, tuple(recorder.events), tuple(recorder.places)), recorder


def _nodes(
    picture: TreePicture, game: Any, numbers: dict[Path, int], is_whole: bool
) -> list[dict[str, Any]]:
    """Return the drawn nodes with the index of their parent, and the values of an explicit tree."""
    is_written = isinstance(game, ExplicitTree)
    nodes = []
    for node in picture.root.walk():
        path, board = node.path, picture.board(node)
        nodes.append(
            {
                "name": node.name,
                "max": node.is_max,
                "leaf": node.is_leaf,
                "mean": node.is_mean,
                "ply": len(path),
                "path": dotted(path),
                "pv": node.is_on_pv and is_whole,
                "parent": numbers[path[:-1]] if path else None,
                "value": jsonable(_written(game, path)) if is_written else None,
                "board": board and board.as_dict(),
            }
        )
    return nodes


def _written(game: ExplicitTree, path: Path) -> float | None:
    """Return the value that is written on a node, None without one."""
    value = TreePosition(game, path).node.value
    return None if value is None else exact_value(value)


def _steps(
    traced: Trace, picture: TreePicture, numbers: dict[Path, int], code: Pseudocode
) -> Iterator[dict[str, Any]]:
    """Yield each step: its sentence, its line of pseudocode, the changed nodes and the counts."""
    builder = builder_of(traced.result)
    at = 0
    for event, text in zip(traced.events, narrate(traced), strict=True):
        changed = builder.follow(event)
        at = numbers.get(event.path, at)  # a playout may end below the drawn tree
        yield {
            "kind": event.kind,
            "node": at,
            "say": builder.describe(event) or text,
            "line": code.line(event.kind, builder.which(event)),
            "changes": [[numbers[node.path], _look(picture, node)] for node in changed],
            "counts": [builder.counts[kind] for kind in COUNTED],
        }


def _look(picture: TreePicture, node: PictureNode) -> dict[str, Any]:
    """Return the state of a node that the drawing shows, without empty fields."""
    look = {
        "window": picture.window_text(node),
        "score": picture.score_text(node),
        "visits": node.visits,
        "note": node.note,
        "cut": node.is_cut,
        "hit": node.is_table_hit,
    }
    return {name: value for name, value in look.items() if value}


def _found(result: SearchResult, is_whole: bool) -> str:
    """Return the sentence of the last step, about the result of the search."""
    found = _result_text(result)
    if result.stopped == "seconds":
        return "The search was stopped before it found a value"
    if found and not is_whole:
        return f"The drawing ends here; the whole search found that {found}"
    return f"The{found.removeprefix('the')}" if found.startswith("the ") else found


def _result_text(result: SearchResult) -> str:
    """Return a clause with the result of the search for its best move, or for the root."""
    value = bounded(result.value, result.bound, result.conventions.scoring)
    move = line_text(result.position, result.pv[:1])[0] if result.pv else ""
    if ALGORITHMS[result.algorithm].counts_playouts:
        mean = short_score(result.value, result.conventions.scoring)
        return f"{move}, the move most visited, is worth ≈ {mean} on average" if move else ""
    if not ALGORITHMS[result.algorithm].is_exact:
        return f"{move} is chosen, with the score {value}" if move else ""
    if move and result.bound is Bound.EXACT:
        return f"{move} is best: the root is worth {value}"
    return f"the root is worth {value}"


def _left_out(traced: Trace, recorder: Recorder) -> str:
    """Return a sentence about the events that are not shown, empty if all are shown."""
    if recorder.is_whole:
        return ""
    shown = Counter(map(type, traced.events))
    nodes, leaves, cutoffs = (recorder.counts[kind] - shown[kind] for kind in COUNTED)
    is_stopped = traced.result.stopped is not None
    more = "more than " if is_stopped else ""
    reason = f"; the search was stopped after {MAX_SECONDS:.0f} seconds" if is_stopped else ""
    return (
        f"{shown[Enter]:,} of {more}{recorder.counts[Enter]:,} nodes are shown; left out are "
        f"{times(nodes, 'node')}, {times(leaves, 'leaf')} and "
        f"{times(cutoffs, 'cutoff')}{reason}"
    )
