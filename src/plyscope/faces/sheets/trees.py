"""Printable questions about trees, and their keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from plyscope.faces.diagrams.builders import draw_tree
from plyscope.faces.diagrams.markup import drawn_size
from plyscope.faces.diagrams.narration import sentences
from plyscope.faces.diagrams.picture import PictureNode, TreePicture
from plyscope.faces.diagrams.svg import COLUMN_PX, tree_svg
from plyscope.faces.diagrams.text import tree_text
from plyscope.faces.diagrams.tikz import tikz_picture
from plyscope.faces.sheets.plain import paper_rules
from plyscope.faces.sheets.sheet import Sheet
from plyscope.faces.wording import dotted, pruned_words
from plyscope.lab.questions.quiz import Question
from plyscope.lab.questions.quiz.question import Path
from plyscope.rules.game import FIRST
from plyscope.searching.conventions import OPEN_WINDOW
from plyscope.searching.score import INFINITY, format_score
from plyscope.searching.trace import trace

SPOKEN = {
    "minimax": "minimax",
    "alphabeta": "alpha-beta",
    "pvs": "principal variation search (PVS)",
}
"""The names of algorithms in sentences."""


@dataclass(frozen=True)
class _BlankPicture(TreePicture):
    """A tree with blanks in place of scores and windows."""

    def score_text(self, node: PictureNode) -> str:
        """Return a leaf's value, or a blank if the score of an inner node is asked for."""
        if node.is_leaf:
            return super().score_text(node)
        return "" if node.score is None else "= ____"

    def window_text(self, node: PictureNode) -> str:
        """Return a window with blanks."""
        return "(___, ___)"


def question_picture(question: Question) -> TreePicture:
    """Return the tree of a question, with blanks for the items asked about."""
    shown = draw_tree(trace(question.tree, "minimax"))
    for node in shown.root.walk():
        node.is_on_pv = False
        node.window = OPEN_WINDOW if "windows" in question.asked else None
        if "values" not in question.asked and not node.is_leaf:
            node.score = None
    return _BlankPicture(shown.root, question.convention, shown.scoring, leaf_windows=True)


class _BarePicture(TreePicture):
    """A tree without blanks that shows only the leaf values; the answers go into a table."""

    def score_text(self, node: PictureNode) -> str:
        """Return a leaf's value."""
        return super().score_text(node) if node.is_leaf else ""

    def window_text(self, node: PictureNode) -> str:
        """Return an empty text."""
        return ""


def printed_trees(question: Question, with_key: bool, widest: float) -> list[str]:
    """Return the printable tree of a question, or of its key, as one or more SVG drawings.

    A tree that is wider than `widest` pixels is split into its root with the root's children, and
    the subtrees of these children.
    """
    if with_key:
        return [tree_svg(each) for each in _pieces(key_picture(question), COLUMN_PX, widest)]
    shown = question_picture(question)
    bare = _BarePicture(shown.root, "", shown.scoring)
    return [tree_svg(each, NARROW_PX) for each in _pieces(bare, NARROW_PX, widest)]


def _pieces(picture: TreePicture, column: float, widest: float) -> list[TreePicture]:
    root = picture.root
    if drawn_size(tree_svg(picture, column))[0] <= widest or not any(
        child.children for child in root.children
    ):
        return [picture]
    children = [replace(child, children=[]) for child in root.children]
    below = [replace(picture, root=child) for child in root.children if child.children]
    return [
        replace(picture, root=replace(root, children=children)),
        *(piece for each in below for piece in _pieces(each, column, widest)),
    ]


def blanks(question: Question) -> tuple[tuple[str, ...], ...]:
    """Return a blank table for the answers, head first; empty if only cuts are asked for.

    It has a row for each inner node. Leaves have rows if windows or repeated searches are asked
    for.
    """
    columns = [name for kind, names in COLUMNS.items() if kind in question.asked for name in names]
    if not columns:
        return ()
    rows = [("node", *columns)]
    for path, node in question.key.items():
        if node.is_leaf and "windows" not in question.asked and "again" not in question.asked:
            continue
        shown = _shown(question, path)
        is_given = [name == "value" and node.is_leaf for name in columns]
        rows.append((shown, *("–" if each else "" for each in is_given)))
    return tuple(rows)


