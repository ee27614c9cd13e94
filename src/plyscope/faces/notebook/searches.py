"""Positions, results, trees and explanations in a notebook."""

from __future__ import annotations

from html import escape

from plyscope.display import html
from plyscope.errors import OptionError
from plyscope.faces.diagrams.builders import draw_tree
from plyscope.faces.diagrams.picture import TreePicture
from plyscope.faces.notebook.parts import (
    LARGE,
    bars_of,
    beside,
    board,
    drawing,
    face,
    figure,
    notes,
    paragraph,
    table,
)
from plyscope.faces.wording import (
    bounded,
    conventions_text,
    counts_text,
    number,
    standing,
)
from plyscope.rules.game import GamePosition, spoken
from plyscope.rules.position import Position
from plyscope.rules.tree import ExplicitTree
from plyscope.searching.conventions import OPEN_WINDOW
from plyscope.searching.result import RootMove, SearchResult, line_text
from plyscope.searching.score import Bound, format_score
from plyscope.searching.trace import Trace

LABEL_LENGTH = 7
"""Characters from which a value is not written on its cell."""
MOST_RATIO = 100
"""Of the largest to the smallest value, beyond which bars would say nothing."""


@html.register
def position_html(position: Position) -> str:
    """Return the board, and whose move it is."""
    caption = f"{position.game.name}: {standing(position)}"
    return face(board(position, caption=caption, width=LARGE))


@html.register
def game_position_html(position: GamePosition) -> str:
    """Return the state's text, and whose move it is."""
    text = f'<pre style="margin:0;line-height:1.2">{escape(str(position))}</pre>'
    return face(figure(text, f"{position.game.name}: {standing(position)}"))


@html.register
def result_html(result: SearchResult) -> str:
    """Return the board with every move's value on it, and the table of the moves."""
    scoring = result.conventions.scoring
    drawn = ""
    if isinstance(result.position, Position):
        texts = {
            item.move: bounded(item.value, item.bound, scoring)
            for item in result.moves
            if item.value is not None and item.bound is not None
        }
        labels = {move: text for move, text in texts.items() if len(text) < LABEL_LENGTH}
        drawn = board(result.position, labels)
    rows = [
        (
            spoken(result.game, item.text) + (" ★" if item.move in result.best_moves else ""),
            "" if item.bound is None else f"{item.bound.sign} {format_score(item.value, scoring)}",
            number(item.evaluation),
            *map(number, (item.nodes, item.leaves, item.cutoffs)),
        )
        for item in result.moves
    ]
    complete = " (complete)" if result.complete else ""
    line = line_text(result.position, result.pv)
    pv = " ".join(spoken(result.game, name) for name in line)
    cost = f"{counts_text(result)}, depth {result.depth}{complete}, {result.seconds:.3f} s"
    said = [f"best line {pv}", cost, f"{result.heuristic}: {conventions_text(result)}"]
    head = ("move", "value", "opinion", "nodes", "leaves", "cutoffs")
    listed = table(head, rows, bars=_worth_bars(result.moves)) if rows else ""
    return face(beside(drawn, listed), notes([*said, *result.notes]), heading=_value(result))


def _value(result: SearchResult) -> str:
    """Return the algorithm and the value that it found, perhaps only a bound."""
    value = format_score(result.value, result.conventions.scoring)
    return f"{result.algorithm}: value {result.bound.sign} {value}"


def _worth_bars(moves: tuple[RootMove, ...]) -> list[str]:
    """Return bars of the moves' values; none where one is far beyond the others, as wins are."""
    values = [0.0 if item.value is None else float(item.value) for item in moves]
    sizes = sorted(abs(value) for value in values if value)
    if not sizes or sizes[-1] > MOST_RATIO * sizes[0]:
        return []
    return bars_of(values, [item.bound is not Bound.EXACT for item in moves])


@html.register
def trace_html(trace: Trace) -> str:
    """Return the drawn tree with a sentence for every cutoff; of a large tree the result alone."""
    from plyscope.faces.diagrams.narration import sentences
    from plyscope.faces.diagrams.svg import tree_svg

    try:
        drawn = tree_svg(_without_idle_windows(draw_tree(trace)))
    except OptionError as error:
        return f"{face(paragraph(str(error)))}{result_html(trace.result)}"
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences(trace))
    listed = f"<ul>{items}</ul>" if items else ""
    return face(drawing(drawn), listed, heading=_value(trace.result))


def _without_idle_windows(picture: TreePicture) -> TreePicture:
    """Return the picture without windows where none has ever been narrowed, as in minimax."""
    nodes = list(picture.root.walk())
    if all(node.window in (None, OPEN_WINDOW) for node in nodes):
        for node in nodes:
            node.window = None
    return picture


@html.register
def tree_html(tree: ExplicitTree) -> str:
    """Return the tree with the value of every node, as minimax finds them."""
    from plyscope.searching.trace import trace

    return trace_html(trace(tree, "minimax"))
