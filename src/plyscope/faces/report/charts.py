"""Charts as SVG: intervals, shares and lines.

A chart is readable on light and dark pages and in black and white: lines differ by dashes, and
shares show their numbers. For screen readers it has a title, and the table next to it has the
numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape
from math import ceil, floor, log10

from plyscope.faces.diagrams.markup import svg_head

WIDTH_PX, LEFT_PX, RIGHT_PX, ROW_PX, PLOT_PX = 760, 250, 24, 26, 230
MAX_LINEAR_RATIO = 50
"""The ratio of the greatest to the least value above which the scale is logarithmic."""
COLOURS = ("#0550ae", "#9a4a00", "#1a7f37", "#8250df", "#a40e26", "#57606a")
ON_DARK = ("#79c0ff", "#ffb77c", "#56d364", "#d2a8ff", "#ff7b72", "#8b949e")


def _inks(colours: Sequence[str]) -> str:
    return "".join(
        f".chart .ink{number}{{stroke:{colour};fill:{colour}}}"
        for number, colour in enumerate(colours)
    )


DARK = "@media(prefers-color-scheme:dark)"
STYLE = f"{_inks(COLOURS)}\n{DARK}{{{_inks(ON_DARK)}}}"
STYLE += """
.chart{max-width:100%;height:auto}.chart text{font:12px system-ui,sans-serif;fill:var(--ink)}
.chart .axis{stroke:var(--faint);fill:none}.chart .zero{stroke:var(--faint);stroke-dasharray:3 3}
.chart .bar{stroke:var(--accent);stroke-width:2}.chart .dot{fill:var(--accent)}
.chart .won{fill:var(--won)}.chart .drawn{fill:var(--drawn)}.chart .lost{fill:var(--lost)}
.chart .inside{font-size:11px;fill:#fff}.chart .line{fill:none;stroke-width:2}
.chart .end{text-anchor:end}.chart .middle{text-anchor:middle}
.chart .hollow{fill:var(--page);stroke-width:2}.chart .dot.hollow{stroke:var(--accent)}
"""
LIGHT_INKS = """--ink:#1f2328;--faint:#8c959f;--page:#fff;--accent:#0550ae;
--won:#1a7f37;--drawn:#6e7781;--lost:#a40e26"""
DARK_INKS = """--ink:#e6edf3;--faint:#6e7681;--page:#0d1117;--accent:#79c0ff;
--won:#2ea043;--lost:#da3633"""


def inks(selector: str) -> str:
    """Return the style that sets the light and dark colours of the elements of `selector`."""
    return f"{selector}{{{LIGHT_INKS}}}\n{DARK}{{{selector}{{{DARK_INKS}}}}}"


GROUND = ".chart{background:var(--page)}"
SERIES_GAP_PX = 3
"""Pixels between the intervals of two series."""
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2")


def _ink(number: int) -> tuple[str, str]:
    """Return the CSS class and the dash attribute of a series."""
    dash = DASHES[number // len(COLOURS) % len(DASHES) or number % len(DASHES)]
    return f"ink{number % len(COLOURS)}", f'stroke-dasharray="{dash}"'


Point = tuple[float, float] | tuple[float, float, float, float]


def _svg(height: float, title: str, parts: Iterable[str]) -> str:
    return f"{svg_head(WIDTH_PX, height, title, kind='chart')}{''.join(parts)}</svg>"


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(text)}</text>'


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers that cover the range from `low` to `high`, some six of them."""
    step = 10 ** floor(log10(max(high - low, 1e-12) / 6))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 6)
    return [number * step for number in range(floor(low / step), ceil(high / step) + 1)]


def _figure(value: float) -> str:
    return f"{value:,.10g}".replace("-", "−")


def by_itself(chart: str) -> str:
    """Return a chart as a separate file that includes its light and dark colours."""
    return (
        chart.replace("</title>", f"</title><style>{inks('.chart')}{GROUND}{STYLE}</style>", 1)
        + "\n"
    )


def interval_chart(
    title: str, rows: Sequence[tuple[str, float, float, float]], hollow: Collection[str] = ()
) -> str:
    """Return a chart of values with intervals; a row is (label, value, low, high).

    Rows whose labels are in `hollow` have hollow dots.
    """
    shown = [number for _, *numbers in rows for number in numbers if abs(number) < 1e6] or [0.0]
    ticks = _ticks(min(0.0, *shown), max(1.0, *shown))
    low, high, bottom = ticks[0], ticks[-1], 10 + ROW_PX * len(rows)

    def x(value: float) -> float:
        return LEFT_PX + (min(max(value, low), high) - low) / (high - low) * (
            WIDTH_PX - LEFT_PX - RIGHT_PX
        )

    parts = [
        f'<path class="axis" d="M{LEFT_PX} {bottom}H{WIDTH_PX - RIGHT_PX}"/>',
        f'<path class="zero" d="M{x(0):.1f} 4V{bottom}"/>',
    ]
    parts += [_text(x(tick), bottom + 18, _figure(tick), "middle") for tick in ticks]
    for number, (label, value, least, most) in enumerate(rows):
        y = 10 + ROW_PX * number + ROW_PX / 2
        parts.append(_text(LEFT_PX - 12, y + 4, _short(label), "end"))
        parts.append(f'<path class="bar" d="M{x(least):.1f} {y}H{x(most):.1f}"/>')
        kind = "dot hollow" if label in hollow else "dot"
        parts.append(f'<circle class="{kind}" cx="{x(value):.1f}" cy="{y}" r="5"/>')
    return _svg(bottom + 28, title, parts)


def share_chart(title: str, rows: Sequence[tuple[str, int, int, int]]) -> str:
    """Return a chart of games won, drawn and lost as shares of a bar, one bar per row."""
    parts = []
    for number, (label, *counts) in enumerate(rows):
        y, at = 6 + ROW_PX * number, float(LEFT_PX)
        parts.append(_text(LEFT_PX - 12, y + 15, _short(label), "end"))
        for kind, count in zip(("won", "drawn", "lost"), counts, strict=True):
            width = (WIDTH_PX - LEFT_PX - RIGHT_PX) * count / max(1, sum(counts))
            size = f'width="{width:.1f}" height="{ROW_PX - 6}"'
            parts.append(f'<rect class="{kind}" x="{at:.1f}" y="{y}" {size}/>')
            if width > 9 + 7 * len(str(count)):
                parts.append(_text(at + width / 2, y + 14, f"{count:,}", "middle inside"))
            at += width
    return _svg(12 + ROW_PX * len(rows), title, parts)


def count_chart(title: str, rows: Sequence[tuple[str, int]]) -> str:
    """Return a chart of numbers as bars, one bar per row."""
    parts, most = [], max([1, *(count for _, count in rows)])
    for number, (label, count) in enumerate(rows):
        y, width = 6 + ROW_PX * number, (WIDTH_PX - LEFT_PX - RIGHT_PX - 40) * count / most
        parts.append(_text(LEFT_PX - 12, y + 15, _short(label), "end"))
        parts.append(
            f'<rect class="dot" x="{LEFT_PX}" y="{y}" width="{width:.1f}" height="{ROW_PX - 6}"/>'
        )
        parts.append(_text(LEFT_PX + width + 6, y + 14, f"{count:,}"))
    return _svg(12 + ROW_PX * len(rows), title, parts)


def line_chart(title: str, across: str, series: Sequence[tuple[str, Sequence[Point]]]) -> str:
    """Return a chart of lines over one axis, named `across`. A series is a label and its points.

    A point is (x, y), or (x, y, low, high) with an interval. The scale is logarithmic if all values
    are positive and the greatest is more than MAX_LINEAR_RATIO times the least.
    """
    points = [point for _, line in series for point in line]
    ys, columns = [y for _, *span in points for y in span], sorted({x for x, *_ in points})
    is_log = min(ys) > 0 and max(ys) > MAX_LINEAR_RATIO * min(ys)
    if is_log:
        ticks = [10.0**power for power in range(floor(log10(min(ys))), ceil(log10(max(ys))) + 1)]
    else:
        ticks = _ticks(min(0.0, *ys, 0.0), max([*ys, 1e-9]))
    low, high, left, bottom = ticks[0], ticks[-1], 80, 12 + PLOT_PX
    first, last = columns[0], max(columns[-1], columns[0] + 1)

    def at(x: float, y: float) -> tuple[float, float]:
        share = log10(y / low) / log10(high / low) if is_log else (y - low) / (high - low)
        across = (x - first) / (last - first)
        return left + across * (WIDTH_PX - left - RIGHT_PX), bottom - share * PLOT_PX

    parts = [f'<path class="axis" d="M{left} 12V{bottom}H{WIDTH_PX - RIGHT_PX}"/>']
    parts += [_text(left - 8, at(first, tick)[1] + 4, _figure(tick), "end") for tick in ticks]
    every = ceil(len(columns) / 20)
    parts += [_text(at(x, low)[0], PLOT_PX + 30, _figure(x), "middle") for x in columns[::every]]
    parts.append(_text(WIDTH_PX / 2, PLOT_PX + 48, across, "middle"))
    for number, (label, line) in enumerate(series):
        ink, dash = _ink(number)
        drawn = [at(x, y) for x, y, *_ in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in drawn)
        parts.append(f'<polyline class="line {ink}" {dash} points="{path}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" class="{ink}"/>' for x, y in drawn]
        # so that intervals do not overlap
        beside = SERIES_GAP_PX * (number - (len(series) - 1) / 2)
        for x, _, *ends in line:
            if ends and ends[0] < ends[1]:
                (middle, bottom_end), (_, top_end) = (at(x, end) for end in ends)
                span = f"M{middle + beside:.1f} {bottom_end:.1f}V{top_end:.1f}"
                parts.append(f'<path class="line {ink}" d="{span}"/>')
        y = PLOT_PX + 72 + 20 * number
        parts.append(f'<path class="line {ink}" {dash} d="M{left} {y - 4}h44"/>')
        parts.append(_text(left + 54, y, label))
    return _svg(PLOT_PX + 72 + 20 * len(series), title, parts)


def _short(label: str) -> str:
    return label if len(label) <= 36 else f"{label[:35]}…"
