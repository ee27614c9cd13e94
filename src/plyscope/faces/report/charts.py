"""Charts as SVG, few and plain: intervals, shares, and lines.

Each is readable in black and white (lines differ by dash and mark, shares by their figures), light
and dark, on paper and by ear: its title tells what it shows, and the table beside it the numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import ceil, floor, log10

from plyscope.faces.diagrams.markup import svg_head

WIDTH, LEFT, RIGHT, ROW, PLOT = 760, 250, 24, 26, 230
SPREAD = 50
"""The ratio of values from which they stand on a scale of powers of ten."""
STYLE = """
.chart{max-width:100%;height:auto}.chart text{font:12px system-ui,sans-serif;fill:var(--ink)}
.chart .axis{stroke:var(--faint);fill:none}.chart .zero{stroke:var(--faint);stroke-dasharray:3 3}
.chart .bar{stroke:var(--accent);stroke-width:2}.chart .dot{fill:var(--accent)}
.chart .won{fill:var(--won)}.chart .drawn{fill:var(--drawn)}.chart .lost{fill:var(--lost)}
.chart .inside{font-size:11px;fill:#fff}.chart .line{fill:none;stroke-width:2}
.chart .end{text-anchor:end}.chart .middle{text-anchor:middle}
"""
COLOURS = ("#0550ae", "#9a4a00", "#1a7f37", "#8250df", "#a40e26", "#57606a")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2")


def _svg(height: float, title: str, parts: Iterable[str]) -> str:
    return f"{svg_head(WIDTH, height, title, kind='chart')}{''.join(parts)}</svg>"


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(text)}</text>'


def _ticks(low: float, high: float, count: int = 6) -> list[float]:
    """Return round numbers that span the range."""
    step = 10 ** floor(log10(max(high - low, 1e-12) / count))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= count)
    return [number * step for number in range(floor(low / step), ceil(high / step) + 1)]


def _figure(value: float) -> str:
    return f"{value:,.10g}".replace("-", "−")


def interval_chart(title: str, rows: Sequence[tuple[str, float, float, float]]) -> str:
    """Return values with their intervals, one a row: label, value, low, high."""
    shown = [number for _, *numbers in rows for number in numbers if abs(number) < 1e6] or [0.0]
    ticks = _ticks(min(0.0, *shown), max(1.0, *shown))
    low, high, bottom = ticks[0], ticks[-1], 10 + ROW * len(rows)

    def x(value: float) -> float:
        return LEFT + (min(max(value, low), high) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    parts = [
        f'<path class="axis" d="M{LEFT} {bottom}H{WIDTH - RIGHT}"/>',
        f'<path class="zero" d="M{x(0):.1f} 4V{bottom}"/>',
    ]
    parts += [_text(x(tick), bottom + 18, _figure(tick), "middle") for tick in ticks]
    for number, (label, value, least, most) in enumerate(rows):
        y = 10 + ROW * number + ROW / 2
        parts.append(_text(LEFT - 12, y + 4, _short(label), "end"))
        parts.append(f'<path class="bar" d="M{x(least):.1f} {y}H{x(most):.1f}"/>')
        parts.append(f'<circle class="dot" cx="{x(value):.1f}" cy="{y}" r="5"/>')
    return _svg(bottom + 28, title, parts)


def share_chart(title: str, rows: Sequence[tuple[str, int, int, int]]) -> str:
    """Return games won, drawn and lost as shares of a bar, one a row, each with its number."""
    parts = []
    for number, (label, *counts) in enumerate(rows):
        y, at = 6 + ROW * number, float(LEFT)
        parts.append(_text(LEFT - 12, y + 15, _short(label), "end"))
        for kind, count in zip(("won", "drawn", "lost"), counts, strict=True):
            width = (WIDTH - LEFT - RIGHT) * count / max(1, sum(counts))
            size = f'width="{width:.1f}" height="{ROW - 6}"'
            parts.append(f'<rect class="{kind}" x="{at:.1f}" y="{y}" {size}/>')
            if width > 9 + 7 * len(str(count)):
                parts.append(_text(at + width / 2, y + 14, f"{count:,}", "middle inside"))
            at += width
    return _svg(12 + ROW * len(rows), title, parts)


def line_chart(
    title: str, across: str, series: Sequence[tuple[str, Sequence[tuple[float, float]]]]
) -> str:
    """Return lines over the same axis, which is named `across`: each a label and its points.

    Values above 0 of very different size stand on a scale of powers of ten.
    """
    points = [point for _, line in series for point in line]
    ys, columns = [y for _, y in points], sorted({x for x, _ in points})
    is_log = min(ys) > 0 and max(ys) > SPREAD * min(ys)
    if is_log:
        ticks = [10.0**power for power in range(floor(log10(min(ys))), ceil(log10(max(ys))) + 1)]
    else:
        ticks = _ticks(min(0.0, *ys, 0.0), max([*ys, 1e-9]))
    low, high, left, bottom = ticks[0], ticks[-1], 80, 12 + PLOT
    first, last = columns[0], max(columns[-1], columns[0] + 1)

    def at(x: float, y: float) -> tuple[float, float]:
        share = log10(y / low) / log10(high / low) if is_log else (y - low) / (high - low)
        across = (x - first) / (last - first)
        return left + across * (WIDTH - left - RIGHT), bottom - share * PLOT

    parts = [f'<path class="axis" d="M{left} 12V{bottom}H{WIDTH - RIGHT}"/>']
    parts += [_text(left - 8, at(first, tick)[1] + 4, _figure(tick), "end") for tick in ticks]
    every = ceil(len(columns) / 20)
    parts += [_text(at(x, low)[0], PLOT + 30, _figure(x), "middle") for x in columns[::every]]
    parts.append(_text(WIDTH / 2, PLOT + 48, across, "middle"))
    for number, (label, line) in enumerate(series):
        colour = COLOURS[number % len(COLOURS)]
        dash = DASHES[number // len(COLOURS) % len(DASHES) or number % len(DASHES)]
        mark = f'stroke="{colour}" stroke-dasharray="{dash}"'
        drawn = [at(x, y) for x, y in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in drawn)
        parts.append(f'<polyline class="line" {mark} points="{path}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in drawn]
        y = PLOT + 72 + 20 * number
        parts.append(f'<path class="line" {mark} d="M{left} {y - 4}h44"/>')
        parts.append(_text(left + 54, y, label))
    return _svg(PLOT + 72 + 20 * len(series), title, parts)


def _short(label: str) -> str:
    return label if len(label) <= 36 else f"{label[:35]}…"
