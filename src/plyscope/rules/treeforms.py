"""The forms in which people write trees, and which of them a text has.

Each form has a reader that returns *nested objects*: numbers, lists, and dicts with the keys name,
side, value and children. `treetext.node_of` checks these, whatever form they had. A text that fits
two forms with different trees is asked about. Nothing that a text contains is run or opened.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from plyscope.errors import NotationError
from plyscope.rules.treetext import (
    MAX_DEPTH,
    MAX_NODES,
    NAME,
    TreeNode,
    format_node,
    is_flat,
    node_of,
)

MAX_CHARS = 20_000_000
"""The longest text of a tree that is read."""
DECIMAL = r"[+\-−]?(?:\d+(?:\.\d+|/\d+)?|\.\d+)"
UNKNOWN = ("?", "None", "null", "unknown")
"""Texts of an unknown leaf without a name."""


class TreeReading(NamedTuple):
    """A tree that was read, and how."""

    root: TreeNode
    form: str
    """The form of the text, such as `a dict of children`."""
    notes: tuple[str, ...] = ()
    """What of the text is not in the tree."""

    @property
    def how(self) -> str:
        """How the text was read, in a sentence: `read as a dict of children, 7 nodes`."""
        stack, nodes, unknown = [self.root], 0, 0
        while stack:
            node = stack.pop()
            nodes += 1
            unknown += not node.children and node.value is None
            stack += node.children
        more = [f"{unknown} of them of unknown value"] if unknown else []
        return ", ".join((f"read as {self.form}, {nodes:,} nodes", *more, *self.notes))


class _Found(NamedTuple):
    """The nested objects of a text."""

    data: Any
    form: str
    notes: tuple[str, ...] = ()


class _Form(NamedTuple):
    """A form of trees."""

    mark: Callable[[str], Any]
    """Whether a text may have this form."""
    read: Callable[[str], _Found]
    """Reads a text; raises NotationError."""
    is_certain: bool = True
    """Whether nothing but a tree has this mark."""


def find_tree(text: str) -> TreeReading | None:
    """Return the tree of a text; None for a text that is no tree.

    Raises NotationError for a tree with an error, and for a text that can be read as two trees.
    """
    return _find(text)[0]


def read_tree(source: str | Sequence[Any] | dict[Any, Any]) -> TreeReading:
    """Return the tree of a text in any form, of nested lists, or of a dict.

    Raises NotationError, which names the place of the error.
    """
    if not isinstance(source, str):
        found = _of_objects(source)
        return TreeReading(_node(found), found.form, found.notes)
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
        return find_tree(text) is not None
    except NotationError:
        return True


def _find(text: str) -> tuple[TreeReading | None, NotationError | None]:
    """Return the tree of a text, or None and the error of the nearest form, None if none is near.

    Raises NotationError as `find_tree`.
    """
    text = text.strip().lstrip("\ufeff")
    if len(text) > MAX_CHARS:
        raise NotationError(f"tree of {len(text):,} characters; expected at most {MAX_CHARS:,}")
    readings: list[TreeReading] = []
    certain: NotationError | None = None
    possible: NotationError | None = None
    for form in FORMS:
        if not form.mark(text):
            continue
        try:
            found = form.read(text)
            root = _node(found)
        except NotationError as error:
            if form.is_certain or re.search(r"[├└→]|->", text):
                certain = certain or error
            else:
                possible = possible or error
            continue
        if all(reading.root != root for reading in readings):
            readings.append(TreeReading(root, found.form, found.notes))
    if len(readings) > 1:
        both = " or ".join(f"{each.form}, {format_node(each.root)[:40]!r}" for each in readings[:2])
        raise NotationError(
            f"tree {text[:40]!r} can be read as {both}; expected one of these two spellings"
        )
    if readings:
        return readings[0], None
    if certain is not None:
        raise certain
    return None, possible


def _node(found: _Found) -> TreeNode:
    """Return the root of nested objects; raise NotationError for a tree without a known leaf."""
    root = node_of(_bounded(found.data))
    stack = [root]
    while stack:
        node = stack.pop()
        if not node.children and node.value is not None:
            return root
        stack += node.children
    raise NotationError(f"{found.form} without the value of a leaf; expected values, such as D = 3")


def _bounded(data: Any) -> Any:
    """Return the data unchanged; raise NotationError for too many nodes."""
    stack, nodes = [data], 0
    while stack:
        node = stack.pop()
        below = node.get("children") if isinstance(node, dict) else node
        stack += below if isinstance(below, list | tuple) else ()
        nodes += 1
        if nodes + len(stack) > MAX_NODES:
            raise NotationError(f"tree has more than {MAX_NODES:,} nodes; expected fewer")
    return data


# Words, numbers and labels


def _number(text: Any) -> int | Fraction | None:
    """Return the number that a text is, exactly; None for any other text."""
    if not isinstance(text, str) or not re.fullmatch(rf"\s*{DECIMAL}\s*", text):
        return None
    if len(text) > 40 or re.search(r"/0+\s*$", text):
        raise NotationError(f"value {text.strip()[:24]!r} in the tree; expected a shorter number")
    value = Fraction(text.strip().replace("−", "-"))
    return value.numerator if value.denominator == 1 else value


SIDE = {
    **{word: "max" for word in ("max", "maximizer", "maximizing", "maximiser", "maximising", "▲")},
    **{word: "min" for word in ("min", "minimizer", "minimizing", "minimiser", "minimising", "▼")},
    **{word: "chance" for word in ("chance", "avg", "average", "expectation", "random", "exp")},
}
"""The words for the side of a node."""


def _side(text: Any) -> str | None:
    """Return `max`, `min` or `chance` for a word that means it, else None."""
    word = text.strip().lower() if isinstance(text, str) else ""
    return SIDE.get(word) or SIDE.get(re.sub(r"[\s_-]*(?:node|player)$", "", word))


_LABEL = re.compile(
    rf"(?P<name>\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^=:()\[\]{{}}|,;\"]*?)"
    rf"\s*(?:(?:[=:]\s*|\s|[(\[]\s*)(?P<value>{DECIMAL}|\?)\s*[)\]]?)?\s*[:,]?",
)


def _label(text: str, where: str) -> dict[str, Any]:
    """Return the name, side and value in the label of a node: `B`, `D 3`, `D = 3`, `MAX`,
    `A (MAX)`, `7`; raise NotationError for any other text."""
    text, node = text.strip(), dict[str, Any]()
    if (value := _number(text)) is not None:
        return {"value": value}
    if text.rstrip(":") in UNKNOWN:
        return {}
    words = r"(?i:{})".format("|".join(map(re.escape, sorted(SIDE, key=len, reverse=True))))
    for pattern in (
        rf"(?P<side>{words})(?:\s*[:=,]\s*|\s+|$)(?P<rest>.*)",
        rf"(?P<rest>.*?)\s*[(\[,]\s*(?P<side>{words})(?:\s+node)?\s*[)\]]?(?P<end>.*)",
        rf"(?P<rest>.*?)\s*[:=]\s*(?P<side>{words})",
    ):
        if found := re.fullmatch(pattern, text):
            node["side"] = SIDE[found["side"].lower()]
            text = (found["rest"] + found.groupdict().get("end", "")).strip()
            break
    if text and (value := _number(text.lstrip("=: "))) is not None:
        return node | {"value": value}
    found = _LABEL.fullmatch(text)
    if found is None:
        raise NotationError(
            f"{text[:40]!r} in {where}; expected a name, a value, or both, such as D = 3"
        )
    if name := _unquoted(found["name"]):
        node["name"] = name
    if found["value"] not in (None, "?"):
        node["value"] = _number(found["value"])
    return node


def _unquoted(text: str) -> str:
    """Return a name without its quotes."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text


