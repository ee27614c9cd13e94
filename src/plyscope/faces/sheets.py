"""Exam sheets: questions for paper, and their keys, as pages, LaTeX, SVG, text and data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plyscope.faces.diagrams.narration import sentences
from plyscope.faces.diagrams.picture import PictureNode, TreePicture, draw_tree
from plyscope.faces.diagrams.svg import tree_svg
from plyscope.faces.diagrams.text import tree_text
from plyscope.faces.diagrams.tikz import PREAMBLE, tex_text, tikz_picture
from plyscope.faces.report.section import Section
from plyscope.faces.report.write import report_html, report_markdown
from plyscope.faces.wording import dotted, path_text
from plyscope.lab.quiz import Question
from plyscope.searching.score import INFINITY, format_score
from plyscope.searching.trace import trace

TITLE = "Alpha-beta by hand"
PAGE = r"""\documentclass[a4paper,11pt]{article}
\usepackage[margin=2cm]{geometry}
\usepackage{graphicx}
"""
FIT = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"


@dataclass(frozen=True)
class _BlankPicture(TreePicture):
    """A tree with room to write where scores and windows would stand."""

    def score_text(self, node: PictureNode) -> str:
        """Return a leaf's value, and a line to write on where a score is to be found."""
        if node.is_leaf:
            return super().score_text(node)
        return "" if node.score is None else "= ____"

    def window_text(self, node: PictureNode) -> str:
        """Return the brackets of a window to be filled in."""
        return "(___, ___)"


def question_picture(question: Question) -> TreePicture:
    """Return the tree of a question, with blanks for what is asked."""
    shown = draw_tree(trace(question.tree, "minimax"))
    for node in shown.root.walk():
        node.is_on_pv = False
        if "windows" not in question.asked:
            node.window = None
        if "values" not in question.asked and not node.is_leaf:
            node.score = None
    return _BlankPicture(shown.root, question.convention, shown.scoring, leaf_windows=True)


def key_picture(question: Question) -> TreePicture:
    """Return the searched tree of a question."""
    has_windows = "windows" in question.asked
    picture = draw_tree(question.trace)
    return replace(picture, caption=question.convention, leaf_windows=has_windows)


def task(question: Question) -> str:
    """Return what is to be done, and by which conventions."""
    wanted = {
        "values": "the value that each searched node returns",
        "windows": "the window (alpha, beta) with which each node is called, leaves included",
        "cuts": "a stroke through every edge that is cut",
    }
    asked = [wanted[name] for name in wanted if name in question.asked]
    listed = ", and ".join(["; ".join(asked[:-1]), asked[-1]]) if len(asked) > 1 else asked[0]
    how = "Search the tree by alpha-beta, from left to right; MAX (▲) moves at the root."
    return f"{how} Fill in {listed}. Convention: {question.convention}."


def question_data(question: Question) -> dict[str, Any]:
    """Return a question with its key as JSON-ready data, by path; infinite bounds are None."""

    def finite(number: int) -> int | None:
        return None if abs(number) >= INFINITY else number

    key = {
        dotted(node.path): {
            "name": node.name,
            "value": node.score,
            "window": None if node.window is None else [finite(end) for end in node.window],
            "cut": node.is_cut,
        }
        for node in question.key.values()
    }
    return {
        "tree": str(question.tree.start()),
        "task": task(question),
        "conventions": question.conventions.as_dict(),
        "asked": list(question.asked),
        "key": key,
        "sentences": sentences(question.trace),
    }


def sheet_text(questions: Sequence[Question], form: str, with_key: bool) -> str:
    """Return the sheet of all questions, or its key, in a `form`: html, md or tex."""
    title = f"{TITLE}: key" if with_key else TITLE
    if form == "tex":
        return _tex(questions, title, with_key)
    return {"html": report_html, "md": report_markdown}[form](title, _sections(questions, with_key))


def _sections(questions: Sequence[Question], with_key: bool) -> Iterator[Section]:
    for number, question in enumerate(questions, 1):
        picture = key_picture(question) if with_key else question_picture(question)
        words = tuple(sentences(question.trace)) if with_key else (task(question),)
        drawing = tree_text(picture).plain
        head, rows = (_HEAD, tuple(_rows(question))) if with_key else ((), ())
        svg = f'<div class="scroll">{tree_svg(picture)}</div>'
        yield Section(1, f"Question {number}", words, head, rows, svg, drawing)


_HEAD = ("node", "called with", "returns", "cut")


def _rows(question: Question) -> Iterator[tuple[str, ...]]:
    for node in question.key.values():
        if node.score is None and not node.is_cut:
            continue
        name = path_text(question.tree.name_of, node.path)
        window = "" if node.window is None else f"({', '.join(map(format_score, node.window))})"
        score = "" if node.score is None else format_score(node.score)
        yield name, window, score, "cut" if node.is_cut else ""


def _tex(questions: Sequence[Question], title: str, with_key: bool) -> str:
    parts = [PAGE + PREAMBLE + r"\begin{document}", rf"\section*{{{tex_text(title)}}}"]
    for number, question in enumerate(questions, 1):
        words = sentences(question.trace) if with_key else [task(question)]
        picture = tikz_picture(key_picture(question) if with_key else question_picture(question))
        paragraphs = "\n\n".join(map(tex_text, words))
        drawn = f"\\medskip\\noindent{FIT}\n{picture}}}\n\\bigskip"
        parts.append(f"\\subsection*{{Question {number}}}\n{paragraphs}\n\n{drawn}")
    return "\n\n".join([*parts, r"\end{document}"]) + "\n"
