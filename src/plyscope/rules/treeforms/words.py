"""Words of trees: numbers, sides and the labels of nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from plyscope.errors import NotationError
from plyscope.rules.treetext import MAX_DEPTH, MAX_NODES

DECIMAL = r"[+\-−]?(?:\d+(?:\.\d+|/\d+)?|\.\d+)"
UNKNOWN = ("?", "None", "null", "unknown")
"""Texts of an unknown leaf without a name."""


class Found(NamedTuple):
    """A tree that was read, and how."""

    root: Any
    """Its nested objects; of the tree that `read_tree` returns, its TreeNode."""
    form: str
    """The form of the text, such as `a dict of children`."""
    notes: tuple[str, ...] = ()
    """What of the text is not in the tree."""

    @property
    def said(self) -> str:
        """How the text was read: `read as a dict of children, 7 nodes`; empty for nested lists."""
        if self.form == "nested lists" and not self.notes:
            return ""
        nodes = list(walk(self.root))
        unknown = sum(not node.children and node.value is None for node in nodes)
        more = [f"{unknown} of them of unknown value"] if unknown else []
        return ", ".join((f"read as {self.form}, {len(nodes):,} nodes", *more, *self.notes))


_SIDE_WORDS = {
    "max": ("max", "maximize", "maximizer", "maximizing", "maximiser", "maximising"),
    "min": ("min", "minimize", "minimizer", "minimizing", "minimiser", "minimising"),
    "chance": ("chance", "avg", "average", "mean", "expectation", "random", "exp"),
}
SIDE = {word: side for side, words in _SIDE_WORDS.items() for word in words}
SIDES = rf"(?i:(?:{'|'.join(SIDE)})(?:_node|_player)?)"
"""A pattern of the words for sides in the compact text."""
NAME = rf"(?!{SIDES}(?![\w']))[^\W\d][\w']*"
"""A name that needs no quotes in it."""
SIDE |= {"▲": "max", "▼": "min"}
"""The words for the side of a node."""
_LABEL = re.compile(
    rf"(?P<name>\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^=:()\[\]{{}}|,;\"]*?)"
    rf"\s*(?:(?:[=:]\s*|\s+[-–—]\s+|\s|[(\[]\s*)(?P<value>{DECIMAL}|\?)\s*[)\]]?)?\s*[:,]?",
)


def number_in(text: Any) -> int | Fraction | None:
    """Return the number that a text is, exactly; None for any other text."""
    if not isinstance(text, str) or not re.fullmatch(rf"\s*{DECIMAL}\s*", text):
        return None
    if len(text) > 40 or re.search(r"/0+\s*$", text):
        raise NotationError(f"value {text.strip()[:24]!r} in the tree; expected a shorter number")
    value = Fraction(text.strip().replace("−", "-"))
    return value.numerator if value.denominator == 1 else value


def number_or_self(thing: Any) -> Any:
    """Return the number that a text is, exactly; anything else as it is."""
    number = number_in(thing)
    return thing if number is None else number


def side_of(text: Any) -> str | None:
    """Return `max`, `min` or `chance` for a word that means it, else None."""
    word = text.strip().lower() if isinstance(text, str) else ""
    return SIDE.get(word) or SIDE.get(re.sub(r"[\s_-]*(?:node|player)$", "", word))


def label_of(text: str, where: str) -> dict[str, Any]:
    """Return the name, side and value in the label of a node: `B`, `D 3`, `D = 3`, `MAX`,
    `A (MAX)`, `7`; raise NotationError for any other text."""
    text, node = text.strip(), dict[str, Any]()
    if (value := number_in(text)) is not None:
        return {"value": value}
    if text.rstrip(":") in UNKNOWN:
        return {}
    words = r"(?i:{})".format("|".join(map(re.escape, sorted(SIDE, key=len, reverse=True))))
    for pattern in (
        rf"(?P<side>{words})(?:\s*[:=,]\s*|\s+|$)(?P<rest>.*)",
        rf"(?P<rest>.*?)\s*[(\[,]\s*(?P<side>{words})(?:\s+node)?\s*[)\]]?(?P<end>.*)",
        rf"(?P<rest>.*?)(?:\s*[:=]\s*|\s+[-–—]\s+)(?P<side>{words})",
        r"(?P<rest>[^\W\d]\S*)\s+(?P<side>(?i:max|min|chance))(?P<end>(?:\s*[=:].*)?)",
    ):
        if found := re.fullmatch(pattern, text):
            node["side"] = SIDE[found["side"].lower()]
            text = (found["rest"] + found.groupdict().get("end", "")).strip()
            break
    if text and (value := number_in(text.lstrip("=: "))) is not None:
        return node | {"value": value}
    found = _LABEL.fullmatch(text)
    if found is None:
        raise NotationError(
            f"{text[:40]!r} in {where}; expected a name, a value, or both, such as D = 3"
        )
    if name := unquoted(found["name"]):
        node["name"] = name
    if found["value"] not in (None, "?"):
        node["value"] = number_in(found["value"])
    return node


def unquoted(text: str) -> str:
    """Return a name without its quotes."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text