# Children by name: dicts of children, edges, DOT


class _Graph:
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
        if len(self.children) > MAX_NODES:
            raise NotationError(f"tree has more than {MAX_NODES:,} nodes; expected fewer")

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

    def found(self) -> _Found:
        """Return the tree as nested objects; raise NotationError if this is no tree."""
        self._resolve()
        parents: dict[str, str] = {}
        for parent, below in self.children.items():
            for child in below:
                if not isinstance(child, str) or child in UNKNOWN:
                    continue
                if child in parents:
                    by = f"{parents[child][:40]!r} and {parent[:40]!r}"
                    twice = parents[child] == parent
                    raise NotationError(
                        f"node {child[:40]!r} is {'twice a' if twice else 'a'} child of "
                        f"{repr(parent)[:40] if twice else f'both {by}'}; expected a tree, in which"
                        " a node has one parent (write a shared node once for each, with its own "
                        "name)"
                    )
                parents[child] = parent
        keys = [*self.children, *(key for key in self.nodes if key not in self.children)]
        roots = [key for key in keys if key not in parents]
        if not roots or not self.children:
            self._refuse_loop(next(iter(self.children), ""), parents)
        if len(roots) > 1:
            raise NotationError(
                f"{self.form} has {len(roots)} nodes without a parent, {roots[0][:40]!r} and "
                f"{roots[1][:40]!r}; expected one, the root"
            )
        data = self._node(roots[0], 0)
        for key in self.children:
            if key in parents:
                self._refuse_loop(key, parents, roots[0])
        return _Found(data, self.form, tuple(self.notes))

    def _resolve(self) -> None:
        """Replace texts of numbers that name no node by numbers; raise NotationError where a number
        may be a node or a value."""
        known = {*self.children, *self.nodes}
        numbered = [key for key in known if _number(key) is not None]
        for parent, below in self.children.items():
            for index, child in enumerate(below):
                number = _number(child)
                if number is None and isinstance(child, int | Fraction):
                    number = child
                elif number is None:
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
        while (above := parents.get(seen[-1])) is not None and above != root:
            if above in seen:
                way = " → ".join(each[:20] for each in [*seen[seen.index(above) :], above][::-1][:6])
                raise NotationError(
                    f"node {above[:40]!r} is below itself: {way}; expected a tree, without a loop"
                )
            seen.append(above)
            if len(seen) > MAX_DEPTH:
                break

    def _node(self, key: str, depth: int) -> dict[str, Any]:
        if depth > MAX_DEPTH:
            raise NotationError(f"tree is deeper than {MAX_DEPTH}; expected fewer levels")
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


def _read_edges(text: str) -> _Found:
    """Read lines of edges `A B`, `A -> B`, `A,B`, or `A: B C`, and of leaves `D 3` or `D = 3`."""
    graph = _Graph("a list of edges")
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
    graph: _Graph,
    line: str,
    where: str,
    loose: list[tuple[str, int | Fraction]],
    arrows: bool,
) -> None:
    """Read a line of an edge or a leaf; `loose` receives numbers that may be values or leaves."""
    word = r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\s,;:=()\[\]{}\"']+"
    if match := re.fullmatch(rf"({word})\s*(?:=|:=)\s*({DECIMAL})", line):
        graph.give(_unquoted(match[1]), value=_number(match[2]))
        return
    steps = _ARROW.split(line) if _ARROW.search(line) else None
    if steps is None:
        match = re.fullmatch(rf"\(?\s*({word})\s*(?:[:,]|\s)\s*[\[(]?(.*?)[\])]?", line)
        if match is None or (arrows and ":" not in line and _number(match[2]) is None):
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
        groups.append([_unquoted(each) for each in re.findall(word, step)])
    for parents, below in zip(groups, groups[1:], strict=False):
        if len(parents) != 1:
            raise NotationError(f"{line[:40]!r} in {where}; expected one parent, such as A -> B")
        number = _number(below[0]) if len(below) == 1 and len(groups) == 2 else None
        if number is not None and _number(parents[0]) is None:
            loose.append((parents[0], number))
        else:
            graph.add(parents[0], below)


def _may_be_edges(text: str) -> bool:
    """Whether each line has two words or an arrow, and some line names a node."""
    lines = [line for line in text.splitlines() if line.strip()]
    if re.search(r"[├└│╰]", text) or not text:
        return False
    if _ARROW.search(text) and re.search(r"\w\s*['\"]?\s*(?:-+>|→|=>|⟶)|\w\s+--+\s+\w", text):
        return not re.match(r"[\[({<]", text)
    return len(lines) > 1 and all(
        re.match(r"\s*\(?\s*[^\W\d][^\s,:=]*\s*[\s,:=]\s*\S", line) or line.strip()[0] in "#/"
        for line in lines
    )


# Indented texts


_BULLET = re.compile(
    r"(?:[ \t\u00a0│┃]|\|(?![-_─]))*"
    r"(?:(?:[├└╰┣┗]|[|+`\\](?=[-_─]))[─━\-_]*[ \u00a0]*|[*•–+][ ]+|-[ ]+|\d+[.)][ ]+)?"
)


