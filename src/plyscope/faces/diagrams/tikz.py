"""A tree as a LaTeX document that draws it with TikZ alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plyscope.faces.diagrams.layout import place
from plyscope.faces.diagrams.picture import PictureNode, TreePicture

COLUMN, PLY = 2.3, 2.2
SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "_": r"\_",
    "^": r"\^{}",
    "~": r"\~{}",
} | {mark: "\\" + mark for mark in "#$%&"}
MATHS = {
    "∞": r"$\infty$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "≈": r"$\approx$",
    "−": "$-$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "–": "--",
    "=": "$=$",
    ">": "$>$",
    "±": r"$\pm$",
    "▲": r"$\bigtriangleup$",
    "▼": r"$\bigtriangledown$",
}
PREAMBLE = r"""\usepackage{tikz}
\usetikzlibrary{shapes.geometric}
"""
HEAD = r"""\begin{tikzpicture}[
  every node/.style={font=\small},
  max/.style={draw, regular polygon, regular polygon sides=3, inner sep=0.5pt, minimum size=9mm},
  min/.style={max, shape border rotate=180},
  leaf/.style={draw, rectangle, minimum size=6mm},
  window/.style={font=\scriptsize, fill=white, inner sep=1pt},
  cut/.style={dashed, opacity=0.5}, pv/.style={very thick}]
"""


def tree_tikz(picture: TreePicture) -> str:
    """Return the text of a document that pdflatex compiles as it is, the caption included."""
    document = f"\\begin{{document}}\n{tikz_picture(picture)}\\end{{document}}\n"
    return f"\\documentclass[border=6pt]{{standalone}}\n{PREAMBLE}{document}"


def tikz_picture(picture: TreePicture) -> str:
    """Return the drawing alone, for a document with the PREAMBLE."""
    places = place(picture.root)
    nodes = list(picture.root.walk())
    names = {node.path: f"n{number}" for number, node in enumerate(nodes)}
    lines: list[str] = []
    for node in nodes:
        x, ply = places[node.path]
        lines += _node(picture, node, names[node.path], x * COLUMN, -ply * PLY)
    for node in nodes:
        for child in node.children:
            label = _edge_label(picture, node, child)
            ends = f"({names[node.path]}) --{label} ({names[child.path]})"
            lines.append(rf"\draw[{', '.join(_styles(child))}] {ends};")
    xs = [x for x, _ in places.values()]
    depth = max(ply for _, ply in places.values())
    at = f"{sum((min(xs), max(xs))) / 2 * COLUMN:.2f},{-(depth + 0.75) * PLY:.2f}"
    lines.append(
        rf"\node[text width=12cm, align=center] at ({at}) {{{tex_text(picture.caption)}}};"
    )
    return HEAD + "\n".join(lines) + "\n\\end{tikzpicture}\n"


def _node(picture: TreePicture, node: PictureNode, name: str, x: float, y: float) -> Iterator[str]:
    """Yield the node, and its score beside it."""
    shape = "leaf" if node.is_leaf else "max" if node.is_max else "min"
    style = ", ".join([shape, *_styles(node)])
    yield rf"\node[{style}] ({name}) at ({x:.2f},{y:.2f}) {{{tex_text(node.name)}}};"
    score = picture.score_text(node)
    if score and score != node.name:
        where = "below" if node.is_leaf else "right=3.5mm" if node.is_max else "right=5.5mm"
        shift = f"yshift={0 if node.is_leaf else 3}mm"
        yield rf"\node[{where}, {shift}] at ({name}) {{{tex_text(score)}}};"


def _edge_label(picture: TreePicture, parent: PictureNode, child: PictureNode) -> str:
    if child.window is not None:
        return f" node[window, midway] {{{tex_text(picture.window_text(child))}}}"
    is_cut_here = child.is_cut and not parent.is_cut
    return " node[midway, opacity=1] {$/\\!/$}" if is_cut_here else ""


def _styles(node: PictureNode) -> list[str]:
    return [word for word, is_on in (("cut", node.is_cut), ("pv", node.is_on_pv)) if is_on]


def tex_text(text: str) -> str:
    """Return `text` as LaTeX prints it."""
    return re.sub(
        ".",
        lambda match: SPECIAL.get(
            match[0], MATHS.get(match[0], match[0] if match[0].isascii() else "?")
        ),
        text,
    )
