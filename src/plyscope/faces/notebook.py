"""What positions, results and trees look like in a notebook; `repr` gives their plain text."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from plyscope.display import html
from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Explanation
from plyscope.faces.diagrams.board import board_svg
from plyscope.faces.wording import (
    TERM_NAMES,
    bounded,
    conventions_text,
    counts_text,
    side_name,
    standing,
)
from plyscope.lab.certify import Certificate
from plyscope.lab.tuning.result import TuningResult
from plyscope.rules.game import GamePosition
from plyscope.rules.position import Position
from plyscope.rules.tree import ExplicitTree
from plyscope.searching.result import SearchResult, line_text
from plyscope.searching.score import format_score
from plyscope.searching.trace import Trace

LABEL_LENGTH = 7
"""Characters from which a value is not written on its cell."""


@html.register
def position_html(position: Position) -> str:
    """Return the board, and whose move it is."""
    caption = escape(f"{position.game.name}: {standing(position)}")
    figure = f"{board_svg(position)}<figcaption>{caption}</figcaption>"
    return f"<figure style='margin:0'>{figure}</figure>"


@html.register
def game_position_html(position: GamePosition) -> str:
    """Return the state's text, and whose move it is."""
    caption = escape(f"{position.game.name}: {standing(position)}")
    board = f"<pre style='margin:0;line-height:1.2'>{escape(str(position))}</pre>"
    return f"<figure style='margin:0'>{board}<figcaption>{caption}</figcaption></figure>"


@html.register
def result_html(result: SearchResult) -> str:
    """Return the board with every move's value on it, and the table of the moves."""
    scoring = result.conventions.scoring
    board = ""
    if isinstance(result.position, Position):
        texts = {
            item.move: bounded(item.value, item.bound, scoring)
            for item in result.moves
            if item.value is not None and item.bound is not None
        }
        labels = {move: text for move, text in texts.items() if len(text) < LABEL_LENGTH}
        board = board_svg(result.position, labels)
    rows = [
        [
            item.text + (" ←" if item.move in result.best_moves else ""),
            "" if item.bound is None else f"{item.bound.sign} {format_score(item.value, scoring)}",
            "–" if item.evaluation is None else str(item.evaluation),
            *(f"{count:,}" for count in (item.nodes, item.leaves, item.cutoffs)),
        ]
        for item in result.moves
    ]
    value = f"{result.bound.sign} {format_score(result.value, scoring)}"
    pv = " ".join(line_text(result.position, result.pv))
    complete = " (complete)" if result.complete else ""
    summary = (
        f"value {value}, best line {pv}; "
        f"{counts_text(result)}, depth {result.depth}{complete}, {result.seconds:.3f} s"
    )
    caption = f"{result.algorithm}, {result.heuristic}: {conventions_text(result)}"
    table = _table(("move", "value", "opinion", "nodes", "leaves", "cutoffs"), rows)
    notes = f"<p>{escape(summary)}</p><p><small>{escape(caption)}</small></p>"
    return f"<div>{board}{table}{notes}</div>"


@html.register
def trace_html(trace: Trace) -> str:
    """Return the drawn tree with a sentence for every cutoff; of a large tree the result alone."""
    from plyscope.faces.diagrams.narration import sentences
    from plyscope.faces.diagrams.picture import draw_tree
    from plyscope.faces.diagrams.svg import tree_svg

    try:
        drawing = tree_svg(draw_tree(trace))
    except OptionError as error:
        return f"<p>{escape(str(error))}</p>{result_html(trace.result)}"
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences(trace))
    return f"<div style='overflow-x:auto'>{drawing}<ul>{items}</ul></div>"


@html.register
def tree_html(tree: ExplicitTree) -> str:
    """Return the tree with the value of every node, as minimax finds them."""
    from plyscope.searching.trace import trace

    return trace_html(trace(tree, "minimax"))


@html.register
def explanation_html(explanation: Explanation) -> str:
    """Return the lines that count, the terms, and their sum."""
    rows = [
        ["–".join(s.cells), s.kind, *map(str, (s.mine, s.theirs, s.table, s.weight, s.value))]
        for s in explanation.lines or ()
        if s.value
    ]
    rows += [
        [what, *[""] * 5, str(value)]
        for term in explanation.terms
        for what, value in (
            (TERM_NAMES.get(term.term, term.term), term.value),
            *((f"– {part.what}", part.value) for part in term.parts),
        )
    ]
    heading = f"{explanation.heuristic} for {side_name(explanation.side)}: {explanation.total}"
    return _headed(heading, ("line", "kind", "mine", "theirs", "value", "× weight", "="), rows)


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
    return _headed(heading, ("plays", "wins", "draws", "losses", "positions"), rows)


@html.register
def tuning_html(result: TuningResult) -> str:
    """Return the card of a tuning: what came of it, and the evidence with its charts."""
    from plyscope.faces.report.charts import GROUND, STYLE, inks
    from plyscope.faces.report.tuning import tuning_sections, tuning_title
    from plyscope.faces.report.write import BOARDS_STYLE, sections_html

    data = result.as_dict()
    style = f"<style>{inks('.chart')}{GROUND}{STYLE}{BOARDS_STYLE}</style>"
    card = sections_html(tuning_sections(data, heading=tuning_title(data), level=2))
    return f"<div>{style}{card}</div>"


def _headed(heading: str, head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    return f"<div><p><b>{escape(heading)}</b></p>{_table(head, rows)}</div>"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    def row(cells: Iterable[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    return f"<table><thead>{row(head, 'th')}</thead><tbody>{body}</tbody></table>"
