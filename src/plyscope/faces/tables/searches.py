"""What searches found and what they cost: `analyze`, `compare`, `tree`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from plyscope.faces.boards import draw_board
from plyscope.faces.tables import new_table, with_lines
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
from plyscope.rules.position import Position
from plyscope.rules.tree import ExplicitTree
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.result import RootMove, SearchResult
from plyscope.searching.score import Bound, format_score

COUNTS = ("nodes", "leaves", "cutoffs")
MANY, SHOWN = 40, 20
"""Moves beyond which not all are shown unasked, and how many are then."""
WIDE = 106
"""Columns that a comparison takes with all there is to tell."""
MOST_BEST = 4
"""Best moves that are named in a comparison."""
STOPPED = {
    "seconds": "its time was spent",
    "nodes": "its nodes were spent",
    "interrupted": "it was interrupted",
}


def analysis_table(
    shared: SearchResult,
    separate: SearchResult | None,
    minimax: SearchResult | None,
    top: int | None = None,
) -> RenderableType:
    """Return the board, and each move's value and counts beside minimax's nodes.

    The values are those of the `separate` windows or of `minimax` where there was such a search.
    Of many moves, and where `top` says how many, the best stand there by value.
    """
    if not shared.moves:
        value = format_score(shared.value, shared.conventions.scoring)
        over = f"the game is over: {shared.heuristic} gives {value} for the side to move"
        return Group(Text(headed(shared.position, over)), *_board(shared))
    if shared.algorithm == "minimax":
        minimax = None
    exact, counted = separate or minimax or shared, separate or shared
    if top is None and len(exact.moves) > MANY:
        top = SHOWN
    table = _moves_table(exact, counted, minimax, top)
    parts: list[RenderableType] = [Text(_title(shared), style="bold"), *_board(shared), table]
    if top is not None and top < len(exact.moves):
        best = f"the {top} best of {len(exact.moves)} moves by value (--top)"
        parts.append(Text(best, style="dim"))
    if ALGORITHMS[shared.algorithm].is_engine and shared.depths:
        parts.append(depths_table(shared))
    return with_lines(Group(*parts), _summary(shared, separate, minimax))


def _board(result: SearchResult) -> list[RenderableType]:
    """Return the board of a line game's position."""
    position = result.position
    return [draw_board(position)] if isinstance(position, Position) else []


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


def _moves_table(
    exact: SearchResult, counted: SearchResult, minimax: SearchResult | None, top: int | None
) -> Table:
    """Return the moves with the values of `exact`, the counts of `counted` and minimax's nodes; the
    `top` alone where that is given."""
    others = [] if minimax is None else ["minimax nodes"]
    game = exact.game
    has_columns = spoken(game, exact.moves[0].text) != exact.moves[0].text
    place = "cell" if has_columns else "row, column"
    places = {
        item.move: [item.text if has_columns else f"{item.row}, {item.column}"]
        for item in exact.moves
        if item.row is not None
    }
    head = ("move", *([place] if places else []), "value", "opinion", *others)
    table = new_table("", *head, f"{counted.algorithm} nodes", *COUNTS[1:], left=("move",))
    costs = {item.move: item for item in counted.moves}
    of_minimax = {} if minimax is None else {item.move: item.nodes for item in minimax.moves}
    for item in exact.moves if top is None else _by_value(exact)[:top]:
        is_best = item.move in exact.best_moves
        cost = costs[item.move]
        counts = [of_minimax[item.move]] if of_minimax else []
        counts += [getattr(cost, name) for name in COUNTS]
        table.add_row(
            f"{spoken(game, item.text)}{' ←' if is_best else ''}",
            *places.get(item.move, []),
            _value(item, exact),
            *map(number, (item.evaluation, *counts)),
            style="bold" if is_best else "",
        )
    table.add_section()
    sums = [sum(of_minimax.values())] if of_minimax else []
    sums += [sum(getattr(item, name) for item in counted.moves) for name in COUNTS]
    table.add_row("sum", *[""] * (3 if places else 2), *map(number, sums))
    return table


