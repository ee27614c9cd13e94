"""The text of people's functions, made ready for Numba: what Python allows and Numba does not is
said in other words where there are any."""

from __future__ import annotations

import ast
import inspect
import os
import re
from functools import reduce
from textwrap import dedent
from types import FunctionType
from typing import Any

from plyscope.machine.list_words import ListWords

NO_MOVES = "_no_moves"


def rewritten(
    function: FunctionType, scope: dict[str, Any], helpers: dict[str, Any], is_moves: bool
) -> FunctionType:
    """Return the function in other words, with a scope of its own."""
    closure = inspect.getclosurevars(function).nonlocals if function.__closure__ else {}
    inner = {**function.__globals__, **closure, **scope, **helpers}
    try:
        tree = ast.parse(dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        tree = ast.Module([], [])
    found = next((item for item in tree.body if isinstance(item, ast.FunctionDef)), None)
    if found is None or found.name != function.__name__:
        return FunctionType(
            function.__code__, inner, function.__name__, function.__defaults__, function.__closure__
        )
    found.decorator_list, found.returns = [], None
    for argument in ast.walk(found):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
    found = ListWords(found.body).visit(found)
    known = {*function.__globals__, *function.__code__.co_varnames}
    shown = ast.fix_missing_locations(_Words(is_moves, OF_ONE - known).visit(tree))
    made: dict[str, Any] = {}
    found.args.defaults = []
    exec(compile(shown, inspect.getfile(function), "exec"), made)
    plain = made[function.__name__]
    return FunctionType(plain.__code__, inner, function.__name__, function.__defaults__)


class _Words(ast.NodeTransformer):
    """Says in other words what Numba does not know.

    in Python                        for Numba                  why
    return []  (in `moves`)          return _no_moves()         an empty list has no type
    sum(... for ...), any, tuple     sum([... for ...])         it has no generators
    tuple(x), any(x), max(x), ...    _tuple(x), _any(x), ...    tuples of unknown length are lists
    x[i:j], x + y[i:], (*x, y)       _slice, _joined            the same
    for x in self.lines              for x in _each(self.lines) rows have any length
    bin(x).count("1")                _ones(x)                   it has no texts of numbers

    What lists do is said in other words before (`list_words`).
    """

    def __init__(self, is_moves: bool, of_one: frozenset[str]) -> None:
        self.is_moves, self.of_one = is_moves, of_one

    def visit_Return(self, node: ast.Return) -> Any:
        """Give an empty list of moves its type."""
        self.generic_visit(node)
        if self.is_moves and node.value is not None:
            node.value = self._not_empty(node.value)
        return node

    def _not_empty(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.List | ast.Tuple) and not node.elts:
            return _call(NO_MOVES)
        if isinstance(node, ast.IfExp):
            node.body, node.orelse = self._not_empty(node.body), self._not_empty(node.orelse)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        """Change calls of one argument."""
        self.generic_visit(node)
        if len(node.args) != 1 or node.keywords:
            return node
        (argument,) = node.args
        if isinstance(argument, ast.GeneratorExp):
            argument = node.args[0] = ast.ListComp(argument.elt, argument.generators)
        if isinstance(node.func, ast.Name) and node.func.id in self.of_one:
            return _call(f"_{node.func.id}", argument)
        match node.func:
            case ast.Attribute(ast.Call(ast.Name("bin"), [number]), "count"):
                if isinstance(argument, ast.Constant) and argument.value == "1":
                    return _call("_ones", number)
        return node

    def visit_For(self, node: ast.For) -> Any:
        """Go through tables."""
        self.generic_visit(node)
        node.iter = _each(node.iter)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        """Go through tables."""
        self.generic_visit(node)
        node.iter = _each(node.iter)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """Change slices whose bounds are found when the text runs."""
        self.generic_visit(node)
        cut = node.slice
        if not isinstance(cut, ast.Slice) or not isinstance(node.ctx, ast.Load):
            return node
        if cut.step is not None or (_is_fixed(cut.lower) and _is_fixed(cut.upper)):
            return node
        lower = cut.lower or ast.Constant(0)
        upper = cut.upper or _call("len", node.value)
        return _call("_slice", node.value, lower, upper)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """Change sums of tuples and slices."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Add) and (_is_several(node.left) or _is_several(node.right)):
            return _call("_joined", node.left, node.right)
        return node

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        """Change tuples with stars in them."""
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        if not any(isinstance(item, ast.Starred) for item in node.elts):
            return node
        parts: list[ast.expr] = []
        plain: list[ast.expr] = []
        for item in node.elts:
            if isinstance(item, ast.Starred):
                parts += [ast.Tuple(plain, ast.Load())] * bool(plain)
                parts.append(item.value)
                plain = []
            else:
                plain.append(item)
        parts += [ast.Tuple(plain, ast.Load())] * bool(plain)
        if len(parts) == 1:
            return _call("_tuple", parts[0])
        return reduce(lambda left, right: _call("_joined", left, right), parts)


OF_ONE = frozenset({"tuple", "any", "all", "min", "max"})
"""Builtins that are changed where they are given one thing."""


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _each(node: ast.expr) -> ast.expr:
    return _call("_each", node) if isinstance(node, ast.Attribute | ast.Name) else node


def _is_fixed(bound: ast.expr | None) -> bool:
    """Whether a bound of a slice is written as a number, or not at all."""
    if isinstance(bound, ast.UnaryOp):
        bound = bound.operand
    return bound is None or isinstance(bound, ast.Constant)


def _is_several(node: ast.expr) -> bool:
    """Whether the text shows that this is a tuple or a list."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("_slice", "_tuple", "_joined")
    return isinstance(node, ast.Tuple) or (
        isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
    )


HEADS = ("Failed in nopython", "- Resolution failure", "During:", "<source", "Traceback", "File ")
SAID = (
    (r"Unknown attribute '(\w+)' of type \w+#.*", r"self.\1 is no number, text or list of them"),
    (r"Unknown attribute '(\w+)' of type .*", r"there is no .\1 for what stands before it"),
    (r".*list\(undefined\).*",
     "nothing says what an empty list is a list of, expected such as [0 for _ in range(0)]"),
    (r"non-precise type DictType.*",
     "a dict that is filled here, expected a list, or a dict of the module"),
    (r"The use of yield in a closure.*",
     "a generator expression (... for ...), expected a for loop"),
    (r"Can't unify return type.*", "what it returns is not always of one kind, such as None and 0"),
    (r"Cannot unify (.*) and (.*) for '([\w.]+?)(\.\d+)?', .*", r"'\3' is now \1, now \2"),
    (r"No implementation of function Function\(<[\w-]+ (?:function |class ')?(\w+).*",
     r"\1 of what it is given here is not known to Numba"),
    (r"(Untyped global name|NameError: global name) '(\w+)'.*",
     r"\2 is nothing that Numba knows, expected numbers, tuples, lists and NumPy arrays"),
    (r"name '(\w+)' is not defined.*", r"there is no \1"),
    (r"Use of unsupported opcode \(IMPORT_\w+\).*",
     "an import in the function, expected it at the top of the file"),
    (r"Use of unsupported opcode \((\w+)\).*", r"a statement that Numba does not know (\1)"),
)  # fmt: skip
"""What Numba says, and what people are told."""


def reason(error: Exception) -> str:
    """Return what Numba says, in one line: its innermost message, and the line of people's text."""
    text = re.sub(r"\x1b\[\d*m", "", str(error))
    inner = text.rpartition("raised a specific error:")[2]
    lines = [line.strip().removeprefix("TypingError: ") for line in inner.splitlines()]
    said = next((line for line in lines if line and not line.startswith(HEADS)), "")
    said = said.partition(" Raised from ")[0] or type(error).__name__
    for pattern, words in SAID:
        if re.fullmatch(pattern, said):
            said = re.sub(pattern, words, said)
            break
    return f"{re.sub('#[0-9a-f]+', '', said)[:160]}{_place(inner)}"


def _place(text: str) -> str:
    """Return the first place that Numba names in people's own files, with the function there."""
    for file, line, name in re.findall(r'File "([^"]*)", line (\d+):(?:\s*def (\w+))?', text):
        if not re.search(r"<|(^|/)(numba|plyscope)/", file):
            return f" ({f'{name}, ' if name else ''}line {line} of {os.path.basename(file)})"
    return ""
