"""Results and costs of searches: `analyze`, `compare`, `tree`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from plyscope.display import times
from plyscope.faces.diagrams.values import CellValue, losses_text, proved_value, shown_values
from plyscope.faces.findings.section import Figure, Section
from plyscope.faces.wording import (
    bounded,
    conventions_text,
    counts_text,
    headed,
    number,
    side_name,
    spoken_line,
)
from plyscope.rules.game import spoken
from plyscope.rules.tree import ExplicitTree
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.result import RootMove, SearchResult
from plyscope.searching.score import MAX_EVALUATION, WIN, Bound, format_score

if TYPE_CHECKING:
    from plyscope.faces.diagrams.diff import TreeDiff
    from plyscope.searching.compare import Comparison

COUNTS = ("nodes", "leaves", "cutoffs")
NOT_COMPILED = "cannot be compiled", "compiling needs"
"""Parts of the reasons for the reference form that are printed."""
MAX_LISTED_MOVES, SHORT_LIST_MOVES = 40, 20
"""A terminal shows the best SHORT_LIST_MOVES by default if there are more than MAX_LISTED_MOVES."""
WIDE_COLUMNS = 106
"""The width of a comparison with all columns."""
MAX_BEST_MOVES = 4
"""The most best moves listed in a comparison."""
HALF_WON = 4, 60
"""The bounds of the value that is drawn as half a win."""
MAX_RATIO = 100
"""The largest ratio of values that is drawn as bars."""
MAX_DIFFERENCES = 60
STOPPED = {
    "seconds": "it reached the time limit",
    "nodes": "it reached the node limit",
    "interrupted": "it was interrupted",
    "memory": "its table has no room left",
}


def search_section(
    shared: SearchResult,
    separate: SearchResult | None = None,
    minimax: SearchResult | None = None,
    top: int | None = None,
) -> Section:
    """Return the value of a position, and the value and counts of each move.

    The values come from the search with `separate` windows or from `minimax`, if given, whose nodes
    are listed too. `top` limits the list to the best moves.
    """
    position = shared.position
    if not shared.moves:
        value = format_score(shared.value, shared.conventions.scoring)
        over = f"the game is over: {shared.heuristic} gives {value} {_view(shared)}"
        return Section(1, "", (over,), about=Figure(position, ""))
    if shared.algorithm == "minimax":
        minimax = None
    exact, counted = separate or minimax or shared, separate or shared
    moves = exact.moves if top is None else _by_value(exact)[:top]
    game, costs = exact.game, {item.move: item for item in counted.moves}
    of_minimax = {} if minimax is None else {item.move: (item.nodes,) for item in minimax.moves}
    has_columns = spoken(game, moves[0].text) != moves[0].text
    places = {
        item.move: (item.text if has_columns else f"{item.row}, {item.column}",)
        for item in exact.moves
        if item.row is not None
    }
    values = {item.move: _value(item, exact) for item in moves}
    rows = tuple(
        (
            spoken(game, item.text),
            *places.get(item.move, ()),
            values[item.move],
            *map(number, (item.evaluation, *of_minimax.get(item.move, ()))),
            *(number(getattr(costs[item.move], name)) for name in COUNTS),
        )
        for item in moves
    )
    sums = [sum(count for (count,) in of_minimax.values())] if of_minimax else []
    sums += [sum(getattr(item, name) for item in counted.moves) for name in COUNTS]
    value, *notes = _summary(shared, separate, minimax)
    if len(moves) < len(exact.moves):
        best = "the best" if top == 1 else f"the {top} best"
        notes.append(f"{best} of {len(exact.moves)} moves by value (--top)")
    known = {item.move: it for item in exact.moves if (it := _best_known(item, exact))}
    place = ("cell" if has_columns else "row, column",) if places else ()
    of_others = ("minimax nodes",) if of_minimax else ()
    mover = mover_of(position)
    return Section(
        1,
        value,
        (f"{mover} to move", f"{shared.algorithm}, {shared.heuristic}"),
        (
            "move",
            *place,
            "value",
            "heuristic",
            *of_others,
            f"{counted.algorithm} nodes",
            *COUNTS[1:],
        ),
        rows,
        best=frozenset(at for at, item in enumerate(moves) if item.move in exact.best_moves),
        sums=(("sum", *[""] * (3 if places else 2), *map(number, sums)),),
        bars=_bars(moves),
        hollow=frozenset(at for at, item in enumerate(moves) if item.bound is not Bound.EXACT),
        notes=tuple(notes),
        about=Figure(
            position,
            "",
            values=shown_values(known, position),
            legend=losses_text(known, len(exact.moves)),
        ),
    )


def mover_of(position: Any) -> str:
    """Return who is to move: MAX, MIN or chance in a tree, else the side's name."""
    if isinstance(position.game, ExplicitTree):
        return ("MAX", "MIN", "chance")[position.side]
    return side_name(position.side)


def _view(result: SearchResult) -> str:
    """Return in whose view the value is."""
    is_own = result.request.view == result.position.side
    return "for the side to move" if is_own else "in MAX's view"


