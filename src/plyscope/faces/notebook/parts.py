"""The HTML parts of notebook output: tables, bars, and boards next to tables.

Styles are attributes and drawings are images, because the sanitizer of an untrusted notebook
removes `<style>` and `<svg>`. Numbers are aligned right, names left. Text has the colour of the
page. Boards, trees and charts have a white background, and bars are visible on light and dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from plyscope.faces.diagrams.board import LEVELS_PER_ROW, MIN_CELL_PX, board_svg, legible
from plyscope.faces.diagrams.ground import ground_of
from plyscope.faces.diagrams.markup import drawn_size, image, on_card
from plyscope.faces.diagrams.values import CellValue
from plyscope.rules.position import Position

FACE = "font:14px/1.45 system-ui,sans-serif"
HEAD = "margin:4px 0;font-weight:600;font-size:16px"
SUBHEAD = "margin:16px 0 4px;font-weight:600"
TEXT = "margin:4px 0"
NOTES = "margin:4px 0;opacity:.75;font-size:13px"
ROW_OF_PARTS = "display:flex;flex-wrap:wrap;gap:8px 24px;align-items:flex-start"
TABLE = (
    "border-collapse:collapse;border:0;margin:4px 0;table-layout:auto;font-size:13px;"
    "font-variant-numeric:tabular-nums"
)
ROW = "background:none;border-bottom:1px solid rgba(128,128,128,0.4)"
HEAD_ROW, SUM_ROW = f"{ROW};opacity:.75", f"{ROW};font-weight:600"
NUMBER = "text-align:right;padding:2px 8px;white-space:nowrap"
NAME = "text-align:left;padding:2px 8px;white-space:normal"
PLUS, MINUS, EVEN, AXIS = "#2f81f7", "#c8762b", "#8c959f", "#8c959f"
"""The colours of bars."""
BAR_PX, BAR_HEIGHT_PX = 80, 12
"""The size of a bar in pixels."""
BESIDE_TABLE_PX, SMALL_BOARD_PX, SINGLE_BOARD_PX = 240, 150, 460
"""Widths in pixels: a board next to a table, one of several boards, and a single board. Boards of
large games are wider, so that a cell has at least MIN_CELL_PX pixels."""
MIN_COORDINATE_PX = 10
"""The least font size of a board's coordinates, in pixels."""
MAX_WIDTH_PX = 900
"""The width in pixels above which a drawing can be opened in full size."""

Row = Sequence[str]


def face(*parts: str, heading: str = "") -> str:
    """Return the parts below a heading."""
    head = f'<p style="{HEAD}">{escape(heading)}</p>' if heading else ""
    return f'<div class="plyscope-face" style="{FACE}">{head}{"".join(parts)}</div>'


def paragraph(text: str, style: str = TEXT) -> str:
    """Return a paragraph."""
    return f'<p style="{style}">{escape(text)}</p>'


def notes(sentences: Iterable[str]) -> str:
    """Return sentences for below a drawing, each in its own paragraph."""
    return "".join(paragraph(sentence, NOTES) for sentence in sentences)


def board(
    position: Position,
    values: Mapping[int, CellValue] | None = None,
    caption: str = "",
    width: float = BESIDE_TABLE_PX,
) -> str:
    """Return a board with the values of moves and a caption, about `width` pixels wide."""
    svg = board_svg(position, values)
    drawn = drawn_size(svg)[0]
    least = MIN_CELL_PX * ground_of(position.game).extent(LEVELS_PER_ROW)[0]
    scale = min(drawn, max(width, least)) / drawn
    card = on_card(legible(svg, drawn * scale, MIN_COORDINATE_PX))
    return figure(image(card, drawn_size(card)[0] * scale), caption)


def figure(drawn: str, caption: str = "") -> str:
    """Return a drawing above its caption."""
    style = "max-width:240px;font-size:13px"
    said = f'<figcaption style="{style}">{escape(caption)}</figcaption>' if caption else ""
    return f'<figure style="margin:0;max-width:100%">{drawn}{said}</figure>'


