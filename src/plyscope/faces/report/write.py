"""A report as one self-contained HTML page, and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from plyscope.faces.report.charts import STYLE
from plyscope.faces.report.sections import Section
from plyscope.faces.signs import one_line

PAGE_STYLE = f"""
:root{{color-scheme:light dark;--ink:#1f2328;--faint:#8c959f;--page:#fff;--accent:#0550ae;
--won:#1a7f37;--drawn:#6e7781;--lost:#a40e26}}
@media(prefers-color-scheme:dark){{:root{{--ink:#e6edf3;--faint:#6e7681;--page:#0d1117;
--accent:#79c0ff;--won:#2ea043;--lost:#da3633}}}}
body{{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);
max-width:820px;margin:2rem auto;padding:0 1rem}}
h1,h2,h3{{line-height:1.2;margin:2rem 0 .6rem}}h2{{border-bottom:1px solid var(--faint)}}
figure{{margin:0;display:inline-block}}figcaption{{font-size:13px}}
.scroll{{overflow-x:auto}}.boards{{display:flex;flex-wrap:wrap;gap:1rem}}
table{{border-collapse:collapse;font-size:14px;margin:.6rem 0}}
th,td{{padding:.2rem .7rem;text-align:right;font-variant-numeric:tabular-nums;
border-bottom:1px solid color-mix(in srgb,var(--faint) 40%,transparent)}}
th:first-child,td:first-child{{text-align:left}}
@media print{{body{{max-width:none;margin:0}}svg{{max-width:100%;height:auto}}
section{{break-inside:avoid}}}}
{STYLE}"""
HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width">'
)


def report_html(title: str, sections: Iterable[Section]) -> str:
    """Return the page: charts, each with its table, light and dark, nothing loaded, no script."""
    name = escape(title)
    styled = f"<title>{name}</title><style>{PAGE_STYLE}</style>"
    parts = [f"{HEAD}{styled}</head><body><h1>{name}</h1>"]
    for section in sections:
        tag = f"h{section.level + 1}"
        parts.append(f"<section><{tag}>{escape(section.heading)}</{tag}>{section.picture}")
        parts += [f"<p>{escape(text)}</p>" for text in section.words]
        if section.head:
            parts.append(f'<div class="scroll">{_table(section)}</div>')
        parts.append("</section>")
    return "\n".join([*parts, "</body></html>"]) + "\n"


def _table(section: Section) -> str:
    def cells(row: Iterable[str]) -> str:
        return "".join(f"<td>{escape(cell)}</td>" for cell in row)

    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in section.head)
    rows = "".join(f"<tr>{cells(row)}</tr>" for row in section.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def report_markdown(title: str, sections: Iterable[Section]) -> str:
    """Return the same in Markdown, tables instead of charts."""
    parts = [f"# {_words(title)}"]
    for section in sections:
        parts.append(f"{'#' * (section.level + 1)} {_words(section.heading)}")
        parts += map(_words, section.words)
        if section.drawing:
            parts.append(f"```text\n{section.drawing}\n```")
        if section.head:
            rule = ["---", *["--:"] * (len(section.head) - 1)]
            rows = ([*map(_words, row)] for row in (section.head, *section.rows))
            head, *body = (f"| {' | '.join(row)} |" for row in rows)
            parts.append("\n".join([head, f"| {' | '.join(rule)} |", *body]))
    return "\n\n".join(parts) + "\n"


def _words(text: str) -> str:
    """Return Markdown that means the text: on one line, without HTML, links or marks."""
    return re.sub(r"([\\`*\[\]<&|])", r"\\\1", one_line(text))
