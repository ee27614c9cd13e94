"""Sections of results in a notebook: proofs, counts, report cards, matches and tunings."""

from __future__ import annotations

from html import escape
from typing import Any

from plyscope.display import html
from plyscope.faces.findings.results import SECTIONS
from plyscope.faces.findings.section import Figure, Section
from plyscope.faces.findings.tuning import tuning_sections, tuning_title
from plyscope.faces.notebook.parts import (
    BESIDE,
    SMALL,
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
from plyscope.rules.position import Position
from plyscope.tuning.result import TuningResult

SIGNS_SAID = "on the board: +5 wins in 5 plies, = draws, −4 loses in 4"


def finding_html(result: Any) -> str:
    """Return a single result below its conclusion; the positions in which it shows below it."""
    section = SECTIONS[type(result)](result)
    heading, *words = filter(None, (section.heading, *section.words))
    about, said = section.about, [*section.notes, *getattr(result, "notes", ())]
    drawn = "" if about is None else _figure(about._replace(caption=""), BESIDE)
    if about is not None and about.labels and isinstance(about.drawn, Position):
        said.insert(0, SIGNS_SAID)
    return face(
        *map(paragraph, words),
        beside(drawn, _table(section)),
        notes(said),
        beside(*(_figure(each, SMALL) for each in section.figures)),
        heading=heading,
    )


for kind in SECTIONS:
    html.register(kind, finding_html)


@html.register
def tuning_html(result: TuningResult) -> str:
    """Return the card of a tuning: what came of it, and the evidence with its charts."""
    data = result.as_dict()
    title = tuning_title(data)
    parts = []
    for section in tuning_sections(data, heading=title):
        if section.heading != title:
            parts.append(paragraph(section.heading, SUBHEAD))
        parts += map(paragraph, section.words)
        if section.picture:
            parts.append(drawing(by_itself(section.picture)))
        elif section.drawing:
            parts.append(f"<pre>{escape(section.drawing)}</pre>")
        parts.append(beside(*(_figure(each, BESIDE) for each in section.figures)))
        parts.append(_table(section))
    return face(*parts, heading=title)


def _table(section: Section) -> str:
    """Return the table of a section, stars at what is best."""
    shown = [
        (f"{row[0]} ★" if at in section.best else row[0], *row[1:])
        for at, row in enumerate(section.rows)
        if row
    ]
    if not section.head:
        return ""
    return table(section.head, shown, section.names, section.sums, _bars(section))


def _bars(section: Section) -> list[str]:
    """Return the bars beside the rows of a table; none where equal values would have them."""
    rows = [pair for pair in zip(section.rows, section.bars, strict=False) if pair[0]]
    values = iter(bars_of([bar[0] for _, bar in rows if len(bar) == 1]))
    drawn = [
        _shares(row, bar) if len(bar) > 1 else next(values, "") if bar else "" for row, bar in rows
    ]
    return drawn if any(drawn) else []


def _shares(row: tuple[str, ...], counts: tuple[float, ...]) -> str:
    wins, draws, losses = map(int, counts)
    said = f"{row[0]}: {wins:,} won, {draws:,} drawn, {losses:,} lost"
    return shares((wins, draws, losses), said)


def _figure(shown: Figure, width: float) -> str:
    """Return a position with its caption."""
    if isinstance(shown.drawn, Position):
        return board(shown.drawn, dict(shown.labels), shown.caption, width)
    return figure(f"<pre>{escape(str(shown.drawn))}</pre>", shown.caption)