def _value(item: RootMove, result: SearchResult) -> str:
    if item.value is None or item.bound is None:
        return "not searched"
    return bounded(item.value, item.bound, result.conventions.scoring)


def _best_known(item: RootMove, result: SearchResult) -> CellValue | None:
    """Return the best known value of a move: by the end of the game, by the search, or by the
    heuristic."""
    value, bound, is_sure = item.value, item.bound, result.conventions.scoring != "heuristic"
    sizes = [abs(each.value) for each in result.moves if each.value is not None]
    sizes = sorted(size for size in sizes if size <= MAX_EVALUATION)
    half = min(HALF_WON[1], max(HALF_WON[0], sizes[len(sizes) // 2] if sizes else 0))
    if value is None or bound is None:
        if item.evaluation is None:
            return None
        share = item.evaluation / (abs(item.evaluation) + half)
        return CellValue(number(item.evaluation), share)
    sign = "" if bound is Bound.EXACT else bound.sign
    if is_sure and abs(value) > MAX_EVALUATION:
        is_proved = bound not in (Bound.ESTIMATE, Bound.UPPER if value > 0 else Bound.LOWER)
        plies = WIN - abs(int(value)) or None
        if is_proved:
            return proved_value(1 if value > 0 else -1, plies, sign)
    elif is_sure and result.complete and not sign:
        return proved_value((value > 0) - (value < 0), None)
    text = bounded(value, bound, result.conventions.scoring)
    return CellValue(text, value / (abs(value) + half), "searched", is_bound=bool(sign))


def _bars(moves: Sequence[RootMove]) -> tuple[tuple[float, ...], ...]:
    """Return the values drawn as bars; none if one is far larger than the others, such as a win."""
    values = [float(item.value or 0) for item in moves]
    sizes = sorted(abs(value) for value in values if value)
    if not sizes or sizes[-1] > MAX_RATIO * sizes[0]:
        return ()
    return tuple((value,) for value in values)


def _by_value(result: SearchResult) -> list[RootMove]:
    """Return the moves of the root, the best first."""
    best = [item.value for item in result.moves if item.move in result.best_moves]
    known = [item.value for item in result.moves if item.value is not None]
    sign = -1 if not best or best[0] == max(known) else 1  # MIN's best is the least
    return sorted(
        result.moves,
        key=lambda item: (
            item.move not in result.best_moves,
            inf if item.value is None else sign * item.value,
        ),
    )


def depths_section(result: SearchResult) -> Section:
    """Return the engine's iterations with their costs, and its best lines if there are several."""
    scoring = result.conventions.scoring
    lines = result.variations if len(result.variations) > 1 else ()
    return Section(
        1,
        "",
        head=("depth", "value", "nodes", "nodes/s", "table", "best line"),
        rows=tuple(
            (
                str(item.depth),
                format_score(item.value, scoring),
                number(item.nodes),
                number(round(item.speed)),
                "–" if item.table is None else f"{item.table:.0%}",
                spoken_line(result.position, item.pv),
            )
            for item in result.depths
        ),
        names=0,
        left=("best line",),
        cut=("best line",),
        sums=tuple(
            (
                f"line {place}",
                format_score(line.value, scoring),
                *("", "", ""),
                spoken_line(result.position, line.pv),
            )
            for place, line in enumerate(lines, 1)
        ),
    )


def _summary(
    shared: SearchResult, separate: SearchResult | None, minimax: SearchResult | None
) -> list[str]:
    """Return the value, the cost and the conventions of the search, one line each."""
    exact = separate or shared
    named = (item.text for item in exact.moves if item.move in exact.best_moves)
    best = ", ".join(spoken(shared.game, name) for name in named)
    pv = spoken_line(shared.position, shared.pv)
    value = bounded(shared.value, shared.bound, shared.conventions.scoring)
    reach = "to the end" if shared.complete else f"to depth {shared.depth}"
    fewer, note = "", ""
    if minimax is not None:
        share = 1 - shared.nodes / minimax.nodes
        fewer = f"; minimax {times(minimax.nodes, 'node')} ({share:.0%} fewer)"
        note = "; the values in the table are minimax's"
    if separate is not None:
        note = "; for the table, each move was searched with an open window"
    counts = counts_text(shared.nodes, shared.leaves, shared.cutoffs)
    lines = [
        f"value {value} {_view(shared)}, by {best or 'none yet'}; best line {pv or '–'}",
        f"from the root, {reach}: {shared.algorithm} {counts}{fewer}",
    ]
    if shared.pruned is not None:
        lines.append(f"in the tree: {shared.pruned}")
    if shared.branching is not None:
        lines.append(
            f"effective branching factor {shared.branching:.2f}{_over_minimal(shared)}; "
            f"{shared.form} form, {shared.seconds:.3f} s"
        )
        if any(each in shared.form_reason for each in NOT_COMPILED):
            lines.append(f"reference form because {shared.form_reason}")
    lines.append(f"conventions: {conventions_text(shared)}{note}")
    if shared.stopped is not None:
        reached = f": the values are those of depth {shared.depth}"
        when = reached if shared.depths else ", before depth 1 was finished"
        lines.append(f"stopped because {STOPPED[shared.stopped]}{when}")
    return lines


def _over_minimal(result: SearchResult) -> str:
    """Return the ratio of the leaves to the minimal tree's, empty if there is none."""
    if result.minimal_ratio is None:
        return ""
    ratio = f"{result.minimal_ratio:.2f} × the leaves of the minimal tree"
    return f", {ratio} ({result.minimal:,})"


def counts_line(result: SearchResult) -> str:
    """Return the cost of the search in one line, and what it pruned of a tree in a second one."""
    value = format_score(result.value, result.conventions.scoring)
    leaves = f"{times(result.leaves, 'leaf')}{_over_minimal(result)}"
    nodes, cutoffs = times(result.nodes, "node"), times(result.cutoffs, "cutoff")
    line = f"{nodes}, {leaves}, {cutoffs}; value {value}"
    if result.pruned is None:
        return line
    return f"{line}\nin the tree: {result.pruned}"


def compared_section(comparison: Comparison) -> Section:
    """Return all algorithms side by side, 80 columns wide."""
    return comparison_section(comparison.results, 80)


def comparison_section(results: Sequence[SearchResult], width: int = WIDE_COLUMNS) -> Section:
    """Return all algorithms side by side, with the ratio to minimax at the same depth; if `width`
    is below WIDE_COLUMNS, with fewer columns."""
    first = results[0]
    mover = mover_of(first.position)
    counts, rest = (COUNTS, ("seconds",)) if width >= WIDE_COLUMNS else (("nodes", "cutoffs"), ())
    beside = _same_depth_minimax(results)
    rows = []
    for result in results:
        minimax = beside.get(result.algorithm)
        rows.append(
            (
                result.algorithm,
                format_score(result.value, result.conventions.scoring),
                _best_of(result, MAX_BEST_MOVES if width >= WIDE_COLUMNS else 1),
                *(number(getattr(result, name)) for name in counts),
                f"{result.nodes / minimax.nodes:.3f}" if minimax else "–",
                f"{result.depth}{f' ({result.stopped})' if result.stopped else ''}",
                *(f"{result.seconds:.3f}" for _ in rest),
            )
        )
    widest = max(results, key=lambda result: len(ALGORITHMS[result.algorithm].takes))
    conventions = f"conventions (where the algorithm has them): {conventions_text(widest)}"
    return Section(
        1,
        "",
        (headed(first.position, f"{mover} to move   {first.heuristic}"),),
        ("algorithm", "value", "best", *counts, "÷ minimax", "depth", *rest),
        tuple(rows),
        left=("best",),
        notes=(*_values_line(results, beside), conventions),
    )


def _best_of(result: SearchResult, most: int) -> str:
    """Return the best moves and the number of those not listed."""
    moves = result.best_moves
    best = ", ".join(spoken_line(result.position, (move,)) for move in moves[:most])
    return f"{best} +{len(moves) - most}" if len(moves) > most else best


def _same_depth_minimax(results: Sequence[SearchResult]) -> dict[str, SearchResult]:
    """Return minimax's result for each algorithm that finished the same depth."""
    minimax = next((result for result in results if result.algorithm == "minimax"), None)
    if minimax is None or minimax.stopped:
        return {}
    same = (each for each in results if each.depth == minimax.depth and not each.stopped)
    return {each.algorithm: minimax for each in same}


def _values_line(results: Sequence[SearchResult], beside: dict[str, SearchResult]) -> Iterator[str]:
    """Yield sentences that group the algorithms: with minimax's value, an estimate, or a different
    value."""
    kinds: dict[str, list[str]] = {}
    for result in results:
        minimax = beside.get(result.algorithm)
        if minimax is None or result is minimax:
            continue
        kind = "an estimate" if result.bound is Bound.ESTIMATE else "the value of minimax"
        if kind == "the value of minimax" and result.value != minimax.value:
            kind = "a value that DIFFERS from minimax's"
        kinds.setdefault(kind, []).append(result.algorithm)
    if kinds:
        yield "; ".join(f"{kind}: {', '.join(names)}" for kind, names in kinds.items())


def difference_sections(diff: TreeDiff) -> Iterator[Section]:
    """Yield two searches side by side and the nodes where they differ."""
    yield Section(1, "", (f"first:  {diff.first}", f"second: {diff.second}"))
    counts = (*diff.counts.items(), ("value", diff.values))
    rows = tuple((name, *map(number, pair)) for name, pair in counts)
    yield Section(1, "", head=("", "first", "second"), rows=rows)
    if not diff.differences:
        yield Section(1, "", ("no node differs",))
        return
    differing = len(diff.differences)
    rest = differing - MAX_DIFFERENCES
    yield Section(
        1,
        "",
        (f"{times(differing, 'node')} {'differs' if differing == 1 else 'differ'}",),
        ("node", "first", "second"),
        tuple((item.name, item.first, item.second) for item in diff.differences[:MAX_DIFFERENCES]),
        names=3,
        notes=(f"and {rest:,} more",) if rest > 0 else (),
    )
