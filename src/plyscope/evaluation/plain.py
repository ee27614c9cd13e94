"""Functions of plain Python, rewritten into what the compiler of heuristics knows.

    plain Python                                 what becomes of it
    sum(x for ...), any(...), all(...)           a function of its own with a loop
    min(x for ...), max, sorted, list, tuple     the same of a list
    TABLE[key], TABLE.get(key, default)          a loop over its entries, for a dict of the module
    a list of the module                         a tuple, or an array

What grows a list or counts in it is rewritten first (`machine/list_words.py`). Nothing else is
touched. Whoever compiles the rewritten function tries out whether it still answers the same.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable
from contextlib import suppress
from types import FunctionType
from typing import Any

from plyscope.evaluation.syntax import NoSyntax, syntax_of
from plyscope.machine.list_words import ListWords

LOOPS = {
    "sum": ("total = 0", "total += {value}", "return total"),
    "any": ("pass", "if {value}: return True", "return False"),
    "all": ("pass", "if not ({value}): return False", "return True"),
}
"""Before the loop, in it, and after it."""
OF_LISTS = ("min", "max", "sorted", "list", "tuple", "set", "enumerate", "len")
MOST_ENTRIES = 200
"""Of a dict that is looked through from the first entry to the last."""
LONGEST_TUPLE = 16
"""Of a list that becomes a tuple: the compiler takes long over longer ones."""


def for_compiler(function: Any) -> Any:
    """Return what `function` does in words that the compiler knows, itself where that is the same
    or its text cannot be had."""
    return _Rewriting().function(function)


class _Rewriting:
    """Rewrites a function and the plain ones of its module that it calls, each once."""

    def __init__(self) -> None:
        self.done: dict[Any, Any] = {}

    def function(self, function: Any) -> Any:
        """Return the function rewritten."""
        if not isinstance(function, FunctionType):
            return function
        if function not in self.done:
            self.done[function] = function  # where it calls itself
            with suppress(NoSyntax, ValueError):
                self.done[function] = self._rewritten(function)
        return self.done[function]

    def _rewritten(self, function: FunctionType) -> Any:
        free = _closure(function)
        scope = {**function.__globals__, **free}
        node = syntax_of(function)
        ast.increment_lineno(node, function.__code__.co_firstlineno - 1)
        name = "_answer_" if isinstance(node, ast.Lambda) else node.name
        body: list[ast.stmt] = (
            [ast.Return(node.body)] if isinstance(node, ast.Lambda) else node.body
        )
        lists, lifter = ListWords(body), _Lifter(function, scope)
        body = [lifter.visit(lists.visit(statement)) for statement in body]
        parts = (each for part in (*body, *lifter.made) for each in ast.walk(part))
        read = {each.id for each in parts if isinstance(each, ast.Name)}
        changed = bool(lists.changed or lifter.made or free)
        for key in sorted(read & scope.keys()):
            value = scope[key]
            scope[key] = self.function(value) if isinstance(value, FunctionType) else _frozen(value)
            changed |= scope[key] is not value
        if not changed:
            return function
        module = ast.parse(f"def {name}({', '.join(_names(node.args))}): pass")
        outer = module.body[0]
        assert isinstance(outer, ast.FunctionDef)
        outer.body = body
        module.body = [*lifter.made, ast.copy_location(outer, node)]
        file = function.__code__.co_filename  # with its lines, for what the compiler complains of
        exec(compile(ast.fix_missing_locations(module), file, "exec"), scope)
        made = scope[name]
        made.__defaults__ = function.__defaults__
        return made


def _closure(function: FunctionType) -> dict[str, Any]:
    """Return the values of the names that a function has from the functions around it."""
    cells = function.__closure__ or ()
    named = zip(function.__code__.co_freevars, cells, strict=True)
    return {name: cell.cell_contents for name, cell in named}


def _names(arguments: ast.arguments) -> list[str]:
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
        raise NoSyntax
    return [each.arg for each in (*arguments.posonlyargs, *arguments.args)]


def _frozen(value: Any) -> Any:
    """Return a list as what the compiler knows: a tuple, a long one of numbers as an array."""
    if not isinstance(value, list):
        return value
    if len(value) <= LONGEST_TUPLE and not any(isinstance(part, list) for part in value):
        return tuple(value)
    array = _array(value)
    return value if array is None else array


def _array(values: Any) -> Any:
    """Return numbers, or rows of them, as a NumPy array; None where they are none."""
    import numpy

    try:
        array = numpy.array(values)
    except (ValueError, OverflowError):  # rows of different lengths
        return None
    return array if array.dtype.kind in "ifb" and array.size else None


def _bound(node: ast.ListComp | ast.GeneratorExp) -> set[str]:
    """Return the names that the loops of a comprehension bind."""
    targets = (each for loop in node.generators for each in ast.walk(loop.target))
    return {each.id for each in targets if isinstance(each, ast.Name)}


def _of_lines(lines: Iterable[str], place: ast.expr) -> list[ast.stmt]:
    """Return the syntax of some lines, as if they stood where `place` does."""
    parsed = ast.parse("\n".join(lines))
    for each in ast.walk(parsed):
        if hasattr(each, "lineno"):
            each.lineno = each.end_lineno = place.lineno  # type: ignore[attr-defined]
    return parsed.body


class _Lifter(ast.NodeTransformer):
    """Writes generator expressions, and what is looked up in dicts, as functions with a loop."""

    def __init__(self, function: FunctionType, scope: dict[str, Any]) -> None:
        code = function.__code__
        self.local = {*code.co_varnames, *code.co_cellvars}
        """The names that are not those of the module."""
        self.scope = scope
        self.made: list[ast.stmt] = []

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        """Look within, where the names of the loops are local."""
        outer, self.local = self.local, self.local | _bound(node)
        inner = self.generic_visit(node)
        self.local = outer
        return inner

    visit_SetComp = visit_DictComp = visit_ListComp  # type: ignore[assignment]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Rewrite `sum(... for ...)` and its like, and `TABLE.get(key)`."""
        match node:
            case ast.Call(ast.Name(name), [ast.GeneratorExp() as made], []) if (
                name in LOOPS and self._is_builtin(name)
            ):
                return self._loop(name, made)
            case ast.Call(ast.Name(name), [ast.GeneratorExp(element, loops), *more], keywords) if (
                name in OF_LISTS and self._is_builtin(name)
            ):
                made_list = ast.ListComp(element, loops)
                return self.visit_Call(
                    ast.Call(ast.Name(name, ast.Load()), [made_list, *more], keywords)
                )
            case ast.Call(ast.Attribute(ast.Name(name), "get"), [key, default], []) if (
                self._is_table(name)
            ):
                return self._lookup(name, [key, default])
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Rewrite `TABLE[key]`."""
        match node:
            case ast.Subscript(ast.Name(name), key, ast.Load()) if self._is_table(name):
                return self._lookup(name, [key])
        return self.generic_visit(node)

    def _is_builtin(self, name: str) -> bool:
        return name not in self.local and self.scope.get(name, getattr(builtins, name)) is getattr(
            builtins, name
        )

    def _is_table(self, name: str) -> bool:
        """Whether the name is a dict of the module: numbers by numbers, or by tuples of them."""
        table = None if name in self.local else self.scope.get(name)
        if not isinstance(table, dict) or not table or len(table) > MOST_ENTRIES:
            return False
        keys, values = _array(list(table)), _array(list(table.values()))
        return (
            keys is not None
            and values is not None
            and (keys.dtype.kind, values.ndim) == ("i", 1)
            and keys.ndim == (2 if isinstance(next(iter(table)), tuple) else 1)
        )

    def _lookup(self, table: str, given: list[ast.expr]) -> ast.expr:
        """Return a call of a new function that looks a key up in a dict of the module."""
        name = f"_{table}_{len(self.made)}"
        keys, values = list(self.scope[table]), list(self.scope[table].values())
        self.scope[f"{name}_keys"], self.scope[f"{name}_values"] = _array(keys), _array(values)
        same = f"{name}_keys[at] == key"
        if isinstance(keys[0], tuple):
            places = range(len(keys[0]))
            same = " and ".join(f"{name}_keys[at, {place}] == key[{place}]" for place in places)
        last = "return default" if len(given) > 1 else f"raise KeyError({table!r})"
        lines = (
            f"def {name}({', '.join(('key', 'default')[: len(given)])}):",
            f"    for at in range({len(keys)}):",
            f"        if {same}:",
            f"            return {name}_values[at]",
            f"    {last}",
        )
        self.made += _of_lines(lines, given[0])
        arguments = [self.visit(each) for each in given]
        return ast.Call(ast.Name(name, ast.Load()), arguments, [])

    def _loop(self, kind: str, node: ast.GeneratorExp) -> ast.expr:
        """Return a call of a new function that does what `kind` does with the generator."""
        bound = _bound(node)
        read = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        given = sorted((read & self.local) - bound)
        outer, self.local = self.local, self.local | bound
        inner = self.generic_visit(node)
        self.local = outer
        assert isinstance(inner, ast.GeneratorExp)
        name = f"_{kind}_{len(self.made)}"
        before, within, after = LOOPS[kind]
        lines, indent = [f"def {name}({', '.join(given)}):", f"    {before}"], "    "
        for loop in inner.generators:
            over = f"{ast.unparse(loop.target)} in {ast.unparse(loop.iter)}"
            lines.append(f"{indent}for {over}:")
            indent += "    "
            for test in loop.ifs:
                lines.append(f"{indent}if {ast.unparse(test)}:")
                indent += "    "
        lines += [indent + within.format(value=f"({ast.unparse(inner.elt)})"), f"    {after}"]
        self.made += _of_lines(lines, node)
        return ast.Call(
            ast.Name(name, ast.Load()), [ast.Name(each, ast.Load()) for each in given], []
        )
