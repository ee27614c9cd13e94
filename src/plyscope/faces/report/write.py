"""A report as one self-contained HTML page, and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from plyscope.faces.boards import draw_board
from plyscope.faces.diagrams.board import board_svg
from plyscope.faces.findings.section import Figure, Section
from plyscope.faces.report.charts import STYLE, inks
from plyscope.faces.signs import one_line
from plyscope.rules.position import Position

BOARDS_STYLE = """
.boards{display:flex;flex-wrap:wrap;gap:1rem}.boards svg{width:240px;height:auto}
.boards figure{margin:0;max-width:100%}
.boards figcaption{font-size:13px;max-width:18em;overflow-wrap:anywhere}
"""
PAGE_STYLE = f"""
{inks(":root")}
:root{{color-scheme:light dark}}
body{{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);
max-width:820px;margin:2rem auto;padding:0 1rem}}
h1,h2,h3{{line-height:1.2;margin:2rem 0 .6rem}}h2{{border-bottom:1px solid var(--faint)}}
a{{color:var(--accent)}}.scroll{{overflow-x:auto}}
{BOARDS_STYLE}
table{{border-collapse:collapse;font-size:14px;margin:.6rem 0}}
th,td{{padding:.2rem .7rem;text-align:right;font-variant-numeric:tabular-nums;
border-bottom:1px solid color-mix(in srgb,var(--faint) 40%,transparent)}}
pre{{overflow-x:auto}}
.beside{{display:grid;grid-template-columns:1fr 1fr;gap:1rem}}.beside figure{{margin:0;min-width:0}}
.beside pre{{font-size:12px;white-space:pre-wrap;overflow-wrap:anywhere}}
mark{{background:color-mix(in srgb,var(--accent) 22%,transparent);color:inherit}}
th.words,td.words{{text-align:left}}td:not(.words){{white-space:nowrap}}
@media print{{body{{max-width:none;margin:0}}svg{{max-width:100%;height:auto}}
section{{break-inside:avoid}}}}
{STYLE}"""
OPENED = "http://127.0.0.1:8765/"
"""The default address of `plyscope web`."""
HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width">'
)


def report_html(
    title: str, sections: Iterable[Section], page: str = OPENED, reload_seconds: int = 0
) -> str:
    """Return the report as one HTML page in light and dark colours, without scripts.

    Positions are linked to `page`, the address of a running `plyscope web`. With `reload_seconds`
    the page reloads itself.
    """
    name = escape(title)
    styled = f"<title>{name}</title><style>{PAGE_STYLE}</style>"
    if reload_seconds:
        styled += f'<meta http-equiv="refresh" content="{reload_seconds}">'
    body = sections_html(sections, page)
    return f"{HEAD}{styled}</head><body><main><h1>{name}</h1>\n{body}\n</main></body></html>\n"


def sections_html(sections: Iterable[Section], page: str = OPENED) -> str:
    """Return only the sections, for a page or notebook that already has the style."""
    parts = []
    for section in sections:
        tag = f"h{section.level + 1}"
        parts.append(f"<section><{tag}>{escape(section.heading)}</{tag}>{section.picture}")
        parts += [f"<p>{escape(text)}</p>" for text in section.words]
        if section.drawing and not section.picture:
            parts.append(f"<pre>{escape(section.drawing)}</pre>")
        if section.all_figures:
            figures = "".join(_figure(figure, page) for figure in section.all_figures)
            parts.append(f'<div class="boards">{figures}</div>')
        if section.head:
            parts.append(f'<div class="scroll">{_table(section)}</div>')
        parts += [f"<p>{escape(text)}</p>" for text in section.notes]
        parts.append("</section>")
    return "\n".join(parts)


def _figure(figure: Figure, page: str) -> str:
    drawn = figure.drawn
    is_board = isinstance(drawn, Position)
    board = board_svg(drawn, figure.values) if is_board else f"<pre>{escape(str(drawn))}</pre>"
    caption = escape("; ".join(filter(None, (figure.caption, figure.legend))))
    if figure.place:
        caption += f'<br><a href="{escape(page + figure.place)}">analyse</a>'
    if figure.command:
        caption += f"<br><code>{escape(figure.command)}</code>"
    return f"<figure>{board}<figcaption>{caption}</figcaption></figure>"


def _table(section: Section) -> str:
    kinds = [' class="words"' if is_text else "" for is_text in section.has_words]

    def cells(row: Iterable[str]) -> str:
        return "".join(
            f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, row, strict=False)
        )

    head = "".join(
        f'<th scope="col"{kind}>{escape(cell)}</th>'
        for kind, cell in zip(kinds, section.head, strict=True)
    )
    rows = "".join(f"<tr>{cells(row)}</tr>" for row in section.all_rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def report_markdown(title: str, sections: Iterable[Section]) -> str:
    """Return the report in Markdown, with tables instead of charts."""
    parts = [f"# {_words(title)}"]
    for section in sections:
        parts.append(f"{'#' * (section.level + 1)} {_words(section.heading)}")
        parts += map(_words, section.words)
        if section.drawing:
            parts.append(f"```text\n{section.drawing}\n```")
        for figure in section.all_figures if not section.figures or not section.head else ():
            board = draw_board(figure.drawn).plain
            parts += [_words(figure.caption), f"```text\n{board}\n```"]
        if section.head:
            parts.append(markdown_table(section))
        parts += map(_words, section.notes)
    return "\n\n".join(parts) + "\n"


def markdown_table(section: Section) -> str:
    """Return the table of a section in Markdown."""
    rule = ["---", *["--:"] * (len(section.head) - 1)]
    rows = ([*map(_words, row)] for row in (section.head, *section.all_rows))
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, f"| {' | '.join(rule)} |", *body])


def _words(text: str) -> str:
    """Return a text as one line of Markdown, with special characters escaped."""
    return re.sub(r"([\\`*\[\]<&|])", r"\\\1", one_line(text))
