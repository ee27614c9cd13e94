"""What positions, results and trees look like in a notebook; their plain text is what `repr`
gives."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from plyscope.display import html
from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Explanation
from plyscope.faces.diagrams.board import board_svg
from plyscope.lab.certify import Certificate
from plyscope.rules.linegame import Position
from plyscope.rules.tree import ExplicitTree
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.driver import Trace
from plyscope.searching.result import SearchResult, line_text
from plyscope.searching.score import format_score

__all__ = [
    "certificate_html",
    "explanation_html",
    "position_html",
    "result_html",
    "trace_html",
    "tree_html",
]


@html.register
def position_html(position: Position) -> str:
    """Return the board, and whose move it is."""
    if position.is_over:
        said = "a draw" if position.winner is None else f"{'XO'[position.winner]} has won"
    else:
        said = f"{'XO'[position.side]} to move"
    return f"<figure style='margin:0'>{board_svg(position)}<figcaption>{escape(position.game.name)}: {said}</figcaption></figure>"


@html.register
def result_html(result: SearchResult) -> str:
    """Return the board with every move's value on it, and the table of the moves."""
    scoring = result.conventions.scoring
    board = ""
    if isinstance(result.position, Position):
        values = {
            item.move: format_score(item.value, scoring)
            for item in result.moves
            if item.value is not None
        }
        board = board_svg(
            result.position, {move: text for move, text in values.items() if len(text) < 7}
        )
    rows = [
        [
            item.text + (" ←" if item.move in result.best_moves else ""),
            "" if item.bound is None else f"{item.bound.sign} {format_score(item.value, scoring)}",
            "–" if item.evaluation is None else str(item.evaluation),
            f"{item.nodes:,}",
            f"{item.leaves:,}",
            f"{item.cutoffs:,}",
        ]
        for item in result.moves
    ]
    summary = (
        f"value {result.bound.sign} {format_score(result.value, scoring)}, best line {' '.join(line_text(result.position, result.pv))}; "
        f"{result.nodes:,} nodes, {result.leaves:,} leaves, {result.cutoffs:,} cutoffs, depth {result.depth}"
        f"{' (complete)' if result.complete else ''}, {result.seconds:.3f} s"
    )
    caption = f"{result.algorithm}, {result.heuristic}: {result.conventions.describe(ALGORITHMS[result.algorithm].takes)}"
    table = _table(("move", "value", "opinion", "nodes", "leaves", "cutoffs"), rows)
    return (
        f"<div>{board}{table}<p>{escape(summary)}</p><p><small>{escape(caption)}</small></p></div>"
    )


@html.register
def trace_html(trace: Trace) -> str:
    """Return the drawn tree with a sentence for every cutoff, or the result alone when the tree is
    too large to draw."""
    from plyscope.faces.diagrams.picture import draw_tree, sentences
    from plyscope.faces.diagrams.svg import tree_svg

    try:
        drawing = tree_svg(draw_tree(trace))
    except OptionError as error:
        return f"<p>{escape(str(error))}</p>{result_html(trace.result)}"
    told = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences(trace))
    return f"<div style='overflow-x:auto'>{drawing}<ul>{told}</ul></div>"


@html.register
def tree_html(tree: ExplicitTree) -> str:
    """Return the tree with the value of every node, as minimax finds them."""
    from plyscope.searching.driver import trace

    return trace_html(trace(tree, "minimax"))


@html.register
def explanation_html(explanation: Explanation) -> str:
    """Return the lines that count, and their sum."""
    rows = [
        ["–".join(s.cells), s.kind, *map(str, (s.mine, s.theirs, s.table, s.weight, s.value))]
        for s in explanation.lines or ()
        if s.value
    ]
    heading = f"{explanation.heuristic} for {'XO'[explanation.side]}: {explanation.total}"
    return f"<div><p><b>{escape(heading)}</b></p>{_table(('line', 'kind', 'mine', 'theirs', 'value', '× weight', '='), rows)}</div>"


@html.register
def certificate_html(certificate: Certificate) -> str:
    """Return the counts of every line of play, and the losing line where there is one."""
    rows = [
        [
            side.agent_side.upper(),
            *(f"{count:,}" for count in (side.wins, side.draws, side.losses, side.positions)),
        ]
        for side in certificate.sides
    ]
    heading = f"{certificate.agent} on {certificate.game}: {certificate.answer}"
    return f"<div><p><b>{escape(heading)}</b></p>{_table(('plays', 'wins', 'draws', 'losses', 'positions'), rows)}</div>"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    def row(cells: Iterable[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"

    return f"<table><thead>{row(head, 'th')}</thead><tbody>{''.join(row(cells, 'td') for cells in rows)}</tbody></table>"
