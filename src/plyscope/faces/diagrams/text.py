"""A tree as text for the terminal: ▲ is MAX, ▼ is MIN, a mean has no sign; a cut branch is struck
out and marked."""

from __future__ import annotations

from plyscope.faces.diagrams.picture import PictureNode, TreePicture
from plyscope.faces.printed import Text


def tree_text(picture: TreePicture) -> Text:
    """Return a line for each node, indented below its parent: name, score with bound, window."""
    text = Text(is_cut=True)
    _add(text, picture, picture.root, "", "")
    return text.rstrip()


def _add(text: Text, picture: TreePicture, node: PictureNode, lead: str, lead_below: str) -> None:
    text.append(lead, "dim").append(_label(picture, node)).append("\n")
    for number, child in enumerate(node.children, 1):
        is_last = number == len(node.children)
        _add(
            text,
            picture,
            child,
            lead_below + ("└─ " if is_last else "├─ "),
            lead_below + ("   " if is_last else "│  "),
        )


def _label(picture: TreePicture, node: PictureNode) -> Text:
    score = picture.score_text(node)
    if node.is_cut:
        return Text(node.sign + node.name, "strike dim").append("  ✂ cut")
    if node.is_leaf:
        label = Text(node.name if node.name == score else f"{node.name} = {score}")
    else:
        label = Text(f"{node.sign}{node.name} {score}".rstrip())
    if node.is_on_pv:
        label.stylize("bold")
        label.append("  ★", "bold")
    if node.is_current:
        label.stylize("reverse")
        label.append("  ←", "bold")
    if node.window is not None and (picture.leaf_windows or not node.is_leaf):
        label.append(f"   {picture.window_text(node)}", "cyan")
    if node.is_table_hit:
        label.append("   from the table", "magenta")
    if node.visits > 1:
        label.append(f"   {node.visits} visits", "dim")
    return label
