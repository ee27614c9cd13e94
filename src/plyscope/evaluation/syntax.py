"""The syntax of a function, as it was written: for those who read it, and those who rewrite it."""

from __future__ import annotations

import ast
from inspect import getsource
from textwrap import dedent
from types import CodeType, FunctionType
from typing import Any


class NoSyntax(Exception):
    """The text of a function cannot be had."""


def syntax_of(function: FunctionType) -> ast.FunctionDef | ast.Lambda:
    """Return the syntax of a function; raise NoSyntax where there is none,
    as its file holds another text by now."""
    try:
        tree = ast.parse(dedent(getsource(function)))
    except (OSError, TypeError, SyntaxError):
        raise NoSyntax from None
    code = function.__code__
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            continue
        if getattr(node, "name", "<lambda>") == function.__name__ and any(
            _bytecode(part) == _bytecode(code) for part in _compiled(node, code.co_freevars)
        ):
            return node
    raise NoSyntax


def _compiled(node: ast.FunctionDef | ast.Lambda, free: tuple[str, ...]) -> list[CodeType]:
    """Return the code of a function's syntax, with `free` variables of a function around it."""
    module = ast.parse(f"def around({', '.join(free)}): pass")
    around = module.body[0]
    assert isinstance(around, ast.FunctionDef)
    if isinstance(node, ast.FunctionDef):
        node.decorator_list = []
    around.body = [node if isinstance(node, ast.FunctionDef) else ast.Expr(node)]
    code = compile(ast.fix_missing_locations(module), "text", "exec")
    outer = next(part for part in code.co_consts if isinstance(part, CodeType))
    return [part for part in outer.co_consts if isinstance(part, CodeType)]


def _bytecode(code: CodeType) -> tuple[Any, ...]:
    """Return what a code does, wherever it stands."""
    consts = tuple(
        _bytecode(part) if isinstance(part, CodeType) else (type(part), part)
        for part in code.co_consts
    )
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, consts
