"""Lists and dicts in a text of Python, which is read and never run."""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from typing import Any

from plyscope.errors import NotationError
from plyscope.rules.treeforms.graphs import may_be_dot
from plyscope.rules.treeforms.lists import QUOTED_NAME
from plyscope.rules.treeforms.objects import (
    is_edge,
    is_object,
    may_be_json,
    of_children,
    of_objects,
)
from plyscope.rules.treeforms.words import (
    UNKNOWN,
    Found,
    Word,
    is_list,
    is_number,
    meaning_of,
    number_in,
    side_of,
)


def read_python(text: str) -> Found:
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
        return of_objects(_literal(body[0].value))
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
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bool | None):
        return node.value
    if isinstance(node, ast.Constant) and is_number(node.value):
        return number_in(repr(node.value)) if len(repr(node.value)) < 30 else node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        number = _literal(node.operand)
        if isinstance(number, int | Fraction):
            return -number if isinstance(node.op, ast.USub) else number
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        above, below = _literal(node.left), _literal(node.right)
        if isinstance(above, int | Fraction) and isinstance(below, int | Fraction) and below:
            return number_in(str(Fraction(above) / below))
    if isinstance(node, ast.Name):
        return None if node.id in UNKNOWN else Word(node.id)
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
    side = side_of(name)
    if side is None and not name[:1].isupper():
        raise _unreadable(node)
    found: dict[str, Any] = {} if side is None else {"side": side}
    below: list[Any] = []
    for number, argument in enumerate(node.args):
        value = _literal(argument)
        is_first = number == (0 if side else len(found))
        if side is None and isinstance(value, Word) and side_of(value) is not None:
            found["side"] = side_of(value)  # Node(MAX, ...)
        elif side is None and isinstance(value, str) and "name" not in found:
            found["name"] = str(value)
        elif side is None and isinstance(value, int | Fraction) and "value" not in found:
            found["value"] = value
        elif is_list(value) and is_first and number == len(node.args) - 1:
            below += value  # all children, after the side, the name and the value
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
        value: Any = getattr(statement, "value", None)
        try:
            for target in targets:
                if isinstance(target, ast.Name):
                    self.names[target.id] = _literal(value)
                elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
                    held = self.names.setdefault(target.value.id, {})
                    held[_literal(target.slice)] = _literal(value)
                elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Subscript):
                    self.values[str(_literal(target.value.slice))] = _literal(value)
                else:
                    self.skipped += 1
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
                self._add(value.func.attr, value)
            elif not targets:
                self.skipped += 1
        except (NotationError, TypeError, ValueError, AttributeError, IndexError):
            self.skipped += 1

    def _add(self, method: str, call: ast.Call) -> None:
        """Take the edges or the node of a call of networkx."""
        if method == "add_edge":
            self.edges.append((str(_literal(call.args[0])), _literal(call.args[1])))
        elif method == "add_edges_from":
            self.edges += [(str(parent), child) for parent, child in _literal(call.args[0])]
        elif method == "add_node" and call.keywords:
            for keyword in call.keywords:
                if meaning_of(keyword.arg) == "value":
                    self.values[str(_literal(call.args[0]))] = _literal(keyword.value)
        else:
            self.skipped += 1

    def found(self) -> Found:
        """Return the one tree of the program; raise NotationError for none or several."""
        dicts = [each for each in self.names.values() if isinstance(each, dict) and each]
        values = [each for each in dicts if all(map(is_number, each.values()))]
        trees: dict[str, Any] = {}
        for name, each in self.names.items():
            is_dict = isinstance(each, dict) and each and each not in values
            nests = is_list(each) and any(is_list(item) or isinstance(item, dict) for item in each)
            if is_dict or nests:
                trees[name] = each
        lists = {name: each for name, each in self.names.items() if is_list(each)}
        flat = {k: v for k, v in lists.items() if len(v) > 1 and all(map(is_number, v))}
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
        if data is self.edges or (values and is_list(data) and all(map(is_edge, data))):
            children: dict[str, list[Any]] = {}
            for parent, child in data:
                children.setdefault(str(parent), []).append(child)
            found = of_children(children, self.values, *values, form="a list of edges")
        elif isinstance(data, dict) and not is_object(data):
            found = of_children(data, self.values, *values)
        else:
            found = of_objects(data)
        several = "s that are" if self.skipped > 1 else " that is"
        rest = (f"without {self.skipped} statement{several} not run",) if self.skipped else ()
        return found._replace(form=f"Python, {name} = {found.form}", notes=(*found.notes, *rest))


def may_be_python(text: str) -> Any:
    """Return whether a text has the quotes, names or calls of Python."""
    if may_be_json(text) or text[:1] == "<" or may_be_dot(text) or QUOTED_NAME.search(text):
        return False
    return (
        (text[:1] in "[({" and re.search(r"['\"]|\bNone\b|\b[A-Z]\w*\(", text))
        or text[:1] == "{"
        or re.search(r"^[^\W\d]\w*(?:\s*:[^=\n]+)?\s*=\s*[\[{(]", text, re.MULTILINE)
        or re.search(r"^\w+ = (?:dict|defaultdict|OrderedDict)\(", text, re.MULTILINE)
        or re.search(r"^\w+(?:\[.*\])+\s*=|\.add_edges?(?:_from)?\(", text, re.MULTILINE)
        or re.match(r"[A-Z]\w*\(\s*(?:['\"\w]+\s*[,)]|\[|\w+\s*=\s*[\[{(A-Z])", text)
        or (re.search(r"\b(?:max|min)\(\s*[\[(]", text) and not re.search(r"\w\[", text))
    )