def drawing(svg: str) -> str:
    """Return a drawing fitted to the width of the page; a wide one can be opened in full size."""
    card = on_card(svg)
    if drawn_size(card)[0] <= MAX_WIDTH_PX:
        return image(card)
    full = f'<div style="overflow-x:auto">{image(card, style="max-width:none")}</div>'
    return f"{image(card)}<details><summary>full size</summary>{full}</details>"


def beside(*parts: str) -> str:
    """Return the parts side by side if there is room."""
    shown = "".join(parts)
    return f'<div style="{ROW_OF_PARTS}">{shown}</div>' if shown else ""


def table(
    head: Row,
    rows: Iterable[Row],
    has_words: Sequence[bool],
    sums: Iterable[Row] = (),
    bars: Sequence[str] = (),
) -> str:
    """Return a table. `has_words` says for each column whether it holds text or numbers.

    `sums` are rows of totals at the end. `bars` are images for the rows, shown in an extra column.
    """

    def line(cells: Row, tag: str = "td", style: str = ROW, bar: str = "") -> str:
        weight = ";font-weight:normal" if tag == "th" else ""
        parts = [
            f'<{tag} style="{NAME if is_word else NUMBER}{weight}">{escape(cell)}</{tag}>'
            for cell, is_word in zip(cells, has_words, strict=False)
        ]
        drawn = f'<{tag} style="{NAME}">{bar}</{tag}>' if bars else ""
        return f'<tr style="{style}">{"".join(parts)}{drawn}</tr>'

    rows = list(rows)
    beside_rows = bars or [""] * len(rows)
    body = "".join(line(row, bar=bar) for row, bar in zip(rows, beside_rows, strict=True))
    ends = "".join(line(row, style=SUM_ROW) for row in sums)
    top = f"<thead>{line(head, 'th', HEAD_ROW)}</thead>"
    return f'<table class="plyscope-table" style="{TABLE}">{top}<tbody>{body}{ends}</tbody></table>'


def bars_of(values: Sequence[float], bounds: Sequence[bool] = ()) -> list[str]:
    """Return a bar for each value, on a common scale; none if all values are equal.

    Bars begin at the left, or in the middle if a value is negative. The bar of a value is hollow
    if its entry in `bounds` is true.
    """
    if len(set(values)) < 2:
        return []
    most = max(map(abs, values))
    zero = BAR_PX / 2 if any(value < 0 for value in values) else 1
    hollow = bounds or [False] * len(values)
    return [
        _bar(value / most * (BAR_PX - zero - 1), zero, is_hollow)
        for value, is_hollow in zip(values, hollow, strict=True)
    ]


def _bar(length: float, zero: float, is_hollow: bool) -> str:
    colour = MINUS if length < 0 else PLUS
    paint = f'fill="{colour}"'
    if is_hollow:
        paint = f'fill="none" stroke="{colour}" stroke-dasharray="3 2"'
    left, size = zero + min(0.0, length), f'width="{abs(length):.1f}" height="{BAR_HEIGHT_PX - 4}"'
    axis = f'<path d="M{zero:.1f} 0V{BAR_HEIGHT_PX}" stroke="{AXIS}"/>'
    return _bar_image(f'<rect x="{left:.1f}" y="2" {size} {paint}/>{axis}')


def shares(counts: Sequence[int], title: str) -> str:
    """Return a bar whose parts are the games won, drawn and lost."""
    whole, at, parts = max(1, sum(counts)), 0.0, []
    for count, colour in zip(counts, (PLUS, EVEN, MINUS), strict=True):
        width = 2 * BAR_PX * count / whole
        size = f'width="{width:.1f}" height="{BAR_HEIGHT_PX - 2}"'
        parts.append(f'<rect x="{at:.1f}" y="1" {size} fill="{colour}"/>')
        at += width
    return _bar_image("".join(parts), 2 * BAR_PX, title)


def _bar_image(inside: str, width: int = BAR_PX, title: str = "") -> str:
    named = f' role="img" aria-label="{escape(title)}"' if title else ""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{BAR_HEIGHT_PX}"{named}>'
    )
    return image(f"{head}{inside}</svg>", style="max-width:none")
