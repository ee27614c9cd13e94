"""Tables as Python code: writing the expression of a table, and reading one.

The code is parsed and never run. It may only call `LineTable`, `TermSum` and `KindTable` with
numbers, texts, tuples and dictionaries.

>>> from plyscope import LineTable
>>> print(python_text(LineTable("mine", {(1, 0): 1, (2, 0): 5}, {"diagonal": 2})), end="")
import plyscope as ps
<BLANKLINE>
mine = ps.LineTable(
    name='mine',
    values={(1, 0): 1, (2, 0): 5},
    weights={'diagonal': 2},
)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from keyword import iskeyword
from typing import Any

from plyscope.errors import NotationError
from plyscope.evaluation.linetable import KindTable, LineTable, TermSum

CLASSES: Mapping[str, type[Any]] = {made.__name__: made for made in (LineTable, TermSum, KindTable)}
LINE_COLUMNS, FILLED_COLUMNS = 96, 80
INDENT = 4
EXPECTED = "expected mine = ps.LineTable(...) or ps.TermSum(...), of numbers"


def python_text(table: LineTable) -> str:
    """Return statements that assign the table to a variable: its name if possible, else `mine`."""
    name = re.sub(r"\W+", "_", table.name).strip("_")
    name = name if name.isidentifier() and not iskeyword(name) else "mine"
    return f"import plyscope as ps\n\n{name} = {_source(table, 0)}\n"


def _source(value: Any, indent: int) -> str:
    """Return the expression of a value; its later lines are indented by at least `indent`."""
    inner = indent + INDENT
    if isinstance(value, Mapping) and any(map(is_dataclass, value.values())):
        items = (f"{key!r}: {_source(each, inner)}" for key, each in value.items())
        return _spread("{", items, "}", indent)
    if not is_dataclass(value):
        text = repr(value)
        if not isinstance(value, dict) or len(text) <= LINE_COLUMNS - inner - INDENT:
            return text
        return _spread(
            "{", _filled([f"{key!r}: {each!r}" for key, each in value.items()]), "}", indent
        )
    said = (each for each in fields(value) if _is_written(value, each))
    items = (f"{each.name}={_source(getattr(value, each.name), inner)}" for each in said)
    return _spread(f"ps.{type(value).__name__}(", items, ")", indent)


def _spread(begin: str, items: Iterable[str], end: str, indent: int) -> str:
    lines = "".join(f"{' ' * (indent + INDENT)}{item},\n" for item in items)
    return f"{begin}\n{lines}{' ' * indent}{end}"


def _filled(items: Sequence[str]) -> list[str]:
    """Return the items joined to lines of at most FILLED_COLUMNS characters."""
    lines: list[str] = []
    for item in items:
        if lines and len(lines[-1]) + len(item) < FILLED_COLUMNS:
            lines[-1] += f", {item}"
        else:
            lines.append(item)
    return lines


def _is_written(value: Any, each: Field[Any]) -> bool:
    """Return whether the expression must contain a field: it has a `repr` and not its default."""
    usual = each.default if each.default_factory is MISSING else each.default_factory()
    return each.repr and getattr(value, each.name) != usual


def table_of_code(text: str) -> LineTable:
    """Return the table that the last statement makes.

    Raises NotationError for other code, HeuristicError for keys or values that no table has.
    """
    try:
        return _table_of(text)
    except (RecursionError, MemoryError):  # raised by the parser for nested brackets and signs
        raise NotationError(f"the Python is nested too deeply; {EXPECTED}") from None


def _table_of(text: str) -> LineTable:
    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError) as error:
        where = f" in line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise NotationError(f"cannot read the Python{where}; {EXPECTED}") from None
    last = statements[-1] if statements else None
    if isinstance(last, ast.Assign | ast.AnnAssign | ast.Expr) and last.value is not None:
        table = _value(last.value)
        if isinstance(table, LineTable):
            return table
    raise NotationError(f"no table in the Python; {EXPECTED}")


def _value(node: ast.expr) -> Any:
    """Return the value of an expression of CLASSES, dictionaries and literals; raise
    NotationError for any other expression."""
    if isinstance(node, ast.Call):
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
        if name not in CLASSES or any(word.arg is None for word in node.keywords):
            raise _wrong(node)
        words = {str(word.arg): _value(word.value) for word in node.keywords}
        try:
            return CLASSES[name](*map(_value, node.args), **words)
        except AttributeError:
            raise _wrong(node) from None
        except TypeError as error:
            raise NotationError(f"{error} in line {node.lineno}; {EXPECTED}") from None
    if isinstance(node, ast.Dict):
        if None in node.keys:
            raise _wrong(node)
        keys = [_value(key) for key in node.keys if key is not None]
        try:
            return dict(zip(keys, map(_value, node.values), strict=True))
        except TypeError:
            raise _wrong(node) from None
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        raise _wrong(node) from None


def _wrong(node: ast.expr) -> NotationError:
    shown = ast.unparse(node).splitlines()[0][:40]
    return NotationError(f"{shown!r} in line {node.lineno} of the Python; {EXPECTED}")