def _read_indented(text: str) -> _Found:
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
        column, node = found.end(), _label(line[found.end() :], f"line {number}")
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
    keys = {node.get("name") for node in _below(tops[0])}
    if "children" in keys:
        raise NotationError(
            "tree is YAML with the key 'children'; expected JSON, or a text whose lines are nodes"
        )
    for node in _below(tops[0]):
        if not node.get("children"):
            node.pop("side", None)
    return _Found(tops[0], "an indented text")


def _below(data: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects of a tree of objects."""
    stack = [data]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            yield node
            stack += node.get("children", ())


def _may_be_indented(text: str) -> Any:
    lines = [line for line in text.splitlines() if line.strip()]
    starts = [_BULLET.match(line).end() for line in lines]  # type: ignore[union-attr]
    plain = not re.search(r"^\s*[\[({<]|[{;]\s*$|->", text, re.MULTILINE)
    return len(lines) > 1 and plain and len(set(starts)) > 1 and starts[0] == min(starts)


# Lists without commas, and the leaves of a uniform tree


def _read_lisp(text: str) -> _Found:
    """Read lists without commas: `((3 5) (2 9))`, `(A (B 3 5) (C 2 9))`, `(max (min 3 5) 4)`."""
    text = re.sub(r";.*", "", text).strip().lstrip("'`")
    tokens = re.findall(r"\"(?:[^\"\\]|\\.)*\"|[()\[\]]|[^\s()\[\]\"]+", text)
    top: list[Any] = []
    stack, closing = [top], []
    for place, token in enumerate(tokens, 1):
        if token in "([":
            stack.append([])
            closing.append(")]"["([".index(token)])
        elif token in ")]":
            if not closing or closing.pop() != token:
                raise NotationError(
                    f"cannot read the tree {text[:60]!r}: found {token!r} as word {place}; "
                    "expected its opening bracket before it"
                )
            below = stack.pop()
            if not below:
                raise NotationError(
                    f"cannot read the tree {text[:60]!r}: found {token!r} as word {place}; "
                    "expected a value or a list before it"
                )
            stack[-1].append(below)
        else:
            word = re.sub(r"^\.(?=[^\W\d])", "", token)  # qtree writes [.A 3 5 ]
            number = _number(word)
            stack[-1].append(_Word(word) if number is None else number)
        if len(stack) > MAX_DEPTH:
            raise NotationError(f"tree is deeper than {MAX_DEPTH}; expected fewer levels")
    if closing or len(top) != 1 or not isinstance(top[0], list):
        found = "the end" if closing else repr(str(top[1] if len(top) > 1 else top)[:20])
        raise NotationError(
            f"cannot read the tree {text[:60]!r}: found {found}; expected "
            f"{f'{closing[-1]!r}' if closing else 'one list'}"
        )
    numbers = [each for each in _lists(top[0]) if any(not _is_list(item) for item in each)]
    is_bare = all(len(each) == 1 or isinstance(each[0], str) for each in numbers)
    _refuse_unknown(top[0])
    return _Found(_of_list(top[0], is_bare and len(numbers) > 1), "lists without commas")


class _Word(str):
    """A word of a text without quotes: `max` is a side, not a name."""

    __slots__ = ()


def _refuse_unknown(data: Any) -> None:
    """Raise NotationError for `(x 5)` beside `(2 9)`: a leaf x of value 5, or two leaves?"""
    ends = [each for each in _lists(data) if each and not any(_is_list(item) for item in each)]
    if all(isinstance(each[0], str) for each in ends):
        return
    for each in ends:
        if len(each) == 2 and str(each[0]) in [*"uvwxyz"] and _is_number(each[1]):
            name, value = map(str, each)
            raise NotationError(
                f"{name} {value} in the tree is a leaf {name} of value {value}, or the unknown leaf "
                f"{name} beside {value}; expected '{name}={value}', or '[?,{value}]'"
            )


def _is_list(data: Any) -> bool:
    return isinstance(data, list | tuple)


def _lists(data: Any) -> Iterator[Any]:
    stack = [data]
    while stack:
        each = stack.pop()
        yield each
        stack += filter(_is_list, each)


def _of_list(data: Any, is_bare: bool = False) -> Any:
    """Return the nested objects of lists that may begin with a name or a side.

    With `is_bare` a list of one number is a leaf.
    """
    if isinstance(data, str):
        number = _number(data)
        return ({} if data in UNKNOWN else {"name": str(data)}) if number is None else number
    if not _is_list(data):
        return data
    head, rest = (data[0], data[1:]) if data and isinstance(data[0], str) else (None, data)
    if head is not None and (_number(head) is not None or head in UNKNOWN):
        head, rest = None, data
    if head is None:
        if is_bare and len(rest) == 1 and not _is_list(rest[0]):
            return _of_list(rest[0])
        return [_of_list(each, is_bare) for each in rest]
    node: dict[str, Any] = {}
    if (side := _side(head)) is not None:
        node["side"] = side
        if len(rest) > 1 and isinstance(rest[0], str) and _number(rest[0]) is None and _is_list(rest[1]):
            node["name"], rest = str(rest[0]), rest[1:]
    else:
        node["name"] = str(head)
    if side is None and len(rest) == 1 and isinstance(rest[0], int | Fraction):
        return node | {"value": rest[0]}
    return node | {"children": [_of_list(each, is_bare) for each in rest]} if rest else node


def _may_be_lisp(text: str) -> Any:
    inner = re.sub(r";.*", "", text).strip().lstrip("'`")
    return (
        inner[:1] in ("(", "[")
        and "," not in inner
        and "=" not in inner
        and re.search(r"[\])]\s*[\[(]|[^\s([]\s+[^\s)\]]", inner)
    )


_SIZES = {"depth": r"depth|height|plies|d", "branching": r"branching(?:\s+factor)?|width|b"}


def _read_flat(text: str) -> _Found:
    """Read the leaves of a uniform tree after its depth and branching: `2 2 / 3 5 2 9`."""
    sizes: dict[str, int] = {}
    rest = text
    for word, pattern in _SIZES.items():
        if found := re.search(rf"(?i)\b(?:{pattern})\s*[=: ]\s*(\d+)[,;]?", rest):
            sizes[word] = int(found[1][:4])
            rest = rest[: found.start()] + " " + rest[found.end() :]
    if not sizes:
        first, _, rest = text.partition("/" if "/" in text else "\n")
        pair = [int(each[:4]) for each in re.findall(r"\d+", first)]
    leaves = [_number(each) for each in re.findall(rf"{DECIMAL}(?![\w.])", rest)]
    if sizes:
        pairs = {
            (depth, width)
            for depth in range(1, 25)
            for width in range(2, len(leaves) + 1)
            if width**depth == len(leaves)
            and sizes.get("depth", depth) == depth
            and sizes.get("branching", width) == width
        }
        wanted = " and ".join(f"{word} {number}" for word, number in sizes.items())
    else:
        pairs = {
            (depth, width)
            for depth, width in (tuple(pair), tuple(pair[::-1]))
            if width > 1 and 0 < depth < 25 and width**depth == len(leaves)
        }
        wanted = f"depth and branching {pair[0]} and {pair[1]}"
    if not pairs:
        raise NotationError(f"{len(leaves)} leaves for a tree of {wanted}; expected as many leaves "
                            "as a uniform tree of this size has, such as 2 2 / 3 5 2 9")
    if len(pairs) > 1:
        both = " or ".join(f"'depth {d} branching {b} / ...'" for d, b in sorted(pairs))
        raise NotationError(f"{len(leaves)} leaves for {wanted} fit two trees; expected {both}")
    ((depth, width),) = pairs
    return _Found(
        _uniform(leaves, width), f"the leaves of a tree of depth {depth} and branching {width}"
    )


def _uniform(leaves: list[Any], width: int) -> Any:
    """Return the nested lists of a uniform tree with these leaves."""
    while len(leaves) > 1:
        leaves = [leaves[at : at + width] for at in range(0, len(leaves), width)]
    return leaves[0]


def _may_be_flat(text: str) -> Any:
    number = r"[+\-−]?\d+(?:\.\d+)?"
    sizes = "|".join(_SIZES.values())
    bare = re.fullmatch(
        rf"\s*\d+[ \t,]+\d+[ \t]*[/\n][\s\[(]*{number}(?:[ \t,;]+{number}){{3,}}[\s\])]*", text
    )
    named = re.search(rf"(?i)\b(?:{sizes})\s*[=: ]\s*\d", text) and re.fullmatch(
        rf"(?i)(?:(?:{sizes}|leaves|values)\b|[=:,;/\s\[\]()]|{number}(?![\d.]))+", text
    )
    return bare or named


def _is_number(data: Any) -> bool:
    return isinstance(data, int | float | Fraction) and not isinstance(data, bool)


# Objects: JSON, Python, XML

KEYS = {
    "name": ("name", "id", "label", "title", "node", "state", "key"),
    "side": ("side", "type", "player", "minimax", "kind", "turn", "role", "nodetype", "minmax"),
    "value": ("value", "score", "utility", "payoff", "val", "v", "eval", "evaluation", "estimate"),
    "children": ("children", "successors", "branches", "kids", "subtrees", "moves", "child"),
    "weights": ("weights", "probabilities"),
    "weight": ("probability", "prob", "weight", "p", "chance"),
    "is_max": ("ismax", "ismaximizing", "maximizing", "ismaxnode", "ismaximizingplayer"),
    "is_min": ("ismin", "isminimizing", "minimizing", "isminnode"),
    "arms": ("left", "middle", "center", "right"),
    "ignored": (
        *("depth", "level", "ply", "x", "y", "alpha", "beta", "pruned", "visited", "cut", "color"),
        *("shape", "comment", "note", "description", "isleaf", "leaf", "terminal", "isterminal"),
        *("parent", "action", "move", "path", "edge"),
    ),
}
"""The keys of a node's object, with other words for them, in small letters and without _ and -."""
MEANING = {word: key for key, words in KEYS.items() for word in words}
_LEAF_WORDS = ("leaf", "terminal", "terminalnode", "leafnode", "end", "outcome")


def _meaning(key: Any) -> str | None:
    return MEANING.get(re.sub(r"[\s_-]", "", str(key)).lower())


def _is_object(data: dict[Any, Any]) -> bool:
    """Whether a dict is the object of a node rather than a dict of children."""
    meanings = {_meaning(key) for key in data}
    return bool(meanings & {"children", "value", "arms"}) and (
        None not in meanings or "children" in data
    )


class _Objects:
    """Translates lists and dicts of other programs to nested objects."""

    def __init__(self) -> None:
        self.ignored: set[str] = set()

    def node(self, data: Any, depth: int = 0) -> Any:
        """Return the nested objects of a node."""
        if depth > MAX_DEPTH:
            raise NotationError(f"tree is deeper than {MAX_DEPTH}; expected fewer levels")
        if isinstance(data, dict):
            if data and not _is_object(data) and depth and len(data) > 1:
                raise NotationError(
                    f"unknown key {str(next(k for k in data if _meaning(k) is None))[:40]!r} in an "
                    "object of the tree; expected name, side, value, children"
                )
            return self._of_object(data, depth)
        if isinstance(data, str) or not _is_list(data):
            return _of_list(data)
        head = data[0] if data else None
        if isinstance(head, str) and _number(head) is None and head not in UNKNOWN:
            if any(isinstance(each, dict) for each in data[1:]):
                return {
                    "name": head,
                    "children": [self.node(each, depth + 1) for each in data[1:]],
                }
            return _of_list(data)
        return [self.node(each, depth + 1) for each in data]

    def _of_object(self, data: dict[Any, Any], depth: int) -> dict[str, Any]:
        node: dict[str, Any] = {}
        below: list[Any] = []
        arms: dict[str, Any] = {}
        for key, value in data.items():
            meaning = _meaning(key)
            if meaning == "children":
                if isinstance(value, dict):
                    value = _named_children(value)
                below += value if _is_list(value) else [] if value is None else [value]
            elif meaning == "arms":
                arms[str(key).lower()] = value
            elif meaning == "name":
                self._name(node, str(key), value)
            elif meaning == "side":
                self._side(node, str(key), value)
            elif meaning in ("is_max", "is_min"):
                if isinstance(value, bool | int):
                    node["side"] = "max" if bool(value) == (meaning == "is_max") else "min"
            elif meaning == "value":
                number = _number(value)
                if value not in (None, *UNKNOWN):
                    node["value"] = value if number is None else number
            elif meaning == "weights" or (meaning == "weight" and depth):
                node[meaning] = value
            elif meaning == "ignored":
                self.ignored.add(str(key))
            else:
                raise NotationError(
                    f"unknown key {str(key)[:40]!r} in {str(node.get('name', 'the tree'))[:40]}; "
                    "expected name, side, value, children"
                )
        below += [arms[arm] for arm in KEYS["arms"] if arms.get(arm) is not None]
        if below:
            node["children"] = [self.node(each, depth + 1) for each in below]
            self._weigh(node)
        elif node.get("side") and str(next((k for k in data if _meaning(k) == "side"), "")) != "side":
            del node["side"]
        return node

    def _name(self, node: dict[str, Any], key: str, value: Any) -> None:
        if value is None:
            return
        number = _number(value)
        if key.lower() == "label" and number is not None:
            node.setdefault("value", number)
        elif key.lower() == "label" and isinstance(value, str) and "name" not in node:
            for word, found in _label(value, "a label").items():
                node.setdefault(word, found)
        elif "name" in node and node["name"] != str(value):
            self.ignored.add(key)
        else:
            node["name"] = str(value) if isinstance(value, int) else value

    def _side(self, node: dict[str, Any], key: str, value: Any) -> None:
        word = re.sub(r"[\s_-]", "", str(value)).lower()
        if (side := _side(str(value))) is not None:
            node["side"] = side
        elif value is None or word in (*_LEAF_WORDS, "inner", "internal", "root", "node", "decision"):
            return
        else:
            raise NotationError(
                f"{key} {str(value)[:40]!r} in {str(node.get('name', 'the tree'))[:40]}; "
                "expected max, min or chance"
            )

    def _weigh(self, node: dict[str, Any]) -> None:
        """Move the probabilities of the children to their parent."""
        below = node["children"]
        weights = [each.pop("weight", None) if isinstance(each, dict) else None for each in below]
        if any(weight is not None for weight in weights):
            node["weights"] = [_number(w) if isinstance(w, str) else w for w in weights]

    def notes(self) -> tuple[str, ...]:
        """What of the objects is not in the tree."""
        return (f"without {', '.join(sorted(self.ignored)[:6])}",) if self.ignored else ()


def _named_children(data: dict[Any, Any]) -> list[Any]:
    """Return the children of an object that holds them by name."""
    named = []
    for key, value in data.items():
        if isinstance(value, dict):
            named.append({"name": str(key)} | value)
        else:
            named.append({"name": str(key), "children" if _is_list(value) else "value": value})
    return named


def _of_objects(data: Any) -> _Found:
    """Return the nested objects of JSON or of Python's lists and dicts."""
    if hasattr(data, "tolist"):
        data = data.tolist()
    if isinstance(data, dict) and not _is_object(data):
        wrapped = next(iter(data.values())) if len(data) == 1 else None
        if isinstance(wrapped, dict) and (_is_object(wrapped) or "nodes" in wrapped):
            return _of_objects(wrapped)
        if "nodes" in data and ({"edges", "links"} & set(data)):
            return _of_nodes_and_edges(data)
        return _of_children(data)
    if _is_list(data) and data and all(map(_is_edge, data)):
        graph = _Graph("a list of edges")
        for parent, child in data:
            graph.add(str(parent), [child])
        return graph.found()
    if _is_list(data) and data and all(isinstance(each, dict) and "parent" in each for each in data):
        return _of_parents(data)
    objects = _Objects()
    found = objects.node(data)
    if _is_list(data):
        _refuse_unknown(data)
        _refuse_flat(found)
    form = "nested objects" if isinstance(data, dict) else "nested lists"
    return _Found(found, form, objects.notes())


def _is_edge(data: Any) -> bool:
    return _is_list(data) and len(data) == 2 and isinstance(data[0], str) and (
        isinstance(data[1], str) and _number(data[1]) is None
    )


def _refuse_flat(data: Any) -> None:
    """Raise NotationError for a bare list of 4, 8, 16, ... numbers, which programs also use for the
    leaves of a binary tree."""
    if _is_list(data) and len(data) >= 4 and is_flat(node_of(data)):
        count = len(data)
        numbers = [str(each) for each in data[:8]] + ["..."] * (count > 8)
        raise NotationError(
            f"list of {count} numbers is one node with {count} leaves, or the leaves of a binary "
            f"tree of depth {count.bit_length() - 1}; expected 'max[{','.join(numbers)}]', or "
            f"'depth {count.bit_length() - 1} / {' '.join(numbers)}'"
        )


def _of_children(
    children: dict[Any, Any], *values: dict[Any, Any], form: str = "a dict of children"
) -> _Found:
    """Return the tree of a dict of children, `{'A': ['B', 'C'], 'B': [3, 5], 'C': [2, 9]}`, and of
    dicts of leaves' values."""
    graph = _Graph(form)

    def enter(key: Any, below: Any) -> None:
        if isinstance(below, str) and _number(below) is None and _side(below) is None:
            raise NotationError(
                f"{below[:40]!r} under {str(key)[:40]!r} in {form}; expected a list of children, or "
                "a value"
            )
        if isinstance(below, dict):
            if below and _is_object(below):
                node = _Objects().node(below, 1)
                graph.add(str(key), node.pop("children", ()))
                graph.give(str(key), **node)
                return
            for child, inner in below.items():
                if inner != {}:
                    enter(child, inner)
            below = [str(child) for child in below]
        if _is_list(below):
            graph.add(str(key), [_child(each) for each in below])
        elif below is not None:
            value = _number(below)
            graph.give(str(key), value=below if value is None else value)

    for key, below in children.items():
        enter(key, below)
    for each in values:
        for key, value in each.items():
            number = _number(value)
            if value is not None and value not in UNKNOWN:
                graph.give(str(key), value=value if number is None else number)
    for key in [key for key, below in graph.children.items() if not below]:
        del graph.children[key]
        graph.nodes.setdefault(key, {})
    return graph.found()


def _child(data: Any) -> Any:
    """Return a child in a dict of children: its name, its value, or nested objects."""
    if isinstance(data, str):
        return str(data)
    if data is None:
        return {}
    if _is_list(data) and len(data) == 2 and isinstance(data[0], str) and _is_list(data[1]):
        return _of_list(data)
    return _Objects().node(data, 1)


def _of_nodes_and_edges(data: dict[str, Any]) -> _Found:
    """Return the tree of an object with a list of nodes and a list of edges."""
    graph = _Graph("nodes and edges")
    objects = _Objects()
    nodes = data["nodes"]
    listed = nodes.items() if isinstance(nodes, dict) else enumerate(nodes)
    for number, node in listed:
        if not isinstance(node, dict):
            graph.nodes.setdefault(str(node), {})
            continue
        key = next((str(node[word]) for word in ("id", "key", "name") if word in node), str(number))
        found = objects.node({word: each for word, each in node.items() if word != "id"} , 1)
        graph.give(key, **found)
    for edge in data.get("edges", data.get("links", ())):
        ends = list(edge) if _is_list(edge) else []
        if isinstance(edge, dict):
            for words in (("from", "source", "parent", "start"), ("to", "target", "child", "end")):
                ends += [edge[word] for word in words if word in edge][:1]
        if len(ends) < 2:
            raise NotationError(f"edge {str(edge)[:40]!r}; expected a parent and a child")
        graph.add(str(ends[0]), [str(ends[1])])
    found = graph.found()
    return found._replace(notes=objects.notes())


def _of_parents(data: Sequence[dict[str, Any]]) -> _Found:
    """Return the tree of a list of objects that name their parents."""
    graph = _Graph("nodes with their parents")
    objects = _Objects()
    for number, node in enumerate(data):
        key = next((str(node[word]) for word in ("id", "key", "name") if word in node), str(number))
        graph.give(key, **objects.node({k: v for k, v in node.items() if k not in ("id", "parent")}, 1))
        if node["parent"] is not None:
            graph.add(str(node["parent"]), [key])
    return graph.found()


def _read_json(text: str) -> _Found:
    """Read JSON; a key that occurs twice in an object is an error."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise NotationError(f"key {twice[:40]!r} is twice in an object; expected it once")
        return found

    def exact(number: str) -> Any:
        return _number(number) if re.fullmatch(DECIMAL, number) else float(number)

    try:
        data = json.loads(text, object_pairs_hook=unique, parse_float=exact, parse_int=exact)
    except (ValueError, RecursionError) as error:
        raise NotationError(
            f"cannot read the tree as JSON: {str(error)[:120]}; "
            "expected nested lists or objects with name, side, value, children"
        ) from None
    return _of_objects(data)


_QUOTED_NAME = re.compile(r'"(?:[^"\\]|\\.)*"\s*[=\[(]')
"""A name in quotes in the compact text."""


def _may_be_json(text: str) -> Any:
    starts = text[:1] in "[{" and '"' in text and not re.search(r"'|\bNone\b", text)
    return starts and not _QUOTED_NAME.search(text)


def _read_xml(text: str) -> _Found:
    """Read the elements of XML as objects; entities and external files are refused."""
    from xml.parsers import expat

    parser = expat.ParserCreate()
    top: dict[str, Any] = {"children": []}
    stack = [top]
    texts: list[list[str]] = [[]]

    def refuse(*what: Any) -> None:
        raise NotationError("tree in XML declares or uses entities; expected elements and texts")

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if len(stack) > 2 * MAX_DEPTH:
            raise NotationError(f"tree is deeper than {MAX_DEPTH}; expected fewer levels")
        element: dict[str, Any] = {"tag": tag, "children": [], **attributes}
        if "children" in attributes or "tag" in attributes:
            raise NotationError(f"attribute 'children' or 'tag' of <{tag[:20]}>; expected elements")
        stack[-1]["children"].append(element)
        stack.append(element)
        texts.append([])

    def end(tag: str) -> None:
        stack.pop()["text"] = "".join(texts.pop()).strip()

    parser.EntityDeclHandler = parser.SkippedEntityHandler = refuse
    parser.ExternalEntityRefHandler = parser.UnparsedEntityDeclHandler = refuse
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler = lambda found: texts[-1].append(found)
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise NotationError(
            f"cannot read the tree as XML: {str(error)[:80]}; expected elements such as "
            '<node><node value="3"/><node value="5"/></node>'
        ) from None
    root = top["children"][0]
    notes = ()
    wrapper = root["tag"].lower()
    if len(root["children"]) == 1 and set(root) == {"tag", "children", "text"} and wrapper in (
        *("tree", "gametree", "game-tree", "game", "root", "document"),
    ) and root["children"][0]["tag"].lower() != wrapper:
        root, notes = root["children"][0], (f"<{root['tag']}> is not a node",)
    objects = _Objects()
    found = objects.node(_of_element(root))
    return _Found(found, "XML", (*notes, *objects.notes()))


def _of_element(element: dict[str, Any]) -> dict[str, Any]:
    """Return the object of an XML element."""
    tag, text = element.pop("tag"), element.pop("text")
    below, node = [], dict[str, Any]()
    for child in element.pop("children"):
        meaning = _meaning(child["tag"])
        plain = not child["children"] and len(child) == 3
        if meaning in ("name", "value", "side", "weight") and plain and child["text"] and (
            child["tag"] not in ("node", "state")
        ):
            node[child["tag"]] = child["text"]
            continue
        if meaning == "children" and child["children"] and len(child) == 3 and child["tag"] != "child":
            below += map(_of_element, child["children"])
        elif meaning == "arms" and len(child["children"]) == 1 and len(child) == 3:
            below.append(_of_element(child["children"][0]))
        else:
            below.append(_of_element(child))
    for key, value in element.items():
        node[key] = value
    if (side := _side(tag)) is not None and below:
        node.setdefault("side", side)
    if text:
        number = _number(text)
        node["value" if number is not None else "name"] = text if number is None else number
    return node | ({"children": below} if below else {})


# Python, which is read and not run

def _read_python(text: str) -> _Found:
    """Read the lists and dicts of a text of Python, by themselves or given to names.

    Nothing is run; other statements are left out.
    """
    try:
        body = ast.parse(text.replace("−", "-")).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        where = f" in line {line}" if line and "\n" in text else ""
        why = getattr(error, "msg", None) or str(error)
        raise NotationError(
            f"cannot read the tree {text[:60]!r}: {why[:80]}{where}; expected lists such as "
            "['A', ['B', 3, 5], ('C', 6)], or a dict such as {'A': ['B', 'C'], 'B': [3, 5], 'C': 2}"
        ) from None
    if len(body) == 1 and isinstance(body[0], ast.Expr):
        return _of_objects(_literal(body[0].value))
    program = _Program()
    for statement in body:
        program.read(statement)
    return program.found()


def _literal(node: ast.expr) -> Any:
    """Return the data of an expression; raise NotationError for one that has to be run."""
    if isinstance(node, ast.List | ast.Tuple):
        return [_literal(each) for each in node.elts]
    if isinstance(node, ast.Dict):
        found: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            name = None if key is None else _literal(key)
            if key is None or not isinstance(name, str | int | Fraction):
                raise _unreadable(key or value)
            if name in found:
                raise NotationError(f"key {str(name)[:40]!r} is twice in a dict; expected it once")
            found[name] = _literal(value)
        return found
    if isinstance(node, ast.Constant) and isinstance(node.value, str | None):
        return node.value
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return _number(repr(node.value)) if abs(node.value) < 10**15 else node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        number = _literal(node.operand)
        if isinstance(number, int | Fraction):
            return -number if isinstance(node.op, ast.USub) else number
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        above, below = _literal(node.left), _literal(node.right)
        if isinstance(above, int | Fraction) and isinstance(below, int | Fraction) and below:
            return _number(str(Fraction(above) / below))
    if isinstance(node, ast.Name):
        return None if node.id in UNKNOWN else _Word(node.id)
    if isinstance(node, ast.Call):
        return _call(node)
    raise _unreadable(node)


def _unreadable(node: ast.expr) -> NotationError:
    return NotationError(
        f"{ast.unparse(node)[:40]!r} in line {node.lineno} is no value, name, list or dict; "
        "expected one of these"
    )


def _call(node: ast.Call) -> Any:
    """Return the object of `max(3, 5)`, `Node('B', [3, 5])`, `Leaf(3)` or `dict(A=[3, 5])`."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name == "dict" and not node.args:
        return {each.arg: _literal(each.value) for each in node.keywords}
    if name in ("list", "tuple", "dict") and len(node.args) == 1 and not node.keywords:
        return _literal(node.args[0])
    if name in ("defaultdict", "OrderedDict") and node.args:
        return _literal(node.args[-1])
    side = _side(name)
    if side is None and not name[:1].isupper():
        raise _unreadable(node)
    found: dict[str, Any] = {} if side is None else {"side": side}
    below: list[Any] = []
    for argument in node.args:
        value = _literal(argument)
        if side is None and isinstance(value, str) and "name" not in found:
            found["name"] = str(value)
        elif side is None and isinstance(value, int | Fraction) and "value" not in found:
            found["value"] = value
        elif _is_list(value) and len(node.args) - bool(found.keys() & {"name", "value"}) == 1:
            below += value
        elif value is not None or side is not None:
            below.append(value)
    for keyword in node.keywords:
        found[str(keyword.arg)] = _literal(keyword.value)
    return found | ({"children": below} if below else {})


class _Program:
    """The trees that a Python file gives to names."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        self.edges: list[tuple[str, Any]] = []
        self.values: dict[str, Any] = {}
        self.skipped = 0

    def read(self, statement: ast.stmt) -> None:
        """Take the data of a statement; count one that has none."""
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets = [statement.target]
        value = getattr(statement, "value", None)
        try:
            for target in targets:
                if isinstance(target, ast.Name):
                    self.names[target.id] = _literal(value)
                elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
                    held = self.names.setdefault(target.value.id, {})
                    held[_literal(target.slice)] = _literal(value)
                elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Subscript):
                    self.values[str(_literal(target.value.slice))] = _literal(value)
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
                self._add(value.func.attr, value)
            elif not targets:
                self.skipped += 1
        except (NotationError, TypeError, AttributeError):
            self.skipped += 1

    def _add(self, method: str, call: ast.Call) -> None:
        """Take the edges or the node of a call of networkx."""
        if method == "add_edge":
            self.edges.append((str(_literal(call.args[0])), _literal(call.args[1])))
        elif method == "add_edges_from":
            self.edges += [(str(parent), child) for parent, child in _literal(call.args[0])]
        elif method == "add_node" and call.keywords:
            for keyword in call.keywords:
                if _meaning(keyword.arg) == "value":
                    self.values[str(_literal(call.args[0]))] = _literal(keyword.value)
        else:
            self.skipped += 1

    def found(self) -> _Found:
        """Return the one tree of the program; raise NotationError for none or several."""
        values = [
            each for each in self.names.values()
            if isinstance(each, dict) and each and all(map(_is_number, each.values()))
        ]
        trees: dict[str, Any] = {}
        for name, each in self.names.items():
            is_dict = isinstance(each, dict) and each and each not in values
            is_list = _is_list(each) and any(_is_list(item) or isinstance(item, dict) for item in each)
            if is_dict or is_list:
                trees[name] = each
        flat = {k: v for k, v in self.names.items() if _is_list(v) and len(v) > 1 and all(map(_is_number, v))}
        if self.edges:
            trees["its edges"] = self.edges
        trees = trees or flat
        if not trees:
            raise NotationError(
                "the Python text gives no tree to a name; expected a literal, such as "
                "tree = [[3, 5], [2, 9]] or tree = {'A': ['B', 'C'], 'B': [3, 5], 'C': [2, 9]}"
            )
        if len(trees) > 1:
            raise NotationError(
                f"the Python text has {len(trees)} trees, {' and '.join(list(trees)[:3])}; "
                "expected one of them alone"
            )
        ((name, data),) = trees.items()
        if data is self.edges or (values and _is_list(data) and all(map(_is_edge, data))):
            children: dict[str, list[Any]] = {}
            for parent, child in data:
                children.setdefault(str(parent), []).append(child)
            found = _of_children(children, self.values, *values, form="a list of edges")
        elif isinstance(data, dict) and not _is_object(data):
            found = _of_children(data, self.values, *values)
        else:
            found = _of_objects(data)
        rest = (f"without {self.skipped} statements that are not run",) if self.skipped else ()
        return found._replace(form=f"Python, {name} = {found.form}", notes=(*found.notes, *rest))


def _may_be_python(text: str) -> Any:
    if _may_be_json(text) or text[:1] == "<" or _may_be_dot(text) or _QUOTED_NAME.search(text):
        return False
    return (
        (text[:1] in "[({" and re.search(r"['\"]|\bNone\b|\b[A-Z]\w*\(", text))
        or text[:1] == "{"
        or re.search(r"^[^\W\d]\w*(?:\s*:[^=\n]+)?\s*=\s*[\[{(]", text, re.MULTILINE)
        or re.search(r"^\w+(?:\[.*\])+\s*=|\.add_edges?(?:_from)?\(", text, re.MULTILINE)
        or re.match(r"[A-Z]\w*\(\s*['\"\w]+\s*[,)]", text)
    )


# DOT and the compact text


def _may_be_dot(text: str) -> Any:
    return re.match(r"(?:\s|//.*\n|#.*\n|/\*.*?\*/)*(?:strict\s+)?(?:di)?graph\b\s*(?:\w+|\"[^\"]*\")?\s*\{", text, re.DOTALL)


_DOT = re.compile(
    r"\s+|//[^\n]*|#[^\n]*|/\*.*?\*/|(?P<word>\"(?:[^\"\\]|\\.)*\"|[^\W\d]\w*|[-−]?(?:\d+\.?\d*|\.\d+))"
    r"|(?P<mark>->|--|[{}\[\];,=:])",
    re.DOTALL,
)


def _read_dot(text: str) -> _Found:
    """Read the nodes and edges of DOT, with the values in their labels or in `value`."""
    opened = _may_be_dot(text)
    tokens, at = [], opened.end()
    while at < len(text):
        match = _DOT.match(text, at)
        if match is None:
            line = text.count("\n", 0, at) + 1
            raise NotationError(f"{text[at:at + 20]!r} in line {line} of DOT; expected a name or ;")
        at = match.end()
        if match.lastgroup:
            tokens.append(match[match.lastgroup])
    graph = _Graph("DOT")
    labels: dict[str, dict[str, str]] = {}
    _read_statements(graph, labels, tokens)
    is_numbered = all(
        re.fullmatch(r"(?:n|node|v)?_?\d+", key) and key in labels and "label" in labels[key]
        for key in (*graph.children, *graph.nodes)
    )
    for key, attributes in labels.items():
        _give_label(graph, key, attributes, is_numbered)
    return graph.found()


def _read_statements(
    graph: _Graph, labels: dict[str, dict[str, str]], tokens: list[str]
) -> None:
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
                    group += [] if tokens[at] in "{;," else [_unquoted(tokens[at])]
                    at += 1
            elif at < len(tokens):
                group = [_unquoted(tokens[at])]
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
                    attributes[tokens[at].lower()] = _unquoted(
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
        for parents, below in zip(groups, groups[1:], strict=False):
            for parent in parents:
                graph.add(parent, below)


_SHAPES = ("triangle", "invtriangle", "circle", "box")


def _give_label(
    graph: _Graph, key: str, attributes: dict[str, str], is_numbered: bool
) -> None:
    """Give a node of DOT what its attributes say; the score of an inner node is a result, not an
    estimate, where it has a line of its own."""
    node: dict[str, Any] = {}
    shape = attributes.get("shape", "")
    lines = attributes.get("label", "").split("\n")
    if key in graph.children:
        lines = [line for line in lines if not re.match(r"\s*[=≤≥<>]", line)]
    if is_numbered and shape in _SHAPES:  # a file of plyscope
        if key in graph.children or _number(lines[0]) is None or "value" not in attributes:
            node["name"], lines = lines[0], lines[1:]
        else:
            lines = []
    if label := " ".join(lines).strip():
        node |= _label(label, f"the label of {key[:40]!r}")
    if key in graph.children and shape in ("triangle", "invtriangle"):
        node.setdefault("side", "max" if shape == "triangle" else "min")
    for word, value in attributes.items():
        meaning = _meaning(word)
        if meaning == "value" and (number := _number(value)) is not None:
            node["value"] = number
        elif meaning == "side" and (side := _side(value)) is not None and key in graph.children:
            node["side"] = side
    if key not in graph.children:
        node.pop("side", None)
    if is_numbered and "name" not in node:
        node["name"] = None
    graph.give(key, **node)


_TOKEN = re.compile(
    rf"\s*(?:(?P<number>[+\-−]?(?:\d+(?:\.\d+|/\d+)?|\.\d+)(?![\d.\w]))|(?P<unknown>\?)"
    rf"|(?P<side>(?i:max|min|chance|avg)(?![\w']))|(?P<name>{NAME}|\"(?:[^\"\\]|\\.)+\")"
    r"|(?P<mark>[\[\](),=:]))"
)


class _Compact:
    """A recursive-descent parser of the nested and the compact text of a tree."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.nodes = text, 0, 0

    def read(self) -> Any:
        node = self._node(0)
        if self.text[self.at :].strip():
            raise self._error("the end of the tree")
        return node

    def _error(self, expected: str) -> NotationError:
        rest = self.text[self.at :].lstrip()
        place = len(self.text) - len(rest) + 1
        found = f"{rest[:12]!r} at place {place}" if rest else "the end"
        return NotationError(
            f"cannot read the tree {self.text[:60]!r}: found {found}; expected {expected}"
        )

    def _take(self, kind: str, text: str = "") -> str | None:
        match = _TOKEN.match(self.text, self.at)
        if match is None or match.lastgroup != kind or (text and match[kind] not in text):
            return None
        self.at = match.end()
        return match[kind]

    def _node(self, depth: int) -> Any:
        """Return the object of a node and all nodes below it."""
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise NotationError(
                f"tree has more than {MAX_DEPTH} levels or {MAX_NODES:,} nodes; expected fewer"
            )
        node: dict[str, Any] = {}
        if (side := self._take("side")) is not None:
            node["side"] = _side(side)
        if (name := self._take("name")) is not None:
            node["name"] = _unquoted(name)
        is_unknown = name is not None and name[0] != '"'
        if name is None or self._take("mark", "="):
            if (number := self._take("number")) is not None:
                node["value"] = _number(number)
            elif self._take("unknown"):
                is_unknown = True
        if self._take("mark", "[("):
            self._children(node, depth)
        elif ("value" not in node and not is_unknown) or side is not None:
            raise self._error("a value or '['" if side is None else "'['")
        if node.get("name") in UNKNOWN and is_unknown and "value" not in node:
            del node["name"]
        return node["value"] if set(node) == {"value"} else node

    def _children(self, node: dict[str, Any], depth: int) -> None:
        """Read the children of a node, with the weights of a chance node's."""
        below: list[Any] = []
        weights: list[Any] = []
        while True:
            start, weight = self.at, self._take("number")
            if weight is not None and self._take("mark", ":"):
                weights.append(_number(weight))
            else:
                self.at = start
            below.append(self._node(depth + 1))
            if self._take("mark", "])"):
                break
            if not self._take("mark", ","):
                raise self._error("',' or ']'")
        node["children"] = below
        if weights:
            node["weights"] = weights


def _read_compact(text: str) -> _Found:
    data = _Compact(text).read()
    is_plain = isinstance(data, dict) and set(data) == {"children"}
    if is_plain:
        _refuse_flat(data["children"])
    return _Found(data, "nested lists")


def _may_be_compact(text: str) -> Any:
    if _may_be_lisp(text) or _may_be_python(text) or _may_be_json(text):
        return False
    return re.match(rf"\s*(?:(?i:max|min|chance|avg)\b|\"|{NAME}|)\s*[^\[(\n]*[\[(]", text)


FORMS = (
    _Form(lambda text: text[:1] == "<", _read_xml),
    _Form(_may_be_dot, _read_dot),
    _Form(_may_be_json, _read_json),
    _Form(_may_be_python, _read_python),
    _Form(_may_be_lisp, _read_lisp),
    _Form(_may_be_compact, _read_compact),
    _Form(_may_be_flat, _read_flat),
    _Form(_may_be_edges, _read_edges, is_certain=False),
    _Form(_may_be_indented, _read_indented, is_certain=False),
)
