"""The layout of trees, with leaves side by side and parents centred above their children."""

from __future__ import annotations

from plyscope.faces.diagrams.picture import Path, PictureNode


def place(root: PictureNode) -> dict[Path, tuple[float, int]]:
    """Return (x, ply) for every node, x in units of one leaf's width, from 0."""
    places: dict[Path, tuple[float, int]] = {}
    width = 0

    def visit(node: PictureNode) -> float:
        nonlocal width
        if node.children:
            below = [visit(child) for child in node.children]
            x = (below[0] + below[-1]) / 2
        else:
            x, width = float(width), width + 1
        places[node.path] = (x, len(node.path) - len(root.path))
        return x

    visit(root)
    return places