def is_number(data: Any) -> bool:
    """Return whether data are a number."""
    return isinstance(data, int | float | Fraction) and not isinstance(data, bool)


def is_list(data: Any) -> bool:
    """Return whether data are a list or a tuple."""
    return isinstance(data, list | tuple)


def walk(data: Any) -> Iterator[Any]:
    """Yield nested objects or a TreeNode, and all that are below them."""
    stack = [data]
    while stack:
        each = stack.pop()
        yield each
        below = each.get("children") if isinstance(each, dict) else getattr(each, "children", each)
        stack += below if isinstance(below, list | tuple) else ()


def all_lists(data: Any) -> Iterator[Any]:
    """Yield all lists in the data, these first."""
    return filter(is_list, walk(data))


def check_depth(depth: int) -> None:
    """Raise NotationError for a node that is too far below the root."""
    if depth > MAX_DEPTH:
        raise NotationError(f"tree is deeper than {MAX_DEPTH}; expected fewer levels")


def check_count(nodes: int) -> None:
    """Raise NotationError for too many nodes."""
    if nodes > MAX_NODES:
        raise NotationError(f"tree has more than {MAX_NODES:,} nodes; expected fewer")


class Word(str):
    """A word of a text without quotes: `max` is a side, not a name."""

    __slots__ = ()


KEYS = {
    "name": ("name", "id", "label", "title", "node", "state", "key"),
    "side": ("side", "type", "player", "minimax", "kind", "turn", "role", "nodetype", "minmax"),
    "value": ("value", "score", "utility", "payoff", "val", "v", "eval", "evaluation", "estimate"),
    "children": ("children", "successors", "branches", "kids", "subtrees", "moves", "child"),
    "weights": ("weights", "probabilities"),
    "weight": ("probability", "prob", "weight", "p", "chance"),
    "is_max": ("ismax", "ismaximizing", "maximizing", "ismaxnode", "ismaximizingplayer"),
    "is_min": ("ismin", "isminimizing", "minimizing", "isminnode"),
    "arms": ("left", "leftchild", "middle", "center", "right", "rightchild"),
    "ignored": (
        *("depth", "level", "ply", "x", "y", "alpha", "beta", "pruned", "visited", "cut", "color"),
        *("shape", "comment", "note", "description", "isleaf", "leaf", "terminal", "isterminal"),
        *("parent", "action", "move", "path", "edge"),
    ),
}
"""The keys of a node's object, with other words for them, in small letters and without _ and -."""
MEANING = {word: key for key, words in KEYS.items() for word in words}


def meaning_of(key: Any) -> str | None:
    """Return the key of KEYS that another key means, None if it means none."""
    return MEANING.get(re.sub(r"[\s_-]", "", str(key)).lower())
