"""A tree for Graphviz."""

from __future__ import annotations

from plyscope.faces.diagrams.picture import PictureNode, TreePicture
from plyscope.rules.tree import TreePosition
from plyscope.rules.treetext import format_value


def tree_dot(picture: TreePicture) -> str:
    """Return a DOT file. Triangles are MAX, inverted triangles MIN, circles means, boxes leaves.

    Dashed nodes and edges are cut.
    """
    nodes = list(picture.root.walk())
    numbers = {node.path: number for number, node in enumerate(nodes)}
    lines = [
        "digraph search {",
        f"  graph [label={_quoted(picture.caption)} ordering=out fontname=sans];",
        "  node [fontname=sans]; edge [fontname=sans fontsize=10 arrowhead=none];",
    ]
    for node in nodes:
        score = picture.score_text(node)
        label = node.name if not score or score == node.name else f"{node.name}\n{score}"
        side = "triangle" if node.is_max else "invtriangle"
        shape = "box" if node.is_leaf else "circle" if node.is_mean else side
        attributes = f"label={_quoted(label)} shape={shape} style={_style(node)}{_value(node)}"
        lines.append(f"  n{numbers[node.path]} [{attributes}];")
        for child in node.children:
            label = _quoted("cut" if child.is_cut else picture.window_text(child))
            edge = f"n{numbers[node.path]} -> n{numbers[child.path]}"
            lines.append(f"  {edge} [label={label} style={_style(child)}];")
    return "\n".join([*lines, "}"]) + "\n"


def _value(node: PictureNode) -> str:
    """Return the value of an explicit tree's node, by which `treeforms` reads the tree back."""
    if not isinstance(node.position, TreePosition) or node.position.node.value is None:
        return ""
    return f" value={_quoted(format_value(node.position.node.value))}"


def _style(node: PictureNode) -> str:
    return "dashed" if node.is_cut else "bold" if node.is_on_pv else "solid"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
