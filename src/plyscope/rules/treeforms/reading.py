"""The forms in which people write trees, and which of them a text has.

Each form has a reader that returns *nested objects*: numbers, lists, and dicts with the keys name,
side, value, children and weights. `treetext.node_of` checks these, whatever form they had. A text
that fits two forms with different trees is asked about. Nothing that a text contains is run or
opened.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from plyscope.errors import NotationError
from plyscope.rules.drawings import CONTAINER
from plyscope.rules.notation import Ambiguous
from plyscope.rules.treeforms.graphs import (
    may_be_dot,
    may_be_edges,
    may_be_indented,
    read_dot,
    read_edges,
    read_indented,
)
from plyscope.rules.treeforms.lists import (
    may_be_flat,
    may_be_lisp,
    read_compact,
    read_flat,
    read_lisp,
)
from plyscope.rules.treeforms.multiagent import may_be_test, read_test
from plyscope.rules.treeforms.objects import may_be_json, of_objects, read_json, read_xml
from plyscope.rules.treeforms.python import may_be_python, read_python
from plyscope.rules.treeforms.words import NAME, Found, check_count, walk
from plyscope.rules.treetext import MAX_NODES, TreeNode, format_node, is_flat, node_of

MAX_CHARS = 20_000_000
"""The longest text of a tree that is read."""


class Form(NamedTuple):
    """A form of trees."""

    mark: Callable[[str], Any]
    """Whether a text may have this form."""
    read: Callable[[str], Found]
    """Reads a text; raises NotationError."""
    is_certain: bool = True
    """Whether nothing but a tree has this mark."""


def read_tree(source: str | Sequence[Any] | dict[Any, Any]) -> Found:
    """Return the tree of a text in any form, of nested lists, or of a dict.

    Raises NotationError, which names the place of the error.
    """
    if not isinstance(source, str):
        found = of_objects(_bounded(source))
        return found._replace(root=_node(found))
    reading, error = _find(source)
    if reading is None:
        raise error or NotationError(
            f"cannot read the tree {source.strip()[:60]!r}; expected a tree in one of the forms "
            "[[3,5],[2,9]], A[B[3,5],C[2,9]], {'A': ['B', 'C'], 'B': [3, 5], 'C': [2, 9]}, "
            "((3 5) (2 9)), lines of edges 'A B' and leaves 'D 3', an indented text, DOT, JSON, XML"
        )
    return reading


def is_tree(text: str) -> bool:
    """Return whether a text is a tree, perhaps one with an error."""
    try:
        return _find(text)[0] is not None
    except NotationError:
        return True


def _find(text: str) -> tuple[Found | None, NotationError | None]:
    """Return the tree of a text, or None and the error of the nearest form, None if none is near.

    Raises NotationError for a tree with an error, and for a text that can be read as two trees.
    """
    text = text.strip().lstrip("\ufeff")
    if (container := CONTAINER.match(text)) is not None:
        text = text[container.end() :]
    if len(text) > MAX_CHARS:
        raise NotationError(f"tree of {len(text):,} characters; expected at most {MAX_CHARS:,}")
    readings: list[Found] = []
    certain: NotationError | None = None
    possible: NotationError | None = None
    for form in FORMS:
        if not form.mark(text):
            continue
        try:
            found = form.read(text)
            root = _node(found)
            if form.read is not read_flat:
                refuse_flat(root)
        except NotationError as error:
            is_asked = isinstance(error, Ambiguous) and re.search(r"(?i)[^\W\dxo_]", text)
            if form.is_certain or is_asked or re.search(r"[├└→]|->", text):
                certain = certain or error
            else:
                possible = possible or error
            continue
        if all(reading.root != root for reading in readings):
            readings.append(found._replace(root=root))
    if len(readings) > 1:
        both = " or ".join(f"{each.form}, {format_node(each.root)[:40]!r}" for each in readings[:2])
        raise Ambiguous(
            f"tree {text[:40]!r} can be read as {both}; expected one of these two spellings"
        )
    if readings:
        return readings[0], None
    if certain is not None:
        raise certain
    return None, possible


def _node(found: Found) -> TreeNode:
    """Return the root of nested objects; raise NotationError for a tree without a known leaf."""
    root = node_of(_bounded(found.root))
    if any(not node.children and node.value is not None for node in walk(root)):
        return root
    raise NotationError(f"{found.form} without the value of a leaf; expected values, such as D = 3")


def refuse_flat(root: TreeNode) -> None:
    """Raise Ambiguous for a bare list of 4, 8, 16, ... numbers, which programs also use for the
    leaves of a binary tree."""
    if is_flat(root):
        count, numbers = len(root.children), list(map(str, root.children[:8]))
        depth = count.bit_length() - 1
        raise Ambiguous(
            f"list of {count} numbers is one node with {count} leaves, or the leaves of a binary "
            f"tree of depth {depth}; expected 'max[{','.join([*numbers, '...'][:count])}]', or "
            f"'depth {depth} / {' '.join([*numbers, '...'][:count])}'"
        )


def _bounded(data: Any) -> Any:
    """Return the data unchanged; raise NotationError for too many nodes."""
    check_count(sum(1 for _ in islice(walk(data), MAX_NODES + 1)))
    return data


def _may_be_compact(text: str) -> Any:
    if may_be_lisp(text) or may_be_python(text) or may_be_json(text):
        return False
    return re.match(rf"\s*(?:(?i:max|min|chance|avg)\b|\"|{NAME}|)\s*[^\[(\n]*[\[(]", text)


FORMS = (
    Form(may_be_test, read_test),
    Form(lambda text: text[:1] == "<", read_xml),
    Form(may_be_dot, read_dot),
    Form(may_be_json, read_json),
    Form(may_be_python, read_python),
    Form(may_be_lisp, read_lisp),
    Form(_may_be_compact, read_compact),
    Form(may_be_flat, read_flat),
    Form(may_be_edges, read_edges, is_certain=False),
    Form(may_be_indented, read_indented, is_certain=False),
)
