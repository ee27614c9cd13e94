"""Trees as lists: the compact text, Lisp, and the leaves of a uniform tree."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from plyscope.errors import NotationError
from plyscope.rules.notation import Ambiguous
from plyscope.rules.treeforms.words import (
    DECIMAL,
    NAME,
    SIDES,
    UNKNOWN,
    Found,
    Word,
    all_lists,
    check_count,
    check_depth,
    is_list,
    is_number,
    number_in,
    number_or_self,
    side_of,
    unquoted,
)

UNKNOWN_LEAVES = frozenset("uvwxyz")
"""Usual names of leaves of unknown value."""


def of_list(data: Any, is_bare: bool = False, is_named: bool = False) -> Any:
    """Return the nested objects of lists that may begin with a name or a side.

    With `is_bare` a list of one number is a leaf, with `is_named` a word after a side is a name.
    """
    if isinstance(data, str):
        is_name = number_in(data) is None
        return {} if data in UNKNOWN else {"name": str(data)} if is_name else number_in(data)
    if not is_list(data):
        return data
    head, rest = (data[0], data[1:]) if data and isinstance(data[0], str) else (None, data)
    if head is not None and (number_in(head) is not None or head in UNKNOWN):
        head, rest = None, data
    if head is None:
        if is_bare and len(rest) == 1 and not is_list(rest[0]):
            return of_list(rest[0])
        return [of_list(each, is_bare, is_named) for each in rest]
    node: dict[str, Any] = {}
    if (side := side_of(head)) is not None:
        node["side"] = side
        is_word = bool(rest) and isinstance(rest[0], str) and number_in(rest[0]) is None
        if has_name(data) or (is_named and is_word and rest[0] not in UNKNOWN_LEAVES):
            node["name"], rest = str(rest[0]), rest[1:]
    else:
        node["name"] = str(head)
    if side is None and len(rest) == 1 and isinstance(rest[0], int | Fraction):
        return node | {"value": rest[0]}
    if is_pair(data):
        rest = rest[0]
    return (
        node | {"children": [of_list(each, is_bare, is_named) for each in rest]} if rest else node
    )


def has_name(data: Any) -> bool:
    """Return whether a list begins with a side, a name and a list: `(max A (min 3 5) 4)`."""
    words = [isinstance(each, str) and number_in(each) is None for each in data[:3]]
    return words == [True, True, False] and side_of(data[0]) is not None and is_list(data[2])


def is_pair(data: Any) -> bool:
    """Return whether a list is a name and a list of all children, `('A', [3, 5])`.

    It is not the only child, `['A', ['B', 3, 5]]`, which begins with its own name.
    """
    return (
        is_list(data)
        and len(data) == 2
        and isinstance(data[0], str)
        and is_list(data[1])
        and bool(data[1])
        and not isinstance(data[1][0], str)
    )


def refuse_unknown(data: Any) -> None:
    """Raise NotationError for `(x 5)` beside `(2 9)`: a leaf x of value 5, or two leaves?"""
    ends = [each for each in all_lists(data) if each and not any(is_list(item) for item in each)]
    if all(isinstance(each[0], str) for each in ends):
        return
    for each in ends:
        if len(each) == 2 and str(each[0]) in UNKNOWN_LEAVES and is_number(each[1]):
            name, value = map(str, each)
            raise Ambiguous(
                f"{name} {value} in the tree is a leaf {name} of value {value}, or the unknown "
                f"leaf {name} beside {value}; expected '{name}={value}', or '[?,{value}]'"
            )


def read_lisp(text: str) -> Found:
    """Read lists without commas: `((3 5) (2 9))`, `(A (B 3 5) (C 2 9))`, `(max (min 3 5) 4)`."""
    text = re.sub(r";.*", "", text).strip().lstrip("'`")
    tokens = re.findall(r"\"(?:[^\"\\]|\\.)*\"|[()\[\]]|[^\s()\[\]\"]+", text)
    top: list[Any] = []
    stack, closing = [top], []

    def wrong(found: str, expected: str) -> NotationError:
        return NotationError(
            f"cannot read the tree {text[:60]!r}: found {found}; expected {expected}"
        )

    for place, token in enumerate(tokens, 1):
        where = f"{token!r} as word {place}"
        if token == ".":
            raise wrong(f"{where}, a pair of Lisp", "lists")
        if token in "([":
            stack.append([])
            closing.append(")]"["([".index(token)])
        elif token in ")]":
            if not closing or closing.pop() != token:
                raise wrong(where, "its opening bracket before it")
            below = stack.pop()
            if not below:
                raise wrong(where, "a value or a list before it")
            stack[-1].append(below)
        else:
            word = re.sub(r"^\.(?=[^\W\d])", "", token)  # qtree writes [.A 3 5 ]
            stack[-1].append(number_or_self(Word(word)))
        check_depth(len(stack))
    if closing or len(top) != 1 or not isinstance(top[0], list):
        found = "the end" if closing else repr(str(top[1] if len(top) > 1 else top)[:20])
        raise wrong(found, repr(closing[-1]) if closing else "one list")
    numbers = [each for each in all_lists(top[0]) if any(not is_list(item) for item in each)]
    is_bare = all(len(each) == 1 or isinstance(each[0], str) for each in numbers)
    refuse_unknown(top[0])
    of_sides = [each[1:2] for each in all_lists(top[0]) if side_of(each[0]) is not None]
    are_words = all(isinstance(each, Word) for second in of_sides for each in second)
    is_named = any(map(has_name, all_lists(top[0]))) or (are_words and len(of_sides) > 1)
    return Found(of_list(top[0], is_bare and len(numbers) > 1, is_named), "lists without commas")


def may_be_lisp(text: str) -> Any:
    """Return whether a text has lists without commas."""
    inner = re.sub(r";.*", "", text).strip().lstrip("'`")
    return (
        inner[:1] in ("(", "[")
        and "," not in inner
        and "=" not in inner
        and re.search(r"[\])]\s*[\[(]|[^\s([]\s+[^\s)\]]", inner)
    )


_SIZES = {"depth": r"depth|height|plies|d", "branching": r"branching(?:\s+factor)?|width|b"}


def read_flat(text: str) -> Found:
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
    leaves = [number_in(each) for each in re.findall(rf"{DECIMAL}(?![\w.])", rest)]
    wanted = " and ".join(f"{word} {number}" for word, number in sizes.items())
    uniform = ((depth, round(len(leaves) ** (1 / depth))) for depth in range(1, 25))
    pairs = [(depth, width) for depth, width in uniform if width**depth == len(leaves) > 1]
    if sizes:
        given = sizes.get("depth"), sizes.get("branching")
        pairs = [(d, b) for d, b in pairs if given in ((d, b), (d, None), (None, b))]
    else:
        wanted = f"depth and branching {pair[0]} and {pair[1]}"
        pairs = [each for each in pairs if sorted(each) == sorted(pair)]
    if not pairs:
        raise NotationError(
            f"{len(leaves)} leaves for a tree of {wanted}; expected as many leaves "
            "as a uniform tree of this size has, such as 2 2 / 3 5 2 9"
        )
    if len(pairs) > 1:
        both = " or ".join(f"'depth {d} branching {b} / ...'" for d, b in pairs)
        raise Ambiguous(f"{len(leaves)} leaves for {wanted} fit two trees; expected {both}")
    ((depth, width),) = pairs
    return Found(
        _uniform(leaves, width), f"the leaves of a tree of depth {depth} and branching {width}"
    )


def _uniform(leaves: list[Any], width: int) -> Any:
    """Return the nested lists of a uniform tree with these leaves."""
    while len(leaves) > 1:
        leaves = [leaves[at : at + width] for at in range(0, len(leaves), width)]
    return leaves[0]


def may_be_flat(text: str) -> Any:
    """Return whether a text has two sizes, or words for them, and then numbers."""
    number = r"[+\-−]?\d+(?:\.\d+)?"
    sizes = "|".join(_SIZES.values())
    bare = re.fullmatch(
        rf"\s*\d+[ \t,]+\d+[ \t]*[/\n][\s\[(]*{number}(?:[ \t,;]+{number}){{3,}}[\s\])]*", text
    )
    named = re.search(rf"(?i)\b(?:{sizes})\s*[=: ]\s*\d", text) and re.fullmatch(
        rf"(?i)(?:(?:{sizes}|leaves|values)\b|[=:,;/\s\[\]()]|{number}(?![\d.]))+", text
    )
    return bare or named


_TOKEN = re.compile(
    rf"\s*(?:(?P<number>[+\-−]?(?:\d+(?:\.\d+|/\d+)?|\.\d+)(?![\d.\w]))|(?P<unknown>\?)"
    rf"|(?P<side>{SIDES}(?![\w']))|(?P<name>{NAME}|\"(?:[^\"\\]|\\.)+\")"
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
        check_depth(depth)
        check_count(self.nodes)
        node: dict[str, Any] = {}
        if (side := self._take("side")) is not None:
            node["side"] = side_of(side)
        if (name := self._take("name")) is not None:
            node["name"] = unquoted(name)
        is_unknown = name is not None and name[0] != '"'
        if name is None or self._take("mark", "="):
            before = self.text[max(0, self.at - 4) : self.at]
            if (number := self._take("number")) is not None:
                if re.fullmatch(r"0\d\d", number) and (begin := re.search(r"\d+,$", before)):
                    raise Ambiguous(
                        f"{begin[0] + number!r} in the tree is one number or two; "
                        f"expected it without ',', or {int(number)} for {number}"
                    )
                node["value"] = number_in(number)
            elif self._take("unknown"):
                is_unknown = True
        if (mark := self._take("mark", "[(")) is not None:
            self._children(node, depth)
            below = node["children"]
            is_one = mark == "(" and len(node) == len(below) == 1 and isinstance(below[0], dict)
            if is_one and set(below[0]) == {"children"} and len(below[0]["children"]) > 1:
                return below[0]  # Python's brackets around a list
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
                weights.append(number_in(weight))
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


def read_compact(text: str) -> Found:
    """Read the nested and the compact text."""
    return Found(_Compact(text).read(), "nested lists")


QUOTED_NAME = re.compile(r'"(?:[^"\\]|\\.)*"\s*[=\[(]')
"""A name in quotes in the compact text."""
