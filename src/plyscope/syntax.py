"""The source of a function as a syntax tree, checked against the code that runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from inspect import findsource, getsource
from types import CodeType, FunctionType
from typing import Any


class NoSyntax(Exception):
    """The source of a function is not available, or is not the code that runs."""


def syntax_of(function: FunctionType) -> ast.FunctionDef | ast.Lambda:
    """Return the syntax tree of a function; raise NoSyntax if its source is not available, or if
    its file has been changed since the function was defined."""
    try:
        text = getsource(function)
        is_indented = text[:1].isspace()
        tree = ast.parse(f"if 1:\n{text}" if is_indented else text)  # strings in it stay the same
    except (OSError, TypeError, SyntaxError):
        raise NoSyntax from None
    ast.increment_lineno(tree, -is_indented)
    code = function.__code__
    nodes = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.Lambda)
        and getattr(node, "name", "<lambda>") == function.__name__
    ]
    for imports in _imports_around(function):
        for node in nodes:
            compiled = _compiled(node, code.co_freevars, imports)
            if any(bytecode(part) == bytecode(code) for part in compiled):
                return node
    raise NoSyntax


def _imports_around(function: FunctionType) -> Iterator[list[ast.stmt]]:
    """Yield an empty list, then the imports of the function's module: Python compiles calls of
    imported names differently."""
    yield []
    try:
        yield list(_imports_in(ast.parse("".join(findsource(function)[0]))))
    except (OSError, TypeError, SyntaxError):
        return


def _imports_in(node: ast.AST) -> Iterator[ast.stmt]:
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.Import | ast.ImportFrom):
            yield each
        elif not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _imports_in(each)


def _compiled(
    node: ast.FunctionDef | ast.Lambda, free: tuple[str, ...], imports: list[ast.stmt]
) -> list[CodeType]:
    """Return the code objects compiled from a function's syntax tree; `free` are its variables that
    belong to an enclosing function."""
    module = ast.parse(f"def around({', '.join(free)}): pass")
    around = module.body[0]
    assert isinstance(around, ast.FunctionDef)
    if isinstance(node, ast.FunctionDef):
        node.decorator_list = []
    around.body = [node if isinstance(node, ast.FunctionDef) else ast.Expr(node)]
    if isinstance(node, ast.FunctionDef) and node.name not in free:  # it may call itself
        around.body.insert(0, ast.Global([node.name]))
    module.body = [*imports, around]
    code = compile(ast.fix_missing_locations(module), "text", "exec", dont_inherit=True)
    outer = next(part for part in code.co_consts if isinstance(part, CodeType))
    return [part for part in outer.co_consts if isinstance(part, CodeType)]


def bytecode(code: CodeType) -> tuple[Any, ...]:
    """Return the parts of a code object that do not depend on its file and lines."""
    consts = tuple(
        bytecode(part) if isinstance(part, CodeType) else (type(part), part)
        for part in code.co_consts
    )
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, consts
