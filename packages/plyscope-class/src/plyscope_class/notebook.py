"""The function that a student wrote in a Jupyter notebook, as a script that can be judged.

The script has the statements that define the function and all global names that it reads, in the
order of the cells. Demonstrations, magics and commands of the shell are left out. A cell that
begins with `%%writefile NAME.py` and defines the function is the script itself.
"""

from __future__ import annotations

import ast
import dis
import json
from collections.abc import Iterator
from types import CodeType
from typing import Any

from plyscope.identity import codes_in

NOTEBOOK = ".ipynb"
CODE_MAGICS = ("%%time", "%%timeit", "%%capture")
"""Cell magics that run the Python code below them."""
WRITEFILE = "%%writefile"


def script_of_notebook(content: bytes, function: str) -> str:
    """Return the script that defines `function`, a function or a class, in a notebook.

    Raises ValueError if there is none, with the reason as a phrase that begins with a noun.
    """
    statements, written, fault = list[_Statement](), "", ""
    for number, text in _code_cells(content):
        magic = text.split(None, 1)[0] if text.startswith("%%") else ""
        if magic and magic not in (*CODE_MAGICS, WRITEFILE):
            continue
        code = text.partition("\n")[2] if magic else text
        try:
            found = _statements(code, number)
        except (SyntaxError, ValueError) as error:  # ValueError: null characters
            fault = fault or f"cell {number} is not Python: {error.args[0]}"
            continue
        except (RecursionError, MemoryError):
            fault = fault or f"cell {number} has an expression with too many levels"
            continue
        if magic != WRITEFILE:
            statements += found
        elif any(function in each.bound for each in found):
            written = code
    chosen = _needed(statements, function)
    if written or any(function in each.bound for each in chosen):
        return written or _text(chosen)
    raise ValueError(fault or f"no cell defines {function}")


def _code_cells(content: bytes) -> Iterator[tuple[int, str]]:
    """Yield the numbers, from 1, and the texts of the code cells. Raises ValueError."""
    try:
        data = json.loads(content)
        cells = [cell for cell in data["cells"] if cell["cell_type"] == "code"]
        for number, cell in enumerate(cells, 1):
            yield number, "".join(cell["source"]).lstrip("\n")
    except (ValueError, LookupError, TypeError, RecursionError):
        raise ValueError("a file without the cells of a notebook") from None


def _statements(code: str, cell: int) -> list[_Statement]:
    """Return the statements of a cell; if it is not Python, without magics and shell commands."""
    try:
        body = ast.parse(code).body
    except SyntaxError:
        lines = []
        for line in code.split("\n"):
            bare = line.strip()
            is_magic = bare.startswith(("%", "!", "?")) or bare.endswith("?")
            indent = line[: len(line) - len(line.lstrip())]
            lines.append(f"{indent}pass" if is_magic else line)
        code = "\n".join(lines)
        body = ast.parse(code).body
    return [_Statement(node, cell, code) for node in body]


class _Statement:
    """A statement of a cell, with the global names that it binds, changes and reads."""

    def __init__(self, node: ast.stmt, cell: int, text: str) -> None:
        self.text, self.cell = _text_of(node, text), cell
        code = compile(ast.Module([node], []), "cell", "exec")
        self.bound = set(_names(code, "STORE_"))
        self.is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if (isinstance(node, ast.ImportFrom) and node.names[0].name == "*") or self.is_future:
            self.bound.add("*")  # which may be needed without being read
        self.changed = {name for part in ast.walk(node) for name in _changed_by(part)}
        self.read = {name for each in codes_in(code) for name in _names(each, "LOAD_")}


def _names(code: CodeType, kind: str) -> Iterator[str]:
    """Yield the global names that the bytecode reads (LOAD_) or assigns (STORE_), without nested
    code."""
    wanted = [kind + name for name in ("NAME", "GLOBAL", "FROM_DICT_OR_GLOBALS")]
    return (str(step.argval) for step in dis.get_instructions(code) if step.opname in wanted)


def _changed_by(node: ast.AST) -> Iterator[str]:
    """Yield the variable whose object a node changes: `a[0] = 1`, `a.b = 1` or `a.append(1)`."""
    place: Any = None
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
        place = node.value
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        place = called.value if isinstance(called, ast.Attribute) else None
    while isinstance(place, ast.Subscript | ast.Attribute):
        place = place.value
    if isinstance(place, ast.Name):
        yield place.id


def _needed(statements: list[_Statement], function: str) -> list[_Statement]:
    """Return the statements that define the function and the names that it needs."""
    names, chosen = {function, "*"}, set[int]()
    while True:
        more = {
            at
            for at, each in enumerate(statements)
            if at not in chosen and not names.isdisjoint(each.bound | each.changed)
        }
        if not more:
            return [
                statements[at]
                for at in sorted(chosen, key=lambda at: (not statements[at].is_future, at))
            ]
        chosen |= more
        names = names.union(*(statements[at].read for at in more))


def _text_of(node: ast.stmt, text: str) -> str:
    """Return the text of a statement with its decorators."""
    for first in getattr(node, "decorator_list", ())[:1]:
        node.lineno = first.lineno
    return ast.get_source_segment(text, node) or ""


def _text(chosen: list[_Statement]) -> str:
    """Return the statements as a script, in which comments name the cells."""
    lines, cell = list[str](), 0
    for each in chosen:
        if each.cell != cell:
            cell = each.cell
            lines += [f"# cell {cell}"]
        lines += [each.text]
    return "\n".join([*lines, ""])
