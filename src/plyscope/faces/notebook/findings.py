"""HTML of positions, trees and results for notebooks."""

from __future__ import annotations

from functools import singledispatch
from html import escape
from typing import Any

from plyscope.errors import OptionError
from plyscope.faces.diagrams.builders import draw_tree
from plyscope.faces.diagrams.narration import sentences
from plyscope.faces.diagrams.picture import TreePicture
from plyscope.faces.diagrams.svg import tree_svg
from plyscope.faces.findings.results import sections_of
from plyscope.faces.findings.searches import search_section
from plyscope.faces.findings.section import Figure, Section
from plyscope.faces.notebook.parts import (
    BESIDE_TABLE_PX,
    SINGLE_BOARD_PX,
    SMALL_BOARD_PX,
    SUBHEAD,
    bars_of,
    beside,
    board,
    drawing,
    face,
    figure,
    notes,
    paragraph,
    shares,
    table,
)
from plyscope.faces.report.charts import by_itself
from plyscope.faces.wording import standing
from plyscope.rules.game import GamePosition
from plyscope.rules.position import Position
from plyscope.rules.tree import ExplicitTree
from plyscope.searching.conventions import OPEN_WINDOW
from plyscope.searching.trace import Trace


@singledispatch
def html(result: Any) -> str:
    """Return the sections of a result: conclusion, tables next to a board, notes and figures."""
    parts, heading = [], ""
    for at, section in enumerate(sections_of(result)):
        title, *words = filter(None, (section.heading, *section.words))
        heading = heading or title
        parts += [paragraph(title, SUBHEAD)] if at else []
        parts += map(paragraph, words)
        if section.picture:
            parts.append(drawing(by_itself(section.picture)))
        elif section.drawing:
            parts.append(f"<pre>{escape(section.drawing)}</pre>")
        about, said = section.about, [*section.notes]
        drawn = "" if about is None else _figure(about._replace(caption=""), BESIDE_TABLE_PX)
        if about is not None and about.legend and isinstance(about.drawn, Position):
            said.insert(0, about.legend)
        width = SMALL_BOARD_PX if section.head else BESIDE_TABLE_PX
        figures = beside(*(_figure(each, width) for each in section.figures))
        parts += [beside(drawn, _table(section)), notes(said), figures]
    return face(*parts, notes(getattr(result, "notes", ())), heading=heading)


def _table(section: Section) -> str:
    """Return the table of a section, with a star at the best rows."""
    shown = [
        (f"{row[0]} ★" if at in section.best else row[0], *row[1:])
        for at, row in enumerate(section.rows)
        if row
    ]
    if not section.head:
        return ""
    return table(section.head, shown, section.has_words, section.sums, _bars(section))


def _bars(section: Section) -> list[str]:
    """Return the bars next to the rows of a table; none if all values are equal."""
    rows = [
        (row, bar, at in section.hollow)
        for at, (row, bar) in enumerate(zip(section.rows, section.bars, strict=False))
        if row
    ]
    single = [(bar[0], is_hollow) for _, bar, is_hollow in rows if len(bar) == 1]
    values = iter(bars_of([value for value, _ in single], [is_hollow for _, is_hollow in single]))
    drawn = [
        _shares(row, bar) if len(bar) > 1 else next(values, "") if bar else ""
        for row, bar, _ in rows
    ]
    return drawn if any(drawn) else []


def _shares(row: tuple[str, ...], counts: tuple[float, ...]) -> str:
    wins, draws, losses = map(int, counts)
    said = f"{row[0]}: {wins:,} won, {draws:,} drawn, {losses:,} lost"
    return shares((wins, draws, losses), said)


def _figure(shown: Figure, width: float) -> str:
    if isinstance(shown.drawn, Position):
        return board(shown.drawn, shown.values, shown.caption, width)
    return figure(f"<pre>{escape(str(shown.drawn))}</pre>", shown.caption)


@html.register
def position_html(position: Position) -> str:
    """Return the board with the side to move or the result."""
    caption = f"{position.game.name}: {standing(position)}"
    return face(board(position, caption=caption, width=SINGLE_BOARD_PX))


@html.register
def game_position_html(position: GamePosition) -> str:
    """Return the text of the position with the side to move or the result."""
    text = f'<pre style="margin:0;line-height:1.2">{escape(str(position))}</pre>'
    return face(figure(text, f"{position.game.name}: {standing(position)}"))


@html.register
def trace_html(trace: Trace) -> str:
    """Return the drawn tree with a sentence for every cutoff, or the result of a large tree."""
    try:
        drawn = tree_svg(_without_idle_windows(draw_tree(trace)))
    except OptionError as error:
        return f"{face(paragraph(str(error)))}{html(trace.result)}"
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences(trace))
    listed = f"<ul>{items}</ul>" if items else ""
    return face(drawing(drawn), listed, heading=search_section(trace.result).heading)


def _without_idle_windows(picture: TreePicture) -> TreePicture:
    """Return the picture without windows if all of them are open, as in minimax."""
    nodes = list(picture.root.walk())
    if all(node.window in (None, OPEN_WINDOW) for node in nodes):
        for node in nodes:
            node.window = None
    return picture


@html.register
def tree_html(tree: ExplicitTree) -> str:
    """Return the tree with the minimax value of every node."""
    from plyscope.searching.trace import trace

    return trace_html(trace(tree, "minimax"))