def _shown(question: Question, path: Path) -> str:
    """Return the label of a node, with the value of a leaf."""
    node, label = question.key[path], question.labels[path]
    return f"{label} ({node.name.replace('-', '−')})" if node.is_leaf else label


COLUMNS = {"windows": ("alpha", "beta"), "values": ("value",), "again": ("R",)}
"""The columns of the table for each item of a question."""
NARROW_PX, WINDOW_PX = 40, 110
"""Pixels between leaves: without blanks, and with a blank window on each edge."""
TO_TABLE = (
    "Write into the table; leave the rows of nodes that are not searched empty. D2 is the second "
    "child of D."
)


def key_picture(question: Question) -> TreePicture:
    """Return the searched tree of a question, with the answers."""
    has_windows = "windows" in question.asked
    picture = draw_tree(question.trace)
    return replace(picture, caption=question.convention, leaf_windows=has_windows)


def task(question: Question) -> str:
    """Return the task of a question, with its conventions."""
    wanted = {
        "values": "fill in the value that each searched node returns",
        "windows": "fill in the window (alpha, beta) of each call, leaves included",
        "cuts": "strike out every edge that is cut",
        "again": "write an R beside every node whose null window is repeated with a wider one",
    }
    asked = [wanted[name] for name in wanted if name in question.asked]
    listed = ", and ".join(["; ".join(asked[:-1]), asked[-1]]) if len(asked) > 1 else asked[0]
    how = f"Search the tree by {SPOKEN[question.algorithm]}, from left to right"
    is_max = question.tree.side(question.tree.start()) == FIRST
    root = f"{'MAX (▲)' if is_max else 'MIN (▼)'} moves at the root"
    return f"{how}; {root}. {listed[0].upper()}{listed[1:]}. Convention: {question.convention}."


def question_data(question: Question) -> dict[str, Any]:
    """Return a question as JSON-ready data, with the key by path; infinite bounds are None."""

    def finite(number: int) -> int | None:
        return None if abs(number) >= INFINITY else number

    key = {
        dotted(node.path): {
            "name": node.name,
            "label": question.labels[node.path],
            "value": node.score,
            "window": None if node.window is None else [finite(end) for end in node.window],
            "cut": node.is_cut,
            "again": node.is_again,
        }
        for node in question.key.values()
    }
    return {
        "tree": str(question.tree.start()),
        "algorithm": question.algorithm,
        "task": task(question),
        "rules": paper_rules(question),
        "conventions": question.conventions.as_dict(),
        "asked": list(question.asked),
        "key": key,
        "sentences": sentences(question.trace),
    }


def tree_sheet(question: Question, with_key: bool) -> Sheet:
    """Return a printable question, or its key."""
    picture = key_picture(question) if with_key else question_picture(question)
    is_wide = "windows" in question.asked and not with_key
    svg = tree_svg(picture, WINDOW_PX if is_wide else COLUMN_PX)
    return Sheet(
        words=_reasons(question) if with_key else (task(question),),
        head=_HEAD if with_key else (),
        rows=tuple(_rows(question)) if with_key else (),
        svg=svg,
        text=tree_text(picture),
        tex=tikz_picture(picture),
        rules=() if with_key else tuple(paper_rules(question)),
    )


def _reasons(question: Question) -> tuple[str, ...]:
    """Return a sentence for each cutoff, and what was pruned; for PVS, after a note about repeated
    visits."""
    told = tuple(sentences(question.trace))
    pruned = pruned_words(question.trace.result)
    if question.algorithm != "pvs" or not told:
        return *told, pruned
    return (
        "A sentence may describe an earlier visit; values and windows in the drawing "
        "and in the table are those of the last.",
        *told,
        pruned,
    )


_HEAD = ("node", "called with", "returns", "")


def _rows(question: Question) -> Iterator[tuple[str, ...]]:
    for node in question.key.values():
        if node.score is None and not node.is_cut:
            continue
        name = _shown(question, node.path)
        window = "" if node.window is None else f"({', '.join(map(format_score, node.window))})"
        score = "" if node.score is None else format_score(node.score)
        yield name, window, score, "cut" if node.is_cut else "again" if node.is_again else ""
