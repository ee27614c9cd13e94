"""Nodes by name with their children: dicts of children, edges, DOT; and indented texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from plyscope.errors import NotationError
from plyscope.rules.notation import Ambiguous
from plyscope.rules.treeforms.words import (
    DECIMAL,
    UNKNOWN,
    Found,
    check_count,
    check_depth,
    is_number,
    label_of,
    meaning_of,
    number_in,
    side_of,
    unquoted,
    walk,
)
from plyscope.rules.treetext import MAX_DEPTH


class Graph:
    """Nodes by name with their children, from which a tree is made."""

    def __init__(self, form: str) -> None:
        self.form = form
        self.children: dict[str, list[Any]] = {}
        """The children of each inner node: names, or nested objects."""
        self.nodes: dict[str, dict[str, Any]] = {}
        """The name, side and value of nodes, by their key."""
        self.notes: list[str] = []

    def add(self, parent: str, children: Iterable[Any]) -> None:
        """Add children to a node."""
        self.children.setdefault(parent, []).extend(children)
        check_count(len(self.children))

    def give(self, key: str, **properties: Any) -> None:
        """Give a node its properties; raise NotationError for a second value."""
        node = self.nodes.setdefault(key, {})
        for word, value in properties.items():
            if node.get(word, value) != value:
                raise NotationError(
                    f"node {key[:40]!r} has two {word}s, {str(node[word])[:20]} and "
                    f"{str(value)[:20]}; expected one"
                )
            node[word] = value

    def found(self) -> Found:
        """Return the tree as nested objects; raise NotationError if this is no tree."""
        self._resolve()
        parents: dict[str, str] = {}
        for parent, below in self.children.items():
            for child in below:
                if not isinstance(child, str) or child in UNKNOWN:
                    continue
                if child in parents:
                    of = f"a child of both {parents[child][:40]!r} and {parent[:40]!r}"
                    of = of if parents[child] != parent else f"twice a child of {parent[:40]!r}"
                    raise NotationError(
                        f"node {child[:40]!r} is {of}; expected a tree, in which a node has one "
                        "parent (write a shared node once for each, with its own name)"
                    )
                parents[child] = parent
        keys = [*self.children, *(key for key in self.nodes if key not in self.children)]
        roots = [key for key in keys if key not in parents]
        if not self.children:
            raise NotationError(
                f"{self.form} has no node with children; expected edges, such as A -> B"
            )
        if not roots:
            self._refuse_loop(next(iter(self.children)), parents)
        if len(roots) > 1:
            raise NotationError(
                f"{self.form} has {len(roots)} nodes without a parent, {roots[0][:40]!r} and "
                f"{roots[1][:40]!r}; expected one, the root"
            )
        data = self._node(roots[0], 0)
        for key in self.children:
            if key in parents:
                self._refuse_loop(key, parents, roots[0])
        return Found(data, self.form, tuple(self.notes))

    def _resolve(self) -> None:
        """Replace texts of numbers that name no node by numbers; raise NotationError where a number
        may be a node or a value."""
        known = {*self.children, *self.nodes}
        numbered = [key for key in known if number_in(key) is not None]
        for parent, below in self.children.items():
            for index, child in enumerate(below):
                number = child if is_number(child) else number_in(child)
                if number is None:
                    continue
                if str(number) in known:
                    below[index] = str(number)
                elif numbered:
                    raise NotationError(
                        f"child {number} of {parent[:40]!r} is a node without a value or the value "
                        "of a leaf, because other nodes are called by numbers; expected a value, "
                        f"such as {number} = 3, or names that are no numbers"
                    )
                else:
                    below[index] = number

    def _refuse_loop(self, key: str, parents: dict[str, str], root: str | None = None) -> None:
        """Raise NotationError if the way up from a node leads back to a node on it."""
        seen = [key]
        while (above := parents.get(seen[-1])) not in (None, root) and len(seen) <= MAX_DEPTH:
            if above in seen:
                loop = [*seen[seen.index(above) :], above][::-1][:6]
                way = " → ".join(each[:20] for each in loop)
                raise NotationError(
                    f"node {above[:40]!r} is below itself: {way}; expected a tree, without a loop"
                )
            seen.append(above)

    def _node(self, key: str, depth: int) -> dict[str, Any]:
        check_depth(depth)
        if key in UNKNOWN:
            return {}
        below = [
            self._node(child, depth + 1) if isinstance(child, str) else child
            for child in self.children.get(key, ())
        ]
        node = {"name": key} | self.nodes.get(key, {})
        if not below:
            node.pop("side", None)
        return node | ({"children": below} if below else {})


_ARROW = re.compile(r"\s*(?:-+>|→|=>|⟶|--+)\s*")


def read_edges(text: str) -> Found:
    """Read lines of edges `A B`, `A -> B`, `A,B`, or `A: B C`, and of leaves `D 3` or `D = 3`."""
    graph = Graph("a list of edges")
    lines = text.splitlines()
    arrows = any(_ARROW.search(line) for line in lines)
    if arrows:
        parts = [re.split(r";", line) for line in lines]
        if len(lines) == 1 and ";" not in text and len(_ARROW.findall(text)) > 1:
            parts = [re.split(r",", text)]
        entries = [(number, part) for number, line in enumerate(parts, 1) for part in line]
    else:
        entries = list(enumerate(lines, 1))
    loose: list[tuple[str, int | Fraction]] = []
    for number, line in entries:
        line = re.sub(r"(?:#|//).*", "", line).strip().rstrip(",;.").strip()
        if line:
            _read_edge(graph, line, f"line {number}", loose, arrows)
    several = {name for name, _ in loose if sum(name == other for other, _ in loose) > 1}
    for name, value in loose:
        if name in several or name in graph.children:
            graph.add(name, [value])
        else:
            graph.give(name, value=value)
    return graph.found()


def _read_edge(
    graph: Graph, line: str, where: str, loose: list[tuple[str, int | Fraction]], arrows: bool
) -> None:
    """Read a line of an edge or a leaf; `loose` receives numbers that may be values or leaves."""
    word = r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\s,;:=()\[\]{}\"']+"
    if match := re.fullmatch(rf"({word})\s*(?:=|:=)\s*({DECIMAL})", line):
        graph.give(unquoted(match[1]), value=number_in(match[2]))
        return
    steps = _ARROW.split(line) if _ARROW.search(line) else None
    if steps is None:
        match = re.fullmatch(rf"\(?\s*({word})\s*(?:[:,]|\s)\s*[\[(]?(.*?)[\])]?", line)
        if match is None or (arrows and ":" not in line and number_in(match[2]) is None):
            raise NotationError(
                f"{line[:40]!r} in {where} is no edge and no leaf; expected A -> B, or D = 3"
            )
        steps = [match[1], match[2]]
    groups = []
    for step in steps:
        step = step.strip().strip("[]{}()")
        if not re.fullmatch(rf"(?:{word})(?:[\s,]+(?:{word}))*", step):
            raise NotationError(
                f"{step[:40]!r} in {where}; expected names of nodes, such as A -> B, C"
            )
        groups.append([unquoted(each) for each in re.findall(word, step)])
    are_numbers = [number_in(each) is not None for each in groups[-1]]
    if sorted(are_numbers) == [False, True] and not re.search(r"[:,\[(]", line):
        name, value = sorted(groups[-1], key=lambda each: number_in(each) is not None)
        parent = groups[-2][0]
        raise Ambiguous(
            f"{line[:40]!r} in {where} is an edge with a number, or a node with two children; "
            f"expected '{parent}: {name}' and perhaps '{name} = {value}', or "
            f"'{parent}: {', '.join(groups[-1])}'"
        )
    for parents, below in pairwise(groups):
        if len(parents) != 1:
            raise NotationError(f"{line[:40]!r} in {where}; expected one parent, such as A -> B")
        number = number_in(below[0]) if len(below) == 1 and len(groups) == 2 else None
        if number is not None and number_in(parents[0]) is None:
            loose.append((parents[0], number))
        else:
            graph.add(parents[0], below)


def may_be_edges(text: str) -> bool:
    """Whether each line has two words or an arrow, and some line names a node."""
    lines = [line for line in text.splitlines() if line.strip()]
    if _ARROW.search(text) and re.search(r"\w\s*['\"]?\s*(?:-+>|→|=>|⟶)|\w\s+--+\s+\w", text):
        return not re.match(r"[\[({<]", text)
    return len(lines) > 1 and all(
        re.match(r"\s*\(?\s*[^\W\d][^\s,:=]*\s*[\s,:=]\s*\S", line) or line.strip()[0] in "#/"
        for line in lines
    )


_BULLET = re.compile(
    r"(?:[ \t\u00a0│┃]|\|(?![-_─]))*"
    r"(?:(?:[├└╰┣┗]|[|+`\\](?=[-_─]))[─━\-_]*[ \u00a0]*|[*•–+][ ]+|-[ ]+|\d+[.)][ ]+)?"
)


def read_indented(text: str) -> Found:
    """Read an indented text, with or without bullets, or the lines of the command `tree`."""
    stack: list[tuple[int, dict[str, Any]]] = []
    tops: list[dict[str, Any]] = []
    indents = {line[0] for line in text.splitlines() if line[:1] in (" ", "\t") and line.strip()}
    if len(indents) > 1:
        raise NotationError(
            "tree is indented by spaces in one line and by tabs in another; expected one of them"
        )
    for number, line in enumerate(text.splitlines(), 1):
        line = re.sub(r"\s#.*", "", line.replace("\u00a0", " ")).rstrip()
        found = _BULLET.match(line)
        if found is None or found.end() == len(line):
            continue
        column, label = found.end(), line[found.end() :]
        if re.search(rf"(?:^|\s){DECIMAL}[\s,]+{DECIMAL}$", label):
            raise Ambiguous(
                f"line {number} of the tree, {label[:40]!r}, has two numbers; expected a line for "
                "each leaf, or '=' before a value, such as D = 3"
            )
        node = label_of(label, f"line {number}")
        closed = None
        while stack and stack[-1][0] >= column:
            closed = stack.pop()
        if closed is not None and closed[0] != column:
            raise NotationError(
                f"line {number} of the tree, {line.strip()[:40]!r}, is indented by {column}; "
                f"expected {closed[0]}, as its siblings"
            )
        (stack[-1][1].setdefault("children", []) if stack else tops).append(node)
        stack.append((column, node))
    if len(tops) != 1:
        names = " and ".join(repr(top.get("name", top.get("value"))) for top in tops[:2])
        raise NotationError(
            f"indented tree has {len(tops)} nodes at the left, {names}; expected one, the root"
        )
    if any(node.get("name") == "children" for node in walk(tops[0])):
        raise NotationError(
            "tree is YAML with the key 'children'; expected JSON, or a text whose lines are nodes"
        )
    for node in walk(tops[0]):
        if not node.get("children"):
            node.pop("side", None)
    return Found(tops[0], "an indented text")


def may_be_indented(text: str) -> Any:
    """Return whether lines are indented by more than one depth."""
    lines = [line for line in text.splitlines() if line.strip()]
    starts = [_BULLET.match(line).end() for line in lines]  # type: ignore[union-attr]
    plain = not re.search(r"^\s*[\[({<]|[{;]\s*$|->", text, re.MULTILINE)
    return len(lines) > 1 and plain and len(set(starts)) > 1 and starts[0] == min(starts)


def may_be_dot(text: str) -> Any:
    """Return the match of the head of a DOT text, up to its bracket."""
    return re.match(
        r"(?:\s|//.*\n|#.*\n|/\*.*?\*/)*(?:strict\s+)?(?:di)?graph\b\s*(?:\w+|\"[^\"]*\")?\s*\{",
        text,
        re.DOTALL,
    )


_DOT = re.compile(
    r"\s+|//[^\n]*|#[^\n]*|/\*.*?\*/|(?P<word>\"(?:[^\"\\]|\\.)*\"|[^\W\d]\w*|[-−]?(?:\d+\.?\d*|\.\d+))"
    r"|(?P<mark>->|--|[{}\[\];,=:])",
    re.DOTALL,
)


def read_dot(text: str) -> Found:
    """Read the nodes and edges of DOT, with the values in their labels or in `value`."""
    opened = may_be_dot(text)
    tokens, at = [], opened.end()
    while at < len(text):
        match = _DOT.match(text, at)
        if match is None:
            line = text.count("\n", 0, at) + 1
            raise NotationError(
                f"{text[at : at + 20]!r} in line {line} of DOT; expected a name or ;"
            )
        at = match.end()
        if match.lastgroup:
            tokens.append(match[match.lastgroup])
    graph = Graph("DOT")
    labels: dict[str, dict[str, str]] = {}
    _read_statements(graph, labels, tokens)
    is_numbered = all(
        re.fullmatch(r"(?:n|node|v)?_?\d+", key) and key in labels and "label" in labels[key]
        for key in (*graph.children, *graph.nodes)
    )
    for key, attributes in labels.items():
        _give_label(graph, key, attributes, is_numbered)
    return graph.found()


def _read_statements(graph: Graph, labels: dict[str, dict[str, str]], tokens: list[str]) -> None:
    """Read the statements of DOT up to the last bracket."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token in ("}", ";", ",", "{") or token == "subgraph":
            at += 1
            continue
        groups: list[list[str]] = []
        arrow = True
        while at < len(tokens) and (arrow or tokens[at] in ("->", "--")):
            at += not arrow
            group = []
            if at < len(tokens) and tokens[at] == "{":
                while at < len(tokens) and tokens[at] != "}":
                    group += [] if tokens[at] in "{;," else [unquoted(tokens[at])]
                    at += 1
            elif at < len(tokens):
                group = [unquoted(tokens[at])]
            groups.append(group)
            at += 1
            while at + 1 < len(tokens) and tokens[at] == ":":
                at += 2
            arrow = False
        attributes: dict[str, str] = {}
        if at + 1 < len(tokens) and tokens[at] == "=":
            at += 2  # an attribute of the graph, such as rankdir=LR
            continue
        while at < len(tokens) and tokens[at] == "[":
            while at < len(tokens) and tokens[at] != "]":
                if at + 2 < len(tokens) and tokens[at + 1] == "=":
                    attributes[tokens[at].lower()] = unquoted(
                        tokens[at + 2].replace("\\n", "\n").replace("\\l", "\n")
                    )
                    at += 2
                at += 1
            at += 1
        if len(groups) == 1:
            if token not in ("node", "edge", "graph"):
                labels.setdefault(groups[0][0], {}).update(attributes)
                graph.nodes.setdefault(groups[0][0], {})
            continue
        for parents, below in pairwise(groups):
            for parent in parents:
                graph.add(parent, below)


_SHAPES = ("triangle", "invtriangle", "circle", "box")


def _give_label(graph: Graph, key: str, attributes: dict[str, str], is_numbered: bool) -> None:
    """Give a node of DOT what its attributes say; the score of an inner node is a result, not an
    estimate, where it has a line of its own."""
    node: dict[str, Any] = {}
    shape = attributes.get("shape", "")
    lines = attributes.get("label", "").split("\n")
    if key in graph.children:
        lines = [line for line in lines if not re.match(r"\s*[=≤≥<>]", line)]
    if is_numbered and shape in _SHAPES:  # a file of plyscope
        if key in graph.children or number_in(lines[0]) is None or "value" not in attributes:
            node["name"], lines = lines[0], lines[1:]
        else:
            lines = []
    if label := " ".join(lines).strip():
        node |= label_of(label, f"the label of {key[:40]!r}")
    if key in graph.children and shape in ("triangle", "invtriangle"):
        node.setdefault("side", "max" if shape == "triangle" else "min")
    for word, value in attributes.items():
        meaning = meaning_of(word)
        if meaning == "value" and (number := number_in(value)) is not None:
            graph.give(key, value=number)
        elif meaning == "side" and (side := side_of(value)) is not None and key in graph.children:
            node["side"] = side
    if key not in graph.children:
        node.pop("side", None)
    if is_numbered and "name" not in node:
        node["name"] = None
    graph.give(key, **node)
