"""Rewrites what people do with lists and Numba does not know, for games and heuristics alike.

plain Python                      for Numba
out = [] ... out += items         out = [] ... for item in items: out.append(item)
out = [] ... out.extend(items)    the same: `append` alone gives an empty list its type
cells.count(1)                    sum(1 for item in cells if item == 1), for arrays and tuples
"""

from __future__ import annotations

import ast
from typing import Any


class ListWords(ast.NodeTransformer):
    """Rewrites the body of one function; `changed` counts what was rewritten."""

    def __init__(self, body: list[ast.stmt]) -> None:
        self.changed = 0
        self.empty = {name for part in body for each in ast.walk(part) for name in _emptied(each)}
        """The variables that are an empty list at some time."""

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Rewrite `out += items`."""
        self.generic_visit(node)
        match node:
            case ast.AugAssign(ast.Name(name), ast.Add(), items):
                return self._appended(name, items, node)
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        """Rewrite `out.extend(items)`."""
        self.generic_visit(node)
        match node:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "extend"), [items], [])):
                return self._appended(name, items, node)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        """Rewrite `cells.count(item)` for an item that is a number or a variable."""
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Attribute(cells, "count"), [item], []) if _is_simple(item):
                counted = self._new()
                test = ast.Compare(ast.Name(counted, ast.Load()), [ast.Eq()], [item])
                loop = ast.comprehension(ast.Name(counted, ast.Store()), cells, [test], 0)
                ones = ast.GeneratorExp(ast.Constant(1), [loop])
                made = ast.Call(ast.Name("sum", ast.Load()), [ones], [])
                return ast.fix_missing_locations(ast.copy_location(made, node))
        return node

    def _appended(self, name: str, items: ast.expr, node: ast.stmt) -> ast.stmt:
        read = {each.id for each in ast.walk(items) if isinstance(each, ast.Name)}
        if name not in self.empty or name in read:
            return node
        item = self._new()
        target = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
        append = ast.Expr(ast.Call(target, [ast.Name(item, ast.Load())], []))
        loop = ast.For(ast.Name(item, ast.Store()), items, [append], [])
        return ast.fix_missing_locations(ast.copy_location(loop, node))

    def _new(self) -> str:
        self.changed += 1
        return f"_item_{self.changed}"


def _emptied(node: ast.AST) -> list[str]:
    """Return the variables that an assignment makes an empty list."""
    match node:
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
            pairs = list(zip(targets, values, strict=False))
        case ast.Assign(targets, value):
            pairs = [(target, value) for target in targets]
        case ast.AnnAssign(target, _, ast.expr() as value):
            pairs = [(target, value)]
        case _:
            return []
    return [to.id for to, value in pairs if isinstance(to, ast.Name) and _is_empty(value)]


def _is_empty(value: ast.expr) -> bool:
    match value:
        case ast.List([]) | ast.Call(ast.Name("list"), [], []):
            return True
    return False


def _is_simple(item: ast.expr) -> bool:
    """Return whether it costs nothing to look at the item again and again, and it is no text."""
    if isinstance(item, ast.UnaryOp):
        item = item.operand
    is_number = isinstance(item, ast.Constant) and isinstance(item.value, int | float)
    return is_number or isinstance(item, ast.Name | ast.Attribute)
