"""Sheets of questions and their answer keys as HTML, PDF, Markdown and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from plyscope.display import times
from plyscope.faces.diagrams.board import legible
from plyscope.faces.diagrams.figure import typeset
from plyscope.faces.diagrams.markup import drawn_size
from plyscope.faces.diagrams.tikz import PREAMBLE, tex_text
from plyscope.faces.findings.section import Section
from plyscope.faces.report.write import report_html, report_markdown
from plyscope.faces.sheets import boards, trees
from plyscope.faces.sheets.sheet import Sheet
from plyscope.lab.questions.quiz import Question
from plyscope.lab.questions.quiz.boards import AnyQuestion, BoardQuestion, mark_written

PAGE = r"""\documentclass[a4paper,11pt]{article}
\usepackage[margin=2cm]{geometry}
\usepackage{graphicx}
"""
FIT = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"


def sheet_of(question: AnyQuestion, with_key: bool) -> Sheet:
    """Return a printable question, or its key."""
    if isinstance(question, BoardQuestion):
        return boards.board_sheet(question, with_key)
    return trees.tree_sheet(question, with_key)


def possible(question: AnyQuestion) -> int:
    """Return the points of a question."""
    return mark_written(question, {}).possible


def question_data(question: AnyQuestion) -> dict[str, Any]:
    """Return a question with its key as JSON-ready data."""
    if isinstance(question, BoardQuestion):
        return boards.question_data(question)
    return trees.question_data(question)


def sheets_of(
    questions: Sequence[AnyQuestion], with_key: bool
) -> tuple[tuple[str, ...], list[Sheet]]:
    """Return the rules that all questions share, and the sheets with the other rules as words."""
    sheets = [sheet_of(question, with_key) for question in questions]
    common = tuple(rule for rule in sheets[0].rules if all(rule in sheet.rules for sheet in sheets))
    return common, [
        sheet._replace(
            words=(*sheet.words, *(rule for rule in sheet.rules if rule not in common)),
        )
        for sheet in sheets
    ]


def heading(number: int, question: AnyQuestion, with_key: bool) -> str:
    """Return the heading of a question.

    On a sheet without the key it states the points, unless these would reveal the number of cuts.
    """
    is_told = isinstance(question, BoardQuestion) or question.algorithm == "minimax"
    points = f" ({times(possible(question), 'point')})" if is_told and not with_key else ""
    return f"Question {number}{points}"


def title_of(questions: Sequence[AnyQuestion], with_key: bool, name: str | None = None) -> str:
    """Return the title of a sheet, with the student's `name` if there is one."""
    algorithms = {item.algorithm for item in questions if isinstance(item, Question)}
    is_of_trees = all(isinstance(item, Question) for item in questions)
    if is_of_trees and len(algorithms) == 1:
        words = trees.SPOKEN[algorithms.pop()]
        title = f"{words[0].upper()}{words[1:]} by hand"
    elif is_of_trees:
        title = "Search by hand"
    elif all(isinstance(item, BoardQuestion) and item.strategy for item in questions):
        title = "Strategies to complete"
    else:
        title = "Heuristics and search by hand"
    title += ": key" if with_key else ""
    return title if name is None else f"{title} – {name}"


def sheet_text(
    questions: Sequence[AnyQuestion], form: str, with_key: bool, name: str | None = None
) -> str:
    """Return the sheet of all questions, or its key, in the format `form`: html, md or tex."""
    title = title_of(questions, with_key, name)
    common, sheets = sheets_of(questions, with_key)
    headings = [heading(number, each, with_key) for number, each in enumerate(questions, 1)]
    parts = list(zip(headings, sheets, strict=True))
    blanks = () if with_key else (name_line(name),)
    if form == "tex":
        return _tex(parts, title, (*blanks, *common))
    sections = [Section(1, "Rules", (*blanks, *common))] if blanks else []
    sections += _sections(parts)
    return {"html": report_html, "md": report_markdown}[form](title, sections)


def name_line(name: str | None) -> str:
    """Return blanks for the points, and for a name if `name` is None."""
    return ("" if name is not None else f"Name: {'_' * 30}   ") + f"Points: {'_' * 8}"


