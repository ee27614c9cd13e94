"""A tree as a LaTeX document that needs only TikZ."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plyscope.faces.diagrams.layout import place
from plyscope.faces.diagrams.picture import PictureNode, TreePicture
from plyscope.faces.diagrams.smallboard import SmallBoard

COLUMN, PLY = 2.3, 2.2
LETTER, ROW, GAP = 0.1, 0.22, 1.0
"""The width of a letter of a board, the height of a row, and the space between two boards."""
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
SIDE = {"above": "north", "below": "south"}
HEAD = r"""\begin{tikzpicture}[
  every node/.style={font=\small},
  max/.style={draw, regular polygon, regular polygon sides=3, inner sep=0.5pt, minimum size=9mm},
  min/.style={max, shape border rotate=180},
  mean/.style={draw, circle, inner sep=1pt, minimum size=7mm},
  leaf/.style={draw, rectangle, minimum size=6mm},
  board/.style={draw, rectangle, align=left, inner sep=2pt, font=\ttfamily\tiny},
  window/.style={font=\scriptsize, fill=white, inner sep=1pt},
  cut/.style={dashed, opacity=0.5}, pv/.style={very thick}]
"""


def tree_tikz(picture: TreePicture) -> str:
    """Return the text of a complete document for pdflatex, with the caption."""
    document = f"\\begin{{document}}\n{tikz_picture(picture)}\\end{{document}}\n"
    return f"\\documentclass[border=6pt]{{standalone}}\n{PREAMBLE}{document}"


def tikz_picture(picture: TreePicture) -> str:
    """Return only the drawing, for a document with the PREAMBLE."""
    places = place(picture.root)
    nodes = list(picture.root.walk())
    names = {node.path: f"n{number}" for number, node in enumerate(nodes)}
    boards = {node.path: board for node in nodes if (board := picture.board(node)) is not None}
    widest = max((len(row) for board in boards.values() for row in board.rows), default=0)
    column = max(COLUMN, widest * LETTER + GAP) if boards else COLUMN
    height = PLY + ROW * max((len(board.rows) for board in boards.values()), default=0)
    lines: list[str] = []
    for node in nodes:
        place_x, ply = places[node.path]
        x, y = place_x * column, -ply * height
        name, board = names[node.path], boards.get(node.path)
        lines += (
            _node(picture, node, name, x, y)
            if board is None
            else _board(picture, node, board, name, x, y)
        )
    top, bottom = ("[yshift=4mm]{}.north", "[yshift=-4mm]{}.south") if boards else ("{}", "{}")
    for node in nodes:
        for child in node.children:
            label = _edge_label(picture, node, child)
            ends = bottom.format(names[node.path]), top.format(names[child.path])
            lines.append(rf"\draw[{', '.join(_styles(child))}] ({ends[0]}) --{label} ({ends[1]});")
    xs = [x for x, _ in places.values()]
    depth = max(ply for _, ply in places.values())
    at = f"{sum((min(xs), max(xs))) / 2 * column:.2f},{-(depth + 0.75) * height:.2f}"
    lines.append(
        rf"\node[text width=12cm, align=center] at ({at}) {{{tex_text(picture.caption)}}};"
    )
    return HEAD + "\n".join(lines) + "\n\\end{tikzpicture}\n"


def _node(picture: TreePicture, node: PictureNode, name: str, x: float, y: float) -> Iterator[str]:
    side = "max" if node.is_max else "min"
    shape = "leaf" if node.is_leaf else "mean" if node.is_mean else side
    style = ", ".join([shape, *_styles(node)])
    yield rf"\node[{style}] ({name}) at ({x:.2f},{y:.2f}) {{{tex_text(node.name)}}};"
    score = picture.score_text(node)
    if score and score != node.name:
        where = "below" if node.is_leaf else "right=3.5mm" if node.is_max else "right=5.5mm"
        shift = f"yshift={0 if node.is_leaf else 3}mm"
        yield rf"\node[{where}, {shift}] at ({name}) {{{tex_text(score)}}};"


def _board(
    picture: TreePicture, node: PictureNode, board: SmallBoard, name: str, x: float, y: float
) -> Iterator[str]:
    """Yield the board, MAX or MIN and the move to it above, and the score below."""
    rows = (tex_text(row.upper() if board.is_grid else row) for row in board.rows)
    text = r"\\{}".join(row.replace(" ", "~") or "~" for row in rows)
    style = ", ".join(["board", *_styles(node)])
    yield rf"\node[{style}] ({name}) at ({x:.2f},{y:.2f}) {{{text}}};"
    for where, label in (("above", node.sign + node.name), ("below", picture.score_text(node))):
        if label:
            yield rf"\node[{where}, inner sep=1pt] at ({name}.{SIDE[where]}) {{{tex_text(label)}}};"


def _edge_label(picture: TreePicture, parent: PictureNode, child: PictureNode) -> str:
    if child.window is not None:
        return f" node[window, midway] {{{tex_text(picture.window_text(child))}}}"
    is_cut_here = child.is_cut and not parent.is_cut
    return " node[midway, opacity=1] {$/\\!/$}" if is_cut_here else ""


def _styles(node: PictureNode) -> list[str]:
    return [word for word, is_on in (("cut", node.is_cut), ("pv", node.is_on_pv)) if is_on]


def tex_text(text: str) -> str:
    """Return `text` with the special characters of LaTeX escaped."""
    return re.sub(
        ".",
        lambda match: SPECIAL.get(
            match[0], MATHS.get(match[0], match[0] if match[0].isascii() else "?")
        ),
        text,
    )