def depths_table(result: SearchResult) -> RenderableType:
    """Return the engine's depths with what they cost, and its best lines where it has several."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("depth", "value", "nodes", "nodes/s", "table"):
        table.add_column(name, justify="right")
    table.add_column("best line", overflow="ellipsis", no_wrap=True)
    scoring = result.conventions.scoring
    for item in result.depths:
        table.add_row(
            str(item.depth),
            format_score(item.value, scoring),
            number(item.nodes),
            number(round(item.speed)),
            "–" if item.table is None else f"{item.table:.0%}",
            spoken_line(result.position, item.pv),
        )
    if len(result.variations) > 1:
        table.add_section()
        for place, line in enumerate(result.variations, 1):
            moves = spoken_line(result.position, line.pv)
            table.add_row(f"line {place}", format_score(line.value, scoring), "", "", "", moves)
    return table


def _title(result: SearchResult) -> str:
    position = result.position
    mover = "MAX" if isinstance(result.game, ExplicitTree) else side_name(position.side)
    return headed(position, f"{mover} to move   {result.algorithm}, {result.heuristic}")


def _value(item: RootMove, result: SearchResult) -> str:
    if item.value is None or item.bound is None:
        return "not searched"
    return bounded(item.value, item.bound, result.conventions.scoring)


def _summary(
    shared: SearchResult, separate: SearchResult | None, minimax: SearchResult | None
) -> list[str]:
    """Return the value, what the search from the root cost, and how it was done, a line each."""
    exact = separate or shared
    named = (item.text for item in exact.moves if item.move in exact.best_moves)
    best = ", ".join(spoken(shared.game, name) for name in named)
    pv = spoken_line(shared.position, shared.pv)
    value = bounded(shared.value, shared.bound, shared.conventions.scoring)
    reach = "to the end" if shared.complete else f"to depth {shared.depth}"
    fewer, note = "", ""
    if minimax is not None:
        share = 1 - shared.nodes / minimax.nodes
        fewer = f"; minimax {minimax.nodes:,} nodes ({share:.0%} fewer)"
        note = "; the values in the table are minimax's"
    if separate is not None:
        note = "; in the table each move has an open window"
    lines = [
        f"value {value} for the side to move, by {best or 'none yet'}; best line {pv or '–'}",
        f"from the root, {reach}: {shared.algorithm} {counts_text(shared)}{fewer}",
    ]
    if shared.branching is not None:
        lines.append(
            f"effective branching factor {shared.branching:.2f}{_over_minimal(shared)}; "
            f"{shared.form} form, {shared.seconds:.3f} s"
        )
        if "cannot be compiled" in shared.form_reason:
            lines.append(f"reference form because {shared.form_reason}")
    lines.append(f"conventions: {conventions_text(shared)}{note}")
    if shared.stopped is not None:
        reached = f": the values are those of depth {shared.depth}"
        when = reached if shared.depths else ", before depth 1 was finished"
        lines.append(f"stopped because {STOPPED[shared.stopped]}{when}")
    return lines


def _over_minimal(result: SearchResult) -> str:
    """Return how the leaves compare with the minimal tree's, nothing where there is none."""
    if result.minimal_ratio is None:
        return ""
    ratio = f"{result.minimal_ratio:.2f} × the leaves of the minimal tree"
    return f", {ratio} ({result.minimal:,})"


def counts_line(result: SearchResult) -> str:
    """Return what the search cost, in a line."""
    value = format_score(result.value, result.conventions.scoring)
    leaves = f"{result.leaves:,} leaves{_over_minimal(result)}"
    return f"{result.nodes:,} nodes, {leaves}, {result.cutoffs:,} cutoffs; value {value}"


def comparison_table(results: Sequence[SearchResult], width: int = WIDE) -> RenderableType:
    """Return all algorithms side by side, beside minimax where it went to the same depth; the
    columns that matter most where `width` is less than WIDE."""
    first = results[0]
    title = f"{_title(first).rpartition(', ')[0].rpartition('   ')[0]}   {first.heuristic}"
    counts, rest = (COUNTS, ("seconds",)) if width >= WIDE else (("nodes", "cutoffs"), ())
    head = ("algorithm", "value", "best", *counts, "÷ minimax", "depth", *rest)
    table = new_table(title, *head, left=("algorithm", "best"))
    beside = _beside_minimax(results)
    for result in results:
        stopped = f" ({result.stopped})" if result.stopped else ""
        minimax = beside.get(result.algorithm)
        table.add_row(
            result.algorithm,
            format_score(result.value, result.conventions.scoring),
            _best_of(result, MOST_BEST if width >= WIDE else 1),
            *(number(getattr(result, name)) for name in counts),
            f"{result.nodes / minimax.nodes:.3f}" if minimax else "–",
            f"{result.depth}{stopped}",
            *(f"{result.seconds:.3f}" for _ in rest),
        )
    widest = max(results, key=lambda result: len(ALGORITHMS[result.algorithm].takes))
    conventions = f"conventions: {conventions_text(widest)}, each where an algorithm takes it"
    return with_lines(table, [*_values_line(results, beside), conventions])


def _best_of(result: SearchResult, most: int) -> str:
    """Return the best moves, and how many more there are."""
    moves = result.best_moves
    best = ", ".join(spoken_line(result.position, (move,)) for move in moves[:most])
    return f"{best} +{len(moves) - most}" if len(moves) > most else best


def _beside_minimax(results: Sequence[SearchResult]) -> dict[str, SearchResult]:
    """Return minimax's result for each algorithm that went, as it did, to the same depth."""
    minimax = next((result for result in results if result.algorithm == "minimax"), None)
    if minimax is None or minimax.stopped:
        return {}
    same = (each for each in results if each.depth == minimax.depth and not each.stopped)
    return {each.algorithm: minimax for each in same}


def _values_line(results: Sequence[SearchResult], beside: dict[str, SearchResult]) -> Iterator[str]:
    """Yield whose value is minimax's, whose is an estimate, and whose is wrong."""
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