def sheet_pdf(questions: Sequence[AnyQuestion], with_key: bool, name: str | None = None) -> bytes:
    """Return the sheet of all questions, or its key, as PDF; raise OptionError without typst.

    Digits are at least 8 points high. A tree that is too wide for an upright page has a landscape
    page. A tree that is too wide for that is drawn in parts. On a question sheet, the first page
    has the rules; each tree begins a new page and may have a table to fill in.
    """
    sheets = [sheet_of(question, with_key) for question in questions]
    parts = ["#set page(margin: 2cm)", f"= {_typst(title_of(questions, with_key, name))}"]
    if not with_key:
        parts += [_typst(name_line(name)), *_rules(sheets)]
    pictures: dict[str, str] = {}
    for number, (question, sheet) in enumerate(zip(questions, sheets, strict=True), 1):
        is_tree = isinstance(question, Question)
        svgs = [sheet.svg]
        if isinstance(question, Question):
            svgs = trees.printed_trees(question, with_key, LANDSCAPE_PT / MIN_SCALE)
        widest = max(drawn_size(svg)[0] for svg in svgs)
        is_flipped = is_tree and widest * MIN_SCALE > PORTRAIT_PT
        space = LANDSCAPE_PT if is_flipped else PORTRAIT_PT
        body = [f"== {_typst(heading(number, question, with_key))}", *map(_typst, sheet.words)]
        for at, svg in enumerate(svgs, 1):
            width = drawn_size(svg)[0] * min(MAX_SCALE, space / widest)
            width = width if is_tree else min(width, BOARD_PT)
            pictures[f"{number}-{at}.svg"] = svg if is_tree else legible(svg, width, MIN_LABEL_PT)
            body.append(f'#align(center, image("{number}-{at}.svg", width: {width:.1f}pt))')
        has_table = False
        if isinstance(question, Question) and not with_key and (rows := trees.blanks(question)):
            has_table = True
            table = f"{_typst(trees.TO_TABLE)}\n\n{_blank_tables(rows)}"
            body.append(f"#block(breakable: false)[\n{table}\n]")
        elif sheet.rows:
            body.append(_table((sheet.head, *sheet.rows)))
        text = "\n\n".join(body)
        if is_flipped:
            parts.append(f"#page(flipped: true)[\n{text}\n]")
        elif is_tree and not with_key and (number > 1 or has_table):
            parts.append(f"#pagebreak(weak: true)\n{text}")
        elif is_tree:
            parts.append(text)
        else:
            parts.append(f"#block(breakable: false)[\n{text}\n]")
    return typeset("\n\n".join(parts) + "\n", pictures, ".pdf")


PORTRAIT_PT, LANDSCAPE_PT, BOARD_PT = 482.0, 728.0, 200.0
"""Widths in points: an upright and a landscape page between the margins, and a board."""
MIN_SCALE, MAX_SCALE = 0.62, 0.85
"""The least and greatest scale of a drawing, in points per pixel. Its digits have 13 pixels."""
BLANK_TABLES, NARROW_TABLES = 3, 6
"""The number of blank tables side by side: with several columns to fill in, and with one."""


MIN_LABEL_PT = 8.5
"""The least font size of a board's coordinates, in points."""


def _rules(sheets: Sequence[Sheet]) -> Iterator[str]:
    """Yield the rules of all questions as typst text, once for the questions that share them."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, sheet in enumerate(sheets, 1):
        groups.setdefault(sheet.rules, []).append(number)
    for rules, numbers in groups.items():
        if len(groups) > 1:
            whose = ", ".join(map(str, numbers))
            yield f"*Question{'s' * (len(numbers) > 1)} {whose}*"
        listed = "\n".join(f"- {_typst(rule)}" for rule in rules)
        yield f"#[#set text(size: 9.5pt)\n{listed}]"


def _table(rows: Sequence[Sequence[str]], room: str = "", columns: str = "") -> str:
    head, *rest = ["".join(f"[{_typst(cell)}], " for cell in row) for row in rows]
    cells = f"table.header({head}), {''.join(rest)}"
    return f"#table(columns: {columns or len(rows[0])}, stroke: 0.4pt, {room}{cells})"


def _blank_tables(rows: Sequence[Sequence[str]]) -> str:
    """Return blank tables side by side, as typst text."""
    head, *rest = rows
    number = NARROW_TABLES if len(head) <= 2 else BLANK_TABLES
    length = -(-len(rest) // number)
    columns = f"(auto, {'1fr, ' * (len(head) - 1)})"
    tables = [
        _table((head, *rest[at : at + length]), "inset: (x: 4pt, y: 5pt), ", columns)
        for at in range(0, len(rest), max(1, length))
    ]
    listed = ", ".join(table.removeprefix("#") for table in tables)
    return f"#grid(columns: (1fr,) * {number}, gutter: 5mm, {listed})"


def _typst(text: str) -> str:
    """Return a text with typst's special characters escaped."""
    return re.sub(r"([\\`*_{}\[\]()#+.!$<>@~=/'\"-])", r"\\\1", text)


def _sections(parts: Sequence[tuple[str, Sheet]]) -> Iterator[Section]:
    for heading, sheet in parts:
        svg = f'<div class="scroll">{sheet.svg}</div>'
        yield Section(1, heading, sheet.words, sheet.head, sheet.rows, svg, sheet.text.plain)


def _tex(parts: Sequence[tuple[str, Sheet]], title: str, first: Sequence[str]) -> str:
    written = [PAGE + PREAMBLE + r"\begin{document}", rf"\section*{{{tex_text(title)}}}"]
    written += map(tex_text, first)
    for heading, sheet in parts:
        paragraphs = "\n\n".join(map(tex_text, sheet.words))
        drawn = f"\\medskip\\noindent{FIT}\n{sheet.tex}}}\n\\bigskip"
        written.append(f"\\subsection*{{{heading}}}\n{paragraphs}\n\n{drawn}")
    return "\n\n".join([*written, r"\end{document}"]) + "\n"
