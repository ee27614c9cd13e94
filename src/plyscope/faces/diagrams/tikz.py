"""A tree as a LaTeX document that draws it with TikZ alone."""

from __future__ import annotations

import re

from plyscope.faces.diagrams.layout import place
from plyscope.faces.diagrams.picture import PictureNode, TreePicture

__all__ = ["PREAMBLE", "tex_text", "tikz_picture", "tree_tikz"]

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
    drawn = tikz_picture(picture)
    return f"\\documentclass[border=6pt]{{standalone}}\n{PREAMBLE}\\begin{{document}}\n{drawn}\\end{{document}}\n"


def tikz_picture(picture: TreePicture) -> str:
    """Return the drawing alone, for a document with the PREAMBLE."""
    places = place(picture.root)
    nodes = list(picture.root.walk())
    numbers = {node.path: number for number, node in enumerate(nodes)}
    lines = []
    for node in nodes:
        x, ply = places[node.path]
        shape = "leaf" if node.is_leaf else "max" if node.is_max else "min"
        style = ", ".join([shape, *_styles(node)])
        lines.append(
            rf"\node[{style}] (n{numbers[node.path]}) at ({x * COLUMN:.2f},{-ply * PLY:.2f}) {{{tex_text(node.name)}}};"
        )
        score = picture.score_text(node)
        if score and score != node.name:
            where = "below" if node.is_leaf else "right=3.5mm" if node.is_max else "right=5.5mm"
            lines.append(
                rf"\node[{where}, yshift={'0' if node.is_leaf else '3'}mm] at (n{numbers[node.path]}) {{{tex_text(score)}}};"
            )
    for node in nodes:
        for child in node.children:
            label = (
                ""
                if child.window is None
                else rf" node[window, midway] {{{tex_text(picture.window_text(child))}}}"
            )
            crossed = (
                " node[midway, opacity=1] {$/\\!/$}" if child.is_cut and not node.is_cut else ""
            )
            style = ", ".join(_styles(child))
            lines.append(
                rf"\draw[{style}] (n{numbers[node.path]}) --{label or crossed} (n{numbers[child.path]});"
            )
    xs = [x for x, _ in places.values()]
    depth = max(ply for _, ply in places.values())
    middle, below = sum((min(xs), max(xs))) / 2 * COLUMN, -(depth + 0.75) * PLY
    caption = rf"\node[text width=12cm, align=center] at ({middle:.2f},{below:.2f}) {{{tex_text(picture.caption)}}};"
    return HEAD + "\n".join([*lines, caption]) + "\n\\end{tikzpicture}\n"


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
