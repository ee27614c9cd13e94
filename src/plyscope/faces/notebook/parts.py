"""What faces in notebooks are made of: tables, bars, boards beside tables, in any theme's colours.

Numbers stand right, names left. Lines and bars are mixed from the colour of the text around them,
so that they are seen on light and dark ground alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from plyscope.faces.diagrams.board import board_svg
from plyscope.rules.position import Position

STYLE = """
.plyscope-face{font:14px/1.45 system-ui,sans-serif}
.plyscope-face .beside{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:flex-start}
.plyscope-face figure{margin:0;max-width:100%}.plyscope-face svg{display:block;max-width:100%}
.plyscope-face .beside>figure>svg{width:240px;height:auto}
.plyscope-face .boards svg{width:150px;height:auto}
.plyscope-face .boards figcaption{max-width:150px;font-size:12px}
.plyscope-face p{margin:.3rem 0}.plyscope-face .head{font-weight:650;font-size:16px}
.plyscope-face .notes{opacity:.75;font-size:13px}.plyscope-face .scroll{overflow-x:auto}
.plyscope-face .scroll>svg{max-width:none}
.plyscope-face table{border-collapse:collapse;margin:.3rem 0;font-size:13px;border:0;
font-variant-numeric:tabular-nums}
.plyscope-face th,.plyscope-face td{text-align:right;padding:.15rem .6rem;border:0;background:none;
border-bottom:1px solid color-mix(in srgb,currentColor 18%,transparent);white-space:nowrap}
.plyscope-face th{font-weight:400;opacity:.75;vertical-align:bottom}
.plyscope-face .name{text-align:left;white-space:normal}
.plyscope-face .sum td{font-weight:650;border-top:1px solid currentColor}
.plyscope-face .bar rect{fill:#2f81f7}.plyscope-face .bar .minus{fill:#c8762b}
.plyscope-face .bar .even{fill:currentColor;opacity:.2}
.plyscope-face .bar .bound{fill:none;stroke:#2f81f7;stroke-dasharray:3 2}
.plyscope-face .bar .minus.bound{stroke:#c8762b}
.plyscope-face .bar path{stroke:currentColor;opacity:.6}
.plyscope-face .boards{display:flex;flex-wrap:wrap;gap:1rem}
"""
BAR, TALL = 120, 12
"""The size of a bar in pixels."""

Row = Sequence[str]


def face(*parts: str, heading: str = "") -> str:
    """Return the parts as one drawing, with their style."""
    head = f'<p class="head">{escape(heading)}</p>' if heading else ""
    return f'<div class="plyscope-face"><style>{STYLE}</style>{head}{"".join(parts)}</div>'


def notes(sentences: Iterable[str]) -> str:
    """Return what is said under a drawing, a sentence a line."""
    return "".join(f'<p class="notes">{escape(sentence)}</p>' for sentence in sentences)


def board(position: Position, labels: dict[int, str] | None = None, caption: str = "") -> str:
    """Return a board with what is said of it."""
    said = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure>{board_svg(position, labels)}{said}</figure>"


_RULE = re.compile(r"([^{}]+)(\{[^{}]*\})")
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def drawing(svg: str) -> str:
    """Return an SVG as a part of a page: its style reaches nothing beside it."""

    def scoped(rule: re.Match[str]) -> str:
        names = rule[1].strip().split(",")
        return ",".join(f".plyscope-drawn {name}" for name in names) + rule[2]

    def styled(style: re.Match[str]) -> str:
        return f"<style>{_RULE.sub(scoped, style[1])}</style>"

    return f'<div class="plyscope-drawn scroll">{_STYLE.sub(styled, svg)}</div>'


def beside(*parts: str) -> str:
    """Return the parts side by side, where there is room."""
    return f'<div class="beside">{"".join(part for part in parts if part)}</div>'


def table(
    head: Row,
    rows: Iterable[Row],
    names: int = 1,
    sums: Iterable[Row] = (),
    bars: Sequence[str] = (),
) -> str:
    """Return a table; its first `names` columns are words, all else numbers.

    `sums` stand at its end. `bars` is SVG for the rows, in a column of its own.
    """

    def line(cells: Row, tag: str = "td", kind: str = "", bar: str = "") -> str:
        parts = [_cell(cell, tag, "name" if at < names else "") for at, cell in enumerate(cells)]
        drawn = f"<{tag}>{bar}</{tag}>" if bars else ""
        return f"<tr{_classed(kind)}>{''.join(parts)}{drawn}</tr>"

    rows = list(rows)
    beside_rows = bars or [""] * len(rows)
    body = "".join(line(row, bar=bar) for row, bar in zip(rows, beside_rows, strict=True))
    ends = "".join(line(row, kind="sum") for row in sums)
    return f"<table><thead>{line(head, 'th')}</thead><tbody>{body}{ends}</tbody></table>"


def _cell(text: str, tag: str, kind: str) -> str:
    return f"<{tag}{_classed(kind)}>{escape(text)}</{tag}>"


def _classed(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def bars_of(values: Sequence[float], bounds: Sequence[bool] = ()) -> list[str]:
    """Return a bar for each value, all to one scale: from the left, or from the middle where some
    are below 0. Those that are `bounds` alone are hollow."""
    most = max((abs(value) for value in values), default=0) or 1
    zero = BAR / 2 if any(value < 0 for value in values) else 1
    hollow = bounds or [False] * len(values)
    return [
        _bar(value / most * (BAR - zero - 1), zero, is_hollow)
        for value, is_hollow in zip(values, hollow, strict=True)
    ]


def _bar(length: float, zero: float, is_hollow: bool) -> str:
    kind = " ".join(("minus" if length < 0 else "plus", *(["bound"] if is_hollow else [])))
    left, size = zero + min(0.0, length), f'width="{abs(length):.1f}" height="{TALL - 4}"'
    axis = f'<path d="M{zero:.1f} 0V{TALL}"/>'
    return _bar_svg(f'<rect class="{kind}" x="{left:.1f}" y="2" {size}/>{axis}')


def shares(counts: Sequence[int], title: str) -> str:
    """Return what was won, drawn and lost as the parts of one bar."""
    whole, at, parts = max(1, sum(counts)), 0.0, []
    for count, kind in zip(counts, ("plus", "even", "minus"), strict=True):
        width = 2 * BAR * count / whole
        parts.append(
            f'<rect class="{kind}" x="{at:.1f}" y="1" width="{width:.1f}" height="{TALL - 2}"/>'
        )
        at += width
    return _bar_svg("".join(parts), 2 * BAR, title)


def _bar_svg(inside: str, width: int = BAR, title: str = "") -> str:
    named = f'role="img" aria-label="{escape(title)}"' if title else 'aria-hidden="true"'
    return f'<svg class="bar" width="{width}" height="{TALL}" {named}>{inside}</svg>'
