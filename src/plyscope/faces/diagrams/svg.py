"""A tree as a self-contained SVG: triangles up are MAX, down MIN, circles means, boxes leaves.

Nodes that represent positions are small boards. Windows are shown on the edges; cut branches are
crossed out.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from plyscope.faces.diagrams.layout import place
from plyscope.faces.diagrams.markup import svg_head
from plyscope.faces.diagrams.picture import PictureNode, TreePicture
from plyscope.faces.diagrams.smallboard import STYLE as BOARD_STYLE
from plyscope.faces.diagrams.smallboard import SmallBoard, small_board_svg

COLUMN_PX, PLY_PX, MARGIN_PX, RADIUS_PX = 86, 92, 46, 17
NAME_PX, EDGE_PX, GAP_PX = 17, 56, 24
"""With boards: the space for a name or score, for an edge, and between two boards."""
MAX_NAME_CHARS = 14
HALF_LETTER_PX, NAME_PADDING_PX = 4.2, 4
"""Half the width of a letter in a leaf, and the padding of its name."""
MAX_SIGNS = 4
"""The greatest number of characters that fit in a triangle."""
EDGE_LABEL_FRACTION = 0.62
"""The place of a window on its edge, from 0 to 1, far enough down not to touch the next one."""
STYLE = """
text{font:13px system-ui,sans-serif;text-anchor:middle;fill:#1f2328}
.window{font-size:10.5px;fill:#57606a}.caption{font-size:12px;fill:#57606a}.score{font-weight:600}
.edge{stroke:#8c959f;stroke-width:1.3;fill:none}.node{fill:#fff;stroke:#1f2328;stroke-width:1.4}
.pv{stroke:#0550ae;stroke-width:3}.cut{opacity:.45}.edge.cut{stroke-dasharray:4 3}
.slash{stroke:#a40e26;stroke-width:2}.current .node{fill:#ffe28a}
.halo{stroke:#fff;stroke-width:6;stroke-linejoin:round;paint-order:stroke}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.window,.caption{fill:#9da7b1}
.node{fill:#161b22;stroke:#e6edf3}.pv{stroke:#79c0ff}.slash{stroke:#ff7b72}
.current .node{fill:#6b5300}.halo{stroke:#0d1117}}
"""
Point = tuple[float, float]


class _Space(NamedTuple):
    """The space that the nodes of a tree need."""

    column: float = COLUMN_PX
    ply: float = PLY_PX
    margin: float = MARGIN_PX
    above: float = RADIUS_PX
    """The distance from the centre of a node up to the end of the edge from its parent."""
    below: float = RADIUS_PX


def _space(
    nodes: Iterable[PictureNode], boards: Iterable[SmallBoard], column: float = COLUMN_PX
) -> _Space:
    """Return the space for nodes with these boards, a name above each and a score below. Without
    boards, leaves have space for all their digits, and at least `column` pixels."""
    sizes = [board.size for board in boards]
    if not sizes:
        widest = max((_half_box(node) for node in nodes if node.is_leaf), default=0)
        return _Space(column=max(column, 2 * widest + GAP_PX / 4))
    width, height = (max(lengths) for lengths in zip(*sizes, strict=True))
    above, below = height / 2 + NAME_PX, height / 2 + NAME_PX
    return _Space(
        column=max(COLUMN_PX, width + GAP_PX),
        ply=above + below + EDGE_PX,
        margin=max(MARGIN_PX, width / 2 + GAP_PX, above + GAP_PX / 4),
        above=above,
        below=below,
    )


def tree_svg(picture: TreePicture, column: float = COLUMN_PX) -> str:
    """Return the drawing as the text of an SVG file, with the caption below.

    Nodes that represent positions are small boards. Leaves are `column` pixels apart, or more if
    their digits need it.
    """
    nodes = list(picture.root.walk())
    boards = {node.path: board for node in nodes if (board := picture.board(node)) is not None}
    space = _space(nodes, boards.values(), column)
    places = {
        path: (space.margin + x * space.column, space.margin + ply * space.ply)
        for path, (x, ply) in place(picture.root).items()
    }
    xs = [x for x, _ in places.values()]
    width = max(max(xs) + space.margin, 7.0 * len(picture.caption) + 20)
    height = max(y for _, y in places.values()) + space.margin + 44
    shift = width / 2 - (min(xs) + max(xs)) / 2
    places = {path: (x + shift, y) for path, (x, y) in places.items()}
    style = STYLE + BOARD_STYLE if boards else STYLE
    parts = [svg_head(width, height, f"search tree, {picture.caption}", style)]
    for node in nodes:
        x, y = places[node.path]
        parts += [
            _edge(picture, node, child, (x, y + space.below), (to_x, to_y - space.above))
            for child in node.children
            for to_x, to_y in (places[child.path],)
        ]
    parts += [_node(picture, node, boards.get(node.path), *places[node.path]) for node in nodes]
    counts = f"{picture.counts_text}; " if picture.nodes else ""
    parts.append(_text((width / 2, height - 28), "caption", picture.caption))
    kinds = "" if picture.root.is_mean else "▲ MAX ▼ MIN"
    parts.append(_text((width / 2, height - 10), "caption", counts + kinds) + "</svg>")
    return "\n".join(parts) + "\n"


def _text(at: Point, kind: str, text: str) -> str:
    classed = f'class="{kind}" ' if kind else ""
    return f'<text {classed}x="{at[0]:.1f}" y="{at[1]:.1f}">{escape(text)}</text>'


def _edge(
    picture: TreePicture, parent: PictureNode, child: PictureNode, start: Point, end: Point
) -> str:
    """Return the edge, with the child's window or the strokes of a cut."""
    (x1, y1), (x2, y2) = start, end
    classes = "edge" + (" pv" if child.is_on_pv else "") + (" cut" if child.is_cut else "")
    parts = [f'<path class="{classes}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>']
    x, y = x1 + (x2 - x1) * EDGE_LABEL_FRACTION, y1 + (y2 - y1) * EDGE_LABEL_FRACTION
    if child.is_cut and not parent.is_cut:
        for offset in (-3, 3):
            parts.append(f'<path class="slash" d="M{x - 7:.1f} {y + offset + 3:.1f}l14 -6"/>')
    elif child.window is not None:
        parts.append(_text((x, y + 4), "window halo", picture.window_text(child)))
    return "".join(parts)


def _node(
    picture: TreePicture, node: PictureNode, board: SmallBoard | None, x: float, y: float
) -> str:
    """Return the node, with CSS classes for its state."""
    drawing = _shape(picture, node, x, y) if board is None else _board(picture, node, board, x, y)
    flags = (
        ("cut", node.is_cut),
        ("current", node.is_current),
        ("pv", node.is_on_pv and board is not None),
    )
    classes = " ".join(name for name, is_set in flags if is_set)
    return f'<g class="{classes}">{drawing}</g>' if classes else drawing


def _shape(picture: TreePicture, node: PictureNode, x: float, y: float) -> str:
    """Return a triangle or a box, the name in it, and the score next to it."""
    r = RADIUS_PX
    if node.is_leaf:
        half = _half_box(node)
        size = f'width="{2 * half:g}" height="{2 * r - 6}"'
        shape = f'<rect class="node" x="{x - half:.1f}" y="{y - r + 3:.1f}" {size} rx="3"/>'
    elif node.is_mean:
        shape = f'<circle class="node" cx="{x:.1f}" cy="{y:.1f}" r="{r}"/>'
    else:
        tip, down = (y - r, 2 * r) if node.is_max else (y + r, -2 * r)
        outline = f"M{x:.1f} {tip:.1f}l{r + 3} {down}h{-2 * r - 6}z"
        shape = f'<path class="node" d="{outline}"/>'
    score = picture.score_text(node)
    label_y = y + 5 if node.is_leaf or node.is_mean else y + (9 if node.is_max else -1)
    is_short = node.is_leaf or len(node.name) <= MAX_SIGNS
    text = _text((x, label_y), "", node.name if is_short else f"{node.name[: MAX_SIGNS - 1]}…")
    if score and not (node.is_leaf and node.name == score):
        beside = (x, y + r + 14) if node.is_leaf else (x + r + 22, y - r + 4)
        text += _text(beside, "score halo", score)
    return shape + text


def _half_box(leaf: PictureNode) -> float:
    """Return half the width of a leaf's box, in which its whole name fits."""
    return max(RADIUS_PX, HALF_LETTER_PX * len(leaf.name) + NAME_PADDING_PX)


def _board(picture: TreePicture, node: PictureNode, board: SmallBoard, x: float, y: float) -> str:
    """Return a board with MAX or MIN and the move to it above, and the score below."""
    half = board.size[1] / 2
    name = node.name if len(node.name) <= MAX_NAME_CHARS else f"{node.name[: MAX_NAME_CHARS - 1]}…"
    text = _text((x, y - half - 5), "halo", node.sign + name)
    if score := picture.score_text(node):
        text += _text((x, y + half + 13), "score halo", score)
    return text + small_board_svg(board, x, y - half)
